#!/usr/bin/env bash
# --data of all commands that evaluate recorded requests: data_option_test.sh HCLVM.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir old new
cat >old/variables.hcl <<'END'
variable "user" { type = string }
variable "admins" { type = list(string) }
END
cp old/variables.hcl new
cat >old/policy.hcl <<'END'
locals { count = length(admins) }
allow = contains(admins, user) && local.count > 1
END
sed 's/local.count > 1/local.count > 2/' old/policy.hcl >new/policy.hcl
printf '{"user":"%s"}\n' ann bob >requests.ndjson
echo '{"admins":["ann","eve"]}' >data.json
echo '{"admins":[1' >broken.json
echo '{"admins":7}' >unfit.json
echo '{"user":"ann","admins":["x"]}' >both.ndjson

for command in 'diff old new' 'bench new --time 1' 'profile new --time 1' 'coverage new' 'explain new' 'run new'; do
  # shellcheck disable=SC2086 # a command and its configs
  set -- $command
  check "$1: broken data" 1 'on broken.json line 2' "$hclvm" "$@" -s requests.ndjson --data broken.json
  check "$1: data that do not fit" 1 'admins' "$hclvm" "$@" -s requests.ndjson --data unfit.json
  check "$1: no such data" 1 'none.json' "$hclvm" "$@" -s requests.ndjson --data none.json
done
check "diff" 1 '       1  true -> false  (line 1)' "$hclvm" diff old new -s requests.ndjson --data data.json
check "diff: what decides" 1 'local.count > 2 is false (new/policy.hcl:2)' \
  "$hclvm" diff old new -s requests.ndjson --data data.json
check "diff: other data" 0 'all the same' "$hclvm" diff old new -s requests.ndjson --data <(echo '{"admins":["ann"]}')
check "diff: a request gives data as well" 0 'all the same' "$hclvm" diff old new -s both.ndjson --data data.json
check "explain" 0 'local.count > 2 is false' "$hclvm" explain new -s requests.ndjson --data data.json
check "explain: a request replaces data" 0 'admins = ["x"]' \
  "$hclvm" explain new -s both.ndjson --data data.json --data-default admins
check "coverage" 0 'coverage: 75.0 %, 3 of 4 outcomes' "$hclvm" coverage new -s requests.ndjson --data data.json
check "profile" 0 '2 evaluations, 0 failed' "$hclvm" profile new -s requests.ndjson --data data.json --time 1
check "profile: without data" 0 '2 evaluations, 2 failed' "$hclvm" profile new -s requests.ndjson --time 1
"$hclvm" bench new -s requests.ndjson --data data.json --time 1 --format json >out 2>&1
grep -qF '"failed":0' out || {
  printf 'FAIL bench\n%s\n' "$(cat out)"
  failures=$((failures + 1))
}

if ((failures > 0)); then
  printf '%s failed\n' "$failures"
  exit 1
fi
