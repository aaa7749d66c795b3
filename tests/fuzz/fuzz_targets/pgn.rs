//! PGN: always a game; tags do not change it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::pgn(bytes));
