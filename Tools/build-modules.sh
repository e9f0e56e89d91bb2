#!/usr/bin/env bash
# build-modules.sh [FOLDER] : compiles this repository's own modules with the `agent` in FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
built=${1:-.build-release/release}
for manifest in modules/*/module.json; do
  [[ -f $manifest ]] || continue
  "$built/agent" build "$(basename "$(dirname "$manifest")")"
done
