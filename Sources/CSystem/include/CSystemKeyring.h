// The kernel's key rings. No header of the C library declares these calls. Each returns -1 with errno set when it fails.
#ifndef ANTEROOM_CSYSTEM_KEYRING_H
#define ANTEROOM_CSYSTEM_KEYRING_H

#include <linux/keyctl.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef KEYCTL_MOVE
#define KEYCTL_MOVE 30
#define KEYCTL_MOVE_EXCL 1
#endif

/// A key of the type "user", linked into the ring; one of that description there gets the payload.
static inline long anteroom_add_key(const char *description, const void *payload, size_t count, int32_t ring) {
  return syscall(SYS_add_key, "user", description, payload, count, ring);
}
static inline long anteroom_search_key(int32_t ring, const char *description) {
  return syscall(SYS_keyctl, KEYCTL_SEARCH, ring, "user", description, 0);
}
/// How many bytes the payload has; as many as fit are copied.
static inline long anteroom_read_key(int32_t key, void *buffer, size_t count) {
  return syscall(SYS_keyctl, KEYCTL_READ, key, buffer, count);
}
/// In one step, in place of a key of that description; with `exclusive` EEXIST if there is one.
static inline long anteroom_move_key(int32_t key, int32_t from, int32_t to, bool exclusive) {
  return syscall(SYS_keyctl, KEYCTL_MOVE, key, from, to, exclusive ? KEYCTL_MOVE_EXCL : 0);
}
static inline long anteroom_unlink_key(int32_t key, int32_t ring) { return syscall(SYS_keyctl, KEYCTL_UNLINK, key, ring); }
static inline long anteroom_set_key_permissions(int32_t key, uint32_t permissions) {
  return syscall(SYS_keyctl, KEYCTL_SETPERM, key, permissions);
}

#endif
