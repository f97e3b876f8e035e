// Constants of Linux that are macros Swift doesn't import, or missing from older headers.
#ifndef ANTEROOM_CSYSTEM_LINUX_H
#define ANTEROOM_CSYSTEM_LINUX_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#ifdef O_NOATIME
#define ANTEROOM_NOATIME O_NOATIME
#else
#define ANTEROOM_NOATIME 01000000
#endif

static inline int anteroom_wipe_on_fork(void *address, size_t count) { return madvise(address, count, MADV_WIPEONFORK); }
/// The mark goes with the mapping.
static inline void anteroom_keep_on_fork(void *address) { (void)address; }

/// Opens a directory for listing, without changing its access time where that is allowed. -1 with errno set.
static inline int anteroom_open_directory(const char *path) {
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  int descriptor = open(path, flags | ANTEROOM_NOATIME);
  return descriptor < 0 && errno == EPERM ? open(path, flags) : descriptor;
}

/// Fills `buffer` with entries: bytes, 0 at the end, -1 with errno set. `opendir` would add two calls to each opening.
static inline long anteroom_read_entries(int descriptor, void *buffer, size_t count) {
  return syscall(SYS_getdents64, descriptor, buffer, count);
}

/// The name of the entry at `*offset`, which moves on to the next; "." and ".." are names too.
static inline const char *anteroom_next_name(const void *buffer, size_t *offset) {
  const struct anteroom_entry {
    uint64_t inode;
    int64_t next;
    uint16_t byte_count;
    uint8_t type;
    char name[];
  } *entry = (const void *)((const char *)buffer + *offset);
  *offset += entry->byte_count;
  return entry->name;
}

/// A file without a name, close-on-exec, or -1 with errno set. Headers hide `memfd_create` without extensions.
static inline int anteroom_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U); }

/// 16 bytes that the kernel drew when it started this program, or NULL.
static inline const void *anteroom_image_bytes(void) { return (const void *)getauxval(AT_RANDOM); }

/// The inode that a path leads to, symbolic links followed; 0 when there is none.
static inline uint64_t anteroom_inode(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/// The magic number of the file system that holds `path`, or -1 with errno set.
static inline int64_t anteroom_file_system_magic(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  return (int64_t)(uint32_t)status.f_type;
}

#endif
