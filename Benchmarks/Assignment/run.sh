#!/usr/bin/env bash
# run.sh : measures how many decisions a second a roster of 1,000 bots takes, in CPU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh assignment-bench)

echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
"$bench"
