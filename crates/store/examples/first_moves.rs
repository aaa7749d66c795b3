//! Keeps some games in memory and asks what was played first: `cargo run -p boardprint-store --example
//! first_moves`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_games::{Format, Profile};
use boardprint_store::db::{Batch, Db, Options};
use boardprint_store::games::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::new(Profile::Plain);
    let db = Db::in_memory(Options::default())?;
    let texts = ["1. e4 e5 1-0", "1. e4 c5 0-1", "1. d4 d5 1/2-1/2"];
    let games: Result<Vec<_>, _> = texts.iter().map(|text| rules.game(Format::Pgn, text)).collect();
    let games = games?;
    let (start, kind) = (games[0].positions[0].0, games[0].game.kind);
    db.ingest(Batch { games, ..Batch::default() }, &rules, None)?;

    let tally = db.snapshot().tally(&start)?;
    println!("{start}: {} games", tally.games);
    for line in &tally.moves {
        if let Some(next) = &line.next {
            println!("{}", rules.move_text(kind, next));
        }
    }
    Ok(())
}
