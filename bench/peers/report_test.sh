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

# A family of its own: only its part is written.
printf '<!-- peers:begin -->\nold\n<!-- peers:end -->\n<!-- breadth:begin -->\nold\n<!-- breadth:end -->\n' >docs/performance.md
rm docs/*.svg
cat >breadth <<'END'
{"title":"B01","text":"Roles"}
{"peer":"vm","label":"VM","version":"this one"}
{"peer":"vm","workload":"B01","ns":30,"allocs":0,"bytes":0,"iterations":9}
END
"$report" breadth docs >printed 2>err && fail "accepts a missing README.md"
grep -qF 'cannot read docs/../README.md' err || fail "$(cat err)"
grep -qF B01 docs/performance.md && fail "writes a part only"
printf '<!-- breadth:begin -->\n<!-- breadth:end -->\n' >README.md
"$report" breadth docs >printed || fail "does not write breadth"
grep -q '^Over 1 policies' README.md || fail "README.md"
printf '<!-- peers:begin -->\nold\n<!-- peers:end -->\n<!-- breadth:begin -->\n\n%s\n\n<!-- breadth:end -->\n' "$(cat printed)" |
  diff - docs/performance.md || fail "performance.md with breadth"
grep -qF '| B01 Roles | 30.0 (0 %) |' docs/performance.md || fail "no row of B01"
[[ $(ls docs) == performance.md ]] || fail "writes charts of breadth"

echo "no markers" >docs/performance.md
"$report" results docs 2>err >/dev/null && fail "accepts a page without markers"
grep -qF 'lacks the markers' err || fail "$(cat err)"
echo "no json" >>results
"$report" results 2>err >/dev/null && fail "accepts anything"
grep -qF 'line 5 is no measurement: no json' err || fail "$(cat err)"
"$report" nothing 2>err >/dev/null && fail "accepts a missing file"
grep -qF 'cannot read nothing' err || fail "$(cat err)"
exit $((failures > 0))
