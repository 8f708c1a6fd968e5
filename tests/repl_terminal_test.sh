#!/usr/bin/env bash
# hclvm repl on a terminal, by tmux: repl_terminal_test.sh HCLVM FILE..., where FILE are those of examples/convert.
#
# Keys are sent, and the screen is looked at until it shows what they should give.
set -uo pipefail

hclvm=$(readlink -f "$1")
module=$(readlink -f "$(dirname "$2")")
if ! command -v tmux >/dev/null; then
  echo "no tmux here; nothing checked"
  exit 0
fi
dir=$(mktemp -d)
export TMUX_TMPDIR=$dir LC_ALL=C.UTF-8 HOME=$dir XDG_STATE_HOME=$dir/state
unset TMUX
finish() {
  tmux kill-server 2>/dev/null
  rm -rf "$dir"
}
trap finish EXIT
mkdir "$dir/policies"
cp "$module"/{policy,variables}.hcl "$dir/policies"

# start ARGUMENT...: a screen with the program. What it exits with is in the file "status".
start() {
  tmux kill-session -t repl 2>/dev/null
  rm -f "$dir/status"
  tmux -f /dev/null new-session -d -s repl -x 100 -y 40 \
    "cd '$dir'; TERM=screen '$hclvm' repl $*; echo \$? >status.new; mv status.new status; sleep 600"
}
keys() { tmux send-keys -t repl "$@"; }
# expect WHAT: a line of the screen is WHAT, within 20 seconds.
expect() {
  local tries
  for ((tries = 0; tries < 200; ++tries)); do
    tmux capture-pane -p -t repl | sed 's/ *$//' | grep -qxF -- "$1" && return
    sleep 0.1
  done
  printf 'FAIL the screen has no line "%s":\n' "$1"
  tmux capture-pane -p -t repl
  exit 1
}
expect_status() {
  local tries
  for ((tries = 0; tries < 200; ++tries)); do
    [[ -f $dir/status ]] && break
    sleep 0.1
  done
  [[ $(cat "$dir/status" 2>/dev/null) == "$1" ]] || { echo "FAIL the status is not $1" && exit 1; }
}

start policies --scopes "$module/requests.ndjson" --limit max_fuel=1000000000000000
expect '>'
keys '1 + 2' Enter
expect '3'
# Several lines.
keys '[40,' Enter
expect '.'
keys '41]' Enter
expect '[40,41]'
# Editing: the cursor goes to the left, and to the start.
keys '7 * 6' Left Left Left Left '0' Enter
expect '420'
# Completion, of a path and of a function.
keys 'var.us' Tab '.na' Tab Enter
expect '"ann"'
keys 'jsonenc' Tab '"é")' Enter
expect '"\"é\""'
keys 'greet' Tab Enter
expect '"Hello, ann!"'
# What was typed is dropped.
keys '[1, 2' Enter
expect '.'
keys C-c
keys '"after"' Enter
expect '"after"'
# An evaluation is interrupted, however fast or slow the machine is: this one would take hours.
keys 'sum([for a in range(999) : sum([for b in range(999) : sum([for c in range(999) : a * b + sum(range(999))])])])' Enter
sleep 0.5
keys C-c
expect 'Error[HCL9201]: Evaluation interrupted'
keys '"alive"' Enter
expect '"alive"'
keys C-d
expect_status 0

# The history is there in the next session.
[[ $(stat -c %a "$dir/state/hclvm/history") == 600 ]] || { echo "FAIL others can read the history" && exit 1; }
start
expect '>'
keys Up Enter
expect '"alive"'
keys ':quit' Enter
expect_status 0
