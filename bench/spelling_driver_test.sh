#!/usr/bin/env bash
# What the driver of bench/spelling does without callgrind: spelling_driver_test.sh SPELLING_DRIVER.
set -euo pipefail

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

# report WANT_STATUS ARGS...: runs the report on standard input; what it prints is in $out.
report() {
  local want=$1 status=0
  shift
  out=$("$driver" . report "$@" 2>&1) || status=$?
  [[ $status == "$want" ]] || fail "report $*: status $status: ${out:0:500}"
}

driver=$1
parts=$("$driver" . measure)
((parts >= 2 * 2 * 32)) || fail "$parts parts"

# Every form costs as much as the others, but those that are counted for a part of them.
report 0 < <(for ((i = 0; i < parts; i += 2)); do echo "1000 900000"; done)
[[ $out == "C++ compiler "*"- same meaning: "*"- fewer checks: in 0 of "*"| group | kind |"* ]] || fail "${out:0:500}"
report 1 --check < <(for ((i = 0; i < parts; i += 2)); do echo "1000 $((2000 + i * i))"; done)

report 2 </dev/null
[[ $out == "no count for "* ]] || fail "$out"
report 2 < <(for ((i = 0; i <= parts; ++i)); do echo 1000; done)
[[ $out == "more counts than forms" ]] || fail "$out"
report 2 --no-such </dev/null
[[ $out == "usage: "* ]] || fail "$out"

# Pairs: three parts for each.
pairs=$(mktemp)
trap 'rm -f "$pairs"' EXIT
for n in 1 2; do
  # shellcheck disable=SC2016 # the rows have dollars
  echo '{"left":"a + '$n'","right":"{x = a + '$n'}.x","rows":"$1 <-> {x = $1}.x","scopes":[{"a":1},{"a":2}]}'
done >"$pairs"
[[ $("$driver" . measure-pairs "$pairs") == 6 ]] || fail "parts of pairs"
out=$(printf '160\n320\n320\n160\n320\n480\n' | "$driver" . report-pairs "$pairs") || fail "$out"
[[ $out == "- 2 pairs: median ratio 2.00, "*"worst 2.00; 1 (50 %) beyond 1.25"* ]] || fail "${out:0:500}"
out=$("$driver" . report-pairs "$pairs" </dev/null 2>&1) && fail "a report without counts"
[[ $out == "no count for a + 1" ]] || fail "$out"
echo '{"left":1}' >"$pairs"
out=$("$driver" . measure-pairs "$pairs" 2>&1) && fail "a pair without a side"
[[ $out == "a pair lacks left" ]] || fail "$out"
