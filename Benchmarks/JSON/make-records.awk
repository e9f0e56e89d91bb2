# make-records.awk: an array of trades, the same each time; 6,100 of them, 1.2 MB, or `count`.
function pick(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
BEGIN {
  seed = 42
  split("ABC XYZ QQQ LONGNAME A1 EURUSD", symbols, " ")
  split("xetra nasdaq lse", venues, " ")
  print "["
  if (!count) count = 6100
  for (id = 0; id < count; id++) {
    printf "{\"id\": %d, \"time\": \"2026-%02d-%02dT%02d:%02d:%02d.%03dZ\", ", 7000000 + id, \
      1 + pick(12), 1 + pick(28), pick(24), pick(60), pick(60), pick(1000)
    printf "\"symbol\": \"%s\", \"side\": \"%s\", ", symbols[1 + pick(6)], pick(2) ? "buy" : "sell"
    printf "\"price\": %d.%02d, \"quantity\": %d, ", 1 + pick(900), pick(100), 1 + pick(9999)
    printf "\"venue\": %s, ", pick(4) ? "\"" venues[1 + pick(3)] "\"" : "null"
    printf "\"flags\": [%s], ", pick(3) ? "\"day\", \"limit\"" : ""
    printf "\"account\": {\"owner\": \"desk %d\", \"margin\": %s}}%s\n", pick(40), \
      pick(2) ? "true" : "false", id < count - 1 ? "," : ""
  }
  print "]"
}
