# The key-value log's measurements, for `run`. Sourced, not run.
# shellcheck shell=bash disable=SC2154,SC2034  # `run` sets what is used here, and uses what is set
log_sizes=(1000 100000)

log_build() {
  local words helper_flags=()
  compile log-floor 'libsodium zlib' -I"$here/Sources/log-peers" "$here/Sources/log-peers/floor.c"
  if pkg-config --exists sqlite3; then
    compile log-sqlite sqlite3 -I"$here/Sources/log-peers" "$here/Sources/log-peers/sqlite.c"
    peers+=(sqlite)
  fi
  if pkg-config --exists lmdb; then
    compile log-lmdb lmdb -I"$here/Sources/log-peers" "$here/Sources/log-peers/lmdb.c"
    peers+=(lmdb)
  fi
  anteroom_helper_flags "$here/.."
  words=(swift build "${helper_flags[@]}" --package-path "$here" --product log-bench)
  "${words[@]}" >"$programs/log-bench.log" 2>&1 || {
    cat "$programs/log-bench.log" >&2
    fail 'log-bench does not build'
  }
  cp "$("${words[@]}" --show-bin-path)/log-bench" "$programs/log-log"
}

# SUBJECT MODE SIZE SEALING SYNC: the subject's program, which prints a measurement.
log_invoke() {
  local options=()
  [[ $4 == plain ]] || options+=(--sealed)
  [[ $5 == unsynced ]] || options+=(--synced)
  "$programs/log-$1" "$2" "$data/$3.$4.$1" "$3" "${options[@]}"
}

# The peers keep their records in plain.
log_subjects() {
  local list=(floor log)
  [[ $1 == sealed ]] || list+=("${peers[@]}")
  echo "${list[@]}"
}

log_prepare() {
  local size sealing subject
  log_build
  ((!is_long)) || log_sizes+=(1000000)
  for size in "${log_sizes[@]}"; do
    for sealing in plain sealed; do
      for subject in $(log_subjects "$sealing"); do log_invoke "$subject" fill "$size" "$sealing" unsynced; done
    done
  done
}

log_round() {
  local size sealing subject try
  for size in "${log_sizes[@]}"; do
    for sealing in plain sealed; do
      for subject in $(log_subjects "$sealing"); do
        keep "get,$size,$sealing" "$subject" "$1" "$(log_invoke "$subject" get "$size" "$sealing" unsynced)"
        keep "set,$size,$sealing" "$subject" "$1" "$(log_invoke "$subject" set "$size" "$sealing" unsynced)"
        keep "set-durable,$size,$sealing" "$subject" "$1" "$(log_invoke "$subject" set "$size" "$sealing" synced)"
        # One process is over too soon to be a sample.
        for try in 1 2 3; do
          keep "get-one,$size,$sealing" "$subject" "$1.$try" "$(log_invoke "$subject" get-one "$size" "$sealing" unsynced)"
        done
      done
      keep "cached,$size,$sealing" log "$1" "$(log_invoke log cached "$size" "$sealing" unsynced)"
    done
  done
  for subject in $(log_subjects plain); do keep empty "$subject" "$1" "$(log_invoke "$subject" empty 0 plain unsynced)"; done
}
