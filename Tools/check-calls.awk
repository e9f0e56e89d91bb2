# Reads Swift files. Prints each declaration with more than MOST parameters without labels, and each
# tuple of more than MOST values that is assigned, iterated over or returned.

function refuse(line, message) { print FILENAME ":" line ": " message; refused = 1 }

# A line without its comment and its text. A text of several lines begins and ends with """, which
# becomes a sign of its own first: otherwise it would count as an empty text and a quotation mark.
function code_of(line) {
  gsub(/"""/, "\001", line)
  if (quoted) {
    if (!match(line, "\001")) return ""
    line = substr(line, RSTART + 1)
    quoted = 0
  }
  gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
  sub(/\/\/.*/, "", line)
  if (match(line, "\001")) {
    line = substr(line, 1, RSTART - 1)
    quoted = 1
  }
  return line
}

# Splits the list in brackets that begins at a place of a text into PART. Returns the number of its
# parts, and 0 when the list goes on in the next line. `after` is what follows the list.
function split_list(text, at,    i, sign, depth, generic, begin, count) {
  begin = at + 1
  for (i = at; i <= length(text); i++) {
    sign = substr(text, i, 1)
    if (sign ~ /[[({]/) depth++
    else if (sign ~ /[])}]/) depth--
    # Behind a name it begins generic arguments; a comparison has a space there.
    else if (sign == "<" && substr(text, i - 1, 1) ~ /[A-Za-z0-9_]/) { depth++; generic++ }
    else if (sign == ">" && generic && substr(text, i - 1, 1) != "-") { depth--; generic-- }
    if (depth == 0 || (depth == 1 && sign == ",")) {
      part[++count] = substr(text, begin, i - begin)
      begin = i + 1
    }
    if (depth == 0) {
      after = substr(text, i + 1)
      # A comma may stand behind the last part.
      if (part[count] !~ /[^ ]/) count--
      return count < 1 ? 1 : count
    }
  }
  return 0
}

function bare_parts(count,    i, bare) {
  for (i = 1; i <= count; i++) if (part[i] ~ /^ *_ +[`A-Za-z_]/) bare++
  return bare + 0
}

# The text before a bracket tells the kind of its list. The answer is empty for a list that may have any
# number of values.
function kind_of(before) {
  if (before ~ /(^|[^A-Za-z0-9_.])(func +[`A-Za-z_][^(]*|init[?!]?(<[^(]*>)?) *$/) return "declaration"
  if (before ~ /(^|[^A-Za-z0-9_])for +((await|try) +)*((case +)?(let|var) +)?$/) return "loop"
  if (before ~ /(^|[^A-Za-z0-9_])case +(let|var) +$/) return ""
  if (before ~ /(^|[^A-Za-z0-9_])(let|var) +$/) return "tuple"
  if (before ~ /-> *$/) return "result"
  if (before ~ /^ *((public|package|private|internal|static|nonisolated|weak)(\([a-z]*\))? +)*(let|var) +[A-Za-z_]+ *: .*$/ \
    && before !~ /@convention|=/) return "property"
  if (before ~ /^ *$|[{;] *$|^ *(case [^?]*|default) *: *$/) return "tuple"
  return ""
}

function name_of(before,    words, count) {
  sub(/(<.*)? *$/, "", before)
  sub(/[?!]$/, "", before)
  count = split(before, words, /[ (]+/)
  return words[count]
}

# Looks at a list that is whole.
function judge(kind, before, count, line) {
  if (kind == "declaration") {
    count = bare_parts(count)
    if (count > most)
      refuse(line, "`" name_of(before) "` takes " count " arguments without labels; " most \
        " is the most. Give them labels.")
    return
  }
  if (count <= most) return
  if (kind == "property") {
    if (after ~ /^ *(async *)?(throws *(\([^)]*\) *)?)?->/)
      refuse(line, "a closure takes " count " arguments without labels; " most \
        " is the most. Let it take a struct.")
    return
  }
  if (kind == "result") {
    if (after !~ /^ *(async|throws|->)/)
      refuse(line, "a tuple of " count " values is returned. Return a struct with named fields.")
    return
  }
  if (kind == "loop" ? after ~ /^ *in( |$)/ : after ~ /^ *(: *[[(A-Z][^=]*)?=([^=]|$)/)
    refuse(line, "a tuple of " count " values is assigned. Write one line each, or name the fields.")
}

FNR == 1 { quoted = 0; text = ""; open = 0 }

{
  code = code_of($0)
  if (open) {
    text = text " " code
    line = begun
  } else {
    text = code
    line = FNR
  }
  at = open ? open : 1
  open = 0
  while (at <= length(text)) {
    rest = substr(text, at)
    place = index(rest, "(")
    if (!place) break
    at += place - 1
    before = substr(text, 1, at - 1)
    kind = kind_of(before)
    if (kind != "") {
      count = split_list(text, at)
      if (!count) {
        # Not whole yet: the next line goes on with it.
        open = at
        begun = line
        break
      }
      judge(kind, before, count, line)
    }
    at++
  }
}

END { exit refused }
