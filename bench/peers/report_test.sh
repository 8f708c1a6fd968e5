#!/usr/bin/env bash
# The report writes into a documentation folder, and says what it cannot do: report_test.sh REPORT.
set -uo pipefail

report=$PWD/$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

fail() {
  echo "FAIL $*"
  failures=$((failures + 1))
}

cat >results <<'END'
{"fact":"processor","text":"fast"}
{"peer":"vm","label":"VM","version":"this one"}
{"peer":"vm","workload":"W1","ns":30,"allocs":0,"bytes":0,"iterations":9}
{"peer":"vm","workload":"P1","ns":3000000,"allocs":5,"bytes":70000,"iterations":9}
END
mkdir docs
printf 'before\n<!-- peers:begin -->\nold\n<!-- peers:end -->\nafter\n' >docs/performance.md

"$report" results >printed || fail "does not print"
[[ $(ls docs) == performance.md && $(cat docs/performance.md) == *old* ]] || fail "writes without being asked"
"$report" results docs >printed || fail "does not write"
printf 'before\n<!-- peers:begin -->\n\n%s\n\n<!-- peers:end -->\nafter\n' "$(cat printed)" | diff - docs/performance.md ||
  fail "performance.md"
grep -qF '| W1 | 30.0 (0 %) |' docs/performance.md || fail "no row of W1"
grep -qF '</svg>' docs/evaluate.svg || fail "evaluate.svg"
grep -qF '</svg>' docs/parse.svg || fail "parse.svg"

echo "no markers" >docs/performance.md
"$report" results docs 2>err >/dev/null && fail "accepts a page without markers"
grep -qF 'lacks the markers' err || fail "$(cat err)"
echo "no json" >>results
"$report" results 2>err >/dev/null && fail "accepts anything"
grep -qF 'line 5 is no measurement: no json' err || fail "$(cat err)"
"$report" nothing 2>err >/dev/null && fail "accepts a missing file"
grep -qF 'cannot read nothing' err || fail "$(cat err)"
exit $((failures > 0))
