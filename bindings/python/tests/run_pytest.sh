#!/usr/bin/env bash
# Runs the tests in Python: run_pytest.sh [PYTEST ARGUMENT]... in the folder of runfiles, or anywhere with HCLVM_PACKAGE,
# the folder that has the package.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONPATH=${HCLVM_PACKAGE:-${folder%/tests}}
exec python3 -B -m pytest -q -p no:cacheprovider "$folder" "$@"
