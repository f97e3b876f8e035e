/*
 * A helper in C: takes the key of the mailbox from a key-value log that the app wrote, and appends what it is given.
 *
 *   c-helper DIRECTORY TEXT...
 *
 * `Examples/run-c-helper` builds and runs it. It exits with 0 when every text is in the mailbox, durably.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "anteroom_mailbox.h"

/* Says what went wrong, and ends: nothing is half done, each append is there or isn't. */
static void check(int32_t code, const anteroom_error *error) {
  if (code == ANTEROOM_OK) return;
  fprintf(stderr, "c-helper: %s: %s\n", anteroom_code_name(code), error->message);
  exit(1);
}

static void path(char *place, size_t capacity, const char *directory, const char *name) {
  if (snprintf(place, capacity, "%s/%s", directory, name) < (int)capacity) return;
  fprintf(stderr, "c-helper: the directory's name is too long\n");
  exit(64);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: c-helper DIRECTORY TEXT...\n");
    return 64;
  }
  anteroom_error error;
  char place[4096];

  /* The app's settings: a key for the mailbox, and how often a helper has run. */
  anteroom_log *settings;
  path(place, sizeof place, arguments[1], "settings.kvlog");
  check(anteroom_log_open(place, NULL, &settings, &error), &error);
  uint8_t key[64];
  size_t key_byte_count;
  bool has_key;
  check(anteroom_log_get_bytes(settings, "mailbox key", key, sizeof key, &key_byte_count, &has_key, &error), &error);
  int64_t run_count = 0;
  bool is_found;
  check(anteroom_log_get_int64(settings, "runs of the helper", &run_count, &is_found, &error), &error);
  check(anteroom_log_set_int64(settings, "runs of the helper", run_count + 1, 0, &error), &error);
  anteroom_log_close(settings);

  anteroom_options options = {0};
  if (has_key) {
    options.key = key;
    options.key_byte_count = key_byte_count;
  }
  anteroom_mailbox *outbox;
  path(place, sizeof place, arguments[1], "inbox.mailbox");
  check(anteroom_mailbox_open(place, &options, &outbox, &error), &error);

  for (int i = 2; i < count; i++) {
    char id[64];
    snprintf(id, sizeof id, "c-%lld-%d", (long long)run_count, i - 1);
    anteroom_fields *fields = anteroom_fields_new();
    anteroom_fields_set_string(fields, "text", arguments[i]);
    anteroom_fields_set_time(fields, "sentAt", (double)time(NULL));
    int32_t code = anteroom_mailbox_append_fields(outbox, id, 1, fields, 0, NULL, &error);
    anteroom_fields_free(fields);
    check(code, &error);
  }
  uint64_t pending_count;
  check(anteroom_mailbox_pending_count(outbox, &pending_count, &error), &error);
  printf("%d appended, %llu pending\n", count - 2, (unsigned long long)pending_count);
  anteroom_mailbox_close(outbox);
  return 0;
}
