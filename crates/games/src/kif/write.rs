//! Games as KIF.

use std::fmt::Write as _;

use boardprint_base::{GameResult, Side};
use boardprint_finite::{Board, Notation};

use super::diagram::{hand_text, write_board};
use super::handicap;
use crate::Written;
use crate::ending::{self, TERMINATION};
use crate::finite::FiniteGame;
use crate::headers::{Headers, one_line};

/// A game of Shogi as KIF, without a newline at its end. Moves from the first illegal one on are left out.
pub(crate) fn write(game: &FiniteGame<'_>, start: &Board) -> Written {
    let mut out = String::from("#KIF version=2.0 encoding=UTF-8\n");
    let mut lost = Headers::Kif.write(game, |key, value| {
        let _ = writeln!(out, "{key}：{value}");
    });
    let fen = start.fen();
    let name = handicap::name_of(&fen);
    let sides = match name {
        None | Some("平手") => ["先手", "後手"],
        Some(_) => ["下手", "上手"],
    };
    if let Some(name) = name {
        let _ = writeln!(out, "手合割：{name}");
    } else {
        let _ = writeln!(out, "後手の持駒：{}", hand_text(&fen, Side::Top));
        write_board(&fen, &mut out);
        let _ = writeln!(out, "先手の持駒：{}", hand_text(&fen, Side::Bottom));
        if fen.side() == Side::Top {
            out.push_str("後手番\n");
        }
    }
    for (side, tag) in sides.iter().zip(["White", "Black"]) {
        if let Some(player) = game.tag(tag) {
            let _ = writeln!(out, "{side}：{}", one_line(player));
        }
    }
    out.push_str("手数----指手---------消費時間--\n");
    let mut board = start.clone();
    let (mut before, mut number) = (None, 1);
    for played in game.moves() {
        let Some(text) = board.write_after(Notation::Kif, *played, before) else { break };
        let _ = writeln!(out, "{number:4} {text}");
        board.play_known(*played);
        before = Some(*played);
        number += 1;
    }
    if let Some(result) = game.result {
        let (word, unsaid) = ending::to_kif(result, game.tag(TERMINATION), board.side());
        lost |= unsaid;
        let _ = writeln!(out, "{number:4} {word}");
        let plies = number - 1;
        let _ = match result {
            GameResult::WhiteWins => writeln!(out, "まで{plies}手で{}の勝ち", sides[0]),
            GameResult::BlackWins => writeln!(out, "まで{plies}手で{}の勝ち", sides[1]),
            GameResult::Draw | GameResult::Unknown => writeln!(out, "まで{plies}手で{word}"),
        };
    }
    out.truncate(out.trim_end().len());
    Written { text: out, lost }
}
