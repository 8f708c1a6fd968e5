#!/usr/bin/env bash
# Tests the wheel of the Python package in an environment of its own, on a Dask cluster, and hclvm run as a worker of other
# systems: python.sh.
#
# Installs Debian's packages that nothing else needs. Run by tools/test.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/common.sh"

packages=(python3-dask python3-distributed python3-pandas python3-pip python3-setuptools python3-ujson python3-venv python3-wheel)
mapfile -t missing < <(
  for package in "${packages[@]}"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
)
if ((${#missing[@]} > 0)); then
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  install=(apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}")
  { "${install[@]}" || { apt-get -q -y update && "${install[@]}"; }; } </dev/null >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=/usr/bin/python3
wheel=$("$root/tools/python-wheel" "$work")
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" --quiet --disable-pip-version-check install --no-index --no-deps "$wheel"

# Away from the checkout, so that nothing but the wheel has the package.
cd "$work"
"$work/venv/bin/python" -B - <<'PROGRAM'
import importlib.metadata, pathlib, sys

import hclvm

assert pathlib.Path(hclvm.__file__).is_relative_to(sys.prefix), hclvm.__file__
assert importlib.metadata.version("hclvm")
assert (pathlib.Path(hclvm.__file__).parent / "py.typed").exists()
assert hclvm.compile(text="a = b + 1").run({"b": 1}) == {"a": 2}
PROGRAM
echo "wheel passed"

hclvm_bazel build --noshow_progress //cmd/hclvm
bin=$(hclvm_bazel info bazel-bin 2>/dev/null)
"$python" -B "$root/tests/python/protocol_test.py" "$bin/cmd/hclvm/hclvm"
"$work/venv/bin/python" -B "$root/tests/python/dask_test.py"
