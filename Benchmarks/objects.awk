# The tables of objects; `samples.awk` has read the measurements.
function print_row(workload, name, label,    i) {
  printf "%-26s %-5s", workload, label
  for (i = 1; i <= peer_count; i++) printf " %9s", ratio(workload, "objects", peers[i], name)
  printf " %9s", ratio(workload, "objects-sealed", "objects", name)
  for (i = 1; i <= peer_count; i++) printf " %9s", ratio(workload, "objects-sealed", peers[i], name)
  print ""
}

function print_heading(    i) {
  printf "%-26s %-5s", "", ""
  for (i = 1; i <= peer_count; i++) printf " %9s", peers[i]
  printf " %9s", "plain"
  for (i = 1; i <= peer_count; i++) printf " %9s", peers[i]
  print ""
}

# What the snapshot's look-up costs less than the store's, which has the newest version each time.
function print_calls(    i, count, subject) {
  for (i = 1; i <= workload_count; i++) {
    if (workloads[i] !~ /^look-up-async,/) continue
    count = workloads[i]
    sub(/.*,/, "", count)
    for (s = 1; s <= subject_count[workloads[i]]; s++) {
      subject = subjects[workloads[i], s]
      printf "%-26s %-14s %s\n", count, subject, median(workloads[i], subject, "cpu") / median("look-up," count, subject, "cpu")
    }
  }
}

END {
  peer_count = split("lmdb sqlite sqlcipher", peers, " ")
  print "The object store's time as a multiple of another's: of the plain store on the left, of the sealed one on the right"
  print "(workload: what, messages; below 1 the store is faster)\n"
  print_heading()
  for (w = 1; w <= workload_count; w++) {
    print_row(workloads[w], "wall", "wall")
    print_row(workloads[w], "cpu", "cpu")
    if (workloads[w] ~ /^(insert|compact),/) print_row(workloads[w], "file_bytes", "bytes")
  }
  print "\nA look-up by a call of the store as a multiple of one in a snapshot that is held\n"
  print_calls()
  print "\nFor orientation: an operation's time and the bytes that it dirtied; what the files have; memory\n"
  printf "%-26s %-14s %10s %10s %10s %10s %10s %10s\n", "", "", "wall us", "cpu us", "dirtied B", "file MB", "peak KiB", "anon KiB"
  for (w = 1; w <= workload_count; w++)
    for (s = 1; s <= subject_count[workloads[w]]; s++) {
      subject = subjects[workloads[w], s]
      printf "%-26s %-14s %10s %10s %10s %10s", workloads[w], subject, scaled(median(workloads[w], subject, "wall"), 1000, 3),
        scaled(median(workloads[w], subject, "cpu"), 1000, 3), scaled(median(workloads[w], subject, "dirtied"), 1, 0),
        scaled(median(workloads[w], subject, "file_bytes"), 1000000, 1)
      printf " %10s %10s\n", scaled(median(workloads[w], subject, "hwm_kib"), 1, 0), scaled(median(workloads[w], subject, "anon_kib"), 1, 0)
    }
}
