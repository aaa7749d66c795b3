//! Fields that begin with a number or a letter: turn, en passant, counters, border, presets, the position.

use std::collections::BTreeSet;

use boardprint_base::{Border, Coord, KNOWN_WIN_CONDITIONS, MoveRule, Placed, Player, Square, TurnOrder};
use nom::Parser;
use nom::combinator::map;
use nom::sequence::separated_pair;

use super::cursor::{Cursor, PResult, broken, fail, is_field_end, joined, needed};
use super::laws::{PromotionPart, win_parts};
use super::number::{coord, counter, is_scientific, lex, split_digits, square};
use super::piece::{placement, split_letters};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Limited, Rule, Term};
use crate::warning::WarningKind;

/// A field of any kind.
pub(super) enum Field {
    Turn(TurnOrder),
    EnPassant(Square),
    MoveRule(MoveRule),
    FullMove(Coord),
    Promotion(Vec<PromotionPart>),
    Border(Border),
    Wins(Vec<BTreeSet<Box<str>>>),
    Squares(Vec<Square>),
    Rays(Vec<(Square, Square)>),
    Position(Vec<Placed>),
}

/// A field that begins with a number, `-` or `_`; `None` for a lone dash, and where a move begins. Moves were
/// ruled out before.
pub(super) fn number_field<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    if let Some(rest) = i.strip_prefix('-')
        && is_field_end(rest)
    {
        cursor.warn(WarningKind::Dash, cursor.span(i, rest));
        return Ok((rest, None));
    }
    if i.starts_with('_') || lex(i).is_some_and(|(rest, _)| rest.starts_with(',')) {
        return map(|i| square_or_border(cursor, i), Some).parse(i);
    }
    if i.starts_with('-') {
        let Some((rest, _)) = lex(i) else { return unknown_token(i) };
        return broken(i, i.len() - rest.len(), Rule::SignedCounter);
    }
    let (_, after) = split_digits(i);
    if after.starts_with(':') {
        return turn(cursor, i);
    }
    if after.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_scientific(i) {
        return position(cursor, i);
    }
    let (rest, count) = counter(cursor, i)?;
    let Some(limit) = rest.strip_prefix('/') else {
        if count.is_zero() {
            cursor.warn(WarningKind::FullMoveZero, cursor.span(i, rest));
        }
        return Ok((rest, Some(Field::FullMove(count))));
    };
    let (rest, limit) = counter(cursor, limit)?;
    if count > limit || limit.is_zero() {
        cursor.warn(WarningKind::MoveRule, cursor.span(i, rest));
    }
    Ok((rest, Some(Field::MoveRule(MoveRule { count, limit }))))
}

/// `x,y` or `left,right,bottom,top` with `_` for an open side.
fn square_or_border<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Field> {
    let side = |i: &'a str| match i.strip_prefix('_') {
        Some(rest) => Ok((rest, None)),
        None => map(|i| coord(cursor, i), Some).parse(i),
    };
    let (rest, sides) = joined(',', side)(i)?;
    let len = i.len() - rest.len();
    match <[Option<Coord>; 4]>::try_from(sides) {
        Ok([left, right, bottom, top]) => {
            let border = Border { left, right, bottom, top };
            if border.is_inverted() {
                return broken(i, len, Rule::InvertedBorder);
            }
            cursor.uses(Feature::Border, cursor.span(i, rest));
            if i[..len].contains('_') {
                cursor.uses(Feature::OpenBorder, cursor.span(i, rest));
            }
            Ok((rest, Field::Border(border)))
        }
        Err(sides) => match <[Option<Coord>; 2]>::try_from(sides) {
            Ok([Some(x), Some(y)]) => Ok((rest, Field::EnPassant(Square { x, y }))),
            _ => broken(i, len, Rule::NoSquareNoBorder),
        },
    }
}

/// Whatever begins with a letter: turn, win conditions, presets, the position; `None` if it is a move.
pub(super) fn word_field<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    let (word, after) = split_letters(i);
    match after.as_bytes().first() {
        Some(b'0'..=b'9' | b'-' | b'+') => return position(cursor, i),
        Some(b':') => match word {
            "Squares" => return presets(cursor, i, &after[1..], square, Field::Squares),
            "Rays" => return presets(cursor, i, &after[1..], ray, Field::Rays),
            _ => return turn(cursor, i),
        },
        _ => {}
    }
    if word.bytes().any(|b| b.is_ascii_uppercase()) {
        return unknown_token(i);
    }
    let lone = !after.starts_with([',', '|']);
    if lone && Player::from_code(word).is_some() {
        return turn(cursor, i);
    }
    let (rest, parts) = win_parts(cursor, i)?;
    if parts.len() > 1 {
        cursor.warn(WarningKind::PartsWithoutParentheses, cursor.span(i, rest));
    }
    Ok((rest, Some(Field::Wins(parts))))
}

fn position<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    map(|i| placement(cursor, i), |list| list.map(Field::Position)).parse(i)
}

/// A turn order: `w`, `b`, `w:b:r`. `w` and `b` alone are the cycle of both.
fn turn<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    let (rest, cycle) = joined(':', player)(i)?;
    let limit = cursor.options.max_turns;
    if cycle.len() > limit {
        return fail(i, i.len() - rest.len(), IcnErrorKind::TooMuch { what: Limited::Turns, limit });
    }
    let turn = match cycle[..] {
        [Player::WHITE] => TurnOrder::white_first(),
        [Player::BLACK] => TurnOrder::black_first(),
        _ => {
            cursor.uses(Feature::TurnOrder, cursor.span(i, rest));
            if cycle.iter().any(|player| player.code().is_none()) {
                cursor.uses(Feature::NumberedTurn, cursor.span(i, rest));
            }
            TurnOrder::new(cycle).expect("a joined list has at least one item")
        }
    };
    Ok((rest, Some(Field::Turn(turn))))
}

/// A player of a turn order by its code, beyond green by its number.
fn player(i: &str) -> PResult<'_, Player> {
    let (digits, behind) = split_digits(i);
    if !digits.is_empty() {
        let number = Some(digits).filter(|digits| !digits.starts_with('0') || digits.len() == 1);
        return match number.and_then(|digits| digits.parse().ok()).map(Player) {
            None => broken(i, digits.len(), Rule::PlayerNumber),
            Some(player) if player.code().is_none() => Ok((behind, player)),
            Some(player) => {
                let kind = IcnErrorKind::Unknown { what: Term::PlayerCode, nearest: player.code() };
                fail(i, digits.len(), kind)
            }
        };
    }
    let (code, rest) = split_letters(i);
    let Some(player) = Player::from_code(code) else {
        let nearest = Player::codes().iter().copied().find(|known| known.eq_ignore_ascii_case(code));
        let by_name = || {
            let is_named = |name: &&&str| name.eq_ignore_ascii_case(code);
            Player::names().iter().find(is_named).and_then(|name| Player::from_name(name)?.code())
        };
        let nearest = nearest.or_else(by_name);
        return fail(i, code.len(), IcnErrorKind::Unknown { what: Term::PlayerCode, nearest });
    };
    Ok((rest, player))
}

/// `Squares:` or `Rays:` with its list.
fn presets<'a, T>(
    cursor: &Cursor<'a, '_>,
    i: &'a str,
    list: &'a str,
    item: fn(&Cursor<'a, '_>, &'a str) -> PResult<'a, T>,
    field: fn(Vec<T>) -> Field,
) -> PResult<'a, Option<Field>> {
    let (rest, all) = joined('|', |i| item(cursor, i))(list)?;
    cursor.uses(Feature::Presets, cursor.span(i, rest));
    Ok((rest, Some(field(all))))
}

fn ray<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, (Square, Square)> {
    let end = |i| square(cursor, i);
    separated_pair(end, needed('>', "`>` and the direction of the ray"), end).parse(i)
}

/// A word that is not a field.
pub(super) fn unknown_token<T>(i: &str) -> PResult<'_, T> {
    let len = i.find(char::is_whitespace).unwrap_or(i.len());
    let lower = i[..len].to_ascii_lowercase();
    let known = Player::codes().iter().chain(&KNOWN_WIN_CONDITIONS);
    let nearest = known.copied().find(|word| *word == lower);
    fail(i, len, IcnErrorKind::Unknown { what: Term::Token, nearest })
}
