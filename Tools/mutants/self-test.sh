#!/usr/bin/env bash
# self-test.sh : shows that a planted fault counts as caught only where its test passes without it. Runs on a
# repository of one file, with a `swift` that builds nothing and passes every test.
set -euo pipefail
tools=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/repository/Tools/mutants"
cp "$tools/mutants/mutants.py" "$work/repository/Tools/mutants"
printf '#!/bin/sh\necho "Test run with ${TESTS:-1} tests in 1 suite passed"\n' >"$work/bin/swift"
chmod +x "$work/bin/swift"
cd "$work/repository"
git init -q .
echo right >place

# plant NAME KIND TEST
plant() {
  printf 'what: a fault\n%s: %s\nfile: place\n<<<<\nright\n====\nwrong\n>>>>\n' "$2" "$3" \
    >"Tools/mutants/$1.mutant"
}
plant caught run 'grep -q right place'
plant fails-anyway run false
plant missed run true
plant no-test test Renamed

if PATH=$work/bin:$PATH TESTS=0 python3 Tools/mutants/mutants.py --folder "$work/copies" --jobs 2 \
  >"$work/said" 2>&1; then
  echo "self-test.sh: passed and should have failed" >&2
  exit 1
fi
found=$(sed -n 's/^mutants: \([a-z]* [a-z-]*\), .*/\1/p; s/^mutants: not caught/&/p' "$work/said" | sort)
diff -u - <(echo "$found") <<'END'
caught caught
missed missed
mutants: not caught: fails-anyway, missed, no-test
unfounded fails-anyway
unfounded no-test
END
