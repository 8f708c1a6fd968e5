#!/usr/bin/env bash
# Some hundred programs by both sides: run_test.sh DIFFERENTIAL BUILD_ORACLE VARIABLES.
#
# Passes with one line that says so where Go or the reference implementation is not installed.
set -uo pipefail

differential=$1 build_oracle=$2 variables=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export HOME=${HOME:-$dir} GOCACHE=${GOCACHE:-$dir/cache}
failures=0

fail() {
  echo "FAIL $*"
  failures=$((failures + 1))
}

"$differential" 2>/dev/null
[[ $? == 2 ]] || fail "wrong usage"
"$differential" "$variables" /no/such/oracle 2>/dev/null
[[ $? == 2 ]] || fail "an oracle that is not there"

# An oracle that never fails differs about most programs.
cat >"$dir/wrong" <<'ORACLE'
#!/usr/bin/env bash
echo '{"version":"wrong","functions":[]}'
count=0
while IFS= read -r line; do
  ((${#line} > 0)) && ((++count)) && continue
  for ((; count > 0; --count)); do echo '{"type":"number","value":-7.25}'; done
done
ORACLE
chmod +x "$dir/wrong"
HCLVM_TEST_SEED=9 "$differential" --programs 5 "$variables" "$dir/wrong" >"$dir/out"
[[ $? == 1 ]] || fail "differences without a reason do not count"
grep -q '^HCLVM_TEST_SEED=9$' "$dir/out" || fail "the seed is not printed"
grep -q '^unexplained: [1-9]' "$dir/out" || fail "$(cat "$dir/out")"

"$build_oracle" "$dir/oracle" 2>"$dir/err"
case $? in
  0)
    for programs in "--programs 800" "--net --programs 800"; do
      # shellcheck disable=SC2086 # options
      "$differential" $programs "$variables" "$dir/oracle" >"$dir/out" || fail "$(cat "$dir/out")"
    done
    ;;
  3) echo "skipped: $(cat "$dir/err")" ;;
  *) fail "the oracle does not build: $(cat "$dir/err")" ;;
esac
exit $((failures > 0))
