#!/bin/sh
# Runs the tests of the explorer's page against the real program on a database of the files in data/.
#
#   cli/web/tests/run.sh [PATH OF boardprint]        (default: target/release/boardprint, then target/debug/boardprint)
#
# Needs node 20 and Chromium (Debian: apt-get install chromium fonts-dejavu-core). Screenshots go to target/explorer.
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

work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT INT TERM

cd "$here"
[ -d node_modules ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund

(cd data && "$program" import --db "$work/db" club.pgn open-board.icn)
port=${PORT:-18723}
"$program" serve --db "$work/db" --port "$port" >"$work/log" 2>&1 &
server=$!
BOARDPRINT_URL=http://127.0.0.1:$port
export BOARDPRINT_URL

# Waits until the server answers; it has ended if there is no such process any more.
node -e '
const wait = async (left) => {
  try { if ((await fetch(process.env.BOARDPRINT_URL + "/api/v1/stats")).ok) return; } catch {}
  if (left === 0) { console.error("run.sh: the server does not answer"); process.exit(1); }
  await new Promise((done) => setTimeout(done, 100));
  return wait(left - 1);
};
wait(300);
' || { cat "$work/log" >&2; exit 1; }

npm test
