#!/usr/bin/env bash
# Prints the report of the spelling suite: count_spelling.sh SPELLING_DRIVER TOP [--check | PAIRS], where
# TOP/bench/inputs has the inputs; with the absolute path PAIRS, that of the pairs in this file. Exit status 1, with
# --check, when a budget does not hold.
#
# Runs the driver under callgrind, which counts the same in each run, also on a busy machine. Needs valgrind: without it,
# says so, and nothing is counted or checked. Used by bench/spelling, and a test by itself.
set -euo pipefail

driver=$1 top=$2
shift 2
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed" >&2 && exit 0; }
measure=(measure) report=(report "$@")
[[ ${1:---} == --* ]] || { measure=(measure-pairs "$1") && report=(report-pairs "$1"); }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Callgrind knows the two functions by their names, so that no header of valgrind is needed. The parts are in one file,
# in order; the last one is for the end of the process, in which nothing is counted.
valgrind --tool=callgrind --callgrind-out-file="$dir/out" --combine-dumps=yes --toggle-collect=hclvm_spelling_run \
  --dump-after=hclvm_spelling_done "$driver" "$top" "${measure[@]}" >"$dir/parts" 2>"$dir/log" ||
  { cat "$dir/log" >&2 && exit 2; }
sed -n 's/^totals: //p' "$dir/out" | head -n "$(cat "$dir/parts")" >"$dir/totals"
"$driver" "$top" "${report[@]}" <"$dir/totals"
