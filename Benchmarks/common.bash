# What `run` and `gate` share: building the programs, and calling each by the same words. Sourced, not run.
# shellcheck shell=bash disable=SC2034  # the callers use what is set here
set -euo pipefail
shopt -s inherit_errexit

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR/.. source=Examples/helper-build.bash
source "$here/../Examples/helper-build.bash"
programs=$here/.build/programs
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
peers=()
# Stands in front of every measured program: `strace` and its options, or nothing.
tracer=()

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# NAME 'PKG-CONFIG NAMES' SOURCE...: linked statically where that works, as the helper is, because loading and binding
# shared libraries takes as long as the appends that are measured.
compile() {
  local name=$1 libraries flags
  mkdir -p "$programs"
  read -ra libraries <<<"$2"
  shift 2
  local words=("${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Werror -I"$here/Sources/CMeasure/include" -I"$here/Sources/floor")
  words+=("$@" "$here/Sources/CMeasure/measure.c" -o "$programs/$name")
  read -ra flags <<<"$(pkg-config --cflags --libs --static "${libraries[@]}")"
  "${words[@]}" -static "${flags[@]}" 2>"$programs/$name.log" && return
  read -ra flags <<<"$(pkg-config --cflags --libs "${libraries[@]}")"
  "${words[@]}" "${flags[@]}"
}

# HELPER_BENCH names a helper that is there already, such as one that is linked in another way.
build() {
  compile floor 'libsodium zlib' "$here"/Sources/floor/*.c
  if pkg-config --exists sqlite3; then
    compile sqlite sqlite3 "$here/Sources/peers/sqlite.c"
    peers+=(sqlite)
  fi
  if pkg-config --exists lmdb; then
    compile lmdb lmdb "$here/Sources/peers/lmdb.c"
    peers+=(lmdb)
  fi
  helper=${HELPER_BENCH:-}
  if [[ -z $helper ]]; then
    local helper_flags=()
    anteroom_helper_flags "$here/.."
    local words=(swift build "${helper_flags[@]}" --package-path "$here" --product helper-bench)
    "${words[@]}" >"$programs/helper-bench.log" 2>&1 || {
      cat "$programs/helper-bench.log" >&2
      fail 'helper-bench does not build'
    }
    helper=$("${words[@]}" --show-bin-path)/helper-bench
  fi
}

# On the disk of the checkout and not in /tmp, which may be memory, where a sync costs nothing.
make_data_directory() {
  mkdir -p "$here/.build"
  data=$(mktemp -d "$here/.build/data.XXXXXX")
  trap 'rm -rf "$data"' EXIT
}

# SUBJECT NAME: where a subject keeps what is called so. Each floor file has a directory to itself, as a mailbox has.
path_of() {
  case $1 in
    mailbox*) echo "$data/$2.mailbox" ;;
    floor*) echo "$data/$2.floor/00000001.segment" ;;
    *) echo "$data/$2.$1" ;;
  esac
}

# SUBJECT MODE NAME plain|sealed synced|unsynced [COUNT] [OPTION...]: calls the subject's program, which prints a measurement.
invoke() {
  local subject=$1 mode=$2 path sealing=$4 sync=$5
  path=$(path_of "$subject" "$3")
  shift 5
  local options=("$@")
  if [[ $subject == mailbox* ]]; then
    [[ $sealing == plain ]] || options+=(--key-hex "$key")
    [[ $sync == synced ]] || options+=(--unsynced)
    [[ $subject != mailbox-batch ]] || options+=(--batch 100)
    "${tracer[@]}" "$helper" "$mode" "$path" "${options[@]}"
  else
    [[ $sealing == plain ]] || options+=(--sealed)
    [[ $sync == unsynced ]] || options+=(--synced)
    [[ $subject != floor-locked ]] || options+=(--lock-per-append)
    [[ $subject != floor-unmapped ]] || mode=$mode-unmapped
    "${tracer[@]}" "$programs/${subject%%-*}" "$mode" "$path" "${options[@]}"
  fi
}

# SUBJECT NAME plain|sealed COUNT: a fresh store with so many pending records.
prepare() {
  local path
  path=$(path_of "$1" "$2")
  if [[ $1 == mailbox* ]]; then
    rm -rf "$path"
    invoke "$1" fill "$2" "$3" unsynced "$4" >&2
  else
    rm -f "$path" "$path"-*
    mkdir -p "$(dirname "$path")"
    invoke "${1%%-*}" make "$2" "$3" unsynced "$4" >&2
  fi
}
