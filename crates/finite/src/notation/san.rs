//! SAN of Makruk, Xiangqi and Janggi as Fairy-Stockfish writes it: `Sb2 bxc5 a6=M Che3 Pgh4 Rb10#`.
//!
//! Pawns have no letter in Makruk and `P` in the others. A pass of Janggi is the general's own square.

use super::squares::{square_name, take_square};
use super::xiangqi;
use crate::error::Refusal;
use crate::game::Game;
use crate::mailbox::{Mailbox, Sketch};
use crate::moves::{Action, Move};

/// The letters that are written, by the place of the kind.
fn letters(game: Game) -> &'static [u8] {
    match game {
        Game::Makruk => b"PNSRMK",
        Game::Xiangqi | Game::Janggi => b"PCRHEAK",
        Game::Western => b"PNBRQK",
        Game::Shogi => b"RBGSNLPK",
    }
}

/// The place of the kind that a letter means.
pub(super) fn kind_of(game: Game, letter: u8) -> Option<usize> {
    let same = match (game, letter) {
        (Game::Xiangqi | Game::Janggi, b'N') => b'H',
        (Game::Xiangqi | Game::Janggi, b'B' | b'M') => b'E',
        (Game::Xiangqi | Game::Janggi, b'G') => b'K',
        (Game::Xiangqi | Game::Janggi, b'S') => b'P',
        (Game::Makruk, b'B') => b'S',
        (Game::Makruk, b'Q') => b'M',
        _ => letter,
    };
    letters(game).iter().position(|own| *own == same)
}

/// The letter of a kind.
pub(super) fn letter_of(game: Game, kind: usize) -> char {
    letters(game).get(kind).map_or('?', |letter| char::from(*letter))
}

/// The text without the marks of check, mate and comment at its end.
pub(super) fn unmarked(word: &[u8]) -> &[u8] {
    let marks = word.iter().rev().take_while(|b| matches!(b, b'+' | b'#' | b'!' | b'?')).count();
    &word[..word.len() - marks]
}

/// Where a piece may come from, as bits: by file, by rank, or both.
pub(super) fn origins(game: Game, file: Option<usize>, rank: Option<usize>) -> u128 {
    let (files, ranks) = (game.files(), game.ranks());
    let on_file =
        file.map_or(u128::MAX, |file| (0..ranks).fold(0, |bits, rank| bits | 1 << (rank * files + file)));
    let on_rank = rank.map_or(u128::MAX, |rank| ((1 << files) - 1) << (rank * files));
    on_file & on_rank
}

/// Reads a move; ranks count from `first`.
pub(super) fn read(board: &Mailbox, word: &[u8], first: usize) -> Result<Move, Refusal> {
    let game = board.game();
    let word = unmarked(word);
    let (kind, rest) = match word.split_first() {
        Some((letter, rest)) if letter.is_ascii_uppercase() => {
            (Some(kind_of(game, *letter).ok_or(Refusal::NotAMove)?), rest)
        }
        _ => (None, word),
    };
    let (rest, promotes) = match rest {
        [rest @ .., b'=', b'M' | b'Q' | b'm' | b'q'] if game == Game::Makruk => (rest, true),
        _ => (rest, false),
    };
    let (file, rank, to) = places(game, rest, first).ok_or(Refusal::NotAMove)?;
    // Two whole squares say which piece, whatever it is.
    let kinds = match (kind, file, rank) {
        (Some(kind), ..) => 1 << kind,
        (None, Some(_), Some(_)) => u16::MAX,
        (None, ..) if game == Game::Makruk => 1,
        _ => return Err(Refusal::NotAMove),
    };
    let pass = board.pass().filter(|pass| pass.other_parts().1 == to && kinds >> 6 & 1 == 1);
    if let (Game::Janggi, Some(pass)) = (game, pass) {
        return board.judge(pass).map(|()| pass).map_err(Refusal::Illegal);
    }
    let from = match (kind, file, rank, game) {
        // A pawn that says no file stays on its own.
        (None, None, None, Game::Makruk) => origins(game, Some(to % game.files()), None),
        _ => origins(game, file, rank),
    };
    let find = |kinds| board.find(Sketch { kinds, from, to, promotes });
    // G is the general, and in the drafts that have M for the minister it is the guard.
    match (game, word) {
        (Game::Xiangqi, [b'G', ..]) => {
            find(kinds).or_else(|refusal| find(1 << xiangqi::ADVISOR).map_err(|_| refusal))
        }
        _ => find(kinds),
    }
}

/// File and rank of the origin, as far as they are said, and the goal: `e4`, `ge4`, `10e4`, `g10xe4`.
fn places(game: Game, text: &[u8], first: usize) -> Option<(Option<usize>, Option<usize>, usize)> {
    let goal = text.iter().rposition(u8::is_ascii_alphabetic)?;
    let (to, end) = take_square(game, &text[goal..], first)?;
    if !end.is_empty() {
        return None;
    }
    let origin = text[..goal].strip_suffix(b"x").or_else(|| text[..goal].strip_suffix(b"-"));
    let origin = origin.unwrap_or(&text[..goal]);
    let (file, digits) = match origin.split_first() {
        Some((letter @ b'a'..=b'i', digits)) => (Some(usize::from(letter - b'a')), digits),
        _ => (None, origin),
    };
    let rank = match digits {
        [] => None,
        b"10" if first == 1 => Some(9),
        [digit @ b'0'..=b'9'] => Some(usize::from(digit - b'0').checked_sub(first)?),
        _ => return None,
    };
    let on_board = file.is_none_or(|file| file < game.files()) && rank.is_none_or(|rank| rank < game.ranks());
    on_board.then_some((file, rank, to))
}

/// Writes a legal move; ranks count from `first`.
pub(super) fn write(board: &Mailbox, played: Move, first: usize) -> Option<String> {
    let game = board.game();
    let name = |square: usize| {
        let name = square_name(game, square);
        if first == 1 { name } else { format!("{}{}", &name[..1], square / game.files()) }
    };
    let mut out = String::new();
    match played.action(game) {
        Action::Pass(square) => {
            out.push('K');
            out += &name(square);
        }
        Action::Go { from, to, promotion } => {
            let man = board.man(from)?;
            let pawn = game == Game::Makruk && man.kind() == 0;
            let captures = board.man(to).is_some();
            let origin = name(from);
            if pawn {
                out += if captures { &origin[..1] } else { "" };
            } else {
                out.push(letter_of(game, man.kind()));
                out += disambiguation(game, from, &board.rivals(from, to), &origin);
            }
            out += if captures { "x" } else { "" };
            out += &name(to);
            out += if promotion.is_some() { "=M" } else { "" };
        }
        Action::Drop { .. } | Action::Null => return None,
    }
    Some(out + board.mark_after(played))
}

/// The file if that tells the rivals apart, else the rank, else both.
pub(super) fn disambiguation<'a>(game: Game, from: usize, rivals: &[usize], origin: &'a str) -> &'a str {
    let files = game.files();
    let same_file = rivals.iter().any(|rival| rival % files == from % files);
    let same_rank = rivals.iter().any(|rival| rival / files == from / files);
    match (rivals.is_empty(), same_file, same_rank) {
        (true, ..) => "",
        (_, false, _) => &origin[..1],
        (_, true, false) => &origin[1..],
        (_, true, true) => origin,
    }
}
