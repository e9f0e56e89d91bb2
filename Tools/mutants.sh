#!/usr/bin/env bash
# mutants.sh [NAME…] : plants one fault at a time in a copy of the sources (Tools/mutants/NAME.mutant), builds
# it, and runs the tests that are to find it; first it runs each of those tests without a fault. Says which test
# catches each; fails if one isn't caught, doesn't build, no longer fits the sources, or has a test that fails
# anyway. JOBS folders are worked in at once (default 1); each needs 2 GB.
# FOLDER keeps the copies between runs (default .build-mutants).
set -euo pipefail
cd "$(dirname "$0")/.."
Tools/need.sh python3 git
exec python3 Tools/mutants/mutants.py --folder "${FOLDER:-.build-mutants}" --jobs "${JOBS:-1}" "$@"
