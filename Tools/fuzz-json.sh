#!/usr/bin/env bash
# fuzz-json.sh SECONDS SEED : tries AgentJSON's promises on inputs that libFuzzer makes. An input that
# breaks one stays in .build-fuzz/json/findings, and belongs into a test.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
seed=$2
folder=$PWD/.build-fuzz/json
mkdir -p "$folder/findings"
# Swift's own report of a crash says no more than libFuzzer's, and takes long. The linker of this
# toolchain warns of a symbol of the sanitizer for each function.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=1

find SDK/Sources/AgentJSON Fuzz/JSON -name '*.swift' -print0 | sort -z \
  | xargs -0 swiftc -O -wmo -parse-as-library -module-name FuzzJSON -swift-version 6 \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    -enable-upcoming-feature InternalImportsByDefault \
    -sanitize=fuzzer,address -o "$folder/fuzz" 2>"$folder/log" \
  || { grep -v 'ld.gold: warning' "$folder/log" >&2; exit 1; }

# seed TARGET NAME TEXT : one input to start from; \xFF separates its parts.
seed() {
  mkdir -p "$folder/$1"
  printf '%b' "$3" >"$folder/$1/seed-$2"
}

object='{"name": "x", "list": [1, -2.5e+3, true, null], "o": {"k": {}, "e": []}}'
lines='{\r\n\t"a" :1 ,\n  "b":[ 1,2 ],\n\n  "c"  : {"d": "\\u00e9\\ud83d\\ude00é😀"}\n}\n'
seed parse object "$object"
seed parse lines "$lines"
seed parse nested '[[[[]]],[{"a":[{"a":0}]}],"\\u0000\\n\\/\\"",1E+2,-0,0.1e-7]'
seed edits object "$object\xFF\x02\x00\xFF{\"a\": [1, 2]}"
seed edits lines "$lines\xFF\x03\x01\xFF[true]"
seed edits remove "$lines\xFF\x01\x02\xFF"
seed pointers object "/o/k\xFF$object"
seed pointers escapes '/a~1b/~01/0\xFF{"a/b": {"~1": [1]}}'
seed patches object "$object\xFF{\"name\": null, \"o\": {\"k\": {\"n\": null, \"m\": 1}}}"
seed numbers plain '1 1.0 10e-1'
seed numbers large '1e400 12345678910111213141516171819202122232425262728293031 -1E-999999999'

for target in parse edits pointers patches numbers; do
  echo "fuzz: json $target: $seconds s, seed $seed"
  FUZZ_TARGET=$target "$folder/fuzz" -max_total_time="$seconds" -seed="$seed" -timeout=10 \
    -max_len=4096 -rss_limit_mb=2048 -dict=Fuzz/JSON/json.dict -verbosity=0 -print_final_stats=1 \
    -artifact_prefix="$folder/findings/$target-" "$folder/$target" 2>"$folder/$target.log" \
    || { tail -40 "$folder/$target.log" >&2; exit 1; }
  grep -E 'number_of_executed_units|peak_rss_mb' "$folder/$target.log"
done
