#!/usr/bin/env bash
# prove-api.sh [AGENT [OPTION…]] : holds the API of a running agent to its OpenAPI document, by schemathesis and
# openapi-spec-validator, which are installed into an environment of their own. OPTIONs go to
# `schemathesis run`, such as --include-operation-id get_status.
set -euo pipefail
cd "$(dirname "$0")/.."
agent=${1:-$PWD/.build-debug/debug/agent}
shift || true
venv=$PWD/.build-debug/prove-api
wanted=Tools/prove-api/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python3 -c 'import ensurepip' 2>/dev/null || Tools/need.sh python3-venv
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$venv"
fi
export PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python3" Tools/prove-api/prove.py "$agent" "$@"
