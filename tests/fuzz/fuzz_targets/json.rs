//! The JSON long form of ICN: as `icn`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::json(bytes));
