#!/usr/bin/env bash
# Runs an example through the built program and compares what it prints.
#
# run_test.sh HCLVM CONFIG SCOPES WANT [RUN OPTION]...: `HCLVM run CONFIG --scopes SCOPES RUN OPTION...` must exit with 0
# and print WANT. If WANT has fewer lines than SCOPES, only as many scopes are run.
set -euo pipefail

program=$1 config=$2 scopes=$3 want=$4
shift 4
folder=${TEST_TMPDIR:-$(mktemp -d)}

head -n "$(wc -l <"$want")" "$scopes" >"$folder/scopes.ndjson"
status=0
"$program" run "$config" --scopes "$folder/scopes.ndjson" "$@" >"$folder/got.ndjson" 2>"$folder/stderr" || status=$?
cat "$folder/stderr"
if ((status != 0)); then
  echo "exit status $status"
  exit 1
fi
if ! cmp -s "$want" "$folder/got.ndjson"; then
  echo "differs from $want:"
  diff "$want" "$folder/got.ndjson" | head -20
  exit 1
fi
