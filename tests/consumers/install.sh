#!/usr/bin/env bash
# Installs everything with CMake, and uses it from there as a user would: install.sh. Exit status 0 if everything works.
#
# The programs, their pages, completions and unit; and, as a folder of another project, nothing but what is linked. What is
# installed of the library is tested by cmake_consumer.sh and c_consumer.sh.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"
. "$root/tests/consumers/installed.sh"
hclvm_can_install install || exit 0

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
fail() {
  echo "install: $*"
  status=1
}

hclvm_installed "$dir/to" gcc -DHCLVM_PROGRAMS=ON
programs=(hclvm hcldec)
for program in hclvm-serve hclvm-envoy; do
  if [[ -x $dir/to/bin/$program ]]; then programs+=("$program"); else echo "install: $program was left out"; fi
done

# Each program runs, has a page and completions, and no page is there for a program that is not.
version=$(sed -n 's/^    version = "\(.*\)",$/\1/p;T;q' "$root/MODULE.bazel")
for program in "${programs[@]}"; do
  "$dir/to/bin/$program" --version | grep -qF "$version" || fail "$program does not run"
  compgen -G "$dir/to/share/man/man[18]/$program.[18]" >/dev/null || fail "$program has no page"
  [[ -s $dir/to/share/bash-completion/completions/$program ]] || fail "$program has no completions for bash"
  [[ -s $dir/to/share/fish/vendor_completions.d/$program.fish ]] || fail "$program has no completions for fish"
done
[[ -s $dir/to/share/zsh/site-functions/_hclvm ]] || fail "there are no completions for zsh"
[[ -s $dir/to/share/man/man1/hclvm-run.1 ]] || fail "hclvm run has no page"
for page in "$dir"/to/share/man/man*/*; do
  name=$(basename "${page%.*}")
  case " ${programs[*]} " in
    *" $name "*) ;;
    *) [[ $name == hclvm-serve-replay || $name == hclvm-serve-health || -n $("$dir/to/bin/hclvm" "${name#hclvm-}" --help 2>/dev/null) ]] || fail "$name is no command" ;;
  esac
done
# The links of the README find their pages; what measures is not installed.
while IFS= read -r link; do
  [[ $link == bench/* || -e $dir/to/share/doc/hclvm/$link ]] || fail "README.md links $link, which is not installed"
done < <(grep -oE '\]\([^)#:]+' "$dir/to/share/doc/hclvm/README.md" | sed 's/^](//')
hclvm_expect 3 "$dir/to/bin/hclvm" eval -e '1 + 2' || status=1
[[ $("$dir/to/bin/hclvm" run "$root/examples/access" --scopes "$root/examples/access/requests.ndjson" --quiet | wc -l) == 2000 ]] ||
  fail "a policy does not run"
hclvm_expect "$version" env PKG_CONFIG_PATH="$dir/to/lib/pkgconfig" pkg-config --modversion hclvm || status=1

if [[ " ${programs[*]} " == *" hclvm-serve "* ]]; then
  "$dir/to/bin/hclvm-serve" --bundle "$dir/to/share/doc/hclvm/bundle" --check-config >/dev/null || fail "the example of a bundle is wrong"
fi

# The unit runs what was installed, and is closed as tightly as it can be.
if [[ " ${programs[*]} " == *" hclvm-serve "* ]]; then
  unit=$dir/to/lib/systemd/system/hclvm-serve.service
  grep -q '^ExecStart=/usr/local/bin/hclvm-serve ' "$unit" || fail "the unit starts $(grep ExecStart= "$unit")"
  ! grep -q '@[A-Z_]*@' "$unit" || fail "the unit has a name that nothing has replaced"
  if command -v systemd-analyze >/dev/null; then
    level=$(systemd-analyze security --offline=true --no-pager "$unit" | sed -nE 's/.*exposure level for .*: ([0-9.]+) .*/\1/p')
    awk -v level="${level:-10}" 'BEGIN { exit !(level < 2.5) }' || fail "systemd-analyze security gives the unit $level"
  else
    echo "install: no systemd-analyze here; the unit was not looked at"
  fi
fi

# As a folder of another project: its `install` installs its own things only, and its `all` builds what it links.
mkdir "$dir/other"
cat >"$dir/other/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(other LANGUAGES CXX)
add_subdirectory($root hclvm)
file(WRITE \${CMAKE_CURRENT_BINARY_DIR}/own.txt "own")
install(FILES \${CMAKE_CURRENT_BINARY_DIR}/own.txt DESTINATION share)
END
if cmake -S "$dir/other" -B "$dir/other/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug >"$dir/log" 2>&1 &&
  cmake --build "$dir/other/build" >>"$dir/log" 2>&1 &&
  cmake --install "$dir/other/build" --prefix "$dir/others" >>"$dir/log" 2>&1; then
  hclvm_expect share/own.txt bash -c "cd '$dir/others' && find . -type f -printf '%P\n'" || status=1
  ! grep -q 'Building CXX' "$dir/log" || fail "a project that links nothing of ours compiles it"
else
  cat "$dir/log"
  fail "a project cannot have this one as a folder"
fi
exit "$status"
