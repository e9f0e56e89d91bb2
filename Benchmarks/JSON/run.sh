#!/usr/bin/env bash
# run.sh : measures JSON and JSON Schema beside the validators of PyPI, which are installed into an
# environment of their own under .build-bench. A short run measures without them.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
bench=$(Benchmarks/build.sh json-bench)

folder=$(mktemp -d "${TMPDIR:-/tmp}/bench-json.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cp Benchmarks/JSON/documents/*.json "$folder"
if [[ -n ${BENCH_SHORT:-} ]]; then
  awk -v count=100 -f Benchmarks/JSON/make-records.awk > "$folder/records.json"
  "$bench" "$folder" Sources/JSONSchema/Metaschemas/Resources/draft2020-12.schema.json
  exit 0
fi

venv=$root/.build-bench/peers
if [ ! -x "$venv/bin/python3" ] || ! "$venv/bin/python3" -c 'import jsonschema_rs, fastjsonschema, jsonschema' 2>/dev/null; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet jsonschema-rs fastjsonschema jsonschema
fi
awk -f Benchmarks/JSON/make-records.awk > "$folder/records.json"
# The standard's own schema, as the peers ship it.
metaschema=$("$venv/bin/python3" -c '
import jsonschema_specifications, pathlib
folder = pathlib.Path(jsonschema_specifications.__file__).parent
print(folder / "schemas" / "draft202012" / "metaschema.json")')
echo "load: $(cut -d " " -f 1-3 /proc/loadavg); $("$venv/bin/pip" list 2>/dev/null | awk '/jsonschema/ {printf "%s %s; ", $1, $2}')"
# All on one processor: they alternate, and two needn't be equally fast.
processor=$(awk '/^Cpus_allowed_list/ { count = split($2, list, /[,-]/); print list[count] }' /proc/self/status)
taskset -c "$processor" "$bench" "$folder" "$metaschema" "$venv/bin/python3" Benchmarks/JSON/peers.py
