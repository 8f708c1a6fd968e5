#!/usr/bin/env bash
# hclvm fmt as a user meets it: fmt_command_test.sh HCLVM FORMATTING_MD.
set -uo pipefail

hclvm=$(readlink -f "$1")
page=$(readlink -f "$2")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir -p all/inner all/.hidden all/none
printf 'a=1\n' | tee all/one.hcl all/inner/two.test.hcl all/.hidden/three.hcl all/.four.hcl >all/five.txt
printf 'a = 1\n' >all/good.hcl
ln -s ../all all/inner/loop
check_streams "standard input" 0 'a = 1' '' "$hclvm" fmt - <all/one.hcl
check_streams "standard input without a name" 0 'a = 1' '' "$hclvm" fmt <all/one.hcl
check_streams "a file" 0 'a = 1' '' "$hclvm" fmt all/one.hcl
check_streams "check" 1 $'all/inner/two.test.hcl\nall/one.hcl' '' "$hclvm" fmt --check all
check_streams "check of a good one" 0 '' '' "$hclvm" fmt --check all/good.hcl all/none
check_streams "check of standard input" 1 '<stdin>' '' "$hclvm" fmt --check - <all/one.hcl
check_streams "diff" 0 $'--- all/one.hcl\n+++ all/one.hcl\n@@ -1,1 +1,1 @@\n-a=1\n+a = 1' '' "$hclvm" fmt -d all/one.hcl
check_streams "diff and check" 1 $'all/one.hcl\n--- all/one.hcl\n+++ all/one.hcl\n@@ -1,1 +1,1 @@\n-a=1\n+a = 1' '' \
  "$hclvm" fmt --diff --check all/one.hcl
"$hclvm" fmt -d all >change.diff
cp -r all patched
(cd patched && patch -sp1 <../change.diff) || failures=$((failures + 1))
chmod 600 all/one.hcl
check_streams "write" 0 $'all/inner/two.test.hcl\nall/one.hcl' '' "$hclvm" fmt -w all
diff -r -x loop all patched || failures=$((failures + 1))
[[ $(stat -c %a all/one.hcl) == 600 ]] || { echo "FAIL: other permissions" && failures=$((failures + 1)); }
[[ $(cat all/.hidden/three.hcl all/.four.hcl all/five.txt | sort -u) == a=1 ]] || failures=$((failures + 1))
check_streams "write again" 0 '' '' "$hclvm" fmt -w all

printf 'a=1\nb=(\nlong=2\n' >bad.hcl
check_streams "what does not parse" 1 $'a = 1\nb=(\nlong = 2' 'on bad.hcl line 3' "$hclvm" fmt bad.hcl
check_streams "diagnostics as JSON" 1 $'a = 1\nb=(\nlong = 2' '{"severity":"error"' "$hclvm" fmt --diagnostics=json bad.hcl
printf 'a="\xff"\n' >binary.hcl
check_streams "no UTF-8" 1 '' 'Invalid character encoding' "$hclvm" fmt -w binary.hcl
printf '{}' >x.hcl.json
check_streams "the JSON syntax" 1 '' 'JSON syntax' "$hclvm" fmt x.hcl.json
check_streams "no such file" 1 'a = 1' 'cannot read none.hcl' "$hclvm" fmt none.hcl all/one.hcl
check_streams "a limit" 3 'a = 1' 'max_source_bytes' "$hclvm" fmt --limit max_source_bytes=6 bad.hcl all/one.hcl
check_streams "writing standard input" 2 '' 'standard input cannot be written' "$hclvm" fmt -w -
check_streams "two modes" 2 '' 'not both' "$hclvm" fmt -w --check all

# A name with a command for terminals.
printf 'a=1\n' >$'x\e[31m.hcl'
check_streams "a name that is shown" 1 'x [31m.hcl' '' "$hclvm" fmt --check $'x\e[31m.hcl'
"$hclvm" fmt --diff $'x\e[31m.hcl' >out
! grep -q $'\e' out || { echo "FAIL: the difference has the name raw" && failures=$((failures + 1)); }

# The examples of the page: each block "before" is what the next block "after" comes from.
awk '/^<!-- before -->/ {n++} /^<!-- (before|after) -->/ {part = $2; next}
  /^```hcl/ {if (part != "") file = part "." n; next} /^```/ {file = ""; part = ""; next} file != "" {print >file}' "$page"
count=$(find . -maxdepth 1 -name 'before.*' | wc -l)
[[ $count -ge 5 ]] || { echo "FAIL: the page has $count examples" && failures=$((failures + 1)); }
for ((n = 1; n <= count; n++)); do
  diff "after.$n" <("$hclvm" fmt - <"before.$n" 2>err) || { echo "FAIL: example $n" && failures=$((failures + 1)); }
done

[[ $failures == 0 ]] && echo "all passed"
exit "$((failures > 0))"
