//! The moves and what stands between them.

use std::iter;

use boardprint_base::replay::play;
use boardprint_base::{GameResult, Move, Notes, Piece, Player, Position, Span, Square};

use super::brace::comment;
use super::cursor::{Cursor, Halt, PResult, broken, expected, fail};
use super::finish::Draft;
use super::header::{result, skip_square};
use super::number::{is_scientific, plain_square, split_digits, square};
use super::piece::{begins_with_arrow, piece, split_letters};
use super::strict::Feature;
use crate::error::{IcnErrorKind, Part, Rule};
use crate::warning::WarningKind;

/// What was read from the first move on.
#[derive(Default)]
pub(super) struct Moves<'a> {
    pub(super) list: Vec<Move>,
    /// Comments after a move number but before the first move.
    pub(super) opening_comments: Vec<&'a str>,
    pub(super) result: Option<GameResult>,
    pub(super) closing_comments: Vec<&'a str>,
    /// Marks after comments of the last move. They join its other marks when it has all, so that time stays
    /// linear.
    late_marks: String,
}

impl Moves<'_> {
    /// The last move has all its marks.
    fn settle_marks(&mut self) {
        if self.late_marks.is_empty() {
            return;
        }
        if let Some(last) = self.list.last_mut() {
            last.notes.marks = [&*last.notes.marks, &self.late_marks].concat().into();
        }
        self.late_marks.clear();
    }
}

/// Reads to the end of the text.
pub(super) fn moves<'a>(cursor: &Cursor<'a, '_>, i: &'a str, draft: &Draft<'_>) -> PResult<'a, Moves<'a>> {
    let mut moves = Moves::default();
    let mut board = Board::new(draft.start());
    let limit = cursor.options.move_limit(draft.start().map_or(0, |start| start.pieces.len()));
    let (mut last_bar, mut last_number) = (None, None);
    // The first move follows a blank, or the bracket of a tag or of extra rules.
    let mut separated = true;
    // A move or one of its comments stands right before, so that marks may follow.
    let mut markable = false;
    let mut gap = i;
    let mut rest = i;
    loop {
        let at = cursor.blanks(rest);
        separated |= at.len() < rest.len();
        rest = at;
        let first = at.as_bytes().first();
        let found =
            if matches!(first, Some(b'0'..=b'9' | b'.' | b'*' | 0x80..)) { separator(at) } else { None };
        match (first, found) {
            (None, _) => break,
            (Some(b'|'), _) => {
                rest = &at[1..];
                last_bar = Some(cursor.span(at, rest));
                (separated, markable) = (true, false);
            }
            (Some(b'{'), _) => {
                rest = between(cursor, &mut moves, at)?;
                (separated, markable) = (true, !moves.list.is_empty());
            }
            (Some(b'+' | b'#' | b'!' | b'?' | b'='), _) if markable && !begins_promotion(at) => {
                rest = late_marks(cursor, &mut moves, at);
            }
            (_, Some(found)) => {
                rest = found.rest;
                (separated, markable) = (true, false);
                let span = cursor.span(at, rest);
                match found.kind {
                    Kind::Result(result) => {
                        cursor.warn(WarningKind::ResultAfterMoves, span);
                        moves.result = Some(result);
                        rest = closing(cursor, &mut moves, rest)?;
                        break;
                    }
                    Kind::Number { ellipsis } => {
                        last_number = Some(span);
                        if ellipsis {
                            cursor.note_odd_blanks(at, rest);
                            cursor.warn(WarningKind::Ellipsis, span);
                        }
                    }
                    Kind::BareNumber => cursor.warn(WarningKind::NumberWithoutDot, span),
                    Kind::Ellipsis => cursor.warn(WarningKind::Ellipsis, span),
                    Kind::LoneDot => cursor.warn(WarningKind::LoneDot, span),
                }
            }
            _ if !separated => return expected(at, "a separator between moves"),
            _ => {
                if moves.list.len() >= limit {
                    return fail(at, 0, cursor.options.too_many_moves(limit));
                }
                moves.settle_marks();
                check_gap(cursor, gap, at, moves.list.is_empty());
                rest = plain_moves(cursor, at, limit, &mut moves.list);
                if rest.len() == at.len() {
                    let (after, (next, letter)) = one_move(cursor, at, draft.mover(moves.list.len()))?;
                    moves.list.push(next);
                    if let Some(span) = letter {
                        board.check(cursor, &moves.list, span);
                    }
                    rest = after;
                }
                (last_bar, last_number, separated, markable, gap) = (None, None, false, true, rest);
            }
        }
    }
    moves.settle_marks();
    for (pending, kind) in [(last_bar, WarningKind::TrailingBar), (last_number, WarningKind::TrailingNumber)]
    {
        if let Some(span) = pending {
            cursor.warn(kind, span);
        }
    }
    Ok((rest, moves))
}

/// What may stand between moves beside blanks, bars and comments.
struct Separator<'a> {
    kind: Kind,
    rest: &'a str,
}

enum Kind {
    Result(GameResult),
    Number {
        ellipsis: bool,
    },
    /// A number without its dot; a move follows.
    BareNumber,
    Ellipsis,
    LoneDot,
}

/// A result, a move number, or dots; `None` if it is something else, such as a move.
fn separator(text: &str) -> Option<Separator<'_>> {
    let (digits, after) = split_digits(text);
    if !digits.is_empty() && after.starts_with(',') {
        return None;
    }
    if let Some((result, rest)) = result(text) {
        return Some(Separator { kind: Kind::Result(result), rest });
    }
    if digits.is_empty() {
        let rest = dots(text)?;
        let kind = if text.starts_with('.') && text.len() - rest.len() == 1 {
            Kind::LoneDot
        } else {
            Kind::Ellipsis
        };
        return Some(Separator { kind, rest });
    }
    if is_scientific(text) {
        return None;
    }
    // `1.`, `1...`, `1…`, `1 ...`, `1. ...`
    let near = dots(after);
    let far = dots(near.unwrap_or(after).trim_start());
    let Some(rest) = far.or(near) else {
        return is_bare_number(after).then_some(Separator { kind: Kind::BareNumber, rest: after });
    };
    let is_number = near.is_some() || far.is_some_and(|far| after.trim_start().len() - far.len() > 1);
    let plain =
        near.is_some_and(|near| after.len() - near.len() == 1 && after.starts_with('.')) && far.is_none();
    is_number.then_some(Separator { kind: Kind::Number { ellipsis: !plain }, rest })
}

/// Whether the text after some digits makes them a move number: blanks and a move.
pub(super) fn is_bare_number(after: &str) -> bool {
    let next = after.trim_start();
    next.len() < after.len() && begins_move(next)
}

/// Whether a move begins here, with or without its piece: a square and an arrow.
fn begins_move(text: &str) -> bool {
    let (_, letters) = split_digits(text);
    let (code, after) = split_letters(letters);
    let from = if code.is_empty() || is_scientific(text) { text } else { after };
    skip_square(from).is_some_and(begins_with_arrow)
}

/// Marks after the comment of a move, which belong to the move.
fn late_marks<'a>(cursor: &Cursor<'a, '_>, moves: &mut Moves<'a>, at: &'a str) -> &'a str {
    let marks = at.bytes().take_while(|b| b"+#!?=".contains(b)).count();
    // The last `=` may belong to a piece code, as nothing that can be read.
    let marks = if begins_promotion(&at[marks - 1..]) { marks - 1 } else { marks };
    let (marks, rest) = at.split_at(marks);
    cursor.uses(Feature::MarkAfterComment, cursor.span(at, rest));
    if marks.contains('=') {
        cursor.warn(WarningKind::EqualsMark, cursor.span(at, rest));
    }
    moves.late_marks.push_str(marks);
    rest
}

/// Whether a `=` stands here with the piece that a pawn becomes: a code, and no coordinate unless it is glued
/// to the `=`.
fn begins_promotion(text: &str) -> bool {
    let Some(after) = text.strip_prefix('=') else { return false };
    let code = Cursor::peek_blanks(after);
    let (_, letters) = split_digits(code);
    let is_glued = code.len() == after.len();
    letters.starts_with(|c: char| c.is_ascii_alphabetic())
        && !is_scientific(code)
        && (is_glued || is_lone_code(code, false))
}

/// The text after a run of dots.
fn dots(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['.', '…']);
    (rest.len() < text.len()).then_some(rest)
}

/// A comment between moves: it belongs to the move before it.
fn between<'a>(cursor: &Cursor<'a, '_>, moves: &mut Moves<'a>, at: &'a str) -> Result<&'a str, Halt<'a>> {
    let (rest, text) = comment(cursor, at)?;
    let span = cursor.span(at, rest);
    let empty = text.trim().is_empty();
    if empty {
        cursor.uses(Feature::EmptyComment, span);
    }
    match moves.list.last_mut() {
        Some(last) => {
            if !empty && !last.notes.comments.is_empty() {
                cursor.warn(WarningKind::SeveralComments, span);
            }
            if !empty {
                last.notes.comments.push(text.into());
            }
        }
        None if empty => {}
        None => {
            cursor.warn(WarningKind::CommentBeforeMoves, span);
            moves.opening_comments.push(text);
        }
    }
    Ok(rest)
}

/// What may follow a result: comments.
fn closing<'a>(cursor: &Cursor<'a, '_>, moves: &mut Moves<'a>, i: &'a str) -> Result<&'a str, Halt<'a>> {
    let mut rest = cursor.blanks(i);
    while rest.starts_with('{') {
        let text;
        (rest, text) = comment(cursor, rest)?;
        moves.closing_comments.push(text);
        rest = cursor.blanks(rest);
    }
    if rest.is_empty() {
        return Ok(rest);
    }
    broken(rest, 0, Rule::AfterResult).map(|(rest, ())| rest)
}

/// Notes a gap between moves that the site's converter does not take: it wants `|` or `N. `, with at most one
/// blank beside.
fn check_gap(cursor: &Cursor<'_, '_>, gap: &str, at: &str, is_first: bool) {
    if !cursor.notes_features() {
        return;
    }
    let text = &gap[..gap.len() - at.len()];
    let comment = text.strip_prefix(' ').unwrap_or(text).strip_prefix('{');
    let text = comment.and_then(|comment| comment.split_once('}')).map_or(text, |(_, after)| after);
    let number = |text: &str| {
        text.strip_suffix(". ").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let known = is_first && text.is_empty()
        || matches!(text, "|" | " |" | "| " | " | ")
        || number(text.strip_prefix(char::is_whitespace).unwrap_or(text));
    if !known {
        cursor.uses(Feature::LooseSeparator, cursor.span(gap, at));
    }
}

/// Takes plain moves (`x,y>x,y`, joined by a bar) up to the last one after which a bar, a comment or the end
/// stands.
fn plain_moves<'a>(cursor: &Cursor<'a, '_>, i: &'a str, limit: usize, list: &mut Vec<Move>) -> &'a str {
    let bytes = i.as_bytes();
    let (mut at, mut end) = (0, 0);
    if !cursor.allows_plain() {
        return i;
    }
    if list.is_empty() {
        // A plain move takes about ten bytes. More than this is asked for as it comes.
        list.reserve(limit.min(i.len() / 10 + 1).min(512));
    }
    while list.len() < limit
        && let Some((from_x, from_y, arrow)) = plain_square(bytes, at)
        && bytes.get(arrow) == Some(&b'>')
        && let Some((to_x, to_y, after)) = plain_square(bytes, arrow + 1)
        && matches!(bytes.get(after), None | Some(b'|' | b'{'))
    {
        list.extend(iter::once_with(|| Move::new(Square::new(from_x, from_y), Square::new(to_x, to_y))));
        end = after;
        if bytes.get(after) != Some(&b'|') {
            // A comment may hold moves of its own.
            break;
        }
        at = after + 1;
    }
    &i[end..]
}

/// One move with its notes, and where its letter stands.
fn one_move<'a>(cursor: &Cursor<'a, '_>, i: &'a str, mover: Player) -> PResult<'a, (Move, Option<Span>)> {
    let mut notes = Notes::default();
    let mut rest = i;
    let (_, after) = split_digits(i);
    let has_letter = after.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_scientific(i);
    if has_letter {
        let letter;
        (rest, letter) = piece(cursor, i)?;
        notes.piece = Some(letter);
    }
    let letter_end = rest;
    let (after, from) = square(cursor, rest)?;
    rest = after;
    let arrow = cursor.blanks(rest);
    let arrows = arrow.bytes().take_while(|b| matches!(b, b'>' | b'x')).count();
    if arrows == 0 {
        return expected(arrow, "`>` or `x` between squares");
    }
    let after_arrow = &arrow[arrows..];
    if arrows > 1 {
        cursor.warn(WarningKind::MoveSeparator, cursor.span(arrow, after_arrow));
    }
    notes.capture = arrow.starts_with('x');
    let target = cursor.blanks(after_arrow);
    if !is_narrow(rest, arrow) || !is_narrow(after_arrow, target) {
        cursor.uses(Feature::LooseMove, cursor.span(rest, target));
    }
    let (after, to) = square(cursor, target)?;
    let mut mv = Move { from, to, promotion: None, notes };
    // Nearly every move ends here.
    rest = match after.as_bytes().first() {
        None | Some(b'|' | b'{') => after,
        _ => suffix(cursor, after, mover, &mut mv)?.0,
    };
    Ok((rest, (mv, has_letter.then(|| cursor.span(i, letter_end)))))
}

/// Promotion and marks after a move, in any order, with or without blanks.
fn suffix<'a>(cursor: &Cursor<'a, '_>, i: &'a str, mover: Player, mv: &mut Move) -> PResult<'a, ()> {
    let mut marks = String::new();
    let mut promotion: Option<Span> = None;
    let (mut in_order, mut is_tight) = (true, true);
    let mut rest = i;
    loop {
        let at = Cursor::peek_blanks(rest);
        let gap = (rest, at);
        let after = match at.as_bytes().first() {
            Some(b'+' | b'#' | b'!' | b'?') => {
                let follows_glyph = marks.ends_with(['!', '?']) && at.starts_with(['!', '?']);
                in_order &= !follows_glyph || rest.len() == at.len();
                marks.push_str(&at[..1]);
                &at[1..]
            }
            Some(b'=') if !begins_promotion(at) => {
                cursor.warn(WarningKind::EqualsMark, cursor.span(at, &at[1..]));
                marks.push('=');
                &at[1..]
            }
            Some(b'=') => {
                in_order &= marks.is_empty();
                let code = cursor.blanks(&at[1..]);
                is_tight &= code.len() + 1 == at.len();
                promote(cursor, at, code, mover, mv, &mut promotion)?.0
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9') if is_lone_code(at, at.len() == rest.len()) => {
                let after = promote(cursor, at, at, mover, mv, &mut promotion)?.0;
                cursor.warn(WarningKind::PromotionWithoutEquals, cursor.span(at, after));
                after
            }
            _ => break,
        };
        cursor.blanks(rest);
        is_tight &= is_narrow(gap.0, gap.1);
        rest = after;
    }
    if !is_tight {
        cursor.uses(Feature::LooseMove, cursor.span(i, rest));
    }
    let glyphs = marks.strip_prefix(['+', '#']).unwrap_or(&marks);
    if !in_order || glyphs.len() > 2 || glyphs.contains(['+', '#']) {
        cursor.uses(Feature::ManyMarks, cursor.span(i, rest));
    }
    mv.notes.marks = marks.into();
    Ok((rest, ()))
}

/// Whether nothing or one space stands between two places of a text.
fn is_narrow(from: &str, to: &str) -> bool {
    matches!(&from[..from.len() - to.len()], "" | " ")
}

/// Whether a piece code stands here that belongs to the move before it: no coordinate follows.
fn is_lone_code(text: &str, attached: bool) -> bool {
    let (digits, after) = split_digits(text);
    let (code, after) = split_letters(after);
    let is_word = !code.is_empty() && !after.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    // `1e+21` is a coordinate as JavaScript prints it, not player 1 and a piece `e`.
    is_word && (digits.is_empty() || !attached && !is_scientific(text))
}

fn promote<'a>(
    cursor: &Cursor<'a, '_>,
    at: &'a str,
    code: &'a str,
    mover: Player,
    mv: &mut Move,
    known: &mut Option<Span>,
) -> PResult<'a, ()> {
    if let Some(first) = *known {
        return fail(at, 1, IcnErrorKind::Twice { what: Part::Promotion, first });
    }
    let (rest, piece) = piece(cursor, code)?;
    if piece.kind.is_neutral() {
        return broken(code, code.len() - rest.len(), Rule::NeutralPromotion);
    }
    if piece.player != mover {
        cursor.warn(WarningKind::PromotionCase, cursor.span(code, rest));
    }
    mv.promotion = Some(piece.kind);
    *known = Some(cursor.span(at, rest));
    Ok((rest, ()))
}

/// The board that letters in front of moves are compared with. Set up only once a letter occurs.
struct Board<'p> {
    start: Option<&'p Position>,
    now: Option<Position>,
    played: usize,
}

impl<'p> Board<'p> {
    fn new(start: Option<&'p Position>) -> Self {
        Board { start, now: None, played: 0 }
    }

    /// Plays the moves before the last one, and compares the letter of that one with the piece on its square.
    fn check(&mut self, cursor: &Cursor<'_, '_>, list: &[Move], letter: Span) {
        let (Some(start), Some((latest, earlier))) = (self.start, list.split_last()) else { return };
        let now = self.now.get_or_insert_with(|| start.clone());
        for mv in &earlier[self.played..] {
            // A move from an empty square changes nothing; replay says so, reading does not mind.
            drop(play(now, mv));
        }
        self.played = earlier.len();
        let there: Option<Piece> = now.pieces.get(&latest.from).map(|placed| placed.piece);
        if there != latest.notes.piece {
            cursor.warn(WarningKind::PieceLetter, letter);
        }
    }
}
