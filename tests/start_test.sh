#!/usr/bin/env bash
# Checks what the system has to do before the program's first instruction: start_test.sh PROGRAM [static].
#
# A start takes longer than most evaluations, and most of it is the dynamic linker's work: it looks up names in shared
# libraries, and corrects addresses, for which each page of tables is copied. Both are counted here; bench/sizes measures
# the time. Only what is linked as .bazelrc says ("static") is checked.
set -euo pipefail

program=$1
if [[ ${2:-} != static ]] || ! command -v readelf >/dev/null; then
  echo "linked in another way, or no readelf here; nothing checked"
  exit 0
fi

# at_most LIMIT COUNT WHAT
at_most() {
  (($2 <= $1)) || { echo "$program: $2 $3, at most $1 are expected" && exit 1; }
}

others=$(readelf -d -W "$program" | grep NEEDED | grep -vE '\[(libc|libgcc_s|libm|libpthread|libdl|ld-linux-[a-z0-9-]*)\.so' || true)
[[ -z $others ]] || { printf '%s needs further shared libraries:\n%s\n' "$program" "$others" && exit 1; }
relocations=$(readelf -r -W "$program" | grep -E '^[0-9a-f]+ +[0-9a-f]+ R_')
at_most 600 "$(grep -vc '_RELATIV' <<<"$relocations")" "names to look up"
at_most 9000 "$(grep -c '_RELATIV' <<<"$relocations")" "addresses to correct"
