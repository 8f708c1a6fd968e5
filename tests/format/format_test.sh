#!/usr/bin/env bash
# Checks that our C++ sources have the layout of .clang-format: format_test.sh BUILD_FILE.
#
# The argument is a file of this folder, by which the source tree is found. Versions of clang-format differ in details:
# only the one of Debian 12 decides, elsewhere there is nothing to check. tools/lint does the same and more.
set -euo pipefail

top=$(readlink -f "$1")
. "${top%/tests/format/*}/tools/common.sh"
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  echo "clang-format 14 is not there; nothing checked"
  exit 0
fi
cd "$root"
hclvm_sources | xargs -0 clang-format --dry-run --Werror
