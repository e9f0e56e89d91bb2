#!/usr/bin/env bash
# run.sh [restart|crowd|start|call|worker|fanout|json|store|queries|assignment|cron|tasks|scale|events|http|streams|slow]… :
# builds what is measured and measures it. No name: all.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

# Benchmarks that need no host have a package of their own.
others=()
alone=()
for name in "$@"; do
  case $name in
    json | store | queries | assignment | cron | tasks | scale | events | http | streams | slow) alone+=("$name") ;;
    *) others+=("$name") ;;
  esac
done
(($#)) || alone=(json store queries assignment cron tasks scale events http streams slow)
for name in "${alone[@]}"; do
  case $name in
    json)
      Benchmarks/JSON/run.sh
      Benchmarks/JSON/patterns.sh
      ;;
    store) Benchmarks/Store/run.sh ;;
    queries) Benchmarks/Queries/run.sh ;;
    assignment) Benchmarks/Assignment/run.sh ;;
    events) Benchmarks/Events/run.sh ;;
    cron) Benchmarks/Schedules/run.sh ;;
    tasks) Benchmarks/Tasks/run.sh ;;
    scale) Benchmarks/Tasks/scale.sh ;;
    *) Benchmarks/HTTP/run.sh "$name" ;;
  esac
done
if (($# > 0 && ${#others[@]} == 0)); then exit 0; fi

bin=$root/.build-release/release
Tools/build-release.sh
# The host's own link is measured from within: -enable-testing lets the bench import it.
export BULKHEAD_BENCHMARKS=1
build=(swift build -c release --scratch-path .build-bench -Xswiftc -enable-testing --product host-bench)
"${build[@]}"
built=$("${build[@]}" --show-bin-path)

# An agent of its own, outside the repository, with the benchmark's modules.
folder=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
Benchmarks/make-folder.sh "$folder" "$bin/agent"
# Not by SwiftPM, which links the Swift runtime to C programs too: loading it takes longer than all
# else that the probe is to show.
cc -O2 Benchmarks/raw-child.c -o "$folder/raw-child"

"$built/host-bench" "$bin" "$folder" "$folder/raw-child" "${others[@]}" || {
  status=$?
  tail -20 "$folder/bench.log" >&2
  exit "$status"
}
