//! Movements: printed and read, and the list of squares agrees with single questions.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::fairy(bytes));
