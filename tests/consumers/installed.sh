# Sourced by the scripts beside it, after tools/common.sh.
#
# hclvm_installed FOLDER [NAME [CMAKE OPTION]...]: builds the library with CMake and installs it in FOLDER. The build stays
# in the user's cache, in a folder for this checkout, this compiler and NAME, so that the next one compiles what has
# changed. It is not optimized, and has the checks of contracts (HCL_DCHECK). Programs are built where an option asks for them.
hclvm_installed() {
  local prefix=$1 name=${2:-gcc} cxx=${CXX:-g++} key build
  shift $(($# < 2 ? $# : 2))
  key=$({ echo "$root"; "$cxx" --version; cmake --version; } | cksum | cut -d' ' -f1)
  build=${XDG_CACHE_HOME:-$HOME/.cache}/hclvm-cmake/$name-$key
  mkdir -p "$build"
  if ! { cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_FLAGS=-O0 \
    -DCMAKE_PROJECT_INCLUDE="$root/cmake/precompiled.cmake" -DHCLVM_CORE_ONLY=OFF -DHCLVM_PROGRAMS=OFF "$@" &&
    cmake --build "$build" -j2 && cmake --install "$build" --prefix "$prefix"; } \
    >"$prefix.log" 2>&1 </dev/null; then
    tail -n 60 "$prefix.log"
    return 1
  fi
}

# hclvm_expect WANT COMMAND...: the command succeeds and prints WANT.
hclvm_expect() {
  local want=$1 got
  shift
  got=$("$@") || { echo "$* has failed" && return 1; }
  [[ $got == "$want" ]] || { printf '%s: want\n%s\ngot\n%s\n' "$*" "$want" "$got" && return 1; }
}

# hclvm_can_install NAME: whether the tools and libraries are there; says on behalf of NAME if they are not. Where Bazel
# fetches its libraries by itself (tools/setup), CMake has none.
hclvm_can_install() {
  local tool
  for tool in cmake ninja pkg-config; do
    command -v "$tool" >/dev/null || { echo "$1: no $tool here; nothing checked" && return 1; }
  done
  pkg-config --exists absl_strings re2 yaml-0.1 libutf8proc libcrypto zlib ||
    { echo "$1: not all libraries are installed here (docs/dependencies.md); nothing checked" && return 1; }
}
