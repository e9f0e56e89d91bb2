# Reads docs/architecture.md and the pages beside it, then the lines of check-targets.sh, and prints what disagrees.

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
function code(text) { gsub(/`/, "", text); return trim(text) }
function module(name) { gsub(/-/, "_", name); return name }
function refuse(message) { print message; refused = 1 }

# ---- the tables: "| `name` | … | …, … |"
FILENAME != "-" {
  # A heading begins a layer; the one below it in the page is the one below it.
  if (/^### /) layer = /^### Tests/ ? 0 : FNR
  if (/^\| target /) kind = "own"
  if (/^\| module /) kind = "outside"
  if (!/^\| `/) next
  split($0, cell, "|")
  name = code(cell[2])
  list = kind == "own" ? cell[4] : cell[3]
  count = split(list, names, ",")
  if (kind == "own") { row[name] = FNR; layer_of[module(name)] = layer } else outside[name] = FNR
  for (i = 1; i <= count; i++) {
    other = trim(names[i])
    if (other == "—") continue
    if (kind == "own") { may[name, module(other)] = 1; named[other] = FNR }
    else if (other == "every target") everywhere[name] = 1
    else { may[other, name] = 1; named[other] = FNR }
  }
  next
}

$1 == "target" {
  folder = $2; target = $3
  at[folder] = target; manifest[target] = folder ~ /^SDK\// ? "SDK/Package.swift" : "Package.swift"; ours[module(target)] = 1; type[target] = $4; order[++total] = target
  count = split($5, names, ",")
  for (i = 1; i <= count; i++) {
    declared[target, module(names[i])] = 1
    list_of[target] = list_of[target] " " names[i]
    product[module(names[i])] = 1
  }
}

$1 == "import" {
  target = at[$2]; swift[target] = 1
  found = ++imports
  by[found] = target; place[found] = $3; what[found] = $4
  imported[target, $4] = 1
}

# A test target without a row follows the library that it tests.
function allowed(target, name,    library) {
  if ((target, name) in may || name in everywhere) return 1
  if (type[target] != "test") return 0
  if (!(name in ours) || name == "TestSupport") return 1
  library = target
  sub(/Tests$/, "", library)
  return name == module(library) || name == module(library) "Testing" || (library, name) in may
}

function check_target(target,    i, count, names, name) {
  if (!(target in row) && type[target] != "test")
    refuse("docs/architecture.md: " target " has no row. Say what the target is for and what it may import.")
  count = split(list_of[target], names, " ")
  for (i = 1; i <= count; i++) {
    name = module(names[i])
    if (!allowed(target, name))
      refuse(manifest[target] ": " target " declares " names[i] ", which its row in docs/architecture.md doesn't name.")
    else if (layer_of[module(target)] && layer_of[name] && layer_of[name] < layer_of[module(target)])
      refuse(manifest[target] ": " target " declares " names[i] ", which is in a layer above it.")
    else if (swift[target] && type[target] != "test" && !((target, name) in imported))
      refuse(manifest[target] ": " target " declares " names[i] " and never imports it. Remove it.")
  }
}

function check_import(i,    target, name) {
  target = by[i]; name = what[i]
  if (name == module(target)) return
  if (!(name in ours) && !(name in outside) && type[target] != "test")
    refuse(place[i] ": " name " is not in docs/architecture.md.")
  else if (!allowed(target, name))
    refuse(place[i] ": " target " may not import " name ".")
  else if ((name in ours || name in product) && !((target, name) in declared))
    refuse(place[i] ": " target " imports " name " and " manifest[target] " doesn't declare it.")
}

END {
  if (!total) refuse("check-targets: no target was found.")
  for (i = 1; i <= total; i++) check_target(order[i])
  for (i = 1; i <= imports; i++) check_import(i)
  for (name in row) if (!(module(name) in ours) && name !~ /Tests$/)
    refuse("docs/architecture.md:" row[name] ": " name " is in no Package.swift.")
  for (name in named) if (!(name in row))
    refuse("docs/architecture.md:" named[name] ": " name " has no row.")
  exit refused
}
