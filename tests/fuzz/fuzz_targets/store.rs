//! The database: any value with a right checksum is read or reported.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::store(bytes));
