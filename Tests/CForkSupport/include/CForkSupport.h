// Swift can't call fork itself, nor what only _GNU_SOURCE declares.
#ifndef ANTEROOM_CFORK_SUPPORT_H
#define ANTEROOM_CFORK_SUPPORT_H

#include <sys/types.h>

/// Forks; the child runs `body` and leaves with what it returns, without running exit handlers. Returns the child's id, or -1.
pid_t anteroom_fork_and(int (*body)(void *), void *context);

/// Waits for the child. Its exit code, or 128 and the signal that ended it, or -1.
int anteroom_wait(pid_t child);

/// Both ends close-on-exec from the start: a child spawned by another thread must not inherit one. 0, or -1 with errno.
int anteroom_pipe(int ends[2]);

#endif
