#!/usr/bin/env bash
# Builds the npm package: js/pkg/boardprint.wasm and the generated glue beside it.
#
#   js/build.sh           builds, shrinks, prints the sizes
#   js/build.sh --check   only compiles the crates of the core for wasm32-unknown-unknown
#   js/build.sh --small   builds a package for the open board alone in js/target/small-package, and prints the sizes
#   js/build.sh --twice   builds here and in a copy of the sources in another folder, and compares the bytes
#
# Needs a stable Rust from rustup, node 20, npm. With rustup's target (`rustup target add wasm32-unknown-unknown`) nothing else; without it, on
# Debian, the compiler of the package rustc-web is downloaded with apt-get and unpacked below js/target: nothing is installed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd -P)
root=$(cd "$here/.." && pwd -P)
target=wasm32-unknown-unknown
binaryen=132.0.0
# The first compiler with panics that end at once, without words.
oldest=1.91
# What rustc uses by default, and node 20 and every browser of the last years know.
features=(--enable-bulk-memory --enable-bulk-memory-opt --enable-multivalue --enable-mutable-globals --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext)
core=(base icn cpn rules finite bridge games render)
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=0
# The same bytes wherever the repository lies and whoever builds it.
export STABLE_ROOT=$root STABLE_CARGO=${CARGO_HOME:-$HOME/.cargo}
remap="--remap-path-prefix=$root=/boardprint --remap-path-prefix=$STABLE_CARGO=/cargo"

say() { printf 'build.sh: %s\n' "$*"; }
fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# The compiler of Debian's rustc-web, unpacked below js/target/debian. It has no library for this target, so cargo builds it from the sources.
debian_compiler() {
    local debian=$here/target/debian version packages
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
    if [ ! -e "$debian/ready" ]; then
        version=$(apt-cache policy rustc-web | sed -n 's/ *Candidate: *\([0-9]*\.[0-9]*\).*/\1/p')
        [ -n "$version" ] || return 1
        dpkg --compare-versions "$version" ge "$oldest" ||
            fail "rustc-web $version is too old, it must be $oldest at least: \`apt-get update\` may know a newer one"
        packages=(rustc-web "libstd-rust-web-$version" libstd-rust-web-dev rust-web-src)
        # The version of LLVM is that of the compiler: ask the packages.
        local llvm
        llvm=$(apt-cache depends "libstd-rust-web-$version" | sed -n 's/.*Depends: libllvm\([0-9]*\).*/\1/p' | head -1)
        [ -n "$llvm" ] || return 1
        packages+=("libllvm$llvm" "lld-$llvm")
        rm -rf "$debian"
        mkdir -p "$debian/deb" "$debian/root"
        say "downloading ${packages[*]}"
        (cd "$debian/deb" && apt-get download "${packages[@]}" >"$debian/log" 2>&1) || { cat "$debian/log" >&2; return 1; }
        for package in "$debian"/deb/*.deb; do dpkg -x "$package" "$debian/root"; done
        rm -r "$debian/deb"
        bare_libraries "$debian"
        ln -sf "$(cd "$debian/root/usr/lib" && echo "$PWD"/llvm-*/bin/lld)" "$debian/rust-lld"
        touch "$debian/ready"
    fi
    export LD_LIBRARY_PATH=$debian/root/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    "$debian/root/usr/bin/rustc" --version >/dev/null || return 1
    export RUSTC=$debian/root/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$debian/rust-lld
    # A panic would be a fault of ours; it ends the core at once, without the words that nobody should ever read.
    remap+=" --remap-path-prefix=$debian/root/usr/src=/rust -Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none"
    # Sorting alone is half a megabyte otherwise: the library has a smaller one.
    extra=(-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size)
    say "compiler: Debian's $("$RUSTC" --version), with its library built from source"
}

# What LLVM itself needs; a machine without these has them unpacked, too.
bare_libraries() {
    local library=$1/root/usr/lib/x86_64-linux-gnu packages=(libedit2 libffi8 libxml2 libz3-4 libbsd0 libmd0 libicu72 liblzma5 libtinfo6 libzstd1 zlib1g)
    if LD_LIBRARY_PATH=$library ldd "$library"/libLLVM*.so* | grep 'not found' >/dev/null; then
        say "downloading ${packages[*]}"
        mkdir -p "$1/deb"
        (cd "$1/deb" && apt-get download "${packages[@]}" >"$1/log" 2>&1) || { cat "$1/log" >&2; return 1; }
        for package in "$1"/deb/*.deb; do dpkg -x "$package" "$1/root"; done
        cp -a "$1"/root/lib/x86_64-linux-gnu/. "$library"/ 2>/dev/null || true
        rm -r "$1/deb"
    fi
}

extra=()
choose_compiler() {
    if rustup target list --installed 2>/dev/null | grep -x "$target" >/dev/null; then
        say "compiler: rustup's $(rustc --version), with its $target"
    elif ! debian_compiler; then
        fail "no compiler for $target: run \`rustup target add $target\`, or use Debian with apt-get"
    fi
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$remap
}

cargo_wasm() { RUSTC_WRAPPER=$here/rustc.sh cargo "$@" --target "$target" --locked ${extra[@]+"${extra[@]}"}; }

check() {
    local packages=()
    for crate in "${core[@]}"; do packages+=(-p "boardprint-$crate"); done
    say "compiling ${core[*]} for $target"
    # `check` would do for types; a build proves that no part needs C, threads or files at link time.
    (cd "$root" && CARGO_TARGET_DIR=$here/target/check cargo_wasm build "${packages[@]}")
    say "all of them build for $target"
}

# The glue is written by the code that js/bindgen/Cargo.lock names, and by no other.
bindgen() {
    local version pinned tool=$here/target/tools/bindgen
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' "$here/Cargo.lock")
    pinned=$(sed -n 's/^wasm-bindgen-cli-support = "=\(.*\)"/\1/p' "$here/bindgen/Cargo.toml")
    [ "$version" = "$pinned" ] || fail "js/Cargo.lock has wasm-bindgen $version, js/bindgen/Cargo.toml $pinned: they must be the same"
    say "building the writer of the glue, wasm-bindgen $version, below js/target"
    # With the ordinary compiler: it runs here.
    env -u RUSTC -u RUSTC_BOOTSTRAP -u LD_LIBRARY_PATH -u CARGO_TARGET_DIR \
        cargo build --locked --quiet --manifest-path "$here/bindgen/Cargo.toml" --target-dir "$tool"
    "$tool/debug/boardprint-bindgen" "$@"
}

wasm_opt() {
    local tools=$here/target/tools/binaryen-$binaryen
    if [ ! -e "$tools/node_modules/binaryen/bin/wasm-opt" ]; then
        say "installing binaryen $binaryen below js/target"
        mkdir -p "$tools"
        npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --silent "binaryen@$binaryen"
    fi
    node "$tools/node_modules/binaryen/bin/wasm-opt" "$@"
}

build() {
    local out=$1 profile=$2 built=$here/target/$target/$2/boardprint_js.wasm
    shift 2
    (cd "$here" && CARGO_TARGET_DIR=$here/target cargo_wasm build --profile "$profile" "$@")
    rm -rf "$out"
    mkdir -p "$out"
    bindgen "$built" "$out"
    # Packing would cut the tables into thousands of pieces between zeros, which gzip stores much better whole. Functions that are alike stand together, for gzip, too.
    wasm_opt -Oz --skip-pass=memory-packing --reorder-functions-by-name --strip-producers "${features[@]}" "$out/boardprint_bg.wasm" -o "$out/boardprint.wasm"
    node "$here/order.mjs" "$out/boardprint.wasm" "$out/boardprint_bg.wasm"
    wasm_opt --reorder-functions-by-name "${features[@]}" "$out/boardprint_bg.wasm" -o "$out/boardprint.wasm"
    rm "$out/boardprint_bg.wasm"
    # npm takes nothing from above the package.
    cp "$root"/LICENSE-* "$out/"
    say "${out#"$root"/}/boardprint.wasm: $(wc -c <"$out/boardprint.wasm") bytes, $(gzip -9n <"$out/boardprint.wasm" | wc -c) gzipped"
    say "sha256 $(sha256sum <"$out/boardprint.wasm" | cut -d' ' -f1)"
}

# A package that knows the open board alone: ICN, its long form and CPN.
small() {
    local out=$here/target/small-package
    build "$out/pkg" small --no-default-features
    for file in package.json README.md index.d.ts; do cp "$here/$file" "$out/"; done
    cp "$here"/{api,compat,core,error,index,node}.js "$out/"
}

# What is built in another folder, as somebody else would, has the same bytes. Only tools are shared.
twice() {
    local copy=$here/target/again/sources-in-another-folder
    "$here/build.sh"
    rm -rf "$here/target/again"
    mkdir -p "$copy/js/target"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T -) | tar -x -C "$copy"
    [ ! -e "$here/target/debian" ] || cp -al "$here/target/debian" "$copy/js/target/"
    cp -a "$here/target/tools" "$copy/js/target/"
    "$copy/js/build.sh"
    for file in boardprint.wasm boardprint.js; do
        cmp "$here/pkg/$file" "$copy/js/pkg/$file" || fail "two builds of $file differ"
    done
    rm -rf "$here/target/again"
    say 'both builds have the same bytes'
}

case ${1:-} in
    --check) choose_compiler && check ;;
    --small) choose_compiler && small ;;
    --twice) twice ;;
    '') choose_compiler && build "$here/pkg" release ;;
    *) fail "unknown option $1" ;;
esac
