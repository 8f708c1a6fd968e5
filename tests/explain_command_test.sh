#!/usr/bin/env bash
# hclvm explain CONFIG as a user meets it: explain_command_test.sh HCLVM. docs/explain.md has what it prints.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir m
cat >m/policy.hcl <<'END'
variable "age" { type = number }
variable "pin" {
  type      = string
  default   = ""
  sensitive = true
}
policy "door" {
  open = age >= 18 || pin == "4711"
}
loop = length(flatten([for n in range(1000) : [for m in range(100) : n + m if m > 5]]))
END
printf '{"age": 17}\n\n{"age": 20}\n[]\n{"age": 3, "pin": "4711"}\n' >requests
gzip -k requests
cat >log <<'END'
{"decision_id":"aa-1","path":"doors/policy.door.open","input":{"age":30}}
{"decision_id":"aa-2","path":"doors/policy.door.open","input":{"age":40},"erased":["/pin"]}
{"decision_id":"aa-3","path":"doors/other","input":{"age":40}}
{"decision_id":"aa-4","path":"doors/policy.door.open","input":null,"erased":[""]}
{"decision_id":"aa-55","path":"doors/policy.door.open","input":null,"erased":[""]}
{"note":"aa-5"}
{"decision_id":"aa-5","path":"doors/policy.door.open","input":{"age":50},"erased":["result"]}
END
open=(--entry policy.door.open)

check "the first line" 0 'age >= 18 is false, as age = 17' "$hclvm" explain m --scopes requests "${open[@]}"
check "a line" 0 'age >= 18 is true, as age = 20' "$hclvm" explain m --scopes requests --line 3 "${open[@]}"
check "gzip" 0 'age >= 18 is true, as age = 20' "$hclvm" explain m --scopes requests.gz --line 3 "${open[@]}"
got=$("$hclvm" explain m --scopes - --line 2 "${open[@]}" < <(printf '{"age": 1}\n{"age": 99}\n'))
[[ $got == *"age = 99"* ]] || fail "standard input: $got"
check "a decision in a file of scopes" 0 'age >= 18 is true, as age = 30' "$hclvm" explain m --scopes log
head -c 30 requests.gz >cut.gz
check "a file that ends early" 1 'cannot read cut.gz: the compressed text ends early' "$hclvm" explain m --scopes cut.gz --line 9
# A line over the limit, in one read and in several.
for size in 2000 600000; do
  printf '{"age": 1}\n{"age": %*d}\n{"age": 33}\n' "$size" 3 >long
  long=("$hclvm" explain m --scopes long --limit max_source_bytes=1000 "${open[@]}")
  check "a long line" 3 'long:2: the line is longer than 1000 bytes, which is the limit' "${long[@]}" --line 2
  check "behind a long line" 0 'age >= 18 is true, as age = 33' "${long[@]}" --line 3
done
check "no such line" 1 'requests has no request in line 9' "$hclvm" explain m --scopes requests --line 9
check "a blank line" 1 'requests has no request in line 2' "$hclvm" explain m --scopes requests --line 2
check "no request" 1 'requests:4: a request is a JSON object' "$hclvm" explain m --scopes requests --line 4
check "no file" 1 'cannot read nothing' "$hclvm" explain m --scopes nothing
check "no entry" 2 'policy.door.open' "$hclvm" explain m --scopes requests --entry policy.door.opn
check "all entries" 0 'loop = 94000' "$hclvm" explain m --scopes requests
check "a long run" 0 'The run was too long' "$hclvm" explain m --scopes requests --entry loop
check "a limit" 3 'max_fuel' "$hclvm" explain m --scopes requests --entry loop --limit max_fuel=1000
check "sensitive" 0 'pin == "4711" is (sensitive value), as pin = (sensitive value)' \
  "$hclvm" explain m --scopes requests --line 5 "${open[@]}"
check "shown" 0 'pin == "4711" is true, as pin = "4711"' \
  "$hclvm" explain m --scopes requests --line 5 "${open[@]}" --show-sensitive
check "an error" 0 'policy.door.open fails' "$hclvm" explain m --scopes <(echo '{}') "${open[@]}"
check "json" 0 '{"entry":"policy.door.open","outcome":"value","value":"(sensitive value)","reasons":[{"kind":"operand",' \
  "$hclvm" explain m --scopes requests "${open[@]}" --format json
check "html" 0 '<code>age &gt;= 18 is false</code>' "$hclvm" explain m --scopes requests "${open[@]}" --format html
check "full" 0 'age >= 18 || pin == "4711" = (sensitive value)' "$hclvm" explain m --scopes requests "${open[@]}" --full
check "a plain config" 0 'x = 3, as y = 2' "$hclvm" explain <(echo 'x = y + 1') --scopes <(echo '{"y": 2}')

check "a decision" 0 'age >= 18 is true, as age = 30' "$hclvm" explain m --log log --id aa-1
check "a part of a decision" 0 'parts of the request are not in the log' "$hclvm" explain m --log log --id aa-2
check "an entry that is not there" 1 'no entry doors/other' "$hclvm" explain m --log log --id aa-3
check "another entry" 0 'age >= 18 is true' "$hclvm" explain m --log log --id aa-3 "${open[@]}"
check "no input" 1 'the log has no input of the decision aa-4' "$hclvm" explain m --log log --id aa-4
check "an id that others begin with" 0 'age >= 18 is true, as age = 50' "$hclvm" explain m --log log --id aa-5
grep -q 'parts of the request' out && fail "a request is whole if the log erases its result"
check "no decision" 1 'log has no decision aa-9' "$hclvm" explain m --log log --id aa-9

check "a config alone" 2 'needs --scopes FILE or --log FILE' "$hclvm" explain m
check "both" 2 '--scopes does not go with --log' "$hclvm" explain m --scopes requests --log log --id x
check "a log alone" 2 '--log FILE and --id ID go together' "$hclvm" explain m --log log
check "a line of a log" 2 '--line goes with --scopes' "$hclvm" explain m --log log --id x --line 3
check "no config" 2 'give one CONFIG' "$hclvm" explain --scopes requests
check "a wrong line" 2 'the number of a line' "$hclvm" explain m --scopes requests --line 0
check "a wrong format" 2 'must be text, json or html' "$hclvm" explain m --scopes requests --format xml
check "a code" 0 'HCL3201' "$hclvm" explain HCL3201

[[ $failures == 0 ]] || exit 1
