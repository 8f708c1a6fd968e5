#!/usr/bin/env bash
# hclvm convert as a user meets it: convert_command_test.sh HCLVM FILE..., where FILE are files of examples/.
set -uo pipefail

hclvm=$(readlink -f "$1")
shift
files=()
for file in "$@"; do files+=("$(readlink -f "$file")"); done
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

# The direction.
mkdir plain
printf 'a = 1\n' >plain/a.hcl
printf '{"a": 1}\n' >plain/a.json
json=$'{\n  "a": 1\n}'
check_streams "to JSON" 0 "$json" '' "$hclvm" convert plain/a.hcl
check_streams "to the native syntax" 0 'a = 1' '' "$hclvm" convert plain/a.json
check_streams "standard input" 0 "$json" '' "$hclvm" convert - <plain/a.hcl
check_streams "standard input without a name" 0 'a = 1' '' "$hclvm" convert --to native <plain/a.json
check_streams "a name that says something else" 1 '' 'HCL' "$hclvm" convert --to json plain/a.json
check_streams "the reference's rules" 1 '' 'HCL1002' "$hclvm" convert - <<<$'\xEF\xBB\xBFa = 1'
check_streams "the reference's rules" 0 "$json" '' "$hclvm" convert --dialect hashicorp - <<<$'\xEF\xBB\xBFa = 1'

# Wrong usage, and wrong input: nothing is written.
check_streams "two files" 2 '' 'one FILE' "$hclvm" convert plain/a.hcl plain/a.hcl
check_streams "a directory" 2 '' 'is a directory' "$hclvm" convert plain
check_streams "another syntax" 2 '' 'json or native' "$hclvm" convert --to yaml plain/a.hcl
check_streams "a spec for a module" 2 '' '--module or --spec' "$hclvm" convert --module plain/a.hcl --spec plain/a.hcl
check_streams "no file" 1 '' 'nosuch' "$hclvm" convert nosuch.hcl
check_streams "no spec" 1 '' 'nosuch' "$hclvm" convert --spec nosuch.hcldec plain/a.json
check_streams "no counterpart" 1 '' 'HCL6201' "$hclvm" convert - <<<$'a = 1\na {\n}'
check_streams "diagnostics as JSON" 1 '' '"code":"HCL6201"' "$hclvm" convert --diagnostics=json - <<<$'a = 1\na {\n}'
check_streams "a limit" 3 '' 'HCL9004' "$hclvm" convert --limit max_nesting_depth=3 - <<<'a = [[[[1]]]]'
check_streams "a warning" 0 $'{\n  "//": "c"\n}' 'HCL8016' "$hclvm" convert - <<<'# c'
"$hclvm" convert plain/a.hcl >/dev/full 2>err && fail "a full disk gives status 0"

# Modules: each file in JSON, and from that in the native syntax again, answers as before.
for file in "${files[@]}"; do
  folder=modules/$(basename "$(dirname "$file")")
  mkdir -p "$folder"
  cp "$file" "$folder"
done
modules=0
for module in modules/*/; do
  [[ -f $module/variables.hcl ]] || continue
  mkdir -p "json/$module" "native/$module" "again/$module"
  for file in "$module"/{policy,variables}.hcl; do
    name=$(basename "$file" .hcl)
    "$hclvm" convert --module "$file" >"json/$module/$name.hcl.json" 2>err || fail "$file: $(cat err)"
    "$hclvm" convert --module "json/$module/$name.hcl.json" >"native/$module/$name.hcl" 2>err || fail "$file back: $(cat err)"
    "$hclvm" convert --module "native/$module/$name.hcl" >"again/$module/$name.hcl.json" 2>err || fail "$file again"
    cmp -s "json/$module/$name.hcl.json" "again/$module/$name.hcl.json" || fail "$file is another text after two times"
    "$hclvm" fmt --check "native/$module/$name.hcl" >out || fail "$file is laid out otherwise"
  done
  "$hclvm" run "$module" -s "$module/requests.ndjson" >want 2>/dev/null
  for form in json native; do
    "$hclvm" run "$form/$module" -s "$module/requests.ndjson" >got 2>/dev/null
    cmp want got || fail "$module answers otherwise in $form"
  done
  [[ -s want ]] && modules=$((modules + 1))
done
((modules >= 7)) || fail "only $modules modules were compared"

check_streams "a file of a module without --module" 0 "$("$hclvm" convert modules/convert/variables.hcl 2>/dev/null)" \
  'hclvm convert --module modules/convert/variables.hcl' "$hclvm" convert modules/convert/variables.hcl

# A spec file: what is decoded stays.
cd modules/service
"$hclvm" convert --spec service.hcldec service.json >service.hcl || fail "a spec file"
"$hclvm" decode --spec service.hcldec --vars '{"version": "v1"}' service.json >want
"$hclvm" decode --spec service.hcldec --vars '{"version": "v1"}' service.hcl >got
cmp want got && grep -q v1 got || fail "decoded otherwise"
check_streams "a property that the spec does not name" 1 '' 'HCL5011' "$hclvm" convert --spec service.hcldec --to native - <<<'{"a": 1}'

((failures == 0)) || echo "$failures failures"
exit $((failures > 0))
