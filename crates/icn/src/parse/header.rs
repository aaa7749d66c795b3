//! Everything before the first move: tags, fields in any order, the position.

use std::collections::{BTreeSet, HashMap};

use boardprint_base::{
    Border, Coord, GameResult, JsonObject, KNOWN_WIN_CONDITIONS, MoveRule, PieceKind, Placed, Player,
    Presets, Span, Square, SyntaxErrorKind, Tag, TurnOrder,
};

use super::brace::{Brace, brace};
use super::cursor::{Cursor, PResult, broken, expected, fail, is_field_end, unexpected};
use super::number::{coord, counter, lex, split_digits, square};
use super::piece::{begins_with_arrow, kind_of, placement, split_letters};
use super::strict::Feature;
use super::tag::tag;
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

/// One player's part of the promotion field.
#[derive(Default)]
pub(super) struct PromotionPart {
    pub(super) ranks: Vec<Coord>,
    pub(super) choices: Option<Vec<PieceKind>>,
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
    if let Some(behind) = rest.strip_prefix('\u{feff}') {
        cursor.warn(WarningKind::ByteOrderMark, cursor.span(rest, behind));
        rest = behind;
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
                if rest.starts_with('[') {
                    cursor.warn(WarningKind::TagsWithoutBlank, cursor.span(rest, &rest[1..]));
                }
                rest
            }
            '{' => braces(cursor, &mut header, at)?.0,
            '(' => {
                let (rest, field) = parentheses(cursor, at)?;
                put(cursor, &mut header, &mut order, field, at, rest)?
            }
            _ if begins_moves(at) => return Ok((at, header)),
            '0'..='9' | '-' | '_' => {
                let (rest, field) = number_field(cursor, at)?;
                match field {
                    Some(field) => put(cursor, &mut header, &mut order, field, at, rest)?,
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
fn begins_moves(text: &str) -> bool {
    if result(text).is_some() || text.starts_with(['.', '…', '*']) {
        return true;
    }
    let (digits, behind) = split_digits(text);
    let number_of_move = !digits.is_empty()
        && lex(text).is_some_and(|(_, number)| !number.has_exponent())
        && (behind.starts_with(['.', '…'])
            || Cursor::peek_blanks(behind).starts_with(['…'])
            || Cursor::peek_blanks(behind).starts_with("..."));
    number_of_move || skip_square(text).is_some_and(begins_with_arrow)
}

/// The text behind a square, without reading its numbers.
fn skip_square(text: &str) -> Option<&str> {
    let rest = lex(text)?.0.strip_prefix(',')?;
    Some(lex(rest)?.0)
}

/// A result that stands alone.
pub(super) fn result(text: &str) -> Option<(GameResult, &str)> {
    GameResult::ALL.into_iter().find_map(|result| {
        text.strip_prefix(result.as_str()).filter(|rest| is_field_end(rest)).map(|rest| (result, rest))
    })
}

fn add_tag<'a>(
    cursor: &Cursor<'a, '_>,
    header: &mut Header<'a>,
    tag: Tag,
    at: &'a str,
    rest: &'a str,
) -> Result<(), nom::Err<super::cursor::Fault<'a>>> {
    if let Some(known) = header.tag_index.find(&header.tags, &tag.name) {
        cursor.warn(WarningKind::DuplicateTag, cursor.span(at, rest));
        header.tags[known].value = tag.value;
        return Ok(());
    }
    if header.tags.len() >= cursor.options.max_tags {
        let limit = cursor.options.max_tags;
        return Err(super::cursor::fatal(
            at,
            at.len() - rest.len(),
            SyntaxErrorKind::TooMuch { what: "tags", limit },
        ));
    }
    header.tag_index.add(header.tags.len(), &tag.name);
    header.tags.push(tag);
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
        Brace::Rules(object) => once(cursor, &mut header.extra, object, "extra rules", at, rest)?,
        Brace::Comment(text) => {
            cursor.warn(WarningKind::CommentBeforeMoves, cursor.span(at, rest));
            header.comments.push(text);
        }
    }
    Ok((rest, ()))
}

/// A field of any kind.
enum Field {
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
) -> Result<&'a str, nom::Err<super::cursor::Fault<'a>>> {
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
        Field::Turn(value) => once(cursor, &mut header.turn, value, "turn", at, rest)?,
        Field::EnPassant(value) => {
            once(cursor, &mut header.en_passant, value, "en passant square", at, rest)?
        }
        Field::MoveRule(value) => once(cursor, &mut header.move_rule, value, "move rule", at, rest)?,
        Field::FullMove(value) => once(cursor, &mut header.full_move, value, "full move number", at, rest)?,
        Field::Promotion(value) => once(cursor, &mut header.promotion, value, "promotion", at, rest)?,
        Field::Border(value) => once(cursor, &mut header.border, value, "world border", at, rest)?,
        Field::Wins(value) => once(cursor, &mut header.wins, value, "win conditions", at, rest)?,
        Field::Squares(value) => once(cursor, &mut header.squares, value, "Squares", at, rest)?,
        Field::Rays(value) => once(cursor, &mut header.rays, value, "Rays", at, rest)?,
        Field::Position(value) => {
            once(cursor, &mut header.position, value, "position", at, rest)?;
            header.position_text = &at[..at.len() - rest.len()];
        }
    }
    Ok(rest)
}

fn once<'a, T>(
    cursor: &Cursor<'a, '_>,
    slot: &mut Option<At<T>>,
    value: T,
    what: &'static str,
    at: &'a str,
    rest: &'a str,
) -> Result<(), nom::Err<super::cursor::Fault<'a>>> {
    if let Some(first) = slot {
        let kind = SyntaxErrorKind::Twice { what, first: first.span };
        return Err(super::cursor::fatal(at, at.len() - rest.len(), kind));
    }
    *slot = Some(At { value, span: cursor.span(at, rest) });
    Ok(())
}

/// A field that begins with a number, `-` or `_`; `None` for a lone dash. Moves were ruled out before.
fn number_field<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    if let Some(rest) = i.strip_prefix('-')
        && is_field_end(rest)
    {
        cursor.warn(WarningKind::Dash, cursor.span(i, rest));
        return Ok((rest, None));
    }
    if i.starts_with('_') || lex(i).is_some_and(|(rest, _)| rest.starts_with(',')) {
        return square_or_border(cursor, i).map(|(rest, field)| (rest, Some(field)));
    }
    let (digits, behind) = split_digits(i);
    if !digits.is_empty()
        && behind.starts_with(|c: char| c.is_ascii_alphabetic())
        && lex(i).is_some_and(|(_, number)| !number.has_exponent())
    {
        return position(cursor, i);
    }
    if i.starts_with('-') {
        return match lex(i) {
            Some((rest, _)) => broken(
                i,
                i.len() - rest.len(),
                "a counter is a number without sign",
                "write it without the `-`",
            ),
            None => unknown_token(i),
        };
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
    let mut sides: Vec<Option<Coord>> = Vec::with_capacity(4);
    let mut rest = i;
    loop {
        let side;
        (rest, side) = match rest.strip_prefix('_') {
            Some(rest) => (rest, None),
            None => coord(cursor, rest).map(|(rest, value)| (rest, Some(value)))?,
        };
        sides.push(side);
        match rest.strip_prefix(',') {
            Some(behind) if sides.len() <= 4 => rest = behind,
            _ => break,
        }
    }
    let len = i.len() - rest.len();
    match <[Option<Coord>; 4]>::try_from(sides) {
        Ok([left, right, bottom, top]) => {
            let border = Border { left, right, bottom, top };
            if border.is_inverted() {
                return broken(i, len, "an inverted border", "a border is left,right,bottom,top");
            }
            cursor.uses(Feature::Border, cursor.span(i, rest));
            Ok((rest, Field::Border(border)))
        }
        Err(sides) => match <[Option<Coord>; 2]>::try_from(sides) {
            Ok([Some(x), Some(y)]) => Ok((rest, Field::EnPassant(Square { x, y }))),
            _ => broken(
                i,
                len,
                "neither a square nor a border",
                "a square is `x,y`, a border `left,right,bottom,top`",
            ),
        },
    }
}

/// Whatever begins with a letter: turn, win conditions, presets, the position; `None` if it is a move.
fn word_field<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    let (word, behind) = split_letters(i);
    match behind.as_bytes().first() {
        Some(b'0'..=b'9' | b'-' | b'+') => return position(cursor, i),
        Some(b':') => match word {
            "Squares" => {
                return presets(cursor, i, &behind[1..], square)
                    .map(|(rest, list)| (rest, Some(Field::Squares(list))));
            }
            "Rays" => {
                return presets(cursor, i, &behind[1..], ray)
                    .map(|(rest, list)| (rest, Some(Field::Rays(list))));
            }
            _ => return turn(cursor, i).map(|(rest, turn)| (rest, Some(Field::Turn(turn)))),
        },
        _ => {}
    }
    if word.bytes().any(|b| b.is_ascii_uppercase()) {
        return unknown_token(i);
    }
    let lone = !behind.starts_with([',', '|']);
    if lone && Player::from_code(word).is_some() {
        return turn(cursor, i).map(|(rest, turn)| (rest, Some(Field::Turn(turn))));
    }
    let (rest, parts) = win_parts(cursor, i)?;
    if parts.len() > 1 {
        cursor.warn(WarningKind::PartsWithoutParentheses, cursor.span(i, rest));
    }
    Ok((rest, Some(Field::Wins(parts))))
}

fn position<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Option<Field>> {
    let (rest, list) = placement(cursor, i)?;
    Ok((rest, list.map(Field::Position)))
}

/// A turn order: `w`, `b`, `w:b:r`. `w` and `b` alone are the cycle of both.
fn turn<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, TurnOrder> {
    let mut cycle = Vec::new();
    let mut rest = i;
    loop {
        let (code, behind) = split_letters(rest);
        let Some(player) = Player::from_code(code) else {
            let nearest = Player::codes().iter().copied().find(|known| *known == code.to_ascii_lowercase());
            return fail(rest, code.len(), SyntaxErrorKind::Unknown { what: "player code", nearest });
        };
        cycle.push(player);
        match behind.strip_prefix(':') {
            Some(behind) => rest = behind,
            None => {
                rest = behind;
                break;
            }
        }
    }
    let turn = match cycle[..] {
        [Player::WHITE] => TurnOrder::white_first(),
        [Player::BLACK] => TurnOrder::black_first(),
        _ => {
            cursor.uses(Feature::TurnOrder, cursor.span(i, rest));
            TurnOrder::new(cycle).expect("the loop takes at least one player")
        }
    };
    Ok((rest, turn))
}

/// `Squares:` or `Rays:` with its list.
fn presets<'a, T>(
    cursor: &Cursor<'a, '_>,
    i: &'a str,
    list: &'a str,
    item: fn(&Cursor<'a, '_>, &'a str) -> PResult<'a, T>,
) -> PResult<'a, Vec<T>> {
    let (mut rest, first) = item(cursor, list)?;
    let mut all = vec![first];
    while let Some(behind) = rest.strip_prefix('|') {
        let next;
        (rest, next) = item(cursor, behind)?;
        all.push(next);
    }
    cursor.uses(Feature::Presets, cursor.span(i, rest));
    Ok((rest, all))
}

fn ray<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, (Square, Square)> {
    let (rest, start) = square(cursor, i)?;
    let Some(rest) = rest.strip_prefix('>') else {
        return expected(rest, "`>` and the direction of the ray");
    };
    let (rest, direction) = square(cursor, rest)?;
    Ok((rest, (start, direction)))
}

/// A field in parentheses: win conditions if a letter follows, else promotion.
fn parentheses<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Field> {
    if memchr::memchr(b')', i.as_bytes()).is_none() {
        return fail(i, 1, SyntaxErrorKind::Unclosed('('));
    }
    let inner = &i[1..];
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let (rest, parts) = promotion_parts(cursor, inner)?;
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

/// The text behind a `|` between parts, with or without blanks beside it.
fn part_bar<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> Option<&'a str> {
    let behind = Cursor::peek_blanks(text).strip_prefix('|')?;
    let next = Cursor::peek_blanks(behind);
    if next.len() + 1 < text.len() {
        cursor.warn(WarningKind::BlankAroundBar, cursor.span(text, next));
        cursor.blanks(text);
        cursor.blanks(behind);
    }
    Some(next)
}

/// Lists of win conditions, one a player, joined by `|`.
fn win_parts<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Vec<BTreeSet<Box<str>>>> {
    let mut parts = Vec::new();
    let mut rest = i;
    loop {
        let mut words = BTreeSet::new();
        loop {
            let word;
            (rest, word) = win_condition(cursor, rest)?;
            words.insert(word.into());
            match rest.strip_prefix(',') {
                Some(behind) => rest = behind,
                None => break,
            }
        }
        parts.push(words);
        match part_bar(cursor, rest) {
            Some(behind) => rest = behind,
            None => return Ok((rest, parts)),
        }
    }
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
        return broken(
            i,
            len,
            "a player code is no win condition",
            "the turn stands alone, without `,` and `|`",
        );
    }
    if !KNOWN_WIN_CONDITIONS.contains(&word) {
        cursor.warn(WarningKind::WinCondition, cursor.span(i, rest));
    }
    Ok((rest, word))
}

/// Ranks and choices, one part a player, joined by `|`.
fn promotion_parts<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, Vec<PromotionPart>> {
    let mut parts = Vec::new();
    let mut rest = i;
    loop {
        let part;
        (rest, part) = promotion_part(cursor, rest)?;
        parts.push(part);
        match part_bar(cursor, rest) {
            Some(behind) => rest = behind,
            None => return Ok((rest, parts)),
        }
    }
}

fn promotion_part<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, PromotionPart> {
    let mut part = PromotionPart::default();
    let mut rest = i;
    if rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        loop {
            let rank;
            (rest, rank) = coord(cursor, rest)?;
            part.ranks.push(rank);
            match rest.strip_prefix(',') {
                Some(behind) => rest = behind,
                None => break,
            }
        }
        if part.ranks.len() > 1 {
            cursor.uses(Feature::SeveralRanks, cursor.span(i, rest));
        }
    }
    let Some(mut list) = rest.strip_prefix(';') else { return Ok((rest, part)) };
    if part.ranks.is_empty() {
        return broken(rest, 1, "choices without a rank", "say where to promote: `8;q,r`");
    }
    let mut choices = Vec::new();
    loop {
        let (behind, kind) = choice(cursor, list)?;
        choices.push(kind);
        match behind.strip_prefix(',') {
            Some(behind) => list = behind,
            None => {
                part.choices = Some(choices);
                return Ok((behind, part));
            }
        }
    }
}

/// A piece code in a list of choices; its case has no meaning.
fn choice<'a>(cursor: &Cursor<'a, '_>, i: &'a str) -> PResult<'a, PieceKind> {
    let (code, rest) = split_letters(i);
    if code.is_empty() {
        return expected(i, "a piece code");
    }
    let upper = code.bytes().filter(u8::is_ascii_uppercase).count();
    if upper != 0 && upper != code.len() {
        return broken(i, code.len(), "a piece code of mixed case", "write it in upper or in lower case");
    }
    match kind_of(cursor.options, code) {
        Ok(kind) if kind.is_neutral() => {
            broken(i, code.len(), "nobody promotes to this", "obstacles and voids are not pieces")
        }
        Ok(kind) => Ok((rest, kind)),
        Err(nearest) => fail(i, code.len(), SyntaxErrorKind::Unknown { what: "piece code", nearest }),
    }
}

/// A word that is no field.
fn unknown_token<T>(i: &str) -> PResult<'_, T> {
    let len = i.find(char::is_whitespace).unwrap_or(i.len());
    let lower = i[..len].to_ascii_lowercase();
    let known = Player::codes().iter().chain(&KNOWN_WIN_CONDITIONS);
    let nearest = known.copied().find(|word| *word == lower);
    fail(i, len, SyntaxErrorKind::Unknown { what: "token", nearest })
}
