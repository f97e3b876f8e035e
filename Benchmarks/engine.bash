# The engine's measurements, for `run`. Sourced, not run.
# shellcheck shell=bash disable=SC2154  # `run` sets what is used here
engine_subjects=(engine engine-sealed)
counts=(100000)
# A store of about 50 MB to open.
open_counts=(210000)

engine_prepare() {
  local words=(swift build -c release --static-swift-stdlib --package-path "$here/.." --product engine-bench) count subject
  mkdir -p "$programs"
  "${words[@]}" >"$programs/engine-bench.log" 2>&1 || {
    cat "$programs/engine-bench.log" >&2
    fail 'engine-bench does not build'
  }
  engine=$("${words[@]}" --show-bin-path)/engine-bench
  engine_peer lmdb lmdb lmdb
  engine_peer sqlite sqlite3 sqlite
  engine_peer sqlcipher sqlcipher sqlite
  if ((is_long)); then
    counts+=(1000000)
    open_counts+=(4200000)
  fi
  for count in "${open_counts[@]}"; do
    for subject in "${engine_subjects[@]}"; do
      # Here a commit that isn't synced takes SQLCipher minutes.
      [[ $subject == sqlcipher && $count -gt 1000000 ]] || engine_call "$subject" insert-sequential "open.$count" "$count" >/dev/null
    done
  done
}

# SUBJECT PKG-CONFIG-NAME SOURCE
engine_peer() {
  pkg-config --exists "$2" || return 0
  compile "engine-$1" "$2" "$here/Sources/engine-peers/$3.c"
  engine_subjects+=("$1")
}

# SUBJECT NAME
engine_path() { echo "$data/$2.$1"; }

# SUBJECT MODE NAME ENTRIES [OPERATIONS] [OPTION...]
engine_call() {
  local subject=$1 mode=$2 path words=()
  path=$(engine_path "$subject" "$3")
  shift 3
  case $subject in
    engine) words=("$engine") ;;
    engine-sealed) words=("$engine" --sealed) ;;
    sqlcipher) words=("$programs/engine-$subject" --sealed) ;;
    *) words=("$programs/engine-$subject") ;;
  esac
  "${words[@]}" "$mode" "$path" "$@"
}

# SUBJECT NAME: the bytes of its file, and of its log.
engine_bytes() {
  local path
  path=$(engine_path "$1" "$2")
  find "$data" -type f \( -path "$path" -o -path "$path-wal" \) -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'
}

engine_remove() {
  local path
  path=$(engine_path "$1" "$2")
  rm -f "$path" "$path".lock "$path"-{wal,shm,lock}
}

# SUBJECT ROUND WORKLOAD MODE NAME ENTRIES [OPERATIONS] [OPTION...]: measures and keeps; how much the files grew goes along.
engine_measure() {
  local subject=$1 round=$2 workload=$3 name=$5 before line
  before=$(engine_bytes "$subject" "$name")
  line=$(engine_call "$subject" "${@:4}")
  keep "$workload" "$subject" "$round" "$line file_bytes=$(engine_bytes "$subject" "$name") before_bytes=$before"
}

engine_round() {
  local count
  for count in "${counts[@]}"; do engine_round_of "$1" "$count"; done
  for count in "${open_counts[@]}"; do
    for subject in "${engine_subjects[@]}"; do
      [[ -e $(engine_path "$subject" "open.$count") ]] || continue
      engine_call "$subject" crash "open.$count" "$count" 2>/dev/null || true
      engine_measure "$subject" "$1" "open-after-kill,$count" open "open.$count" "$count"
    done
  done
}

# ROUND WORKLOAD MODE NAME ENTRIES [OPERATIONS] [OPTION...]: all subjects, one right after the other.
engine_measure_all() {
  local subject
  for subject in "${engine_subjects[@]}"; do
    # SQLite has no snapshot without a read, and a million random inserts take SQLCipher minutes.
    [[ $3-$subject != snapshot-sql* && $5-$subject != 1000000-sqlcipher ]] || continue
    [[ $4 != pinned ]] || cp "$(engine_path "$subject" random)" "$(engine_path "$subject" pinned)"
    engine_measure "$subject" "$@"
  done
}

# ROUND ENTRIES: all workloads of one size, in an order in which each finds what it needs.
engine_round_of() {
  local count=$2 subject name
  engine_measure_all "$1" "insert-sequential,$count" insert-sequential sequential "$count"
  engine_measure_all "$1" "insert-random,$count" insert-random random "$count"
  engine_measure_all "$1" "get-random,$count" get random "$count"
  engine_measure_all "$1" "get-random-2-threads,$count" get random "$count" --threads 2
  engine_measure_all "$1" "scan,$count" scan random "$count"
  engine_measure_all "$1" "snapshot,$count" snapshot random "$count" 100000
  engine_measure_all "$1" "update-pinned,$count" update pinned "$count" 1000 --pinned
  engine_measure_all "$1" "update,$count" update random "$count" 1000
  engine_measure_all "$1" "durable,$count" durable random "$count" 100
  engine_measure_all "$1" "delete-random,$count" delete random "$count"
  for subject in "${engine_subjects[@]}"; do
    for name in sequential random pinned; do engine_remove "$subject" "$name"; done
  done
}
