#!/usr/bin/env bash
# lint.sh : format, imports between rooms, and text rules. Checks itself on a package that must fail.
set -euo pipefail
cd "$(dirname "$0")/.."

swift_files() {
  local folders=() folder
  for folder in Sources Tests SDK modules Benchmarks; do
    [[ -d $folder ]] && folders+=("$folder")
  done
  echo Package.swift
  find "${folders[@]}" -name '.build*' -prune -o -name '*.swift' -print | sort
}

echo "lint: format"
swift_files | xargs -d '\n' swift format lint --strict --parallel --configuration .swift-format

echo "lint: public declarations"
swift_files | grep -E '(^|/)Sources/' | xargs -d '\n' Tools/check-documented.sh

echo "lint: rooms"
Tools/check-rooms.sh

echo "lint: text"
Tools/check-text.sh

echo "lint: the checks refuse what they must"
Tools/lint-self-test.sh
echo "lint: ok"
