#!/usr/bin/env bash
# check-documented.sh FILE… : every public declaration has a summary. Initializers and what a protocol of the
# standard library asks for need none. Neither do stored properties and cases of the host's own targets: a
# summary that only repeats a name is noise. The SDK's are read by module authors, and need one.
set -euo pipefail
config=$(dirname "$0")/documented.swift-format
evident="'(init|==.*|<.*|hash\(into:\)|description|debugDescription|encode\(to:\))'"

# Lines of a finding whose declaration is a stored property or a case outside of the SDK are left out.
needs_summary() {
  local finding file line
  while IFS= read -r finding; do
    IFS=: read -r file line _ <<<"$finding"
    [[ $file != SDK/* ]] \
      && sed -n "${line}p" "$file" | grep -qE '^ *((public|internal|package|private|fileprivate)(\(set\))? |indirect |static )*((let|var) [^{]*|case .*)$' \
      && continue
    echo "$finding"
  done
}

said=$(swift format lint --parallel --configuration "$config" "$@" 2>&1 \
  | grep -F '[AllPublicDeclarationsHaveDocumentation]' | grep -vE "for $evident\$" | sed 's/warning: //' \
  | needs_summary || true)
[[ -z $said ]] || {
  echo "$said"
  exit 1
}
