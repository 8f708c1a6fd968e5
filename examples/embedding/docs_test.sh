#!/usr/bin/env bash
# Runs docs_check.py on the page, and on one that shows something else: docs_test.sh CHECK PAGE SOURCE...
set -euo pipefail

check=$1 page=$2
shift 2
python3 "$check" "$page" "$@"
other=${TEST_TMPDIR:-$(mktemp -d)}/other.md
sed 's/evaluator\.BindAll(/evaluator.Bind(/' "$page" >"$other"
if python3 "$check" "$other" "$@" >/dev/null; then
  echo "a block that is in no example was not found"
  exit 1
fi
