#!/usr/bin/env bash
# hclvm profile as a user meets it: profile_command_test.sh HCLVM.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir policy
echo 'variable "n" { type = number }' >policy/variables.hcl
cat >policy/policy.hcl <<'END'
locals {
  squares = [for m in range(n) : m * m]
  unread  = [for m in range(n) : m + 1]
}
big  = n > 10
sums = n > 5 ? length(local.squares) : 0
rare = n > 1000 ? length(local.unread) : 0
END
printf '{"n":%s}\n' 1 15 17 30 >some.ndjson

profile() { "$hclvm" profile policy --scopes some.ndjson --time 20 "$@"; }
check "a run" 0 '12 evaluations, 0 failed' profile
grep -q ' policy/policy.hcl:2: squares = ' out || fail "the line with the most fuel: $(cat out)"
grep -q 'locals that no request has read' out || fail "locals: $(cat out)"
grep -q 'policy/policy.hcl:3: local.unread' out || fail "their names: $(cat out)"
grep -q ' 0  line 4: sums' out || fail "the request that takes the most fuel: $(cat out)"
check "few lines" 0 'further lines' profile --lines 1
check "one entry" 0 '4 evaluations' profile -e big
check "JSON" 0 '{"evaluations":12,"failed":0,"fuel":' profile --format json
profile --format html >page.html || fail "HTML"
head -1 page.html | grep -qx '<!DOCTYPE html>' || fail "the page: $(head -3 page.html)"
grep -Eq 'https?:|<script|src=' page.html && fail "the page reads something else"
echo '{"n":null}' >wrong.ndjson
check "requests that fail" 0 '3 failed' "$hclvm" profile policy --scopes wrong.ndjson --time 1
echo '{"path":"p/big","input":{"n":5},"decision_id":"d1"}' | gzip >day.gz
check "a log" 0 'line 1, d1: big' "$hclvm" profile policy --log day.gz --time 1
echo '{' >>some.ndjson
check "broken lines" 1 '1 line no request; line 5: Invalid JSON' profile
check "no requests" 2 'either --scopes FILE or --log FILE' "$hclvm" profile policy
check "no config" 2 'give one CONFIG' "$hclvm" profile --scopes some.ndjson
check "no such entry" 2 'bigg' profile --entry bigg
check "nothing to answer" 1 'no entry has a request' "$hclvm" profile policy --scopes /dev/null
check "a limit" 3 'have reached a limit (see --limit)' profile --limit max_fuel=1
printf '{"n":%*d}\n' 2000 1 >long.ndjson
check "a line over the limit" 3 'the line is too long' "$hclvm" profile policy --scopes long.ndjson --limit max_source_bytes=1000
check "no such form" 2 'must be text, json or html' profile --format xml

if ((failures > 0)); then
  printf '%s failed\n' "$failures"
  exit 1
fi
