#!/usr/bin/env bash
# Input that asks for more memory, output or time than there is: hostile_test.sh HCLVM.
#
# One line may fail, and has to say that a limit was reached; the others are answered, and the program goes on to its
# end. Address sanitizers reserve more address space than any of these limits allow: then only the rest is tested.
set -uo pipefail

hclvm=$(readlink -f "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0
bounded=true
if grep -q -e __asan_init -e __tsan_init "$hclvm"; then
  echo "not tested in this build: limits of address space"
  bounded=false
fi

fail() {
  echo "FAIL $1"
  [[ -s out ]] && cut -c1-300 out | sed 's/^/  stdout: /'
  [[ -s err ]] && cut -c1-300 err | head -5 | sed 's/^/  stderr: /'
  failures=$((failures + 1))
}

# run KILOBYTES ARGS...: hclvm in so much address space; its status is in $status.
run() {
  local kilobytes=$1
  shift
  status=0
  (
    [[ $bounded == false ]] || ulimit -v "$kilobytes"
    exec timeout 300 "$hclvm" "$@"
  ) >out 2>err </dev/null || status=$?
}

# expect_lines NAME PATTERN...: status 3, and each line of the output is like the pattern for it.
expect_lines() {
  local name=$1 n=0 line
  shift
  [[ $status == 3 ]] || fail "$name: status $status"
  [[ $(wc -l <out) == $# ]] || fail "$name: $(wc -l <out) lines instead of $#"
  for pattern in "$@"; do
    n=$((n + 1))
    line=$(sed -n "${n}p" out | cut -c1-400)
    grep -qE "$pattern" <<<"$line" || fail "$name: line $n: no $pattern"
  done
}

# Failed attempts in a loop: what they quote must not add up.
python3 - <<'PYTHON'
import json
keys = {"k%d" % n: n for n in range(100)}
groups = [{"keys": list(keys), "default": n} for n in range(40)]
with open("groups.ndjson", "w") as out:
    for table in ({}, keys, {}):
        print(json.dumps({"groups": groups, "table": table}), file=out)
with open("numbers.ndjson", "w") as out:
    print('{"x": 1}\n{"x": [%s]}\n{"x": 2}' % ",".join(["1e99999"] * 40000), file=out)
with open("large.ndjson", "w") as out:
    print('{"n": 3}\n{"n": 1000}\n{"n": 2}', file=out)
with open("long.ndjson", "w") as out:
    print('{"n": 1}\n{"n": "%s"}\n{"n": 2}' % ("x" * 200_000_000), file=out)
with open("nested.ndjson", "w") as out:
    print('{"n": 1}\n{"n": [%s]}\n{"n": 2}' % ",".join(["[0]"] * 10_000_000), file=out)
with open("large.hcl", "w") as out:
    for n in range(400_000):
        print('a%d = "%d ${x}"' % (n, n), file=out)
PYTHON
echo 'v = [for g in groups : try([for k in g.keys : table[k]], g.default)]' >groups.hcl
run 6000000 run groups.hcl --scopes groups.ndjson
[[ $status == 0 && $(wc -l <out) == 3 ]] || fail "tries in a loop: status $status"
echo 'v = [for g in groups : try([for k in g.keys : table[k]], g.nothing)]' >groups.hcl
run 6000000 run groups.hcl --scopes groups.ndjson
[[ $status == 1 && $(wc -l <out) == 3 ]] || fail "failing tries in a loop: status $status"
sed -n 1p out | grep -q 'no expression succeeded' || fail 'failing tries in a loop: no message'
(($(wc -c <out) < 2000000)) || fail "failing tries in a loop: $(wc -c <out) bytes of messages"

# Numbers of few bytes and many digits.
echo 'v = x' >echo.hcl
run 2000000 run echo.hcl --scopes numbers.ndjson
expect_lines 'numbers echoed' '"v":1' 'max_(output|result)_bytes' '"v":2'
run 2000000 eval -e '[for i in range(1000): [for j in range(1000): 1e99999]]'
[[ $status == 3 && ! -s out ]] || fail "many digits: status $status"

# Memory that the system refuses, while evaluating and while reading.
if [[ $bounded == true ]]; then
  inner='[for j in range(n) : [for k in range(n) : "${i}, ${j} and ${k} are the numbers of this one"]]'
  echo "v = length([for i in range(n) : $inner])" >large.hcl2
  run 150000 run large.hcl2 --scopes large.ndjson --limit max_result_bytes=4000000000
  expect_lines 'a large result' '"v":3' 'Out of memory' '"v":2'
  echo 'v = n == 1 ? 1 : 2' >short.hcl
  run 150000 run short.hcl --scopes long.ndjson
  expect_lines 'a long line' '"v":1' 'Out of memory' '"v":2'
  run 150000 run short.hcl --scopes nested.ndjson --limit max_result_bytes=4000000000
  expect_lines 'a line of many values' '"v":1' 'Out of memory' '"v":2'
  run 100000 run large.hcl --scopes large.ndjson
  [[ $status == 3 ]] && grep -qi 'memory' err || fail "a large config: status $status"
  run 400000 run short.hcl --scopes large.ndjson --threads 200
  [[ $status == 0 && $(wc -l <out) == 3 ]] && grep -q 'threads' err || fail "threads: status $status"
fi

# In any address space the program ends by itself, with an answer for each line or a word about those that are missing.
if [[ $bounded == true ]]; then
  for kilobytes in {26000..200000..6000}; do
    run "$kilobytes" run large.hcl2 --scopes nested.ndjson --threads 4 --limit max_result_bytes=4000000000
    ((status < 126)) || grep -q 'error while loading\|cannot allocate' err || fail "in $kilobytes kB: status $status"
    [[ $(wc -l <out) == 3 ]] || grep -qi 'memory\|allocate' err || fail "in $kilobytes kB: $(wc -l <out) lines"
  done
fi

# Files are not read when their size says that they are too large.
truncate -s 5G sparse
for arguments in 'eval sparse' 'disasm sparse' 'run sparse --scopes large.ndjson' 'eval -e 1 --vars sparse' \
  'decode --spec sparse echo.hcl'; do
  # shellcheck disable=SC2086
  run 200000 $arguments
  [[ $status != 0 ]] && grep -q 'max_source_bytes' err || fail "$arguments: status $status"
done

# Offsets have 32 bits, whatever the limit is.
run 200000 eval sparse --limit max_source_bytes=10000000000
[[ $status == 3 ]] && grep -q 'more than 4294967294 bytes' err || fail "a file beyond 4 GiB: status $status"

# Texts of many parts, compiled and listed: each takes a second or two, and would not end in time where a search for each
# part went through all others. (ProgramTest.ManyPathsAreFoundAtOnce counts the steps of such a search.)
python3 - <<'PYTHON'
with open("guards.hcl", "w") as out:
    for n in range(400_000):
        print('a%d = x%d == null ? "a" : x%d.b == null ? "c" : x%d.c' % (n, n, n, n), file=out)
PYTHON
for command in 'disasm large.hcl' 'check guards.hcl'; do
  status=0
  # shellcheck disable=SC2086
  "$hclvm" $command >out 2>err || status=$?
  [[ $status == 0 ]] || fail "$command: status $status"
done

# Time.
cat >slow.ndjson <<'JSON'
{"n": 3}
{"n": 1000}
{"n": 2}
JSON
echo 'v = length([for i in range(n) : length([for j in range(n) : alltrue([for k in range(n) : i + j + k >= 0])])])' >slow.hcl
run 8000000 run slow.hcl --scopes slow.ndjson --timeout 300 --limit max_fuel=1000000000000000 \
  --limit max_result_bytes=1000000000000
expect_lines 'a line that takes long' '"v":3' 'interrupted' '"v":2'

((failures == 0))
