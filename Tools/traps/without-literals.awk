#!/usr/bin/awk -f
# without-literals.awk : leaves out products of nothing but literals, such as `24 * 3_600_000`: the
# compiler itself refuses one that doesn't fit. Reads and prints FILE, line, column and what happens.

function source(file, number,    line) {
  if (file != now) {
    close(now)
    for (total = 0; (getline line < file) > 0;) lines[++total] = line
    now = file
  }
  return lines[number]
}

BEGIN { FS = "\t" }
{
  text = source($1, $2)
  before = substr(text, 1, $3 - 1)
  after = substr(text, $3)
  if (before ~ /(^|[=(,:{[] *)([0-9][0-9_]* *\* *)*[0-9][0-9_]* *$/ && after ~ /^\* *[0-9]/) next
  print
}
