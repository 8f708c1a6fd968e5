#!/usr/bin/env bash
# Checks that what pages show of `hclvm check` is what the program prints: check_listings_test.sh HCLVM MODULES_PAGE PAGE...
#
# A listing of a PAGE begins with "$ hclvm check policies" (or "$ tools/hclvm ...") after a line of three backquotes, and ends
# before the next one. The module is made anew of it: the line that it quotes stands where it says, and the variables are those
# of the first listing of MODULES_PAGE, which is a module in files. The types that this page prints must be that module's.
set -euo pipefail

hclvm=$(readlink -f "$1")
modules=$(readlink -f "$2")
shift 2
pages=()
for page in "$@"; do pages+=("$(readlink -f "$page")"); done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# block FILE PATTERN: the text from behind the first line that PATTERN matches to the next line of three backquotes.
block() { awk -v pattern="$2" 'on && /^```/ { exit } on { print } $0 ~ pattern { on = 1 }' "$1"; }

# The files of the module that the page begins with: "# access/NAME" is the first line of each.
mkdir access
block "$modules" '^```hcl' | awk '/^# access\// { file = $2; next } { print >file }'
[[ -s access/variables.hcl && -s access/policy.hcl ]] || fail "no module in $modules"
wanted=$(sed -n '/^`hclvm check --show-types access`/,$p' "$modules" | block /dev/stdin '^```')
got=$("$hclvm" check --show-types access) || fail "the module of $modules has mistakes: $got"
[[ -n $wanted ]] || fail "no types in $modules"
[[ $got == "$wanted"* ]] || fail "the types of the module of $modules are now"$'\n'"$got"
[[ $got == *" 0 errors, 0 warnings" ]] || fail "the module of $modules: $got"

mkdir policies
cp access/variables.hcl policies/
for page in "${pages[@]}"; do
  wanted=$(block "$page" '^[$] (tools/)?hclvm check policies$')
  [[ -n $wanted ]] || fail "no listing in $page"
  number=$(sed -n 's|^  on policies/policy.hcl line \([0-9]*\), column .*|\1|p' <<<"$wanted")
  line=$(sed -n "s/^  $number | //p" <<<"$wanted")
  { for ((n = 1; n < number; n++)); do echo "# line $n"; done && echo "$line" && echo "limited = limit > 0"; } \
    >policies/policy.hcl
  got=$("$hclvm" check policies) && fail "the module of $page has no mistakes"
  [[ $got == "$wanted"* ]] || fail "the listing of $page is now"$'\n'"$got"
done
