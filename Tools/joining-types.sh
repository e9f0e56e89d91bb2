#!/usr/bin/env bash
# joining-types.sh [FOLDER] : writes how letters join their neighbours, which the rules for labels
# of host names ask for and Swift's Unicode.Scalar.Properties doesn't know.
#
# FOLDER holds the Unicode Character Database; it is /usr/share/unicode of Debian's package
# unicode-data unless said otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-/usr/share/unicode}
[[ $# -gt 0 || -d $folder ]] || Tools/need.sh unicode-data
types=$folder/extracted/DerivedJoiningType.txt
version=$(sed -n '1s/^# DerivedJoiningType-\([0-9.]*\)\.txt.*/\1/p' "$types")

# table NAME VALUE : the code points with this value, as pairs of first and last.
table() {
  printf '\n  static let %s = ScalarRanges([\n' "$1"
  LC_ALL=C awk -F '[ ;#]+' -v wanted="$2" '
    /^[0-9A-F]/ && $2 == wanted {
      n = split($1, ends, /\.\./)
      print ends[1], ends[n]
    }' "$types" \
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
  echo "/// Joining_Type: which letters join on both sides, to the left, to the right."
  echo "///"
  echo "/// Written by Tools/joining-types.sh from DerivedJoiningType.txt of Unicode $version."
  echo "enum JoiningType {"
  table dual D | sed 1d
  table left L
  table right R
  echo "}"
} >Sources/JSONSchema/Formats/JoiningType.swift
