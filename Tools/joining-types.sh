#!/usr/bin/env bash
# joining-types.sh SOURCE : writes how letters join their neighbors, which the rules for labels of
# host names ask for and Swift's Unicode.Scalar.Properties doesn't know.
#
# SOURCE is DerivedJoiningType.txt of the Unicode Character Database (https://www.unicode.org/Public,
# or Debian's unicode-data under /usr/share/unicode/extracted), or idnadata.py of PyPI's idna, which
# holds the same and is there for newer versions: idna 3.12 to 3.16 have Unicode 17. Take the version
# that Swift's Unicode.Scalar.Properties has, so that what is assigned and how it joins agree.
set -euo pipefail
source=${1:?"Say where DerivedJoiningType.txt or idnadata.py lies."}
cd "$(dirname "$0")/.."

# The version, then a line for each range: first, last, type; from either form.
facts=$(LC_ALL=C awk '
  function hex(text, i, value) {
    for (i = 1; i <= length(text); i++)
      value = value * 16 + index("0123456789ABCDEF", toupper(substr(text, i, 1))) - 1
    return value
  }
  /^# DerivedJoiningType-/ { sub(/.*-/, ""); sub(/\.txt.*/, ""); print }
  /^[0-9A-F]+(\.\.[0-9A-F]+)? *;/ {
    split($0, fields, /[ ;#]+/)
    n = split(fields[1], ends, /\.\./)
    print hex(ends[1]), hex(ends[n]), fields[2]
  }
  /^__version__ = / { gsub(/"/, ""); print $3 }
  /joining_types.*[{:]$/ { inside = 1 }
  inside && /^ *}/ { inside = 0 }
  # The type as the number of its letter in ASCII.
  inside && /^ *0x[0-9A-F]+: *[0-9]+,/ {
    gsub(/[ ,]|0x/, "")
    split($0, fields, ":")
    print hex(fields[1]), hex(fields[1]), sprintf("%c", fields[2] + 0)
  }' "$source")
version=${facts%%$'\n'*}

# table NAME VALUE : the code points with this value, as pairs of first and last.
table() {
  printf '\n  static let %s = ScalarRanges([\n' "$1"
  awk -v wanted="$2" 'NF == 3 && $3 == wanted { print $1, $2 }' <<<"$facts" | sort -n \
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
  echo "/// Written by Tools/joining-types.sh from Unicode $version."
  echo "enum JoiningType {"
  table dual D | sed 1d
  table left L
  table right R
  echo "}"
} >Sources/JSONSchema/Formats/Hosts/JoiningType.swift
