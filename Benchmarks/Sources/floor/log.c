#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include "log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arguments.h"

// Each word alone on 128 bytes, so two processors don't fight over a line, or over the pair that they fetch.
enum { first_record = 8192, committed_word = 4096, sequence_word = 4224, allocated_word = 4352, growth = 1 << 20 };

static uint64_t *word(struct log *log, size_t offset) { return (uint64_t *)(void *)(log->header + offset); }

void log_make(const char *path) {
  static const uint64_t words[2] = {first_record, first_record};
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, first_record) != 0) give_up(path);
  if (pwrite(file, &words[0], 8, committed_word) != 8 || pwrite(file, &words[1], 8, allocated_word) != 8) give_up(path);
  close(file);
}

// A mailbox is a directory of segments: whoever opens one looks which there are. Returns the name of the file in it.
static const char *list_directory(const char *path, int *directory) {
  char entries[4096], name[4096] = ".";
  const char *slash = strrchr(path, '/');
  if (slash != NULL && (size_t)(slash - path) < sizeof name) memcpy(name, path, (size_t)(slash - path));
  *directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*directory < 0) give_up(path);
  while (syscall(SYS_getdents64, *directory, entries, sizeof entries) > 0) continue;
  return slash == NULL ? path : slash + 1;
}

static void read_boot_identity(char identity[36]) {
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, identity, 36) != 36) give_up("boot_id");
  close(file);
}

static int open_file(const char *path) {
  char identity[36];
  struct stat status;
  int directory;
  const char *name = list_directory(path, &directory);
  read_boot_identity(identity);
  int file = openat(directory, name, O_RDWR | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0) give_up(path);
  if (status.st_size < first_record) give_up("too short");
  close(directory);
  return file;
}

void log_open(struct log *log, const char *path, uint64_t window_size, bool synced, bool sealed) {
  *log = (struct log){.file = open_file(path), .window_size = window_size, .synced = synced, .sealed = sealed};
  void *header = mmap(NULL, first_record, PROT_READ | PROT_WRITE, MAP_SHARED, log->file, 0);
  if (header == MAP_FAILED) give_up("mmap");
  log->header = header;
  if (sealed) log->setup_ns = sealer_start(&log->sealer);
}

void log_lock(struct log *log, bool wait) {
  if (flock(log->file, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) give_up("flock");
}

void log_unlock(struct log *log) {
  if (flock(log->file, LOCK_UN) != 0) give_up("flock");
}

// Space is allocated before it is mapped, and in steps: one call for thousands of records.
static void reserve(struct log *log, uint64_t end) {
  uint64_t *allocated = word(log, allocated_word);
  if (end <= *allocated) return;
  if (fallocate(log->file, 0, (off_t)*allocated, growth) != 0) give_up("fallocate");
  *allocated += growth;
}

static uint8_t *mapped(struct log *log, uint64_t offset) {
  if (log->window == NULL || offset < log->window_start ||
      offset + frame_size_max > log->window_start + log->window_size) {
    if (log->window != NULL) munmap(log->window, log->window_size);
    log->window_start = offset & ~(uint64_t)4095;
    void *window =
        mmap(NULL, log->window_size, PROT_READ | PROT_WRITE, MAP_SHARED, log->file, (off_t)log->window_start);
    if (window == MAP_FAILED) give_up("mmap");
    log->window = window;
  }
  return log->window + (offset - log->window_start);
}

void log_append(struct log *log) {
  struct sealer *sealer = log->sealed ? &log->sealer : NULL;
  uint64_t offset = __atomic_load_n(word(log, committed_word), __ATOMIC_ACQUIRE);
  uint64_t sequence = ++*word(log, sequence_word);
  size_t size;
  reserve(log, offset + frame_size_max);
  if (log->synced) {
    uint8_t frame[frame_size_max];
    size = frame_write(frame, offset, sequence, sealer);
    if (pwrite(log->file, frame, size, (off_t)offset) != (ssize_t)size) give_up("pwrite");
    if (fdatasync(log->file) != 0) give_up("fdatasync");
  } else {
    size = frame_write(mapped(log, offset), offset, sequence, sealer);
  }
  __atomic_store_n(word(log, committed_word), offset + size, __ATOMIC_RELEASE);
}

uint64_t log_drain(struct log *log) {
  struct sealer *sealer = log->sealed ? &log->sealer : NULL;
  uint64_t end = __atomic_load_n(word(log, committed_word), __ATOMIC_ACQUIRE), count = 0;
  const uint8_t *bytes = mmap(NULL, end, PROT_READ, MAP_SHARED, log->file, 0);
  if (bytes == MAP_FAILED) give_up("mmap");
  for (uint64_t offset = first_record; offset < end; count++) {
    size_t size = frame_read(bytes + offset, offset, end - offset, sealer);
    if (size == 0) give_up("a damaged frame");
    offset += size;
  }
  munmap((void *)(uintptr_t)bytes, end);
  return count;
}

void log_append_unmapped(const char *path, bool sealed, uint64_t *setup_ns) {
  uint8_t header[first_record], frame[frame_size_max];
  struct sealer sealer;
  uint64_t offset;
  int file = open_file(path);
  if (pread(file, header, sizeof header, 0) != sizeof header) give_up("pread");
  if (sealed) *setup_ns = sealer_start(&sealer);
  if (flock(file, LOCK_EX | LOCK_NB) != 0) give_up("flock");
  if (pread(file, &offset, sizeof offset, committed_word) != sizeof offset) give_up("pread");
  size_t size = frame_write(frame, offset, 1, sealed ? &sealer : NULL);
  if (pwrite(file, frame, size, (off_t)offset) != (ssize_t)size) give_up("pwrite");
  offset += size;
  if (pwrite(file, &offset, sizeof offset, committed_word) != sizeof offset) give_up("pwrite");
  if (flock(file, LOCK_UN) != 0) give_up("flock");
  close(file);
}

void log_close(struct log *log) {
  if (log->window != NULL) munmap(log->window, log->window_size);
  munmap(log->header, first_record);
  close(log->file);
}
