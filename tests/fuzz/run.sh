#!/usr/bin/env bash
# Runs every fuzz target (or those named) for some seconds each, as many at a time as there are cores:
#
#   tests/fuzz/run.sh SECONDS [TARGET...]
#
# Needs a C++ compiler; installs cargo-fuzz if it is missing. The stable toolchain will do. Without `NEW=1` the seeds are those of `corpus/`
# and the run is always the same up to the speed of the machine; with it, libFuzzer chooses its own seed and goes on from what it has learnt.
set -euo pipefail
cd "$(dirname "$0")/../.."

export SECONDS_EACH=${1:?how many seconds for each target}
shift
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked --version 0.13.2
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(cargo fuzz list --fuzz-dir tests/fuzz)
fi
export FUZZ_SEED=0
if [ -z "${NEW:-}" ]; then
    rm -rf tests/fuzz/corpus tests/fuzz/artifacts
    FUZZ_SEED=1
fi

cargo build --locked
cargo run --locked -q -p boardprint-tests --example fuzz_seeds tests/fuzz/corpus
export BOARDPRINT="$PWD/target/debug/boardprint"
# No sanitizer: they need a nightly toolchain, and there is no unsafe code of ours to find with them.
cargo fuzz build --fuzz-dir tests/fuzz -s none

run() {
    local log=tests/fuzz/artifacts/$1.log ran
    mkdir -p tests/fuzz/artifacts
    if ! cargo fuzz run --fuzz-dir tests/fuzz -s none "$1" -- -seed="$FUZZ_SEED" -max_len=8192 -timeout=20 -rss_limit_mb=1536 \
        -max_total_time="$SECONDS_EACH" -print_final_stats=1 >"$log" 2>&1; then
        echo "$1: found something, see tests/fuzz/artifacts/$1 and $log"
        grep -m1 -A1 'panicked' "$log" || true
        return 1
    fi
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$1: $ran runs"
    # A target that does nothing proves nothing.
    [ "${ran:-0}" -gt 0 ]
}
export -f run
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I '{}' bash -c 'run {}'
