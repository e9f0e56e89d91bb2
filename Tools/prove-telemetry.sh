#!/usr/bin/env bash
# prove-telemetry.sh [AGENT] : what a running agent says of itself is read by those for whom it is meant: its
# metrics by Prometheus' own parsers, its spans by OpenTelemetry's own messages. Both are installed into an
# environment of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(Tools/python-environment.sh Tools/prove-telemetry .build-debug/prove-telemetry)
export PYTHONDONTWRITEBYTECODE=1
exec "$python" Tools/prove-telemetry/prove.py "${1:-$PWD/.build-debug/debug/agent}"
