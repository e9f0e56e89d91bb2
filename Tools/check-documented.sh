#!/usr/bin/env bash
# check-documented.sh FILE… : every public declaration has a summary, but for initializers and for
# what a protocol of the standard library asks for.
set -euo pipefail
config=$(dirname "$0")/documented.swift-format
evident="'(init|==.*|<.*|hash\(into:\)|description|debugDescription|encode\(to:\))'"

swift format lint --parallel --configuration "$config" "$@" 2>&1 \
  | grep -F '[AllPublicDeclarationsHaveDocumentation]' \
  | grep -vE "for $evident\$" \
  | sed 's/warning: //' && exit 1
exit 0
