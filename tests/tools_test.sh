#!/usr/bin/env bash
# tools/hclvm and what tools/test says, with a Bazel that is played: tools_test.sh HCLVM TOOLS_HCLVM COMMON REQUESTS FILE...
#
# The files are those of the access example.
set -uo pipefail

hclvm=$(readlink -f "$1")
own=$(mktemp -d) dir=$(mktemp -d)
trap 'rm -rf "$own" "$dir"' EXIT
mkdir -p "$own/bin" "$dir"/{tools,vm,examples/access,out/bin/cmd/hclvm}
cp -L "$2" "$3" "$dir/tools/"
cp -L "${@:4}" "$dir/examples/access/"
printf '#!/bin/sh\n' >"$dir/tools/setup"
echo 1 >"$dir/vm/a.cc"
echo 2 >"$dir/vm/b.cc"
# Notes each build, says what Bazel says, and fails where a file says so.
cat >"$own/bin/bazel" <<'END'
#!/bin/sh
case $1 in
  info) echo "$HCLVM_TEST_DIR/out/bin" ;;
  build)
    echo "$@" >>"$HCLVM_TEST_OWN/calls"
    echo "INFO: Analyzed" >&2
    echo "[0 / 4] [Prepa] BazelWorkspaceStatusAction" >&2
    echo "[2 / 4] Compiling vm/a.cc; 0s" >&2
    [ ! -f "$HCLVM_TEST_DIR/vm/broken" ] || { echo "vm/a.cc:1:2: error: no such thing" >&2; exit 1; }
    ;;
esac
END
chmod +x "$dir/tools/setup" "$own/bin/bazel" "$dir/tools/hclvm"
cp "$hclvm" "$dir/out/bin/cmd/hclvm/hclvm"
export PATH="$own/bin:$PATH" HCLVM_TEST_OWN=$own HCLVM_TEST_DIR=$dir
failures=0

fail() {
  printf 'FAIL %s\n' "$*"
  failures=$((failures + 1))
}

# expect NAME BUILDS: `tools/hclvm eval` works, and so many builds have been made by now.
expect() {
  local got calls
  got=$("$dir/tools/hclvm" eval -e '1 + 2' 2>"$own/err")
  calls=$(wc -l <"$own/calls")
  [[ $got == 3 && $calls == "$2" ]] || fail "$1: $got, $calls builds, want $2: $(cat "$own/err")"
}

expect "the first run builds" 1
[[ $(cat "$own/err") == "[2/4] compiling" || $(cat "$own/err") == "[0/4] compiling" ]] || fail "it says: $(cat "$own/err")"
expect "nothing has changed" 1
[[ ! -s $own/err ]] || fail "a run without a build says: $(cat "$own/err")"
echo 3 >"$dir/vm/a.cc"
expect "an edit" 2
expect "nothing after an edit" 2
touch -d '2 days ago' "$dir/vm/a.cc"
expect "an edit with an old time" 3
rm "$dir/vm/b.cc"
expect "a file is gone" 4
mkdir -p "$dir/vm/new" && echo 5 >"$dir/vm/new/c.cc"
expect "a new file" 5
echo 6 >"$dir/vm/a.new" && touch -r "$dir/vm/a.cc" "$dir/vm/a.new" && mv "$dir/vm/a.new" "$dir/vm/a.cc"
expect "another file of the same size and time" 6
mkdir -p "$dir/tests" && echo 7 >"$dir/tests/a_test.cc"
expect "a test is no part of the program" 6
rm "$dir/out/tools/hclvm"
expect "the program is gone" 7
touch "$dir/vm/broken"
if "$dir/tools/hclvm" eval -e 1 >"$own/out.txt" 2>"$own/err"; then fail "a failed build succeeds"; fi
grep -q 'error: no such thing' "$own/err" || fail "a failed build says: $(cat "$own/err")"
rm "$dir/vm/broken"
expect "it works again" 9

# What is worth seeing.
"$dir/tools/hclvm" >"$own/shown" 2>"$own/err" || fail "tools/hclvm: $(cat "$own/err")"
[[ $(grep -cE '^  (allow|deny)  ' "$own/shown") == 3 ]] || fail "not three decisions: $(cat "$own/shown")"
grep -qE '^  [0-9,]+ allowed, [0-9,]+ denied; [0-9]{1,3}(,[0-9]{3})+ decisions a second' "$own/shown" || fail "$(cat "$own/shown")"

# What is passed on of a run of tests, and what is not.
. "$dir/tools/common.sh"
got=$(hclvm_watch "$own/log" 2>"$own/err" <<'END'
Loading: 0 packages loaded
INFO: Found 3 targets
[10 / 20] Compiling vm/a.cc; 1s
[15 / 20] 1 / 3 tests; Testing //vm:a_test; 5s
FAIL: //vm:a_test (see out/test.log)
==================== Test output for //vm:a_test:
INFO: a line of the test

it failed
================================================================================
[20 / 20] 3 / 3 tests, 1 failed
//vm:b_test                      PASSED in 0.2s
//vm:a_test                      FAILED in 1.2s
  out/testlogs/vm/a_test/test.log
INFO: Build completed, 1 test FAILED, 5 total actions
END
)
want='FAIL: //vm:a_test (see out/test.log)
==================== Test output for //vm:a_test:
INFO: a line of the test

it failed
//vm:a_test                      FAILED in 1.2s'
[[ $got == "$want" ]] || fail "passed on: $got"
[[ $(wc -l <"$own/log") == 15 ]] || fail "the log has $(wc -l <"$own/log") lines"
[[ $(wc -l <"$own/err") -le 3 ]] || fail "a log is told: $(cat "$own/err")"

# How much time is left: at the pace of now, not at that of what came from a cache.
hclvm_left_anew
while read -r at done want; do
  SECONDS=$at
  hclvm_left "$done" 600
  [[ $hclvm_left == "$want" ]] || fail "after $at s, $done of 600: '$hclvm_left', want '$want'"
done <<'END'
100 0
103 300
110 300 , less than a minute left
131 310 , less than a minute left
161 320 , about 14 min left
191 330 , about 14 min left
195 330 , about 15 min left
221 450 , less than a minute left
END

# What is being done, by a line of Bazel or of Ninja.
while IFS='|' read -r line want; do
  hclvm_said_at=-60 hclvm_said=
  got=$(hclvm_watch "$own/log" <<<"$line" 2>&1)
  [[ $got == "$want" ]] || fail "$line is $got"
done <<'END'
[2 / 4] Compiling vm/a.cc; 0s|[2/4] compiling
[1,214 / 1,499] Compiling vm/first_tests.cc; 0s|[1214/1499] compiling
[3/418] Building CXX object CMakeFiles/a.dir/compiler/first_tests.cc.o|[3/418] compiling
[4/418] Linking CXX executable hclvm|[4/418] linking
[5 / 9] Testing //vm:a_test; 5s|[5/9] testing
[5 / 9] 1 / 3 tests; Compiling vm/a.cc|[5/9] testing
[6 / 9] 2 / 15 tests, 1 failed; Testing //vm:a_test|[6/9] testing
END

# The slowest tests.
cat >"$own/log" <<'END'
//vm:b_test                      PASSED in 0.2s
//vm:c_test             (cached) PASSED in 9.0s
//tests:golden_test              FLAKY, failed in 1 out of 2 in 3.0s
//tests/slow:a_test              PASSED in 12.5s
  Stats over 4 runs: max = 12.5s, min = 1.0s, avg = 3.0s, dev = 0.1s
//tests:shard_test               FAILED in 1 out of 4 in 2.5s
//vm:t_test                      TIMEOUT in 300.1s
END
want='The slowest tests:
    300.1 s  //vm:t_test
     12.5 s  //tests/slow:a_test
      3.0 s  //tests:golden_test
      2.5 s  //tests:shard_test
      0.2 s  //vm:b_test'
got=$(hclvm_slowest "$own/log") || fail "the slowest tests: exit $?"
[[ $got == "$want" ]] || fail "the slowest tests: $got"
for ((n = 0; n < 5000; ++n)); do echo "//tests:test_with_a_long_name_$n PASSED in 1.0s"; done >"$own/log"
got=$(hclvm_slowest "$own/log") || fail "many tests: exit $?"
[[ $(wc -l <<<"$got") == 11 ]] || fail "many tests: $got"
got=$(hclvm_slowest /dev/null) || fail "no tests: exit $?"
[[ -z $got ]] || fail "no tests: $got"

# Times.
for pair in '59:less than a minute' '60:about 1 min' '170:about 3 min'; do
  [[ $(hclvm_time "${pair%%:*}") == "${pair#*:}" ]] || fail "$pair: $(hclvm_time "${pair%%:*}")"
done
((failures == 0))
