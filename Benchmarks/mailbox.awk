# The mailbox's two tables; `samples.awk` has read the measurements.
# What a process uses more than one of the same program that does nothing.
function above_empty(workload, subject, name,    program, used, empty) {
  program = subject
  sub(/-.*/, "", program)
  used = median(workload, subject, name)
  empty = median("empty", program, name)
  return used == "-" || empty == "-" ? "-" : sprintf("%d", used - empty)
}

function print_ratios(workload, subject,    i) {
  printf "%-28s %-13s", workload, subject
  for (i = 1; i <= other_count; i++) printf " %14s", ratio(workload, subject, others[i], "wall")
  for (i = 1; i <= 2; i++) printf " %14s", ratio(workload, subject, others[i], "cpu")
  print ""
}

function print_times(workload, subject,    wall) {
  wall = median(workload, subject, "wall")
  printf "%-28s %-15s %10s %10s %10s", workload, subject, scaled(wall, 1000, 3), scaled(median(workload, subject, "cpu"), 1000, 3),
    wall == "-" || wall == 0 ? "-" : sprintf("%.2f", 1000000 / wall)
  printf " %10s %10s", scaled(median(workload, subject, "p999_ns"), 1000, 1), scaled(median(workload, subject, "worst_ns"), 1000, 1)
  printf " %10s %10s %10s %10s\n", above_empty(workload, subject, "hwm_kib"), above_empty(workload, subject, "anon_kib"),
    scaled(median(workload, subject, "setup_ns"), 1000, 1), scaled(median(workload, subject, "dirtied"), 1, 0)
}

END {
  other_count = split("floor floor-locked floor-each floor-unmapped lmdb sqlite", others, " ")
  print "The mailbox's time as a multiple of another's (workload: what, pending records or processes, sealing, durability)\n"
  printf "%-28s %-13s", "", ""
  for (i = 1; i <= other_count; i++) printf " %14s", others[i]
  printf " %14s %14s\n", "cpu, floor", "cpu, locked"
  for (w = 1; w <= workload_count; w++)
    for (s = 1; s <= subject_count[workloads[w]]; s++)
      if (workloads[w] != "empty" && subjects[workloads[w], s] ~ /^mailbox/) print_ratios(workloads[w], subjects[workloads[w], s])

  print "\nFor orientation: a record's time (with several processes, that of all of them together); memory above an empty process\n"
  printf "%-28s %-15s %10s %10s %10s %10s %10s %10s %10s %10s %10s\n", "", "", "wall us", "cpu us", "k/s", "p99.9 us",
    "worst us", "peak KiB", "anon KiB", "setup us", "dirtied B"
  for (w = 1; w <= workload_count; w++)
    if (workloads[w] != "empty")
      for (s = 1; s <= subject_count[workloads[w]]; s++) print_times(workloads[w], subjects[workloads[w], s])
}
