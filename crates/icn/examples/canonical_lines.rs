//! Prints the canonical text of every line of a file: `cargo run --example canonical_lines -- games.icn`

use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a file with one game a line")?;
    let text = std::fs::read_to_string(path)?;
    let mut out = io::BufWriter::new(io::stdout());
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        match boardprint_icn::parse(line) {
            Ok(reading) => writeln!(out, "{}", boardprint_icn::canonical(&reading.game))?,
            Err(error) => eprintln!("line {number}, column {}: {error}", error.line_column(line).column),
        }
    }
    Ok(out.flush()?)
}
