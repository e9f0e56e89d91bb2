#!/usr/bin/env bash
# sanitize.sh : tests of the libraries that stand alone, under the thread and the address sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

# Leaks are left out: the test runner itself has some at its end.
export ASAN_OPTIONS=detect_leaks=0

for sanitizer in thread address; do
  echo "check: $sanitizer sanitizer: SDK"
  swift test --package-path SDK --scratch-path ".build-sdk-$sanitizer" --sanitize "$sanitizer"
  echo "check: $sanitizer sanitizer: ECMARegex, JSONSchema, AgentWorkerProtocol"
  BULKHEAD_SANITIZED=1 swift test --scratch-path ".build-$sanitizer" --sanitize "$sanitizer"
done
echo "check: ok"
