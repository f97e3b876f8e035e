# The measurements of objects, for `run`. Sourced, not run.
# shellcheck shell=bash disable=SC2154  # `run` sets what is used here
objects_subjects=(objects objects-sealed)
counts=(100000)

objects_prepare() {
  local words=(swift build -c release --static-swift-stdlib --package-path "$here/.." --product objects-bench)
  mkdir -p "$programs"
  "${words[@]}" >"$programs/objects-bench.log" 2>&1 || {
    cat "$programs/objects-bench.log" >&2
    fail 'objects-bench does not build'
  }
  objects=$("${words[@]}" --show-bin-path)/objects-bench
  objects_peer lmdb lmdb lmdb
  objects_peer sqlite sqlite3 sqlite
  objects_peer sqlcipher sqlcipher sqlite
  ((!is_long)) || counts+=(1000000)
}

# SUBJECT PKG-CONFIG-NAME SOURCE
objects_peer() {
  pkg-config --exists "$2" || return 0
  compile "objects-$1" "$2" "$here/Sources/object-peers/$3.c"
  objects_subjects+=("$1")
}

# SUBJECT NAME
objects_path() { echo "$data/$2.$1"; }

# SUBJECT MODE NAME MESSAGES [OPERATIONS] [OPTION...]
objects_call() {
  local subject=$1 mode=$2 path words=()
  path=$(objects_path "$subject" "$3")
  shift 3
  case $subject in
    objects) words=("$objects") ;;
    objects-sealed) words=("$objects" --sealed) ;;
    sqlcipher) words=("$programs/objects-$subject" --sealed) ;;
    *) words=("$programs/objects-$subject") ;;
  esac
  "${words[@]}" "$mode" "$path" "$@"
}

# SUBJECT NAME: the bytes of its file, and of its log.
objects_bytes() {
  local path
  path=$(objects_path "$1" "$2")
  find "$data" -type f \( -path "$path" -o -path "$path-wal" \) -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'
}

# ROUND WORKLOAD MODE MESSAGES [OPERATIONS] [OPTION...]: all subjects, one right after the other; how large the files are goes along.
objects_measure_all() {
  local round=$1 workload=$2 mode=$3 subject line
  shift 3
  for subject in "${objects_subjects[@]}"; do
    # The peers have no calls that could wait for an actor.
    [[ $mode != look-up-async || $subject == objects* ]] || continue
    # Here a million random inserts take SQLCipher minutes.
    [[ $count-$subject != 1000000-sqlcipher ]] || continue
    line=$(objects_call "$subject" "$mode" messages "$@")
    keep "$workload,$count" "$subject" "$round" "$line file_bytes=$(objects_bytes "$subject" messages)"
  done
}

objects_round() {
  local count
  for count in "${counts[@]}"; do objects_round_of "$1" "$count"; done
}

# ROUND MESSAGES: all workloads of one size, in an order in which each finds what it needs.
objects_round_of() {
  local round=$1 count=$2 next=$2 batch scans=$((1000000 / $2)) subject path
  objects_measure_all "$round" insert insert "$count"
  objects_measure_all "$round" look-up look-up "$count"
  objects_measure_all "$round" look-up-async look-up-async "$count"
  objects_measure_all "$round" last-50 last-50 "$count" 2000
  objects_measure_all "$round" newest-50 newest-50 "$count" 2000
  objects_measure_all "$round" count-conversation count-conversation "$count" 20000
  objects_measure_all "$round" count-unread count-unread "$count" "$scans"
  objects_measure_all "$round" search search "$count" "$scans"
  objects_measure_all "$round" sort sort "$count" "$scans"
  objects_measure_all "$round" scan scan "$count"
  objects_measure_all "$round" update update "$count" 10000
  for batch in 1 10 100; do
    # New messages: numbers from `next` on.
    objects_measure_all "$round" "durable-$batch" durable "$next" 20 --batch "$batch"
    next=$((next + 20 * batch))
  done
  objects_measure_all "$round" delete-half delete-half "$count"
  objects_measure_all "$round" compact compact "$count"
  for subject in "${objects_subjects[@]}"; do
    path=$(objects_path "$subject" messages)
    rm -f "$path" "$path".lock "$path"-{wal,shm,lock}
  done
}
