//! Piece codes and lists of pieces.

use boardprint_base::{CustomCode, Piece, PieceKind, Placed, Player, SyntaxErrorKind};

use super::cursor::{Cursor, PResult, broken, expected, fail, fatal};
use super::number::{lex, split_digits, square};
use super::strict::Feature;
use crate::options::Options;
use crate::warning::WarningKind;

/// The letters that a text begins with, and the rest.
pub(super) fn split_letters(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_alphabetic).count())
}

/// A piece code with or without a player number: `K`, `am`, `3Q`.
#[inline]
pub(super) fn piece<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Piece> {
    // One letter of either case is nearly everything that is ever written.
    if let [letter, next, ..] = i.as_bytes()
        && !next.is_ascii_alphabetic()
        && let Some(kind) = one_letter(letter | 0x20)
        && letter.is_ascii_alphabetic()
    {
        let player = if letter.is_ascii_uppercase() { Player::WHITE } else { Player::BLACK };
        return Ok((&i[1..], Piece::new(kind, player)));
    }
    unusual_piece(cursor, i)
}

fn one_letter(lower: u8) -> Option<PieceKind> {
    Some(match lower {
        b'p' => PieceKind::Pawn,
        b'n' => PieceKind::Knight,
        b'b' => PieceKind::Bishop,
        b'r' => PieceKind::Rook,
        b'q' => PieceKind::Queen,
        b'k' => PieceKind::King,
        _ => return None,
    })
}

fn unusual_piece<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Piece> {
    let (number, letters) = split_digits(i);
    let (code, rest) = split_letters(letters);
    if code.is_empty() {
        return expected(letters, "a piece code");
    }
    let span = cursor.span(i, rest);
    let upper = code.bytes().all(|b| b.is_ascii_uppercase());
    let mixed = !upper && code.bytes().any(|b| b.is_ascii_uppercase());
    if mixed && number.is_empty() {
        return broken(
            i,
            code.len(),
            "a piece code of mixed case",
            "upper case is white, lower case is black",
        );
    }
    let kind = kind_of(cursor.options, code).map_err(|nearest| {
        let what = "piece code";
        fatal(i, i.len() - rest.len(), SyntaxErrorKind::Unknown { what, nearest })
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
        let hint = "players have numbers up to 4294967295";
        return broken(i, number.len(), "a player number beyond what can be told apart", hint);
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
pub(super) fn kind_of(options: &Options, code: &str) -> Result<PieceKind, Option<&'static str>> {
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
    if code.len() > 3 {
        return None;
    }
    let known = PieceKind::BUILT_IN.iter().map(PieceKind::code);
    known.filter(|known| known.len() > 1).find(|known| {
        let (a, b) = (code.as_bytes(), known.as_bytes());
        match (a, b) {
            ([a, b], [c, d]) => a == c || b == d || (a == d && b == c),
            ([a, b, c], [d, e]) => (a, b) == (d, e) || (b, c) == (d, e) || (a, c) == (d, e),
            _ => false,
        }
    })
}

/// A piece on its square with its right: `K5,1+`.
#[inline]
fn placed<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Placed> {
    let (rest, piece) = piece(cursor, i)?;
    let (rest, square) = square(cursor, rest)?;
    match rest.strip_prefix('+') {
        Some(rest) => Ok((rest, Placed::new(piece, square).with_right())),
        None => Ok((rest, Placed::new(piece, square))),
    }
}

/// Whether a text begins with a piece code and something like a coordinate.
fn begins_with_piece(text: &str) -> bool {
    let (_, behind_number) = split_digits(text);
    let (code, behind) = split_letters(behind_number);
    let is_word =
        code.is_empty() || !behind.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
    !is_word && lex(text).is_none_or(|(_, number)| !number.has_exponent())
}

/// Whether a text begins with `>`, or with an `x` that a coordinate follows, blanks aside.
pub(super) fn begins_with_arrow(text: &str) -> bool {
    let text = Cursor::peek_blanks(text);
    let is_coordinate = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    text.starts_with('>')
        || text
            .strip_prefix('x')
            .is_some_and(|rest| is_coordinate(Cursor::peek_blanks(rest.trim_start_matches(['x', '>']))))
}

/// A list of pieces joined by `|`, or `None` if what looked like a piece is the beginning of a move.
pub(super) fn placement<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Vec<Placed>>> {
    let mark = cursor.mark();
    let (mut rest, first) = placed(cursor, i)?;
    if !first.right && begins_with_arrow(rest) {
        cursor.forget(mark);
        return Ok((i, None));
    }
    let mut all = Vec::with_capacity(64);
    all.push(first);
    loop {
        // Committed by the bar; blanks before it only count if it is there.
        let Some(behind_bar) = bar(cursor, rest) else {
            return Ok((rest, Some(all)));
        };
        let next = Cursor::peek_blanks(behind_bar);
        if !begins_with_piece(next) {
            if next.len() < behind_bar.len() || ends_a_list(next) {
                cursor.warn(WarningKind::TrailingBar, cursor.span(rest, behind_bar));
                return Ok((behind_bar, Some(all)));
            }
            return expected(next, "a piece after `|`");
        }
        let mark = cursor.mark();
        if next.len() < behind_bar.len() {
            cursor.warn(WarningKind::BlankAroundBar, cursor.span(behind_bar, next));
            cursor.blanks(behind_bar);
        }
        let (behind, piece) = placed(cursor, next)?;
        if !piece.right && !behind.starts_with('|') && begins_with_arrow(behind) {
            cursor.forget(mark);
            cursor.warn(WarningKind::TrailingBar, cursor.span(rest, behind_bar));
            return Ok((behind_bar, Some(all)));
        }
        if all.len() >= cursor.options.max_pieces {
            return fail(
                next,
                next.len() - behind.len(),
                SyntaxErrorKind::TooMuch { what: "pieces", limit: cursor.options.max_pieces },
            );
        }
        all.push(piece);
        rest = behind;
    }
}

/// The text behind a `|`, if one stands here or behind blanks.
#[inline]
fn bar<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> Option<&'a str> {
    if let Some(behind) = text.strip_prefix('|') {
        return Some(behind);
    }
    let next = Cursor::peek_blanks(text);
    let behind = next.strip_prefix('|')?;
    cursor.warn(WarningKind::BlankAroundBar, cursor.span(text, next));
    cursor.blanks(text);
    Some(behind)
}

/// Whether a trailing bar may stand right before this text: something that is clearly no piece.
fn ends_a_list(next: &str) -> bool {
    next.is_empty() || next.starts_with(|c: char| c.is_ascii_digit() || "[{(-_.…*".contains(c))
}
