#!/usr/bin/env bash
# check-traps.sh [BUILD_FOLDER] : refuses what ends the process: conversions and arithmetic whose number doesn't
# fit, indices out of bounds, ranges in the wrong order, negative lengths, removals from what is empty, and
# divisions by zero, outside of the list Tools/traps/allowed.txt, which gives a reason for each place. It looks at
# the product and at the SDK, whose AgentJSON reads what others send.
#
# The compiler itself finds them: each target is type-checked once more together with the files
# in Tools/traps, whose declarations hide those of the standard library. It needs a debug build, whose
# manifest says how each target is compiled. Sums of Int count only in files that read numbers of JSON.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-.build-debug}
allowed=Tools/traps/allowed.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# How the build compiles each target, a JSON array a line, less what writes files and what makes
# errors of warnings.
commands() {
  sed -n 's/^    args: \(\["[^"]*swiftc",.*"-emit-dependencies".*\]\)$/\1/p' "$build/debug.yaml" | jq -c '
    def writes: IN("-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path");
    def single: IN("-emit-dependencies", "-emit-module", "-incremental", "-c", "-enable-batch-mode",
      "-serialize-diagnostics", "-parseable-output", "-emit-objc-header", "-profile-coverage-mapping",
      "-profile-generate", "-warnings-as-errors", "-g");
    . as $all | [range(length) as $i | (if $i > 0 then $all[$i - 1] else "" end) as $before
      | select($before == "-Xcc" or (($before | writes) or ($all[$i] | writes) or ($all[$i] | single) | not))
      | $all[$i]]'
}

# Type-checks the target of one command, where it is one of ours.
check() {
  local arguments sources
  mapfile -t arguments < <(jq -r '.[]' <<<"$1")
  sources=$(printf '%s\n' "${arguments[@]}" | sed -n 's/^@//p')
  [[ -f $sources ]] && grep -q "^'\{0,1\}$PWD/\(SDK/\)\{0,1\}Sources/" "$sources" || return 0
  # A file for each, because the lines of two compilers in one file break each other.
  "${arguments[0]}" -typecheck "${arguments[@]:1}" Tools/traps/*.swift >"$said/$BASHPID" 2>&1
}
export -f check
export said="$work/each"
mkdir "$said"

commands | tr '\n' '\0' | xargs -0 -P 2 -I{} bash -c 'check "$1"' _ {} || isUnchecked=1
cat "$said"/* >"$work/said"
[[ -z ${isUnchecked:-} ]] || {
  grep -m 20 "^[^ ]*: error: \|^error: " "$work/said" || true
  echo "check-traps.sh: a target can't be checked; build it first: swift build --scratch-path $build"
  exit 1
}

# What was found: FILE, line, column, what happens.
sed -n "s#^$PWD/\(\(SDK/\)\{0,1\}Sources/[^:]*\):\([0-9]*\):\([0-9]*\): warning: .*trap: \(.*\)#\1\t\3\t\4\t\5#p" \
  "$work/said" \
  | sed 's/ \[#.*//' | sort -u | Tools/traps/only-readers.awk | Tools/traps/without-literals.awk >"$work/found"
awk -v allowed="$allowed" -v wrong="may end the process" -f Tools/within-allowed.awk "$work/found"
