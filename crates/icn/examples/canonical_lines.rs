//! Prints the canonical text of every record of a file: `cargo run --example canonical_lines -- games.icn`

use std::error::Error;
use std::io::{self, Write};

use boardprint_base::cut::{Cut, Step};
use boardprint_icn::Cutter;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of games")?;
    let text = std::fs::read_to_string(path)?;
    let mut out = io::BufWriter::new(io::stdout());
    let mut line = Vec::new();
    let mut cutter = Cutter::default();
    let mut start = 0;
    while start < text.len() {
        let end = match cutter.step(&text.as_bytes()[start..], true) {
            Step::Record(length) | Step::Skip(length) | Step::Bad(length, _) => start + length,
            Step::More => text.len(),
        };
        let record = text[start..end].trim();
        match boardprint_icn::parse(record) {
            _ if record.is_empty() => {}
            Ok(reading) => {
                line.clear();
                boardprint_icn::write::write_canonical(&reading.game, &mut line);
                line.push(b'\n');
                out.write_all(&line)?;
            }
            Err(error) => eprintln!("byte {}: {error}", start + error.span().start),
        }
        start = end;
    }
    Ok(out.flush()?)
}
