#!/usr/bin/env bash
# check-calls.sh [ROOT] : refuses functions, initializers and closures in properties that take three
# arguments without labels, and tuples of three values that are assigned, iterated over or returned.
#
# Operators, functions of C, cases of an enum and patterns of a switch aren't meant.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
folders=()
for folder in Sources SDK modules; do
  [[ -d $folder ]] && folders+=("$folder")
done
find "${folders[@]}" -name '.build*' -prune -o -name '*.swift' -print0 | sort -z \
  | xargs -0 -r awk -v most=2 -f "$here/check-calls.awk"
