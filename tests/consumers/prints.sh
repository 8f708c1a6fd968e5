#!/usr/bin/env bash
# Checks that a program ends with status 0 and prints a text: prints.sh FILE COMMAND ARGS...
set -euo pipefail

want=$1
shift
"$@" | diff "$want" - || { echo "$1 does not print $want" >&2 && exit 1; }
