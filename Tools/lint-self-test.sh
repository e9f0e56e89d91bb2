#!/usr/bin/env bash
# lint-self-test.sh : runs the checks on Tools/lint-fixture, a package that breaks every rule once,
# and compares what they say with expected.txt.
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$tools/lint-fixture/." "$copy"
# A name that doesn't end in .swift keeps the fixture out of sight of everyone else.
find "$copy" -name '*.fixture' | while IFS= read -r file; do mv "$file" "${file%.fixture}"; done
awk 'BEGIN { for (i = 0; i < 351; i++) print "// one of too many lines" }' >"$copy/Sources/Base/Long.swift"
awk 'BEGIN { for (i = 0; i < 2501; i++) print "word" }' >"$copy/docs/long.md"
mkdir "$copy/Sources/Base/Many"
for i in {1..21}; do echo "// one of too many files" >"$copy/Sources/Base/Many/File$i.swift"; done

must_fail() {
  if "$@"; then
    echo "lint-self-test: passed and should have failed: $*" >&2
    exit 1
  fi
}

{
  must_fail "$tools/check-targets.sh" "$copy"
  must_fail "$tools/check-folders.sh" "$copy"
  must_fail "$tools/check-calls.sh" "$copy"
  must_fail "$tools/check-sql.sh" "$copy"
  must_fail "$tools/check-text.sh" "$copy"
  must_fail "$tools/check-try.sh" "$copy"
  must_fail "$tools/check-words.sh" "$copy"
  (cd "$copy" && must_fail "$tools/check-documented.sh" Sources/Base/Base.swift)
} >"$copy/found.txt"
diff -u "$copy/expected.txt" "$copy/found.txt"

must_fail swift format lint --strict --configuration "$tools/../.swift-format" \
  "$copy/Sources/Base/Unformatted.swift" 2>/dev/null

# The compiler must name each trap of the fixture, and nothing else in it.
traps=$(swiftc -typecheck -diagnostic-style llvm "$copy"/Traps/*.swift "$tools"/traps/*.swift 2>&1 \
  | sed -n 's/^\(.*Traps\/[A-Za-z]*.swift\):\([0-9]*\):\([0-9]*\): warning: .*trap: \(.*\)/\1\t\2\t\3\t\4/p' \
  | sed 's/ \[#.*//' | sort -u | "$tools/traps/only-readers.awk" | "$tools/traps/without-literals.awk" | cut -f1,2 | sort -u)
expected=$(awk '/\/\/ trap$/ { print FILENAME "\t" FNR }' "$copy"/Traps/*.swift | sort -u)
diff -u <(echo "$expected") <(echo "$traps") || {
  echo "lint-self-test: the compiler names other lines than those that end with // trap" >&2
  exit 1
}

"$tools/mutants/self-test.sh"
