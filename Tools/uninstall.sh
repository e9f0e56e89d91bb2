#!/usr/bin/env bash
# uninstall.sh : removes what install.sh wrote and nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${PREFIX:?say from where: make uninstall PREFIX=/usr/local}
[[ $prefix == /* ]] || prefix=$PWD/$prefix
target=${DESTDIR:-}$prefix

rm -f "$target"/bin/{agent,create-agent,add-agent-module}
rm -rf "$target"/{libexec,lib,share}/agent
rmdir --ignore-fail-on-non-empty "$target"/{bin,libexec,lib,share} 2>/dev/null || true
echo "uninstall: nothing of agent is left in $target"
