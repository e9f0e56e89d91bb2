#!/usr/bin/env bash
# torture-host.sh [KILLS] : kills the host with SIGKILL at random moments while eight producers publish
# over HTTP and a module through its worker. Afterwards no acknowledged event may be missing, none may be
# there twice, a durable consumer must have got all of them, and the database must be sound. SEED repeats
# the moments.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-2000}
seed=${SEED:-$RANDOM}

Tools/need.sh python3
swift build --scratch-path .build-debug --enable-code-coverage
agent=$PWD/.build-debug/debug/agent
folder=$(mktemp -d "${TMPDIR:-/tmp}/torture-host.XXXXXX")
export LLVM_PROFILE_FILE=/dev/null PYTHONDONTWRITEBYTECODE=1

finish() {
  local status=$?
  if ((status)); then
    echo "torture-host: failed; seed $seed" >&2
    tail -20 "$folder"/*/host.log >&2
  fi
  rm -rf "$folder"
}
trap finish EXIT

echo "torture-host: $kills kills, seed $seed"
mkdir "$folder/kills"
Benchmarks/make-folder.sh "$folder/kills" "$agent"
python3 Tools/torture/kills.py "$agent" "$folder/kills" "$kills" "$seed"
echo "torture-host: ok"
