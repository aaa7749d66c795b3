#!/bin/sh
# Runs the tests of the explorer's page against the real program on a database of the files in data/.
#
#   cli/web/tests/run.sh [PATH OF boardprint]        (default: target/release/boardprint, then target/debug/boardprint)
#
# install.sh gets what it needs. Screenshots go to target/explorer.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
program=${1:-}
if [ -z "$program" ]; then
    for candidate in "$root/target/release/boardprint" "$root/target/debug/boardprint"; do
        [ -x "$candidate" ] && program=$candidate && break
    done
fi
[ -n "$program" ] || { echo "run.sh: build boardprint first: cargo build --release" >&2; exit 2; }
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")

"$here/install.sh"

work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT INT TERM

cd "$here"
# The program runs in data/, so that it finds the copies that the import left out again. With the text of the records it knows
# which checks are marked.
cd data
"$program" import --keep-text --db "$work/db" club.pgn open-board.icn same-hash.pgn same-hash.icn
# On a port that is free; its address is the first line that it prints.
"$program" serve --db "$work/db" --port "${PORT:-0}" >"$work/address" 2>"$work/log" &
server=$!
cd ..
while [ ! -s "$work/address" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
done
BOARDPRINT_URL=$(head -n 1 "$work/address")
export BOARDPRINT_URL

# Waits until the server has looked at all games.
node --input-type=module -e '
const until = Date.now() + 60_000;
for (;;) {
  const { checked, total } = await (await fetch(process.env.BOARDPRINT_URL + "/api/v1/findings")).json();
  if (checked === total) break;
  if (Date.now() > until) { console.error("run.sh: the server does not look at its games"); process.exit(1); }
  await new Promise((done) => setTimeout(done, 100));
}
' || { cat "$work/log" >&2; exit 1; }

# A client of lichess, if Python can be had.
berserk() {
    [ -x "$root/target/berserk/bin/python" ] || python3 -m venv "$root/target/berserk" || return 1
    "$root/target/berserk/bin/python" -m pip install --quiet --disable-pip-version-check "berserk==0.14.0"
}
if berserk >"$work/pip" 2>&1; then
    "$root/target/berserk/bin/python" berserk_test.py
else
    echo "run.sh: skipped the test with berserk: it cannot be installed" >&2
    tail -n 1 "$work/pip" >&2
fi

npm test
