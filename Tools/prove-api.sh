#!/usr/bin/env bash
# prove-api.sh [AGENT [OPTION…]] : holds the API of a running agent to its OpenAPI document, by schemathesis and
# openapi-spec-validator, which are installed into an environment of their own. OPTIONs go to
# `schemathesis run`, such as --include-operation-id get_status.
set -euo pipefail
cd "$(dirname "$0")/.."
agent=$(realpath "${1:-.build-debug/debug/agent}")
shift || true
python=$(Tools/python-environment.sh Tools/prove-api .build-debug/prove-api)
export PYTHONDONTWRITEBYTECODE=1
exec "$python" Tools/prove-api/prove.py "$agent" "$@"
