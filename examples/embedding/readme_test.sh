#!/usr/bin/env bash
# Checks that README.md shows the embedding example as it is compiled, and that the example does what README.md says:
# readme_test.sh PROGRAM SOURCE README.
set -euo pipefail

want=$(sed -n '/\[README\]/,/\[\/README\]/p' "$2" | sed '1d;$d' | sed 's/^  //')
got=$(sed -n '/^```cpp$/,/^```$/p' "$3" | sed '1d;$d' | grep -v '^#include' | sed '/./,$!d')
if [[ $want != "$got" ]]; then
  echo "README.md does not show examples/embedding/policy.cc:" >&2
  diff <(echo "$want") <(echo "$got") >&2 || true
  exit 1
fi
answer=$("$1")
[[ $answer == 1 ]] || { echo "the example answered: $answer" >&2; exit 1; }
