//! Promotion and win conditions, one part per player.

use std::collections::BTreeSet;

use boardprint_base::{Coord, KNOWN_WIN_CONDITIONS, PieceKind, Player};

use super::cursor::{Cursor, PResult, broken, expected, fail, joined, unexpected};
use super::field::{Field, unknown_token};
use super::number::coord;
use super::piece::{kind_of, split_letters};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Rule, Term};
use crate::warning::WarningKind;

/// One player's part of the promotion field.
#[derive(Default)]
pub(super) struct PromotionPart {
    pub(super) ranks: Vec<Coord>,
    pub(super) choices: Option<Vec<PieceKind>>,
}

/// A field in parentheses: win conditions if a letter follows, else promotion.
pub(super) fn parentheses<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Field> {
    if memchr::memchr(b')', i.as_bytes()).is_none() {
        return fail(i, 1, IcnErrorKind::Unclosed('('));
    }
    let inner = &i[1..];
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let (rest, parts) = parts(cursor, inner, |i| promotion_part(cursor, i))?;
        return close(rest).map(|(rest, ())| (rest, Field::Promotion(parts)));
    }
    let (rest, parts) = win_parts(cursor, inner)?;
    let (rest, ()) = close(rest)?;
    if parts.len() == 1 {
        cursor.warn(WarningKind::SharedPart, cursor.span(i, rest));
    } else {
        cursor.uses(Feature::WinParts, cursor.span(i, rest));
    }
    Ok((rest, Field::Wins(parts)))
}

fn close(rest: &str) -> PResult<'_, ()> {
    match rest.strip_prefix(')') {
        Some(rest) => Ok((rest, ())),
        None => unexpected(rest),
    }
}

/// Parts joined by `|`.
fn parts<'a, T>(
    cursor: &Cursor<'a, '_>,
    i: &'a str,
    mut part: impl FnMut(&'a str) -> PResult<'a, T>,
) -> PResult<'a, Vec<T>> {
    let (mut rest, first) = part(i)?;
    let mut all = vec![first];
    while let Some(after) = part_bar(cursor, rest) {
        let next;
        (rest, next) = part(after)?;
        all.push(next);
    }
    Ok((rest, all))
}

/// The text after a `|` between parts, with or without blanks beside it.
fn part_bar<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> Option<&'a str> {
    let after = Cursor::peek_blanks(text).strip_prefix('|')?;
    let next = Cursor::peek_blanks(after);
    if next.len() + 1 < text.len() {
        cursor.warn(WarningKind::BlankAroundBar, cursor.span(text, next));
        cursor.blanks(text);
        cursor.blanks(after);
    }
    Some(next)
}

/// Lists of win conditions, one per player, joined by `|`.
pub(super) fn win_parts<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Vec<BTreeSet<Box<str>>>> {
    parts(cursor, i, |i| {
        let (rest, words) = joined(',', |i| win_condition(cursor, i))(i)?;
        Ok((rest, words.into_iter().map(Into::into).collect()))
    })
}

fn win_condition<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, &'a str> {
    let len = i.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (word, rest) = i.split_at(len);
    if word.is_empty() {
        return expected(i, "a win condition");
    }
    if !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return unknown_token(i);
    }
    if Player::from_code(word).is_some() {
        return broken(i, len, Rule::PlayerAsCondition);
    }
    if !KNOWN_WIN_CONDITIONS.contains(&word) {
        cursor.warn(WarningKind::WinCondition, cursor.span(i, rest));
    } else if word == "threecheck" {
        cursor.uses(Feature::ThreeCheck, cursor.span(i, rest));
    }
    Ok((rest, word))
}

/// Ranks and choices of one player; nothing at all if the player never promotes.
fn promotion_part<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, PromotionPart> {
    let mut part = PromotionPart::default();
    let mut rest = i;
    if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        (rest, part.ranks) = joined(',', |i| coord(cursor, i))(i)?;
        if part.ranks.len() > 1 {
            cursor.uses(Feature::SeveralRanks, cursor.span(i, rest));
        }
    }
    let Some(list) = rest.strip_prefix(';') else { return Ok((rest, part)) };
    if part.ranks.is_empty() {
        return broken(rest, 1, Rule::ChoicesWithoutRank);
    }
    let (rest, choices) = joined(',', |i| choice(cursor, i))(list)?;
    part.choices = Some(choices);
    Ok((rest, part))
}

/// A piece code in a list of choices; its case has no meaning.
fn choice<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, PieceKind> {
    let (code, rest) = split_letters(i);
    if code.is_empty() {
        return expected(i, "a piece code");
    }
    let upper = code.bytes().filter(u8::is_ascii_uppercase).count();
    if upper != 0 && upper != code.len() {
        return broken(i, code.len(), Rule::MixedCaseChoice);
    }
    match kind_of(cursor.options, code) {
        Ok(kind) if kind.is_neutral() => broken(i, code.len(), Rule::NeutralPromotion),
        Ok(kind) => Ok((rest, kind)),
        Err(nearest) => fail(i, code.len(), IcnErrorKind::Unknown { what: Term::PieceCode, nearest }),
    }
}
