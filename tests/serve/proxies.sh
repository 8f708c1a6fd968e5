#!/usr/bin/env bash
# Runs proxy_test.py with Debian's nginx and Caddy: proxies.sh.
#
# The packages are fetched into a folder of the user's cache and unpacked there, and not installed: to install them would
# start them. What is in the PATH is taken as it is. Needs the network the first time, and root where the lists of packages
# have to be fetched as well. Fails where a proxy cannot be had.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"

folder=${XDG_CACHE_HOME:-$HOME/.cache}/hclvm-proxies

# Prints the path of the program: PROGRAM PACKAGE PATH-IN-IT.
find_program() {
  if command -v "$1" >/dev/null; then
    command -v "$1"
    return
  fi
  if [[ ! -x $folder/$3 ]]; then
    mkdir -p "$folder"
    (
      cd "$folder"
      apt-get -q download "$2" || { apt-get -q update && apt-get -q download "$2"; }
      for package in "$2"_*.deb; do dpkg-deb -x "$package" .; done
    ) >"$folder/log" 2>&1 || { cat "$folder/log" >&2 && return 1; }
  fi
  echo "$folder/$3"
}

PATH=$PATH:/usr/sbin
nginx=$(find_program nginx nginx usr/sbin/nginx)
caddy=$(find_program caddy caddy usr/bin/caddy)
hclvm_bazel build //cmd/hclvm-serve
bin=$(hclvm_bazel info bazel-bin 2>/dev/null)
python3 -B "$root/tests/serve/proxy_test.py" "$bin/cmd/hclvm-serve/hclvm-serve" "$root/examples/service" "$nginx" "$caddy"
