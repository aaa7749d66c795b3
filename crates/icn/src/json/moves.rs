//! Moves: strings in short notation, and the older objects.

use boardprint_base::replay::{Played, Replay};
use boardprint_base::{Game, Move, Notes, Piece, PieceKind, Player, Span, Square};

use super::fields::{comments, coordinates, fields, no_promotion, unknown_field};
use super::name;
use super::text::{Context, Slice, broken, error, square};
use super::value::{Data, Member, Value};
use crate::error::{IcnError, Rule, Term};
use crate::warning::WarningKind;

fields!(MoveFields {
    kind "type",
    from "startCoords",
    to "endCoords",
    captured "captured",
    promotion "promotion",
    promote "promote",
    en_passant "enpassant",
    castle "castle",
    check "check",
    mate "mate",
    marks "marks",
    comments "comments",
});

fields!(CastleFields { direction "dir", partner "coord" });
fields!(NoteFields { marks "marks", comments "comments" });

/// What a text says about a move that its squares say already.
#[derive(Default)]
struct Claim {
    ply: usize,
    piece: Option<(Piece, Span)>,
    captured: Option<(Piece, Span)>,
    en_passant: Option<Span>,
    castle: Option<(Square, Span)>,
}

/// Reads the moves and what is noted about them into a game.
pub(super) fn read(
    context: &mut Context<'_>,
    game: &mut Game,
    list: Option<&Value<'_>>,
    notes: Option<&Value<'_>>,
) -> Result<(), IcnError> {
    let mut claims = Vec::new();
    if let Some(value) = list {
        let items = value.array("moves: `[`")?;
        let limit = context.options.move_limit(game.start.pieces.len());
        if items.len() > limit {
            return Err(error(context.options.too_many_moves(limit), value.span));
        }
        game.moves.reserve_exact(items.len());
        for (ply, item) in items.iter().enumerate() {
            let mover = game.start.turn.at(ply);
            let mut claim = Claim { ply, ..Claim::default() };
            let mv = match &item.data {
                Data::Object(members) => long_move(context, item, members, mover, &mut claim)?,
                _ => short_move(context, item.string("a move: `\"4,2>4,4\"`")?, mover, &mut claim)?,
            };
            game.moves.push(mv);
            if !claim.is_empty() {
                claims.push(claim);
            }
        }
    }
    if let Some(value) = notes {
        read_notes(context, game, value)?;
    }
    check_claims(context, game, &claims);
    Ok(())
}

/// `x,y>x,y` with the promoted piece after; also with the moved piece in front, `x`, `=` and marks.
fn short_move(
    context: &mut Context<'_>,
    whole: Slice<'_>,
    mover: Player,
    claim: &mut Claim,
) -> Result<Move, IcnError> {
    let mut rest = trim(whole);
    let mut notes = Notes::default();
    let digits = rest.text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = rest.text[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters > 0 {
        let code = rest.sub(0..digits + letters);
        let piece = code_piece(context, code)?;
        notes.piece = Some(piece);
        claim.piece = Some((piece, code.span));
        rest = rest.from(digits + letters);
    }
    let Some(arrow) = rest.text.find(['>', 'x']) else {
        return Err(rest.from(rest.text.len()).expected("`>` and a square"));
    };
    let from = square(context, trim(rest.sub(0..arrow)))?;
    notes.capture = rest.text[arrow..].starts_with('x');
    rest = trim(rest.from(arrow + 1));

    let is_coordinate = |b: &u8| matches!(b, b'0'..=b'9' | b'-');
    let x = rest.text.bytes().take_while(is_coordinate).count();
    let comma = usize::from(rest.text[x..].starts_with(','));
    let y = rest.text[x + comma..].bytes().take_while(is_coordinate).count();
    let to = square(context, rest.sub(0..x + comma + y))?;
    rest = trim(rest.from(x + comma + y));

    if let Some(unequal) = rest.text.strip_prefix('=') {
        let after = trim(rest.from(rest.text.len() - unequal.len()));
        // A `=` that no piece follows is a mark.
        if after.text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            rest = after;
        }
    }
    let code = rest.text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let promotion = if code > 0 {
        let code = rest.sub(0..code);
        let piece = code_piece(context, code)?;
        Some(promoted(context, piece, mover, code.span)?)
    } else {
        None
    };
    rest = trim(rest.from(code));
    let marks = rest.text.bytes().take_while(|b| b"+#!?=".contains(b)).count();
    notes.marks = rest.text[..marks].into();
    if notes.marks.contains('=') {
        context.warn(WarningKind::EqualsMark, rest.sub(0..marks).span);
    }
    rest = trim(rest.from(marks));
    if rest.text == "," {
        context.warn(WarningKind::TrailingComma, rest.span);
    } else if !rest.text.is_empty() {
        return Err(rest.expected("the end of the move"));
    }
    Ok(Move { from, to, promotion, notes })
}

fn trim(slice: Slice<'_>) -> Slice<'_> {
    let text = slice.text;
    let start = text.len() - text.trim_ascii_start().len();
    slice.sub(start..start.max(text.trim_ascii_end().len()))
}

/// A piece by its code in short notation: `Q`, `am`, `3q`.
fn code_piece(context: &Context<'_>, slice: Slice<'_>) -> Result<Piece, IcnError> {
    let code = slice.text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &slice.text[..slice.text.len() - code.len()];
    let lower = code.to_ascii_lowercase();
    let custom = context.options.custom.iter().find(|custom| custom.as_str() == lower);
    let kind = PieceKind::from_code(&lower).or_else(|| custom.copied().map(PieceKind::Custom));
    let kind = kind.ok_or_else(|| slice.unknown(Term::PieceCode, None))?;
    let upper = code.bytes().all(|b| b.is_ascii_uppercase());
    if number.is_empty() && !upper && code != lower {
        return Err(broken(Rule::MixedCase, slice.span));
    }
    let player = match number {
        "" if kind.is_neutral() => Player::NEUTRAL,
        "" if upper => Player::WHITE,
        "" => Player::BLACK,
        number => Player(number.parse().map_err(|_| broken(Rule::PlayerNumber, slice.span))?),
    };
    Ok(Piece::new(kind, player))
}

/// What a pawn became; it is the mover's whatever the text says.
fn promoted(
    context: &mut Context<'_>,
    piece: Piece,
    mover: Player,
    span: Span,
) -> Result<PieceKind, IcnError> {
    if piece.kind.is_neutral() {
        return Err(no_promotion(span));
    }
    if piece.player != mover {
        context.warn(WarningKind::PromotionCase, span);
    }
    Ok(piece.kind)
}

/// `{"type": …, "startCoords": …, "endCoords": …}`.
fn long_move(
    context: &mut Context<'_>,
    value: &Value<'_>,
    members: &[Member<'_>],
    mover: Player,
    claim: &mut Claim,
) -> Result<Move, IcnError> {
    let fields = MoveFields::of(members, |member| unknown_field(context, member));
    let (Some(from), Some(to)) = (fields.from, fields.to) else {
        return Err(broken(Rule::MoveWithoutSquares, value.span));
    };
    let (from, to) = (coordinates(context, from)?, coordinates(context, to)?);
    let mut piece = |value: Option<&Value<'_>>| -> Result<Option<(Piece, Span)>, IcnError> {
        let Some(value) = value else {
            return Ok(None);
        };
        Ok(Some((name::piece(context, value.string("a piece: `\"queensW\"`")?)?, value.span)))
    };
    claim.piece = piece(fields.kind)?;
    claim.captured = piece(fields.captured)?;
    let promotion = match piece(fields.promotion.or(fields.promote))? {
        Some((piece, span)) => Some(promoted(context, piece, mover, span)?),
        None => None,
    };
    claim.en_passant = fields.en_passant.map(|value| value.span);
    if let Some(value) = fields.castle {
        let castle =
            CastleFields::of(value.object("a castling: `{`")?, |member| unknown_field(context, member));
        let Some(partner) = castle.partner else {
            return Err(broken(Rule::CastlingWithoutPartner, value.span));
        };
        claim.castle = Some((coordinates(context, partner)?, value.span));
    }
    let flag = |value: Option<&Value<'_>>| value.map_or(Ok(false), |value| value.bool("`true` or `false`"));
    let (check, mate) = (flag(fields.check)?, flag(fields.mate)?);
    let marks = match fields.marks {
        Some(value) => marks(value)?,
        None if mate => "#".into(),
        None if check => "+".into(),
        None => "".into(),
    };
    let notes = Notes {
        piece: claim.piece.as_ref().map(|(piece, _)| *piece),
        capture: claim.captured.is_some(),
        marks,
        comments: fields.comments.map_or(Ok(Vec::new()), comments)?,
    };
    Ok(Move { from, to, promotion, notes })
}

fn marks(value: &Value<'_>) -> Result<Box<str>, IcnError> {
    let marks = value.string("marks: `\"+!?\"`")?;
    let wrong = marks.text.find(|c: char| !"+#!?=".contains(c));
    wrong.map_or(Ok(marks.text.into()), |wrong| Err(marks.from(wrong).expected("one of `+#!?=`")))
}

/// What is noted about moves given as strings, by ply from 1: `{"5": {"marks": "!?", "comments": ["…"]}}`.
fn read_notes(context: &mut Context<'_>, game: &mut Game, value: &Value<'_>) -> Result<(), IcnError> {
    for member in value.object("notes by ply: `{`")? {
        let ply = member.name();
        let index = ply.text.parse::<usize>().ok().and_then(|ply| ply.checked_sub(1));
        let Some(mv) = index.and_then(|index| game.moves.get_mut(index)) else {
            return Err(broken(Rule::NotesWithoutMove, ply.span));
        };
        let fields =
            NoteFields::of(member.value.object("notes: `{`")?, |member| unknown_field(context, member));
        if let Some(value) = fields.marks {
            mv.notes.marks = marks(value)?;
        }
        if let Some(value) = fields.comments {
            mv.notes.comments = comments(value)?;
        }
    }
    Ok(())
}

impl Claim {
    fn is_empty(&self) -> bool {
        self.piece.is_none() && self.captured.is_none() && self.en_passant.is_none() && self.castle.is_none()
    }

    /// Warns where the move does something else.
    fn check(&self, context: &mut Context<'_>, played: &Played) {
        if let Some((piece, span)) = self.piece
            && piece != played.piece()
        {
            context.warn(WarningKind::PieceLetter, span);
        }
        if let Some((captured, span)) = self.captured
            && played.captured().is_none_or(|placed| placed.piece != captured)
        {
            context.warn(WarningKind::MoveFlag, span);
        }
        if let Some(span) = self.en_passant
            && !played.is_en_passant()
        {
            context.warn(WarningKind::MoveFlag, span);
        }
        if let Some((partner, span)) = &self.castle
            && played.castling().is_none_or(|castling| castling.from != *partner)
        {
            context.warn(WarningKind::MoveFlag, *span);
        }
    }
}

/// Compares what is said about moves with what they do, as far as the game can be played.
fn check_claims(context: &mut Context<'_>, game: &Game, claims: &[Claim]) {
    let mut replay = Replay::new(game);
    let mut claims = claims.iter().peekable();
    while let Some(claim) = claims.peek() {
        let ply = replay.ply();
        let Ok(Some(played)) = replay.step() else {
            return;
        };
        if claim.ply == ply {
            claim.check(context, &played);
            claims.next();
        }
    }
}
