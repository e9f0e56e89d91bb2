#!/usr/bin/env bash
# prove-telemetry.sh [AGENT] : the programs that read a running agent's telemetry understand it: its
# metrics by Prometheus' own parsers, its spans by OpenTelemetry's own messages. Both are installed into an
# environment of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(Tools/python-environment.sh Tools/prove-telemetry .build-debug/prove-telemetry)
export PYTHONDONTWRITEBYTECODE=1
exec "$python" Tools/prove-telemetry/prove.py "${1:-$PWD/.build-debug/debug/agent}"
