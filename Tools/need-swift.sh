#!/usr/bin/env bash
# need-swift.sh : says in one sentence what to do when the Swift toolchain is missing or too old.
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "Swift is not on the PATH; install Swift 6.2 or newer from https://www.swift.org/install." >&2
  exit 1
fi
version=$(swiftc -print-target-info | sed -n 's/.*"compilerVersion": "Swift version \([0-9.]*\).*/\1/p')
if [[ $(printf '6.2\n%s\n' "$version" | sort -V | head -1) != 6.2 ]]; then
  echo "Swift $version is too old; install Swift 6.2 or newer from https://www.swift.org/install." >&2
  exit 1
fi
