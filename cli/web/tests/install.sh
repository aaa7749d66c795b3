#!/bin/sh
# Installs what tests in a real browser need: node 20, Chromium and a font with apt-get where they are missing and that is possible,
# the packages of package-lock.json with npm. The tests of js/ use them, too.
set -eu
cd "$(dirname "$0")"

missing=
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing="$missing chromium"
[ -d /usr/share/fonts/truetype/dejavu ] || missing="$missing fonts-dejavu-core"
if [ -n "$missing" ]; then
    echo "install.sh: installing$missing" >&2
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    # Somebody else may be installing something at the same time.
    wait="-o DPkg::Lock::Timeout=120"
    # shellcheck disable=SC2086 # lists of words
    $sudo apt-get $wait update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get $wait install -y -qq --no-install-recommends $missing
fi

# What an interrupted installation left is not taken for a whole one.
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund
    cp package-lock.json node_modules/.installed-lock
fi
