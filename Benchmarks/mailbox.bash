# The mailbox's measurements, for `run`. Sourced, not run.
# shellcheck shell=bash disable=SC2154  # `run` sets what is used here
processes=4
sizes=(10 100000)

# The subjects that have a part in a workload; the peers keep their records in plain.
subjects() {
  local list=("$@")
  [[ $sealing == sealed ]] || list+=("${peers[@]}")
  echo "${list[@]}"
}

# Fresh processes that append one record. The app has SQLite's file open meanwhile, as it would have.
hold_sqlite() {
  local path
  [[ " ${peers[*]} " == *' sqlite '* ]] || return 0
  path=$(path_of sqlite "$1")
  # Open until this script ends, and the holder with it.
  # shellcheck disable=SC2034
  exec {holder}> >("$programs/sqlite" hold "$path" >"$path.ready")
  until [[ -s $path.ready ]]; do sleep 0.01; done
}

prepare_once() {
  local size sealing subject
  for size in "${sizes[@]}"; do
    for sealing in plain sealed; do
      for subject in $(subjects floor mailbox); do prepare "$subject" "$size.$sealing" "$sealing" "$size"; done
    done
    hold_sqlite "$size.plain"
  done
}

measure_once() {
  local size sealing sync subject try list
  for size in "${sizes[@]}"; do
    for sealing in plain sealed; do
      for sync in unsynced synced; do
        list=(floor mailbox)
        [[ $sync == synced ]] || list+=(floor-unmapped)
        # Three processes a round: one process is over too soon to be a sample.
        for try in 1 2 3; do
          for subject in $(subjects "${list[@]}"); do
            keep "once,$size,$sealing,$sync" "$subject" "$1.$try" \
              "$(invoke "$subject" append-once "$size.$sealing" "$sealing" "$sync")"
          done
        done
      done
    done
  done
  for subject in floor mailbox "${peers[@]}"; do
    keep empty "$subject" "$1" "$(invoke "$subject" empty none plain synced)"
  done
}

# How many records of a subject take about as long as those of another.
count_for() {
  case $1-$2 in
    sqlite-unsynced | lmdb-unsynced) echo 5000 ;;
    *-unsynced) echo 100000 ;;
    *) echo 200 ;;
  esac
}

measure_many() {
  local sealing sync subject list
  for sealing in plain sealed; do
    for sync in unsynced synced; do
      list=(floor floor-locked mailbox)
      [[ $sync == synced ]] || list+=(mailbox-batch)
      for subject in $(subjects "${list[@]}"); do
        prepare "$subject" many "$sealing" 4
        keep "many,1,$sealing,$sync" "$subject" "$1" \
          "$(invoke "$subject" append-many many "$sealing" "$sync" "$(count_for "$subject" "$sync")")"
      done
    done
  done
}

# SUBJECT SEALING SYNC: all start at one instant; the time is from the first one's start to the last one's end.
together() {
  local subject=$1 sealing=$2 sync=$3 count uptime start name index
  count=$(($(count_for "$subject" "$sync") / 2))
  for ((index = 0; index < processes; index++)); do
    if ((index == 0)) || [[ $subject == floor-each ]]; then prepare "$subject" "together$index" "$sealing" 4; fi
  done
  read -r uptime _ </proc/uptime
  start=$(awk -v uptime="$uptime" 'BEGIN { print uptime + 0.5 }')
  for ((index = 0; index < processes; index++)); do
    name=together0
    [[ $subject != floor-each ]] || name=together$index
    invoke "$subject" append-many "$name" "$sealing" "$sync" "$count" --laps --start-at "$start" \
      3>"$data/laps.$index" >"$data/report.$index" &
    pids[index]=$!
  done
  for ((index = 0; index < processes; index++)); do wait "${pids[index]}"; done
  awk '{ for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] }
      operations += value["operations"]; cpu += value["cpu_ns"]
      if (NR == 1 || value["begin_ns"] < begin) begin = value["begin_ns"]
      if (value["end_ns"] > end) end = value["end_ns"] }
    END { printf "wall_ns=%.0f cpu_ns=%.0f operations=%d ", end - begin, cpu, operations }' "$data"/report.?
  cat "$data"/laps.? | "$programs/floor" distribution
}

measure_together() {
  local sealing sync subject
  for sealing in plain sealed; do
    for sync in unsynced synced; do
      for subject in $(subjects floor-locked floor-each mailbox); do
        keep "many,$processes,$sealing,$sync" "$subject" "$1" "$(together "$subject" "$sealing" "$sync")"
      done
    done
  done
}

measure_drain() {
  local sealing subject
  for sealing in plain sealed; do
    for subject in floor mailbox; do
      keep "drain,100000,$sealing,-" "$subject" "$1" "$(invoke "$subject" drain "drain.$sealing" "$sealing" synced)"
    done
  done
}

mailbox_prepare() {
  local sealing
  build
  ((!is_long)) || sizes+=(1000000)
  prepare_once
  for sealing in plain sealed; do
    prepare floor "drain.$sealing" "$sealing" 100000
    prepare mailbox "drain.$sealing" "$sealing" 100000
  done
}

mailbox_round() {
  measure_once "$1"
  measure_many "$1"
  measure_together "$1"
  measure_drain "$1"
}
