//! Replays a game and prints every position: `cargo run -p boardprint-icn --example replay_game --
//! 'K5,1|Q4,1|k5,8 4,1>4,7|5,8>6,9'`

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use boardprint_base::replay::Replay;
use boardprint_icn::{canonical_position, parse};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).ok_or("give a game in ICN")?;
    let reading = parse(&text).map_err(|error| {
        let place = error.line_column(&text);
        format!("line {}, column {}: {error}", place.line, place.column)
    })?;
    for warning in &reading.warnings {
        eprintln!("warning: {warning}");
    }
    let mut replay = Replay::new(&reading.game);
    loop {
        println!("{:>3}  {}", replay.ply(), canonical_position(replay.position()));
        if replay.step()?.is_none() {
            return Ok(());
        }
    }
}
