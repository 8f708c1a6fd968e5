#!/usr/bin/env bash
# The peers in C++ give right answers and lines of the right form, and the VM does not begin to allocate:
# cpp_peer_test.sh CPP_PEER.
#
# Looks at no times.
set -uo pipefail

peer=$1
failures=0

fail() {
  echo "FAIL $*"
  failures=$((failures + 1))
}

# check PATTERN VARIANT WORKLOAD: the peer's line matches the pattern.
check() {
  local line
  line=$("$peer" . --variant "$2" --workload "$3" --min-time 0) || fail "$2 $3: exit status"
  [[ $line =~ ^$1$ ]] || fail "$2 $3: $line"
}

number='[0-9.e+-]+'
for w in 0 1 2 3 4 5 6 7 8 9; do
  check "\{\"workload\":\"W$w\",\"ns\":$number,\"allocs\":0,\"bytes\":0,\"iterations\":16\}" vm "W$w"
  check "\{\"workload\":\"W$w\",\"ns\":$number,\"allocs\":$number,\"bytes\":$number,\"iterations\":16\}" cpp "W$w"
done
# The VM allocates in these; no other may join them.
allocating=' B01 B02 B03 B07 B08 B10 B11 B13 B14 B18 B19 B20 B22 B26 B28 B30 '
for b in {1..30}; do
  printf -v name 'B%02d' "$b"
  allocations='"allocs":0,"bytes":0'
  [[ $allocating != *" $name "* ]] || allocations="\"allocs\":$number,\"bytes\":$number"
  check "\{\"workload\":\"$name\",\"ns\":$number,$allocations,\"iterations\":16\}" vm "$name"
  check "\{\"workload\":\"$name\",\"ns\":$number,\"allocs\":$number,\"bytes\":$number,\"iterations\":16\}" cpp "$name"
done
check "\{\"workload\":\"W7\",\"ns\":$number,\"allocs\":[1-9]$number,\"bytes\":[1-9]$number,\"iterations\":16\}" cpp W7
check "\{\"workload\":\"P1\",\"ns\":$number,\"allocs\":[1-9]$number,\"bytes\":[1-9]$number,\"iterations\":1\}" vm P1
check "\{\"workload\":\"P2\",\"ns\":$number,\"allocs\":[1-9]$number,\"bytes\":[1-9]$number,\"iterations\":1\}" vm P2

# A wrong answer is an error: the answers with one changed.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bench/want"
ln -s "$PWD/bench/inputs" "$dir/bench/inputs"
sed '3s/true/false/' bench/want/W1.ndjson >"$dir/bench/want/W1.ndjson"
for variant in vm cpp; do
  out=$("$peer" "$dir" --variant $variant --workload W1 --min-time 0 2>&1) && fail "$variant accepts a wrong answer"
  [[ $out == *'scope 2: got {"type":"bool","value":true}, want {"type":"bool","value":false}'* ]] || fail "$variant: $out"
done
for args in "--variant vm --workload W11" "--variant vm --workload B31" "--variant cpp --workload P1" "--variant x --workload W1" "--workload"; do
  # shellcheck disable=SC2086
  "$peer" . $args 2>/dev/null && fail "accepts $args"
done
exit $((failures > 0))
