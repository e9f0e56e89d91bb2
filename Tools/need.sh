#!/usr/bin/env bash
# need.sh PACKAGE… : installs the Debian packages that are missing, and asks for nothing when none is.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "need.sh: not a Debian system; make sure that the equivalents of these are installed: $*" >&2
  exit 0
fi

missing=()
for package in "$@"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null || ! sudo -v; then
    echo "need.sh: these packages are missing and need root; run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
install=(${as_root[@]+"${as_root[@]}"} apt-get install -y --no-install-recommends "${missing[@]}")
echo "Installing ${missing[*]}" >&2
"${install[@]}" >/dev/null 2>&1 && exit 0
# The package lists may be missing or old: fetch them and try once more, this time aloud.
${as_root[@]+"${as_root[@]}"} apt-get update >&2 || true
"${install[@]}" >&2 && exit 0
echo "need.sh: apt-get could not install ${missing[*]}; install them by hand and try again." >&2
exit 1
