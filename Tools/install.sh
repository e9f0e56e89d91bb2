#!/usr/bin/env bash
# install.sh : release build, then PREFIX/{bin,libexec/agent,lib/agent,share/agent} below DESTDIR.
#
# BUILT names the folder of a build that is there already, to be installed instead of a new one.
#
# Programs find libexec/ and share/ relative to themselves, so PREFIX can be moved afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${PREFIX:?say where: make install PREFIX=/usr/local}
[[ $prefix == /* ]] || prefix=$PWD/$prefix
target=${DESTDIR:-}$prefix
built=${BUILT:-.build-release/release}
runtime=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/swift/linux

if ! mkdir -p "$target" 2>/dev/null || [[ ! -w $target ]]; then
  echo "install: $target can't be written; choose another PREFIX, or run: sudo make install PREFIX=$prefix" >&2
  exit 1
fi
[[ ${BUILT:-} ]] || Tools/build-release.sh
Tools/build-modules.sh "$built"
PREFIX=$prefix Tools/uninstall.sh >/dev/null

install -d "$target"/{bin,libexec/agent,lib/agent/swift,lib/agent/debug,share/agent}
# Three quarters of a program are symbols, which only a debugger reads: they lie apart, and the program
# names the file. The worker keeps its own, since crash reports of modules are made from them.
for program in agent create-agent add-agent-module; do
  symbols=$target/lib/agent/debug/$program.debug
  objcopy --only-keep-debug "$built/$program" "$symbols"
  objcopy --strip-unneeded --add-gnu-debuglink="$symbols" "$built/$program" "$target/bin/$program"
  chmod 644 "$symbols"
  chmod 755 "$target/bin/$program"
done
install -m 755 "$built"/{agent-worker,agent-launch} "$target/libexec/agent"

# All of the runtime but what only tests and debuggers use: a module may import any of it.
find "$runtime" -maxdepth 1 -name '*.so' \
  ! -name '*Testing*' ! -name '*XCTest*' ! -name '*Mirror*' ! -name '*Differentiation*' \
  -exec install -m 755 -t "$target/lib/agent/swift" {} +

# As they lie here, without the intermediate files of builds.
copy() {
  local from=$1 to=$target/share/agent/$2
  [[ -d $from ]] || return 0
  mkdir -p "$to"
  tar -C "$from" --exclude='.build*' --exclude=__pycache__ --exclude=Package.resolved -cf - . \
    | tar -C "$to" -xf -
}
copy SDK SDK
copy Templates Templates
copy modules modules
copy docs docs

echo "install: agent is in $prefix/bin; try: $prefix/bin/create-agent my-agent"
