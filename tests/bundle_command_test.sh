#!/usr/bin/env bash
# hclvm bundle as a user meets it: bundle_command_test.sh HCLVM HCLVM_SERVE.
set -uo pipefail

hclvm=$(readlink -f "$1")
serve=$(readlink -f "$2")
. "$(dirname "${BASH_SOURCE[0]}")/support/command_checks.sh"

mkdir -p b/m b/n
echo 'variable "n" { type = number }' >b/m/variables.hcl
echo 'big = n > 10' >b/m/policy.hcl
echo 'one = 1' >b/n/policy.hcl
cat >b/m/policy.test.hcl <<'END'
test "big" {
  with   = { n = 11 }
  expect = { big = true }
}
END

build() { "$hclvm" bundle build "$@"; }

# ---- build

check "no revision" 2 'give the revision: --revision TEXT, or manifest.json in b' build b -o one.tar.gz
check "a wrong revision" 2 '--revision: expected 1 to 128 visible ASCII characters' build b -o one.tar.gz --revision 'a b'
check "built" 0 'one.tar.gz: revision 1, 2 modules, 2 entries, 5 files, ' build b -o one.tar.gz --revision 1 --test
touch -d '2001-01-01' b/m/policy.hcl
(umask 077 && cp -r b copy)
check "built again" 0 'two.tar.gz: revision 1' build copy -o two.tar.gz --revision 1
cmp one.tar.gz two.tar.gz || fail "the same files make other bytes"
build b -o - --revision 1 | cmp - one.tar.gz || fail "standard output has other bytes"
check "a name for another file" 2 'b/out.tar.gz is in b' build b -o b/out.tar.gz --revision 1
check "no directory" 1 'one.tar.gz is no directory' build one.tar.gz -o two.tar.gz
check "no output" 2 'give a DIR and --output FILE' build b --revision 1
check "no such folder" 1 'cannot write none/x.tar.gz: ' build b -o none/x.tar.gz --revision 1
check "the service takes it" 0 '' "$serve" --bundle one.tar.gz --check-config
gzip -dc one.tar.gz | tar tf - >names || fail "tar cannot read it"
[[ $(sort names) == "$(cat names)" && $(head -1 names) == m/policy.hcl ]] || fail "names: $(cat names)"

# What is wrong is found before anything is written.
cp -r b wrong
echo 'big = n > ten' >wrong/m/policy.hcl
check "an error of the service" 1 'm/policy.hcl line 1' build wrong -o none.tar.gz --revision 1
check "as JSON" 1 '"code":"HCL3101"' build wrong -o none.tar.gz --revision 1 --diagnostics json
echo 'big = upper(true) + 1' >wrong/m/policy.hcl
check "an error that only check finds" 1 'm/policy.hcl line 1' build wrong -o none.tar.gz --revision 1
echo 'big = n > 20' >wrong/m/policy.hcl
check "a test that fails is not asked" 0 'other.tar.gz: revision 1' build wrong -o other.tar.gz --revision 1
check "a test that fails" 1 'wrong: tests of the bundle fail' build wrong -o none.tar.gz --revision 1 --test
echo 'authz { entry = "m/none" }' >wrong/service.hcl
check "an authz block" 1 'The bundle has no entry "m/none".' build wrong -o none.tar.gz --revision 1
rm wrong/service.hcl
echo '{"revision": "7", "roots": ["m"]}' >wrong/manifest.json
check "roots" 1 'the module "n" is not below the roots' build wrong -o none.tar.gz
echo '{"revision": "7", "files": {"gone": "00"}, "metadata": {"by": "ci"}}' >wrong/manifest.json
check "a manifest in the directory" 0 'seven.tar.gz: revision 7' build wrong -o seven.tar.gz
check "its metadata" 0 'metadata   {"by":"ci"}' "$hclvm" bundle inspect seven.tar.gz
echo '{"revision": ' >wrong/manifest.json
check "a broken manifest" 1 'wrong: manifest.json: ' build wrong -o none.tar.gz
ln -s /etc wrong/m/link
check "a link to a folder" 1 'link' build wrong -o none.tar.gz
[[ ! -e none.tar.gz ]] || fail "a refused bundle was written"

# ---- keys, signatures

check "keys" 0 'ed25519:' "$hclvm" bundle keygen private.pem public.pem
[[ $(stat -c %a private.pem) == 600 ]] || fail "others can read the private key"
check "keys are not replaced" 1 'cannot make private.pem: File exists' "$hclvm" bundle keygen private.pem other.pem
check "nor public ones" 1 'cannot make public.pem: File exists' "$hclvm" bundle keygen private2.pem public.pem
[[ ! -e private2.pem && ! -e other.pem ]] || fail "half of a pair is left"
"$hclvm" bundle keygen new-private.pem new-public.pem >new-name
check "not signed" 1 'there is no manifest.json.sig' "$hclvm" bundle verify one.tar.gz --key public.pem
cp one.tar.gz signed.tar.gz
check "signed" 0 'signed.tar.gz: signed by ed25519:' "$hclvm" bundle sign signed.tar.gz --key private.pem
check "verified" 0 'signed.tar.gz: revision 1, signed by ed25519:' "$hclvm" bundle verify signed.tar.gz --key public.pem
check "another key" 1 'is not by the required key' "$hclvm" bundle verify signed.tar.gz --key new-public.pem
check "one of two keys" 0 'signed by' "$hclvm" bundle verify signed.tar.gz --key new-public.pem --key public.pem
cat public.pem new-public.pem >both.pem
check "two keys in a file" 0 'signed by' "$hclvm" bundle verify signed.tar.gz --key both.pem
check "signed anew, elsewhere" 0 "anew.tar.gz: signed by $(cat new-name)" \
  "$hclvm" bundle sign signed.tar.gz --key new-private.pem --output anew.tar.gz
check "by the new key" 0 "$(cat new-name)" "$hclvm" bundle verify anew.tar.gz --key both.pem
check "the old one is as it was" 0 'signed by' "$hclvm" bundle verify signed.tar.gz --key public.pem
for keys in "--require-signature public.pem" "--require-signature both.pem" \
  "--require-signature new-public.pem --require-signature public.pem"; do
  # shellcheck disable=SC2086
  check "the service with $keys" 0 '' "$serve" --bundle signed.tar.gz $keys --check-config
done
check "the service with another key" 1 'is not by the required key' \
  "$serve" --bundle signed.tar.gz --require-signature new-public.pem --check-config
check "no checksums to sign" 1 'there is no manifest with checksums to sign' "$hclvm" bundle sign b --key private.pem
check "no key" 2 'give a bundle and --key PRIVATE.pem' "$hclvm" bundle sign one.tar.gz
check "a public key" 1 'public.pem: the key is no ed25519 private key' "$hclvm" bundle sign signed.tar.gz --key public.pem
check "a private key" 1 'private.pem: the key is no ed25519 public key' \
  "$hclvm" bundle verify signed.tar.gz --key private.pem
check "no such key" 1 'cannot read none.pem' "$hclvm" bundle verify signed.tar.gz --key none.pem
# A directory as one that was unpacked.
mkdir unpacked && tar xzf one.tar.gz -C unpacked
check "a directory is signed" 0 'unpacked: signed by' "$hclvm" bundle sign unpacked --key private.pem
check "and verified" 0 'unpacked: revision 1' "$hclvm" bundle verify unpacked --key public.pem
echo 'big = true' >unpacked/m/policy.hcl
check "another file" 1 'the checksum of m/policy.hcl is another one' "$hclvm" bundle verify unpacked --key public.pem

# ---- inspect, diff

check "inspect" 0 '  variable n: number, required' "$hclvm" bundle inspect one.tar.gz
grep -qF '  entry m/big: bool' out || fail "inspect: $(cat out)"
check "inspect as JSON" 0 '{"revision":"1","manifest":true,"checksums":true,"signature":true,' \
  "$hclvm" bundle inspect signed.tar.gz --format json
check "inspect a directory" 0 '(there is no manifest)' "$hclvm" bundle inspect b
check "no difference" 0 '1 -> 1: the same' "$hclvm" bundle diff one.tar.gz two.tar.gz
cp -r b next
echo 'variable "n" { type = string }' >next/m/variables.hcl
echo 'big = n == "10"' >next/m/policy.hcl
echo 'two = 2' >next/n/policy.hcl
build next -o next.tar.gz --revision 2 >/dev/null || fail "next.tar.gz"
check "a difference" 1 '~ variable m/n: number, required -> string, required' "$hclvm" bundle diff one.tar.gz next.tar.gz
for line in '1 -> 2: ' '~ manifest revision: 1 -> 2' '- entry n/one: number' '+ entry n/two: number' \
  '~ policy file m/policy.hcl: ' 'hclvm diff says which answers differ'; do
  grep -qF -- "$line" out || fail "diff lacks $line: $(cat out)"
done
check "as JSON" 1 '{"before":"1","after":"2","same":false,"changes":[{"kind":"manifest","name":"revision","before":"1",' \
  "$hclvm" bundle diff one.tar.gz next.tar.gz --format json
check "one bundle" 2 'give two bundles, OLD and NEW' "$hclvm" bundle diff one.tar.gz
check "no such form" 2 'must be text or json' "$hclvm" bundle diff b b --format html

# ---- the commands

check "no command" 2 'give a command' "$hclvm" bundle
check "an unknown command" 2 'did you mean build?' "$hclvm" bundle biuld
check "help" 0 'hclvm bundle build DIR --output FILE' "$hclvm" help bundle build

# ---- bundles in place of a CONFIG

head -c 200 one.tar.gz >cut.tar.gz
rm wrong/m/link wrong/manifest.json && mv wrong wrong2
echo '{"n":11}' >requests.ndjson
cat >decisions.log <<'END'
{"decision_id":"a","path":"m/big","input":{"n":15},"value":true}
{"decision_id":"b","path":"n/one","input":{},"value":1}
{"decision_id":"c","path":"m/big","input":{"n":5},"value":false}
END
check "diff of bundles" 1 '1 differ' "$hclvm" diff one.tar.gz other.tar.gz --module m --scopes requests.ndjson
check "of a log, the decisions of the module" 1 'true -> false' \
  "$hclvm" diff one.tar.gz other.tar.gz --module m --log decisions.log
check "of the other module" 0 'all the same' "$hclvm" diff one.tar.gz other.tar.gz --module n --log decisions.log
check "directories" 1 'true -> false' "$hclvm" diff b wrong2 --module m --log decisions.log
check "which module" 2 'one.tar.gz has several modules; give --module NAME: m, n' \
  "$hclvm" diff one.tar.gz next.tar.gz --scopes requests.ndjson
check "no such module" 2 'one.tar.gz has no module k; there are m, n' \
  "$hclvm" profile one.tar.gz --module k --scopes requests.ndjson
check "profile" 0 '' "$hclvm" profile one.tar.gz --module m --scopes requests.ndjson --time 1
check "bench" 0 'big' "$hclvm" bench one.tar.gz --module m --scopes requests.ndjson --time 1
check "coverage" 0 '' "$hclvm" coverage one.tar.gz --module m --scopes decisions.log
if grep -q 'no entry' out; then fail "decisions of another module are no mistakes: $(cat out)"; fi
check "explain" 0 'big' "$hclvm" explain b --module m --scopes requests.ndjson
check "explain, the module of the decision" 0 'big = false' "$hclvm" explain one.tar.gz --log decisions.log --id c
check "explain, of another module" 0 'one = 1' "$hclvm" explain one.tar.gz --log decisions.log --id b
cp -r b with_service && rm -r with_service/n
printf 'authz {\n  entry = "m/allow"\n}\n' >with_service/service.hcl
check "a directory with a file for the service" 0 'big' "$hclvm" explain with_service --scopes requests.ndjson
check "a broken bundle" 1 'not a sound tar.gz' "$hclvm" diff one.tar.gz cut.tar.gz --scopes requests.ndjson --module m

# ---- archives that nobody should trust: each command that reads one says so, and nothing else happens

mkdir hostile && echo 'a = 1' >hostile/a.hcl && ln -s /etc/passwd hostile/link.hcl
echo '{"revision": "1", "files": {"a.hcl": "00"}}' >hostile/manifest.json
tar czf link.tar.gz -C hostile a.hcl link.hcl
tar czf up.tar.gz -P --transform 's,a.hcl,../a.hcl,' -C hostile a.hcl
tar czf absolute.tar.gz -P --transform 's,a.hcl,/tmp/a.hcl,' -C hostile a.hcl
tar czf checksum.tar.gz -C hostile a.hcl manifest.json
head -c 200 one.tar.gz >cut.tar.gz
(cat one.tar.gz && echo more) >behind.tar.gz
gzip <one.tar.gz >twice.tar.gz
head -c 80000000 /dev/zero >hostile/zeros && tar czf bomb.tar.gz -C hostile zeros
tar czf names.tar.gz --transform "s,a.hcl,$(printf 'a%.0s' {1..3000})," -C hostile a.hcl
head -c 3000 /dev/urandom >noise.tar.gz
: >empty.tar.gz
hostile=(link up absolute checksum cut behind twice names noise empty bomb)
reasons=('not a regular file or a folder: link.hcl' '../a.hcl' '/tmp/a.hcl' 'the checksum of a.hcl is another one'
  'not a sound tar.gz' 'not a sound tar.gz' 'not a sound tar.gz' 'aaa' 'not a sound tar.gz' 'empty.tar.gz: ' 'at most 67108864 bytes')
for n in "${!hostile[@]}"; do
  file=${hostile[$n]}.tar.gz status=1
  [[ ${hostile[$n]} != bomb ]] || status=3
  cp "$file" before.tar.gz
  check "verify $file" $status "" "$hclvm" bundle verify "$file" --key public.pem
  check "inspect $file" $status "${reasons[$n]}" "$hclvm" bundle inspect "$file"
  check "diff $file" $status "${reasons[$n]}" "$hclvm" bundle diff one.tar.gz "$file"
  check "sign $file" $status "${reasons[$n]}" "$hclvm" bundle sign "$file" --key private.pem
  cmp "$file" before.tar.gz || fail "$file was written"
done
check "no such bundle" 1 'none.tar.gz' "$hclvm" bundle inspect none.tar.gz

exit $((failures > 0))
