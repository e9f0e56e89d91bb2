# check-words.awk : compares code and prose with lists of banned words. Arguments: the list of names,
# the list of allowed names, the list of prose, then the files.
#
# Names are the identifiers of Swift, the tables and columns that SQL creates, and the words in
# backticks of comments and pages. Prose is text for people: comments, texts of code, titles of
# tests, pages, descriptions of JSON schemas.
#
# No pattern says \w, \b or {2}: mawk knows none of them.
BEGIN { FS = "\t" }

# The list of names: a pattern for the whole identifier, then the word to write instead.
FILENAME == ARGV[1] {
  if (NF == 2 && !/^#/) { name[++names] = "^(" $1 ")$"; instead[names] = $2 }
  next
}
FILENAME == ARGV[2] {
  if (NF == 2 && !/^#/) known[$1] = 0
  next
}
# The list of prose: "^" is the beginning of a sentence, and then capitals count; other patterns are
# written small and found in both.
FILENAME == ARGV[3] {
  if (NF != 2 || /^#/) next
  isStart = sub(/^\^/, "", $1)
  prose[++proses] = isStart ? "(^|[.!?] +|[|] +)[\"(*_]*(" $1 ")[ ,.;:]" \
    : "(^|[^a-z0-9_])(" $1 ")($|[^a-z0-9_])"
  starts[proses] = isStart
  better[proses] = $2
  if (isStart) anyStart = anyStart (anyStart == "" ? "" : "|") prose[proses]
  else anyPhrase = anyPhrase (anyPhrase == "" ? "" : "|") $1
  next
}

function report(line, found, advice) {
  sub(/^[^A-Za-z]+/, "", found)
  sub(/[^A-Za-z]+$/, "", found)
  printf "%s:%d: \"%s\"  <- %s\n", file, line, found, advice
  status = 1
}

# The number of the pattern that an identifier is banned by, or 0. Each is looked up once.
function banned(word,    i) {
  if (word in known) return known[word]
  for (i = 1; i <= names; i++) if (word ~ name[i]) return known[word] = i
  return known[word] = 0
}

function lookNames(code, line,    word, found) {
  while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
    word = substr(code, RSTART, RLENGTH)
    code = substr(code, RSTART + RLENGTH)
    if ((found = banned(word))) report(line, word, "say " instead[found])
  }
}

# The words in backticks are names; the remaining text is prose.
function spans(text, line,    span) {
  while (match(text, /`[^`]*`/)) {
    span = substr(text, RSTART + 1, RLENGTH - 2)
    text = substr(text, 1, RSTART - 1) "()" substr(text, RSTART + RLENGTH)
    lookNames(span, line)
  }
  return text
}

# The line of a paragraph in which a character of it stands.
function lineOf(at,    i) {
  for (i = lines; i > 1 && from[i] > at; i--) continue
  return at_line[i]
}

# One paragraph: a phrase may begin in one line and end in the next.
function finish(    text, small, i, rest, gone) {
  text = paragraph
  paragraph = ""
  if (text == "") return
  small = tolower(text)
  if (small !~ allPhrases && text !~ anyStart) return
  for (i = 1; i <= proses; i++) {
    rest = starts[i] ? text : small
    gone = 0
    while (match(rest, prose[i])) {
      report(lineOf(gone + RSTART + 1), substr(text, gone + RSTART, RLENGTH), "write " better[i])
      gone += RSTART + RLENGTH - 1
      rest = substr(rest, RSTART + RLENGTH)
    }
  }
}

function add(text) {
  sub(/^ +/, "", text)
  text = spans(text, FNR)
  if (paragraph == "") lines = 0
  from[++lines] = length(paragraph) + 1
  at_line[lines] = FNR
  paragraph = paragraph (paragraph == "" ? "" : " ") text
}

# A text that stands alone.
function alone(text) {
  finish()
  add(text)
  finish()
}

FNR == 1 {
  finish()
  if (allPhrases == "") allPhrases = "(^|[^a-z0-9_])(" anyPhrase ")($|[^a-z0-9_])"
  file = FILENAME
  kind = file
  sub(/.*\./, "", kind)
  isTest = file ~ /(^|\/)Tests\//
  block = 0; sql = 0
}

# A line that is nothing but a comment belongs to the paragraph before it.
function comment(mark,    text) {
  text = $0
  sub(mark, "", text)
  if (text ~ /^[- ]*$/ || text ~ /^ *- /) finish()
  sub(/^[-# ]+/, "", text)
  add(text)
}

kind == "md" {
  if (/^ *```/) { block = !block; finish(); next }
  if (block) next
  text = $0
  if (text !~ /[^ ]/ || text ~ /^ *([-*#|>]|[0-9]+\.)/) finish()
  sub(/^[-*#> ]+/, "", text)
  gsub(/\]\([^)]*\)/, "]", text)
  add(text)
  if ($0 ~ /^ *[#|]/) finish()
  next
}

kind == "json" {
  if (match($0, /"(description|title)": *"/)) {
    text = substr($0, RSTART + RLENGTH)
    sub(/"[ ,}]*$/, "", text)
    alone(text)
  }
  next
}

kind == "sh" || kind == "awk" || kind == "py" {
  if (/^ *#/ && !/^#!/) { comment("^ *#+ ?"); next }
  finish()
  if (kind == "py") docstring()
  next
}

function docstring(    text) {
  text = $0
  if (block) {
    block = text !~ /"""/
    sub(/""".*/, "", text)
    add(text)
    if (!block) finish()
  } else if (match(text, /^ *r?"""/)) {
    text = substr(text, RSTART + RLENGTH)
    block = text !~ /"""/
    sub(/""".*/, "", text)
    add(text)
    if (!block) finish()
  }
}

kind == "h" || kind == "c" || kind == "js" {
  if (block) {
    block = !/\*\//
    comment("^ *[*]*/? ?")
    if (!block) finish()
  } else if (/^ *\/\*/) {
    block = !/\*\//
    comment("^ */[*]+!?<? ?")
  } else if (/^ *\/\//) comment("^ *//+ ?")
  else {
    finish()
    if (match($0, /(\/\/|\/\*)[*!<]* /)) alone(substr($0, RSTART + RLENGTH))
  }
  next
}

# Swift.
/"""/ {
  finish()
  block = !block
  sql = 0
  next
}
block {
  if ($0 ~ /CREATE TABLE/) sql = 1
  if (sql) lookNames($0, FNR)
  else if (!isTest) { if (/[^ ]/) add($0); else finish() }
  next
}
/^ *\/\// { comment("^ *//+ ?"); next }
{
  finish()
  line = $0
  while (match(line, /"(\\.|[^"\\])*"/)) {
    text = substr(line, RSTART + 1, RLENGTH - 2)
    line = substr(line, 1, RSTART - 1) "_" substr(line, RSTART + RLENGTH)
    # An interpolation is code.
    gsub(/\\\([^()]*(\([^()]*\)[^()]*)*\)/, "()", text)
    if (text ~ /CREATE TABLE/) lookNames(text, FNR)
    else if (!isTest || line ~ /@(Test|Suite)\(_/) alone(text)
  }
  if (match(line, / \/\/ /)) {
    text = substr(line, RSTART + 4)
    line = substr(line, 1, RSTART)
    alone(text)
  }
  # A name with spaces in backticks is the title of a test.
  while (match(line, /`[^`]* [^`]*`/)) {
    text = substr(line, RSTART + 1, RLENGTH - 2)
    line = substr(line, 1, RSTART - 1) "_" substr(line, RSTART + RLENGTH)
    alone(text)
  }
  lookNames(line, FNR)
}
END { finish(); exit status }
