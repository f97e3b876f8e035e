/*
 * measure PROGRAM ARGUMENT...: runs a program to its end, and prints what it cost: system calls, KiB of pages written, KiB of
 * memory at its peak, page faults.
 */
#include <stdio.h>

#include "CSystem.h"

int main(int count, char **arguments) {
  struct anteroom_cost cost;
  if (count < 2 || anteroom_measure(arguments + 1, &cost) != 0) return 70;
  if (!cost.is_traced) {
    fprintf(stderr, "measure: this system forbids tracing\n");
    return 69;
  }
  printf("%llu %llu %llu %llu\n", (unsigned long long)cost.system_calls, (unsigned long long)cost.written_bytes / 1024,
         (unsigned long long)cost.peak_kib, (unsigned long long)cost.page_faults);
  return cost.exit_status;
}
