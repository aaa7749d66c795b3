#!/bin/sh
# Runs the tests of the explorer's page against the real program on a database of the files in data/.
#
#   cli/web/tests/run.sh [PATH OF boardprint]        (default: target/release/boardprint, then target/debug/boardprint)
#
# Needs node 20 and Chromium. What is missing of nodejs, npm, chromium and fonts-dejavu-core is installed with apt-get where that is
# possible; the packages of package-lock.json come from npm. Screenshots go to target/explorer.
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

missing=
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing="$missing chromium"
[ -d /usr/share/fonts/truetype/dejavu ] || missing="$missing fonts-dejavu-core"
if [ -n "$missing" ]; then
    echo "run.sh: installing$missing" >&2
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
fi

work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
    rm -rf "$work"
}
trap finish EXIT INT TERM

cd "$here"
[ -d node_modules ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund

# The program runs in data/, so that it finds the copies that the import left out again. With the text of the records it knows
# which checks are marked.
cd data
"$program" import --keep-text --db "$work/db" club.pgn open-board.icn
port=${PORT:-18723}
"$program" serve --db "$work/db" --port "$port" >"$work/log" 2>&1 &
server=$!
cd ..
BOARDPRINT_URL=http://127.0.0.1:$port
export BOARDPRINT_URL

# Waits until the server answers and has looked at all games.
node -e '
const wait = async (left) => {
  try {
    const { checked, total } = await (await fetch(process.env.BOARDPRINT_URL + "/api/v1/findings")).json();
    if (checked === total) return;
  } catch {}
  if (left === 0) { console.error("run.sh: the server does not answer"); process.exit(1); }
  await new Promise((done) => setTimeout(done, 100));
  return wait(left - 1);
};
wait(300);
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
