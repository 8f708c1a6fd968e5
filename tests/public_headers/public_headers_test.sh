#!/usr/bin/env bash
# Runs public_headers_check.py on this source tree, and on a copy of it that has faults.
#
# The first argument is public_headers_check.py. The source tree is found through the link that Bazel makes to it.
set -euo pipefail

check=$(readlink -f "$1")
top=${check%/tests/public_headers/*}
failures=0
python3 "$check" "$top" || failures=$((failures + 1))

# expect FAULT COMMAND...: COMMAND, run in a copy of the tree's headers, brings about that fault.
expect() {
  local fault=$1 tree=${TEST_TMPDIR:-/tmp}/tree
  shift
  rm -rf "$tree"
  mkdir -p "$tree"
  (cd "$top" && find base hcl vm compiler decode module internal docs/embedding.md hclvm.h ndjson.h tests/public_headers \
    \( -name '*.h' -o -name '*.bzl' -o -name '*.md' -o -name '*.def' \) -print0 |
    xargs -0 cp --parents -t "$tree")
  (cd "$tree" && "$@")
  local faults
  faults=$(CXX=false python3 "$check" "$tree" || true)
  if grep -qF "$fault" <<<"$faults"; then return; fi
  echo "not found: $fault"
  failures=$((failures + 1))
}

expect "vm/opcode.h: internal, and vm/program.h includes it" \
  sed -i 's,#include "hclvm/base/source.h",&\n#include "hclvm/vm/opcode.h",' vm/program.h
expect "internal/new.h: in no list" touch internal/new.h
expect "vm/json/json.h: public, and docs/embedding.md does not name it" \
  sed -i 's,hclvm/vm/json/json.h,elsewhere,' docs/embedding.md
expect "vm/opcode.h: docs/embedding.md names it" sed -i '$ a `hclvm/vm/opcode.h`' docs/embedding.md
expect "hcl/print.h: in the list, and not there" rm hcl/print.h
((failures == 0))
