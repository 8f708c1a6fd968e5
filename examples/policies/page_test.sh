#!/usr/bin/env bash
# Runs page_check.py on the page, and on others that show something else: page_test.sh CHECK PAGE FILE...
set -euo pipefail

check=$1 page=$2
shift 2
python3 "$check" "$page" "$@"
other=${TEST_TMPDIR:-$(mktemp -d)}/other.md
for change in 's/user\.suspended }/!user.suspended }/' 's/"rule":"suspended"/"rule":"owner"/' 's/policies\/roles)/policies\/other)/'; do
  sed "$change" "$page" >"$other"
  if cmp -s "$page" "$other" || python3 "$check" "$other" "$@" >/dev/null; then
    echo "not found: $change"
    exit 1
  fi
done
