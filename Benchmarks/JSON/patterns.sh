#!/usr/bin/env bash
# patterns.sh : what patterns cost, and the slowest of those that make other engines explode.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh pattern-bench)
"$bench" \
  Tests/ECMARegexTests/Fixtures/explosive-patterns.json
