#!/bin/sh
# Writes the Unicode tables of the regular-expression engine (what Swift's own properties lack):
#   Tools/unicode-tables.sh FOLDER
# FOLDER holds Scripts.txt, ScriptExtensions.txt, PropertyValueAliases.txt, CaseFolding.txt and
# emoji-data.txt of one version of the Unicode Character Database: https://www.unicode.org/Public,
# or /usr/share/unicode of Debian's package unicode-data. Take the version that Swift's
# Unicode.Scalar.Properties has, so that categories and scripts agree on what is assigned.
set -eu
folder=${1:?"Say where the Unicode Character Database lies."}
root=$(cd "$(dirname "$0")/.." && pwd)
tables=$root/Sources/ECMARegex/Tables
find_one() { find "$folder" -name "$1" | head -n 1; }
scripts=$(find_one Scripts.txt)
version=$(sed -n '1s/^# Scripts-\([0-9.]*\)\.txt.*/\1/p' "$scripts")
mkdir -p "$tables"
write() { # table, files…
  table=$1
  shift
  LC_ALL=C awk -v table="$table" -v version="$version" -f "$root/Tools/unicode-tables.awk" "$@" \
    >"$tables/$table.swift"
}
write ScriptTable "$(find_one PropertyValueAliases.txt)" "$scripts"
write ScriptExtensionTable \
  "$(find_one PropertyValueAliases.txt)" "$scripts" "$(find_one ScriptExtensions.txt)"
write CaseFoldingTable "$(find_one CaseFolding.txt)"
write EmojiTable "$(find_one emoji-data.txt)"
