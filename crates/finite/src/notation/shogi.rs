//! Shogi in Latin letters: Hodges (`P-7f`, `Bx2b+`, `G6a-5a`, `B*5e`), the same with numbers (`P-76`) as
//! Fairy-Stockfish writes it by default, and the algebraic notation of pychess (`Pa4`, `Bxh8=H`, `P@a2`).

use super::san::{disambiguation, origins, unmarked};
use super::squares::{kind_of, of_shogi_square, shogi_square, square_name, take_square};
use crate::error::Refusal;
use crate::game::Game;
use crate::mailbox::{Mailbox, Sketch};
use crate::man::Man;
use crate::moves::{Action, Move};

/// How ranks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranks {
    Letters,
    Numbers,
}

/// Reads any of the three: their squares tell them apart.
pub(super) fn read(board: &Mailbox, word: &[u8]) -> Result<Move, Refusal> {
    let (promoted, rest) = match word {
        [b'+', rest @ ..] => (true, rest),
        _ => (false, word),
    };
    let (letter, rest) = rest.split_first().ok_or(Refusal::NotAMove)?;
    // `G1f2` has a rank and a square of the one kind, which is a square and a rest of the other.
    match read_hodges(board, *letter, promoted, rest) {
        Some(outcome) => outcome,
        None if promoted => Err(Refusal::NotAMove),
        None => read_algebraic(board, *letter, rest),
    }
}

/// Takes a square such as `7f` or `76` off the front.
fn take_shogi_square(text: &[u8]) -> Option<(usize, &[u8])> {
    let [file @ b'1'..=b'9', rank, rest @ ..] = text else { return None };
    let rank = match rank {
        b'1'..=b'9' => rank - b'0',
        b'a'..=b'i' => rank - b'a' + 1,
        _ => return None,
    };
    of_shogi_square(usize::from(file - b'0'), usize::from(rank)).map(|square| (square, rest))
}

/// `None` if it is not a move at all.
fn read_hodges(board: &Mailbox, letter: u8, plus: bool, text: &[u8]) -> Option<Result<Move, Refusal>> {
    let kind = kind_of(Game::Shogi, letter.is_ascii_uppercase().then_some(letter)?)?;
    let goal = |rest: &[u8]| {
        take_shogi_square(rest.strip_prefix(b"x").or(rest.strip_prefix(b"-")).unwrap_or(rest)).is_some()
    };
    let (from, text) = match take_shogi_square(text) {
        Some((from, rest)) if goal(rest) => (Some(from), rest),
        _ => (None, text),
    };
    let (drops, text) = match text {
        [b'*' | b'\'', rest @ ..] => (true, rest),
        [b'-' | b'x', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (to, end) = take_shogi_square(text)?;
    let promotes = match end {
        [b'+', ..] => true,
        [] | [b'=' | b'!' | b'?' | b'#', ..] => false,
        _ => return None,
    };
    if drops {
        let played = Move::other(Game::Shogi.squares() + kind, to, false);
        return Some(board.judge(played).map(|()| played).map_err(Refusal::Illegal));
    }
    let from = from.map_or(u128::MAX, |from| 1 << from);
    Some(board.find(Sketch { from, promotes, ..Sketch::new(kind, plus, to) }))
}

/// Writes a legal move in Hodges notation.
pub(super) fn write_hodges(board: &Mailbox, played: Move, ranks: Ranks) -> Option<String> {
    let name = |square: usize| {
        let (file, rank) = shogi_square(square);
        match ranks {
            Ranks::Numbers => format!("{file}{rank}"),
            Ranks::Letters => format!("{file}{}", b"abcdefghi".get(rank - 1).map_or('?', |b| char::from(*b))),
        }
    };
    let letter = |kind: usize| char::from(Game::Shogi.kinds()[kind].letter().to_ascii_uppercase());
    match played.action(Game::Shogi) {
        Action::Drop { kind, to } => Some(format!("{}*{}", letter(kind), name(to))),
        Action::Go { from, to, promotion } => {
            let man = board.man(from)?;
            let plus = if man.is_promoted() { "+" } else { "" };
            let origin = if board.rivals(from, to).is_empty() { String::new() } else { name(from) };
            let captures = if board.man(to).is_some() { 'x' } else { '-' };
            let end = match promotion {
                Some(_) => "+",
                None if board.may_promote(from, to) => "=",
                None => "",
            };
            Some(format!("{plus}{}{origin}{captures}{}{end}", letter(man.kind()), name(to)))
        }
        Action::Pass(_) | Action::Null => None,
    }
}

/// The kinds that a letter of pychess means, promoted ones eight places further, as bits: promoted rooks and
/// bishops are `D` and `H`, all other promoted pieces `G`.
fn algebraic_kinds(letter: u8) -> Option<u16> {
    match letter {
        b'D' => Some(1 << 8),
        b'H' => Some(1 << 9),
        b'G' => Some(1 << 2 | 0b0111_1000 << 8),
        _ => kind_of(Game::Shogi, letter.is_ascii_uppercase().then_some(letter)?).map(|kind| 1 << kind),
    }
}

const fn algebraic_letter(man: Man) -> char {
    match (man.kind(), man.is_promoted()) {
        (0, true) => 'D',
        (1, true) => 'H',
        (_, true) => 'G',
        (kind, false) => b"RBGSNLPK"[kind] as char,
    }
}

fn read_algebraic(board: &Mailbox, letter: u8, text: &[u8]) -> Result<Move, Refusal> {
    let game = Game::Shogi;
    let kinds = algebraic_kinds(letter).ok_or(Refusal::NotAMove)?;
    let text = unmarked(text);
    if let [b'@' | b'*', square @ ..] = text {
        let kind = kind_of(game, letter).ok_or(Refusal::NotAMove)?;
        let to = take_square(game, square, 1).filter(|(_, rest)| rest.is_empty()).ok_or(Refusal::NotAMove)?.0;
        let played = Move::other(game.squares() + kind, to, false);
        return board.judge(played).map(|()| played).map_err(Refusal::Illegal);
    }
    let (text, promotes) = match text {
        [rest @ .., b'=', b'D' | b'H' | b'G'] => (rest, true),
        _ => (text, false),
    };
    let goal = text.len().checked_sub(2).ok_or(Refusal::NotAMove)?;
    let (to, _) = take_square(game, &text[goal..], 1).ok_or(Refusal::NotAMove)?;
    let origin = text[..goal].strip_suffix(b"x").or(text[..goal].strip_suffix(b"-")).unwrap_or(&text[..goal]);
    let file_of = |b: u8| Some(usize::from(b - b'a'));
    let rank_of = |b: u8| Some(usize::from(b - b'1'));
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'i'] => (file_of(file), None),
        [rank @ b'1'..=b'9'] => (None, rank_of(rank)),
        [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => (file_of(file), rank_of(rank)),
        _ => return Err(Refusal::NotAMove),
    };
    board.find(Sketch { kinds, from: origins(game, file, rank), to, promotes })
}

/// Writes a legal move as pychess does.
pub(super) fn write_algebraic(board: &Mailbox, played: Move) -> Option<String> {
    let game = Game::Shogi;
    let text = match played.action(game) {
        Action::Drop { kind, to } => {
            format!("{}@{}", algebraic_letter(Man::new(kind, board.side(), false)), square_name(game, to))
        }
        Action::Go { from, to, promotion } => {
            let man = board.man(from)?;
            let letter = algebraic_letter(man);
            // Golds and what moves like them have one letter.
            let mut rivals = Vec::new();
            for code in 0..16 {
                let other = Man::new(code, board.side(), code >= 8);
                if other.exists_in(game) && algebraic_letter(other) == letter {
                    rivals.extend(board.origins_of(other, to).into_iter().filter(|square| *square != from));
                }
            }
            let origin = square_name(game, from);
            let end = match (promotion, man.kind()) {
                (None, _) => "",
                (Some(_), 0) => "=D",
                (Some(_), 1) => "=H",
                (Some(_), _) => "=G",
            };
            let captures = if board.man(to).is_some() { "x" } else { "" };
            let origin = disambiguation(game, from, &rivals, &origin);
            format!("{letter}{origin}{captures}{}{end}", square_name(game, to))
        }
        Action::Pass(_) | Action::Null => return None,
    };
    Some(text + board.mark_after(played))
}
