#!/usr/bin/env bash
# torture-tasks.sh [KILLS [SEEDS]] : lets the task engine live as many lives as there are seeds beside a model
# of what it may do, then kills host, workers and the programs of tasks with SIGKILL at random moments while
# tasks are created, schedules fire and outside bots work. Every acknowledged task must end, none twice; no
# schedule may fire twice for one time; nothing may be left behind. The same then with a tenth of the kills on a disk
# that gets full again and again. SEED repeats the moments.
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
  mountpoint -q "$folder/full/.agent" 2>/dev/null && umount "$folder/full/.agent"
  if ((status)); then
    echo "torture-tasks: failed; seed $seed" >&2
    tail -n 20 "$folder"/*/host.log >&2
  fi
  rm -rf "$folder"
}
trap finish EXIT

echo "torture-tasks: $kills kills, seed $seed"
mkdir "$folder/kills"
Benchmarks/make-folder.sh "$folder/kills" "$agent"
python3 Tools/torture/tasks.py "$agent" "$folder/kills" "$kills" "$seed"

mkdir -p "$folder/full/.agent"
if mount -t tmpfs -o size=64m,mode=0700 tmpfs "$folder/full/.agent" 2>/dev/null; then
  echo "torture-tasks: $((kills / 10)) kills on a disk that gets full"
  Benchmarks/make-folder.sh "$folder/full" "$agent"
  python3 Tools/torture/tasks.py "$agent" "$folder/full" "$((kills / 10))" "$seed"
else
  echo "torture-tasks: SKIPPED the full disk: no tmpfs can be mounted here (not root)" >&2
fi
echo "torture-tasks: ok"
