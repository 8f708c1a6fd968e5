#!/usr/bin/env bash
# Checks that the listings in a page are what the program prints: listings_test.sh HCLVM PAGE.
#
# A listing begins with "$ hclvm disasm -e 'EXPRESSION'" after a line of three backquotes, and ends before the next one.
set -euo pipefail

hclvm=$1
page=$2
checked=0
while IFS= read -r line; do
  [[ $line == "\$ hclvm disasm -e '"*"'" ]] || continue
  expression=${line#*\'}
  expression=${expression%\'}
  wanted=
  while IFS= read -r line && [[ $line != '```' ]]; do wanted+=$line$'\n'; done
  got=$("$hclvm" disasm -e "$expression")$'\n'
  if [[ $got != "$wanted" ]]; then
    printf 'the listing of %s is now\n%s' "$expression" "$got" >&2
    exit 1
  fi
  checked=$((checked + 1))
done <"$page"
[[ $checked -gt 0 ]] || { echo "no listing in $page" >&2 && exit 1; }
