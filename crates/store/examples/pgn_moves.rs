//! Prints the moves of PGN games as squares: `cargo run -p boardprint-store --example pgn_moves -- games.pgn`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_store::pgn::WesternGame;
use boardprint_store::read::{Format, Input, Options, Reader};

fn main() {
    let inputs = std::env::args_os().skip(1).map(Input::argument);
    for item in Reader::new(inputs, Options::default().format(Format::Pgn)) {
        match item {
            Ok(record) => {
                let game = WesternGame::parse(&record.text);
                let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
                let trouble = game.broken.map(|broken| format!(" {:?}", broken.trouble)).unwrap_or_default();
                println!("{} {}{trouble}", game.digest(), moves.join(" "));
            }
            Err(error) => println!("{error}"),
        }
    }
}
