#include "CSystemFork.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Empty, being filled, or an address, which is stored last. The handler runs in the child's only thread, between the fork and
// whatever comes next, where only what is safe in a signal handler is allowed: it reads words and writes zeros.
enum { EMPTY = 0, BEING_FILLED = 1, RANGE_COUNT = 256 };
static struct {
  uintptr_t address;
  size_t count;
} ranges[RANGE_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registered = -1;

static void wipe_all(void) {
  for (int i = 0; i < RANGE_COUNT; i++) {
    uintptr_t address = __atomic_load_n(&ranges[i].address, __ATOMIC_ACQUIRE);
    if (address > BEING_FILLED) memset((void *)address, 0, ranges[i].count);
  }
}

static void register_handler(void) { registered = pthread_atfork(NULL, NULL, wipe_all) == 0 ? 0 : -1; }

int anteroom_wipe_in_child(void *address, size_t count) {
  pthread_once(&once, register_handler);
  if (registered != 0) return -1;
  for (int i = 0; i < RANGE_COUNT; i++) {
    uintptr_t expected = EMPTY;
    if (!__atomic_compare_exchange_n(&ranges[i].address, &expected, BEING_FILLED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
    ranges[i].count = count;
    __atomic_store_n(&ranges[i].address, (uintptr_t)address, __ATOMIC_RELEASE);
    return 0;
  }
  return -1;
}

void anteroom_keep_in_child(void *address) {
  for (int i = 0; i < RANGE_COUNT; i++) {
    uintptr_t expected = (uintptr_t)address;
    if (__atomic_compare_exchange_n(&ranges[i].address, &expected, EMPTY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  }
}
