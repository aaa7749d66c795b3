#!/bin/sh
# Runs the package and its page in Chromium: js/test/browser/run.sh. Needs js/build.sh first; what else it needs is installed as for the
# tests of the explorer.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
"$here/../../../cli/web/tests/install.sh"
"$here/../../demo/build.sh"
cd "$here"
node --test --test-concurrency=1
