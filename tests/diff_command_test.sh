#!/usr/bin/env bash
# hclvm diff as a user meets it: diff_command_test.sh HCLVM.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir old new
echo 'variable "n" { type = number }' | tee old/variables.hcl >new/variables.hcl
echo 'big = n > 10' >old/policy.hcl
echo 'big = n > 20' >new/policy.hcl
echo 'big = !(n <= 10)' >alike.hcl
printf '{"n":%s}\n' 1 15 17 30 >some.ndjson

check "the same" 0 'all the same' "$hclvm" diff old old --scopes some.ndjson
check "another spelling" 0 'all the same' "$hclvm" diff old/policy.hcl alike.hcl --scopes some.ndjson
check "what differs" 1 '       2  true -> false  (line 2)' "$hclvm" diff old new --scopes some.ndjson
check "Markdown" 1 '| 2 | `true` | `false` | line 2 |' "$hclvm" diff old new --scopes some.ndjson --format markdown
check "JSON" 1 '{"requests":4,"differing_requests":2,"answers":4,' "$hclvm" diff old new --scopes some.ndjson --format json
"$hclvm" diff old new --scopes - <some.ndjson >out 2>&1
grep -qF '2 differ' out || fail "standard input: $(cat out)"
echo 'more = 1' >>new/policy.hcl
check "an entry is new" 1 'new: more' "$hclvm" diff old new --scopes some.ndjson
check "only one entry" 0 'all the same' "$hclvm" diff old old --scopes some.ndjson --entry big
check "a chosen entry is new" 1 'new: more' "$hclvm" diff old new --scopes some.ndjson --entry more
check "no such entry" 2 'neither version has an entry huge' "$hclvm" diff old new --scopes some.ndjson --entry huge
check "given twice" 2 '--entry big is given twice' "$hclvm" diff old new --scopes some.ndjson -e big -e big
echo 'big = n >' >broken.hcl
check "a version with an error" 1 'broken.hcl line 1' "$hclvm" diff old broken.hcl --scopes some.ndjson
check "no versions" 2 'give two versions' "$hclvm" diff old --scopes some.ndjson
check "no requests" 2 'either --scopes FILE or --log FILE' "$hclvm" diff old new
check "both" 2 'either --scopes FILE or --log FILE' "$hclvm" diff old new --scopes some.ndjson --log some.ndjson
check "of a log" 2 '--partial and --log-module go with --log' "$hclvm" diff old new --scopes some.ndjson --partial
check "standard input twice" 2 'only one of' "$hclvm" diff - new --scopes -
check "no such file" 1 'cannot read none.ndjson' "$hclvm" diff old new --scopes none.ndjson
check "no such form" 2 'must be text, markdown or json' "$hclvm" diff old new --scopes some.ndjson --format html
echo '{' >>some.ndjson
check "a broken line" 1 '1 line no request; line 5: Invalid JSON' "$hclvm" diff old old --scopes some.ndjson
check "a limit" 3 '4 answers of 1 entry' "$hclvm" diff old new --scopes some.ndjson --limit max_fuel=1

# Logs, of which parts are compressed, in any number of threads.
for n in $(seq 20000); do
  echo '{"decision_id":"d'"$n"'","path":"m/big","input":{"n":'"$((n % 25))"'},"result":false}'
done >day.log
echo '{"path":"other/x","input":{},"result":1}' >>day.log
"$hclvm" diff old new --log day.log -e big --format json | sed 's/"ns":{[^}]*}//g' >one
grep -qF '"differing":8000,' one || fail "a log: $(cat one)"
grep -qF '"other":1,' one || fail "other entries: $(cat one)"
grep -qF '"example":{"line":11,"decision_id":"d11"' one || fail "its example: $(cat one)"
{ head -7000 day.log | gzip; tail -n +7001 day.log | gzip; } >day.log.gz
for threads in 1 2 8; do
  "$hclvm" diff old new --log day.log.gz -e big --format json -j $threads >out
  sed 's/"ns":{[^}]*}//g' out | cmp -s - one || fail "compressed, in $threads threads"
done
check "another module" 1 '20001 decisions of other entries' "$hclvm" diff old new --log day.log --log-module other -e big
check "nothing to compare" 1 'nothing was compared' "$hclvm" diff old old --scopes /dev/null
head -c 1000 day.log.gz >cut.gz
check "a log that is cut" 1 'cannot read cut.gz: the compressed text ends early' "$hclvm" diff old new --log cut.gz

if ((failures > 0)); then
  printf '%s failed\n' "$failures"
  exit 1
fi
