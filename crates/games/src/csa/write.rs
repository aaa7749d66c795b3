//! Games as CSA 2.2.

use std::fmt::Write as _;

use boardprint_base::Side;
use boardprint_finite::notation::csa_name;
use boardprint_finite::{Board, Fen, Game, Man, Notation};

use crate::Written;
use crate::ending::{self, TERMINATION};
use crate::finite::FiniteGame;
use crate::headers::{Headers, one_line};

/// A game of Shogi as CSA, without a newline at its end. Moves from the first illegal one on are left out.
pub(crate) fn write(game: &FiniteGame<'_>, start: &Board) -> Written {
    let mut out = String::from("V2.2\n");
    for (name, sign) in [("White", '+'), ("Black", '-')] {
        if let Some(player) = game.tag(name) {
            let _ = writeln!(out, "N{sign}{}", one_line(player));
        }
    }
    let mut lost = Headers::Csa.write(game, |key, value| {
        let _ = writeln!(out, "${key}:{value}");
    });
    write_start(start, &mut out);
    let mut board = start.clone();
    for played in game.moves() {
        let Some(text) = board.write(Notation::Csa, *played) else { break };
        out.push_str(&text);
        out.push('\n');
        board.play_known(*played);
    }
    if let Some(result) = game.result {
        let (word, unsaid) = ending::to_csa(result, game.tag(TERMINATION), board.side());
        let _ = write!(out, "%{word}");
        lost |= unsaid;
    }
    out.truncate(out.trim_end().len());
    Written { text: out, lost }
}

/// The start, and whose turn it is.
fn write_start(start: &Board, out: &mut String) {
    let fen = start.fen();
    let usual = Board::start(Game::Shogi).fen();
    if fen.cells() == usual.cells() && Side::ALL.iter().all(|side| fen.hand(*side) == usual.hand(*side)) {
        out.push_str("PI\n");
    } else {
        write_rows(&fen, out);
    }
    out.push_str(if start.side() == Side::Bottom { "+\n" } else { "-\n" });
}

fn write_rows(fen: &Fen, out: &mut String) {
    for (index, rank) in fen.cells().chunks(9).enumerate() {
        let _ = write!(out, "P{}", index + 1);
        for cell in rank {
            match cell {
                Some(man) => {
                    out.push(if man.side() == Side::Bottom { '+' } else { '-' });
                    out.push_str(csa_name(*man));
                }
                None => out.push_str(" * "),
            }
        }
        out.push('\n');
    }
    for (side, sign) in [(Side::Bottom, '+'), (Side::Top, '-')] {
        let hand = fen.hand(side);
        if hand.iter().all(|count| *count == 0) {
            continue;
        }
        let _ = write!(out, "P{sign}");
        for (kind, count) in hand.iter().enumerate() {
            for _ in 0..*count {
                let _ = write!(out, "00{}", csa_name(Man::new(kind, side, false)));
            }
        }
        out.push('\n');
    }
}
