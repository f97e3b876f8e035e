// Accesses to words that several processes share through a mapping. The address is aligned to 8 bytes.
#ifndef ANTEROOM_CSYSTEM_ATOMICS_H
#define ANTEROOM_CSYSTEM_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t anteroom_load_acquire(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}
static inline uint64_t anteroom_load_sequential(const void *address) {
  return __atomic_load_n((const uint64_t *)address, __ATOMIC_SEQ_CST);
}
static inline void anteroom_store_release(void *address, uint64_t value) {
  __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
}
static inline void anteroom_store_sequential(void *address, uint64_t value) {
  __atomic_store_n((uint64_t *)address, value, __ATOMIC_SEQ_CST);
}
/// Sequentially consistent on both sides. Whether `desired` was stored.
static inline bool anteroom_compare_exchange(void *address, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n((uint64_t *)address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif
