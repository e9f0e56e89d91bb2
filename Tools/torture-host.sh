#!/usr/bin/env bash
# torture-host.sh [KILLS [FAULTS]] : kills the host with SIGKILL at random moments while eight producers
# publish over HTTP and a module through its worker, and others while readers are stopped and continued;
# kills others while alarms are raised, told and read by a reader that pauses, and while processes fail,
# also on a disk that gets full again and again; kills others while rules count events in windows; then
# lets writes and syncs of the running host fail, for a moment and over several lives, and fills its
# disk. Afterwards no acknowledged event may be missing, none may be there twice, a durable consumer and
# each reader must have got all of them, notices of each alert must have come in order, what alerts rest
# on must be in the log, rows of windows must have counted once, and the database must be sound. SEED
# repeats the moments.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-2000}
faults=${2:-8}
seed=${SEED:-$RANDOM}

Tools/need.sh python3 strace
Tools/build-debug.sh
agent=$PWD/.build-debug/debug/agent
folder=$(mktemp -d "${TMPDIR:-/tmp}/torture-host.XXXXXX")
export LLVM_PROFILE_FILE=/dev/null PYTHONDONTWRITEBYTECODE=1

disk=$folder/full/.agent

finish() {
  local status=$?
  local mounted
  for mounted in "$disk" "$folder/crowded/.agent"; do
    mountpoint -q "$mounted" 2>/dev/null && umount "$mounted"
  done
  if ((status)); then
    echo "torture-host: failed; seed $seed" >&2
    tail -n 20 "$folder"/*/host.log >&2
  fi
  rm -rf "$folder"
}
trap finish EXIT

echo "torture-host: $kills kills, seed $seed"
mkdir "$folder/kills"
Benchmarks/make-folder.sh "$folder/kills" "$agent"
python3 Tools/torture/kills.py "$agent" "$folder/kills" "$kills" "$seed"

echo "torture-host: $((kills / 20 + 5)) kills while readers are stopped"
mkdir "$folder/pauses"
python3 Tools/torture/pauses.py "$agent" "$folder/pauses" "$((kills / 20 + 5))" "$seed"

echo "torture-host: $((kills / 10)) kills while alarms are told"
mkdir "$folder/alerts"
Benchmarks/make-folder.sh "$folder/alerts" "$agent"
python3 Tools/torture/alerts.py "$agent" "$folder/alerts" "$((kills / 10))" "$seed"

echo "torture-host: $((kills / 20 + 5)) kills while rules count in windows"
mkdir "$folder/windows"
python3 Tools/torture/windows.py "$agent" "$folder/windows" "$((kills / 20 + 5))" "$seed"

mkdir -p "$folder/crowded/.agent"
if mount -t tmpfs -o size=64m,mode=0700 tmpfs "$folder/crowded/.agent" 2>/dev/null; then
  echo "torture-host: $((kills / 50)) kills while alerts are told and the disk gets full"
  Benchmarks/make-folder.sh "$folder/crowded" "$agent"
  python3 Tools/torture/alerts.py "$agent" "$folder/crowded" "$((kills / 50))" "$seed"
else
  echo "torture-host: SKIPPED alerts on a full disk: no tmpfs can be mounted here (not root)" >&2
fi

if strace -qq -o /dev/null -e trace=fdatasync true 2>/dev/null; then
  echo "torture-host: writes and syncs that fail, $faults times each"
  mkdir "$folder/faults"
  python3 Tools/torture/faults.py "$agent" "$folder/faults" "$faults" "$seed"
  echo "torture-host: writes and syncs that fail over several lives, $(((faults + 1) / 2)) times each"
  mkdir "$folder/lasting"
  python3 Tools/torture/lasting.py "$agent" "$folder/lasting" "$(((faults + 1) / 2))" "$seed"
else
  echo "torture-host: SKIPPED faults: strace may trace nothing here (ptrace is forbidden)" >&2
fi

mkdir -p "$disk"
if mount -t tmpfs -o size=16m,mode=0700 tmpfs "$disk" 2>/dev/null; then
  echo "torture-host: a full disk"
  python3 Tools/torture/disk.py "$agent" "$folder/full" "$seed"
else
  echo "torture-host: SKIPPED the full disk: no tmpfs can be mounted here (not root)" >&2
fi
echo "torture-host: ok"
