#!/usr/bin/env bash
# Checks the direction of includes: include_check.sh ROOT.
#
# Prints one line per violation, "file:line: includes X, which FOLDER/ must not", for the sources below ROOT, and exits
# with 1 if there is any. Includes go one way: base is a leaf, hcl and vm do not know each other, compiler joins them,
# dec decodes with what it makes, and programs and tests stand on top. utf8proc belongs to base/, so that there is one idea of Unicode; Boost belongs to
# vm/number.cc and to vm/number_boost.h, which hosts may ask for, so that nobody else pays for its headers; its checksum
# to the hash functions.
#
# Tested by include_check_test.sh.
set -euo pipefail

cd "$1"
folders=()
for folder in base hcl vm compiler dec cmd bench tests examples; do
  [[ ! -d $folder ]] || folders+=("$folder")
done

find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cc' -o -name '*.inc' \) -print0 | sort -z | xargs -0 -r awk '
  BEGIN {
    boost_users[0] = " vm/number.cc vm/number_boost.h "
    boost_users[1] = " vm/functions/hash_functions.cc "
    may["base"] = " base "
    may["hcl"] = " base hcl "
    may["vm"] = " base vm "
    may["compiler"] = " base hcl vm compiler "
    may["dec"] = may["compiler"] "dec "
    may["cmd"] = may["dec"] "cmd "
    may["bench"] = may["dec"] "bench "
    may["examples"] = may["dec"] "examples "
    may["tests"] = may["dec"] "cmd bench examples tests "
  }
  function violation(included) {
    printf "%s:%d: includes %s, which %s must not\n", FILENAME, FNR, included, FILENAME
    found = 1
  }
  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    path = $0
    sub(/^[^"<]*["<]/, "", path)
    sub(/[">].*/, "", path)
    from = FILENAME
    sub(/\/.*/, "", from)
    to = path
    sub(/\/.*/, "", to)
    if (to in may && path ~ /\// && index(may[from], " " to " ") == 0) violation(path)
    if (to == "." || to == "..") violation(path)
    if (path == "utf8proc.h" && from != "base") violation(path)
    if (to == "boost" && index(boost_users[path == "boost/crc.hpp"], " " FILENAME " ") == 0) violation(path)
  }
  END { exit found }
' || exit 1
