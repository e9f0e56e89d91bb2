#!/usr/bin/env bash
# run.sh [--short] [restart|crowd|start|call|worker|fanout|json|store|queries|assignment|cron|tasks|scale|events|http|streams|slow]… :
# builds what is measured and measures it. No name: all.
#
# --short shows that each of them runs: on the debug build, about a second each, without the peers that
# would have to be installed. Its numbers mean nothing, and it prints no verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
in_host=(restart crowd start call worker fanout)
alone=(json store queries assignment cron tasks scale events http streams slow)

is_short=
if [[ ${1:-} == --short ]]; then
  is_short=yes
  shift
fi

# Parts of host-bench run together, on one folder and in one table; the others are programs of their own.
others=()
if (($# > 0)); then
  wanted=("$@")
  alone=()
  for name in "${wanted[@]}"; do
    case " ${in_host[*]} " in
      *" $name "*) others+=("$name") ;;
      *) alone+=("$name") ;;
    esac
  done
else
  others=("${in_host[@]}")
fi

if [[ $is_short ]]; then
  export BENCH_SHORT=1 BENCH_BUILT=$root/.build-debug/debug
  export AGENT=$BENCH_BUILT/agent LLVM_PROFILE_FILE=/dev/null
  BULKHEAD_BENCHMARKS=1 Tools/build-debug.sh
fi

for name in ${alone[@]+"${alone[@]}"}; do
  [[ ! $is_short ]] || echo "bench: $name"
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
    http | streams | slow) Benchmarks/HTTP/run.sh "$name" ;;
    *)
      echo "run.sh: there is no benchmark \"$name\"" >&2
      exit 2
      ;;
  esac
done
((${#others[@]})) || exit 0

if [[ $is_short ]]; then
  bin=$BENCH_BUILT
  built=$BENCH_BUILT
else
  bin=$root/.build-release/release
  Tools/build-release.sh
  # The host's own link is measured from within: -enable-testing lets the bench import it.
  export BULKHEAD_BENCHMARKS=1
  build=(swift build -c release --scratch-path .build-bench -Xswiftc -enable-testing --product host-bench)
  "${build[@]}"
  built=$("${build[@]}" --show-bin-path)
fi

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
