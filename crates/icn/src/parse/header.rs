//! Everything before the first move: tags, fields in any order, the position.

use std::collections::{BTreeSet, HashMap};

use boardprint_base::{
    Border, Coord, GameResult, JsonObject, MoveRule, Placed, Presets, Span, Square, Tag, TurnOrder,
};

use super::brace::{Brace, brace};
use super::cursor::{Cursor, Halt, PResult, fatal, is_field_end, unexpected};
use super::field::{Field, number_field, unknown_token, word_field};
use super::laws::{PromotionPart, parentheses};
use super::moves::is_bare_number;
use super::number::{is_scientific, split_digits};
use super::piece::begins_with_arrow;
use super::strict::Feature;
use super::tag::tag;
use crate::error::{IcnErrorKind, Limited, Part};
use crate::lex;
use crate::warning::WarningKind;

/// A field and where it stands.
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

/// What was read before the first move.
#[derive(Default)]
pub(super) struct Header<'a> {
    pub(super) tags: Vec<Tag>,
    /// Where each of them stands.
    pub(super) tag_spans: Vec<Span>,
    tag_index: TagIndex,
    pub(super) turn: Option<At<TurnOrder>>,
    pub(super) en_passant: Option<At<Square>>,
    pub(super) move_rule: Option<At<MoveRule>>,
    pub(super) full_move: Option<At<Coord>>,
    pub(super) promotion: Option<At<Vec<PromotionPart>>>,
    pub(super) border: Option<At<Border>>,
    pub(super) wins: Option<At<Vec<BTreeSet<Box<str>>>>>,
    pub(super) extra: Option<At<JsonObject>>,
    pub(super) squares: Option<At<Vec<Square>>>,
    pub(super) rays: Option<At<Vec<(Square, Square)>>>,
    pub(super) position: Option<At<Vec<Placed>>>,
    pub(super) comments: Vec<&'a str>,
    /// The text of the list of pieces, for showing a piece again.
    pub(super) position_text: &'a str,
}

impl Header<'_> {
    pub(super) fn presets(&mut self) -> Presets {
        Presets {
            squares: self.squares.take().map(|at| at.value).unwrap_or_default(),
            rays: self.rays.take().map(|at| at.value).unwrap_or_default(),
        }
    }
}

/// Reads up to the first move, move number, result, or the end.
pub(super) fn header<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> PResult<'a, Header<'a>> {
    let mut header = Header::default();
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('\u{feff}') {
        cursor.warn(WarningKind::ByteOrderMark, cursor.span(rest, after));
        rest = after;
    }
    let mut order = FieldOrder::default();
    loop {
        rest = cursor.blanks(rest);
        let at = rest;
        let Some(next) = at.chars().next() else { return Ok((at, header)) };
        rest = match next {
            '[' => {
                let (rest, tag) = tag(cursor, at)?;
                add_tag(cursor, &mut header, tag, at, rest)?;
                if order.last > 0 {
                    cursor.uses(Feature::FieldOrder, cursor.span(at, rest));
                }
                if let Some(after) = rest.strip_prefix('[') {
                    cursor.warn(WarningKind::TagsWithoutBlank, cursor.span(rest, after));
                } else if !is_field_end(rest) {
                    cursor.uses(Feature::TightField, cursor.span(at, rest));
                }
                rest
            }
            '{' => braces(cursor, &mut header, at)?.0,
            '(' => {
                let (rest, field) = parentheses(cursor, at)?;
                if matches!(field, Field::Wins(_)) && header.promotion.is_none() {
                    cursor.uses(Feature::WinPartsFirst, cursor.span(at, rest));
                }
                put(cursor, &mut header, &mut order, field, at, rest)?
            }
            _ if begins_moves(at, &header) => return Ok((at, header)),
            '0'..='9' | '-' | '_' => {
                let (rest, field) = number_field(cursor, at)?;
                match field {
                    Some(field) => put(cursor, &mut header, &mut order, field, at, rest)?,
                    // A move of a numbered piece: `3p1,2>1,3`.
                    None if rest.len() == at.len() => return Ok((at, header)),
                    None => rest,
                }
            }
            'A'..='Z' | 'a'..='z' => {
                let (rest, field) = word_field(cursor, at)?;
                match field {
                    Some(field) => put(cursor, &mut header, &mut order, field, at, rest)?,
                    None => return Ok((at, header)),
                }
            }
            _ => return unknown_token(at),
        };
    }
}

/// Whether the moves begin here: a move number, dots, a result, or a move without a letter.
///
/// A bare number is the full move number; where that is given already and a move follows, it is a move number.
fn begins_moves(text: &str, header: &Header<'_>) -> bool {
    if result(text).is_some() || text.starts_with(['.', '…', '*']) {
        return true;
    }
    let (digits, after) = split_digits(text);
    let number_of_move = !digits.is_empty()
        && !is_scientific(text)
        && (after.starts_with(['.', '…'])
            || Cursor::peek_blanks(after).starts_with(['…'])
            || Cursor::peek_blanks(after).starts_with("..."));
    let bare_number = !digits.is_empty() && header.full_move.is_some() && is_bare_number(after);
    number_of_move || bare_number || skip_square(text).is_some_and(begins_with_arrow)
}

/// The text after a square, without reading its numbers.
pub(super) fn skip_square(text: &str) -> Option<&str> {
    lex::square(text.as_bytes()).map(|end| &text[end..])
}

/// A result that stands alone.
pub(super) fn result(text: &str) -> Option<(GameResult, &str)> {
    let (result, len) = lex::result(text.as_bytes())?;
    Some((result, &text[len..])).filter(|(_, rest)| is_field_end(rest))
}

fn add_tag<'a>(
    cursor: &Cursor<'a, '_>,
    header: &mut Header<'a>,
    tag: Tag,
    at: &'a str,
    rest: &'a str,
) -> Result<(), Halt<'a>> {
    if let Some(known) = header.tag_index.find(&header.tags, &tag.name) {
        cursor.warn(WarningKind::DuplicateTag, cursor.span(at, rest));
        header.tags[known].value = tag.value;
        header.tag_spans[known] = cursor.span(at, rest);
        return Ok(());
    }
    if header.tags.len() >= cursor.options.max_tags {
        let limit = cursor.options.max_tags;
        return Err(fatal(at, at.len() - rest.len(), IcnErrorKind::TooMuch { what: Limited::Tags, limit }));
    }
    header.tag_index.add(header.tags.len(), &tag.name);
    header.tags.push(tag);
    header.tag_spans.push(cursor.span(at, rest));
    Ok(())
}

/// Which tag has a name. A few tags are searched one by one, many by a map, so that time stays linear.
#[derive(Default)]
pub(super) struct TagIndex(HashMap<Box<str>, usize>);

impl TagIndex {
    const FEW: usize = 32;

    fn find(&self, tags: &[Tag], name: &str) -> Option<usize> {
        let few = &tags[..tags.len().min(Self::FEW)];
        few.iter().position(|tag| &*tag.name == name).or_else(|| self.0.get(name).copied())
    }

    fn add(&mut self, index: usize, name: &str) {
        if index >= Self::FEW {
            self.0.insert(name.into(), index);
        }
    }
}

/// Extra rules or a comment before the first move.
pub(super) fn braces<'a>(cursor: &Cursor<'a, '_>, header: &mut Header<'a>, at: &'a str) -> PResult<'a, ()> {
    let (rest, content) = brace(cursor, at)?;
    match content {
        Brace::Rules(object) if object.is_empty() => {}
        Brace::Rules(object) => once(cursor, &mut header.extra, object, Part::ExtraRules, at, rest)?,
        Brace::Comment(text) => {
            cursor.warn(WarningKind::CommentBeforeMoves, cursor.span(at, rest));
            header.comments.push(text);
        }
    }
    Ok((rest, ()))
}

/// Where a field stands in the fixed order of the site's converter.
#[derive(Default)]
struct FieldOrder {
    last: u8,
}

/// Takes a field, once.
fn put<'a>(
    cursor: &Cursor<'a, '_>,
    header: &mut Header<'a>,
    order: &mut FieldOrder,
    field: Field,
    at: &'a str,
    rest: &'a str,
) -> Result<&'a str, Halt<'a>> {
    if !is_field_end(rest) {
        return unexpected(rest).map(|(rest, ())| rest);
    }
    let rank = match field {
        Field::Turn(_) => 1,
        Field::EnPassant(_) => 2,
        Field::MoveRule(_) => 3,
        Field::FullMove(_) => 4,
        Field::Promotion(_) => 5,
        Field::Border(_) => 6,
        Field::Wins(_) => 7,
        Field::Squares(_) => 8,
        Field::Rays(_) => 9,
        Field::Position(_) => 10,
    };
    if rank < order.last {
        cursor.uses(Feature::FieldOrder, cursor.span(at, rest));
    }
    order.last = rank;
    match field {
        Field::Turn(value) => once(cursor, &mut header.turn, value, Part::Turn, at, rest)?,
        Field::EnPassant(value) => {
            once(cursor, &mut header.en_passant, value, Part::EnPassant, at, rest)?;
        }
        Field::MoveRule(value) => once(cursor, &mut header.move_rule, value, Part::MoveRule, at, rest)?,
        Field::FullMove(value) => once(cursor, &mut header.full_move, value, Part::FullMove, at, rest)?,
        Field::Promotion(value) => once(cursor, &mut header.promotion, value, Part::Promotion, at, rest)?,
        Field::Border(value) => once(cursor, &mut header.border, value, Part::WorldBorder, at, rest)?,
        Field::Wins(value) => once(cursor, &mut header.wins, value, Part::WinConditions, at, rest)?,
        Field::Squares(value) => once(cursor, &mut header.squares, value, Part::Squares, at, rest)?,
        Field::Rays(value) => once(cursor, &mut header.rays, value, Part::Rays, at, rest)?,
        Field::Position(value) => {
            once(cursor, &mut header.position, value, Part::Position, at, rest)?;
            header.position_text = &at[..at.len() - rest.len()];
        }
    }
    Ok(rest)
}

fn once<'a, T>(
    cursor: &Cursor<'a, '_>,
    slot: &mut Option<At<T>>,
    value: T,
    what: Part,
    at: &'a str,
    rest: &'a str,
) -> Result<(), Halt<'a>> {
    if let Some(first) = slot {
        let kind = IcnErrorKind::Twice { what, first: first.span };
        return Err(fatal(at, at.len() - rest.len(), kind));
    }
    *slot = Some(At { value, span: cursor.span(at, rest) });
    Ok(())
}
