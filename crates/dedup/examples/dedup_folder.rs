//! Prints the games of some files or folders, each once, and a summary on standard error:
//! `cargo run -p boardprint-dedup --example dedup_folder -- game|moves|final|prefix games.pgn`

use std::io::{self, BufWriter, Write};

use boardprint_dedup::{By, Collection, DedupOptions, Keep, Pair, Reject, Sink};
use boardprint_games::Record;
use boardprint_records::{Input, ReaderOptions};

struct Out<W: Write>(W);

impl<W: Write> Sink for Out<W> {
    type Error = io::Error;

    fn keep(&mut self, record: &Record, _: &[(String, String)]) -> io::Result<()> {
        writeln!(self.0, "{}\n", record.text)
    }

    fn duplicate(&mut self, _: &Record, _: &Pair) -> io::Result<()> {
        Ok(())
    }

    fn doubt(&mut self, _: &Pair) -> io::Result<()> {
        Ok(())
    }

    fn reject(&mut self, _: Reject<'_>) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let by = match args.next().as_deref() {
        Some("moves") => By::Moves,
        Some("final") => By::Final,
        Some("prefix") => By::Prefix,
        _ => By::Game,
    };
    let threads = std::env::var("THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let keep = if std::env::var_os("RICHEST").is_some() { Keep::Richest } else { Keep::First };
    let inputs: Vec<Input> = args.map(Input::argument).collect();
    let options = DedupOptions::default().by(by).keep(keep).threads(threads);
    let mut sink = Out(BufWriter::new(io::stdout().lock()));
    let summary = boardprint_dedup::run(
        &inputs,
        &ReaderOptions::default(),
        &options,
        &Collection::default(),
        &mut sink,
    )?;
    sink.0.flush()?;
    writeln!(io::stderr(), "{summary:?}")?;
    Ok(())
}
