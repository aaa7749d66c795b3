//! CPN: what is read is written as it was, in every revision.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::cpn(bytes));
