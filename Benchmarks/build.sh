#!/usr/bin/env bash
# build.sh PROGRAM : builds a program that measures, beside the release build and with its objects,
# and prints where it is.
set -euo pipefail
cd "$(dirname "$0")/.."
BULKHEAD_BENCHMARKS=1 Tools/build-release.sh --product "$1" >&2
echo "$PWD/.build-release/release/$1"
