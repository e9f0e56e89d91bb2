#!/usr/bin/awk -f
# only-readers.awk : leaves out arithmetic of Int in files that read no number of JSON (`.int`): there, an Int
# counts what is in memory. Reads and prints FILE, line, column and what happens.

function reads_numbers(file,    line) {
  if (!(file in known)) {
    known[file] = 0
    while ((getline line < file) > 0) if (line ~ /[.]int([^A-Za-z0-9_(:]|$)/) known[file] = 1
    close(file)
  }
  return known[file]
}

BEGIN { FS = "\t" }
$4 !~ /Int$/ || reads_numbers($1)
