#!/usr/bin/env bash
# make-folder.sh FOLDER AGENT : an agent's folder with the benchmark's modules in it, compiled.
set -euo pipefail
folder=$1
agent=$2
fixtures=$(cd "$(dirname "$0")/fixtures" && pwd)

mkdir -p "$folder/pages" "$folder/modules"
cp -R "$fixtures"/* "$folder/modules"
sed -i "s#@PAGES@#$folder/pages#" "$folder"/modules/*/module.json
cc -O2 "$folder/modules/bench_command/command.c" -o "$folder/modules/bench_command/command"
echo '{ "enabled_modules": ["bench_swift", "bench_command"] }' >"$folder/settings.json"
touch "$folder/pages/starts"
cd "$folder"
"$agent" build bench_swift
