#!/usr/bin/env bash
# What an import costs, as ratios of processor time in one run: the whole import against reading, replaying and hashing alone; small imports against
# one; verify and reindex against import; bytes per position; lookups, tallies, filters, opening.
# Usage: benches/import.sh [GAMES] [FILE…]; without files, a collection of GAMES games is made from the corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-20000}
shift || true
cargo build --quiet --release -p boardprint-store -p boardprint-dedup --examples
examples=${CARGO_TARGET_DIR:-target}/release/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ]; then
    "$examples/make_collection" corpus/replay/replay.jsonl "$games" > "$work/games.icn"
    set -- "$work/games.icn"
fi
cat "$@" > /dev/null # into the page cache
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores, input $(cat "$@" | wc -c) bytes"

TIMEFORMAT='%U %S'
cpu() { # processor time of a command, its output to standard error
    { time "$@" 1>&2 2> "$work/err"; } 2>&1 | tail -1 | awk '{ print $1 + $2 }'
}
ratio() { awk -v what="$1" -v a="$2" -v b="$3" -v goal="$4" 'BEGIN { printf "%-52s %.2f (goal %s)\n", what, a / b, goal }'; }

best=""
for round in 1 2 3; do
    alone=$(cpu "$examples/import_bench" prepare "$@")
    rm -rf "$work/db"
    whole=$(cpu "$examples/import_bench" import "$work/db" "$@")
    best=$(printf '%s\n' "$alone $whole" ${best:+"$best"} | sort -k2 -n | head -1)
done
read -r alone whole <<< "$best"
ratio "reading, replaying and hashing against import" "$alone" "$whole" 0.65
ratio "verify against import" "$(cpu "$examples/import_bench" verify "$work/db")" "$whole" 0.5
ratio "reindex against import" "$(cpu "$examples/import_bench" reindex "$work/db")" "$whole" 0.6
ratio "100 small imports against one" "$(cpu "$examples/import_bench" import-small "$work/small" 100 "$@")" "$whole" 1.3
ratio "disk of 100 small imports against one" "$(du -sb "$work/small" | cut -f1)" "$(du -sb "$work/db" | cut -f1)" 1.2
echo "== one import"
"$examples/import_bench" lookup "$work/db"
echo "== 100 small imports"
"$examples/import_bench" lookup "$work/small"
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg)"
