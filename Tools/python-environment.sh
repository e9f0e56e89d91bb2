#!/usr/bin/env bash
# python-environment.sh FOLDER PLACE : makes the environment that FOLDER/requirements.txt asks for at PLACE,
# unless it is there, and prints the path of its Python. Both are named from the root of the project.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=$1/requirements.txt
venv=$PWD/$2
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
