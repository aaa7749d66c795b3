//! The whole program on a file of any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::program(bytes));
