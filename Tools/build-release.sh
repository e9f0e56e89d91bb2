#!/usr/bin/env bash
# build-release.sh : the one release build that run, bench and install share.
#
# Rationale: an installed program must find the Swift runtime that `make install` puts beside it,
# bin/ by the first of these paths and libexec/agent/ by the second. In the build tree neither
# exists and the loader goes on to the toolchain's own path, which the compiler appends.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --scratch-path .build-release \
  -Xlinker '-rpath=$ORIGIN/../lib/agent/swift' \
  -Xlinker '-rpath=$ORIGIN/../../lib/agent/swift' "$@"
