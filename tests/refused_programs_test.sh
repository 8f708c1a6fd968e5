#!/usr/bin/env bash
# Runs a program with each allocation refused in turn: refused_programs_test.sh HCLVM REFUSE_MALLOC_LIBRARY [static]. It
# may do without the memory or report a limit, and never ends by a signal. Only what is linked as it is released ("static")
# is tested: sanitizers have a malloc() of their own.
set -euo pipefail

if [[ ${3:-} != static ]]; then
  echo "linked in another way; nothing tested"
  exit 0
fi
program=$(realpath "$1") library=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >policy.hcl <<'HCL'
allow  = can(regex("^(admin|owner)+@.*[0-9]{2}$", user.mail)) || contains(["a", "b"], user.role)
parts  = regexall("[a-z]+", user.mail)
digest = sha256(user.mail)
config = yamldecode("a: [1, {b: 2}]")
text   = "${user.mail} ${join(",", [for r in user.roles : upper(r)])}"
wrong  = try(user.none.there, [for r in user.roles : r + 1], "nothing")
HCL
echo '{"user": {"mail": "admin@example.org12", "role": "c", "roles": ["x", "y"]}}' >scopes.ndjson
# A mistake in the source, so that lines are looked for in a text.
printf 'a = 1\nb = "\xc3\xa9" + nosuch(\n' >wrong.hcl

# refuse COMMAND...: with each allocation of it.
refuse() {
  local n=0 status
  while :; do
    status=0
    LD_PRELOAD=$library REFUSE_MALLOC=$n "$@" >out 2>err 9>refused || status=$?
    [[ -s refused ]] || break
    if ((status > 3)); then
      echo "$*: exit status $status behind $n allocations" && cat err
      exit 1
    fi
    ((++n < 20000)) || { echo "$*: no end" && exit 1; }
  done
  ((n > 50)) || { echo "$*: only $n allocations were refused" && exit 1; }
  echo "$*: $n allocations, each refused once"
}

refuse "$program" run policy.hcl --scopes scopes.ndjson
refuse "$program" eval -e 'regexreplace("abc", "b(.)", "$1")'
refuse "$program" check wrong.hcl
