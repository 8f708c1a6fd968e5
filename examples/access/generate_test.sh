#!/usr/bin/env bash
# Checks that the committed files are what they claim: generate_test.sh GENERATE REQUESTS DECISIONS POLICY.
#
# The generator must write REQUESTS again, and DECISIONS must contain each rule of POLICY, so that a change of the mix
# or a new rule does not go untested.
set -euo pipefail

"$1" | cmp - "$2"
rules=$(sed -n 's/^ *id *= "\(.*\)"$/\1/p' "$4")
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
