#!/usr/bin/env bash
# run.sh : builds the host and this repository's modules, then runs its agent in the foreground.
set -euo pipefail
cd "$(dirname "$0")/.."
Tools/build-release.sh
Tools/build-modules.sh
exec .build-release/release/agent run
