#!/usr/bin/env bash
# hclvm repl without a terminal: repl_command_test.sh HCLVM FILE..., where FILE are those of examples/convert.
set -uo pipefail

hclvm=$(readlink -f "$1")
module=$(readlink -f "$(dirname "$2")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0
export HOME=$dir XDG_STATE_HOME=$dir/state

# check NAME STATUS STDOUT STDERR_PART COMMAND...: an empty STDERR_PART asks for no output there.
check() {
  local name=$1 status=$2 stdout=$3 stderr=$4 got=0
  shift 4
  "$@" >out 2>err || got=$?
  if [[ $got != "$status" || $(cat out) != "$stdout" ]] || ! grep -qF -- "$stderr" <(cat err && echo) ||
    { [[ -z $stderr ]] && [[ -s err ]]; }; then
    printf 'FAIL %s\n  status %s, want %s\n  stdout: %s\n    want: %s\n  stderr: %s\n    with: %s\n' \
      "$name" "$got" "$status" "$(cat out)" "$stdout" "$(cat err)" "$stderr"
    failures=$((failures + 1))
  fi
}

requests=$module/requests.ndjson
mkdir policies
cp "$module"/{policy,variables}.hcl policies

check "an expression" 0 3 '' "$hclvm" repl -e '1 + 2'
check "several" 0 $'3\n"A"' '' "$hclvm" repl -e '1 + 2' -e ':let a = "a"' -e 'upper(a)'
check "every input has its answer" 1 $'1\n2' 'HCL3001' "$hclvm" repl -e 1 -e nosuch -e 2
check "a pipe" 0 $'1\n[2,3]\n"x\\n"' '' "$hclvm" repl <<<$'1\n\n[2,\n\n3]\n<<E\nx\nE'
check "a pipe without a last line end" 0 1 '' "$hclvm" repl < <(printf 1)
check "a pipe of lines with carriage returns" 0 $'1\n[2]' '' "$hclvm" repl < <(printf '1\r\n[\r\n2]\r\n')
check "what is open at the end" 1 1 'HCL1' "$hclvm" repl <<<$'1\n[2,'
check "nothing" 0 '' '' "$hclvm" repl </dev/null
check "the end by a command" 0 1 '' "$hclvm" repl <<<$'1\n:quit\n2'
check "a module" 0 $'true\n"Hello, ann!"' '' "$hclvm" repl policies -s "$requests" -e allow -e greeting
check "a file of a module" 0 '["bo"]' '' "$hclvm" repl --module policies/variables.hcl -e ':load policies/variables.hcl' \
  -e 'setsubtract(local.owners, var.team)'
check "a limit" 3 '' 'HCL9' "$hclvm" repl --limit max_fuel=10 -e '[for a in range(99) : a]'
check "a time" 3 '' 'HCL9' "$hclvm" repl --timeout 20 --limit max_fuel=1000000000000 \
  -e 'sum([for a in range(999) : sum([for b in range(999) : sum([for c in range(999) : a * b * c])])])'
check "too long a line" 3 2 'over 1 MiB' "$hclvm" repl < <(head -c 2000000 /dev/zero | tr '\0' 1 && printf '\n2\n')
check "deep nesting" 3 '' 'HCL9004' "$hclvm" repl < <(head -c 100000 /dev/zero | tr '\0' '(' && head -c 100000 /dev/zero | tr '\0' ')')
check "no UTF-8" 1 2 'HCL1001' "$hclvm" repl < <(printf '"\xff"\n2\n')
check "a wrong module" 1 '' 'HCL3101' "$hclvm" repl --module <(echo 'a = var.nosuch') -e 1
check "no module" 2 '' 'is no directory' "$hclvm" repl nosuch -e 1
check "no requests" 1 '' 'cannot read' "$hclvm" repl -s nosuch.ndjson -e 1
check "two modules" 2 '' 'one DIR' "$hclvm" repl policies policies
check "help" 0 "$("$hclvm" repl -e ':help')" '' "$hclvm" repl -e ':help'
[[ ! -e state && ! -e .local ]] || { echo "FAIL a history without a terminal" && failures=$((failures + 1)); }

# Many short lines, and many brackets that stay open, take time that is about linear.
check "many lines" 0 20000 '' bash -c "seq 20000 | '$hclvm' repl | wc -l"
check "an open bracket over many lines" 0 30000 '' \
  bash -c "{ echo 'length(['; yes '1,' | head -n 30000; echo '])'; } | '$hclvm' repl"
# A reader that goes away ends the program.
check "a closed pipe" 0 1 '' bash -c "yes 1 | timeout 60 '$hclvm' repl | head -n 1"

((failures == 0)) || echo "$failures failures"
exit $((failures > 0))
