#!/usr/bin/env bash
# hclvm coverage and hclvm test --coverage as a user meets them: coverage_command_test.sh HCLVM COBERTURA_RNG.
# docs/testing.md has what they print.
set -uo pipefail

hclvm=$(readlink -f "$1")
cobertura=$(readlink -f "$2")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir m
cat >m/policy.hcl <<'END'
variable "age" { type = number }
variable "card" {
  type    = bool
  default = false
}
open  = age >= 18 && card
price = age < 6 ? 0 : 5
END
cat >m/policy.test.hcl <<'END'
function "unused" {
  params = [x]
  result = x ? 1 : 2
}
test "open" {
  with   = { age = 20, card = true }
  expect = { open = true }
}
test "price" {
  cases = {
    child = { with = { age = 3 }, expect = { price = 0 } }
    adult = { with = { age = 30 }, expect = { price = 5 } }
  }
  assert { condition = price > 3 ? age > 5 : true }
}
test "recorded" {
  requests = "requests"
  answers  = "answers"
  entries  = ["open"]
}
END
echo '{"age": 1, "card": true}' >m/requests
echo '{"value":false}' >m/answers
for n in $(seq 2000); do echo "{\"age\": $n, \"card\": $((n % 2)) == 1}"; done | sed 's/0 == 1/false/;s/1 == 1/true/' >requests
gzip -k requests

check "tests" 0 'policy.hcl: 83.3 %, 5 of 6 outcomes' "$hclvm" test m --coverage
check "what was missed" 0 'never false: card' "$hclvm" test m --coverage
grep -q 'test.hcl:' out && fail "test files are covered"
check "not enough" 1 'coverage is 83.3 %, and less than 90 %' "$hclvm" test m --fail-under 90
check "enough" 0 'coverage: 83.3 %' "$hclvm" test m --fail-under 83
check "without" 0 '4 passed' "$hclvm" test m
grep -q coverage out && fail "coverage that nobody asked for"
"$hclvm" test m --coverage-output c.json --coverage-format json --format json >results || fail "two outputs"
grep -q '"seen":5' c.json && [[ $(grep -c '"outcome":"passed"' results) == 4 ]] || fail "two outputs: $(cat c.json)"

check "requests" 0 'coverage: 100.0 %, 6 of 6 outcomes' "$hclvm" coverage m --scopes requests
for format in text json lcov cobertura html; do
  "$hclvm" coverage m --scopes requests --format "$format" >one || fail "$format"
  for more in "--threads 8" "--threads 3 --entry open --entry price" "--limit max_fuel=100000"; do
    # shellcheck disable=SC2086
    "$hclvm" coverage m --scopes requests.gz --format "$format" $more >other || fail "$format $more"
    cmp -s one other || fail "$format differs with $more"
  done
done
# Names with what XML writes otherwise, and a module without decisions.
mkdir 'o<&">' plain
cp m/*.hcl 'o<&">' && echo 'x = 1' >plain/policy.hcl
for module in m 'o<&">' plain; do
  "$hclvm" coverage "$module" --scopes requests --format cobertura >coverage.xml
  xmllint --noout --nonet --relaxng "$cobertura" coverage.xml 2>errors || fail "XML of $module: $(cat errors)"
done
sed 's/<methods\/>//' coverage.xml >other.xml
! xmllint --noout --nonet --relaxng "$cobertura" other.xml 2>errors || fail "rules that let everything stand"
check "lcov" 0 'BRDA:6,0,0,1983' "$hclvm" coverage m --scopes requests --format lcov
check "one entry" 0 '4 of 6 outcomes' "$hclvm" coverage m --scopes requests --entry open
cat >log <<'END'
{"decision_id":"1","path":"m/price","input":{"age":30}}
{"decision_id":"2","path":"other/x","input":{"age":30}}
{"decision_id":"3","path":"m/price","input":null,"erased":[""]}
END
check "a log" 0 '2 of 3 lines were skipped, the first one as: the config has no entry other/x' "$hclvm" coverage m --scopes log
check "a log covers its entry" 0 'coverage: 16.7 %, 1 of 6' "$hclvm" coverage m --scopes log
check "several files" 0 'coverage: 100.0 %' "$hclvm" coverage m --scopes log --scopes requests
check "nothing" 1 'no entry other/x' "$hclvm" coverage m --scopes <(sed -n 2p log)
check "no input" 1 'the first one as: the log has no input of the decision 3' "$hclvm" coverage m --scopes <(sed -n 3p log)
cat log requests >mixed
check "scopes and decisions in one file" 0 'coverage: 100.0 %' "$hclvm" coverage m --scopes mixed
"$hclvm" coverage m --scopes - <requests >one && "$hclvm" coverage m --scopes requests >other && cmp -s one other ||
  fail "standard input"
head -c 1000 requests.gz >cut.gz
check "a file that ends early" 1 'cannot read cut.gz: the compressed text ends early' "$hclvm" coverage m --scopes cut.gz
# Lines over the limit, in one read and in several.
for size in 2000 600000; do
  { echo '{"age": 3}' && printf '{"age": %*d}\n[]\n' "$size" 3; } >long
  for threads in 1 4; do
    check "a long line" 3 '2 of 3 lines were skipped, the first one as: the line is longer than 1000 bytes, which is the limit' \
      "$hclvm" coverage m --scopes long --limit max_source_bytes=1000 --threads "$threads"
    check "the first line" 3 '3 of 5 lines were skipped, the first one as: a request is a JSON object' \
      "$hclvm" coverage m --scopes <(printf '[]\n{"age": 1}\n') --scopes long --limit max_source_bytes=1000 --threads "$threads"
  done
done
check "no requests" 1 'there are no requests' "$hclvm" coverage m --scopes /dev/null
mkdir long_loop
echo 'x = [for i in range(n) : i > 1 ? 1 : 2]' >long_loop/policy.hcl
echo 'variable "n" { type = number }' >long_loop/variables.hcl
check "a limit" 3 'has reached a limit (see --limit)' "$hclvm" coverage long_loop --scopes <(echo '{"n":900}') --limit max_fuel=20
check "an entry twice" 2 'given twice' "$hclvm" coverage m --scopes requests --entry open --entry open
check "no file" 1 'cannot read nothing' "$hclvm" coverage m --scopes nothing
check "no config" 2 'give one CONFIG' "$hclvm" coverage --scopes requests
check "a wrong format" 2 'must be text, json, lcov, cobertura or html' "$hclvm" coverage m --scopes requests --format xml
cp requests same
check "an output that is read" 2 '--output and --scopes name one file' "$hclvm" coverage m --scopes same --output ./same
cmp -s requests same || fail "requests were written over"
check "a wrong figure" 2 'a number from 0 to 100' "$hclvm" coverage m --scopes requests --fail-under 101

[[ $failures == 0 ]] || exit 1
