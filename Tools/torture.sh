#!/usr/bin/env bash
# torture.sh [WORKERS [HOSTS]] : kills workers, then hosts, with SIGKILL at random moments. Afterwards
# every process must be RUNNING, no process of a killed host may be left, and the host may hold no more
# descriptors than before. SEED repeats a run.
set -euo pipefail
cd "$(dirname "$0")/.."
workers=${1:-200}
hosts=${2:-20}
seed=${SEED:-$RANDOM}
RANDOM=$seed
processes=8

Tools/build-debug.sh
agent=$PWD/.build-debug/debug/agent
folder=$(mktemp -d "${TMPDIR:-/tmp}/torture.XXXXXX")
export LLVM_PROFILE_FILE=/dev/null
host=

finish() {
  local status=$?
  [[ -z $host ]] || kill -KILL "$host" 2>/dev/null || true
  ((status == 0)) || { echo "torture: failed; seed $seed" >&2; tail -n 20 "$folder/host.log" >&2; }
  rm -rf "$folder"
}
trap finish EXIT

fail() {
  echo "torture: $1" >&2
  exit 1
}

write_settings() {
  jq -n --argjson count "$processes" --arg page "$folder/pages/starts" '{
    enabled_modules: ["bench_swift", "bench_command"],
    supervision: { safe_mode_after: 0, max_restarts: 1000000, backoff: { initial_ms: 1, max_ms: 50 } },
    processes: [range($count) | {
      key: "p\(.)",
      value: {
        type: (if . % 2 == 0 then "swift_sleeper" else "command_sleeper" end),
        sandbox: (if . % 3 == 0 then "off" else "default" end), page: $page, slot: .
      }
    }] | from_entries
  }' >"$folder/settings.json"
}

start_host() {
  (cd "$folder" && exec "$agent" run >>"$folder/host.log" 2>&1) &
  host=$!
  disown "$host"
}

status() { (cd "$folder" && "$agent" status --json 2>/dev/null || true); }

# The pids of processes that run; fewer than all of them while some are on their way.
running() {
  status | jq -r '.processes[]? | select(.state == "RUNNING") | .pid'
}

# Processes that work in the folder: the host, its workers, its spares.
alive() {
  local process
  for process in /proc/[0-9]*; do
    [[ $(readlink "$process/cwd" 2>/dev/null) != "$folder"* ]] || echo "${process#/proc/}"
  done
}

# within SECONDS SENTENCE COMMAND… : waits until the command succeeds.
within() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < deadline)) || fail "$what"
    sleep 0.1
  done
}

all_running() { (($(running | wc -l) == processes)); }
none_alive() { [[ -z $(alive) ]]; }
descriptors() { find "/proc/$host/fd" -mindepth 1 2>/dev/null | wc -l; }
as_before() { (($(descriptors) <= before)); }
pause() { sleep "0.0$((RANDOM % 10))"; }

kill_one_worker() {
  local pids
  mapfile -t pids < <(running)
  ((${#pids[@]})) || return 0
  kill -KILL "${pids[RANDOM % ${#pids[@]}]}" 2>/dev/null || true
}

Benchmarks/make-folder.sh "$folder" "$agent"
write_settings
start_host
within 60 "not every process started" all_running
# From the first death on the host keeps pipes made ahead for the next ones: they belong to what it
# has at first.
kill_one_worker
within 60 "the first killed worker was not replaced" all_running
sleep 1
before=$(descriptors)

echo "torture: $workers workers, seed $seed"
for ((i = 0; i < workers; i++)); do
  kill_one_worker
  pause
done
within 60 "a killed worker was not replaced" all_running
within 30 "the host holds more descriptors than its $before at first" as_before

echo "torture: $hosts hosts"
for ((i = 0; i < hosts; i++)); do
  kill -KILL "$host"
  within 30 "workers outlived their host: $(alive | tr '\n' ' ')" none_alive
  start_host
  # Every other host is killed while it is still starting.
  ((i % 2)) && pause || within 60 "a host after a killed one did not start every process" all_running
done
within 60 "the last host did not start every process" all_running

kill -TERM "$host"
within 30 "processes outlived the host's end" none_alive
host=
echo "torture: ok: $workers workers and $hosts hosts killed, nothing left behind"
