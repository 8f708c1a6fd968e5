#!/usr/bin/env bash
# Builds the library with CMake, installs it, and builds and runs examples/cmake_consumer as somebody else would, from a
# copy outside of the tree: cmake_consumer.sh [--all]. Exit status 0 if everything works.
#
# GCC and C++17, static and shared, found by CMake and by pkg-config, and the core alone. With --all also Clang and C++20,
# and programs without exceptions and RTTI. Also checks what is installed, what the shared library exports, and that a
# library which is missing is named.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"
. "$root/tests/consumers/installed.sh"
hclvm_can_install cmake_consumer || exit 0

all=false
[[ ${1:-} != --all ]] || all=true
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
version=$(sed -n 's/^    version = "\(.*\)",$/\1/p;T;q' "$root/MODULE.bazel")

# consumer PREFIX NAME [CMAKE OPTION]...: builds the example with what is installed in PREFIX, in $dir/NAME.
consumer() {
  local prefix=$1 name=$2
  shift 2
  cp -r "$root/examples/cmake_consumer" "$dir/$name"
  if ! { cmake -S "$dir/$name" -B "$dir/$name/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@" &&
    cmake --build "$dir/$name/build" -j2; } >"$dir/$name.log" 2>&1 </dev/null; then
    cat "$dir/$name.log"
    return 1
  fi
}

# runs NAME: the example's programs give their answers.
runs() {
  hclvm_expect allowed "$dir/$1/build/decide"
  hclvm_expect allowed "$dir/$1/build/decide_shared"
  hclvm_expect '"hello, WORLD"' "$dir/$1/build/hello"
}

# Every public header and what it needs is there, and nothing else.
installed_headers() {
  python3 - "$root/tests/public_headers/public_headers.bzl" >"$dir/headers" <<'PYTHON'
import sys
lists = {}
exec(open(sys.argv[1], encoding="utf-8").read(), lists)
print("\n".join(sorted(lists["PUBLIC_HEADERS"] + lists["INTERNAL_HEADERS"] + lists["C_HEADERS"])))
PYTHON
  (cd "$1/include/hclvm" && find . -type f -printf '%P\n' | LC_ALL=C sort) | diff "$dir/headers" -
}

# The shared library has the version as its name. It exports every name of hcl and no other, and of hcl::internal what public
# headers call: two tests of ours that instantiate templates of these run with it, and so does a program with every inline
# function.
exports() {
  local prefix=$1 library=$1/lib/libhclvm.so
  readelf -d "$library" | grep -qF "[libhclvm.so.$version]" || { echo "the soname is not the version" && return 1; }
  if nm -D --defined-only "$library" | awk '{ print $3 }' | grep -vE '^_Z(N[KOR]*|TVN|TIN|TSN)3hcl'; then
    echo "this is exported, and is not of namespace hcl"
    return 1
  fi
  nm --defined-only "$prefix/lib/libhclvm.a" | awk '$2 ~ /[TBDR]/ { print $3 }' | c++filt |
    grep -E '^hcl::' | grep -vE '^hcl::(internal::|\(anonymous namespace\))' | sort -u >"$dir/names"
  nm -DC --defined-only "$library" | cut -c20- | sort -u | comm -23 "$dir/names" - >"$dir/hidden"
  [[ -s $dir/names && ! -s $dir/hidden ]] || { echo "not exported:" && cat "$dir/hidden" && return 1; }
  sed -n 's/^ *"\(.*\.h\)",$/#include "hclvm\/\1"/p' "$root/tests/public_headers/public_headers.bzl" |
    grep -v bindings/c >"$dir/all.cc"
  echo 'int main() {}' >>"$dir/all.cc"
  (
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
    read -ra flags <<<"$(pkg-config --cflags --libs hclvm)"
    g++ -std=c++17 -O0 -fkeep-inline-functions "$dir/all.cc" -o "$dir/all" "${flags[@]}"
    "$dir/all"
    # The tests' own folders are found through a link to this checkout, behind what is installed.
    mkdir -p "$dir/tree"
    ln -s "$root" "$dir/tree/hclvm"
    for test in tests/callable_test.cc tests/capsule_test.cc; do
      g++ -std=c++17 -O0 "$root/$test" "$root/bench/allocation_counter.cc" -I"$prefix/include" -I"$dir/tree" \
        "${flags[@]}" -lgtest -lgtest_main -pthread -o "$dir/test"
      "$dir/test" --gtest_brief=1 >"$dir/test.log" || { cat "$dir/test.log" && return 1; }
    done
  )
}

# By pkg-config, shared and static.
with_pkg_config() {
  local prefix=$1 flags
  (
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    hclvm_expect "$version" pkg-config --modversion hclvm
    read -ra flags <<<"$(pkg-config --cflags --libs hclvm)"
    g++ -std=c++17 "$root/examples/cmake_consumer/main.cc" "${flags[@]}" -o "$dir/decide"
    LD_LIBRARY_PATH=$prefix/lib hclvm_expect allowed "$dir/decide"
    read -ra flags <<<"$(pkg-config --static --cflags --libs hclvm-core)"
    g++ -std=c++17 "$root/examples/cmake_consumer/hello.cc" "${flags[@]}" -o "$dir/hello"
    hclvm_expect '"hello, WORLD"' "$dir/hello"
  )
}

# A project that needs a library which is not there is told which one, and one that does not need it is not.
missing_library() {
  local prefix=$1
  cp -r "$root/examples/cmake_consumer" "$dir/missing"
  if cmake -S "$dir/missing" -B "$dir/missing/build" -DCMAKE_PREFIX_PATH="$prefix" -DHCLVM_RE2_LIBRARY= \
    >"$dir/log" 2>&1 || ! grep -qF 'RE2 (Debian: libre2-dev)' "$dir/log"; then
    echo "without a library the message should name it:"
    cat "$dir/log"
    return 1
  fi
  sed -i 's/find_package(hclvm 0.1 REQUIRED)/find_package(hclvm 0.1 REQUIRED COMPONENTS core)/; /decide/d' \
    "$dir/missing/CMakeLists.txt"
  cmake -S "$dir/missing" -B "$dir/missing/core" -DCMAKE_PREFIX_PATH="$prefix" -DHCLVM_RE2_LIBRARY= >"$dir/log" 2>&1 ||
    { cat "$dir/log" && return 1; }
}

hclvm_installed "$dir/gcc"
installed_headers "$dir/gcc"
consumer "$dir/gcc" plain -DCMAKE_CXX_STANDARD=17
runs plain
with_pkg_config "$dir/gcc"
exports "$dir/gcc"
missing_library "$dir/gcc"

# The core alone, of the same objects, with the project that asks for no more.
hclvm_installed "$dir/core" gcc -DHCLVM_CORE_ONLY=ON
cmake -S "$dir/missing" -B "$dir/small" -DCMAKE_PREFIX_PATH="$dir/core" >"$dir/log" 2>&1 &&
  cmake --build "$dir/small" >>"$dir/log" 2>&1 || { cat "$dir/log" && exit 1; }
hclvm_expect '"hello, WORLD"' "$dir/small/hello"
$all || exit 0

consumer "$dir/gcc" bare -DCMAKE_CXX_FLAGS="-fno-exceptions -fno-rtti"
runs bare
if command -v clang++-14 >/dev/null; then
  CXX=clang++-14 hclvm_installed "$dir/clang" clang -DCMAKE_CXX_STANDARD=20
  consumer "$dir/clang" modern -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_CXX_STANDARD=20
  runs modern
else
  echo "cmake_consumer: no clang++-14 here; C++20 was not checked"
fi
