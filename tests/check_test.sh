#!/usr/bin/env bash
# hclvm check as a user meets it: check_test.sh HCLVM.
set -uo pipefail

hclvm=$(readlink -f "$1")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir good bad
cat >good/variables.hcl <<'EOF'
variable "user" {
  type = object({ name = string, age = optional(number) })
}
EOF
echo 'allow = user.age != null && user.age > 17 && user.name != ""' >good/policy.hcl
cp good/variables.hcl bad/
printf 'allow = user.age > 17\nwho = user.nme\n' >bad/policy.hcl

check "a sound module" 0 '2 files, 0 errors, 0 warnings' "$hclvm" check good
check "a module with mistakes" 1 'Error[HCL3201]: No such attribute' "$hclvm" check bad
check "a file of a module alone" 1 \
  'bad/variables.hcl was read alone, as a plain config. bad/variables.hcl declares names, so that the folder is a module: hclvm check bad' \
  "$hclvm" check bad/variables.hcl
check "where" 1 'on bad/policy.hcl line 2, column 11:' "$hclvm" check bad
check "counts" 1 '2 files, 1 error, 1 warning' "$hclvm" check bad
check "strict" 1 '2 files, 2 errors, 0 warnings' "$hclvm" check bad --strict
check "several" 1 '4 files, 1 error, 1 warning' "$hclvm" check good bad
check "json" 1 '{"severity":"error","code":"HCL3201"' "$hclvm" check bad --diagnostics json
check "sarif" 1 '"uri":"bad/policy.hcl"' "$hclvm" check bad --diagnostics=sarif
"$hclvm" check bad --diagnostics=sarif >sarif.json
python3 <sarif.json -c 'import json, sys; assert len(json.load(sys.stdin)["runs"][0]["results"]) == 2' ||
  { echo "FAIL: sarif is no JSON" && failures=$((failures + 1)); }

# A directory of modules, whose modules may stand deeper, and what is none.
mkdir -p all/one all/deep/two all/.hidden/three all/texts && cp good/*.hcl all/one/ && cp bad/*.hcl all/deep/two/
cp bad/*.hcl all/.hidden/three/ && echo text >all/texts/read.me
check "a directory of modules" 1 '4 files, 1 error, 1 warning' "$hclvm" check all
check "its modules" 1 'on all/deep/two/policy.hcl line 2' "$hclvm" check all
check "a directory without modules" 1 'all/texts has no *.hcl' "$hclvm" check all/texts
mkdir -p good/below && echo 'x = ' >good/below/a.hcl
check "a module stays one" 0 '2 files, 0 errors, 0 warnings' "$hclvm" check good
rm -r good/below

# How findings are written.
check "diagnostics as for other commands" 1 '{"severity":"error","code":"HCL3201"' "$hclvm" check bad --diagnostics=json
check "by the name of before" 1 '{"severity":"error","code":"HCL3201"' "$hclvm" check bad --format=json
check "the last one counts" 1 '"uri":"bad/policy.hcl"' "$hclvm" check bad --diagnostics=json --diagnostics=sarif
printf 'a = upper()\nb = 1\nc = upper()\nd = upper()\n' >equal.hcl
check "equal findings" 1 'The same is found on lines 3 and 4.' "$hclvm" check equal.hcl
check "are counted" 1 '1 file, 3 errors, 0 warnings' "$hclvm" check equal.hcl
check "a file that is given twice" 1 '2 files, 3 errors, 0 warnings' "$hclvm" check equal.hcl equal.hcl
"$hclvm" check equal.hcl --diagnostics=json >equal.json
[[ $(wc -l <equal.json) == 3 ]] || { echo "FAIL: JSON has each finding" && failures=$((failures + 1)); }

# Types that do not go together, and constants that are never right, are found before any run.
mkdir types && printf 'variable "m" { type = map(string) }\nvariable "s" { type = string }\n' >types/variables.hcl
echo 'a = contains(m, "a")' >types/policy.hcl
check "a call that never succeeds" 1 'A call of contains always fails' "$hclvm" check types
echo 'a = s == "" ? m : 1' >types/policy.hcl
check "branches that never unify" 1 'types that unify' "$hclvm" check types
echo 'a = can(regex("^(a", s)) && m.a == ""' >types/policy.hcl
check "a constant that is never right" 1 'Error[HCL3209]' "$hclvm" check types
check "found by compiling" 1 'HCL3209' "$hclvm" run types --scopes /dev/null
echo 'a = regex("^(a", s)' >constant.hcl
check "in a plain config" 1 'Error[HCL3209]' "$hclvm" check constant.hcl

# Plain configs: what fails whatever the scope gives.
echo 'allow = user.nme == "" && upper() == ""' >plain.hcl
check "a plain config" 1 'Error[HCL3004]' "$hclvm" check plain.hcl
check "its names are open" 1 '1 file, 1 error, 0 warnings' "$hclvm" check plain.hcl
check "names of a plain config" 1 'user has no attribute "nme"' "$hclvm" check plain.hcl --variables good/variables.hcl
printf 'variable "x" {\n  type = number\n}\nlocals {\n  a = 1 + 1\n}\n' >blocks.hcl
check "its blocks are its own" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check blocks.hcl
check "a file as a module" 0 'HCL8005' "$hclvm" check --module blocks.hcl
echo '{"a": "${1 + true}"}' >plain.json
check "the JSON syntax" 1 'HCL3202' "$hclvm" check plain.json

# What stands behind a literal true, and attributes that read each other.
printf 'a = 1\nb = x ? 1 : true ? a : 2\n' >rules.hcl
check "never reached" 0 'HCL8006' "$hclvm" check rules.hcl
check "a sibling" 0 'and not the attribute on line 1' "$hclvm" check rules.hcl
check "strict siblings" 1 '2 errors, 0 warnings' "$hclvm" check rules.hcl --strict

# Functions of the host.
echo '{"functions": {"country": {"parameters": [{"name": "ip", "type": "string"}], "result": "string"}}}' >host.json
echo 'where = upper(country(["a"])) && true' >host.hcl
check "a function that is not described" 1 'HCL3002' "$hclvm" check host.hcl
check "its argument" 1 'The parameter "ip" of country takes a string, and this is a tuple' "$hclvm" check host.hcl --functions host.json
echo 'where = country("a").code' >host.hcl
check "its result" 1 'HCL3201' "$hclvm" check host.hcl --functions host.json
echo '{"functions": {"country": {"result": "txt"}}}' >wrong.json
check "a wrong description" 1 'on wrong.json line 1, column 38' "$hclvm" check host.hcl --functions wrong.json
check "no description" 1 'cannot read none.json' "$hclvm" check host.hcl --functions none.json
"$hclvm" functions --output json >library.json
echo 'a = merge({ b = 1 }, { c = 2 }).c + 1' >merge.hcl
check "the library, described" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check merge.hcl --functions library.json
echo '{"complete": true, "functions": {}}' >none_at_all.json
check "no functions" 1 'HCL3002' "$hclvm" check merge.hcl --functions none_at_all.json

# Types.
check "types" 0 'variable user: object({ age = optional(number), name = string })' "$hclvm" check good --show-types
check "types of attributes" 0 'attribute allow: bool' "$hclvm" check good --show-types
check "types as JSON" 0 '{"kind":"attribute","name":"allow","type":"bool","nullable":false,"filename":"good/policy.hcl"' \
  "$hclvm" check good --show-types --diagnostics json
check "types beside mistakes" 1 'attribute who: any' "$hclvm" check bad --show-types
check "no types in SARIF" 2 'no form in SARIF' "$hclvm" check good --show-types --diagnostics sarif

# A spec file.
cat >service.hcldec <<'EOF'
variables { region = "eu" }
object {
  attr "port" {
    type     = number
    required = true
  }
  block_list "user" {
    block_type = "user"
    object {
      attr "name" { type = string }
    }
  }
}
EOF
printf 'port = 80 + n\nuser {\n  name = "${region}-${who}"\n}\n' >service.hcl
check "a config by a spec" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check --spec service.hcldec service.hcl
printf 'prt = 80\nuser {\n  name = [who]\n}\n' >service.hcl
check "what is missing" 1 'HCL5003' "$hclvm" check --spec service.hcldec service.hcl
check "an unknown argument" 1 'on service.hcl line 1, column 1' "$hclvm" check --spec service.hcldec service.hcl
check "counts of a spec" 1 '1 file, 3 errors' "$hclvm" check --spec service.hcldec service.hcl
check "what was not bound is not told" 1 'a string is required, not a tuple' "$hclvm" check --spec service.hcldec service.hcl
echo 'port = n ? [1] : [2]' >service.hcl
check "what never fits" 1 'on service.hcl line 1, column 8' "$hclvm" check --spec service.hcldec service.hcl
echo 'port = country("a")' >host.hcl
check "functions are those of the spec" 1 'HCL300' "$hclvm" check --spec service.hcldec host.hcl
check "and those of the host" 0 '0 errors' "$hclvm" check --spec service.hcldec host.hcl --functions host.json
mkdir service && echo 'port = 1' >service/a.hcl && echo '{"user": [{"name": "ann"}]}' >service/b.hcl.json
check "a directory by a spec" 0 '2 files, 0 errors' "$hclvm" check --spec service.hcldec service
echo 'attr {' >broken.hcldec
check "a broken spec" 1 'on broken.hcldec line 1' "$hclvm" check --spec broken.hcldec service
cat >names.hcl <<'EOF'
variable "n" { type = number }
variable "ports" { type = list(number) }
EOF
printf 'port = 80 + n\n' >service.hcl
check "a spec and variables" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check --spec service.hcldec --variables names.hcl service.hcl
printf 'port = ports\nuser {\n  name = region\n}\n' >service.hcl
check "a variable that never fits" 1 'a number is required, not a list of number' "$hclvm" check --spec service.hcldec --variables names.hcl service.hcl
check "it may fit where nothing is known" 0 '0 errors' "$hclvm" check --spec service.hcldec service.hcl
printf 'port = m\n' >service.hcl
check "a name that is not declared" 1 'on service.hcl line 1, column 8' "$hclvm" check --spec service.hcldec --variables names.hcl service.hcl
printf 'variable "n" { type = numbr }\n' >wrong.hcl
check "variables with mistakes" 1 'on wrong.hcl line 1' "$hclvm" check --spec service.hcldec --variables wrong.hcl service.hcl
printf 'port = 1\n' >service.hcl
check "the type of a spec" 0 'spec service.hcldec: object({' "$hclvm" check --spec service.hcldec --show-types service.hcl
check "types of a spec's variables" 0 'variable ports: list(number)' \
  "$hclvm" check --spec service.hcldec --show-types --variables names.hcl service.hcl
check "types of a spec as JSON" 0 '{"kind":"spec","name":"service.hcldec","type":"object({' \
  "$hclvm" check --spec service.hcldec --show-types --diagnostics json service.hcl
check "spec and syntax" 2 '--spec needs more than --syntax' "$hclvm" check --spec service.hcldec --syntax service
check "spec and module" 2 '--spec does not go with --module' "$hclvm" check --spec service.hcldec --module service.hcl

# More than is kept of one path is counted, in each form, and what a comment keeps back is not.
for n in $(seq 150); do echo "a$n = true ? 1 : 2"; done >many.hcl
for n in $(seq 130); do echo "b$n = upper()"; done >>many.hcl
check "more than is kept" 1 '1 file, 100 errors, 100 warnings, 80 more were left out' "$hclvm" check many.hcl
check "more than is kept, strict" 1 '1 file, 100 errors, 0 warnings, 180 more were left out' "$hclvm" check --strict many.hcl
check "more than is kept, as JSON" 1 '{"severity":"warning","code":"HCL8009","summary":"More was found","detail":"80 more' \
  "$hclvm" check many.hcl --diagnostics json
check "more than is kept, in SARIF" 1 '"toolExecutionNotifications":[{"level":"warning","message":{"text":"80 more were left out"}}]' \
  "$hclvm" check many.hcl --diagnostics sarif
check "all is kept" 1 '1 file, 130 errors, 150 warnings' "$hclvm" check many.hcl --limit max_diagnostics=1000
check "no more as JSON" 1 '"HCL8006"' "$hclvm" check many.hcl --limit max_diagnostics=1000 --diagnostics json
grep -q HCL8009 out && echo "FAIL: nothing was left out" && failures=$((failures + 1))
for n in $(seq 300); do echo "c$n = true ? 1 : 2 # hclvm:ignore HCL8006"; done >many.hcl
echo >>many.hcl
for n in $(seq 3); do echo "d$n = true ? 1 : 2"; done >>many.hcl
check "what is kept back is not left out" 0 '1 file, 0 errors, 3 warnings' "$hclvm" check many.hcl --limit max_diagnostics=3
mkdir many && cp good/variables.hcl many/ && for n in $(seq 150); do echo "a$n = user.age + 1"; done >many/a.hcl
check "more warnings of a module" 0 '2 files, 0 errors, 100 warnings, 50 more were left out' "$hclvm" check many

# A variable may have the name of an attribute.
printf 'x = x\nuser = user.name\ny = x + 1\nsvc "a" {\n  x = x\n  n = user\n}\n' >own.hcl
printf 'variable "x" { type = number }\nvariable "user" { type = object({ name = string }) }\n' >own_variables.hcl
check "an attribute of a variable's name" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check own.hcl --strict
check "and with variables" 0 '1 file, 0 errors, 0 warnings' "$hclvm" check own.hcl --strict --variables own_variables.hcl
mkdir own && cp own.hcl own_variables.hcl own/
check "and in a module" 0 '2 files, 0 errors, 0 warnings' "$hclvm" check own --strict

# What is no file is told, and never waited for.
mkdir pipe link dangling && mkfifo pipe/a.hcl && ln -s /dev/zero link/a.hcl && ln -s none dangling/a.hcl
check "a pipe in a module" 1 'cannot read pipe/a.hcl: it is no regular file' timeout 20 "$hclvm" check pipe
check "a device in a module" 1 'cannot read link/a.hcl: it is no regular file' timeout 20 "$hclvm" check link
check "a link to nothing" 1 'cannot read dangling/a.hcl: No such file or directory' "$hclvm" check dangling
check "an endless file" 3 'cannot read /dev/zero: it has more than 1000 bytes' "$hclvm" check /dev/zero --limit max_source_bytes=1000
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket.hcl")'
check "a socket" 1 'cannot read socket.hcl' timeout 20 "$hclvm" check socket.hcl
check "the others are told" 1 '2 files, 1 error, 1 warning' timeout 20 "$hclvm" check pipe bad socket.hcl
check "what is piped" 0 '1 file, 0 errors' bash -c "\"$hclvm\" check <(echo 'x = 1')"
printf 'x = "\xff"\n' >bytes.hcl
check "bytes that are no text" 1 'on bytes.hcl line 1, column 6' "$hclvm" check bytes.hcl

# The syntax alone.
echo 'x = ' >broken.hcl
check "syntax" 1 'on broken.hcl line 1' "$hclvm" check --syntax broken.hcl good
check "syntax alone" 0 '3 files, 0 errors' "$hclvm" check --syntax plain.hcl bad
printf '{"user": {"name": "ann"}, "n": 1}\n{"user": {"name": "bob", "age": 3}, "n": 2}\n' >requests.ndjson
check "inferred variables" 0 'age = optional(number)' "$hclvm" check --infer-from requests.ndjson
check "nothing to infer from" 1 'cannot read none.ndjson' "$hclvm" check --infer-from none.ndjson
mkdir -p infer-from
check "a folder to infer from" 1 'cannot read infer-from: Is a directory' "$hclvm" check --infer-from infer-from
echo '{"a": }' >infer-from/bad.ndjson
check "a bad line to infer from" 1 'infer-from/bad.ndjson: line 1: ' "$hclvm" check --infer-from infer-from/bad.ndjson
check "nothing to read" 1 'cannot read none.hcl' "$hclvm" check none.hcl
check "no path" 2 'give a DIR or a FILE' "$hclvm" check
check "limit" 3 'max_source_bytes' "$hclvm" check plain.hcl --limit max_source_bytes=3

((failures == 0)) && echo "all passed"
exit $((failures > 0))
