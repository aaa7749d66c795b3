//! Moves as squares: UCI, UCCI, USI.

use crate::board::{Board, Inner};
use crate::error::Refusal;
use crate::game::Game;
use crate::moves::{Action, Move, write_square};
use crate::western;

/// Takes a square such as `e10` off the front of a text; ranks count from `first`.
pub(super) fn take_square(game: Game, text: &[u8], first: usize) -> Option<(usize, &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = usize::from(file.to_ascii_lowercase().wrapping_sub(b'a'));
    let (rank, rest) = match rest {
        [b'1', b'0', rest @ ..] if first == 1 && game.ranks() == 10 => (10, rest),
        [digit @ b'0'..=b'9', rest @ ..] => (usize::from(digit - b'0'), rest),
        _ => return None,
    };
    let rank = rank.checked_sub(first)?;
    (file < game.files() && rank < game.ranks()).then_some((rank * game.files() + file, rest))
}

/// The place of the kind that a FEN letter means.
pub(super) fn kind_of(game: Game, letter: u8) -> Option<usize> {
    game.kinds().iter().position(|kind| kind.is_read_as(letter.to_ascii_lowercase()))
}

pub(super) fn read_uci(board: &Board, text: &str, first: usize) -> Result<Move, Refusal> {
    let game = board.game();
    if let Inner::Western(western) = &board.inner {
        let word = text.as_bytes();
        return match word.first() {
            Some(b'a'..=b'h' | b'0') if word.len() >= 4 => Ok(western::resolve(western, word)?.named),
            _ => Err(Refusal::NotAMove),
        };
    }
    let bytes = text.as_bytes();
    let played = if let [letter, b'@' | b'*', rest @ ..] = bytes {
        let kind = kind_of(game, *letter).ok_or(Refusal::NotAMove)?;
        let (to, rest) = take_square(game, rest, first).ok_or(Refusal::NotAMove)?;
        if !rest.is_empty() || game != Game::Shogi {
            return Err(Refusal::NotAMove);
        }
        Move::other(game.squares() + kind, to, false)
    } else {
        let (from, rest) = take_square(game, bytes, first).ok_or(Refusal::NotAMove)?;
        let (to, rest) = take_square(game, rest, first).ok_or(Refusal::NotAMove)?;
        let promotes = match (rest, game) {
            ([], _) => false,
            ([b'+'], Game::Shogi) | ([b'm' | b'M' | b'q' | b'Q'], Game::Makruk) => true,
            _ => return Err(Refusal::NotAMove),
        };
        Move::other(from, to, promotes)
    };
    board.legal(played)
}

/// A move of Xiangqi with ranks from 0.
pub(super) fn ucci(played: Move) -> String {
    let (from, to, _) = played.other_parts();
    let files = Game::Xiangqi.files();
    let name = |square: usize| {
        let file = b"abcdefghi".get(square % files).map_or('?', |file| char::from(*file));
        format!("{file}{}", square / files)
    };
    name(from) + &name(to)
}

/// The file of Shogi, counted from the right from 1, and the rank, counted from the top from 1.
pub(super) fn shogi_square(square: usize) -> (usize, usize) {
    (9 - square % 9, 9 - square / 9)
}

/// The square of a file and a rank of Shogi.
pub(super) fn of_shogi_square(file: usize, rank: usize) -> Option<usize> {
    ((1..=9).contains(&file) && (1..=9).contains(&rank)).then(|| (9 - rank) * 9 + 9 - file)
}

pub(super) fn usi(played: Move) -> String {
    let name = |square: usize| {
        let (file, rank) = shogi_square(square);
        let letter = b"abcdefghi".get(rank - 1).map_or('?', |letter| char::from(*letter));
        format!("{file}{letter}")
    };
    match played.action(Game::Shogi) {
        Action::Go { from, to, promotion } => {
            name(from) + &name(to) + if promotion.is_some() { "+" } else { "" }
        }
        Action::Drop { kind, to } => {
            let letter = char::from(Game::Shogi.kinds()[kind].letter().to_ascii_uppercase());
            format!("{letter}*{}", name(to))
        }
        Action::Null | Action::Pass(_) => String::new(),
    }
}

pub(super) fn read_usi(board: &Board, text: &str) -> Result<Move, Refusal> {
    let square = |file: u8, rank: u8| {
        of_shogi_square(usize::from(file.wrapping_sub(b'0')), usize::from(rank.wrapping_sub(b'a')) + 1)
    };
    let played = match *text.as_bytes() {
        [letter, b'*' | b'@', file, rank] => {
            let kind = kind_of(Game::Shogi, letter).ok_or(Refusal::NotAMove)?;
            square(file, rank).map(|to| Move::other(Game::Shogi.squares() + kind, to, false))
        }
        [a, b, c, d] => square(a, b).zip(square(c, d)).map(|(from, to)| Move::other(from, to, false)),
        [a, b, c, d, b'+'] => square(a, b).zip(square(c, d)).map(|(from, to)| Move::other(from, to, true)),
        _ => None,
    };
    board.legal(played.ok_or(Refusal::NotAMove)?)
}

/// The name of a square: file from `a`, rank from 1.
pub(super) fn square_name(game: Game, square: usize) -> String {
    let mut name = Vec::with_capacity(3);
    write_square(game, square, &mut name);
    String::from_utf8_lossy(&name).into_owned()
}
