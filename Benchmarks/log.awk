# The tables of the key-value log; `samples.awk` has read the measurements.
function above(workload, subject, name,    used, empty) {
  used = median(workload, subject, name)
  empty = median("empty", subject, name)
  return used == "-" || empty == "-" ? "-" : sprintf("%d", used - empty)
}

END {
  peer_count = split("floor lmdb sqlite", peers, " ")
  print "The key-value log's time as a multiple of another's (workload: what, keys, sealing; below 1 the log is faster)\n"
  printf "%-28s", ""
  for (i = 1; i <= peer_count; i++) printf " %12s %12s", peers[i], "cpu"
  print ""
  for (w = 1; w <= workload_count; w++) {
    if (workloads[w] == "empty" || workloads[w] ~ /^cached/) continue
    printf "%-28s", workloads[w]
    for (i = 1; i <= peer_count; i++)
      printf " %12s %12s", ratio(workloads[w], "log", peers[i], "wall"), ratio(workloads[w], "log", peers[i], "cpu")
    print ""
  }
  print "\nFor orientation: an operation's time; memory above an empty process\n"
  printf "%-28s %-8s %10s %10s %10s %10s\n", "", "", "wall ns", "cpu ns", "peak KiB", "anon KiB"
  for (w = 1; w <= workload_count; w++)
    if (workloads[w] != "empty")
      for (s = 1; s <= subject_count[workloads[w]]; s++) {
        subject = subjects[workloads[w], s]
        printf "%-28s %-8s %10s %10s %10s %10s\n", workloads[w], subject, scaled(median(workloads[w], subject, "wall"), 1, 0),
          scaled(median(workloads[w], subject, "cpu"), 1, 0), above(workloads[w], subject, "hwm_kib"), above(workloads[w], subject, "anon_kib")
      }
}
