#!/usr/bin/env bash
# Runs include_check.sh on this source tree, and on small trees that it must accept or reject.
#
# The first argument is include_check.sh. The source tree is found through the link that Bazel makes to it, since a rule
# cannot depend on every file of every package; the target therefore runs each time (tag "external").
set -euo pipefail

check=$PWD/$1
top=$(readlink -f "$check")
top=${top%/tests/include_check/*}
tree=${TEST_TMPDIR:-$(mktemp -d)}/tree
failures=0

# expect accept|reject FILE INCLUDE: checks a tree whose only source is FILE, with that one include.
expect() {
  local got=accept
  rm -rf "$tree"
  mkdir -p "$tree/$(dirname "$2")"
  printf '// A comment.\n#include %s\n' "$3" >"$tree/$2"
  "$check" "$tree" >/dev/null || got=reject
  if [[ $got != "$1" ]]; then
    echo "$2 with #include $3: want $1, got $got"
    failures=$((failures + 1))
  fi
}

expect accept base/a.cc '"base/a.h"'
expect accept base/a.cc '"absl/strings/str_cat.h"'
expect accept base/a.cc '<vector>'
expect accept base/unicode.cc '"utf8proc.h"'
expect accept hcl/a.cc '"base/a.h"'
expect accept vm/a.cc '"vm/values/a.h"'
expect accept vm/number.cc '"boost/multiprecision/cpp_dec_float.hpp"'
expect accept vm/number_boost.h '"boost/multiprecision/cpp_dec_float.hpp"'
expect accept vm/functions/hash_functions.cc '"boost/crc.hpp"'
expect accept compiler/a.cc '"hcl/a.h"'
expect accept compiler/a.cc '"vm/a.h"'
expect accept cmd/hclvm/a.cc '"compiler/a.h"'
expect accept tests/a.cc '"cmd/hclvm/a.h"'
expect accept bench/a.cc '"vm/a.h"'
expect reject base/a.cc '"hcl/a.h"'
expect reject base/a.h '"vm/a.h"'
expect reject base/a.h '"tests/a.h"'
expect reject hcl/a.cc '"vm/a.h"'
expect reject hcl/native/a.cc '"compiler/a.h"'
expect reject hcl/a.cc '"../vm/a.h"'
expect reject vm/a.cc '"hcl/a.h"'
expect reject vm/a.inc '<hcl/a.h>'
expect reject vm/a.cc '"compiler/a.h"'
expect reject compiler/a.cc '"cmd/hclvm/a.h"'
expect reject cmd/hclvm/a.cc '"tests/a.h"'
expect reject bench/a.cc '"cmd/hclvm/a.h"'
expect reject hcl/a.cc '"utf8proc.h"'
expect reject vm/a.cc '<utf8proc.h>'
expect reject vm/value.h '"boost/multiprecision/cpp_dec_float.hpp"'
expect reject vm/number_boost.cc '"boost/multiprecision/cpp_int.hpp"'
expect reject base/a.cc '<boost/config.hpp>'
expect reject vm/number.cc '"boost/crc.hpp"'
expect reject vm/functions/hash_functions.cc '"boost/multiprecision/cpp_int.hpp"'

if [[ ! -f $top/tests/include_check/include_check.sh ]]; then
  echo "the source tree is not at $top"
  failures=$((failures + 1))
fi
"$check" "$top" || failures=$((failures + 1))
((failures == 0))
