# From lines of WORKLOAD SUBJECT ROUND NAME=VALUE... to tables, which another file prints. A ratio is taken within a round, where both sides
# met the same machine, and the median of the ratios is printed; so it needn't be the ratio of the medians.
{
  workload = $1
  subject = $2
  if (!(workload in seen)) workloads[++workload_count] = workload
  if (!((workload, subject) in seen)) subjects[workload, ++subject_count[workload]] = subject
  seen[workload] = seen[workload, subject] = 1
  round = ++rounds[workload, subject]
  for (i = 4; i <= NF; i++) {
    split($i, pair, "=")
    value[workload, subject, pair[1], round] = pair[2] + 0
  }
  operations = value[workload, subject, "operations", round]
  if (operations > 0) {
    value[workload, subject, "wall", round] = value[workload, subject, "wall_ns", round] / operations
    value[workload, subject, "cpu", round] = value[workload, subject, "cpu_ns", round] / operations
    value[workload, subject, "dirtied", round] = value[workload, subject, "dirtied_bytes", round] / operations
  }
}

function median_of(count,    i, j, kept) {
  for (i = 2; i <= count; i++) {
    kept = list[i]
    for (j = i - 1; j >= 1 && list[j] > kept; j--) list[j + 1] = list[j]
    list[j + 1] = kept
  }
  return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}

# "-" where it wasn't measured.
function median(workload, subject, name,    i, count) {
  count = rounds[workload, subject]
  if (!count || !((workload, subject, name, 1) in value)) return "-"
  for (i = 1; i <= count; i++) list[i] = value[workload, subject, name, i]
  return median_of(count)
}

function ratio(workload, subject, other, name,    i, count) {
  count = rounds[workload, subject]
  if (!count || count != rounds[workload, other]) return "-"
  for (i = 1; i <= count; i++) {
    if (!value[workload, other, name, i]) return "-"
    list[i] = value[workload, subject, name, i] / value[workload, other, name, i]
  }
  return sprintf("%.2f", median_of(count))
}

function scaled(number, divisor, digits) { return number == "-" ? "-" : sprintf("%.*f", digits, number / divisor) }
