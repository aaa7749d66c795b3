#!/bin/sh
# Runs the package and its page in Chromium: js/test/browser/run.sh. Needs node 20, Chromium (Debian: apt-get install chromium), and js/build.sh first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
[ -d node_modules ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund
../../demo/build.sh
npm test
