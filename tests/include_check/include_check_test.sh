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

expect accept base/a.cc '"hclvm/base/a.h"'
expect accept base/a.h '"hclvm/internal/dcheck.h"'
expect accept vm/functions/a.h '"hclvm/internal/callable_traits.h"'
expect accept internal/callable_traits.h '"hclvm/vm/functions/function.h"'
expect accept base/a.cc '"absl/strings/str_cat.h"'
expect accept base/a.cc '<vector>'
expect accept base/unicode.cc '"utf8proc.h"'
expect accept hcl/a.cc '"hclvm/base/a.h"'
expect accept hcl/json/a.cc '"hclvm/hcl/a.h"'
expect accept hcl/a_test.cc '"hclvm/hcl/json/a.h"'
expect accept vm/value/a_test.cc '"hclvm/vm/json/json.h"'
expect accept vm/json/a.cc '"hclvm/vm/value/a.h"'
expect accept vm/functions/a.cc '"hclvm/vm/json/a.h"'
expect accept vm/a.cc '"hclvm/vm/functions/a.h"'
expect accept tests/slow/a.cc '"boost/multiprecision/cpp_dec_float.hpp"'
expect accept vm/value/number_boost.h '"boost/multiprecision/cpp_dec_float.hpp"'
expect accept vm/functions/hash_functions.cc '"boost/crc.hpp"'
expect accept vm/functions/hash_functions.cc '"openssl/evp.h"'
expect accept vm/functions/regex_functions.cc '"re2/re2.h"'
expect accept vm/functions/yaml_reader.h '"yaml.h"'
expect accept vm/functions/gzip_functions.cc '"zlib.h"'
expect accept vm/functions/gzip_functions_test.cc '"zlib.h"'
expect accept serve/digest.cc '"openssl/evp.h"'
expect accept serve/signature.cc '"openssl/pem.h"'
expect accept serve/bundle_archive.cc '"archive.h"'
expect accept serve/a.cc '"hclvm/module/module.h"'
expect accept cmd/hclvm-serve/a.cc '"hclvm/serve/a.h"'
expect accept workbench/a.cc '"hclvm/ndjson.h"'
expect accept lsp/a.cc '"hclvm/workbench/a.h"'
expect accept lsp/features/a.cc '"nlohmann/json.hpp"'
expect accept cmd/hclvm/a.cc '"hclvm/lsp/a.h"'
expect reject serve/a.cc '"hclvm/lsp/a.h"'
expect reject lsp/a.cc '"hclvm/serve/a.h"'
expect reject cmd/hclvm/a.cc '"nlohmann/json.hpp"'
expect accept cmd/hclvm/a.cc '"hclvm/workbench/a.h"'
expect reject module/a.cc '"hclvm/workbench/a.h"'
expect accept cmd/hclvm-serve/a.cc '"boost/asio/post.hpp"'
expect accept cmd/hclvm-envoy/grpc_acceptor.cc '"boost/asio/post.hpp"'
expect accept serve/bundle_archive.cc '"zlib.h"'
expect accept workbench/request_stream.cc '"zlib.h"'
expect accept cmd/hclvm-envoy/a.cc '"grpcpp/grpcpp.h"'
expect accept serve/envoy_a.cc '"google/protobuf/struct.pb.h"'
expect accept cmd/hclvm-serve/http_parser.cc '"boost/beast/http/error.hpp"'
expect accept compiler/a.cc '"hclvm/hcl/a.h"'
expect accept compiler/a.cc '"hclvm/hcl/json/a.h"'
expect accept compiler/a.cc '"hclvm/vm/a.h"'
expect accept decode/a.cc '"hclvm/compiler/a.h"'
expect accept module/a.cc '"hclvm/decode/a.h"'
expect accept cmd/hclvm/a.cc '"hclvm/compiler/a.h"'
expect accept cmd/hclvm/a.cc '"hclvm/hclvm.h"'
expect accept hclvm.h '"hclvm/decode/a.h"'
expect accept tests/a.cc '"hclvm/hclvm.h"'
expect accept tests/a.cc '"hclvm/cmd/hclvm/a.h"'
expect accept bindings/c/a.cc '"hclvm/compiler/a.h"'
expect accept examples/a/a.cc '"hclvm/bindings/c/hclvm.h"'
expect accept tests/slow/a.cc '"hclvm/tests/support/a.h"'
expect accept bench/a.cc '"hclvm/vm/a.h"'
expect accept hcl/a_test.cc '"simdjson.h"'
expect reject base/a.cc '"base/a.h"'
expect reject internal/a.h '"hclvm/base/a.h"'
expect reject internal/callable_traits.h '"hclvm/vm/evaluator.h"'
expect reject vm/value/a.h '"hclvm/internal/callable_traits.h"'
expect reject base/a.cc '"hclvm/hcl/a.h"'
expect reject base/a.cc '"hclvm/hclvm.h"'
expect reject decode/a.h '"hclvm/hclvm.h"'
expect reject decode/a.h '"hclvm/module/a.h"'
expect reject hclvm.h '"hclvm/cmd/hclvm/a.h"'
expect reject new/a.cc '<vector>'
expect reject new/a.h '"hclvm/new/b.h"'
expect reject base/a.h '"hclvm/vm/a.h"'
expect reject base/a.h '"hclvm/tests/a.h"'
expect reject base/a_test.cc '"hclvm/hcl/a.h"'
expect reject hcl/a.cc '"hclvm/hcl/json/a.h"'
expect reject hcl/a.cc '"hclvm/vm/a.h"'
expect reject hcl/json/a.cc '"hclvm/vm/value/a.h"'
expect reject hcl/native/a.cc '"hclvm/compiler/a.h"'
expect reject hcl/a.cc '"../vm/a.h"'
expect reject vm/a.cc '"hclvm/hcl/a.h"'
expect reject vm/a_test.cc '"hclvm/hcl/a.h"'
expect reject vm/a.inc '<hclvm/hcl/a.h>'
expect reject vm/a.def '"hclvm/hcl/a.def"'
expect reject vm/a.cc '"hclvm/compiler/a.h"'
expect reject vm/value/a.cc '"hclvm/vm/a.h"'
expect reject vm/value/a.cc '"hclvm/vm/json/a.h"'
expect reject vm/json/a.cc '"hclvm/vm/functions/a.h"'
expect reject vm/functions/a.cc '"hclvm/vm/a.h"'
expect reject compiler/a.cc '"hclvm/decode/a.h"'
expect reject compiler/a.cc '"hclvm/cmd/hclvm/a.h"'
expect reject cmd/hclvm/a.cc '"hclvm/tests/a.h"'
expect reject bindings/c/a.cc '"hclvm/cmd/hclvm/a.h"'
expect reject hclvm.h '"hclvm/bindings/c/hclvm.h"'
expect reject bench/a.cc '"hclvm/cmd/hclvm/a.h"'
expect reject hcl/a.cc '"utf8proc.h"'
expect reject vm/a.cc '<utf8proc.h>'
expect reject vm/value/long_division.cc '"boost/multiprecision/cpp_dec_float.hpp"'
expect reject vm/value/number_boost.cc '"boost/multiprecision/cpp_int.hpp"'
expect reject base/a.cc '<boost/config.hpp>'
expect reject serve/envoy_a.cc '"grpcpp/grpcpp.h"'
expect reject serve/a.cc '"google/protobuf/struct.pb.h"'
expect reject vm/value/number_boost.h '"boost/crc.hpp"'
expect reject vm/functions/hash_functions.cc '"boost/multiprecision/cpp_int.hpp"'
expect reject vm/functions/string_functions.cc '"re2/re2.h"'
expect reject vm/functions/encoding_functions.cc '"yaml.h"'
expect reject vm/functions/encoding_functions.cc '"zlib.h"'
expect reject vm/functions/date_functions.cc '"openssl/evp.h"'
expect reject vm/json/json_reader.cc '"simdjson.h"'
expect reject serve/a.cc '"boost/asio/post.hpp"'
expect reject cmd/hclvm/a.cc '"boost/asio/post.hpp"'
expect reject cmd/hclvm-envoy/a.cc '"boost/asio/post.hpp"'
expect reject serve/bundle_files.cc '"zlib.h"'
expect reject workbench/request_reader.cc '"zlib.h"'
expect reject cmd/hclvm-serve/a.cc '"boost/beast/http/error.hpp"'
expect reject cmd/hclvm-serve/a.cc '"archive.h"'
expect reject serve/a.cc '"openssl/evp.h"'
expect reject serve/a.cc '"hclvm/cmd/hclvm/a.h"'
expect reject module/a.cc '"hclvm/serve/a.h"'
expect reject bindings/c/a.cc '"hclvm/serve/a.h"'

if [[ ! -f $top/tests/include_check/include_check.sh ]]; then
  echo "the source tree is not at $top"
  failures=$((failures + 1))
fi
"$check" "$top" || failures=$((failures + 1))
((failures == 0))
