//! Names positions: `cargo run -p boardprint-bridge --example hash_fen -- western
//! 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'`

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use boardprint_bridge::Lossy;
use boardprint_bridge::fen::{Fen, FenExt as _, Game};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game: Game =
        arguments.next().ok_or("name a game: western, makruk, shogi, xiangqi or janggi")?.parse()?;
    for text in arguments {
        let fen = Fen::read(game, &text).map_err(|error| {
            let place = error.line_column(&text);
            format!("{text}\n{:>column$} {error}", "^", column = place.column)
        })?;
        let (cpn, lost) = Lossy::parts(fen.to_cpn(None));
        println!("{}  {cpn}", cpn.cph());
        for name in lost.names() {
            println!("not part of the name: {name}");
        }
    }
    Ok(())
}
