#!/usr/bin/env bash
# test.sh : the whole suite on one debug build, then coverage by target.
#
# Integration tests start the executables of this very build, so they are built with coverage too;
# Tools/profile-name.c says where a program writes its profile when nothing in its environment does.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
bin=$(dirname "$(readlink -f "$(command -v swift)")")
log=.build-debug/test-log
mkdir -p "$log"
rm -f "$log"/*.txt
profile=$root/.build-debug/profile-name.o
failed=()

Tools/build-debug.sh
# Apart from the runner's own profiles: a program that a test kills may leave half of one, and the
# runner refuses to merge those.
rm -rf .build-debug/profiles .build-debug/*.profdata

# A test that waits for ever would hold up all that follows. A suite that takes much longer than on a
# slow machine is interrupted instead, and has failed; the runner then still prints what it had to say.
limited() { timeout --verbose --signal INT --kill-after 60 "${SUITE_SECONDS:-1500}" "$@"; }

# The tests of a suite that began and didn't end.
unfinished() {
  awk 'match($0, /Test "[^"]+"|Test [^ "]+\(\)/) {
    name = substr($0, RSTART + 5, RLENGTH - 5)
    if (/ started\.$/ && !/Test case/) began[name] = 1
    else if (/ (passed|failed|skipped)/) delete began[name]
  }
  END { for (name in began) print "didn\047t end: " name }' "$1"
}

# Runs a suite aloud, keeps what it says, and goes on to the next when it fails.
suite() {
  local name=$1
  shift
  echo "test: $name"
  "$@" 2>&1 | tee "$log/$name.txt" || failed+=("$name")
}

swift_tests() {
  rm -f "$2"/debug/codecov/*.profraw
  limited swift test --enable-code-coverage --package-path "$1" --scratch-path "$2" "${@:3}"
}

# Each part leaves what it has covered as NAME.profdata.
root_tests() {
  local status=0
  swift_tests . .build-debug -Xlinker "$profile" "${@:2}" || status=$?
  cp .build-debug/debug/codecov/default.profdata ".build-debug/$1.profdata" || true
  return $status
}

python_tests() {
  limited python3 -m unittest discover -s SDK/python/tests -p 'test*.py' 2>&1 | tee "$log/python.out" || return
  ! grep -q '^Ran 0 tests' "$log/python.out"
}

page_tests() {
  AGENT=$root/.build-debug/debug/agent limited python3 -m unittest discover -s Tests/Page 2>&1 \
    | tee "$log/page.out" || return
  ! grep -q '^Ran 0 tests' "$log/page.out"
}

attack_tests() {
  AGENT=$root/.build-debug/debug/agent limited python3 -m unittest discover -s Tests/Attacks 2>&1 \
    | tee "$log/attacks.out" || return
  ! grep -q '^Ran 0 tests' "$log/attacks.out"
}

suite SDK swift_tests SDK .build-sdk
suite python python_tests
suite c limited Tools/prove-c.sh
# A few tests at a time: all at once, each would wait for all others, and run out of its time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# Tests that run in a process of their own wait for its end by looking at any child that has ended.
# While another test leaves one that nobody has reaped, they see that one only, and wait for ever.
exits='HostProtocolFuzz|the group and its escaped|memory behind a descriptor'
suite bulkhead root_tests bulkhead --skip IntegrationTests --skip "$exits"
suite exits root_tests exits --filter "$exits"
suite integration root_tests integration --filter IntegrationTests
unset SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH
suite page page_tests
suite attacks attack_tests
for manifest in modules/*/Package.swift; do
  [[ -f $manifest ]] || continue
  folder=$(dirname "$manifest")
  suite "$(basename "$folder")" swift_tests "$folder" ".build-modules/$(basename "$folder")"
done

suite api limited Tools/prove-api.sh
# The worker's counterpart runs as a test of the host: HostProtocolFuzz.
suite fuzz-api limited env STEPS=5000 AGENT="$root/.build-debug/debug/agent" Tools/fuzz-api.sh 0 1
suite telemetry limited Tools/prove-telemetry.sh

echo
shopt -s nullglob
profiles=(.build-debug/{bulkhead,exits,integration}.profdata .build-debug/profiles/*.profraw)
"$bin/llvm-profdata" merge -sparse --failure-mode=all -o .build-debug/all.profdata \
  "${profiles[@]}" 2>"$log/profdata.out" || true

echo "coverage of lines by target"
Tools/coverage.sh "$bin/llvm-cov" "$root"

echo
for result in "$log"/*.txt; do
  # The runners' own last words: "Test run with N tests …", "Ran N tests in …", "OK", "prove-api: ok".
  grep -hE '^(.{0,4}Test run with|Ran [0-9]+ tests?|OK|FAILED|(prove|fuzz)-[a-z]+: ok)' "$result" \
    | grep -v 'with 0 tests' | sed "s/^/$(basename "$result" .txt): /" || true
done
if ((${#failed[@]})); then
  # Which, and why, once more at the end: whoever reads the last lines only has to know. A test's own
  # remark follows its line.
  for name in "${failed[@]}"; do
    grep -A 8 -E '(^.{0,4}Test .* recorded an issue|: error: |^(FAIL|ERROR): |^(prove|fuzz)-[a-z]+: )' "$log/$name.txt" \
      | sed "s/^/$name: /" || true
    grep '^timeout: ' "$log/$name.txt" | sed "s/^/$name: /" || true
    unfinished "$log/$name.txt" | head -20 | sed "s/^/$name: /"
  done
  echo "test: failed: ${failed[*]}"
  exit 1
fi
echo "test: ok"
