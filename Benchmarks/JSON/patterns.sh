#!/usr/bin/env bash
# patterns.sh : what patterns cost, and the slowest of those that make other engines explode.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=(swift build -c release --package-path Benchmarks/JSON --scratch-path .build-bench/json
  --product pattern-bench)
"${build[@]}"
"$("${build[@]}" --show-bin-path)/pattern-bench" \
  Tests/JSONSchemaTests/Fixtures/explosive-patterns.json
