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
mkdir "$folder/pages" "$folder/modules"
cp -R Benchmarks/fixtures/* "$folder/modules"
sed -i "s#@PAGES@#$folder/pages#" "$folder"/modules/*/module.json
cc -O2 "$folder/modules/bench_command/command.c" -o "$folder/modules/bench_command/command"
echo '{ "enabled_modules": ["bench_swift", "bench_command"] }' >"$folder/settings.json"
(cd "$folder" && "$bin/agent" build bench_swift)

"$built/bench" "$bin" "$folder" "$built/raw-child" "$@" || {
  status=$?
  tail -20 "$folder/bench.log" >&2
  exit "$status"
}
