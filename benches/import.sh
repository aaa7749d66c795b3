#!/usr/bin/env bash
# What an import costs, as ratios in one run: the whole import against parse, replay and hash alone; bytes a position; lookup, reopen,
# memory. Usage: benches/import.sh [GAMES] [FILE…]; without files, a collection of GAMES games is made from the corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-20000}
shift || true
cargo build --quiet --release -p boardprint-cli
cargo build --quiet --release -p boardprint-store --examples
target=${CARGO_TARGET_DIR:-target}/release
bin=$target/boardprint
examples=$target/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ]; then
    "$examples/make_collection" corpus/replay/replay.jsonl "$games" > "$work/games.icn"
    set -- "$work/games.icn"
fi
cat "$@" > /dev/null # into the page cache
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores, input $(cat "$@" | wc -c) bytes"

seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b - a }'; }
now() { date +%s.%N; }

echo "== parse, replay and hash alone, then the whole import; twice, the better time counts"
best_alone=""
best_whole=""
for round in 1 2; do
    begin=$(now)
    "$examples/import_bench" prepare "$@"
    alone=$(seconds "$begin" "$(now)")
    rm -rf "$work/db"
    begin=$(now)
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f 'peak memory %M KB' "$bin" import --db "$work/db" --json "$@" || true
    else
        "$bin" import --db "$work/db" --json "$@" || true
    fi
    whole=$(seconds "$begin" "$(now)")
    echo "round $round: alone $alone s, import $whole s"
    best_alone=$(printf '%s\n' "$alone" $best_alone | sort -n | head -1)
    best_whole=$(printf '%s\n' "$whole" $best_whole | sort -n | head -1)
done
awk -v a="$best_alone" -v w="$best_whole" 'BEGIN { printf "import reaches %.0f %% of parse, replay and hash alone (goal: 60)\n", 100 * a / w }'

echo "== size"
"$bin" stats --db "$work/db" --fast | grep -E '^  (games|positions|bytes|with games)'

echo "== lookup and reopen"
"$examples/import_bench" lookup "$work/db"

echo "== the same files again"
begin=$(now)
"$bin" import --db "$work/db" "$@" || true
echo "$(seconds "$begin" "$(now)") s"
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg)"
