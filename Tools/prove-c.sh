#!/usr/bin/env bash
# prove-c.sh : the SDK's C headers and the C templates: their tests with sanitizers, and warnings of
# each compiler that is here. SEED chooses what is made at random.
set -euo pipefail
cd "$(dirname "$0")/.."
headers=$PWD/SDK/Sources/CAgentModule/include
vectors=${JSON_SCHEMA_TEST_SUITE:-../shared/vectors/json-schema}
most=350
compiler=${CC:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

strict=(-std=gnu11 -pedantic -Wall -Wextra -Werror -pthread -I "$headers")
checked=(-g -O1 -fno-sanitize-recover=all)

# run NAME SANITIZERS ARGUMENT… : compiles a test of the SDK and runs it.
run() {
  "$compiler" "${strict[@]}" "${checked[@]}" -fsanitize="$2" -o "$folder/$1" \
    "SDK/Tests/CAgentModuleTests/$1.c"
  "$folder/$1" "${@:3}"
}

# agent_json.h needs nothing but C11; a module in C++ may include it, too.
each_header_compiles() {
  local header
  for header in "$headers"/*.h; do
    echo "#include \"$(basename "$header")\"" >"$folder/header.c"
    "$compiler" "${strict[@]}" -fsyntax-only "$folder/header.c"
    if command -v clang >/dev/null; then clang "${strict[@]}" -fsyntax-only "$folder/header.c"; fi
    if command -v c++ >/dev/null; then
      c++ -x c++ -std=c++17 "${strict[@]:1}" -fsyntax-only "$folder/header.c"
    fi
  done
  echo '#include "agent_json.h"' >"$folder/header.c"
  "$compiler" -std=c11 "${strict[@]:1}" -fsyntax-only "$folder/header.c"
}

files=()
if [[ -d $vectors ]]; then
  mapfile -d '' files < <(find "$vectors" -name '*.json' -print0)
else
  echo "prove-c: $vectors isn't here; JSON is read from the tests' own texts only"
fi

# template NAME ARGUMENT… : the files as a new module has them: compiles its sources to a library, and runs
# its tests, which are made of the arguments.
template() {
  local module=$folder/$1 file
  cp -r "Templates/$1/c" "$module"
  while IFS= read -r file; do
    sed -i "s|{{name}}|sample|g; s|{{sdk}}|$PWD/SDK|g" "$file"
  done < <(find "$module" -name '*.[ch]')
  (
    cd "$module"
    mapfile -t sources < <(find . -name '*.c' ! -path './tests/*')
    "$compiler" "${strict[@]}" -O2 -shared -fPIC -Wl,-z,defs -o module.so "${sources[@]}"
    "$compiler" "${strict[@]}" "${checked[@]}" -fsanitize=address,undefined -o test "${@:2}"
    ./test
  )
}

# The page's first example is a module of its own; the others are parts of one.
examples_compile() {
  awk -v folder="$folder" '
    /^```c$/ { file = folder "/example" (count++ ? 1 : 0) ".c"; next }
    /^```/ { file = "" }
    file { print > file }
  ' docs/modules-c.md
  # The page leaves one function to its reader.
  sed -i -e '1i #include "agent_instance.h"' \
    -e '1i void created(void *ctx, agent_status status, agent_bytes result);' "$folder/example1.c"
  local number
  for number in 0 1; do
    "$compiler" "${strict[@]}" -Wno-unused-function -fsyntax-only "$folder/example$number.c"
  done
}

each_header_compiles
examples_compile
run agent_json_test address,undefined "${files[@]}"
run agent_follower_test address,undefined
run agent_alert_test address,undefined
run agent_instance_test address,undefined
run agent_instance_test thread
template module tests/log_test.c
template module-empty tests/module_test.c module.c

# What an author has to read and to keep.
lines=$(find Templates/module/c -name '*.[ch]' -exec cat {} + | wc -l)
if ((lines >= most)); then
  echo "prove-c: the C template has $lines lines of C; fewer than $most are what an author should see" >&2
  exit 1
fi
echo "prove-c: ok, ${#files[@]} files of JSON, $lines lines in the template"
