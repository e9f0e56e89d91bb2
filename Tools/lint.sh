#!/usr/bin/env bash
# lint.sh : format, public declarations, imports between targets, folders, calls, SQL, text rules, words:
# all that is wrong in one run. Checks its own checks on a package that must fail.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=()

swift_files() {
  local folders=() folder
  for folder in Sources Tests SDK modules Benchmarks Fuzz Tools; do
    [[ -d $folder ]] && folders+=("$folder")
  done
  echo Package.swift
  find "${folders[@]}" -name '.build*' -prune -o -name '*.swift' -print | sort
}

format() {
  swift_files | xargs -d '\n' swift format lint --strict --parallel --configuration .swift-format
}

documented() {
  swift_files | grep -E '(^|/)Sources/' | xargs -d '\n' Tools/check-documented.sh
}

# A planted fault that no longer fits its source tests nothing.
planted_faults() {
  Tools/mutants.sh --list | grep 'MISFIT' || true
  Tools/mutants.sh --list >/dev/null
}

check() {
  echo "lint: $1"
  "${@:2}" || failed+=("$1")
}

check "format" format
check "public declarations" documented
check "targets" Tools/check-targets.sh
check "folders" Tools/check-folders.sh
check "calls" Tools/check-calls.sh
check "SQL" Tools/check-sql.sh
check "text" Tools/check-text.sh
check "words" Tools/check-words.sh
check "planted faults" planted_faults
check "errors that are dropped" Tools/check-try.sh
check "the build" Tools/build-debug.sh
check "what ends the process" Tools/check-traps.sh
check "the checks refuse what they must" Tools/lint-self-test.sh

if ((${#failed[@]})); then
  printf -v names '%s, ' "${failed[@]}"
  echo "lint: failed: ${names%, }"
  exit 1
fi
echo "lint: ok"
