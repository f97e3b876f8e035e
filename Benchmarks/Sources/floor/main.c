// The floor: what the mailbox's job costs when only the necessary is done. It recovers nothing, checks nothing and
// protects nobody; the distance from it is what safety and convenience cost.
#include <sys/stat.h>
#include <unistd.h>

#include "arguments.h"
#include "log.h"

static void append_once(const struct arguments *arguments) {
  struct log log;
  measure_begin();
  log_open(&log, arguments->path, 64 << 10, arguments->synced, arguments->sealed);
  log_lock(&log, false);
  log_append(&log);
  log_unlock(&log);
  log_close(&log);
  measure_end();
  measure_report(1, log.setup_ns);
}

static void append_once_unmapped(const struct arguments *arguments) {
  uint64_t setup_ns = 0;
  measure_begin();
  log_append_unmapped(arguments->path, arguments->sealed, &setup_ns);
  measure_end();
  measure_report(1, setup_ns);
}

static void append_many(const struct arguments *arguments) {
  struct log log;
  log_open(&log, arguments->path, 1 << 20, arguments->synced, arguments->sealed);
  begin_appends(arguments);
  for (uint64_t index = 0; index < arguments->count; index++) {
    if (arguments->lock_per_append) log_lock(&log, true);
    log_append(&log);
    if (arguments->lock_per_append) log_unlock(&log);
    measure_lap();
  }
  measure_end();
  log_close(&log);
  measure_report(arguments->count, 0);
}

static void drain(const struct arguments *arguments) {
  struct log log;
  log_open(&log, arguments->path, 0, false, arguments->sealed);
  measure_begin();
  uint64_t count = log_drain(&log);
  measure_end();
  log_close(&log);
  measure_report(count, 0);
}

static void make(const struct arguments *arguments) {
  struct log log;
  log_make(arguments->path);
  log_open(&log, arguments->path, 1 << 20, false, arguments->sealed);
  for (uint64_t index = 0; index < arguments->count; index++) log_append(&log);
  if (fsync(log.file) != 0) give_up("fsync");
  log_close(&log);
}

static int ascending(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

// The laps of several processes, from standard input, as one distribution.
static void distribution(void) {
  size_t size = 0, capacity = 1 << 20;
  uint32_t *laps = malloc(capacity);
  for (ssize_t count; laps != NULL && (count = read(STDIN_FILENO, (char *)laps + size, capacity - size)) > 0;) {
    size += (size_t)count;
    if (size == capacity) laps = realloc(laps, capacity *= 2);
  }
  size_t count = size / sizeof *laps;
  if (laps == NULL || count == 0) give_up("no laps");
  qsort(laps, count, sizeof *laps, ascending);
  printf("p50_ns=%u p999_ns=%u worst_ns=%u\n", laps[count / 2], laps[count - 1 - count / 1000], laps[count - 1]);
  free(laps);
}

int main(int count, char **words) {
  struct arguments arguments = parse_arguments(count, words);
  if (strcmp(arguments.mode, "append-once") == 0) {
    append_once(&arguments);
  } else if (strcmp(arguments.mode, "append-once-unmapped") == 0) {
    append_once_unmapped(&arguments);
  } else if (strcmp(arguments.mode, "append-many") == 0) {
    append_many(&arguments);
  } else if (strcmp(arguments.mode, "drain") == 0) {
    drain(&arguments);
  } else if (strcmp(arguments.mode, "make") == 0) {
    make(&arguments);
  } else if (strcmp(arguments.mode, "distribution") == 0) {
    distribution();
  } else if (strcmp(arguments.mode, "empty") == 0) {
    measure_report(0, 0);
  } else {
    fprintf(stderr, "floor append-once|append-once-unmapped|append-many|drain|make|empty|distribution [FILE [COUNT]] [options]\n");
    return 2;
  }
  return 0;
}
