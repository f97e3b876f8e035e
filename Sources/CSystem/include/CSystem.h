// What Swift can't call by itself: variadic functions, macros, flexible structs, and atomic accesses to shared memory.
#ifndef ANTEROOM_CSYSTEM_H
#define ANTEROOM_CSYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "CSystemAtomics.h"
#include "CSystemChecksum.h"
#include "CSystemFork.h"
#include "CSystemStreams.h"
#include "CSystemTools.h"

#if defined(__linux__)
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include "CSystemKeyring.h"
#include "CSystemLinux.h"
#endif
#include "CSystemDarwin.h"

static inline int anteroom_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int anteroom_file_size_limit(void) { return RLIMIT_FSIZE; }
static inline int anteroom_errno(void) { return errno; }

/// Opens for reading without changing the access time where that is allowed: to the file's owner and to root.
static inline int anteroom_open_quietly(const char *path, int flags) {
  int descriptor = open(path, flags | ANTEROOM_NOATIME);
  return descriptor < 0 && errno == EPERM ? open(path, flags) : descriptor;
}

/// Overwrites with zeros, also what is never read again.
static inline void anteroom_wipe(void *address, size_t count) {
  memset(address, 0, count);
  __asm__ volatile("" : : "r"(address) : "memory");
}

/// Where a needle of at least one byte begins first; NULL if nowhere.
const void *anteroom_find(const void *bytes, size_t count, const void *needle, size_t needle_count);

/// Asks for bytes that will be read soon, and waits for none of them; nothing needs to be there.
static inline void anteroom_prefetch(const void *bytes, size_t count) {
  for (size_t offset = 0; offset < count; offset += 64) __builtin_prefetch((const char *)bytes + offset);
}

static inline bool anteroom_is_regular(const struct stat *status) { return S_ISREG(status->st_mode); }
static inline bool anteroom_is_directory(const struct stat *status) { return S_ISDIR(status->st_mode); }
/// 0 where there is none.
static inline int anteroom_map_populate(void) {
#ifdef MAP_POPULATE
  return MAP_POPULATE;
#else
  return 0;
#endif
}
static inline void *anteroom_map_failed(void) { return MAP_FAILED; }

#endif
