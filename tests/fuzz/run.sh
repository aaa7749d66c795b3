#!/usr/bin/env bash
# Runs every fuzz target (or those named) for some seconds each: tests/fuzz/run.sh SECONDS [TARGET...]
# Needs cargo-fuzz (`cargo install cargo-fuzz`) and a C++ compiler; the stable toolchain will do.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?how many seconds for each target}
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(icn json cpn gan fen sfen pgn fairy replay render records store program)
fi

cargo build --locked
cargo run --locked -q -p boardprint-tests --example fuzz_seeds tests/fuzz/corpus
export BOARDPRINT="$PWD/target/debug/boardprint"
failed=()
for target in "${targets[@]}"; do
    echo "== $target"
    # No sanitizer: they need a nightly toolchain, and there is no unsafe code of ours to find with them.
    cargo fuzz run --fuzz-dir tests/fuzz -s none "$target" -- -seed=1 -max_len=8192 -timeout=20 -rss_limit_mb=1024 \
        -max_total_time="$seconds" -print_final_stats=1 2>&1 | grep -E 'stat::number_of_executed|panicked|SUMMARY|Test unit' || true
    if [ -n "$(ls -A "tests/fuzz/artifacts/$target" 2>/dev/null)" ]; then failed+=("$target"); fi
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "found something: ${failed[*]}; see tests/fuzz/artifacts" >&2
    exit 1
fi
