#!/usr/bin/env bash
# Deduplication against pgn-extract: games per second, ratio, peak memory.
#
#   benches/dedup.sh [PGN [ICN]]
#
# Without a PGN file, 70,000 games are made (GAMES=... for another number). An ICN collection is measured if one is given, as
# pgn-extract does not read it. Every command runs RUNS times (5); the best wall time and the best processor time count, since a
# busy machine only ever adds to them. Compressed files are unpacked first: pgn-extract reads plain text.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${RUNS:-5}
games=${GAMES:-70000}
PATH=$PATH:/usr/games

need() { # program, Debian package
    command -v "$1" >/dev/null && return
    apt-get install -y "$2" >/dev/null || { echo "please install $2" >&2; exit 3; }
}
need pgn-extract pgn-extract
need /usr/bin/time time

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p boardprint-cli
boardprint=${CARGO_TARGET_DIR:-target}/release/boardprint

if [ $# -ge 1 ]; then
    case $1 in
        *.zst) zstdcat "$1" >"$work/games.pgn" ;;
        *.gz) zcat "$1" >"$work/games.pgn" ;;
        *) ln -s "$(realpath "$1")" "$work/games.pgn" ;;
    esac
else
    echo "making $games games ..." >&2
    cargo run --release --quiet -p boardprint-dedup --example make_pgn -- "$games" 20 1 >"$work/games.pgn"
fi
records=$(grep -c '^\[Event ' "$work/games.pgn")

# Runs a command several times: best wall time, best processor time, peak memory in kB.
measure() {
    local run
    for ((run = 0; run < runs; run++)); do
        /usr/bin/time -o "$work/time" -f '%e %U %S %M' "$@" >/dev/null 2>"$work/talk" || true
        tail -n 1 "$work/time"
    done | awk '{ cpu = $2 + $3
        if (NR == 1 || $1 < wall) wall = $1
        if (NR == 1 || cpu < best) best = cpu
        if ($4 > memory) memory = $4 }
        END { if (wall < 0.01) wall = 0.01; if (best < 0.01) best = 0.01; print wall, best, memory }'
}

row() { # name, records, measured, measured of what it is compared with
    awk -v name="$1" -v n="$2" -v measured="$3" -v base="$4" 'BEGIN {
        split(measured, m); split(base, b)
        printf "%-36s %10.0f %12.0f %9.1f %9.1f %8.1f\n", name, n / m[1], n / m[2], b[1] / m[1], b[2] / m[2], m[3] / 1024 }'
}

echo "$records games, $(($(stat -Lc %s "$work/games.pgn") >> 20)) MiB; $(nproc) cores; load $(cut -d' ' -f1-3 /proc/loadavg); best of $runs"
printf '%-36s %10s %12s %9s %9s %8s\n' '' 'games/s' 'games/cpu-s' 'x wall' 'x cpu' 'MiB'
base=$(measure pgn-extract -s -D -o /dev/null "$work/games.pgn")
row 'pgn-extract -D' "$records" "$base" "$base"
for by in game prefix; do
    for threads in 1 2; do
        measured=$(measure "$boardprint" dedup "$work/games.pgn" --by $by --threads $threads -o /dev/null)
        row "boardprint dedup --by $by, $threads thread(s)" "$records" "$measured" "$base"
    done
done

# Which copies does each find? pgn-extract writes the copies it dropped; so do we.
pgn-extract -s -D -d "$work/theirs.pgn" -o /dev/null "$work/games.pgn" 2>/dev/null
for by in game prefix; do
    "$boardprint" dedup "$work/games.pgn" --by $by --duplicates "$work/$by.pgn" -o /dev/null 2>/dev/null || true
done
count() { grep -c '^\[Event ' "$1" || true; }
echo "copies found: pgn-extract $(count "$work/theirs.pgn"), by game $(count "$work/game.pgn"), by prefix $(count "$work/prefix.pgn")"

if [ $# -ge 2 ]; then
    "$boardprint" dedup "$2" -o /dev/null 2>"$work/talk" || true
    records=$(tail -n 1 "$work/talk" | cut -d' ' -f1)
    echo
    echo "$records ICN games, $(($(stat -Lc %s "$2") >> 20)) MiB; load $(cut -d' ' -f1-3 /proc/loadavg)"
    base=
    for by in game prefix; do
        for threads in 1 2; do
            measured=$(measure "$boardprint" dedup "$2" --by $by --threads $threads -o /dev/null)
            base=${base:-$measured}
            row "boardprint dedup --by $by, $threads thread(s)" "$records" "$measured" "$base"
        done
    done
fi
