#!/usr/bin/env bash
# fuzz-schema.sh [SECONDS [SEED]] : a million documents by schemas made at random: the fast path must
# say what the list of failures says. The memory that the fast path reads without checking bounds is
# watched by the address sanitizer. It ends when it is through, whatever SECONDS says.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${2:-1}
export BULKHEAD_BENCHMARKS=1
build=(swift build -c release --scratch-path .build-fuzz/schema
  --sanitize address --product schema-fuzz)
"${build[@]}" 2>&1 | grep -E 'error|Compiling|Build' | tail -1
built=$("${build[@]}" --show-bin-path)
ASAN_OPTIONS=detect_leaks=0 "$built/schema-fuzz" 1000000 "$((seed * 1000000000))"
