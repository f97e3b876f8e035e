// What Swift can't call by itself: variadic functions, macros, flexible structs, and atomic accesses to shared memory.
#ifndef ANTEROOM_CSYSTEM_H
#define ANTEROOM_CSYSTEM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "CSystemAtomics.h"

#if defined(__linux__)
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include "CSystemLinux.h"
#endif

static inline int anteroom_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int anteroom_errno(void) { return errno; }

/// The next name of a directory that is neither "." nor "..", or NULL at its end or on an error (errno tells which).
static inline const char *anteroom_next_name(DIR *directory) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (entry == NULL) return NULL;
    const char *name = entry->d_name;
    if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
    return name;
  }
}

static inline bool anteroom_is_regular(const struct stat *status) { return S_ISREG(status->st_mode); }
static inline bool anteroom_is_directory(const struct stat *status) { return S_ISDIR(status->st_mode); }
static inline void *anteroom_map_failed(void) { return MAP_FAILED; }

#endif
