# shellcheck shell=bash
# What the scripts of this package need on a machine, for `source`: each function names what is missing, and installs it
# where apt can, unless ANTEROOM_NO_INSTALL=1. Libraries are asked for through pkg-config, as the build does.

# The exit code for what a machine lacks (EX_UNAVAILABLE).
readonly anteroom_unavailable=69

# anteroom_find_swift: puts the toolchain on PATH, and sees that it is new enough.
anteroom_find_swift() {
  if ! command -v swift > /dev/null && [[ -x /opt/swift/usr/bin/swift ]]; then
    PATH="/opt/swift/usr/bin:$PATH"
    export PATH
  fi
  local version
  if ! version=$(swift --version 2>&1); then
    printf 'missing: a Swift 6.3 toolchain on PATH or in /opt/swift (https://www.swift.org/install)\n' >&2
    return "$anteroom_unavailable"
  fi
  if ! [[ $version =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || ((BASH_REMATCH[1] * 100 + BASH_REMATCH[2] < 603)); then
    printf 'missing: Swift 6.3 or newer; this is\n%s\n' "$version" >&2
    return "$anteroom_unavailable"
  fi
}

# anteroom_jobs: how many compilers to run at once, one a core.
anteroom_jobs() { getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2; }

# anteroom_require NAME:PACKAGE …: libraries by their pkg-config name and the apt package that has them.
anteroom_require() {
  local missing=() pair
  if ! command -v pkg-config > /dev/null; then
    missing+=(pkg-config)
    printf 'missing: pkg-config (apt package pkg-config)\n' >&2
  fi
  for pair in "$@"; do
    if ! pkg-config --exists "${pair%%:*}" 2> /dev/null; then
      missing+=("${pair#*:}")
      printf 'missing: the library %s (apt package %s)\n' "${pair%%:*}" "${pair#*:}" >&2
    fi
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  if ! anteroom_install "${missing[@]}"; then return "$anteroom_unavailable"; fi
  for pair in "$@"; do
    if ! pkg-config --exists "${pair%%:*}"; then
      printf 'still missing: the library %s\n' "${pair%%:*}" >&2
      return "$anteroom_unavailable"
    fi
  done
}

# anteroom_want COMMAND:PACKAGE …: commands that some steps can do without. Fails if one stays missing.
anteroom_want() {
  local missing=() pair
  for pair in "$@"; do
    if ! command -v "${pair%%:*}" > /dev/null; then
      missing+=("${pair#*:}")
      printf 'optional, missing: %s (apt package %s)\n' "${pair%%:*}" "${pair#*:}" >&2
    fi
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  anteroom_install "${missing[@]}"
}

# anteroom_install PACKAGE …: through apt, with sudo for whoever isn't root.
anteroom_install() {
  if [[ ${ANTEROOM_NO_INSTALL:-0} == 1 ]]; then return "$anteroom_unavailable"; fi
  local elevate=()
  if ! command -v apt-get > /dev/null; then
    printf 'There is no apt here: install it with the package manager of this system.\n' >&2
    return "$anteroom_unavailable"
  fi
  if ((EUID != 0)); then
    if ! command -v sudo > /dev/null; then
      printf 'As root: apt-get update && apt-get install %s\n' "$*" >&2
      return "$anteroom_unavailable"
    fi
    elevate=(sudo)
  fi
  printf 'installing: %s\n' "$*" >&2
  # Standard output belongs to the caller, and apt must not wait for an answer. A stale list may still have the packages.
  if [[ -z ${anteroom_updated:-} ]]; then
    "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 < /dev/null || true
    anteroom_updated=1
  fi
  if ! "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >&2 < /dev/null; then
    printf 'apt could not install: %s\n' "$*" >&2
    return "$anteroom_unavailable"
  fi
}
