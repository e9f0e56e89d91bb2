#!/usr/bin/env bash
# label-tables.sh [FOLDER] : writes the Unicode tables that the rules for labels of host names
# need and that Swift's Unicode.Scalar.Properties lacks.
#
# FOLDER holds the Unicode Character Database; it is /usr/share/unicode of Debian's package
# unicode-data unless said otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-/usr/share/unicode}
[[ $# -gt 0 || -d $folder ]] || Tools/need.sh unicode-data
types=$folder/extracted/DerivedJoiningType.txt
scripts=$folder/Scripts.txt
version=$(sed -n '1s/^# Scripts-\([0-9.]*\)\.txt.*/\1/p' "$scripts")

# table NAME FILE VALUE… : the code points with one of these values, as pairs of first and last.
table() {
  local name=$1 file=$2
  shift 2
  printf '\n  static let %s = ScalarRanges([\n' "$name"
  LC_ALL=C awk -F '[ ;#]+' -v wanted=" $* " '
    /^[0-9A-F]/ && index(wanted, " " $2 " ") {
      n = split($1, ends, /\.\./)
      print ends[1], ends[n]
    }' "$file" \
    | while read -r first last; do echo $((16#$first)) $((16#$last)); done | sort -n \
    | awk '
      function flush() { if (seen) printf "0x%X, 0x%X,\n", low, high }
      !seen || $1 > high + 1 { flush(); low = $1; seen = 1 }
      { high = $2 }
      END { flush() }' \
    | fmt -w 96 | sed 's/^/    /'
  printf '  ])\n'
}

{
  echo "/// Written by Tools/label-tables.sh from DerivedJoiningType.txt and Scripts.txt of Unicode"
  echo "/// $version."
  echo "enum LabelTables {"
  echo "  // Joining_Type: on both sides, to the left, to the right."
  table joinsBoth "$types" D
  table joinsLeft "$types" L
  table joinsRight "$types" R
  echo
  echo "  // Script."
  table greek "$scripts" Greek
  table hebrew "$scripts" Hebrew
  table japanese "$scripts" Hiragana Katakana Han
  echo "}"
} >Sources/JSONSchema/Formats/LabelTables.swift
