#!/usr/bin/env bash
# Builds and runs the examples in C and in Go with the library that CMake has installed, from copies outside of the tree:
# c_consumer.sh. Takes no arguments; exit status 0 if the programs give the right answers. Without Go, says so and goes on.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"
. "$root/tests/consumers/installed.sh"
hclvm_can_install c_consumer || exit 0

dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
want=$(cat "$root/examples/c_consumer/expected.txt")

hclvm_installed "$dir/hclvm"
export PKG_CONFIG_PATH=$dir/hclvm/lib/pkgconfig LD_LIBRARY_PATH=$dir/hclvm/lib

# C has no other names than those of its header.
abi=$(sed -n 's/^#define HCLVM_ABI_VERSION //p' "$root/bindings/c/hclvm.h")
readelf -d "$dir/hclvm/lib/libhclvm_c.so" | grep -qF "[libhclvm_c.so.$abi]"
exported=$(nm -D --defined-only "$dir/hclvm/lib/libhclvm_c.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(sed 's,/\*.*\*/,,' "$root/bindings/c/hclvm.h" | grep -oE '\bhclvm_[a-z0-9_]+\(' | tr -d '(' | sort -u)
diff <(echo "$declared") <(echo "$exported") || { echo "c_consumer: declared (<) and exported (>) differ" && exit 1; }

cp -r "$root/examples/c_consumer" "$dir/c"
cmake -S "$dir/c" -B "$dir/c/build" -DCMAKE_PREFIX_PATH="$dir/hclvm" >"$dir/log" 2>&1 &&
  cmake --build "$dir/c/build" >>"$dir/log" 2>&1 || { cat "$dir/log" && exit 1; }
LD_LIBRARY_PATH='' hclvm_expect "$want" "$dir/c/build/decide"
LD_LIBRARY_PATH='' hclvm_expect "$want" "$dir/c/build/decide_static"

# The program in docs/c.md, too.
sed -n '/^```c$/,/^```$/p' "$root/docs/c.md" | grep -v '^```' >"$dir/page.c"
read -ra flags <<<"$(pkg-config --cflags --libs hclvm-c)"
cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$dir/page.c" "${flags[@]}" -o "$dir/page"
hclvm_expect '{"allow":true}' "$dir/page"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$root/examples/c_consumer/decide.c" "${flags[@]}" -o "$dir/decide"
hclvm_expect "$want" "$dir/decide"
# All in one file: the archive of C, and shared libraries of others.
read -ra flags <<<"$(pkg-config --static --cflags --libs hclvm-c)"
cc -std=c11 "$root/examples/c_consumer/decide.c" "${flags[@]/-lhclvm_c/-l:libhclvm_c.a}" -o "$dir/decide_static"
LD_LIBRARY_PATH='' hclvm_expect "$want" "$dir/decide_static"

if ! command -v go >/dev/null; then
  echo "c_consumer: no Go here (Debian: golang-go); its example was not built"
  exit 0
fi
cp -r "$root/examples/go_consumer" "$dir/go"
(cd "$dir/go" && GOCACHE=$dir/gocache GOFLAGS=-mod=mod GOPROXY=off go build -o "$dir/go/decide" .)
hclvm_expect "$(cat "$root/examples/go_consumer/expected.txt")" "$dir/go/decide"
