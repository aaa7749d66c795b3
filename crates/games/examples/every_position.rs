//! Prints the hash of every position of a record in any format:
//! `cargo run -p boardprint-games --example every_position -- '1. e4 e5 2. Nf3'`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_games::{Format, Profile, ReadOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).ok_or("give a game or position")?;
    let format = Format::detect(text.as_bytes()).ok_or("this looks like no format")?;
    let content = ReadOptions::default().read_text(format, &text)?.content;
    let next = content.moves().map(|played| played.to_string()).chain([String::new()]);
    for (hash, next) in content.hashes(Profile::Plain)?.iter().zip(next) {
        println!("{hash} {next}");
    }
    Ok(())
}
