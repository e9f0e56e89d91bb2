#!/usr/bin/env bash
# check-text.sh [ROOT] : refuses what no format rule sees: long files, leftovers, traps on input.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
limit=350
status=0

refuse() {
  echo "$1"
  status=1
}

# What we write and maintain; templates are for their users to change.
sources() {
  local folders=() folder
  for folder in Sources Tests SDK modules Benchmarks Fuzz Tools; do
    [[ -d $folder ]] && folders+=("$folder")
  done
  find "${folders[@]}" \( -name '.build*' -o -name lint-fixture \) -prune -o -type f \
    \( -name '*.swift' -o -name '*.c' -o -name '*.h' -o -name '*.py' -o -name '*.sh' -o -name '*.awk' \) -print \
    | sort
}

while IFS= read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= limit)) || refuse "$file: $lines lines; $limit is the most. Give a noun its own file."
done < <(sources)

# Two halves, so that this file doesn't find itself.
leftover='TO''DO|FIX''ME'
while IFS= read -r hit; do
  refuse "$hit  <- finish it or file it"
done < <(sources | xargs -r grep -nE "\b($leftover)\b" /dev/null || true)

while IFS= read -r hit; do
  refuse "$hit  <- input must not end the process; throw a typed error"
done < <(sources | grep -E '(^|/)Sources/.*\.swift$' \
  | xargs -r grep -nE '\btry!|\bfatalError\(' /dev/null || true)

# What is printed may be worded by anybody: one place takes out what a terminal obeys. StopLimit writes
# a constant.
prints='(^|[^.[:alnum:]_])(print|debugPrint|dump|puts|putchar|printf|vprintf)\(|fputs\(.*, (stdout|stderr)\)|FileHandle\.standard|STD(OUT|ERR)_FILENO|(^|[^[:alnum:]_])write\([12],'
while IFS= read -r hit; do
  refuse "$hit  <- print by Terminal, which takes out what a terminal obeys"
done < <(sources | grep -E '(^|/)Sources/agent/.*\.swift$' | grep -vE '/Terminal/Terminal\.swift$|/Program/StopLimit\.swift$' \
  | xargs -r grep -nE "$prints" /dev/null || true)

# The other programs, and the parts of the host that write to its terminal. These places take it out
# themselves: what the programs for scaffolding print, a notice, and the link for the first user.
own='/Scaffolding/ProgramOutput\.swift$|/Notifiers/ConsoleNotifier\.swift$|/Ports/FirstUserSetup\.swift$'
while IFS= read -r hit; do
  refuse "$hit  <- print by ProgramOutput or a notifier, which take out what a terminal obeys"
done < <(sources \
  | grep -E '(^|/)Sources/(create-agent|add-agent-module|Scaffolding|AgentNotifications|AgentHost)/.*\.swift$' \
  | grep -vE "$own" | xargs -r grep -nE "$prints" /dev/null || true)

# A page that takes longer than a quarter of an hour to read is two pages.
while read -r words page; do
  ((words <= 2500)) || refuse "$page: $words words; 2500 is the most. Split it by topic."
done < <(find docs -name '*.md' ! -path '*/decisions/*' -print0 2>/dev/null | xargs -0 -r wc -w | grep -v ' total$')

exit "$status"
