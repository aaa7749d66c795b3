//! FEN of every game: one spelling, and the way to CPN and back.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::fen(bytes));
