//! How many half-moves per second are read, replayed and named, for each game on one thread:
//! `cargo run --release -p boardprint-games --example read_replay_name corpus/finite/finite-games.jsonl`

#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::cast_precision_loss, reason = "speeds are rounded")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use boardprint_games::{Format, PositionNamer, Profile, ReadOptions};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file of games?")?;
    let mut texts: BTreeMap<String, (Format, Vec<String>)> = BTreeMap::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        for (key, format) in
            [("pgn", Format::Pgn), ("pgn_iccs", Format::Pgn), ("csa", Format::Csa), ("kif", Format::Kif)]
        {
            let Some(text) = row[key].as_str() else { continue };
            let name = format!("{} {key}", row["game"].as_str().unwrap_or_default());
            texts.entry(name).or_insert((format, Vec::new())).1.push(text.to_owned());
        }
    }
    let options = ReadOptions::default();
    let mut namer = PositionNamer::new(Profile::Plain);
    for (name, (format, texts)) in texts {
        let (begin, mut plies, mut bytes) = (Instant::now(), 0, 0);
        while begin.elapsed() < Duration::from_secs(2) {
            for text in &texts {
                let content = options.read_text(format, text)?.content;
                plies += content.plies();
                namer.each_cpn(&content, |cpn| bytes += cpn.len())?;
            }
        }
        let speed = plies as f64 / begin.elapsed().as_secs_f64();
        println!("{name:16} {speed:10.0} half-moves per second, {bytes} bytes of names");
    }
    Ok(())
}
