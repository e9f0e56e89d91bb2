# Prints folder, file:line and module of each import in Swift files.
FNR == 1 { quoted = 0 }
{
  line = $0
  if (gsub(/"""/, "", line) % 2) quoted = !quoted
  if (quoted) next
  line = $0
  sub(/^[ \t]+/, "", line)
  while (sub(/^@[A-Za-z_]+(\([^)]*\))?[ \t]+/, "", line)) {}
  sub(/^(public|package|internal|fileprivate|private)[ \t]+/, "", line)
  if (line !~ /^import[ \t]/) next
  sub(/^import[ \t]+/, "", line)
  sub(/^(struct|class|enum|protocol|typealias|func|var|let|actor)[ \t]+/, "", line)
  sub(/[^A-Za-z0-9_].*/, "", line)
  file = FILENAME
  sub(/^\.\//, "", file)
  print folder "\t" file ":" FNR "\t" line
}
