# Reads the Swift files of all targets, sorted by path. Prints the folders of a target that use each
# other in a cycle, and the folders that hold more than LIMIT Swift files.
#
# A folder uses another when the code of one of its files names a type that a file of the other
# declares. A name that a target declares twice isn't counted: the text doesn't say which is meant.

function refuse(message) { print message; refused = 1 }

# The target is the folder behind "Sources", and the group is the folder behind the target.
function begin_file(    parts, count, depth, i, folder) {
  count = split(FILENAME, parts, "/")
  target = parts[1]
  for (depth = 2; parts[depth - 1] != "Sources"; depth++) target = target "/" parts[depth]
  target = target "/" parts[depth]
  file = substr(FILENAME, length(target) + 2)
  group = depth + 1 < count ? parts[depth + 1] : "."
  if (!((target, group) in place_of)) {
    if (!(target in groups)) target_at[++targets] = target
    group_at[target, ++groups[target]] = group
    place_of[target, group] = groups[target]
  }
  folder = FILENAME
  sub(/\/[^\/]*$/, "", folder)
  if (!(folder in held)) folder_at[++folders] = folder
  held[folder]++
  group = place_of[target, group]
  quoted = 0
}

# A line without its comment and its text. A text of several lines begins and ends with """, which
# becomes a sign of its own first: otherwise it would count as an empty text and a quotation mark.
function code_of(line) {
  gsub(/"""/, "\001", line)
  if (quoted) {
    if (!match(line, "\001")) return ""
    line = substr(line, RSTART + 1)
    quoted = 0
  }
  gsub(/"([^"\\]|\\.)*"/, "", line)
  sub(/\/\/.*/, "", line)
  if (match(line, "\001")) {
    line = substr(line, 1, RSTART - 1)
    quoted = 1
  }
  return line
}

# Only what stands at the beginning of a line is declared at the top of a file.
function declare(code,    words, isPrivate) {
  while (match(code, modifier)) {
    if (code ~ /^(fileprivate|private)/) isPrivate = 1
    code = substr(code, RLENGTH + 1)
  }
  if (code !~ /^(class|struct|enum|protocol|actor|typealias) +[A-Za-z_]/) return
  split(code, words, /[^A-Za-z0-9_]+/)
  declared[target, words[2]]++
  # No other file can mean what is private to its file.
  if (isPrivate) return
  group_of[target, words[2]] = group
}

BEGIN {
  shown = 5
  modifier = "^(@[A-Za-z_]+(\\([^)]*\\))?|public|package|internal|final|indirect|private" \
    "|fileprivate) +"
}

FNR == 1 { begin_file() }

{
  code = code_of($0)
  if (code ~ /^[@a-z]/) declare(code)
  count = split(code, word, /[^A-Za-z0-9_]+/)
  for (i = 1; i <= count; i++) {
    if (word[i] !~ /^[A-Z]/ || (FILENAME, word[i]) in seen) continue
    seen[FILENAME, word[i]] = 1
    use_target[++uses] = target
    use_group[uses] = group
    use_file[uses] = file
    use_name[uses] = word[i]
  }
}

# Which group uses which, and by what.
function note_use(i,    key, from, to, arrow) {
  key = use_target[i] SUBSEP use_name[i]
  if (declared[key] != 1 || !(key in group_of)) return
  from = use_group[i]
  to = group_of[key]
  if (from == to) return
  arrow = use_target[i] SUBSEP from SUBSEP to
  reaches[arrow] = 1
  if (++proofs[arrow] > shown) return
  by[arrow] = by[arrow] (proofs[arrow] > 1 ? ", " : "") use_name[i] " in " use_file[i]
}

function close_over(target,    a, b, c, n) {
  n = groups[target]
  for (b = 1; b <= n; b++)
    for (a = 1; a <= n; a++) {
      if (!((target, a, b) in reaches)) continue
      for (c = 1; c <= n; c++) if ((target, b, c) in reaches) reaches[target, a, c] = 1
    }
}

# Each cycle is printed once, at the first of its groups.
function report_cycles(target,    a, b, c, n, names, done) {
  n = groups[target]
  for (a = 1; a <= n; a++) {
    if (!((target, a, a) in reaches) || done[a]) continue
    names = ""
    for (b = a; b <= n; b++) {
      if (!((target, a, b) in reaches) || !((target, b, a) in reaches)) continue
      done[b] = 1
      names = names (names ? ", " : "") group_at[target, b]
    }
    refuse(target ": folders use each other in a cycle: " names)
    for (b = a; b <= n; b++)
      for (c = a; c <= n; c++)
        if ((target, b, c) in by && (target, a, b) in reaches && (target, c, a) in reaches)
          print "  " group_at[target, b] " uses " group_at[target, c] ": " uses_of(target, b, c)
  }
}

# An arrow has one use or hundreds: the first ones are enough to find it.
function uses_of(target, from, to,    more) {
  more = proofs[target, from, to] - shown
  return by[target, from, to] (more > 0 ? ", and " more " more" : "")
}

END {
  for (i = 1; i <= folders; i++)
    if (held[folder_at[i]] > limit)
      refuse(folder_at[i] ": " held[folder_at[i]] " Swift files; " limit " is the most. " \
        "Move some into a folder of their own.")
  for (i = 1; i <= uses; i++) note_use(i)
  for (i = 1; i <= targets; i++) {
    close_over(target_at[i])
    report_cycles(target_at[i])
  }
  exit refused
}
