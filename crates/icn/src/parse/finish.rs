//! From what was read to a game: what depends on more than one field.

use std::sync::Arc;

use boardprint_base::{Game, Laws, PieceKind, Pieces, Player, Position, Promotion, Span, TurnOrder};

use super::cursor::{Cursor, Halt, broken, fatal};
use super::header::Header;
use super::laws::PromotionPart;
use super::moves::Moves;
use super::strict::Feature;
use crate::error::{IcnErrorKind, Part, Rule};
use crate::options::Dialect;
use crate::variants::{self, UnreadableDate};
use crate::warning::WarningKind;

type Finished<'a, T> = Result<T, Halt<'a>>;

/// A game before its moves; without pieces if neither the text nor a variant gives any.
pub(super) struct Draft<'a> {
    game: Game,
    has_pieces: bool,
    opening_comments: Vec<&'a str>,
}

impl Draft<'_> {
    /// The start, if there is one.
    pub(super) fn start(&self) -> Option<&Position> {
        self.has_pieces.then_some(&self.game.start)
    }

    /// The game, with nothing played.
    pub(super) fn into_game(self) -> Game {
        self.game
    }

    /// Who makes the move after this many half-moves.
    pub(super) fn mover(&self, ply: usize) -> Player {
        self.game.start.turn.at(ply)
    }
}

/// Checks what the fields say together.
pub(super) fn draft<'a>(cursor: &Cursor<'a, '_>, mut header: Header<'a>) -> Finished<'a, Draft<'a>> {
    let presets = header.presets();
    let turn = header.turn.take().map_or_else(TurnOrder::default, |at| at.value);
    let players = turn.players();
    let laws = laws(cursor, &mut header, &players)?;
    let (pieces, start_from_variant) = match header.position.take() {
        Some(at) => (Some(pieces(cursor, at.value, at.span, header.position_text)?), false),
        None => (variant_pieces(cursor, &header), true),
    };
    if let Some(at) = &header.en_passant
        && !matches!(turn.cycle(), [.., Player::WHITE | Player::BLACK])
    {
        cursor.uses(Feature::EnPassantPlayers, at.span);
    }
    let has_pieces = pieces.is_some();
    let start = Position {
        turn,
        en_passant: header.en_passant.map(|at| at.value),
        move_rule: header.move_rule.map(|at| at.value),
        full_move: header.full_move.map_or_else(|| 1_i64.into(), |at| at.value),
        laws: Arc::new(laws),
        pieces: pieces.unwrap_or_default(),
    };
    let game = Game { tags: header.tags, start, start_from_variant, presets, ..Game::default() };
    Ok(Draft { game, has_pieces, opening_comments: header.comments })
}

/// The whole game.
pub(super) fn game<'a>(cursor: &Cursor<'a, '_>, draft: Draft<'a>, moves: Moves<'a>) -> Finished<'a, Game> {
    if !draft.has_pieces {
        return broken(cursor.end(), 0, Rule::NoPosition).map(|(_, game)| game);
    }
    let boxed = |comments: Vec<&str>| comments.into_iter().map(Into::into).collect::<Vec<_>>();
    let mut game = draft.game;
    game.opening_comments = boxed(draft.opening_comments);
    game.opening_comments.extend(boxed(moves.opening_comments));
    game.moves = moves.list;
    game.result = moves.result;
    game.closing_comments = boxed(moves.closing_comments);
    Ok(game)
}

fn laws<'a>(cursor: &Cursor<'a, '_>, header: &mut Header<'a>, players: &[Player]) -> Finished<'a, Laws> {
    let mut laws = Laws::default();
    if let Some(at) = header.promotion.take() {
        if at.value.len() != players.len() {
            return Err(wrong_parts(cursor, at.span, Rule::PromotionParts));
        }
        let shared =
            (cursor.options.dialect == Some(Dialect::Redesign)).then(|| shared_choices(&at.value)).flatten();
        for (player, part) in players.iter().zip(at.value) {
            if !part.ranks.is_empty() {
                let choices = shared.clone().or(part.choices);
                let promotion = match choices {
                    Some(choices) => Promotion::new(part.ranks, choices),
                    None => Promotion::usual(part.ranks),
                };
                laws.promotion.insert(*player, promotion);
            }
        }
    }
    if let Some(at) = header.wins.take() {
        match &at.value[..] {
            [shared] => players.iter().for_each(|player| laws.wins.set(*player, shared.clone())),
            parts if parts.len() == players.len() => {
                players.iter().zip(at.value).for_each(|(player, part)| laws.wins.set(*player, part));
            }
            _ => return Err(wrong_parts(cursor, at.span, Rule::WinParts)),
        }
    }
    laws.border = header.border.take().map(|at| at.value).unwrap_or_default();
    laws.extra = header.extra.take().map(|at| at.value).unwrap_or_default();
    Ok(laws)
}

fn wrong_parts<'a>(cursor: &Cursor<'a, '_>, span: Span, rule: Rule) -> Halt<'a> {
    fatal(cursor.from(span.start), span.end - span.start, rule.into())
}

/// The redesigned site reads the last list it sees for everybody.
fn shared_choices(parts: &[PromotionPart]) -> Option<Vec<PieceKind>> {
    parts.iter().rev().find_map(|part| part.choices.clone())
}

fn pieces<'a>(
    cursor: &Cursor<'a, '_>,
    list: Vec<boardprint_base::Placed>,
    span: Span,
    text: &'a str,
) -> Finished<'a, Pieces> {
    Pieces::from_list(list).map_err(|clash| {
        let entry = |index: usize| {
            let entry = text.split('|').nth(index).unwrap_or(text).trim();
            let start = span.start + (entry.as_ptr() as usize - text.as_ptr() as usize);
            Span::new(start, start + entry.len())
        };
        let (first, second) = (entry(clash.first), entry(clash.second));
        let kind = IcnErrorKind::Twice { what: Part::Square, first };
        fatal(cursor.from(second.start), second.end - second.start, kind)
    })
}

/// The pieces of the variant that the tags name, of the revision that was in use at the time.
fn variant_pieces(cursor: &Cursor<'_, '_>, header: &Header<'_>) -> Option<Pieces> {
    let tag = |name: &str| header.tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value);
    let revision = variants::named(tag).unwrap_or_else(|UnreadableDate| {
        let is_date = |name: &str| header.tags.iter().position(|tag| &*tag.name == name);
        let date = is_date("UTCDate").or_else(|| is_date("Date"));
        let place = date.and_then(|date| header.tag_spans.get(date)).copied();
        cursor.warn(WarningKind::Date, place.unwrap_or_else(|| cursor.whole()));
        variants::find(tag("Variant")?)?.at(None)
    });
    revision?.pieces()
}
