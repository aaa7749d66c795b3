//! Counts the records of some files: `cargo run -p boardprint-records --example cut_collection --
//! games.icn.zst`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_records::{Input, Reader, ReaderOptions};

fn main() {
    let reader = Reader::new(std::env::args_os().skip(1).map(Input::argument), ReaderOptions::default());
    let (mut good, mut bad, mut bytes) = (0_u64, 0_u64, 0);
    for item in reader {
        match item {
            Ok(record) => {
                good += 1;
                bytes += record.text.len();
            }
            Err(error) => {
                bad += 1;
                println!("{error}");
            }
        }
    }
    println!("{good} records of {bytes} bytes, {bad} bad");
}
