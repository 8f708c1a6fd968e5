#!/usr/bin/env bash
# hclvm repl without a terminal: repl_command_test.sh HCLVM FILE..., where FILE are those of examples/convert.
set -uo pipefail

hclvm=$(readlink -f "$1")
module=$(readlink -f "$(dirname "$2")")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"
export HOME=$dir XDG_STATE_HOME=$dir/state

requests=$module/requests.ndjson
mkdir policies
cp "$module"/{policy,variables}.hcl policies

check_streams "an expression" 0 3 '' "$hclvm" repl -e '1 + 2'
check_streams "several" 0 $'3\n"A"' '' "$hclvm" repl -e '1 + 2' -e ':let a = "a"' -e 'upper(a)'
check_streams "every input has its answer" 1 $'1\n2' 'HCL3001' "$hclvm" repl -e 1 -e nosuch -e 2
check_streams "a pipe" 0 $'1\n[2,3]\n"x\\n"' '' "$hclvm" repl <<<$'1\n\n[2,\n\n3]\n<<E\nx\nE'
check_streams "a pipe without a last line end" 0 1 '' "$hclvm" repl < <(printf 1)
check_streams "a pipe of lines with carriage returns" 0 $'1\n[2]' '' "$hclvm" repl < <(printf '1\r\n[\r\n2]\r\n')
check_streams "what is open at the end" 1 1 'HCL1' "$hclvm" repl <<<$'1\n[2,'
check_streams "nothing" 0 '' '' "$hclvm" repl </dev/null
check_streams "the end by a command" 0 1 '' "$hclvm" repl <<<$'1\n:quit\n2'
check_streams "a module" 0 $'true\n"Hello, ann!"' '' "$hclvm" repl policies -s "$requests" -e allow -e greeting
check_streams "a file of a module" 0 '["bo"]' '' "$hclvm" repl --module policies/variables.hcl -e ':load policies/variables.hcl' \
  -e 'setsubtract(local.owners, var.team)'
check_streams "a limit" 3 '' 'HCL9' "$hclvm" repl --limit max_fuel=10 -e '[for a in range(99) : a]'
check_streams "a time" 3 '' 'HCL9' "$hclvm" repl --timeout 20 --limit max_fuel=1000000000000 \
  -e 'sum([for a in range(999) : sum([for b in range(999) : sum([for c in range(999) : a * b * c])])])'
check_streams "too long a line" 3 2 'over 1 MiB' "$hclvm" repl < <(head -c 2000000 /dev/zero | tr '\0' 1 && printf '\n2\n')
check_streams "too long an input" 3 1 'over 1 MiB' "$hclvm" repl < <(echo 1 && echo '[' && seq 200000 | sed 's/$/,/' && echo 2)
check_streams "comments" 0 1 '' "$hclvm" repl <<<$'# one\n1\n// two'
check_streams "deep nesting" 3 '' 'HCL9004' "$hclvm" repl < <(head -c 100000 /dev/zero | tr '\0' '(' && head -c 100000 /dev/zero | tr '\0' ')')
check_streams "no UTF-8" 1 2 'HCL1001' "$hclvm" repl < <(printf '"\xff"\n2\n')
check_streams "a wrong module" 1 '' 'HCL3101' "$hclvm" repl --module <(echo 'a = var.nosuch') -e 1
check_streams "no module" 2 '' 'is no directory' "$hclvm" repl nosuch -e 1
check_streams "no requests" 1 '' 'cannot read' "$hclvm" repl -s nosuch.ndjson -e 1
check_streams "two modules" 2 '' 'one DIR' "$hclvm" repl policies policies
check_streams "help" 0 "$("$hclvm" repl -e ':help')" '' "$hclvm" repl -e ':help'
[[ ! -e state && ! -e .local ]] || { echo "FAIL a history without a terminal" && failures=$((failures + 1)); }

# Many short lines, and many brackets that stay open, take time that is about linear.
check_streams "many lines" 0 20000 '' bash -c "seq 20000 | '$hclvm' repl | wc -l"
check_streams "an open bracket over many lines" 0 30000 '' \
  bash -c "{ echo 'length(['; yes '1,' | head -n 30000; echo '])'; } | '$hclvm' repl"
# A reader that goes away ends the program.
check_streams "a closed pipe" 0 1 '' bash -c "yes 1 | timeout 60 '$hclvm' repl | head -n 1"

((failures == 0)) || echo "$failures failures"
exit $((failures > 0))
