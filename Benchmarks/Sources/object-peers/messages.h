// The object workloads: what their command lines are, and the messages, which are those of objects-bench.
#ifndef ANTEROOM_MESSAGES_H
#define ANTEROOM_MESSAGES_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"

enum { id_size = 16, name_size = 21, body_size = 200, conversation_count = 1000, size_limit = 1000000, half_size = size_limit / 2 };
static const char needle[] = "needle";

struct message {
  char id[id_size + 1], conversation[name_size + 1], body[body_size + 1];
  double sent_at;
  bool is_read;
  int64_t size;
};

struct workload {
  const char *mode, *path;
  uint64_t messages, operations, batch;
  bool sealed;
};

static struct workload workload;
static struct message *messages;

// MODE FILE MESSAGES [OPERATIONS] [--sealed] [--batch N]
static inline void parse_workload(int count, char **words) {
  workload = (struct workload){.mode = "", .path = "", .batch = 1};
  int position = 0;
  for (int index = 1; index < count; index++) {
    if (strcmp(words[index], "--sealed") == 0) {
      workload.sealed = true;
    } else if (strcmp(words[index], "--batch") == 0 && index + 1 < count) {
      workload.batch = strtoull(words[++index], NULL, 10);
    } else if (words[index][0] == '-' || position == 4) {
      fprintf(stderr, "%s: %s\n", words[index], strerror(EINVAL));
      exit(2);
    } else if (position++ == 0) {
      workload.mode = words[index];
    } else if (position == 2) {
      workload.path = words[index];
    } else if (position == 3) {
      workload.messages = strtoull(words[index], NULL, 10);
    } else {
      workload.operations = strtoull(words[index], NULL, 10);
    }
  }
}

static inline bool is_mode(const char *mode) { return strcmp(workload.mode, mode) == 0; }

static inline void require(bool holds) {
  if (holds) return;
  fprintf(stderr, "%s: a result is wrong\n", workload.mode);
  exit(1);
}

// One to one: no two numbers give the same.
static inline uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  number = (number ^ number >> 27) * UINT64_C(0x94D049BB133111EB);
  return number ^ number >> 31;
}

// Another random order than that of the insertion.
static inline uint64_t shuffled(uint64_t index, uint64_t count) { return index * 7368787 % count; }

static inline void make_conversation(char *name, uint64_t number) {
  snprintf(name, name_size + 1, "conversation-%08x", (unsigned)(mixed(number) >> 32));
}

static inline void make_message(struct message *message, uint64_t number) {
  static const char *const words[] = {"the",  "meeting", "tomorrow", "is", "at",  "noon", "please", "bring",
                                      "your", "notes",   "and",      "a",  "cup", "of",   "coffee", "too"};
  char text[body_size + 16];
  size_t length = 0;
  for (uint64_t bits = mixed(number + (UINT64_C(1) << 32)); length < body_size;) {
    length += (size_t)snprintf(text + length, sizeof text - length, "%s ", words[bits & 15]);
    bits = (bits & 15) << 60 | bits >> 4;
    bits = (bits * UINT64_C(0x9E3779B97F4A7C15)) ^ bits >> 29;
  }
  memcpy(message->body, text, body_size);
  message->body[body_size] = 0;
  if (number % 100 == 7) memcpy(message->body + 100, needle, sizeof needle - 1);
  snprintf(message->id, sizeof message->id, "%016llx", (unsigned long long)mixed(number));
  make_conversation(message->conversation, number % conversation_count);
  message->sent_at = (double)number / 4;
  message->is_read = number % 2 == 1;
  message->size = (int64_t)(number * 7368787 % size_limit);
}

static inline void make_messages(uint64_t first, uint64_t count) {
  if ((messages = malloc((size_t)(count + 1) * sizeof *messages)) == NULL) abort();
  for (uint64_t index = 0; index < count; index++) make_message(&messages[index], first + index);
}

// All ids in the other random order, one behind the other in memory.
static char (*ids)[id_size + 1];

static inline void make_shuffled_ids(void) {
  if ((ids = malloc((size_t)(workload.messages + 1) * sizeof *ids)) == NULL) abort();
  for (uint64_t index = 0; index < workload.messages; index++) {
    struct message message;
    make_message(&message, shuffled(index, workload.messages));
    memcpy(ids[index], message.id, sizeof *ids);
  }
}

#endif
