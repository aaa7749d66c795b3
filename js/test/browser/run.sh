#!/bin/sh
# Runs the package and its page in Chromium: js/test/browser/run.sh. Needs node 20, Chromium (Debian: apt-get install chromium), and js/build.sh first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
# What an interrupted installation left is not taken for a whole one.
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund
    cp package-lock.json node_modules/.installed-lock
fi
../../demo/build.sh
npm test
