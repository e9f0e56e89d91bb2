#!/usr/bin/env bash
# scale.sh : what each kind of request costs an agent with 100,000 keys, a million tasks, 1,000 types
# and 10,000 bots, beside one that has hardly anything. AGENT names another program than the release
# build's; SCALE, SCALE_ROUNDS, SCALE_REQUESTS and SCALE_ONLY are said in scale.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
agent=${AGENT:-$PWD/.build-release/release/agent}
[[ -n ${AGENT:-} ]] || Tools/build-release.sh
bench=${TASKS_BENCH:-$(Benchmarks/build.sh tasks-bench)}
folder=$(mktemp -d "${TMPDIR:-/tmp}/scale.XXXXXX")
trap 'rm -rf "$folder"' EXIT
echo "load: $(cut -d " " -f 1-3 /proc/loadavg)"
python3 Benchmarks/Tasks/scale.py "$agent" "$bench" "$folder" || {
  status=$?
  tail -n 20 "$folder"/*/bench.log >&2
  exit "$status"
}
