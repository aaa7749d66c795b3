//! Piece codes and lists of pieces.

use std::iter;

use boardprint_base::{CustomCode, Piece, PieceKind, Placed, Player, Span, Square};

use super::cursor::{Cursor, PResult, broken, expected, fail, fatal};
use super::number::{plain_square, split_digits, square};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Limited, Rule, Term};
use crate::lex;
use crate::options::ReadOptions;
use crate::warning::WarningKind;

/// The letters that a text begins with, and the rest.
pub(super) fn split_letters(text: &str) -> (&str, &str) {
    text.split_at(lex::letters(text.as_bytes()))
}

/// A piece code with or without a player number: `K`, `am`, `3Q`.
pub(super) fn piece<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Piece> {
    let (number, letters) = split_digits(i);
    let (code, rest) = split_letters(letters);
    if code.is_empty() {
        return expected(letters, "a piece code");
    }
    let span = cursor.span(i, rest);
    let upper = code.bytes().all(|b| b.is_ascii_uppercase());
    let mixed = !upper && code.bytes().any(|b| b.is_ascii_uppercase());
    if mixed && number.is_empty() {
        return broken(i, code.len(), Rule::MixedCase);
    }
    let kind = kind_of(cursor.options, code).map_err(|nearest| {
        fatal(i, i.len() - rest.len(), IcnErrorKind::Unknown { what: Term::PieceCode, nearest })
    })?;
    if matches!(kind, PieceKind::Huygen | PieceKind::Rose) {
        cursor.uses(Feature::NewPiece, span);
    } else if kind == PieceKind::Knightrider {
        cursor.uses(Feature::Knightrider, span);
    }
    if number.is_empty() {
        let player = match (kind.is_neutral(), upper) {
            (true, _) => Player::NEUTRAL,
            (false, true) => Player::WHITE,
            (false, false) => Player::BLACK,
        };
        if kind.is_neutral() && upper {
            cursor.warn(WarningKind::NeutralCase, span);
        }
        return Ok((rest, Piece::new(kind, player)));
    }
    if number.len() > 1 && number.starts_with('0') {
        cursor.warn(WarningKind::LeadingZero, cursor.span(i, letters));
    }
    let Ok(player) = number.parse().map(Player) else {
        return broken(i, number.len(), Rule::PlayerNumber);
    };
    if mixed {
        cursor.warn(WarningKind::MixedCase, span);
    }
    let says_nothing = match player {
        Player::WHITE | Player::BLACK => !kind.is_neutral(),
        Player::NEUTRAL => kind.is_neutral(),
        _ => false,
    };
    if says_nothing {
        cursor.warn(WarningKind::PlayerNumber, span);
    } else {
        cursor.uses(Feature::PlayerNumber, span);
    }
    Ok((rest, Piece::new(kind, player)))
}

/// The kind of a code in any case, or the nearest known code.
pub(super) fn kind_of(options: &ReadOptions, code: &str) -> Result<PieceKind, Option<&'static str>> {
    let lower = code.to_ascii_lowercase();
    if let Some(kind) = PieceKind::from_code(&lower) {
        return Ok(kind);
    }
    match CustomCode::new(&lower).filter(|code| options.custom.contains(code)) {
        Some(code) => Ok(PieceKind::Custom(code)),
        None => Err(nearest(&lower)),
    }
}

/// The first built-in code that differs in one letter, by swapping, adding, dropping or changing it.
fn nearest(code: &str) -> Option<&'static str> {
    let known = PieceKind::BUILT_IN.iter().map(PieceKind::code);
    known.filter(|known| known.len() > 1).find(|known| {
        let known = known.as_bytes();
        match *code.as_bytes() {
            [first, second] => first == known[0] || second == known[1] || [second, first] == *known,
            [first, second, third] => {
                [[first, second], [second, third], [first, third]].contains(&[known[0], known[1]])
            }
            _ => false,
        }
    })
}

/// A piece on its square with its right: `K5,1+`.
fn placed<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Placed> {
    let (rest, piece) = piece(cursor, i)?;
    let (rest, square) = square(cursor, rest)?;
    match rest.strip_prefix('+') {
        Some(rest) => Ok((rest, Placed::new(piece, square).with_right())),
        None => Ok((rest, Placed::new(piece, square))),
    }
}

/// A piece in plain spelling: built-in code, no player number, plain square.
struct Plain {
    piece: Piece,
    x: i64,
    y: i64,
    right: bool,
    /// The byte after it.
    end: usize,
}

/// The plain piece at a byte.
#[inline]
fn plain_piece(bytes: &[u8], at: usize) -> Option<Plain> {
    let &[first, second] = bytes.get(at..at + 2)?.first_chunk()?;
    let upper = first.is_ascii_uppercase();
    let (kind, end) = if second.is_ascii_alphabetic() {
        if upper != second.is_ascii_uppercase() {
            return None;
        }
        (PieceKind::from_letters([first | 0x20, second | 0x20])?, at + 2)
    } else {
        (PieceKind::from_letter(first | 0x20)?, at + 1)
    };
    let player = match (kind.is_neutral(), upper) {
        (false, true) => Player::WHITE,
        (false, false) => Player::BLACK,
        (true, false) => Player::NEUTRAL,
        (true, true) => return None,
    };
    let (x, y, end) = plain_square(bytes, end)?;
    let right = bytes.get(end) == Some(&b'+');
    Some(Plain { piece: Piece::new(kind, player), x, y, right, end: end + usize::from(right) })
}

/// Takes plain entries as long as a bar follows each; gives the text after the last bar.
fn plain_entries<'a>(cursor: &Cursor<'a, '_>, i: &'a str, all: &mut Vec<Placed>) -> &'a str {
    let bytes = i.as_bytes();
    let mut at = 0;
    if !cursor.allows_plain() {
        return i;
    }
    while let Some(Plain { piece, x, y, right, end }) = plain_piece(bytes, at)
        && bytes.get(end) == Some(&b'|')
        && all.len() < cursor.options.max_pieces
    {
        all.extend(iter::once_with(|| Placed { square: Square::new(x, y), piece, right }));
        at = end + 1;
    }
    &i[at..]
}

/// Whether a text begins with a piece code and something like a coordinate.
fn begins_with_piece(text: &str) -> bool {
    lex::code_before_coordinate(text.as_bytes()).is_some()
}

/// Whether a text begins with `>`, or with an `x` that a coordinate follows, blanks aside.
pub(super) fn begins_with_arrow(text: &str) -> bool {
    lex::begins_with_arrow(text.as_bytes())
}

/// A list of pieces joined by `|`, or `None` if what looked like a piece is the beginning of a move.
pub(super) fn placement<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Vec<Placed>>> {
    // A piece takes at least five bytes with its bar. More than this is asked for as it comes.
    let length = memchr::memchr(b' ', i.as_bytes()).unwrap_or(i.len());
    let mut all = Vec::with_capacity((length / 5 + 1).min(cursor.options.max_pieces).min(1 << 17));
    let mut rest = i;
    loop {
        rest = plain_entries(cursor, rest, &mut all);
        let is_first = all.is_empty();
        let next = if is_first { rest } else { Cursor::peek_blanks(rest) };
        if !is_first && !begins_with_piece(next) {
            if next.len() < rest.len() || ends_a_list(next) {
                trailing_bar(cursor, rest);
                return Ok((rest, Some(all)));
            }
            return expected(next, "a piece after `|`");
        }
        let mark = cursor.mark();
        if next.len() < rest.len() {
            cursor.warn(WarningKind::BlankAroundBar, cursor.span(rest, next));
            cursor.blanks(rest);
        }
        let (after, piece) = placed(cursor, next)?;
        if !piece.right && !after.starts_with('|') && begins_with_arrow(after) {
            // It was the first move.
            cursor.forget(mark);
            if is_first {
                return Ok((i, None));
            }
            trailing_bar(cursor, rest);
            return Ok((rest, Some(all)));
        }
        let limit = cursor.options.max_pieces;
        if all.len() >= limit {
            return fail(
                next,
                next.len() - after.len(),
                IcnErrorKind::TooMuch { what: Limited::Pieces, limit },
            );
        }
        all.push(piece);
        rest = match bar(cursor, after) {
            Some(after) => after,
            None => return Ok((after, Some(all))),
        };
    }
}

/// Warns of the bar right before a text.
fn trailing_bar(cursor: &Cursor<'_, '_>, after: &str) {
    let end = cursor.span(after, after).start;
    cursor.warn(WarningKind::TrailingBar, Span::new(end - 1, end));
}

/// The text after a `|`, if one stands here or after blanks.
#[inline]
fn bar<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> Option<&'a str> {
    if let Some(after) = text.strip_prefix('|') {
        return Some(after);
    }
    let next = Cursor::peek_blanks(text);
    let after = next.strip_prefix('|')?;
    cursor.warn(WarningKind::BlankAroundBar, cursor.span(text, next));
    cursor.blanks(text);
    Some(after)
}

/// Whether a trailing bar may stand right before this text: something that is clearly not a piece.
fn ends_a_list(next: &str) -> bool {
    next.is_empty() || next.starts_with(|c: char| c.is_ascii_digit() || "[{(-_.…*".contains(c))
}
