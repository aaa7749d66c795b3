//! Replays lists of moves, one list per line, and prints them as UCI:
//! `echo "C2=5 H8+7 H2+3" | cargo run -p boardprint-finite --example replay_moves -- xiangqi wxf`

use std::io::{self, BufRead, Write};

use boardprint_finite::{Board, Game, Notation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let [game, notation] = names.as_slice() else {
        return Err("usage: replay_moves GAME NOTATION < moves".into());
    };
    let (game, notation): (Game, Notation) = (game.parse()?, notation.parse()?);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let mut board = Board::start(game);
        let mut before = None;
        for word in line?.split_whitespace() {
            let played = match board.read_after(notation, word, before) {
                Ok(played) => played,
                Err(error) => {
                    write!(out, "{word}: {error}, in {}", board.fen())?;
                    break;
                }
            };
            board.play(played)?;
            write!(out, "{} ", played.uci(game))?;
            before = Some(played);
        }
        writeln!(out)?;
    }
    Ok(())
}
