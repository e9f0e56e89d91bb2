#!/usr/bin/env bash
# run.sh : durable tasks that do nothing, enqueued and drained beside huey, pgqueuer and SQLite alone,
# and given to outside bots, in rounds of one run; once more with a million finished tasks in the
# table; and what a scheduler with 100,000 schedules takes. BENCH_TASKS, BENCH_ROUNDS, BENCH_FINISHED and
# BENCH_SCHEDULES change how many. A short run has neither huey, pgqueuer nor finished tasks.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
is_short=${BENCH_SHORT:-}
[[ -z $is_short ]] || : "${BENCH_TASKS:=200}" "${BENCH_ROUNDS:=1}" "${BENCH_FINISHED:=0}" "${BENCH_SCHEDULES:=100}"
count=${BENCH_TASKS:-10000} rounds=${BENCH_ROUNDS:-5}
bench=$(Benchmarks/build.sh tasks-bench)
folder=$(mktemp -d "${TMPDIR:-/tmp}/tasks.XXXXXX")
postgres=
# PostgreSQL doesn't run for root.
as=()

start_peers() {
  postgres=$(find /usr/lib/postgresql -name initdb -printf '%h\n' 2>/dev/null | sort -V | tail -1)
  if [ -z "$postgres" ]; then
    Tools/need.sh postgresql
    postgres=$(find /usr/lib/postgresql -name initdb -printf '%h\n' | sort -V | tail -1)
  fi
  python=$(Tools/python-environment.sh Benchmarks/Tasks .build-bench/tasks-peers)
  if [ "$(id -u)" = 0 ]; then
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    chmod 755 "$folder"
  fi
  mkdir "$folder/pg"
  [ ${#as[@]} = 0 ] || chown nobody:nogroup "$folder/pg"
  ${as[@]+"${as[@]}"} "$postgres/initdb" -D "$folder/pg/data" -U bench --auth=trust >"$folder/initdb.log"
  ${as[@]+"${as[@]}"} "$postgres/pg_ctl" -D "$folder/pg/data" -w -l "$folder/pg/log" \
    -o "-c listen_addresses='' -k $folder/pg" start >"$folder/start.log"
  echo "load: $(cut -d " " -f 1-3 /proc/loadavg); $("$python" --version), $(paste -sd ' ' Benchmarks/Tasks/requirements.txt), $("$postgres/postgres" --version)"
}

stop() {
  [[ ! -d $folder/pg/data ]] || ${as[@]+"${as[@]}"} "$postgres/pg_ctl" -D "$folder/pg/data" \
    -m immediate stop >"$folder/stop.log" 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

# own_round N : what we do in a round, and SQLite alone in groups of the same size.
own_round() {
  local group
  "$bench" own "$folder/own.db" "$count" >"$folder/own-$1"
  group=$(awk '$1 == "drain_group" { print $2 }' "$folder/own-$1")
  "$bench" assign "$folder/assign.db" "$count" >"$folder/assign-$1"
  "$bench" probe "$folder/probe.db" "$count" "$group" >"$folder/probe-$1"
}

# peer_round N : what the peers do in a round.
peer_round() {
  rm -f "$folder"/huey.db*
  "$python" Benchmarks/Tasks/huey_peer.py "$folder/huey.db" "$count" >"$folder/huey-$1"
  "$postgres/psql" -q -h "$folder/pg" -U bench postgres -c "CREATE DATABASE round$1"
  "$python" Benchmarks/Tasks/pgqueuer_peer.py \
    "postgresql://bench@/round$1?host=$folder/pg" "$count" >"$folder/pgqueuer-$1"
}

[[ -n $is_short ]] || start_peers
for round in $(seq "$rounds"); do
  own_round "$round"
  [[ -n $is_short ]] || peer_round "$round"
done
finished=${BENCH_FINISHED:-1000000}
if [ "$finished" -gt 0 ]; then
  for round in 1 2 3; do
    "$bench" own "$folder/full.db" "$count" "$finished" >"$folder/full-$round"
    "$bench" own "$folder/full.db" "$count" >"$folder/few-$round"
  done
  "$bench" assign "$folder/full.db" "$count" "$finished" >"$folder/full-assign"
  rm -f "$folder"/full.db*
fi
schedules=${BENCH_SCHEDULES:-100000}
for number in "$schedules" 1; do
  "$bench" schedules "$folder/schedules-$number.db" "$number"
  "$bench" hold "$folder/schedules-$number.db" 0 >"$folder/hold-$number"
done
python3 Benchmarks/Tasks/table.py "$folder" "$rounds" "$schedules"
