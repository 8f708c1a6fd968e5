#!/usr/bin/env bash
# A short soak: soak_test.sh SOAK.
set -euo pipefail
# AddressSanitizer keeps what is freed for a while, which would count as growth.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
"$1" 100000
