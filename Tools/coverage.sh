#!/usr/bin/env bash
# coverage.sh LLVM_COV ROOT : covered lines of each target, from the profiles that test.sh left.
set -euo pipefail
llvm_cov=$1
root=$2

# lines PROFILE SCRATCH OBJECT… : "file lines missed" of every source file of ours.
lines() {
  local profile=$1 scratch=$2/debug objects=() object
  shift 2
  for object in "$@"; do
    [[ -e $scratch/$object ]] && objects+=(-object "$scratch/$object")
  done
  [[ -f $profile ]] && ((${#objects[@]})) || return 0
  "$llvm_cov" export -summary-only -instr-profile "$profile" \
    "${objects[@]}" -ignore-filename-regex='/(Tests|checkouts|\.build[^/]*)/' \
    | jq -r '.data[].files[] | [.filename, .summary.lines.count, .summary.lines.covered] | @tsv'
}

{
  lines "$root/.build-sdk/debug/codecov/default.profdata" "$root/.build-sdk" SDKPackageTests.xctest
  lines "$root/.build-debug/all.profdata" "$root/.build-debug" bulkheadPackageTests.xctest agent agent-worker create-agent \
    add-agent-module
  # The modules' own tests are what uses AgentKitTesting.
  for scratch in "$root"/.build-modules/*; do
    (cd "$scratch/debug" 2>/dev/null && printf '%s\n' *.xctest) | while read -r bundle; do
      lines "$scratch/debug/codecov/default.profdata" "$scratch" "$bundle"
    done
  done
} | awk -F'\t' -v root="$root/" '
  {
    file = $1
    sub("^" root, "", file)
    if (!match(file, /Sources\/[^\/]+/)) next
    target = substr(file, RSTART + 8, RLENGTH - 8)
    # The SDK is measured in several builds; the best of them counts.
    if (!(file in count) || $3 > covered[file]) covered[file] = $3
    count[file] = $2; of[file] = target
  }
  END {
    for (file in count) { lines[of[file]] += count[file]; hit[of[file]] += covered[file] }
    for (target in lines) if (lines[target])
      printf "  %-22s %6.1f %%  %6d of %d\n", target, 100 * hit[target] / lines[target], hit[target], lines[target]
  }' | sort
