#include "CSystemFork.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

// Empty, being filled, or an address, which is stored last. The handler runs in the child's only thread, between the fork and
// whatever comes next, where only what is safe in a signal handler is allowed: it reads words, writes zeros and maps.
enum { EMPTY = 0, BEING_FILLED = 1, RANGE_COUNT = 256, MAPPING_COUNT = 512 };
struct range {
  uintptr_t address;
  size_t count;
};
static struct range wiped[RANGE_COUNT];
static struct range forgotten[MAPPING_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registered = -1;

static void leave_behind(void) {
  for (int i = 0; i < RANGE_COUNT; i++) {
    uintptr_t address = __atomic_load_n(&wiped[i].address, __ATOMIC_ACQUIRE);
    if (address > BEING_FILLED) memset((void *)address, 0, wiped[i].count);
  }
  for (int i = 0; i < MAPPING_COUNT; i++) {
    uintptr_t address = __atomic_load_n(&forgotten[i].address, __ATOMIC_ACQUIRE);
    if (address <= BEING_FILLED) continue;
    // In its place, so that the addresses stay taken until the child's owner of the mapping lets go of them.
    mmap((void *)address, forgotten[i].count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    __atomic_store_n(&forgotten[i].address, EMPTY, __ATOMIC_RELEASE);
  }
}

static void register_handler(void) { registered = pthread_atfork(NULL, NULL, leave_behind) == 0 ? 0 : -1; }

static int insert(struct range *table, int table_count, void *address, size_t count) {
  pthread_once(&once, register_handler);
  if (registered != 0) return -1;
  for (int i = 0; i < table_count; i++) {
    if (__atomic_load_n(&table[i].address, __ATOMIC_RELAXED) != EMPTY) continue;
    uintptr_t expected = EMPTY;
    if (!__atomic_compare_exchange_n(&table[i].address, &expected, BEING_FILLED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) continue;
    table[i].count = count;
    __atomic_store_n(&table[i].address, (uintptr_t)address, __ATOMIC_RELEASE);
    return 0;
  }
  return -1;
}

static void take_out(struct range *table, int table_count, void *address) {
  for (int i = 0; i < table_count; i++) {
    uintptr_t expected = (uintptr_t)address;
    if (__atomic_load_n(&table[i].address, __ATOMIC_RELAXED) != expected) continue;
    if (__atomic_compare_exchange_n(&table[i].address, &expected, EMPTY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  }
}

int anteroom_wipe_in_child(void *address, size_t count) { return insert(wiped, RANGE_COUNT, address, count); }
void anteroom_keep_in_child(void *address) { take_out(wiped, RANGE_COUNT, address); }
int anteroom_forget_in_child(void *address, size_t count) { return insert(forgotten, MAPPING_COUNT, address, count); }
void anteroom_unmapped_in_parent(void *address) { take_out(forgotten, MAPPING_COUNT, address); }
