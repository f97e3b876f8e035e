/* The C interface from C: what each call does and says, good and bad. `Tests/run-tests` compiles and runs it with a directory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "anteroom_mailbox.h"

static int failure_count;

#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      failure_count++;                                                          \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
    }                                                                           \
  } while (0)

static anteroom_error error;
static char place[4096];

static const char *in(const char *directory, const char *name) {
  snprintf(place, sizeof place, "%s/%s", directory, name);
  return place;
}

static void check_mailbox(const char *directory) {
  uint8_t key[32];
  memset(key, 7, sizeof key);
  anteroom_options options = {.key = key, .key_byte_count = sizeof key};
  anteroom_mailbox *mailbox = NULL;
  EXPECT(anteroom_mailbox_open(in(directory, "in.mailbox"), &options, &mailbox, &error) == ANTEROOM_OK);
  anteroom_position first, second;
  EXPECT(anteroom_mailbox_append(mailbox, "a", "payload", 7, 0, &first, &error) == ANTEROOM_OK);
  EXPECT(anteroom_mailbox_append(mailbox, "b", NULL, 0, 1000, &second, NULL) == ANTEROOM_OK);
  EXPECT(first.segment_high == second.segment_high && first.segment_low == second.segment_low);
  EXPECT(second.sequence == first.sequence + 1);

  anteroom_fields *fields = anteroom_fields_new();
  anteroom_fields_set_string(fields, "text", "Gr\xc3\xbc\xc3\x9f"
                                             "e");
  anteroom_fields_set_bytes(fields, "bytes", "\0\1", 2);
  anteroom_fields_set_int64(fields, "int", INT64_MIN);
  anteroom_fields_set_uint64(fields, "uint", UINT64_MAX);
  anteroom_fields_set_double(fields, "double", 0.5);
  anteroom_fields_set_bool(fields, "bool", true);
  anteroom_fields_set_time(fields, "time", 1000000000.5);
  EXPECT(anteroom_mailbox_append_fields(mailbox, "c", 3, fields, 0, NULL, &error) == ANTEROOM_OK);
  anteroom_fields_set_string(fields, "bad", "\xff");
  EXPECT(anteroom_mailbox_append_fields(mailbox, "d", 3, fields, 0, NULL, &error) == ANTEROOM_INVALID_ARGUMENT);
  anteroom_fields_free(fields);
  fields = anteroom_fields_new();
  anteroom_fields_set_bool(fields, "", true);
  EXPECT(anteroom_mailbox_append_fields(mailbox, "d", 3, fields, 0, NULL, &error) == ANTEROOM_INVALID_KEY);
  anteroom_fields_free(fields);

  EXPECT(anteroom_mailbox_append(mailbox, "", "", 0, 0, NULL, &error) == ANTEROOM_INVALID_KEY);
  EXPECT(anteroom_mailbox_append(mailbox, "\xc3", "", 0, 0, NULL, &error) == ANTEROOM_INVALID_ARGUMENT);
  EXPECT(anteroom_mailbox_append(mailbox, NULL, "", 0, 0, NULL, &error) == ANTEROOM_INVALID_ARGUMENT);
  EXPECT(error.code == ANTEROOM_INVALID_ARGUMENT && strlen(error.message) > 0);
  EXPECT(anteroom_mailbox_append(mailbox, "e", NULL, 1, 0, NULL, &error) == ANTEROOM_INVALID_ARGUMENT);
  EXPECT(anteroom_mailbox_append(NULL, "e", "", 0, 0, NULL, NULL) == ANTEROOM_INVALID_ARGUMENT);
  char long_id[1026];
  memset(long_id, 'x', sizeof long_id - 1);
  long_id[sizeof long_id - 1] = 0;
  EXPECT(anteroom_mailbox_append(mailbox, long_id, "", 0, 0, NULL, &error) == ANTEROOM_KEY_TOO_LARGE);

  uint64_t count = 0;
  EXPECT(anteroom_mailbox_pending_count(mailbox, &count, &error) == ANTEROOM_OK && count == 3);
  EXPECT(anteroom_mailbox_synchronize(mailbox, &error) == ANTEROOM_OK);

  pid_t child = fork();
  if (child == 0) {
    int32_t code = anteroom_mailbox_append(mailbox, "forked", "", 0, 0, NULL, &error);
    _exit(code == ANTEROOM_FORKED_HANDLE ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  anteroom_mailbox_close(mailbox);
  anteroom_mailbox_close(NULL);

  key[0] = 8;
  mailbox = (anteroom_mailbox *)1;
  EXPECT(anteroom_mailbox_open(in(directory, "in.mailbox"), &options, &mailbox, &error) == ANTEROOM_WRONG_KEY);
  EXPECT(mailbox == NULL && strcmp(anteroom_code_name(error.code), "ANTEROOM_WRONG_KEY") == 0);
  options.key_byte_count = 31;
  EXPECT(anteroom_mailbox_open(in(directory, "in.mailbox"), &options, &mailbox, NULL) == ANTEROOM_INVALID_KEY_LENGTH);
  EXPECT(anteroom_mailbox_open(in(directory, "in.mailbox"), NULL, &mailbox, &error) == ANTEROOM_KEY_REQUIRED);
  EXPECT(anteroom_mailbox_open(in(directory, "absent/in.mailbox"), NULL, &mailbox, &error) == ANTEROOM_NOT_FOUND);
  anteroom_options existing = {.must_exist = true};
  EXPECT(anteroom_mailbox_open(in(directory, "other.mailbox"), &existing, &mailbox, &error) == ANTEROOM_NOT_FOUND);
}

static void check_log(const char *directory) {
  anteroom_log *log = NULL;
  EXPECT(anteroom_log_open(in(directory, "s.kvlog"), NULL, &log, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_string(log, "text", "hello", 0, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_bytes(log, "bytes", "\0\1\2", 3, 0, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_int64(log, "int", -5, 0, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_double(log, "double", 0.25, 0, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_bool(log, "bool", true, 0, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_int64(log, "brief", 1, 1, &error) == ANTEROOM_OK);

  bool is_found = false;
  int64_t integer = 0;
  double number = 0;
  bool truth = false;
  EXPECT(anteroom_log_get_int64(log, "int", &integer, &is_found, &error) == ANTEROOM_OK && is_found && integer == -5);
  EXPECT(anteroom_log_get_double(log, "double", &number, &is_found, &error) == ANTEROOM_OK && is_found && number == 0.25);
  EXPECT(anteroom_log_get_bool(log, "bool", &truth, &is_found, &error) == ANTEROOM_OK && is_found && truth);
  EXPECT(anteroom_log_get_int64(log, "absent", &integer, &is_found, &error) == ANTEROOM_OK && !is_found && integer == -5);
  EXPECT(anteroom_log_get_int64(log, "text", &integer, &is_found, &error) == ANTEROOM_TYPE_MISMATCH && !is_found);
  EXPECT(anteroom_log_get_int64(log, NULL, &integer, &is_found, &error) == ANTEROOM_INVALID_ARGUMENT);

  char buffer[8];
  size_t count = 0;
  EXPECT(anteroom_log_get_string(log, "text", buffer, sizeof buffer, &count, &is_found, &error) == ANTEROOM_OK);
  EXPECT(is_found && count == 5 && memcmp(buffer, "hello", 5) == 0);
  EXPECT(anteroom_log_get_bytes(log, "bytes", buffer, 2, &count, &is_found, &error) == ANTEROOM_BUFFER_TOO_SMALL);
  EXPECT(is_found && count == 3 && memcmp(buffer, "hello", 5) == 0);
  EXPECT(anteroom_log_get_bytes(log, "bytes", NULL, 0, &count, &is_found, &error) == ANTEROOM_BUFFER_TOO_SMALL && count == 3);
  EXPECT(anteroom_log_get_bytes(log, "bytes", buffer, 3, &count, &is_found, &error) == ANTEROOM_OK && buffer[2] == 2);

  struct timespec while_it_expires = {.tv_nsec = 5000000};
  nanosleep(&while_it_expires, NULL);
  EXPECT(anteroom_log_contains(log, "brief", &is_found, &error) == ANTEROOM_OK && !is_found);
  bool was_there = false;
  EXPECT(anteroom_log_remove(log, "int", &was_there, &error) == ANTEROOM_OK && was_there);
  EXPECT(anteroom_log_remove(log, "int", &was_there, &error) == ANTEROOM_OK && !was_there);
  EXPECT(anteroom_log_contains(log, "int", &is_found, &error) == ANTEROOM_OK && !is_found);
  EXPECT(anteroom_log_synchronize(log, &error) == ANTEROOM_OK);

  anteroom_options reading = {.is_read_only = true};
  anteroom_log *reader = NULL;
  EXPECT(anteroom_log_open(in(directory, "s.kvlog"), &reading, &reader, &error) == ANTEROOM_OK);
  EXPECT(anteroom_log_set_bool(reader, "bool", false, 0, &error) == ANTEROOM_READ_ONLY);
  EXPECT(anteroom_log_get_bool(reader, "bool", &truth, &is_found, &error) == ANTEROOM_OK && truth);
  anteroom_log_close(reader);
  anteroom_log_close(log);
  EXPECT(anteroom_log_open(in(directory, "in.mailbox"), NULL, &log, &error) != ANTEROOM_OK);
  EXPECT(anteroom_log_open(NULL, NULL, &log, &error) == ANTEROOM_INVALID_ARGUMENT && log == NULL);
}

/* With the public half of a pair, whose other half nobody needs here. */
static void check_write_only(const char *directory) {
  uint8_t key[32] = {9};
  anteroom_options options = {.key = key, .key_byte_count = sizeof key, .is_write_only = true};
  anteroom_mailbox *mailbox = NULL;
  EXPECT(anteroom_mailbox_open(in(directory, "write-only.mailbox"), &options, &mailbox, &error) == ANTEROOM_OK);
  EXPECT(anteroom_mailbox_append(mailbox, "a", "b", 1, 0, NULL, &error) == ANTEROOM_OK);
  uint64_t count = 0;
  EXPECT(anteroom_mailbox_pending_count(mailbox, &count, &error) == ANTEROOM_OK && count == 1);
  anteroom_mailbox_close(mailbox);
  options.is_write_only = false;
  EXPECT(anteroom_mailbox_open(in(directory, "write-only.mailbox"), &options, &mailbox, &error) == ANTEROOM_WRONG_KEY);
  options.is_write_only = true;
  options.key_byte_count = 64;
  EXPECT(anteroom_mailbox_open(in(directory, "write-only.mailbox"), &options, &mailbox, &error) == ANTEROOM_INVALID_KEY_LENGTH);
}

static anteroom_mailbox *shared;

static void *append_many(void *name) {
  for (int i = 0; i < 500; i++) {
    char id[64];
    snprintf(id, sizeof id, "%s-%d", (const char *)name, i);
    if (anteroom_mailbox_append(shared, id, id, strlen(id), 0, NULL, NULL) != ANTEROOM_OK) return name;
  }
  return NULL;
}

static void check_threads(const char *directory) {
  anteroom_options options = {.durability = ANTEROOM_DURABILITY_PROCESS_CRASH};
  EXPECT(anteroom_mailbox_open(in(directory, "threads.mailbox"), &options, &shared, &error) == ANTEROOM_OK);
  pthread_t threads[4];
  const char *names[4] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, append_many, (void *)names[i]);
  for (int i = 0; i < 4; i++) {
    void *failed = NULL;
    pthread_join(threads[i], &failed);
    EXPECT(failed == NULL);
  }
  uint64_t count = 0;
  EXPECT(anteroom_mailbox_pending_count(shared, &count, &error) == ANTEROOM_OK && count == 2000);
  anteroom_mailbox_close(shared);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  for (int code = 0; code <= 25; code++) EXPECT(strncmp(anteroom_code_name(code), "ANTEROOM_", 9) == 0);
  EXPECT(strcmp(anteroom_code_name(-1), "an unknown code") == 0);
  check_mailbox(arguments[1]);
  check_log(arguments[1]);
  check_write_only(arguments[1]);
  check_threads(arguments[1]);
  if (failure_count > 0) return 1;
  printf("ok\n");
  return 0;
}
