//! Every reader on a text of a megabyte that repeats a part of a short one: `-timeout` finds what is not
//! linear.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| boardprint_tests::property::linear_at(1 << 20, bytes));
