#!/usr/bin/env bash
# Checks that the committed files are what they claim: generate_test.sh GENERATE REQUESTS DECISIONS POLICY.
#
# The generator must write REQUESTS again, and DECISIONS must contain each rule of POLICY, so that a change of the mix
# or a new rule does not go untested. Ids grow beyond their five digits.
set -euo pipefail

"$1" | cmp - "$2"
ids=$("$1" 2 99999 | grep -o '"r-[0-9]*"' | tr '\n' ' ')
if [[ $ids != '"r-99999" "r-100000" ' ]]; then
  echo "ids of requests: $ids"
  exit 1
fi
rules=$(sed -n 's/^ *{ id = "\([^"]*\)".*$/\1/p' "$4")
if (($(wc -l <<<"$rules") < 12)); then
  echo "no rules found in $4"
  exit 1
fi
for rule in $rules; do
  if ! grep -q "\"rule\":\"$rule\"" "$3"; then
    echo "no request reaches rule $rule"
    exit 1
  fi
done
