#!/usr/bin/env bash
# run.sh : measures how many decisions a second a roster of 1,000 bots takes, in CPU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=(swift build -c release --package-path Benchmarks/Assignment
  --scratch-path .build-bench/assignment --product assignment-bench)
"${build[@]}"
built=$("${build[@]}" --show-bin-path)

echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
"$built/assignment-bench"
