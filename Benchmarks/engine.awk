# The engine's tables; `samples.awk` has read the measurements.
function print_row(workload, name, label,    i, subject) {
  printf "%-30s %-5s", workload, label
  for (i = 1; i <= peer_count; i++) printf " %9s", ratio(workload, "engine", peers[i], name)
  printf " %9s", ratio(workload, "engine-sealed", "engine", name)
  for (i = 1; i <= peer_count; i++) printf " %9s", ratio(workload, "engine-sealed", peers[i], name)
  print ""
}

function print_heading(    i) {
  printf "%-30s %-5s", "", ""
  for (i = 1; i <= peer_count; i++) printf " %9s", peers[i]
  printf " %9s", "plain"
  for (i = 1; i <= peer_count; i++) printf " %9s", peers[i]
  print ""
}

# Two threads do twice the work; how much of twice they do in the same time.
function scaling(subject, count,    one, two, i, rounds_count) {
  one = "get-random," count
  two = "get-random-2-threads," count
  rounds_count = rounds[one, subject]
  if (!rounds_count || rounds_count != rounds[two, subject]) return "-"
  for (i = 1; i <= rounds_count; i++) list[i] = value[one, subject, "wall", i] / value[two, subject, "wall", i]
  return sprintf("%.2f", median_of(rounds_count))
}

function print_times(workload, subject) {
  printf "%-30s %-14s %10s %10s %10s", workload, subject, scaled(median(workload, subject, "wall"), 1000, 3),
    scaled(median(workload, subject, "cpu"), 1000, 3), scaled(median(workload, subject, "dirtied"), 1, 0)
  printf " %10s %10s %10s %10s\n", scaled(median(workload, subject, "file_bytes"), 1000000, 1),
    scaled(median(workload, subject, "grown"), 1000, 0), scaled(median(workload, subject, "hwm_kib"), 1, 0),
    scaled(median(workload, subject, "anon_kib"), 1, 0)
}

END {
  peer_count = split("lmdb sqlite sqlcipher", peers, " ")
  for (w = 1; w <= workload_count; w++)
    for (s = 1; s <= subject_count[workloads[w]]; s++) {
      workload = workloads[w]
      subject = subjects[workload, s]
      for (r = 1; r <= rounds[workload, subject]; r++)
        value[workload, subject, "grown", r] = value[workload, subject, "file_bytes", r] - value[workload, subject, "before_bytes", r]
    }
  print "The engine's time as a multiple of another's: of the plain engine on the left, of the sealed one on the right"
  print "(workload: what, entries; below 1 the engine is faster)\n"
  print_heading()
  for (w = 1; w <= workload_count; w++) {
    print_row(workloads[w], "wall", "wall")
    print_row(workloads[w], "cpu", "cpu")
    if (workloads[w] ~ /^insert/) print_row(workloads[w], "file_bytes", "bytes")
  }
  print "\nWhat two reading threads do as a multiple of one\n"
  for (w = 1; w <= workload_count; w++)
    if (workloads[w] ~ /^get-random,/) {
      count = workloads[w]
      sub(/.*,/, "", count)
      for (s = 1; s <= subject_count[workloads[w]]; s++)
        printf "%-30s %-14s %s\n", count, subjects[workloads[w], s], scaling(subjects[workloads[w], s], count)
    }
  print "\nFor orientation: an operation's time and the bytes that it dirtied; what the files have and grew by; memory\n"
  printf "%-30s %-14s %10s %10s %10s %10s %10s %10s %10s\n", "", "", "wall us", "cpu us", "dirtied B", "file MB", "grown KB",
    "peak KiB", "anon KiB"
  for (w = 1; w <= workload_count; w++)
    for (s = 1; s <= subject_count[workloads[w]]; s++) print_times(workloads[w], subjects[workloads[w], s])
}
