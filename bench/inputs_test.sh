#!/usr/bin/env bash
# Compares the generated inputs with their known checksums: inputs_test.sh LIST.
#
# LIST is the output of `cksum` in the folder above the inputs. Figures of different machines and days are only
# comparable over the same bytes; whoever changes the inputs on purpose changes LIST too.
set -euo pipefail

list=$1
cd "$(dirname "$list")"
# Files by name: the third column of each line.
mapfile -t files < <(awk '{ print $3 }' "$(basename "$list")")
cksum "${files[@]}" | diff "$(basename "$list")" -
