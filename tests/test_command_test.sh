#!/usr/bin/env bash
# hclvm test as a user meets it: test_command_test.sh HCLVM JUNIT.rng.
set -uo pipefail

hclvm=$(readlink -f "$1")
junit=$(readlink -f "$2")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir -p all/good all/bad all/none
echo 'variable "n" { type = number }' | tee all/good/variables.hcl >all/bad/variables.hcl
echo 'big = n > 10' | tee all/good/policy.hcl >all/bad/policy.hcl
echo 'x = 1' >all/none/policy.hcl
cat >all/good/n.test.hcl <<'END'
variables {
  n = 11
}
test "usual" {
  expect = { big = true }
}
test "table" {
  cases = {
    low  = { with = { n = 1 }, expect = { big = false } }
    edge = { with = { n = 10 }, expect = { big = false } }
    high = { with = { n = 100 }, expect = { big = true } }
  }
}
END
cat >all/bad/n.test.hcl <<'END'
test "a <bad> & \"odd\" #1" {
  cases = {
    one = { with = { n = 1 }, expect = { big = true } }
    two = { with = { n = 2 }, expect = { big = true } }
    ten = { with = { n = 11 }, expect = { big = true } }
  }
}
END

check "all pass" 0 '1 file, 4 cases: 4 passed, 0 failed' "$hclvm" test all/good
check "some fail" 1 'big: false, expected true' "$hclvm" test all/bad
check "where" 1 'all/bad/n.test.hcl line 3:' "$hclvm" test all/bad
check "a directory of modules" 1 '2 files, 7 cases: 5 passed, 2 failed' "$hclvm" test all
check "several" 1 '2 files, 7 cases: 5 passed, 2 failed' "$hclvm" test all/good all/bad
check "one file" 0 '1 file, 4 cases' "$hclvm" test all/good/n.test.hcl
cd all/good
check "the working directory" 0 '1 file, 4 cases' "$hclvm" test
"$hclvm" test --list | head -1 | grep -qx 'n.test.hcl: usual' || fail "names in the working directory"
check "a file in it" 0 '1 file, 4 cases' "$hclvm" test n.test.hcl
cd ../.. && rm all/good/out
check "threads" 1 '2 files, 7 cases: 5 passed, 2 failed' "$hclvm" test all -j 4
"$hclvm" test all --list >list
diff list - <<'END' || fail "the list"
all/bad/n.test.hcl: a <bad> & "odd" #1/one
all/bad/n.test.hcl: a <bad> & "odd" #1/two
all/bad/n.test.hcl: a <bad> & "odd" #1/ten
all/good/n.test.hcl: usual
all/good/n.test.hcl: table/low
all/good/n.test.hcl: table/edge
all/good/n.test.hcl: table/high
END
check "chosen" 0 '1 file, 2 cases: 2 passed' "$hclvm" test all/good --run '(edge|high)$'
check "chosen nothing" 1 '--run chooses no test' "$hclvm" test all/good --run nosuch
check "a wrong pattern" 2 'hclvm test: --run' "$hclvm" test all/good --run '('
check "the first failure" 1 '0 passed, 1 failed, 2 skipped' "$hclvm" test all/bad --fail-fast
total=0
for shard in 0 1 2; do
  total=$((total + $("$hclvm" test all --list --shard $shard/3 | wc -l)))
done
[[ $total == 7 ]] || fail "shards have $total cases"
check "a wrong shard" 2 'must be NUMBER/COUNT' "$hclvm" test all --shard 3/3

# What is no test.
check "no tests" 1 'there are no tests' "$hclvm" test all/none
check "no folder" 2 'nosuch is neither a folder nor a file' "$hclvm" test nosuch
check "no such file" 1 'cannot read all/good/nosuch.test.hcl' "$hclvm" test all/good/nosuch.test.hcl
check "no module" 1 'all has no *.hcl' "$hclvm" test all/nosuch.test.hcl
mkdir wrong && cp all/good/* wrong/ && echo 'test "t" { expct = 1 }' >wrong/w.test.hcl
check "a wrong file" 1 'Error[HCL5001]' "$hclvm" test wrong
check "the others run" 1 '2 files, 4 cases: 4 passed, 0 failed, 1 file not read' "$hclvm" test wrong
check "as JSON" 1 '{"severity":"error","code":"HCL5001"' "$hclvm" test wrong --diagnostics json
echo 'y = nosuch()' >wrong/more.hcl
check "a wrong module" 1 'on wrong/more.hcl line 1' "$hclvm" test wrong
[[ $(grep -c 'HCL3002' out) == 1 ]] || fail "mistakes of a module are told once"
check "a limit" 3 'HCL9202' "$hclvm" test all/good --limit max_fuel=1

# Forms.
"$hclvm" test all --format json >json
python3 - <<'END' || fail "JSON"
import json
cases = [json.loads(line) for line in open("json")]
assert [c["outcome"] for c in cases] == ["failed", "failed", "passed"] + 4 * ["passed"]
assert cases[0]["name"] == 'a <bad> & "odd" #1/one' and cases[0]["file"] == "all/bad/n.test.hcl"
assert cases[0]["failures"][0]["differences"] == [{"path": "", "expected": "true", "actual": "false"}]
END
mkdir odd && cp all/bad/* odd/ && cp wrong/w.test.hcl odd/
"$hclvm" test all odd --format junit >junit.xml 2>errors
xmllint --noout --relaxng "$junit" junit.xml 2>errors || fail "JUnit: $(cat errors)"
"$hclvm" test all --junit also.xml >text
grep -q '<testcase classname="all/good/n.test.hcl" name="table/low"' also.xml || fail "JUnit beside text"
grep -q '7 cases: 5 passed' text || fail "text beside JUnit"
for path in same.xml ./same.xml; do
  check "two outputs of one name" 2 '--junit and --coverage-output name one file' \
    "$hclvm" test all/good --junit same.xml --coverage-output "$path"
done
[[ ! -e same.xml ]] || fail "a refused output was written"
ln -s also.xml link.xml
check "two names of one file" 2 'name one file' "$hclvm" test all/good --junit also.xml --coverage-output link.xml
check "outputs that nobody keeps" 0 '' "$hclvm" test all/good --junit /dev/null --coverage-output /dev/null
check "a file that cannot be written" 1 'cannot write none/also.xml' "$hclvm" test all/good --junit none/also.xml
"$hclvm" test all odd --format tap >tap 2>errors
python3 - <<'END' || fail "TAP: $(cat tap)"
import re
lines = open("tap").read().splitlines()
assert lines[0] == "TAP version 14"
points = [line for line in lines if re.match(r"(not )?ok \d+ - ", line)]
assert lines[1] == f"1..{len(points)}"
assert [int(re.search(r"\d+", line)[0]) for line in points] == list(range(1, len(points) + 1))
in_block = False
for line in lines[2:]:
    if line == "  ---":
        assert not in_block
        in_block = True
    elif line == "  ...":
        assert in_block
        in_block = False
    elif in_block:
        assert re.match(r"    ?\w+: ?|  \w+:", line), line
    else:
        assert line in points, line
        assert not re.search(r"(?<!\\)#", line) or "# SKIP" in line, line
assert not in_block
END

# Recorded requests.
mkdir recorded && cp all/good/*.hcl recorded/ && rm recorded/n.test.hcl
printf '{"n": 1}\n{"n": 20}\n{}\n' >recorded/q.ndjson
printf 'test "r" {\n  requests = "q.ndjson"\n  answers  = "a.ndjson"\n}\n' >recorded/r.test.hcl
check "no answers" 1 'hclvm test --update writes it' "$hclvm" test recorded
check "updated" 0 '1 updated' "$hclvm" test recorded --update
check "then they are there" 0 '1 passed' "$hclvm" test recorded
diff recorded/a.ndjson - <<'END' || fail "answers"
{"value":false}
{"value":true}
{"diagnostics":[{"code":"HCL3121"}]}
END
"$hclvm" run recorded --scopes recorded/q.ndjson --entry big >recorded/a.ndjson 2>/dev/null
check "as hclvm run writes them" 0 '1 passed' "$hclvm" test recorded
echo 'big = n > 0' >recorded/policy.hcl
check "another answer" 1 'a.ndjson line 1 is another answer' "$hclvm" test recorded

# Functions of the host.
mkdir host && echo 'x = country("a")' >host/policy.hcl
echo '{"functions": {"country": {"parameters": [{"name": "ip", "type": "string"}], "result": "string"}}}' >host.json
printf 'test "t" { expect = { x = "de" } }\n' >host/t.test.hcl
check "a function that is not there" 1 'HCL3002' "$hclvm" test host
check "one that is described" 1 'x: unknown (string), expected "de"' "$hclvm" test host --functions host.json
printf 'function "country" {\n  params = [ip]\n  result = "de"\n}\n' >>host/t.test.hcl
check "one that is stood in for" 0 '1 passed' "$hclvm" test host --functions host.json
check "and not described" 0 '1 passed' "$hclvm" test host

# Watching: a run for each change, until it is stopped.
"$hclvm" test all/good --watch >watch 2>&1 &
watcher=$!
wait_for() {
  for _ in $(seq 100); do
    grep -q "$1" watch && return 0
    sleep 0.1
  done
  fail "watching: no \"$1\" in $(cat watch)"
}
wait_for '4 passed'
echo 'big = n > 10000' >all/good/policy.hcl
wait_for '2 passed, 2 failed'
kill "$watcher" && wait "$watcher" 2>/dev/null

exit $((failures > 0))
