# Reads files of the Unicode Character Database, writes one Swift table of ranges.
# A range is the distance from the end of the one before it, and how many more follow its first
# scalar, both to base 36: "1t+p" after nothing is U+0041...U+005A.

function hex(text,    i, value) {
  value = 0
  for (i = 1; i <= length(text); i++)
    value = value * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
  return value
}

function base36(value,    text) {
  if (value == 0) return "0"
  text = ""
  while (value > 0) {
    text = substr("0123456789abcdefghijklmnopqrstuvwxyz", value % 36 + 1, 1) text
    value = int(value / 36)
  }
  return text
}

function trim(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

# One more scalar of a row; scalars come in ascending order.
function add(row, value) {
  if (!(row in last)) { first[row] = value; last[row] = value; end[row] = -1; return }
  if (value == last[row] + 1) { last[row] = value; return }
  flush(row)
  first[row] = value
  last[row] = value
}

function flush(row,    extra) {
  if (!(row in last) || last[row] < 0) return
  extra = last[row] - first[row]
  ranges[row] = ranges[row] (row in ranges && ranges[row] != "" ? " " : "") \
    base36(first[row] - end[row] - 1) (extra > 0 ? "+" base36(extra) : "")
  end[row] = last[row]
}

# A row of the table, in lines of at most 96 columns.
function print_row(text,    cut) {
  while (length(text) > 93) {
    cut = 93
    while (substr(text, cut, 1) != " ") cut--
    print "    " substr(text, 1, cut) "\\"
    text = substr(text, cut + 1)
  }
  print "    " text
}

FNR == 1 { file++; name = FILENAME; sub(/.*\//, "", name); sources = sources (file > 1 ? ", " : "") name }
{ sub(/#.*/, "") }
/^[ \t]*$/ { next }

name == "PropertyValueAliases.txt" {
  count = split($0, part, ";")
  if (trim(part[1]) != "sc") next
  short = trim(part[2])
  if (short == "Hrkt" || short == "Zzzz") next
  names[++rows] = short
  for (i = 3; i <= count; i++) {
    long = trim(part[i])
    byLong[long] = short
    if (long != short) aliases[short] = aliases[short] " " long
  }
  next
}

{
  split($0, part, ";")
  count = split(trim(part[1]), bounds, /\.\./)
  low = hex(bounds[1])
  high = hex(bounds[count])
  value = trim(part[2])
}

name == "Scripts.txt" { for (i = low; i <= high; i++) script[i] = byLong[value]; next }
name == "ScriptExtensions.txt" { for (i = low; i <= high; i++) extension[i] = value; next }
name == "emoji-data.txt" {
  if (value != "Emoji_Component" && value != "Extended_Pictographic") next
  if (!(value in seen)) { names[++rows] = value; seen[value] = 1 }
  for (i = low; i <= high; i++) has[value, i] = 1
  next
}
name == "CaseFolding.txt" {
  if (value != "C" && value != "S") next
  fold[low] = hex(trim(part[3]))
  next
}

END {
  if (table == "ScriptTable")
    for (i = 0; i <= 1114111; i++) { if (i in script) add(script[i], i) }
  if (table == "ScriptExtensionTable")
    for (i = 0; i <= 1114111; i++) {
      if (!(i in extension)) continue
      count = split(extension[i], own, " ")
      isOwn = 0
      for (k = 1; k <= count; k++) {
        if (own[k] == script[i]) isOwn = 1; else add(own[k], i)
      }
      if (!isOwn) add("-" script[i], i)
    }
  if (table == "EmojiTable")
    for (r = 1; r <= rows; r++)
      for (i = 0; i <= 1114111; i++) if ((names[r], i) in has) add(names[r], i)
  print "/// Written by Tools/unicode-tables.sh from Unicode " version ":"
  print "/// " sources "."
  print "enum " table " {"
  print "  static let text: StaticString = \"\"\""
  if (table == "CaseFoldingTable") print_folds()
  for (r = 1; r <= rows; r++) {
    row = names[r]
    flush(row)
    flush("-" row)
    if (table == "ScriptExtensionTable" && !(row in ranges) && !(("-" row) in ranges)) continue
    text = row aliases[row] ":" ranges[row]
    if (("-" row) in ranges) text = text " -" ranges["-" row]
    print_row(text)
  }
  print "    \"\"\""
  print "}"
}

# Runs of scalars that fold by the same distance: first, how many more, step, distance.
function print_folds(    i, start, before, step, more, text) {
  start = -1
  text = ""
  for (i = 0; i <= 1114112; i++) {
    if (!(i in fold)) continue
    if (start >= 0 && fold[i] - i == distance && (more == 0 ? i - before <= 2 : i - before == step)) {
      step = i - before
      more++
      before = i
      continue
    }
    if (start >= 0) text = text run(start, more, step, distance)
    start = i
    before = i
    more = 0
    step = 1
    distance = fold[i] - i
  }
  print_row(trim(text run(start, more, step, distance)))
}

function run(start, more, step, distance) {
  return base36(start) "+" base36(more) (step == 2 ? "/" : "") \
    (distance < 0 ? "-" base36(-distance) : ">" base36(distance)) " "
}
