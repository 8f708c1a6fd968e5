#!/usr/bin/env bash
# Standard output that cannot be written: output_test.sh HCLVM HCLDEC.
#
# Every command that prints something has to notice that it could not, say so on stderr, and end with status 1.
set -uo pipefail

hclvm=$(readlink -f "$1")
hcldec=$(readlink -f "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

fail() {
  echo "FAIL $1"
  [[ -s err ]] && sed 's/^/  stderr: /' err
  failures=$((failures + 1))
}

# unwritable COMMAND...: runs it on a full disk, with a closed standard output, and where files may not grow.
unwritable() {
  local got=0
  timeout 60 "$@" >/dev/full 2>err </dev/null || got=$?
  [[ $got == 1 ]] && grep -q 'cannot write' err || fail "full: status $got: $*"
  [[ $(grep -c 'cannot write' err) == 1 ]] || fail "full, said once: $*"
  got=0
  timeout 60 "$@" >&- 2>err </dev/null || got=$?
  [[ $got == 1 ]] && grep -q 'cannot write' err || fail "closed: status $got: $*"
  (ulimit -f 0 && exec timeout 60 "$@" 2>&1 >large </dev/null) | cat >err
  got=${PIPESTATUS[0]}
  [[ $got == 1 ]] && grep -q 'cannot write' err || fail "a file that may not grow: status $got: $*"
  got=0
  "$@" >out 2>err </dev/null || got=$?
  [[ $got == 0 && -s out ]] || fail "status $got where there is room: $*"
}

echo 'a = 1' >config.hcl
echo 'attr { name = "a" }' >spec.hcldec
printf '{}\n{}\n' >scopes.ndjson
printf 'a = "%s"\n' "$(printf 'x%.0s' {1..100000})" >long.hcl

unwritable "$hclvm" --help
unwritable "$hclvm" help
unwritable "$hclvm" --version
for command in run eval functions decode disasm; do unwritable "$hclvm" "$command" --help; done
unwritable "$hclvm" eval -e '1 + 2'
unwritable "$hclvm" eval config.hcl --typed
unwritable "$hclvm" eval long.hcl
unwritable "$hclvm" run config.hcl --scopes scopes.ndjson
unwritable "$hclvm" run long.hcl --scopes scopes.ndjson --threads 3 --quiet
unwritable "$hclvm" functions
unwritable "$hclvm" functions --output markdown
unwritable "$hclvm" functions abs upper
unwritable "$hclvm" disasm config.hcl
unwritable "$hclvm" disasm -e 'a.b'
unwritable "$hclvm" decode --spec spec.hcldec config.hcl
unwritable "$hclvm" decode --spec spec.hcldec --var-refs config.hcl
unwritable "$hclvm" decode --spec spec.hcldec --scopes scopes.ndjson config.hcl
unwritable "$hclvm" decode --version
unwritable "$hcldec" --spec spec.hcldec config.hcl
unwritable "$hcldec" --spec spec.hcldec long.hcl
unwritable "$hcldec" --spec spec.hcldec --with-type config.hcl
unwritable "$hcldec" --spec spec.hcldec --var-refs config.hcl
unwritable "$hcldec" --version

# A file that cannot be written, and a standard output that nobody needs.
got=0
"$hcldec" --spec spec.hcldec --out /dev/full config.hcl >out 2>err || got=$?
[[ $got == 1 ]] && grep -q 'cannot write the result: No space' err || fail "--out on a full disk: status $got"
got=0
"$hcldec" --spec spec.hcldec --out result config.hcl >&- 2>err || got=$?
[[ $got == 0 && $(cat result) == 1 && ! -s err ]] || fail "--out without standard output: status $got"

# With stderr closed, its number does not go to the file of results.
got=0
echo 'a = nosuch' >wrong.hcl
"$hcldec" --spec spec.hcldec --out result wrong.hcl 2>&- || got=$?
[[ $got == 2 && $(cat result) == 1 ]] || fail "diagnostics without stderr: status $got, $(cat result)"

# An input without an end is not read on when nobody gets the results.
for threads in 1 3; do
  got=0
  timeout 60 "$hclvm" run config.hcl --scopes <(yes '{}') --threads $threads --quiet >/dev/full 2>err || got=$?
  [[ $got == 1 ]] || fail "run on a full disk goes on: status $got with $threads threads"
done

((failures == 0)) && echo "all passed"
exit $((failures > 0))
