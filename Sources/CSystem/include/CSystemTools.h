// What tools ask of the system about processes and limits.
#ifndef ANTEROOM_CSYSTEM_TOOLS_H
#define ANTEROOM_CSYSTEM_TOOLS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/ptrace.h>
#endif

static inline int anteroom_core_limit(void) { return RLIMIT_CORE; }
static inline int anteroom_descriptor_limit(void) { return RLIMIT_NOFILE; }
static inline int anteroom_locked_memory_limit(void) { return RLIMIT_MEMLOCK; }

/// The soft limit; UINT64_MAX when there is none.
static inline uint64_t anteroom_limit(int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

/// What one run of a program took.
struct anteroom_cost {
  uint64_t peak_kib, page_faults, system_calls, written_bytes;
  /// As a shell shows it.
  int exit_status;
  /// Whether its system calls were counted, and the other figures are of its own memory alone.
  bool is_traced;
};

#if defined(__linux__)

static inline uint64_t anteroom_proc_number(pid_t process, const char *file, const char *name) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, file);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ssize_t count = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  text[count < 0 ? 0 : count] = 0;
  const char *line = strstr(text, name);
  return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10);
}

/// Minor and major faults, the 8th and the 10th number behind the name in parentheses.
static inline uint64_t anteroom_proc_faults(pid_t process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ssize_t count = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  text[count < 0 ? 0 : count] = 0;
  const char *rest = strrchr(text, ')');
  unsigned long long minor = 0, major = 0;
  if (rest != NULL) sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu", &minor, &major);
  return minor + major;
}

static inline void anteroom_become(char *const arguments[], bool is_traced) {
  int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, 0);
    dup2(null, 1);
  }
  if (is_traced) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(125);
    raise(SIGSTOP);
  }
  execv(arguments[0], arguments);
  _exit(127);
}

/// Waits for a change, whatever signals come. - Returns: false when there is none to wait for.
static inline bool anteroom_await(pid_t process, int *status, struct rusage *usage) {
  while (wait4(process, status, 0, usage) < 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

/// Lets a traced child run to its end, stopping it at each entry to and exit from the kernel.
static inline bool anteroom_follow(pid_t child, struct anteroom_cost *cost) {
  int status;
  if (!anteroom_await(child, &status, NULL)) return false;
  if (!WIFSTOPPED(status)) return false;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;
  bool is_followed = ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)options) == 0;
  uint64_t stops = 0;
  long deliver = 0;
  while (is_followed && ptrace(PTRACE_SYSCALL, child, NULL, (void *)deliver) == 0 && anteroom_await(child, &status, NULL)) {
    deliver = 0;
    if (!WIFSTOPPED(status)) {
      cost->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      // A call that is entered and never left, exit, counts too.
      cost->system_calls = (stops + 1) / 2;
      cost->is_traced = true;
      return true;
    }
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
      stops += 1;
    } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
      stops = 0;
    } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
      // Its memory is still there.
      cost->peak_kib = anteroom_proc_number(child, "status", "VmHWM:");
      cost->page_faults = anteroom_proc_faults(child);
      cost->written_bytes = anteroom_proc_number(child, "io", "\nwrite_bytes:");
    } else {
      deliver = WSTOPSIG(status);
    }
  }
  kill(child, SIGKILL);
  anteroom_await(child, &status, NULL);
  return false;
}

/// Runs a program to its end with empty input and no output. - Returns: 0, or -1 with errno set.
static inline int anteroom_measure(char *const arguments[], struct anteroom_cost *cost) {
  memset(cost, 0, sizeof *cost);
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) anteroom_become(arguments, true);
  if (anteroom_follow(child, cost)) return 0;
  // Where tracing isn't allowed.
  memset(cost, 0, sizeof *cost);
  child = fork();
  if (child < 0) return -1;
  if (child == 0) anteroom_become(arguments, false);
  int status;
  struct rusage usage;
  if (!anteroom_await(child, &status, &usage)) return -1;
  cost->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  cost->peak_kib = (uint64_t)usage.ru_maxrss;
  cost->page_faults = (uint64_t)(usage.ru_minflt + usage.ru_majflt);
  return 0;
}

#endif

#endif
