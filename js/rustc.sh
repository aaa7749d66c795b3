#!/usr/bin/env bash
# Runs the compiler for js/build.sh so that crates are told apart by where their sources lie in the repository, the library or the registry.
# Cargo would tell them apart by where those lie on this machine, which gets into the names of functions, and so into their order and bytes.
set -euo pipefail
compiler=$1
shift
for argument; do
    case $argument in *.rs) source=$argument ;; esac
done
source=${source-}
for folder in "$STABLE_ROOT" "$STABLE_CARGO/registry/src/"*; do
    source=${source#"$folder"/}
done
exec "$compiler" "${@/#metadata=*/metadata=$source}"
