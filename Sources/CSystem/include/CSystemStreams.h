// Standard streams, terminals, signals and the environment, for tools.
#ifndef ANTEROOM_CSYSTEM_STREAMS_H
#define ANTEROOM_CSYSTEM_STREAMS_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>

/// Calls `handler` on the signal, whatever whoever started the process had set for it, and lets it interrupt calls that wait.
/// A program that is run later starts with the default.
static inline int anteroom_catch_signal(int number, void (*handler)(int)) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

/// As a shell shows it: 128 and the signal's number for a process that a signal ended.
static inline int anteroom_exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
