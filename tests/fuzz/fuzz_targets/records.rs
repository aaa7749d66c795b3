//! Collections: the size of the buffer does not matter.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::records(bytes));
