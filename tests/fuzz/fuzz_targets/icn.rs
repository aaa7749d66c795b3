//! ICN: canonical twice is once; every style and the JSON long form come back.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::icn(bytes));
