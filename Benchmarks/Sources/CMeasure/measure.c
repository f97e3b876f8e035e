#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include "measure.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint64_t begin_wall, end_wall, begin_cpu, end_cpu;
static uint32_t *laps;
static uint64_t lap_count, lap_limit, last_lap;

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t measure_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

// A path that doesn't exist, so the call changes nothing and the answer is of no use.
static void mark(const char *path) {
  if (access(path, F_OK) == 0) abort();
}

// Reading the CPU clock is a system call: it stays outside the markers, and the markers outside the wall time.
void measure_begin(void) {
  begin_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  mark("/anteroom-begin");
  last_lap = begin_wall = measure_now();
}

void measure_end(void) {
  end_wall = measure_now();
  mark("/anteroom-end");
  end_cpu = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

void measure_keep_laps(uint64_t count) {
  void *memory = mmap(NULL, count * sizeof *laps, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) abort();
  laps = memory;
  lap_limit = count;
}

void measure_lap(void) {
  if (laps == NULL || lap_count == lap_limit) return;
  uint64_t now = measure_now(), lap = now - last_lap;
  laps[lap_count++] = lap < UINT32_MAX ? (uint32_t)lap : UINT32_MAX;
  last_lap = now;
}

void measure_wait_for_uptime(double seconds) {
  time_t whole = (time_t)seconds;
  struct timespec time = {.tv_sec = whole, .tv_nsec = (long)((seconds - (double)whole) * 1e9)};
  while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, NULL) != 0) continue;
}

// Into a buffer on the stack: the heap must not grow by the measuring.
static void read_text(const char *path, char *buffer, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, buffer, size - 1);
  buffer[length < 0 ? 0 : length] = 0;
  if (file >= 0) close(file);
}

static uint64_t field(const char *text, const char *name) {
  const char *line = strstr(text, name);
  return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10);
}

static bool write_all(int file, const void *bytes, size_t count) {
  for (const char *next = bytes; count > 0;) {
    ssize_t written = write(file, next, count);
    if (written <= 0) return false;
    next += written;
    count -= (size_t)written;
  }
  return true;
}

void measure_report(uint64_t operations, uint64_t setup_ns) {
  char text[4096], line[512];
  if (laps != NULL && !write_all(3, laps, lap_count * sizeof *laps)) abort();
  read_text("/proc/self/io", text, sizeof text);
  uint64_t dirtied = field(text, "\nwrite_bytes: ");
  read_text("/proc/self/status", text, sizeof text);
  int length = snprintf(
      line, sizeof line,
      "wall_ns=%" PRIu64 " cpu_ns=%" PRIu64 " operations=%" PRIu64 " setup_ns=%" PRIu64 " begin_ns=%" PRIu64 " end_ns=%" PRIu64
      " dirtied_bytes=%" PRIu64 " hwm_kib=%" PRIu64 " anon_kib=%" PRIu64 " file_kib=%" PRIu64 "\n",
      end_wall - begin_wall, end_cpu - begin_cpu, operations, setup_ns, begin_wall, end_wall, dirtied, field(text, "VmHWM:"),
      field(text, "RssAnon:"), field(text, "RssFile:"));
  if (!write_all(STDOUT_FILENO, line, (size_t)length)) abort();
}
