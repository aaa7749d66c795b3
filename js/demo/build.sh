#!/bin/sh
# Puts the page and all it needs into one folder that any static server can serve: js/demo/build.sh [FOLDER] (default js/target/demo).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$root/js/target/demo}
[ -e "$root/js/pkg/boardprint.wasm" ] || { echo "build.sh: build the package first: js/build.sh" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out/js/demo" "$out/js/pkg" "$out/cli/web/assets"
# The same places as in the repository, so that relative imports hold.
cp "$root"/js/index.js "$root"/js/api.js "$root"/js/core.js "$root"/js/compat.js "$root"/js/error.js "$out/js/"
cp "$root"/js/pkg/boardprint.js "$root"/js/pkg/boardprint.wasm "$out/js/pkg/"
cp "$here"/index.html "$here"/*.js "$here"/*.css "$out/js/demo/"
cp "$root"/cli/web/assets/*.js "$root"/cli/web/assets/*.css "$root"/cli/web/assets/*.svg "$out/cli/web/assets/"
printf '<!doctype html><meta charset="utf-8"><title>boardprint</title><meta http-equiv="refresh" content="0; url=js/demo/"><a href="js/demo/">boardprint</a>\n' >"$out/index.html"
echo "build.sh: the page is in $out"
