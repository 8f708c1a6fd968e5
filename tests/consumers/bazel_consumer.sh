#!/usr/bin/env bash
# Builds and runs examples/bazel_consumer as somebody else would, from a copy outside of the tree and without a network:
# bazel_consumer.sh. Takes no arguments; exit status 0 if the program gives the right answer.
#
# The copy depends on this checkout by its path. The build goes to a folder that is removed afterwards, but for what the
# disk cache keeps. Also checks that a machine without the packages is told in one line which ones it lacks. Bazel 7 and
# later take the workspace for a module, which tools/bazel7 builds; nothing is done with them here.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"

# Debian's Bazel 4 does not say its version.
version=$(bazel --version 2>/dev/null </dev/null || echo none)
if [[ $version == none || ($version =~ ([0-9]+)\.[0-9]+ && ${BASH_REMATCH[1]} -ge 7) ]]; then
  echo "bazel_consumer: this Bazel reads no WORKSPACE ($version); nothing checked"
  exit 0
fi

dir=$(mktemp -d)
stop() {
  (cd "$dir/consumer" && bazel --output_base="$dir/base" shutdown) >/dev/null 2>&1 || true
  chmod -R u+w "$dir"
  rm -rf "$dir"
}
trap stop EXIT

cp -r "$root/examples/bazel_consumer" "$dir/consumer"
sed -i "s,path = \"\.\./\.\.\",path = \"$root\"," "$dir/consumer/WORKSPACE"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hclvm-bazel

# consumer ARGS...: Bazel in the copy, with no network where the system lets us take it away.
consumer() {
  local alone=()
  ! unshare --net true 2>/dev/null || alone=(unshare --net)
  (cd "$dir/consumer" && "${alone[@]}" bazel --batch --output_base="$dir/base" "$@" </dev/null)
}

if ! answer=$(consumer run --disk_cache="$cache" --nosandbox_debug //:decide 2>"$dir/log"); then
  cat "$dir/log"
  exit 1
fi
if [[ $answer != allowed ]]; then
  echo "bazel_consumer: want allowed, got: $answer"
  exit 1
fi

# A package that is not there: the rule is told to look for a file that no machine has.
mkdir "$dir/hclvm"
cp -r "$root/tools" "$dir/hclvm/tools"
touch "$dir/hclvm/WORKSPACE"
sed -i 's,/usr/include/re2/re2.h,/usr/include/re2/not_there.h,' "$dir/hclvm/tools/bazel/deps.bzl"
sed -i "s,path = \"$root\",path = \"$dir/hclvm\"," "$dir/consumer/WORKSPACE"
if consumer build //:decide >"$dir/log" 2>&1 || ! grep -q 'apt-get install libre2-dev' "$dir/log"; then
  echo "bazel_consumer: without a package the message should name it:"
  cat "$dir/log"
  exit 1
fi
