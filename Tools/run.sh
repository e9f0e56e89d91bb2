#!/usr/bin/env bash
# run.sh : builds the host and this repository's modules, then runs its agent in the foreground.
set -euo pipefail
cd "$(dirname "$0")/.."
Tools/build-release.sh
agent=.build-release/release/agent

for module in modules/*/module.json; do
  [[ -f $module ]] || continue
  "$agent" build "$(basename "$(dirname "$module")")"
done
exec "$agent" run
