#!/usr/bin/env bash
# hclvm bench as a user meets it: bench_command_test.sh HCLVM.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

echo 'big = n > 10' >policy.hcl
echo 'all = [for m in range(n) : m * m if m > 2]' >>policy.hcl
echo 'text = formatdate("YYYY", "2020-01-01T00:00:00Z") == "${n}" ? "a" : "b"' >>policy.hcl
printf '{"n":%s}\n' 1 15 17 30 >some.ndjson

bench() { "$hclvm" bench policy.hcl --scopes some.ndjson --time 20 "$@"; }
bench >table || fail "a run: $(cat table)"
[[ $(wc -l <table) == 4 ]] || fail "a line for each entry: $(cat table)"
grep -Eq '^big +4 +[0-9]+ +[0-9]+ +[0-9]+\.\.[0-9]+ +(0\.00|\?) +[0-9]+$' table || fail "its columns: $(cat table)"
check "one entry" 0 'big ' bench --entry big
grep -q '^all' out && fail "other entries: $(cat out)"
bench --format json >before.json || fail "as JSON"
grep -q '^{"reference_ns":[0-9.]*,"entries":\[{"entry":"big","requests":4,"failed":0,' before.json ||
  fail "the JSON: $(cat before.json)"
# Whether it is slower is up to the machine, which may have other work.
bench --against before.json -e big >out 2>&1
[[ $? -le 1 ]] && grep -q 'change' out || fail "against itself: $(cat out)"
# A run that was ten thousand times as fast, on a machine of the same speed.
sed 's/"\(ns[a-z_]*\)":[0-9.]*/"\1":0.001/g' before.json >fast.json
check "slower" 1 'SLOWER' bench --against fast.json
sed 's/"\(ns[a-z_]*\)":[0-9.]*/"\1":99999999/g' before.json >slow.json
check "faster" 0 'faster' bench --against slow.json
check "no report" 1 'some.ndjson is no report of hclvm bench' bench --against some.ndjson
check "no requests" 2 'either --scopes FILE or --log FILE' "$hclvm" bench policy.hcl
check "no config" 2 'give one CONFIG' "$hclvm" bench --scopes some.ndjson
check "no such entry" 2 'bigg' bench --entry bigg
check "nothing to answer" 1 'no entry has a request' "$hclvm" bench policy.hcl --scopes /dev/null
echo '{"n":"x"}' >wrong.ndjson
check "requests that fail" 0 'big: 1 request fails' "$hclvm" bench policy.hcl --scopes wrong.ndjson --time 5 -e big
echo '{' >>wrong.ndjson
check "broken lines" 1 '1 line no request; line 2: Invalid JSON' \
  "$hclvm" bench policy.hcl --scopes wrong.ndjson --time 5 -e big
check "a limit" 3 'has reached a limit (see --limit)' \
  "$hclvm" bench policy.hcl --scopes wrong.ndjson --time 5 -e big --limit max_fuel=1

if ((failures > 0)); then
  printf '%s failed\n' "$failures"
  exit 1
fi
