#!/usr/bin/awk -f
# without-literals.awk : leaves out what its text alone shows to be within bounds: products of literals, such as
# `24 * 3_600_000`, which the compiler itself refuses if they don't fit; divisions by a literal; ranges of literals
# and `0..<list.count`; lengths that are literals, counts, or `max(0, …)`; constants of a type and of C, in the place
# of any of these; the removal of what the same line has found. Reads and prints FILE, line, column and what happens.

function source(file, number,    line) {
  if (file != now) {
    close(now)
    for (total = 0; (getline line < file) > 0;) lines[++total] = line
    now = file
  }
  return lines[number]
}

# Whether a text begins with a length that is never negative, and nothing is computed with it.
function is_length(text) {
  sub(/^ */, "", text)
  return text ~ ("^(" number "|max\\((0|1), |(" name "(\\.utf8)?|\"[^\"]*\"(\\.utf8)?)\\.count( \\+ [0-9]+)?" ends ")") \
    || text ~ ("^(" constant "|Int\\([A-Za-z_0-9]*[A-Z]_?[A-Z]+\\))" ends)
}

BEGIN {
  FS = "\t"
  name = "[A-Za-z_$][A-Za-z0-9_.?]*"
  ends = "( *([]),{}:?;]|$|//|in |where |\\? ))"
  # Written out: mawk doesn't match a repeated group behind a repetition.
  number = "[0-9][0-9_]*(" ends "| *(<<|[*]) *[0-9][0-9_]*" ends ")"
  constant = "(Self|[A-Z][A-Za-z0-9]*)\\.[a-z][A-Za-z0-9]*"
  literal = "(-?[0-9][0-9_.xa-fA-F]*|\"[^\"]*\"|UInt8\\(ascii: \"[^\"]*\"\\))"
}
{
  text = source($1, $2)
  before = substr(text, 1, $3 - 1)
  after = substr(text, $3)
  if (before ~ /(^|[=(,:{[] *)([0-9][0-9_]* *\* *)*[0-9][0-9_]* *$/ && after ~ /^\* *[0-9]/) next
  if (after ~ ("^[\\/%]=? *" constant ends)) next
  if (after ~ /^[\/%]=? *(0[xX])?0*[1-9]/ || after ~ /^[\/%]=? *max\(1, /) next
  if (after ~ /^\.\.[.<]/) {
    limit = after
    sub(/^\.\.[.<] */, "", limit)
    if (before ~ ("(^|[^A-Za-z0-9_.])(" literal "|" constant ") *$") \
      && limit ~ ("^(" literal "|" constant ends "|\\(?\\.max" ends ")")) next
    if (before ~ /(^|[^A-Za-z0-9_.])(0|startIndex|[A-Za-z0-9_.]+\.startIndex) *$/ && after ~ /^\.\.</ \
      && limit ~ ("^(" name "\\.)?(count|endIndex)" ends)) next
  }
  if (match(after, /^(prefix|suffix|dropFirst|dropLast)\(/)) {
    length_given = substr(after, RLENGTH + 1)
    if (length_given ~ /^\)/ || is_length(length_given)) next
  }
  if (before ~ /(while|if) .*\.(first|last|has(Pref|Suff)ix)/ && after ~ /^remove(First|Last)\(\)/) next
  if ($4 ~ /(length|capacity|size) is negative/ && match(after, /(count|capacity|byteCount): /) \
    && is_length(substr(after, RSTART + RLENGTH))) next
  print
}
