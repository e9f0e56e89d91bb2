#!/usr/bin/env bash
# fuzz-api.sh [SECONDS [SEED]] : a million requests to an agent, made at random from its own OpenAPI
# document: right ones, ones with a fault, and extremes; on what earlier requests made. No request may
# end the host, be answered with a fault of the host, or wait; the host is killed and must come up
# again. STEPS says how many requests; it ends when it is through, whatever SECONDS says.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${2:-1}
steps=${STEPS:-1000000}
[[ -n ${AGENT:-} ]] || Tools/build-debug.sh
agent=${AGENT:-$PWD/.build-debug/debug/agent}
export PYTHONDONTWRITEBYTECODE=1 LLVM_PROFILE_FILE=/dev/null
python3 Tools/fuzz-api/fuzz.py "$agent" "$steps" "$seed"
