# Building a small helper: fully static, without what nothing reaches, and with the functions of a delivery side by side.
# shellcheck shell=bash
# Sourced by scripts that build one; they have called anteroom_find_swift.

# ROOT: sets helper_flags, for `swift build`.
anteroom_helper_flags() {
  helper_flags=(
    -c release -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xlinker --gc-sections
    -Xlinker --symbol-ordering-file="$1/Examples/Chat/helper.order" -Xlinker --no-warn-symbol-ordering
  )
}
