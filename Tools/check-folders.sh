#!/usr/bin/env bash
# check-folders.sh [ROOT] : refuses folders of one target that use each other in a cycle, and
# folders that hold more than 20 Swift files.
#
# The folders directly inside of a target are compared. Those below them count as part of them, and
# the files beside them are the folder ".".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
shopt -s nullglob
targets=(Sources/*/ SDK/Sources/*/ modules/*/Sources/*/)

mapfile -t files < <(find "${targets[@]}" -name '*.swift' | LC_ALL=C sort)
awk -v limit=20 -f "$here/check-folders.awk" "${files[@]}"
