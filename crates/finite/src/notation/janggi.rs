//! Janggi by numbers: `P77-76`, `R01x91+`, `K95-95` for a pass.
//!
//! The first digit is the row from the top, where 0 is the tenth, the second the file from the left.

use super::san::{kind_of, letter_of, unmarked};
use crate::error::{Illegal, Refusal};
use crate::game::Game;
use crate::mailbox::Mailbox;
use crate::moves::Move;

fn square(row: u8, file: u8) -> Option<usize> {
    let row = match row {
        b'0' => 10,
        b'1'..=b'9' => usize::from(row - b'0'),
        _ => return None,
    };
    matches!(file, b'1'..=b'9').then(|| (10 - row) * 9 + usize::from(file - b'1'))
}

fn name(square: usize) -> String {
    format!("{}{}", (10 - square / 9) % 10, square % 9 + 1)
}

pub(super) fn read(board: &Mailbox, word: &[u8]) -> Result<Move, Refusal> {
    let word = unmarked(word);
    let (kind, rest) = match word {
        [letter, rest @ ..] if letter.is_ascii_uppercase() => {
            (Some(kind_of(Game::Janggi, *letter).ok_or(Refusal::NotAMove)?), rest)
        }
        _ => (None, word),
    };
    let (&[a, b, ..], &[c, d]) = (rest, rest.get(3..).unwrap_or_default()) else {
        return Err(Refusal::NotAMove);
    };
    if !matches!(rest[2], b'-' | b'x') {
        return Err(Refusal::NotAMove);
    }
    let (from, to) = square(a, b).zip(square(c, d)).ok_or(Refusal::NotAMove)?;
    if kind.is_some_and(|kind| board.man(from).is_none_or(|man| man.kind() != kind)) {
        return Err(Refusal::Illegal(Illegal::OtherPiece));
    }
    let played = Move::other(from, to, false);
    board.judge(played).map(|()| played).map_err(Refusal::Illegal)
}

pub(super) fn write(board: &Mailbox, played: Move) -> Option<String> {
    let (from, to, _) = played.other_parts();
    let letter = letter_of(Game::Janggi, board.man(from)?.kind());
    let captures = if from != to && board.man(to).is_some() { 'x' } else { '-' };
    Some(format!("{letter}{}{captures}{}{}", name(from), name(to), board.mark_after(played)))
}
