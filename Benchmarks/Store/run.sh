#!/usr/bin/env bash
# run.sh : measures the database beside plain SQLite on files of the same schema, on the disk under
# TMPDIR (or /var/tmp: /tmp may be memory, which has no sync to wait for).
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh store-bench)

folder=$(mktemp -d "${TMPDIR:-/var/tmp}/bench-store.XXXXXX")
trap 'rm -rf "$folder"' EXIT
echo "load: $(cut -d " " -f 1-3 /proc/loadavg); disk: $(df --output=fstype,source "$folder" | tail -1)"
"$bench" "$folder"
