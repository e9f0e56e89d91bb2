#!/usr/bin/env bash
# run.sh : measures JSON and JSON Schema beside the validators of PyPI, which are installed into an
# environment of their own under .build-bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
venv=$root/.build-bench/peers
if [ ! -x "$venv/bin/python3" ] || ! "$venv/bin/python3" -c 'import jsonschema_rs, fastjsonschema, jsonschema' 2>/dev/null; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet jsonschema-rs fastjsonschema jsonschema
fi
bench=$(Benchmarks/build.sh json-bench)

folder=$(mktemp -d "${TMPDIR:-/tmp}/bench-json.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cp Benchmarks/JSON/documents/*.json "$folder"
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
