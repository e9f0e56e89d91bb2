# Reads Swift files and prints each statement of SQL that stands where none may stand, or into which
# something is put: values are bound, never written into the text. STORE is the target that may have
# SQL; two files there may pass a text to SQLite.

function refuse(line, message) { print FILENAME ":" line ": " message; refused = 1 }

# A statement begins with a word in capitals and goes on as SQL does.
function is_sql(text) {
  return text ~ /(^|["(\n]) *(SELECT [A-Za-z_(*1-9]|INSERT (OR [A-Z]+ )?INTO |UPDATE [a-z_]+ SET|DELETE FROM |CREATE (UNIQUE )?(TABLE|INDEX|VIEW|TRIGGER) |DROP (TABLE|INDEX|VIEW|TRIGGER) |ALTER TABLE |PRAGMA [a-z_]|WITH [a-z_]+ AS \(|SAVEPOINT [a-z]|REPLACE INTO )/
}

function judge(text, line) {
  if (!is_sql(text)) return
  if (!inside) refuse(line, "SQL is written in " store " only; ask one of its protocols.")
  else if (index(text, "\\(") || index(text, "\\#("))
    refuse(line, "something is put into a text of SQL; bind it instead.")
}

FNR == 1 {
  inside = index(FILENAME, "Sources/" store "/") > 0
  passes = FILENAME ~ /\/(SQLitePragma|SQLiteStatement)\.swift$/
  block = 0
}

{
  rest = $0
  # A text of several lines counts as one.
  if (match(rest, /"""/)) {
    if (block) { judge(text, begin); block = 0 } else { block = 1; text = ""; begin = FNR }
    next
  }
  if (block) {
    sub(/^ +/, "", rest)
    text = text "\n" rest
    next
  }
  sub(/^ *\/\/.*/, "", rest)
  while (match(rest, /"([^"\\]|\\.)*"/)) {
    judge(substr(rest, RSTART, RLENGTH), FNR)
    rest = substr(rest, RSTART + RLENGTH)
  }
}

inside && !passes && /sqlite3_(exec|prepare|prepare_v2|prepare_v3|get_table) *\(/ {
  refuse(FNR, "texts reach SQLite through SQLiteSession only.")
}

inside && !passes && /[(, ]sql: / && !/sql: StaticString/ { refuse(FNR, "texts reach SQLite through SQLiteSession only, not through GRDB.") }

END { exit refused }
