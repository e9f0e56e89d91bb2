#!/usr/bin/env bash
# run.sh [restart|crowd|start|call|worker]… : builds what is measured and measures it. No name: all.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
bin=$root/.build-release/release
Tools/build-release.sh
swift build -c release --package-path Benchmarks --scratch-path .build-bench
built=$(swift build -c release --package-path Benchmarks --scratch-path .build-bench --show-bin-path)

# An agent of its own, outside the repository, with the benchmark's modules.
folder=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
Benchmarks/make-folder.sh "$folder" "$bin/agent"

"$built/bench" "$bin" "$folder" "$built/raw-child" "$@" || {
  status=$?
  tail -20 "$folder/bench.log" >&2
  exit "$status"
}
