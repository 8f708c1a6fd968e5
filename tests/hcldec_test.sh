#!/usr/bin/env bash
# hcldec as a user meets it: hcldec_test.sh HCLDEC HCLVM.
#
# Each check runs one command and compares standard output, exit status and, where it says so, a part of stderr. What
# specs mean is tested by tests/specsuite.
set -uo pipefail

hcldec=$(readlink -f "$1")
hclvm=$(readlink -f "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

# check NAME STATUS STDOUT STDERR_PART COMMAND...: standard input is the file "in".
check() {
  local name=$1 status=$2 stdout=$3 stderr=$4 got=0
  shift 4
  "$@" >out 2>err <in || got=$?
  if [[ $got != "$status" || $(cat out) != "$stdout" ]] || { [[ -n $stderr ]] && ! grep -qF -- "$stderr" err; }; then
    printf 'FAIL %s\n  status %s, want %s\n  stdout: %s\n    want: %s\n  stderr: %s\n    with: %s\n' \
      "$name" "$got" "$status" "$(cat out)" "$stdout" "$(cat err)" "$stderr"
    failures=$((failures + 1))
  fi
}

cat >spec.hcldec <<'HCL'
variables {
  region = "eu"
}
function "double" {
  params = [n]
  result = n * 2
}
object {
  attr "name" {
    type     = string
    required = true
  }
  attr "size" { type = number }
  block_list "port" {
    attr {
      name = "number"
      type = number
    }
  }
}
HCL
cat >a.hcl <<'HCL'
name = "a-${region}"
size = double(n)
HCL
cat >b.hcl.json <<'HCL'
{"port": [{"number": 1}, {"number": "${n}"}]}
HCL
head -1 a.hcl >one.hcl
echo 'n = 4' >vars.hcl
echo '{"n": "${x}"}' >vars.json
echo 'name = "in"' >in

check "standard input" 0 '{"name":"in","port":[]}' '' "$hcldec" --spec=spec.hcldec
check "standard input by name" 0 '{"name":"in","port":[]}' '' "$hcldec" -s spec.hcldec -
check "several files" 0 '{"name":"a-eu","port":[1,3],"size":6}' '' "$hcldec" -sspec.hcldec --vars '{"n": 3}' a.hcl b.hcl.json
check "variables from a file" 0 '{"name":"a-eu","port":[],"size":8}' '' "$hcldec" -s spec.hcldec -V vars.hcl a.hcl
check "a later variable wins" 0 '{"name":"a-us","port":[],"size":10}' '' "$hcldec" -s spec.hcldec -V vars.hcl -V 'n=2+3' -V region='"us"' a.hcl
check "json variables are literal" 2 '' 'on a.hcl line 2' "$hcldec" -s spec.hcldec -V vars.json a.hcl
check "wrong variables" 2 '' 'on <vars argument 0> line 1' "$hcldec" -s spec.hcldec -V '{"n": }' a.hcl
check "keep nulls" 0 '{"name":"in","port":[],"size":null}' '' "$hcldec" -s spec.hcldec --keep-nulls
check "with type" 0 '{"type":["object",{"name":"string","port":["list","number"],"size":"number"}],"value":{"name":"in","port":[]}}' '' "$hcldec" -s spec.hcldec --with-type
check "to a file" 0 '' '' "$hcldec" -s spec.hcldec -o result.json
check "to a file: its text" 0 '{"name":"in","port":[]}' '' cat result.json
check "to no file" 1 '' 'Error: cannot open nosuch/result.json for writing' "$hcldec" -s spec.hcldec -o nosuch/result.json
check "references" 0 '[
  {
    "root_name": "region",
    "value": "eu",
    "steps": [
      {
        "kind": "root",
        "name": "region",
        "range": {
          "filename": "one.hcl",
          "start": {
            "line": 1,
            "column": 13,
            "byte": 12
          },
          "end": {
            "line": 1,
            "column": 19,
            "byte": 18
          }
        }
      }
    ],
    "range": {
      "filename": "one.hcl",
      "start": {
        "line": 1,
        "column": 13,
        "byte": 12
      },
      "end": {
        "line": 1,
        "column": 19,
        "byte": 18
      }
    }
  }
]' '' "$hcldec" -s spec.hcldec --var-refs one.hcl
check "diagnostics" 2 '' 'Missing required argument' "$hcldec" -s spec.hcldec b.hcl.json
check "diagnostics as json" 2 '' '"summary": "Missing required argument"' "$hcldec" -s spec.hcldec --diags=json b.hcl.json
check "all diagnostics" 2 '' 'Unsupported argument' "$hcldec" -s spec.hcldec --diags=json a.hcl vars.hcl
check "no such file" 2 '' 'cannot read nosuch.hcl' "$hcldec" -s spec.hcldec nosuch.hcl
check "no such spec" 2 '' 'cannot read nosuch.hcldec' "$hcldec" -s nosuch.hcldec
check "no spec" 1 '' 'Error: the --spec=... argument is required' "$hcldec" a.hcl
echo 'objekt {}' >bad.hcldec
check "a bad spec" 2 '' 'on bad.hcldec line 1' "$hcldec" -s bad.hcldec a.hcl
cat >contradictory.hcldec <<'HCL'
object {
  block "a" {
    block_type = "p"
    attr { name = "x" }
  }
  block_object "b" {
    block_type = "p"
    labels     = ["k"]
    attr { name = "x" }
  }
}
HCL
echo '{"p": {}}' >p.json
check "a contradictory spec" 2 '' 'Contradictory specification' "$hcldec" -s contradictory.hcldec p.json
check "a contradictory spec, other command" 2 '' 'Contradictory specification' \
  "$hclvm" decode -s contradictory.hcldec p.json
printf 'object {\n  default "a" {\n    attr { name = "a" }\n  }\n}\n' >useless.hcldec
echo 'a = 3' >useless.hcl
check "a default of one spec in an object" 0 '{"a":3}' 'Warning[HCL8101]: Useless default block' \
  "$hcldec" -s useless.hcldec useless.hcl
check "a warning beside --var-refs" 0 '[]' 'Useless default block' "$hcldec" -s useless.hcldec --var-refs useless.hcl
echo 'a = 1 == "1"' >constant.hcl
check "warnings about spec and config" 0 '{"a":false}' 'on constant.hcl line 1, column 5' \
  "$hcldec" -s useless.hcldec constant.hcl
check "warnings as JSON" 0 '{"a":false}' '"code": "HCL8001"' "$hcldec" -s useless.hcldec --diags=json constant.hcl
grep -c diagnostics err | grep -qx 1 || { echo "FAIL warnings are one document"; failures=$((failures + 1)); }
echo >empty.hcl
check "a warning names its file" 0 '{"a":false}' 'on constant.hcl line 1, column 5' \
  "$hcldec" -s useless.hcldec empty.hcl constant.hcl
echo 'a = 1e9999999' >long.hcl
check "a number names its file" 2 '' 'on long.hcl line 1, column 5' "$hcldec" -s useless.hcldec empty.hcl long.hcl
echo '{"a": 1, "b": 1}' >constant.json
check "warnings beside errors" 2 '' 'HCL5011' "$hcldec" -s useless.hcldec --diags=json constant.json
grep -q HCL8101 err || { echo "FAIL the warning is there, too"; failures=$((failures + 1)); }
echo '{}' >scopes.ndjson
check "warnings with scopes" 0 '{"value":{"a":false}}' 'HCL8001' \
  "$hclvm" decode -s useless.hcldec --scopes scopes.ndjson constant.hcl

check "version" 0 '0.1.0' '' "$hcldec" --version
check "usage" 2 '' 'usage: hcldec' "$hcldec" --help
check "unknown option" 2 '' 'did you mean --spec?' "$hcldec" --spek=x
check "unknown format" 2 '' 'only json is supported' "$hcldec" --diags=xml

check "hclvm decode" 0 '{"name":"in","port":[]}' '' "$hclvm" decode --spec spec.hcldec
printf 'name = "d"\ndynamic "port" {\n  for_each = [1, 2]\n  content {\n    number = port.value + n\n  }\n}\n' >dynamic.hcl
check "names of other commands" 0 '{"type":["object",{"name":"string","port":["list","number"],"size":"number"}],"value":{"name":"in","port":[]}}' '' "$hclvm" decode -s spec.hcldec --typed --diagnostics=text
check "diagnostics as other commands" 2 '' '"summary": "Missing required argument"' "$hclvm" decode -s spec.hcldec --diagnostics=json b.hcl.json
check "names of hcldec" 2 '' '"summary": "Missing required argument"' "$hclvm" decode -s spec.hcldec --with-type --diags=json b.hcl.json
check "dynamic blocks" 0 '{"name":"d","port":[2,3]}' '' "$hclvm" decode -s spec.hcldec --dynamic -V n=1 dynamic.hcl
check "no dynamic blocks" 2 '' 'Unsupported block type' "$hcldec" -s spec.hcldec -V n=1 dynamic.hcl
printf '\xef\xbb\xbfname = "m"\n' >mark.hcl
check "a byte order mark" 0 '{"name":"m","port":[]}' '' "$hcldec" -s spec.hcldec mark.hcl
check "a byte order mark, by the specification" 2 '' 'Byte order mark' \
  "$hclvm" decode --dialect spec -s spec.hcldec mark.hcl
check "no dialect for hcldec" 2 '' 'unknown option' "$hcldec" --dialect=spec -s spec.hcldec mark.hcl
printf '{"n": 1}\n{"n": 2, "region": "us"}\n{"n": []}\n' >scopes.ndjson
check "scopes" 1 '{"value":{"name":"a-eu","port":[],"size":2}}
{"value":{"name":"a-us","port":[],"size":4}}' '' bash -c "'$hclvm' decode -s spec.hcldec a.hcl --scopes scopes.ndjson | head -2; exit \${PIPESTATUS[0]}"

((failures == 0)) && echo "all passed"
exit $((failures > 0))
