#!/usr/bin/env bash
# run.sh : measures queries beside plain loops over the same events, in CPU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh queries-bench)

echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
"$bench"
