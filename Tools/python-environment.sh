#!/usr/bin/env bash
# python-environment.sh NAME : makes the environment that Tools/NAME/requirements.txt asks for, unless it is
# there, and prints the path of its Python.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/.build-debug/$1
wanted=Tools/$1/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  {
    python3 -c 'import ensurepip' 2>/dev/null || Tools/need.sh python3-venv
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
  } >&2
  cp "$wanted" "$venv"
fi
echo "$venv/bin/python3"
