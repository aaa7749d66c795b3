#!/usr/bin/env bash
# The long form of the fault suite: kills, failing system calls, flipped bytes, power cuts, on every engine. Prints how each database came back.
# Usage: benches/faults.sh [KILLS [CALLS [ERRORS [FLIPS [CUTS [SEED]]]]]]
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v strace > /dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        apt-get install -y -qq strace > /dev/null
    else
        echo "install strace first: without it no system call can be made to fail" >&2
        exit 2
    fi
fi
export BOARDPRINT_KILLS=${1:-1200} BOARDPRINT_CALLS=${2:-800} BOARDPRINT_ERRORS=${3:-2000} BOARDPRINT_FLIPS=${4:-1000}
export BOARDPRINT_CUTS=${5:-400} BOARDPRINT_SEED=${6:-$RANDOM}
echo "seed $BOARDPRINT_SEED"
cargo test --quiet -p boardprint-store --test suite -- faults:: --nocapture --test-threads=2
