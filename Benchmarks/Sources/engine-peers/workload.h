// The engine workloads: what their command lines are, and which keys and values all programs use.
#ifndef ANTEROOM_WORKLOAD_H
#define ANTEROOM_WORKLOAD_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"

enum { key_size = 16, value_size = 200 };

struct workload {
  const char *mode, *path;
  uint64_t entries, operations, threads;
  bool sealed, pinned;
};

static unsigned char (*keys)[key_size];
static unsigned char value[value_size];

_Noreturn static inline void give_up(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

// MODE FILE ENTRIES [OPERATIONS] [--sealed] [--pinned] [--threads N]
static inline struct workload parse_workload(int count, char **words) {
  struct workload result = {.mode = "", .path = "", .threads = 1};
  int position = 0;
  for (int index = 1; index < count; index++) {
    if (strcmp(words[index], "--sealed") == 0) {
      result.sealed = true;
    } else if (strcmp(words[index], "--pinned") == 0) {
      result.pinned = true;
    } else if (strcmp(words[index], "--threads") == 0 && index + 1 < count) {
      result.threads = strtoull(words[++index], NULL, 10);
    } else if (words[index][0] == '-' || position == 4) {
      errno = EINVAL;
      give_up(words[index]);
    } else if (position++ == 0) {
      result.mode = words[index];
    } else if (position == 2) {
      result.path = words[index];
    } else if (position == 3) {
      result.entries = strtoull(words[index], NULL, 10);
    } else {
      result.operations = strtoull(words[index], NULL, 10);
    }
  }
  return result;
}

static inline bool is_mode(const struct workload *workload, const char *mode) { return strcmp(workload->mode, mode) == 0; }

// One to one: no two numbers give the same.
static inline uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
  return number ^ number >> 31;
}

static inline void store_key(unsigned char *key, uint64_t number) {
  for (int index = 0; index < key_size; index++) key[index] = (unsigned char)"0123456789abcdef"[number >> (60 - 4 * index) & 15];
}

// Sixteen hexadecimal digits: of the number itself for keys in order, mixed for the rest. `shuffled` is another random order
// of the same keys than that of their insertion.
static inline void make_keys(uint64_t first, uint64_t count, bool random, bool shuffled) {
  if ((keys = malloc((size_t)(count + 1) * key_size)) == NULL) give_up("malloc");
  for (uint64_t index = 0; index < count; index++) {
    uint64_t number = first + (shuffled ? index * 7368787 % count : index);
    store_key(keys[index], random ? mixed(number) : number);
  }
  for (int index = 0; index < value_size; index++) value[index] = (unsigned char)index;
}

#endif
