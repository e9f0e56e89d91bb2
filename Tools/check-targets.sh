#!/usr/bin/env bash
# check-targets.sh [ROOT] : compares imports and declared dependencies with the tables in
# ROOT/docs/architecture*.md. Prints each disagreement; exits 1 when there is one.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
here=$(cd "$(dirname "$0")" && pwd)
cd "$root"

# One line a target: folder, name, type, declared dependencies.
targets() {
  local package
  for package in SDK .; do
    [[ -f $package/Package.swift ]] || continue
    swift package --package-path "$package" dump-package | jq -r --arg at "$package" '
      .targets[]
      | (if .type == "test" then "Tests/" else "Sources/" end + .name) as $usual
      | [ $at + "/" + (.path // $usual), .name, .type,
          ([.dependencies[] | (.product // .byName // .target)[0]] | join(",")) ]
      | @tsv'
  done
}

# One line an import: folder of the target, file:line, module. Text in """ … """ is no import.
imports() {
  local folder name kind declared
  while IFS=$'\t' read -r folder name kind declared; do
    [[ -d $folder ]] || continue
    find "$folder" -name '*.swift' -print0 | sort -z \
      | xargs -0 -r awk -v folder="$folder" -f "$here/imports.awk"
  done
}

table=$(targets)
{
  sed 's/^/target\t/' <<<"$table"
  imports <<<"$table" | sed 's/^/import\t/'
} | awk -F'\t' -f "$here/check-targets.awk" docs/architecture*.md -
