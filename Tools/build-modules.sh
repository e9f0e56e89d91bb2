#!/usr/bin/env bash
# build-modules.sh : compiles this repository's own modules with the released `agent`.
set -euo pipefail
cd "$(dirname "$0")/.."
for manifest in modules/*/module.json; do
  [[ -f $manifest ]] || continue
  .build-release/release/agent build "$(basename "$(dirname "$manifest")")"
done
