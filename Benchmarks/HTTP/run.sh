#!/usr/bin/env bash
# run.sh http|streams|slow… : measures the API's port: beside a FastAPI app on uvicorn, with idle event
# streams, with slow clients. AGENT names another program than the release build's.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
agent=${AGENT:-$root/.build-release/release/agent}
[[ -n ${AGENT:-} ]] || Tools/build-release.sh
export PYTHONDONTWRITEBYTECODE=1
# Thousands of connections, on both sides.
ulimit -n "$(ulimit -H -n)"

python=python3
for part in "$@"; do
  case $part in
    http)
      Tools/need.sh wrk
      program=load.py
      [[ -n ${BENCH_SHORT:-} ]] || python=$(Tools/python-environment.sh Benchmarks/HTTP .build-bench/http)
      ;;
    streams)
      program=streams.py
      python=python3
      ;;
    slow)
      Tools/need.sh slowhttptest
      program=slow.py
      python=python3
      ;;
  esac
  folder=$(mktemp -d "${TMPDIR:-/tmp}/bench-http.XXXXXX")
  trap 'rm -rf "$folder"' EXIT
  mkdir "$folder/modules"
  cp -R Benchmarks/fixtures/bench_command "$folder/modules"
  sed -i "s#@PAGES@#$folder#" "$folder/modules/bench_command/module.json"
  cc -O2 "$folder/modules/bench_command/command.c" -o "$folder/modules/bench_command/command"
  echo "$part: load $(cut -d " " -f 1-3 /proc/loadavg)"
  "$python" "Benchmarks/HTTP/$program" "$agent" "$folder" || {
    status=$?
    tail -20 "$folder/bench.log" >&2
    exit "$status"
  }
  rm -rf "$folder"
done
