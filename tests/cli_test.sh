#!/usr/bin/env bash
# The programs as a user meets them: cli_test.sh HCLVM FUNCTIONS_MD MODULE_BAZEL DIAGNOSTICS_MD.
#
# Each check runs one command and compares standard output, exit status and, where it says so, a part of stderr.
set -uo pipefail

hclvm=$(readlink -f "$1")
functions_md=$(readlink -f "$2")
module_bazel=$(readlink -f "$3")
diagnostics_md=$(readlink -f "$4")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failures=0

# check NAME STATUS STDOUT STDERR_PART COMMAND...: an empty STDERR_PART asks for nothing.
check() {
  local name=$1 status=$2 stdout=$3 stderr=$4 got=0
  shift 4
  "$@" >out 2>err </dev/null || got=$?
  if [[ $got != "$status" || $(cat out) != "$stdout" ]] || { [[ -n $stderr ]] && ! grep -qF -- "$stderr" err; }; then
    printf 'FAIL %s\n  status %s, want %s\n  stdout: %s\n    want: %s\n  stderr: %s\n    with: %s\n' \
      "$name" "$got" "$status" "$(cat out)" "$stdout" "$(cat err)" "$stderr"
    failures=$((failures + 1))
  fi
}

# Lines that gzip has compressed, in one member and in several, and damaged.
echo 'x = a' >x.hcl
{ echo '{"a":1}' | gzip; printf '{"a":2}\n{"a":3}\n' | gzip; } >x.ndjson.gz
check "gzip" 0 $'{"value":{"x":1}}\n{"value":{"x":2}}\n{"value":{"x":3}}' '3 lines' "$hclvm" run x.hcl --scopes x.ndjson.gz
check "gzip in threads" 0 $'{"value":{"x":1}}\n{"value":{"x":2}}\n{"value":{"x":3}}' '3 lines' \
  "$hclvm" run x.hcl --scopes x.ndjson.gz --threads 2
head -c 35 x.ndjson.gz >cut.gz
check "gzip that ends early" 1 '{"value":{"x":1}}' 'cannot read cut.gz: the compressed text ends early' \
  "$hclvm" run x.hcl --scopes cut.gz

# eval
check "expression" 0 '7' '' "$hclvm" eval -e '1 + 2 * 3'
check "an expression without -e" 1 '' "an expression is given with -e" "$hclvm" eval '1 + 2'
check "typed" 0 '{"type":"number","value":7}' '' "$hclvm" eval -e '1 + 2 * 3' --typed
check "variables" 0 '"x-5"' '' "$hclvm" eval -e '"${a}-${b}"' --var 'a="x"' --var 'b=2+3'
check "names in two spellings" 0 '4' '' "$hclvm" eval -e $'e\xcc\x81 + \xc3\xa9' --var $'e\xcc\x81=2'
check "variables see earlier ones" 0 '6' '' "$hclvm" eval -e 'b' --var a=5 --var b=a+1
check "a variable without quotes" 1 '' "a text has quotes: --var 'a=\"eu-west-1\"'" "$hclvm" eval -e a --var a=eu-west-1
check "a failing variable with quotes" 1 '' 'Unknown variable' "$hclvm" eval -e a --var 'a="${x}"'
! grep -q 'has quotes' err || { echo "FAIL: a hint at quotes that are there" && failures=$((failures + 1)); }
echo '{"user": {"name": "ann"}}' >vars.json
check "variables from a file" 0 '"ann"' '' "$hclvm" eval -e user.name --vars vars.json
check "unknown variable" 1 '' 'There is no variable named "usr". Did you mean "user"?' "$hclvm" eval -e '[usr, user]' --vars vars.json
check "syntax error" 1 '' 'on <expression> line 1' "$hclvm" eval -e '1 +'
check "json diagnostics" 1 '' '{"severity":"error","code":"HCL3001","summary":"Unknown variable"' "$hclvm" eval -e 'nosuch' --diagnostics=json
check "a value without JSON form" 1 '' 'cannot be written as JSON' "$hclvm" eval -e '1/0'
check "the place of a value without JSON form" 1 '' 'on <expression> line 1, column 1' "$hclvm" eval -e '1/0'
check "infinity, typed" 0 '{"type":"number","value":{"$number":"+Inf"}}' '' "$hclvm" eval -e '1/0' --typed
check "a warning" 0 'false' 'Warning[HCL8001]: Comparison of different types' "$hclvm" eval -e '1 == "1"'
check "a warning as JSON" 0 'true' '{"severity":"warning","code":"HCL8001",' "$hclvm" eval -e '1 != "1"' --diagnostics=json
check "a warning about a variable" 0 'false' '<variable a> line 1, column 1' "$hclvm" eval -e a --var 'a=1 == "1"'
echo 'a = 1 == "1"' >warning.hcl
check "a warning about a config" 0 '{"a":false}' 'on warning.hcl line 1, column 5' "$hclvm" eval warning.hcl
echo '{}' >warning.ndjson
check "a warning of run" 0 '{"value":{"a":false}}' 'Warning[HCL8001]' "$hclvm" run warning.hcl --scopes warning.ndjson
check "no error because of warnings past the bound" 0 '[true,true,true]' '1 more was left out.' \
  "$hclvm" eval -e '[1 != "1", 2 != "2", 3 != "3"]' --limit max_diagnostics=2
check "dialect spec" 1 '' 'Invalid operand' "$hclvm" eval -e '"1e3" + 1'
check "dialect hashicorp" 0 '1001' '' "$hclvm" eval -e '"1e3" + 1' --dialect=hashicorp
check "limit" 3 '' 'max_fuel' "$hclvm" eval -e '[for x in range(9) : x]' --limit max_fuel=5
check "nesting limit" 3 '' 'max_nesting_depth' "$hclvm" eval -e '((1))' --limit max_nesting_depth=1
printf '{"a": 1,\n "a": 2}' >twice.json
check "duplicate property" 1 '' 'on twice.json line 2' "$hclvm" eval -e a --vars twice.json
echo '[1]' >array.json
check "variables are no object" 1 '' 'JSON object' "$hclvm" eval -e a --vars array.json
mkdir -p names && ln -sf nosuch $'names/x\e[31m.hcl'
check "a name with a command for terminals" 1 '' 'cannot read names/x [31m.hcl: No such file' "$hclvm" run names --scopes vars.json
check "missing file" 1 '' 'cannot read nosuch.json: No such file' "$hclvm" eval -e a --vars nosuch.json

# Usage.
check "no command" 2 '' 'usage: hclvm COMMAND' "$hclvm"
check "no such command" 2 '' 'did you mean eval?' "$hclvm" evla
check "no expression" 2 '' 'give one expression' "$hclvm" eval
check "unknown option" 2 '' 'did you mean --typed?' "$hclvm" eval -e 1 --type
check "bad dialect" 2 '' 'expected spec or hashicorp' "$hclvm" eval -e 1 --dialect=x
check "bad limit" 2 '' 'no such limit' "$hclvm" eval -e 1 --limit max_fun=1
check "explain" 0 "$("$hclvm" explain hcl3201)" '' "$hclvm" explain 3201
[[ $("$hclvm" explain HCL3201 HCL1001 | grep -cE '^HCL(3201|1001) ') == 2 ]] || { echo "FAIL explain of two codes"; failures=$((failures + 1)); }
check "explain nothing" 2 '' 'give a code' "$hclvm" explain
check "explain what is no code" 2 '' '"policies" is no code' "$hclvm" explain policies
check "explain no code that there is" 1 '' 'there is no code HCL3999' "$hclvm" explain HCL1001 HCL3999
for command in run eval functions decode disasm doc explain completion manual; do
  "$hclvm" "$command" --help >out 2>err || { echo "FAIL $command --help"; failures=$((failures + 1)); }
  grep -q "^usage: hclvm $command" out || { echo "FAIL $command --help prints no usage"; failures=$((failures + 1)); }
  check "help $command" 0 "$(cat out)" '' "$hclvm" help "$command"
done

# MODULE.bazel states the version, too.
version=$(sed -n 's/^ *version = "\(.*\)",$/\1/p;T;q' "$module_bazel")
check "version" 0 "hclvm $version" '' "$hclvm" --version

# run
cat >policy.hcl <<'HCL'
rule "a" {
  allow = user == "ann" && n > 1
}
rule "b" {
  allow = n < 0
}
name = "policy ${user}"
HCL
cat >scopes.ndjson <<'NDJSON'
{"user": "ann", "n": 2}
{"user": "bob", "n": -1}
NDJSON
check "run entry" 0 $'{"value":true}\n{"value":false}' '2 lines, 0 with errors' \
  "$hclvm" run policy.hcl --scopes scopes.ndjson --entry rule.a.allow
check "run whole" 0 \
  $'{"value":{"name":"policy ann","rule":{"a":[{"allow":true}],"b":[{"allow":false}]}}}\n{"value":{"name":"policy bob","rule":{"a":[{"allow":false}],"b":[{"allow":true}]}}}' \
  '' "$hclvm" run policy.hcl --scopes scopes.ndjson
check "run typed" 0 $'{"type":"bool","value":true}\n{"type":"bool","value":false}' '' \
  "$hclvm" run policy.hcl --scopes scopes.ndjson --entry rule.a.allow --typed
check "run two entries" 0 \
  $'{"values":{"name":"policy ann","rule.a.allow":true}}\n{"values":{"name":"policy bob","rule.a.allow":false}}' '' \
  "$hclvm" run policy.hcl -s scopes.ndjson -e name -e rule.a.allow
check "run as text" 0 $'policy ann\ttrue\npolicy bob\tfalse' '' \
  "$hclvm" run policy.hcl -s scopes.ndjson -e name -e rule.a.allow --output text
check "run as an array" 0 $'[\n{"value":true},\n{"value":false}\n]' '' \
  "$hclvm" run policy.hcl -s scopes.ndjson -e rule.a.allow --output json
check "run in no such form" 2 '' 'ndjson, json or text' "$hclvm" run policy.hcl -s scopes.ndjson --output xml
check "run typed as text" 2 '' 'needs an output that is JSON' "$hclvm" run policy.hcl -s scopes.ndjson --output text --typed
check "an entry twice" 2 '' 'given twice' "$hclvm" run policy.hcl -s scopes.ndjson -e name -e name
check "run quiet" 0 $'{"value":true}\n{"value":false}' '' "$hclvm" run policy.hcl -s scopes.ndjson -e rule.a.allow -q
check "the entries there are" 2 '' '  rule.a.allow' "$hclvm" run policy.hcl --scopes scopes.ndjson --entry nothing.like.it
check "no such entry" 2 '' 'did you mean rule.a.allow?' "$hclvm" run policy.hcl --scopes scopes.ndjson --entry rule.a.alow
check "scopes missing" 2 '' '--scopes FILE' "$hclvm" run policy.hcl
check "scopes unreadable" 1 '' 'cannot read nosuch.ndjson: No such file' "$hclvm" run policy.hcl --scopes nosuch.ndjson
check "scopes a folder" 1 '' 'cannot read .: Is a directory' "$hclvm" run policy.hcl --scopes .
check "config missing" 1 '' 'cannot read nosuch.hcl: No such file' "$hclvm" run nosuch.hcl --scopes scopes.ndjson

# A folder is a module, and so is the file of --module.
mkdir empty module
check "folder without files" 1 '' 'empty has no *.hcl and no *.hcl.json in it' "$hclvm" run empty --scopes scopes.ndjson
cat >module/a.hcl <<'EOF'
variable "n" { type = number }
locals { twice = n * 2 }
EOF
echo 'big = local.twice > 3' >module/b.hcl
echo 'not read' >module/b.test.hcl
printf 'variable "n" { sensitive = true }\na = n * 2\n' >sensitive.hcl
echo '{"n": "2"}' >module.ndjson
check "module" 0 '{"value":{"big":true}}' '' "$hclvm" run module --scopes module.ndjson
check "value for a module" 1 '' 'n must not be null' "$hclvm" eval module --var n=null
check "no value for a module" 1 '' 'needs a value for the variable "n" (number)' "$hclvm" eval module
check "module of one file" 1 '' 'HCL3102' "$hclvm" eval --module module/b.hcl
check "entry of a module" 0 'false' '' "$hclvm" eval module --var n=1 --entry big
check "sensitive" 1 '' 'sensitive, so that no more is said' "$hclvm" eval --module sensitive.hcl --var 'n="x"'
check "a file of a module alone" 1 "$("$hclvm" run module/b.hcl --scopes module.ndjson 2>/dev/null)" \
  'module/b.hcl was read alone, as a plain config. module/a.hcl declares names, so that the folder is a module: hclvm run module' \
  "$hclvm" run module/b.hcl --scopes module.ndjson
check "a file of a module alone, evaluated" 1 '' 'so that the folder is a module: hclvm eval module' "$hclvm" eval module/b.hcl
check "a file of a module alone, checked" 0 '1 file, 0 errors, 0 warnings' 'so that the folder is a module: hclvm check module' \
  "$hclvm" check module/b.hcl
check "no variables" 1 '' "--vars FILE.json or --var 'NAME=EXPR' gives some." "$hclvm" eval -e user
check "no variables for a module" 1 '' "--vars FILE.json or --var 'NAME=EXPR' gives some." "$hclvm" eval module
printf 'variable "n" { sensitive = true }\na = 1\n' >secret.hcl
echo '{"n": "hunter2", "m": }' >secret.ndjson
"$hclvm" run --module secret.hcl --scopes secret.ndjson >/dev/null 2>err
grep -q 'on secret.ndjson line 1, column' err || { echo "FAIL no place of a secret line: $(cat err)"; failures=$((failures + 1)); }
! grep -q hunter2 err || { echo "FAIL a secret line is shown: $(cat err)"; failures=$((failures + 1)); }
# What is made of what is sensitive is hidden, unless it is asked for.
cat >hidden.hcl <<'EOF'
variable "n" {
  type      = string
  sensitive = true
}
a = { x = n, y = 1 }
b = n == "t"
c = nonsensitive(n)
EOF
echo '{"n": "t"}' >hidden.ndjson
check "hidden" 0 '{"value":{"a":{"x":null,"y":1},"b":null,"c":"t"},"erased":["/a/x","/b"]}' '' \
  "$hclvm" run --module hidden.hcl --scopes hidden.ndjson
check "hidden entries" 0 '{"values":{"a":{"x":null,"y":1},"c":"t"},"erased":["/a/x"]}' '' \
  "$hclvm" run --module hidden.hcl --scopes hidden.ndjson -e a -e c
check "hidden as text" 0 '{"x":"(sensitive value)","y":1}	(sensitive value)	t' '' \
  "$hclvm" run --module hidden.hcl --scopes hidden.ndjson -e a -e b -e c --output text
check "shown" 0 '{"value":{"a":{"x":"t","y":1},"b":true,"c":"t"}}' '' \
  "$hclvm" run --module hidden.hcl --scopes hidden.ndjson --show-sensitive
check "eval hides" 0 '{"a":{"x":"(sensitive value)","y":1},"b":"(sensitive value)","c":"t"}' \
  '2 values are hidden, because they are sensitive (--show-sensitive shows them)' \
  "$hclvm" eval --module hidden.hcl --var 'n="t"'
check "eval hides one" 0 '"(sensitive value)"' 'a value is hidden, because it is sensitive' "$hclvm" eval -e 'sensitive(1)'
check "eval hides, typed" 0 '{"type":"number","value":null,"erased":[""]}' '' "$hclvm" eval -e 'sensitive(1)' --typed
echo '{"n": {"hunter2": 1, "hunter2": 2}}' >twice.ndjson
"$hclvm" run --module hidden.hcl --scopes twice.ndjson >out 2>err
! grep -q hunter2 out err || { echo "FAIL a name of a secret line is shown: $(cat out err)"; failures=$((failures + 1)); }
check "eval shows" 0 '1' '' "$hclvm" eval -e 'sensitive(1)' --show-sensitive
# A variable block in JSON: the value of what is ephemeral is hidden, and what is deprecated is told.
cat >brief.hcl.json <<'EOF'
{"variable": {"n": {"type": "string", "ephemeral": true}, "old": {"default": "d", "deprecated": "Use n.", "const": true}},
 "a": "${n}!", "b": "${ephemeralasnull({n = n, old = old})}"}
EOF
check "ephemeral" 0 '{"value":{"a":null,"b":{"n":null,"old":"d"}},"erased":["/a","/b/n"]}' '' \
  "$hclvm" run --module brief.hcl.json --scopes hidden.ndjson
check "ephemeral, shown" 0 '{"a":"t!","b":{"n":null,"old":"d"}}' '' \
  "$hclvm" eval --module brief.hcl.json --var 'n="t"' --show-sensitive
check "deprecated" 0 '{"n":null,"old":"o"}' 'The variable old is deprecated: Use n.' \
  "$hclvm" eval --module brief.hcl.json --var 'n="t"' --var 'old="o"' --entry b --show-sensitive
check "config and module" 2 '' 'give one CONFIG' "$hclvm" run module --module module/a.hcl --scopes module.ndjson

# The same mistake in many lines is told once, and a further one all the same.
echo 'a = n + 1' >mistakes.hcl
printf '{"n": [1]}\n{"n": [2]}\n{}\n' >mistakes.ndjson
"$hclvm" run mistakes.hcl --scopes mistakes.ndjson >/dev/null 2>err
[[ $(grep -c HCL4101 err) == 1 ]] || { echo "FAIL equal mistakes: $(cat err)"; failures=$((failures + 1)); }
grep -qx '1 error as in other lines' err || { echo "FAIL equal mistakes are counted: $(cat err)"; failures=$((failures + 1)); }
# A warning is none of the errors that are counted.
printf '{"n": "t", "old": 1}\n{"n": "t", "old": 1}\n' | "$hclvm" run --module brief.hcl.json --scopes - >/dev/null 2>warned
[[ $(grep -c HCL8017 warned) == 1 && $(grep -cx '1 warning as in other lines' warned) == 1 ]] ||
  { echo "FAIL equal warnings are counted: $(cat warned)"; failures=$((failures + 1)); }
grep -q 'There is no variable named "n"' err || { echo "FAIL another mistake: $(cat err)"; failures=$((failures + 1)); }

# Bad lines are answered in their place, and the others all the same.
{
  echo '{"user": "ann", "n": 2}'
  echo 'not json'
  echo '[1, 2]'
  echo '{"user": "ann"}'
  echo '{"n": 1, "n": 2}'
  echo ''
  printf '{"user": "\xff", "n": 1}\n'
  printf '{"user": %s1%s, "n": 1}\n' "$(printf '[%.0s' {1..600})" "$(printf ']%.0s' {1..600})"
  printf '{"user": "bob", "n": 2}'
} >bad.ndjson
"$hclvm" run policy.hcl --scopes bad.ndjson --entry rule.a.allow >out 2>err
got=$?
[[ $got == 3 ]] || { echo "FAIL bad lines: status $got"; failures=$((failures + 1)); }
[[ $(wc -l <out) == 9 ]] || { echo "FAIL bad lines: $(wc -l <out) lines"; failures=$((failures + 1)); }
line() {
  if ! sed -n "$1p" out | grep -qF -- "$2"; then
    printf 'FAIL bad lines, line %s: %s\n  want: %s\n' "$1" "$(sed -n "$1p" out)" "$2"
    failures=$((failures + 1))
  fi
}
line 1 '{"value":true}'
line 2 '"filename":"bad.ndjson","start":{"line":2,"column":1,'
line 3 'Invalid scope'
line 4 'There is no variable named \"n\"'
line 4 '"filename":"policy.hcl","start":{"line":2,"column":28,'
line 5 '"line":5'
line 5 'uplicate'
line 6 '"line":6'
line 7 '"line":7,"column":11'
line 7 'UTF-8'
line 8 'max_nesting_depth'
line 9 '{"value":false}'
grep -qF '9 lines, 7 with errors' err || { echo "FAIL bad lines: no summary"; failures=$((failures + 1)); }

# Configs in the JSON syntax.
cat >policy.json <<'JSON'
{
  "//": "a comment",
  "allow": "${user == \"ann\" && n > 1}",
  "of": {"//": "${n}", "k-${user}": [-1.5, null, "x\n${user}"]}
}
JSON
check "json config" 0 '{"allow":true,"of":{"//":2,"k-${user}":[-1.5,null,"x\nann"]}}' '' \
  "$hclvm" eval policy.json --var user='"ann"' --var n=2
check "json config, names as the reference" 0 '{"allow":true,"of":{"//":2,"k-ann":[-1.5,null,"x\nann"]}}' '' \
  "$hclvm" eval policy.json --var user='"ann"' --var n=2 --dialect=hashicorp
check "run json config" 0 $'{"value":true}\n{"value":false}' '' \
  "$hclvm" run policy.json --scopes scopes.ndjson --entry allow -q
printf '{\n  "a": "\\n${nosuch}"\n}' >unknown.json
check "a place in a json string" 1 '' 'on unknown.json line 2, column 13' "$hclvm" eval unknown.json
printf '{\n  "a": 1,\n}' >comma.json
check "a mistake in json" 1 '' 'on comma.json line 2, column 9' "$hclvm" eval comma.json
printf '{"a": %s}' "$(printf '[%.0s' {1..600})" >deep.json
check "nesting limit in json" 3 '' 'max_nesting_depth' "$hclvm" eval deep.json

# Any number of threads gives the same lines in the same order.
for n in $(seq 20000); do echo "{\"user\": \"u$n\", \"n\": $((n % 3))}"; done >many.ndjson
"$hclvm" run policy.hcl --scopes many.ndjson -q >one
for threads in 2 3 8; do
  "$hclvm" run policy.hcl --scopes many.ndjson -q --threads "$threads" >several
  cmp -s one several || { echo "FAIL $threads threads print something else"; failures=$((failures + 1)); }
done

# Behind a pipe each line is answered before the next one comes.
coproc worker { "$hclvm" run policy.hcl --scopes - --entry rule.a.allow -q 2>/dev/null; }
worker_pid=$worker_PID
for n in 1 2 3; do
  echo "{\"user\": \"ann\", \"n\": $n}" >&"${worker[1]}"
  read -r -t 20 answer <&"${worker[0]}" || { echo "FAIL no answer through a pipe"; failures=$((failures + 1)); break; }
done
exec {worker[1]}>&-
wait "$worker_pid" 2>/dev/null

# Bad configs: file, line and column.
printf 'a = 1\nb = \xff\n' >utf8.hcl
check "invalid UTF-8" 1 '' 'on utf8.hcl line 2, column 5' "$hclvm" run utf8.hcl --scopes scopes.ndjson
printf '\xef\xbb\xbfa = 1\n' >bom.hcl
check "byte order mark" 1 '' 'on bom.hcl line 1, column 1' "$hclvm" run bom.hcl --scopes scopes.ndjson
printf 'a = 1\na = 2\n' >twice.hcl
check "attribute given twice" 1 '' 'on twice.hcl line 2, column 1' "$hclvm" run twice.hcl --scopes scopes.ndjson

# functions
check "functions" 0 'numeric:' '' bash -c "'$hclvm' functions | head -1"
check "a function" 0 $'abs(num)    (numeric)\n\nThe number without its sign.\n\n  num: number\n  result: number\n\n  abs(-12.4) = 12.4' '' \
  "$hclvm" functions abs
check "functions by a name of before" 0 '' '' bash -c "'$hclvm' functions --json | diff - <('$hclvm' functions --output json)"
check "no such function" 1 '' 'did you mean "upper"?' "$hclvm" functions uper
check "docs/functions.md is what the program prints" 0 '' '' bash -c "'$hclvm' functions --output markdown | diff - '$functions_md'"

# disasm
check "disasm" 0 $'variables: a\nchunk 0 (main): 1 registers\n    0  LoadPath       r0 a.b\n    1  Return         r0' '' \
  "$hclvm" disasm -e a.b
check "disasm of a config" 0 \
  $'variables:\nchunk 0 x: 1 registers\n    0  Return         1\nchunk 1 (main): 3 registers\n    1  FixedBegin     r1 {x}' '' \
  bash -c "printf 'x = 1\n' | '$hclvm' disasm - | head -5"

# What is not read of a line is skipped.
echo 'x = user.name' >part.hcl
printf '%s\n' '{"user": {"name": "ann", "age": 01}, "rest": [1 2]}' '{"user": {"nam": 1}}' >part.ndjson
check "what is not read" 1 "{\"value\":{\"x\":\"ann\"}}
$("$hclvm" run part.hcl --scopes <(sed -n 2p part.ndjson) -q 2>/dev/null)" 'Did you mean "nam"?' "$hclvm" run part.hcl --scopes part.ndjson
"$hclvm" run part.hcl --scopes part.ndjson --check-all >out 2>/dev/null
grep -q HCL6101 out || { echo "FAIL: --check-all reads all of a line" && failures=$((failures + 1)); }
for threads in 1 3; do
  "$hclvm" run part.hcl --scopes part.ndjson --threads "$threads" -q >"part.$threads" 2>/dev/null
done
cmp -s part.1 part.3 || { echo "FAIL: threads skip alike" && failures=$((failures + 1)); }

# Data of all lines.
mkdir -p data
echo '["ann"]' >data/owners.json
echo '{"limit": 5}' >limit.json
echo 'x = contains(owners, user) && size < limit' >data.hcl
printf '%s\n' '{"user": "ann", "size": 1}' '{"user": "bob", "size": 1}' >data.ndjson
check "data" 0 $'{"value":{"x":true}}\n{"value":{"x":false}}' '' \
  "$hclvm" run data.hcl --data data --data limit.json --scopes data.ndjson
echo '{"user": "ann", "size": 7, "limit": 8}' >more.ndjson
check "a line that gives what data give" 1 "$("$hclvm" run data.hcl -d data -d limit.json -s more.ndjson -q 2>/dev/null)" 'HCL3012' \
  "$hclvm" run data.hcl --data data --data limit.json --scopes more.ndjson
check "data that a line replaces" 0 '{"value":{"x":true}}' '' \
  "$hclvm" run data.hcl --data data --data limit.json --data-default limit --scopes more.ndjson
check "data twice" 1 '' 'is given by limit.json as well' "$hclvm" run data.hcl -d limit.json -d limit.json -s data.ndjson
check "data that are not there" 1 '' 'cannot read nosuch.json: No such file' "$hclvm" run data.hcl -d nosuch.json -s data.ndjson
check "data that are no JSON" 1 '' 'HCL6101' "$hclvm" run data.hcl -d data.hcl -s data.ndjson

# doc
check "doc" 0 $'# module\n\n## Variables\n\n### `user`\n\n- type: `any`\n- must be given' '' bash -c "mkdir -p d/module
  printf 'variable \"user\" {}\nx = user\n' >d/module/a.hcl && '$hclvm' doc d/module/ | head -9"
check "doc of a file" 0 '| `x` | `user` |' '' bash -c "'$hclvm' doc --module d/module/a.hcl | tail -1"
check "doc of a plain config" 0 '# a.hcl' '' bash -c "printf 'x = user\n' >a.hcl && '$hclvm' doc a.hcl | head -1"
check "doc of a module in error" 1 '' 'HCL3101' bash -c "printf 'x = user\n' >a.hcl && '$hclvm' doc --module a.hcl"
check "doc of nothing" 2 '' 'give one directory or file' "$hclvm" doc

# The commands in docs/diagnostics.md give the code of their section.
while IFS=$'\t' read -r code command; do
  got=$(eval "${command/#hclvm/\"\$hclvm\"}" 2>&1 </dev/null)
  grep -qF "[$code]" <<<"$got" || { echo "FAIL $code: $command: $got"; failures=$((failures + 1)); }
done < <(awk '/^## /{code = $2} in_sh && !/^```/{print code "\t" $0} /^```/{in_sh = /^```sh$/}' "$diagnostics_md")

((failures == 0)) && echo "all passed"
exit $((failures > 0))
