#!/usr/bin/env bash
# A short soak: soak_test.sh SOAK.
set -euo pipefail
"$1" 100000
