#!/usr/bin/env bash
# fuzz.sh [SECONDS [SEED]] : runs every fuzz-*.sh beside it, each of whose targets gets that time.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
seed=${2:-1}
for script in Tools/fuzz-*.sh; do "$script" "$seconds" "$seed"; done
echo "fuzz: ok"
