#!/usr/bin/env bash
# build-debug.sh : the debug build with its tests and with coverage, which lint, tests and campaigns share.
# Prints errors only. The flags are those of `swift test` in test.sh: others would compile everything anew.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=$PWD/.build-debug/profile-name.o
mkdir -p .build-debug
# Where a program writes its profile when nothing in its environment says so. Written only when it
# differs, or each build would link again.
cc -c Tools/profile-name.c -o "$profile.new" -DPROFILE_NAME="\"$PWD/.build-debug/profiles/%m.profraw\""
cmp -s "$profile.new" "$profile" && rm "$profile.new" || mv "$profile.new" "$profile"
said=$(swift build --build-tests --enable-code-coverage --scratch-path .build-debug -Xlinker "$profile" 2>&1) || {
  grep -E '^[^ ].*error: ' <<<"$said" | awk '!seen[$0]++' | grep . || tail -20 <<<"$said"
  exit 1
}
