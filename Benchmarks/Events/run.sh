#!/usr/bin/env bash
# run.sh : measures how the bus hands events on, beside a bare loop over as many queues, in CPU time.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh events-bench)

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/bench-events.XXXXXX")
trap 'rm -rf "$folder"' EXIT
echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
"$bench" "$folder"
