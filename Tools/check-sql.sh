#!/usr/bin/env bash
# check-sql.sh [ROOT] : refuses SQL outside of AgentStore, and SQL with something put into
# its text inside of it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}"
find Sources -name '*.swift' -print0 | sort -z | xargs -0 awk -v store=AgentStore -f "$here/check-sql.awk"
