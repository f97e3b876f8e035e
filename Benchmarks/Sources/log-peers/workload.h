// What the floor and the peers do with a key-value log: keys of 12 bytes, values of 100.
#ifndef ANTEROOM_LOG_WORKLOAD_H
#define ANTEROOM_LOG_WORKLOAD_H

#include "arguments.h"

enum { key_size = 12, value_size_of_log = 100 };

static inline void make_key(char *key, uint64_t number) {
  char digits[32];
  snprintf(digits, sizeof digits, "key-%08llu", (unsigned long long)number);
  memcpy(key, digits, key_size);
}

// Each gives its own: what has the store open, sets one key, and gets one (the sum of its bytes).
void store_open(const struct arguments *arguments, bool is_new);
void store_set(const char *key, const uint8_t *value);
uint64_t store_get(const char *key);
void store_begin_filling(void);
void store_end_filling(void);
void store_close(void);

// `fill`, `set` (each key once more), `get` (a second pass), `get-one` (open, get one, close), `empty`.
static inline int run_workload(int count, char **words) {
  struct arguments arguments = parse_arguments(count, words);
  uint8_t value[value_size_of_log] = {1};
  char key[key_size];
  uint64_t sum = 0, expected = arguments.count;
  if (strcmp(arguments.mode, "empty") == 0) {
    measure_report(0, 0);
    return 0;
  }
  if (strcmp(arguments.mode, "get-one") == 0) {
    make_key(key, arguments.count / 2);
    measure_begin();
    store_open(&arguments, false);
    sum = store_get(key);
    store_close();
    measure_end();
    if (sum != 1) give_up("another value");
    measure_report(1, 0);
    return 0;
  }
  store_open(&arguments, strcmp(arguments.mode, "fill") == 0);
  if (strcmp(arguments.mode, "fill") == 0) {
    store_begin_filling();
    for (uint64_t number = 0; number < arguments.count; number++) {
      make_key(key, number);
      store_set(key, value);
    }
    store_end_filling();
    store_close();
    return 0;
  }
  // The keys are made beforehand: none of the subjects is measured for that.
  char *keys = malloc(arguments.count * key_size);
  if (keys == NULL) give_up("malloc");
  for (uint64_t number = 0; number < arguments.count; number++) make_key(keys + number * key_size, number);
  bool is_get = strcmp(arguments.mode, "get") == 0;
  uint64_t wanted = is_get ? 200000 : 50000, passes = arguments.count < wanted ? wanted / arguments.count : 1;
  if (is_get) {
    for (uint64_t number = 0; number < arguments.count; number++) sum += store_get(keys + number * key_size);
    measure_begin();
    for (uint64_t pass = 0; pass < passes; pass++)
      for (uint64_t number = 0; number < arguments.count; number++) sum += store_get(keys + number * key_size);
    measure_end();
    if (sum != expected * (passes + 1)) give_up("other values");
  } else {
    if (arguments.synced) passes = 1, arguments.count = arguments.count < 200 ? arguments.count : 200;
    measure_begin();
    for (uint64_t pass = 0; pass < passes; pass++)
      for (uint64_t number = 0; number < arguments.count; number++) store_set(keys + number * key_size, value);
    measure_end();
  }
  store_close();
  measure_report(arguments.count * passes, 0);
  return 0;
}

#endif
