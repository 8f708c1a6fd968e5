#!/usr/bin/env bash
# Checks the direction of includes: include_check.sh ROOT.
#
# Prints one line per violation, "file:line: includes X, which FILE must not", for the sources below ROOT, and exits
# with 1 if there is any. Includes go one way, and ours are all written "hclvm/...":
#
#   base <- hcl <- hcl/json <- compiler <- decode <- cmd, bench, examples <- tests
#   base <- vm/value <- vm/json <- vm/functions <- vm <- compiler
#
# A test may besides use the floors of its own top folder. utf8proc belongs to base/, so that there is one idea of
# Unicode; Boost belongs to vm/value/number.cc and to number_boost.h, which hosts may ask for, so that nobody else pays
# for its headers; its checksum to the hash functions; OpenSSL, RE2 and libyaml to the functions that are about them, so
# that who needs none of these does not link them.
#
# Tested by include_check_test.sh.
set -euo pipefail

cd "$1"
folders=()
for folder in base hcl vm compiler decode cmd bench tests examples; do
  [[ ! -d $folder ]] || folders+=("$folder")
done

find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cc' -o -name '*.inc' -o -name '*.def' \) -print0 | sort -z |
  xargs -0 -r awk '
  BEGIN {
    # Floor -> floors that it may include.
    may["base"] = " base "
    may["hcl"] = " base hcl "
    may["hcl/json"] = may["hcl"] "hcl/json "
    may["vm/value"] = " base vm/value "
    may["vm/json"] = may["vm/value"] "vm/json "
    may["vm/functions"] = may["vm/json"] "vm/functions "
    may["vm"] = may["vm/functions"] "vm "
    may["compiler"] = may["hcl/json"] may["vm"] "compiler "
    may["decode"] = may["compiler"] "decode "
    may["cmd"] = may["decode"] "cmd "
    may["bench"] = may["decode"] "bench "
    may["examples"] = may["decode"] "examples "
    may["tests"] = may["decode"] "cmd bench examples tests "
    # Library -> files that may include it.
    users["utf8proc.h"] = "^base/"
    users["boost/crc.hpp"] = "^vm/functions/hash_functions\\.cc$"
    users["boost/"] = "^vm/value/number(\\.cc|_boost\\.h)$"
    users["openssl/"] = "^vm/functions/hash_functions\\.cc$"
    users["re2/"] = "^(vm/functions/regex_|bench/)"
    users["yaml.h"] = "^vm/functions/yaml_"
    users["simdjson.h"] = "^(tests|bench)/|_test\\.cc$"
  }
  function violation(included) {
    printf "%s:%d: includes %s, which %s must not\n", FILENAME, FNR, included, FILENAME
    found = 1
  }
  # The floor of a path: its two first folders where these are one, otherwise its first.
  function floor_of(path, parts, count) {
    count = split(path, parts, "/")
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
  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0
    sub(/^[^"<]*["<]/, "", path)
    sub(/[">].*/, "", path)
    first = path
    sub(/\/.*/, "", first)
    if (first == "hclvm") {
      sub(/^hclvm\//, "", path)
      if (path ~ /\// && !may_include(floor_of(FILENAME), floor_of(path))) violation(path)
    } else if (first in may || first == "." || first == "..") {
      violation(path)
    }
    library = path in users ? path : first "/"
    if (library in users && FILENAME !~ users[library]) violation(path)
  }
  END { exit found }
' || exit 1
