#define _GNU_SOURCE
#include "CForkSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t anteroom_fork_and(int (*body)(void *), void *context) {
  pid_t child = fork();
  if (child == 0) _exit(body(context));
  return child;
}

int anteroom_wait(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int anteroom_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
