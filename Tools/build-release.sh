#!/usr/bin/env bash
# build-release.sh : the one release build that run, bench and install share.
#
# Rationale: an installed program must find the Swift runtime that `make install` puts beside it:
# bin/ by the first of these paths, libexec/agent/ by the second. In the build tree neither exists
# and the loader goes on to the toolchain. The compiler would put the toolchain first, and then a
# newer one in the same place would be loaded in place of ours.
set -euo pipefail
cd "$(dirname "$0")/.."
runtime=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/swift/linux

swift build -c release --scratch-path .build-release -Xswiftc -no-toolchain-stdlib-rpath \
  -Xlinker '-rpath=$ORIGIN/../lib/agent/swift' -Xlinker '-rpath=$ORIGIN/../../lib/agent/swift' \
  -Xlinker -rpath="$(realpath "$runtime")" "$@"
