#!/usr/bin/env bash
# fuzz-worker.sh [SECONDS [SEED]] : a million steps of a worker that sends the host anything: frames,
# descriptors, crash reports; then a million calls of the host's services. It ends when it is through,
# whatever SECONDS says.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${2:-1}
# The build of Tools/test.sh, with its flags: nothing is compiled twice.
profile=$PWD/.build-debug/profile-name.o
mkdir -p .build-debug
cc -c Tools/profile-name.c -o "$profile" \
  -DPROFILE_NAME="\"$PWD/.build-debug/profiles/%m.profraw\""
for suite in HostProtocolFuzz ServiceFuzz; do
  echo "fuzz: $suite: 1000000 steps, seed $seed"
  FUZZ_STEPS=1000000 FUZZ_SEED=$seed swift test --enable-code-coverage --scratch-path .build-debug \
    -Xlinker "$profile" --filter "$suite"
done
