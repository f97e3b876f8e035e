// What the floor and the peers take on their command lines, and how they give up.
#ifndef ANTEROOM_ARGUMENTS_H
#define ANTEROOM_ARGUMENTS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

struct arguments {
  const char *mode, *path;
  uint64_t count;
  bool synced, sealed, lock_per_append, laps;
  double start_at;
};

_Noreturn static inline void give_up(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

// MODE [PATH [COUNT]] and options, in any order.
static inline struct arguments parse_arguments(int count, char **words) {
  struct arguments result = {.mode = "", .path = ""};
  int position = 0;
  for (int index = 1; index < count; index++) {
    const char *word = words[index];
    if (strcmp(word, "--synced") == 0) {
      result.synced = true;
    } else if (strcmp(word, "--sealed") == 0) {
      result.sealed = true;
    } else if (strcmp(word, "--lock-per-append") == 0) {
      result.lock_per_append = true;
    } else if (strcmp(word, "--laps") == 0) {
      result.laps = true;
    } else if (strcmp(word, "--start-at") == 0 && index + 1 < count) {
      result.start_at = strtod(words[++index], NULL);
    } else if (word[0] == '-' || position == 3) {
      errno = EINVAL;
      give_up(word);
    } else if (position++ == 0) {
      result.mode = word;
    } else if (position == 2) {
      result.path = word;
    } else {
      result.count = strtoull(word, NULL, 10);
    }
  }
  return result;
}

// What every loop of appends does before its first.
static inline void begin_appends(const struct arguments *arguments) {
  if (arguments->laps) measure_keep_laps(arguments->count);
  if (arguments->start_at > 0) measure_wait_for_uptime(arguments->start_at);
  measure_begin();
}

#endif
