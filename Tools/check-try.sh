#!/usr/bin/env bash
# check-try.sh [ROOT] : refuses `try?`, which drops why something failed, outside of the list
# Tools/traps/try.txt, which gives a reason for each place. The command line isn't looked at: what it
# drops, its user sees.
#
# A pause that is cut short needs no reason, unless it is in a loop that doesn't look at its
# cancellation: that would go round and round.
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"

find Sources -path Sources/agent -prune -o -name '*.swift' -print | sort | xargs -d '\n' awk '
  function indentation(text) { match(text, /^ */); return RLENGTH }

  # Whether a pause at this line goes on after its task was cancelled, because of the loop around it.
  function goesRound(at,    inner, i, depth) {
    inner = indentation(lines[at])
    for (i = at - 1; i > 0; i--) {
      if (lines[i] !~ /[^ ]/) continue
      depth = indentation(lines[i])
      if (depth >= inner) continue
      inner = depth
      if (lines[i] ~ /func |Task( |\(.*\) )?\{|addTask/) return 0
      if (lines[i] ~ /^ *(while|for|repeat) ?/) return lines[i] !~ /isCancelled/
    }
    return 0
  }

  FNR == 1 { delete lines }
  { lines[FNR] = $0 }
  /^ *\/\// { next }
  {
    code = $0
    while (match(code, /(^|[^A-Za-z0-9_`])try\?/)) {
      code = substr(code, RSTART + RLENGTH)
      isPause = code ~ /^ await ([A-Za-z]+\.)?(pause|sleep)\(/
      if (isPause && !goesRound(FNR)) continue
      printf "%s\t%d\t%d\t%s\n", FILENAME, FNR, length($0) - length(code) - 3, \
        isPause ? "the loop goes on when it is cancelled" : "the error is dropped"
    }
  }' | awk -v allowed=Tools/traps/try.txt -v wrong="drop an error" -f "$tools/within-allowed.awk"
