#!/usr/bin/env bash
# run.sh : computes next fire times beside cronsim, which must find the same ones, in CPU time; and
# how much memory 100,000 schedules take. A short run goes without cronsim.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$(Benchmarks/build.sh cron-bench)
folder=$(mktemp -d "${TMPDIR:-/tmp}/schedules.XXXXXX")
trap 'rm -rf "$folder"' EXIT

if [[ -n ${BENCH_SHORT:-} ]]; then
  "$bench" questions >"$folder/questions"
  "$bench" answer <"$folder/questions" >"$folder/ours-1"
  "$bench" compare "$folder"
  "$bench" memory
  exit 0
fi

python=$(Tools/python-environment.sh Benchmarks/Schedules .build-bench/schedules-peer)

echo "load: $(cut -d " " -f 1-3 /proc/loadavg); $("$python" --version), $(cat Benchmarks/Schedules/requirements.txt)"
# Questions and cronsim's answers in rounds, each right beside our own.
"$bench" questions >"$folder/questions"
for round in 1 2 3 4 5; do
  "$python" Benchmarks/Schedules/peer.py <"$folder/questions" >"$folder/cronsim-$round"
  "$bench" answer <"$folder/questions" >"$folder/ours-$round"
done
"$bench" compare "$folder"
"$bench" memory
