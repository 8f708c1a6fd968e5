#!/usr/bin/env bash
# Runs an example and compares what it prints with the comment at its end: example_test.sh PROGRAM SOURCE.
#
# Behind "// Reads:" stands its input, behind "// Prints:" its output, each line after three blanks.
set -euo pipefail

# lines HEADING: the lines of the comment under it.
lines() { sed -n "/^\/\/ $1:\$/,/^\/\/\$\|^\$/p" "$source" | sed -n 's,^//   ,,p;s,^//$,,p' | sed '1{/^$/d}'; }

program=$1 source=$2
folder=${TEST_TMPDIR:-$(mktemp -d)}
sed -n '/^\/\/ Prints:$/,$p' "$source" | sed '1d;s,^//   ,,;s,^//$,,' >"$folder/want"
lines Reads >"$folder/input"
status=0
"$program" <"$folder/input" >"$folder/got" 2>"$folder/stderr" || status=$?
cat "$folder/stderr"
if ((status != 0)) || ! cmp -s "$folder/want" "$folder/got"; then
  echo "$source: exit status $status"
  diff "$folder/want" "$folder/got"
  exit 1
fi
