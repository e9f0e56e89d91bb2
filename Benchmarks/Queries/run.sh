#!/usr/bin/env bash
# run.sh : measures queries beside plain loops over the same events, in CPU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=(swift build -c release --package-path Benchmarks/Queries
  --scratch-path .build-bench/queries --product queries-bench)
"${build[@]}"
built=$("${build[@]}" --show-bin-path)

echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
"$built/queries-bench"
