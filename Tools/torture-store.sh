#!/usr/bin/env bash
# torture-store.sh [KILLS [FAULTS]] : the database under kill -9 at random moments, on a disk that
# fails at every Nth write, sync and read, and on one that is full. Nothing that was acknowledged may be
# missing, no position may be given twice, and the file must be sound. SEED repeats the moments.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-200}
faults=${2:-12}
seed=${SEED:-$RANDOM}
RANDOM=$seed

Tools/need.sh strace
torture=$(Benchmarks/build.sh store-torture)
folder=$(mktemp -d "${TMPDIR:-/tmp}/torture-store.XXXXXX")
disk=$folder/disk

finish() {
  local status=$?
  ((status == 0)) || echo "torture-store: failed; seed $seed" >&2
  mountpoint -q "$disk" 2>/dev/null && umount "$disk"
  rm -rf "$folder"
}
trap finish EXIT

echo "torture-store: $kills kills, seed $seed"
for ((i = 1; i <= kills; i++)); do
  "$torture" write "$folder/kills.db" "$folder/kills.acks" 1000000 &
  pid=$!
  disown "$pid"
  # From before the file is open to some hundred transactions later.
  sleep "0.$(printf %03d $((RANDOM % 150)))"
  kill -KILL "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.005; done
  if ((i % 25 == 0 || i == kills)); then
    "$torture" check "$folder/kills.db" "$folder/kills.acks"
  fi
done

# inject CALL ERROR NTH : from the Nth such call of each thread on three fail.
refused=0
inject() {
  local name=$1-$2-$3 said
  # Not while the file is made: whoever opens it is told, and nothing is acknowledged yet.
  "$torture" write "$folder/$name.db" "$folder/$name.acks" 1 >/dev/null
  said=$(strace -f -qq -o /dev/null -e "trace=$1" -e "inject=$1:error=$2:when=$3..$(($3 + 2))" \
    "$torture" write "$folder/$name.db" "$folder/$name.acks" 400) || { echo "$said"; return 1; }
  refused=$((refused + ${said% refused}))
  "$torture" check "$folder/$name.db" "$folder/$name.acks" >/dev/null
  rm -f "$folder/$name".*
}

if strace -qq -o /dev/null -e trace=fdatasync true 2>/dev/null; then
  echo "torture-store: writes, syncs and reads that fail, $faults times each"
  for ((i = 1; i <= faults; i++)); do
    inject pwrite64 EIO $((i * 7 + 20))
    inject pwrite64 ENOSPC $((i * 7 + 20))
    inject fdatasync EIO "$i"
    # Behind those of the opening.
    inject pread64 EIO $((i * 7 + 60))
  done
  echo "torture-store: $refused writes were refused"
  ((refused > 0))
else
  echo "torture-store: SKIPPED faults: strace may trace nothing here (ptrace is forbidden)" >&2
fi

mkdir "$disk"
if mount -t tmpfs -o size=8m tmpfs "$disk" 2>/dev/null; then
  echo "torture-store: a full disk"
  head -c 4M /dev/zero >"$disk/ballast"
  "$torture" fill "$disk/store.db" "$folder/full.acks" "$disk/ballast"
  "$torture" check "$disk/store.db" "$folder/full.acks"
else
  echo "torture-store: SKIPPED the full disk: no tmpfs can be mounted here (not root)" >&2
fi
echo "torture-store: ok"
