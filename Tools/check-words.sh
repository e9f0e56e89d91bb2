#!/usr/bin/env bash
# check-words.sh [ROOT] : refuses the names and the phrases of Tools/words/ in Swift's names and texts,
# in comments, in titles of tests, in columns of SQL, and in pages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
folders=()
for folder in Sources Tests SDK modules Benchmarks Fuzz Templates Tools docs; do
  [[ -d $folder ]] && folders+=("$folder")
done
# Decisions and the changelog name the past.
{
  find "${folders[@]}" \( -name '.build*' -o -name lint-fixture -o -name decisions \) -prune \
    -o -type f \( -name '*.swift' -o -name '*.md' -o -name '*.py' -o -name '*.sh' -o -name '*.awk' \
    -o -name '*.h' -o -name '*.c' -o -name '*.js' -o -path '*/schemas/*.json' \) -print0
  find . -maxdepth 1 \( -name Package.swift -o -name '*.md' ! -name CHANGELOG.md \) -printf '%P\0'
} | sort -z | xargs -0 -r awk -f "$here/check-words.awk" \
  "$here/words/identifiers.txt" "$here/words/allowed-names.txt" "$here/words/prose.txt"
