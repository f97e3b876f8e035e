// What Apple's systems have in place of the calls in CSystemLinux.h.
#ifndef ANTEROOM_CSYSTEM_DARWIN_H
#define ANTEROOM_CSYSTEM_DARWIN_H

#if defined(__APPLE__)
#include <TargetConditionals.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "CSystemFork.h"

/// Reading never changes an access time here that anybody relies on.
#define ANTEROOM_NOATIME 0

static inline int anteroom_wipe_on_fork(void *address, size_t count) { return anteroom_wipe_in_child(address, count); }
static inline void anteroom_keep_on_fork(void *address) { anteroom_keep_in_child(address); }

/// Waits until the device itself has what was written: `fsync` here only waits for the bytes to reach the device's cache. Where a file
/// system doesn't offer that, the strongest that it has.
static inline int anteroom_synchronize(int descriptor) {
  int code = fcntl(descriptor, F_FULLFSYNC);
  if (code == 0 || (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY)) return code;
  code = fcntl(descriptor, F_BARRIERFSYNC);
  if (code == 0 || (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY)) return code;
  return fsync(descriptor);
}

/// Blocks for the range up to `end`, and a file at least that long. -1 with errno set.
static inline int anteroom_allocate(int descriptor, int64_t end) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  if (status.st_size >= end) return 0;
  fstore_t request = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, end - status.st_size, 0};
  if (fcntl(descriptor, F_PREALLOCATE, &request) != 0 && errno != ENOTSUP && errno != EINVAL) return -1;
  return ftruncate(descriptor, end);
}

/// The protection class of an open file, as the kernel numbers them: 1 complete, 2 unless open, 3 until first user authentication.
static inline int anteroom_set_protection(int descriptor, int protection_class) {
  return fcntl(descriptor, F_SETPROTECTIONCLASS, protection_class);
}
/// -1 with errno set.
static inline int anteroom_protection(int descriptor) { return fcntl(descriptor, F_GETPROTECTIONCLASS); }

/// The property list of one string, "com.apple.backupd", that marks what backups leave out.
static inline int anteroom_exclude_from_backup(int descriptor) {
  static const uint8_t value[61] = {
      'b', 'p', 'l', 'i', 's', 't', '0', '0', 0x5F, 0x10, 0x11, 'c', 'o', 'm', '.', 'a', 'p', 'p', 'l', 'e', '.',
      'b', 'a', 'c', 'k', 'u', 'p', 'd', 0x08, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0,
      0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1C};
  return fsetxattr(descriptor, "com.apple.metadata:com_apple_backup_excludeItem", value, sizeof value, 0, 0);
}

/// The name of the file system that holds `path`, at most 15 bytes and a zero. -1 with errno set.
///
/// Asked on the Mac only: everywhere else an app's containers are on the device's own APFS, and `statfs`, which also knows how much space is
/// left, would be an API whose use has to be justified in the privacy manifest.
static inline int anteroom_file_system_name(const char *path, char name[16]) {
#if TARGET_OS_OSX
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  strlcpy(name, status.f_fstypename, 16);
  return 0;
#else
  if (access(path, F_OK) != 0) return -1;
  strlcpy(name, "apfs", 16);
  return 0;
#endif
}

/// The next name of an open directory, "." and ".." among them; NULL at the end, or with errno set.
static inline const char *anteroom_next_entry(DIR *directory) {
  errno = 0;
  struct dirent *entry = readdir(directory);
  return entry ? entry->d_name : NULL;
}

/// A file without a name, close-on-exec, or -1 with errno set. For a moment it has one.
static inline int anteroom_memory_file(void) {
  char path[1024];
  const char *directory = getenv("TMPDIR");
  int count = snprintf(path, sizeof path, "%s/.tmp-anteroom-%08x%08x", directory ? directory : "/tmp", arc4random(), arc4random());
  if (count < 0 || count >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

/// The identity of the boot, a text of 36 bytes and a zero; -1 where there is none.
static inline int anteroom_boot_session(char text[37]) {
  size_t count = 37;
  return sysctlbyname("kern.bootsessionuuid", text, &count, NULL, 0);
}

/// When a process was started, in microseconds since 1970; -1 with errno set, ESRCH when there is none, 0 when it has ended.
static inline int64_t anteroom_process_start(int32_t process) {
  struct kinfo_proc information;
  size_t count = sizeof information;
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
  if (sysctl(name, 4, &information, &count, NULL, 0) != 0) return -1;
  if (count == 0) {
    errno = ESRCH;
    return -1;
  }
  if (information.kp_proc.p_stat == SZOMB) return 0;
  struct timeval start = information.kp_proc.p_starttime;
  return (int64_t)start.tv_sec * 1000000 + start.tv_usec;
}

#endif

#endif
