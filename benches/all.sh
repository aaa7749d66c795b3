#!/usr/bin/env bash
# The table of docs/speed.md: our processor time, an anchor, the ratio.
#
#   benches/all.sh [GAMES [PGN [ICN]]]
#
# Without files, GAMES games (20,000) are made: random PGN with a fifth of copies, and ICN from the corpus. Every command runs RUNS times (3) on one
# thread, ours and the anchor in turn, and the least processor time counts, since a busy machine only ever adds to it. The anchors: pgn-extract;
# an earlier boardprint, if EARLIER names its program; the import, for what is measured against it.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-20000}
runs=${RUNS:-3}
PATH=$PATH:/usr/games
earlier=${EARLIER:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TIMEFORMAT='%U %S'

cargo build --quiet --release -p boardprint-cli -p boardprint-store -p boardprint-dedup --bins --examples
target=${CARGO_TARGET_DIR:-target}/release
boardprint=$target/boardprint
if [ $# -ge 2 ]; then pgn=$2; else pgn=$work/games.pgn; "$target/examples/make_pgn" "$games" 20 1 > "$pgn"; fi
if [ $# -ge 3 ]; then icn=$3; else
    "$target/examples/make_collection" corpus/replay/replay.jsonl "$games" > "$work/made.icn"
    icn=$work/games.icn
    "$boardprint" canon "$work/made.icn" > "$icn" 2> /dev/null
fi
cat "$pgn" "$icn" > /dev/null # into the page cache

once() { # processor time of a command
    { time "$@" > /dev/null 2> "$work/talk"; } 2>&1 | tail -1 | awk '{ print $1 + $2 }'
}
fresh_db() { rm -rf "$work/$1"; }
least() { printf '%s\n' "$@" | grep . | sort -n | head -1; }

# A row: name, what ours is measured in, amount, anchor, then ours and the anchor as words of a command, divided by `::`.
row() {
    local name=$1 unit=$2 amount=$3 anchor=$4 goal=$5; shift 5
    local ours=() theirs=() best= base=
    while [ $# -gt 0 ] && [ "$1" != :: ]; do ours+=("$1"); shift; done
    [ $# -gt 0 ] && shift
    theirs=("$@")
    for ((run = 0; run < runs; run++)); do
        fresh_db ours.db; fresh_db theirs.db
        best=$(least "$best" "$(once "${ours[@]}" || true)")
        if [ ${#theirs[@]} -gt 0 ]; then base=$(least "$base" "$(once "${theirs[@]}" || true)"); fi
    done
    awk -v name="$name" -v unit="$unit" -v amount="$amount" -v best="$best" -v base="${base:-0}" -v anchor="$anchor" -v goal="$goal" 'BEGIN {
        if (best < 0.01) best = 0.01
        ratio = base > 0 ? sprintf("%.2f x %s", base / best, anchor) : "-"
        printf "| %s | %.2f s | %.3g %s | %s | %s |\n", name, best, amount / best, unit, ratio, goal }'
}

records=$(grep -c '^\[Event ' "$pgn")
bytes=$(stat -Lc %s "$icn")
plies=$("$boardprint" hash --ply all "$icn" 2> /dev/null | wc -l)
echo "$records PGN games, $(($(stat -Lc %s "$pgn") >> 20)) MiB; ICN $((bytes >> 20)) MiB, $plies positions; $(nproc) cores, load $(cut -d' ' -f1-3 /proc/loadavg)"
echo
echo '| what | processor time | speed | against | goal |'
echo '|---|---|---|---|---|'
one=(--threads 1)
extract=(); if command -v pgn-extract > /dev/null; then extract=(:: pgn-extract -s -D -o /dev/null "$pgn"); fi
row 'dedup by game' 'games/s' "$records" pgn-extract '12' "$boardprint" dedup "$pgn" "${one[@]}" -o /dev/null "${extract[@]}"
row 'dedup by prefix' 'games/s' "$records" pgn-extract '8' "$boardprint" dedup "$pgn" --by prefix "${one[@]}" -o /dev/null "${extract[@]}"
before=(); if [ -n "$earlier" ]; then before=(:: "$earlier" import --db "$work/theirs.db" "$pgn" "${one[@]}"); fi
row 'import' 'games/s' "$records" earlier '1.67' "$boardprint" import --db "$work/ours.db" "$pgn" "${one[@]}" "${before[@]}"
row 'read, replay, hash alone' 'games/s' "$records" '' '' "$target/examples/import_bench" prepare "$pgn"
"$boardprint" import --db "$work/kept.db" "$pgn" "${one[@]}" > /dev/null 2>&1 || true
import=(:: "$boardprint" import --db "$work/theirs.db" "$pgn" "${one[@]}")
row 'verify' 'games/s' "$records" import '2' "$boardprint" verify --db "$work/kept.db" "${import[@]}"
row 'reindex' 'games/s' "$records" import '1.67' "$target/examples/import_bench" reindex "$work/kept.db" "${import[@]}"
row 'canon of plain ICN' 'B/s' "$bytes" 'wc -l' '150e6 B/s' "$boardprint" canon "$icn" :: wc -l "$icn"
row 'check of ICN' 'positions/s' "$plies" '' '300,000' "$boardprint" check "$icn"
