#!/usr/bin/env bash
# torture-tasks.sh [KILLS [SEEDS]] : lets the task engine live as many lives as there are seeds beside a model
# of what it may do, then kills host, workers and the programs of tasks with SIGKILL at random moments while
# tasks are created, schedules fire and outside bots work. Every acknowledged task must end, none twice; no
# schedule may fire twice for one time; nothing may be left behind. SEED repeats the moments.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-2000}
seeds=${2:-10000}
seed=${SEED:-$RANDOM}

Tools/need.sh python3 util-linux
echo "torture-tasks: $seeds lives of the task engine"
TASK_SEEDS=$seeds LLVM_PROFILE_FILE=/dev/null swift test --scratch-path .build-debug --enable-code-coverage \
  --filter TaskEngineModelTests

Tools/build-debug.sh
agent=${AGENT:-$PWD/.build-debug/debug/agent}
folder=$(mktemp -d "${TMPDIR:-/tmp}/torture-tasks.XXXXXX")
export LLVM_PROFILE_FILE=/dev/null PYTHONDONTWRITEBYTECODE=1

finish() {
  local status=$?
  if ((status)); then
    echo "torture-tasks: failed; seed $seed" >&2
    tail -20 "$folder/host.log" >&2
  fi
  rm -rf "$folder"
}
trap finish EXIT

echo "torture-tasks: $kills kills, seed $seed"
Benchmarks/make-folder.sh "$folder" "$agent"
python3 Tools/torture/tasks.py "$agent" "$folder" "$kills" "$seed"
echo "torture-tasks: ok"
