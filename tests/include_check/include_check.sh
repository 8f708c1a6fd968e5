#!/usr/bin/env bash
# Checks the direction of includes: include_check.sh ROOT.
#
# Prints one line per violation, "file:line: includes X, which FILE must not", for the sources below ROOT, and exits
# with 1 if there is any. Includes go one way, and ours are all written "hclvm/...":
#
#   internal <- base <- hcl <- hcl/json <- compiler <- decode <- module <- bindings, serve, bench, examples <- tests
#   ndjson <- workbench <- serve, lsp <- cmd <- tests
#   internal <- base <- vm/value <- vm/json <- vm/functions <- vm <- compiler
#
# internal/ holds what inline code of public headers needs. Its files include nothing of ours and everybody may include
# them, but for callable_traits.h, which is on the floor of vm/functions.
#
# Headers at the top are for hosts: they may include all floors of the library, and only what stands above the library,
# and ndjson/, which implements one of them, may include them. A folder that is on no floor is a violation too.
#
# A test may besides use the floors of its own top folder. utf8proc belongs to base/, so that there is one idea of
# Unicode; Boost belongs to vm/value/number_boost.h, which hosts may ask for, so that nobody else pays for its headers,
# and to tests/fuzz and tests/slow, which compare with it; its checksum to the hash functions; Asio and Beast to the
# service, which has libarchive and zlib besides; gRPC and protobuf to its part for Envoy; the JSON library to lsp/; OpenSSL, RE2, libyaml and zlib to the functions that are about them, so that who
# needs none of these does not link them.
#
# Tested by include_check_test.sh.
set -euo pipefail

cd "$1"
find . \( -path './.?*' -o -path ./out -o -path './bazel-*' \) -prune -o \
  -type f \( -name '*.h' -o -name '*.cc' -o -name '*.inc' -o -name '*.def' \) -printf '%P\0' | sort -z |
  xargs -0 -r awk '
  BEGIN {
    # Floor -> floors that it may include.
    may["internal"] = " internal "
    may["base"] = may["internal"] "base "
    may["hcl"] = may["base"] "hcl "
    may["hcl/json"] = may["hcl"] "hcl/json "
    may["vm/value"] = may["base"] "vm/value "
    may["vm/json"] = may["vm/value"] "vm/json "
    may["vm/functions"] = may["vm/json"] "vm/functions "
    may["vm"] = may["vm/functions"] "vm "
    may["compiler"] = may["hcl/json"] may["vm"] "compiler "
    may["decode"] = may["compiler"] "decode "
    may["module"] = may["decode"] "module "
    may["."] = may["module"] ". "
    may["ndjson"] = may["."] "ndjson "
    may["workbench"] = may["ndjson"] "workbench "
    may["bindings"] = may["workbench"] "bindings "
    may["serve"] = may["workbench"] "serve "
    may["lsp"] = may["workbench"] "lsp "
    may["cmd"] = may["serve"] "lsp cmd "
    may["bench"] = may["."] "bench "
    may["examples"] = may["."] "bindings examples "
    may["tests"] = may["."] "ndjson workbench bindings serve lsp cmd bench examples tests "
    # Library -> files that may include it.
    users["utf8proc.h"] = "^base/"
    users["boost/crc.hpp"] = "^vm/functions/hash_functions\\.cc$"
    users["boost/asio/"] = "^cmd/hclvm-(serve/|envoy/grpc_acceptor\\.cc$)"
    users["boost/beast/"] = "^cmd/hclvm-serve/http_parser\\.cc$"
    users["boost/"] = "^(vm/value/number_boost\\.h$|tests/(fuzz|slow)/)"
    users["openssl/"] = "^(vm/functions/hash_functions\\.cc$|serve/(digest|signature)\\.cc$|cmd/hclvm-serve/|bench/)"
    users["archive.h"] = users["archive_entry.h"] = "^serve/bundle_archive\\.cc$"
    users["google/protobuf/"] = "^(serve/(envoy_|proto_writer_test\\.cc$)|cmd/hclvm-envoy/)"
    users["grpc/"] = users["grpcpp/"] = "^cmd/hclvm-envoy/"
    users["nlohmann/"] = "^lsp/"
    users["re2/"] = "^(vm/functions/regex_|bench/)"
    users["yaml.h"] = "^vm/functions/yaml_"
    users["zlib.h"] = "^(vm/functions/gzip_functions(_test)?|serve/bundle_archive(_test)?|workbench/request_stream(_test)?)\\.cc$"
    users["simdjson.h"] = "^(tests|bench)/|_test\\.cc$"
  }
  function violation(included) {
    printf "%s:%d: includes %s, which %s must not\n", FILENAME, FNR, included, FILENAME
    found = 1
  }
  # The floor of a path: its two first folders where these are one, otherwise its first; "." for what is in none.
  function floor_of(path, parts, count) {
    if (path == "internal/callable_traits.h") return "vm/functions"
    count = split(path, parts, "/")
    if (count == 1) return "."
    if (count > 2 && (parts[1] "/" parts[2]) in may) return parts[1] "/" parts[2]
    return parts[1]
  }
  function may_include(from, to, top) {
    if (index(may[from], " " to " ") > 0) return 1
    if (FILENAME !~ /(_test|_test_util)\.(cc|h)$/) return 0
    top = from
    sub(/\/.*/, "", top)
    return index(" " to "/", " " top "/") > 0
  }
  FNR == 1 && !(floor_of(FILENAME) in may) {
    printf "%s:1: is on no floor; tests/include_check/include_check.sh lists them\n", FILENAME
    found = 1
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0
    sub(/^[^"<]*["<]/, "", path)
    sub(/[">].*/, "", path)
    first = path
    sub(/\/.*/, "", first)
    if (first == "hclvm") {
      sub(/^hclvm\//, "", path)
      if (!may_include(floor_of(FILENAME), floor_of(path))) violation(path)
    } else if (first in may || first == "." || first == "..") {
      violation(path)
    }
    second = path
    sub(/^[^\/]*\//, "", second)
    sub(/\/.*/, "", second)
    library = path in users ? path : (first "/" second "/") in users ? first "/" second "/" : first "/"
    if (library in users && FILENAME !~ users[library]) violation(path)
  }
  END { exit found }
' || exit 1
