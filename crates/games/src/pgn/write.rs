//! Games as clean PGN: tags, SAN, result.

use boardprint_base::{GameResult, Tag};
use cozy_chess::{Board, GameStatus, Move, Piece, Square};

use super::WesternMove;
use super::identity::write_fen;
use super::replay::{generator_move, play};

/// How long a line of moves gets.
const WIDTH: usize = 80;

/// A game as PGN, with a blank line between tags and moves, and a newline at its end. Moves from the first illegal one on are left
/// out. Where the start is not the usual one and no tag says so, the tags `SetUp` and `FEN` are added.
///
/// ```
/// use boardprint_base::GameResult;
/// use boardprint_store::pgn::{WesternGame, write_pgn};
/// let game = WesternGame::parse("1. e2e4 e7e5 2. g1f3 1/2-1/2");
/// let text = write_pgn(&[], &game.start, game.moves.iter().copied(), GameResult::Draw);
/// assert_eq!(text, "1. e4 e5 2. Nf3 1/2-1/2\n");
/// ```
#[must_use]
pub fn write_pgn(
    tags: &[Tag],
    start: &Board,
    moves: impl IntoIterator<Item = WesternMove>,
    result: GameResult,
) -> String {
    let mut out = String::new();
    for tag in tags {
        write_tag(&tag.name, &tag.value, &mut out);
    }
    let usual = start.same_position(&Board::default());
    if !usual && tags.iter().all(|tag| &*tag.name != "FEN") {
        let mut fen = Vec::new();
        write_fen(start, &mut fen);
        write_tag("SetUp", "1", &mut out);
        write_tag("FEN", &format!("{} 0 1", String::from_utf8_lossy(&fen)), &mut out);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let mut line = out.len();
    let mut word = |text: &str, out: &mut String| {
        if out.len() > line {
            let fits = out.len() - line + 1 + text.len() < WIDTH;
            out.push(if fits { ' ' } else { '\n' });
            if !fits {
                line = out.len();
            }
        }
        out.push_str(text);
    };
    let mut board = start.clone();
    let mut number = usize::from(start.fullmove_number());
    for (ply, named) in moves.into_iter().enumerate() {
        let white = board.side_to_move() == cozy_chess::Color::White;
        if white {
            word(&format!("{number}."), &mut out);
        } else if ply == 0 {
            word(&format!("{number}..."), &mut out);
        }
        let Some(san) = play_san(&mut board, named) else { break };
        word(&san, &mut out);
        number += usize::from(!white);
    }
    word(result.as_str(), &mut out);
    out.push('\n');
    out
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    for part in ["[", name, " \"", &value, "\"]\n"] {
        out.push_str(part);
    }
}

/// Plays a move and says it in SAN; `None` if it is illegal.
fn play_san(board: &mut Board, named: WesternMove) -> Option<String> {
    if named == WesternMove::NULL {
        return play(board, named).then(|| "--".to_owned());
    }
    let played = generator_move(board, named);
    if !board.is_legal(played) {
        return None;
    }
    let mut san = bare_san(board, played);
    board.play_unchecked(played);
    if !board.checkers().is_empty() {
        san.push(if board.status() == GameStatus::Won { '#' } else { '+' });
    }
    Some(san)
}

fn bare_san(board: &Board, played: Move) -> String {
    let Move { from, to, promotion } = played;
    let us = board.side_to_move();
    let Some(kind) = board.piece_on(from) else { return String::new() };
    if kind == Piece::King && board.colors(us).has(to) {
        return if from.file() < to.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let captures = board.colors(!us).has(to);
    if kind == Piece::Pawn {
        let mut san = String::new();
        if from.file() != to.file() {
            san = format!("{}x", from.file());
        }
        san += &to.to_string();
        if let Some(piece) = promotion {
            san.push('=');
            san.push(letter(piece));
        }
        return san;
    }
    let mut san = letter(kind).to_string();
    if kind != Piece::King {
        let able = |square: &Square| board.is_legal(Move { from: *square, to, promotion: None });
        let others = board.colored_pieces(us, kind) & !from.bitboard();
        let rivals: Vec<Square> = others.into_iter().filter(able).collect();
        let same_file = rivals.iter().any(|rival| rival.file() == from.file());
        let same_rank = rivals.iter().any(|rival| rival.rank() == from.rank());
        if !rivals.is_empty() && (!same_file || same_rank) {
            san += &from.file().to_string();
        }
        if same_file {
            san += &from.rank().to_string();
        }
    }
    if captures {
        san.push('x');
    }
    san + &to.to_string()
}

fn letter(piece: Piece) -> char {
    char::from(b"PNBRQK"[piece as usize])
}

#[cfg(test)]
mod tests {
    use crate::pgn::WesternGame;

    use super::*;

    fn rewritten(text: &str) -> String {
        let game = WesternGame::parse(text);
        assert_eq!(game.broken, None, "{text}");
        let written = write_pgn(
            &[],
            &game.start,
            game.moves.iter().copied(),
            game.result.unwrap_or(GameResult::Unknown),
        );
        let again = WesternGame::parse(&written);
        assert_eq!((again.broken, again.digest()), (None, game.digest()), "{written}");
        written
    }

    #[test]
    fn san_names_no_more_than_it_must() {
        let text = "[FEN \"3k4/8/8/R6R/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. Ra5c5 Ke7 2. Rh1h2 Kf7 3. O-O-O *";
        let written = rewritten(text);
        assert!(written.ends_with("\n\n1. Rac5 Ke7 2. R1h2 Kf7 3. O-O-O *\n"), "{written}");
    }

    #[test]
    fn mates_promotions_and_null_moves_come_back() {
        rewritten("1. f3 e5 2. g4 Qh4# 0-1");
        rewritten("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N Kg7 2. -- Kf6 1/2-1/2");
        rewritten("[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w HAha - 0 1\"]\n\n1. O-O O-O-O *");
    }
}
