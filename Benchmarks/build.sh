#!/usr/bin/env bash
# build.sh PROGRAM : builds a program that measures, beside the release build and with its objects,
# and prints where it is. BENCH_BUILT names the folder of a build that has all of them already.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${BENCH_BUILT:-} ]]; then
  BULKHEAD_BENCHMARKS=1 Tools/build-release.sh --product "$1" >&2
  BENCH_BUILT=$PWD/.build-release/release
fi
echo "$BENCH_BUILT/$1"
