// Constants of Linux that are macros Swift doesn't import, or missing from older headers.
#ifndef ANTEROOM_CSYSTEM_LINUX_H
#define ANTEROOM_CSYSTEM_LINUX_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#ifdef O_NOATIME
#define ANTEROOM_NOATIME O_NOATIME
#else
#define ANTEROOM_NOATIME 01000000
#endif

static inline int anteroom_wipe_on_fork(void *address, size_t count) { return madvise(address, count, MADV_WIPEONFORK); }

/// The magic number of the file system that holds `path`, or -1 with errno set.
static inline int64_t anteroom_file_system_magic(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  return (int64_t)(uint32_t)status.f_type;
}

#endif
