# within-allowed.awk : compares places that a check has found with a list of what it lets pass.
#
# Reads FILE, line, column and what is wrong, separated by tabs. `allowed` names the list: NUMBER PLACE WHY
# in a line; a place is a file, or a folder with "/" at its end, and the nearest one counts. `wrong`
# says what the places have in common. Exits with 1 where there are more than the list allows.

# The entry that a file counts for: its own, or the folder nearest to it that has one.
function entry(file) {
  while (file != "") {
    if (file in may) return file
    sub(/\/$/, "", file)
    if (!sub(/[^\/]*$/, "", file)) return ""
  }
  return ""
}

BEGIN {
  FS = "\t"
  while ((getline line < allowed) > 0) {
    if (line ~ /^(#|$)/) continue
    number = line; sub(/ .*/, "", number)
    place = substr(line, length(number) + 2); sub(/ .*/, "", place)
    if (length(line) < length(number) + length(place) + 10) { print allowed ": " place ": say why"; bad = 1 }
    may[place] = number + 0
  }
}
{
  of = entry($1)
  if (of == "") of = $1
  if (!(of in count)) order[++found] = of
  count[of]++; places[of] = places[of] "\n  " $1 ":" $2 ":" $3 ": " $4
}
END {
  for (i = 1; i <= found; i++) {
    of = order[i]
    if (count[of] > may[of] + 0) {
      printf "%s: %d places %s; %s allows %d:%s\n", of, count[of], wrong, allowed, may[of], places[of]
      bad = 1
    }
  }
  for (of in may) if (may[of] > count[of] + 0) {
    printf "%s: %s has %d places, not %d: lower the number\n", allowed, of, count[of], may[of]
  }
  exit bad
}
