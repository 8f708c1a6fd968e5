# What the tests of commands share. To be sourced, before the working directory changes: that is an empty folder, "$dir",
# afterwards. A test ends with a status that $failures decides.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

fail() {
  printf 'FAIL %s\n' "$*"
  failures=$((failures + 1))
}

# check NAME STATUS PART COMMAND...: PART stands in the output, or in what is told beside it. The output is in the file
# "out" afterwards.
check() {
  local name=$1 status=$2 part=$3 got=0
  shift 3
  "$@" >out 2>&1 </dev/null || got=$?
  if [[ $got != "$status" ]] || ! grep -qF -- "$part" out; then
    fail "$(printf '%s\n  status %s, want %s\n  %s\n  with: %s' "$name" "$got" "$status" "$(cat out)" "$part")"
  fi
}

# check_streams NAME STATUS STDOUT STDERR_PART COMMAND...: an empty STDERR_PART asks for no output there. The command
# reads the test's input; its output is in the files "out" and "err" afterwards.
check_streams() {
  local name=$1 status=$2 stdout=$3 stderr=$4 got=0
  shift 4
  "$@" >out 2>err || got=$?
  if [[ $got != "$status" || $(cat out) != "$stdout" ]] || ! grep -qF -- "$stderr" <(cat err && echo) ||
    { [[ -z $stderr ]] && [[ -s err ]]; }; then
    fail "$(printf '%s\n  status %s, want %s\n  stdout: %s\n    want: %s\n  stderr: %s\n    with: %s' \
      "$name" "$got" "$status" "$(cat out)" "$stdout" "$(cat err)" "$stderr")"
  fi
}
