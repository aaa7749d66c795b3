//! The fields of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boardprint_base::{
    Border, Coord, Game, GameResult, JsonObject, KNOWN_WIN_CONDITIONS, Laws, MoveRule, PieceKind, Pieces,
    Placed, Player, Position, Presets, Promotion, Span, Square, Tag, TurnOrder,
};

use super::moves;
use super::name;
use super::text::{Context, Slice, broken, error, integer, square};
use super::value::{Data, Member, Value};
use crate::error::{IcnError, IcnErrorKind, Limited, Part, Rule, Term};
use crate::variants;
use crate::warning::WarningKind;

/// Declares the fields of an object once: a struct of what is given, and how to fill it.
macro_rules! fields {
    ($name:ident { $($field:ident $json:literal),* $(,)? }) => {
        #[derive(Default)]
        pub(super) struct $name<'v, 'a> {
            $(pub(super) $field: Option<&'v Value<'a>>,)*
        }

        impl<'v, 'a> $name<'v, 'a> {
            /// Sorts members into fields; `null` counts as missing. Others go to `rest`.
            pub(super) fn of(members: &'v [Member<'a>], mut rest: impl FnMut(&'v Member<'a>)) -> Self {
                let mut fields = Self::default();
                for member in members {
                    let field = match member.name().text {
                        $($json => &mut fields.$field,)*
                        _ => {
                            rest(member);
                            continue;
                        }
                    };
                    *field = Some(&member.value).filter(|value| !value.is_null());
                }
                fields
            }
        }
    };
}
pub(super) use fields;

fields!(GameFields {
    metadata "metadata",
    turn "turn",
    en_passant "enpassant",
    move_rule "moveRule",
    full_move "fullMove",
    game_rules "gameRules",
    special_rights "specialRights",
    starting_position "startingPosition",
    short_position "shortposition",
    presets "presets",
    opening_comments "openingComments",
    moves "moves",
    notes "notes",
    result "result",
    closing_comments "closingComments",
});

fields!(RuleFields {
    promotion_ranks "promotionRanks",
    promotions_allowed "promotionsAllowed",
    win_conditions "winConditions",
    turn_order "turnOrder",
    world_border "worldBorder",
    extra_rules "extraRules",
});

/// The names of game rules that have a meaning here, so that no extra rule may have them.
pub(super) const RULE_NAMES: [&str; 6] =
    ["promotionRanks", "promotionsAllowed", "winConditions", "turnOrder", "worldBorder", "extraRules"];

fields!(PresetFields { squares "squares", rays "rays" });
fields!(BorderFields { left "left", right "right", bottom "bottom", top "top" });

pub(super) fn game(context: &mut Context<'_>, root: &Value<'_>) -> Result<Game, IcnError> {
    let fields = GameFields::of(root.object("a game: `{`")?, |member| unknown_field(context, member));
    let tags = fields.metadata.map_or(Ok(Vec::new()), |value| tags(context, value))?;

    let mut extra = Vec::new();
    let rules = fields.game_rules.map(|value| value.object("game rules: `{`")).transpose()?;
    let rules = RuleFields::of(rules.unwrap_or_default(), |member| extra.push(member));
    let turn = turn_order(context, fields.turn, rules.turn_order)?;
    let laws = laws(context, &rules, &extra, &turn.players())?;

    let (pieces, start_from_variant) = match fields.starting_position.or(fields.short_position) {
        Some(value) => {
            let found = pieces(context, value, fields.special_rights)?;
            if let Some(short) = fields.short_position.filter(|_| fields.starting_position.is_some())
                && pieces(context, short, fields.special_rights)? != found
            {
                return Err(broken(Rule::TwoPositions, short.span));
            }
            (found, false)
        }
        None => (variant_pieces(context, root, &tags, fields.metadata)?, true),
    };
    let start = Position {
        turn,
        en_passant: fields.en_passant.map(|value| coordinates(context, value)).transpose()?,
        move_rule: fields.move_rule.map(|value| move_rule(context, value)).transpose()?,
        full_move: match fields.full_move {
            Some(value) => full_move(context, value)?,
            None => Coord::from(1),
        },
        laws: Arc::new(laws),
        pieces,
    };
    let mut game = Game {
        tags,
        start,
        start_from_variant,
        presets: fields.presets.map_or(Ok(Presets::default()), |value| presets(context, value))?,
        opening_comments: fields.opening_comments.map_or(Ok(Vec::new()), comments)?,
        moves: Vec::new(),
        result: fields.result.map(result).transpose()?,
        closing_comments: fields.closing_comments.map_or(Ok(Vec::new()), comments)?,
    };
    moves::read(context, &mut game, fields.moves, fields.notes)?;
    Ok(game)
}

/// Notes that a field is passed over.
pub(super) fn unknown_field(context: &mut Context<'_>, member: &Member<'_>) {
    context.warn(WarningKind::UnknownField, member.name().span);
}

fn tags(context: &mut Context<'_>, value: &Value<'_>) -> Result<Vec<Tag>, IcnError> {
    let members = value.object("metadata: `{`")?;
    if members.len() > context.options.max_tags {
        let kind = IcnErrorKind::TooMuch { what: Limited::Tags, limit: context.options.max_tags };
        return Err(error(kind, value.span));
    }
    let mut tags = Vec::with_capacity(members.len());
    for member in members {
        let value = match &member.value.data {
            Data::Null => continue,
            Data::String(text) => text.as_ref().into(),
            Data::Number(text) => (*text).into(),
            Data::Bool(value) => value.to_string().into(),
            _ => return Err(member.value.expected("the text of a tag")),
        };
        let name = member.name();
        // ICN has no way to write another name, so that the game could not be written as it was read.
        if name.text.is_empty() || name.text.contains(|c: char| c.is_whitespace() || ":\"[]".contains(c)) {
            return Err(broken(Rule::TagName, name.span));
        }
        tags.push(Tag { name: name.text.into(), value });
    }
    Ok(tags)
}

/// A number or a string of one.
fn whole(context: &mut Context<'_>, value: &Value<'_>, what: &'static str) -> Result<Coord, IcnError> {
    match &value.data {
        Data::Number(text) => integer(context, Slice::exact(text, value.span), true),
        Data::String(_) => integer(context, value.string(what)?, false),
        _ => Err(value.expected(what)),
    }
}

fn not_negative(number: &Coord, span: Span) -> Result<(), IcnError> {
    if number.is_negative() {
        return Err(broken(Rule::NegativeCounter, span));
    }
    Ok(())
}

fn full_move(context: &mut Context<'_>, value: &Value<'_>) -> Result<Coord, IcnError> {
    let number = whole(context, value, "a full move number")?;
    not_negative(&number, value.span)?;
    if number.is_zero() {
        context.warn(WarningKind::FullMoveZero, value.span);
    }
    Ok(number)
}

/// `"N/M"`.
fn move_rule(context: &mut Context<'_>, value: &Value<'_>) -> Result<MoveRule, IcnError> {
    let text = value.string("a move rule: `\"0/100\"`")?;
    let Some(slash) = text.text.find('/') else {
        return Err(text.from(text.text.len()).expected("`/` between count and limit"));
    };
    let mut counter = |slice: Slice<'_>| {
        let number = integer(context, slice, false)?;
        not_negative(&number, slice.span)?;
        Ok(number)
    };
    let rule = MoveRule { count: counter(text.sub(0..slash))?, limit: counter(text.from(slash + 1))? };
    if rule.count > rule.limit || rule.limit.is_zero() {
        context.warn(WarningKind::MoveRule, value.span);
    }
    Ok(rule)
}

/// A square: `[x,y]` or `"x,y"`.
pub(super) fn coordinates(context: &mut Context<'_>, value: &Value<'_>) -> Result<Square, IcnError> {
    const WHAT: &str = "a square: `[x,y]` or `\"x,y\"`";
    match &value.data {
        Data::String(_) => square(context, value.string(WHAT)?),
        Data::Array(items) => match items.as_slice() {
            [x, y] => {
                Ok(Square { x: whole(context, x, "a coordinate")?, y: whole(context, y, "a coordinate")? })
            }
            _ => Err(broken(Rule::TwoCoordinates, value.span)),
        },
        _ => Err(value.expected(WHAT)),
    }
}

fn player(value: &Value<'_>) -> Result<Player, IcnError> {
    match &value.data {
        Data::Number(text) => name::player(Slice::exact(text, value.span)),
        _ => name::player(value.string("a player: `\"white\"`")?),
    }
}

/// The cycle from the side to move on; white and black in turn unless a cycle is given.
fn turn_order(
    context: &Context<'_>,
    turn: Option<&Value<'_>>,
    order: Option<&Value<'_>>,
) -> Result<TurnOrder, IcnError> {
    let to_move = turn.map(player).transpose()?;
    let Some(order) = order else {
        return Ok(match to_move {
            None | Some(Player::WHITE) => TurnOrder::white_first(),
            Some(Player::BLACK) => TurnOrder::black_first(),
            Some(other) => TurnOrder::new(vec![other]).expect("one player is a cycle"),
        });
    };
    let cycle: Vec<Player> =
        order.array("a turn order: `[\"white\",\"black\"]`")?.iter().map(player).collect::<Result<_, _>>()?;
    if cycle.len() > context.options.max_turns {
        let kind = IcnErrorKind::TooMuch { what: Limited::Turns, limit: context.options.max_turns };
        return Err(error(kind, order.span));
    }
    let Some(cycle) = TurnOrder::new(cycle) else {
        return Err(broken(Rule::EmptyTurnOrder, order.span));
    };
    match (turn, to_move) {
        (Some(turn), Some(to_move)) if to_move != cycle.to_move() => {
            Err(broken(Rule::TurnNotFirst, turn.span))
        }
        _ => Ok(cycle),
    }
}

fn laws(
    context: &mut Context<'_>,
    rules: &RuleFields<'_, '_>,
    extra: &[&Member<'_>],
    players: &[Player],
) -> Result<Laws, IcnError> {
    let mut laws = Laws::default();
    let ranks = rules.promotion_ranks.map_or(Ok(BTreeMap::new()), |value| promotion_ranks(context, value))?;
    let choices =
        rules.promotions_allowed.map_or(Ok(BTreeMap::new()), |value| promotion_choices(context, value))?;
    for (_, (_, span)) in choices.iter().filter(|(player, _)| !ranks.contains_key(player)) {
        context.warn(WarningKind::ChoicesWithoutRank, *span);
    }
    for (player, (ranks, span)) in ranks {
        // The form names white and black even where only one of them plays.
        if !players.contains(&player) && !ranks.is_empty() {
            return Err(not_a_player(span));
        }
        if ranks.is_empty() {
            continue;
        }
        let promotion = match choices.get(&player) {
            Some((choices, _)) => Promotion::new(ranks, choices.clone()),
            None => Promotion::usual(ranks),
        };
        laws.promotion.insert(player, promotion);
    }
    if let Some(value) = rules.win_conditions {
        for member in value.object("win conditions: `{`")? {
            let player = name::player(member.name())?;
            let conditions = win_conditions(context, &member.value)?;
            if !players.contains(&player) {
                return Err(not_a_player(member.name().span));
            }
            laws.wins.set(player, conditions);
        }
    }
    if let Some(value) = rules.world_border {
        laws.border = border(context, value)?;
    }
    laws.extra = extra_rules(context, rules, extra)?;
    Ok(laws)
}

fn not_a_player(span: Span) -> IcnError {
    broken(Rule::NotAPlayer, span)
}

/// Ranks by player: `[8,1]` for white and black, or an object by player; each a rank, a list of ranks, or
/// `null`.
fn promotion_ranks(
    context: &mut Context<'_>,
    value: &Value<'_>,
) -> Result<BTreeMap<Player, (Vec<Coord>, Span)>, IcnError> {
    let mut ranks = |value: &Value<'_>| {
        let ranks = match &value.data {
            Data::Null => Vec::new(),
            Data::Array(items) => {
                items.iter().map(|item| whole(context, item, "a rank")).collect::<Result<_, _>>()?
            }
            _ => vec![whole(context, value, "a rank")?],
        };
        Ok((ranks, value.span))
    };
    match &value.data {
        Data::Array(items) if items.len() <= 2 => [Player::WHITE, Player::BLACK]
            .into_iter()
            .zip(items)
            .map(|(player, item)| Ok((player, ranks(item)?)))
            .collect(),
        Data::Array(_) => Err(broken(Rule::UnnamedRanks, value.span)),
        Data::Object(members) => {
            members.iter().map(|member| Ok((name::player(member.name())?, ranks(&member.value)?))).collect()
        }
        _ => Err(value.expected("promotion ranks: `[8,1]`")),
    }
}

fn promotion_choices(
    context: &Context<'_>,
    value: &Value<'_>,
) -> Result<BTreeMap<Player, (Vec<PieceKind>, Span)>, IcnError> {
    let mut by_player = BTreeMap::new();
    for member in value.object("promotion choices by player: `{`")? {
        if member.value.is_null() {
            continue;
        }
        let mut choices = Vec::new();
        for item in member.value.array("promotion choices: `[\"queens\"]`")? {
            let slice = item.string("a kind of piece: `\"queens\"`")?;
            let kind = name::kind(context, slice)?;
            if kind.is_neutral() {
                return Err(no_promotion(slice.span));
            }
            choices.push(kind);
        }
        if choices.is_empty() {
            return Err(broken(Rule::NoChoices, member.value.span));
        }
        by_player.insert(name::player(member.name())?, (choices, member.value.span));
    }
    Ok(by_player)
}

pub(super) fn no_promotion(span: Span) -> IcnError {
    broken(Rule::NeutralPawn, span)
}

fn win_conditions(context: &mut Context<'_>, value: &Value<'_>) -> Result<BTreeSet<Box<str>>, IcnError> {
    let mut words = BTreeSet::new();
    for item in value.array("win conditions: `[\"checkmate\"]`")? {
        let word = item.string("a win condition: `\"checkmate\"`")?;
        if word.text.is_empty() || !word.text.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(broken(Rule::ConditionWord, word.span));
        }
        if Player::from_code(word.text).is_some() {
            return Err(broken(Rule::PlayerAsWord, word.span));
        }
        if !KNOWN_WIN_CONDITIONS.contains(&word.text) {
            context.warn(WarningKind::WinCondition, word.span);
        }
        words.insert(word.text.into());
    }
    if words.is_empty() {
        return Err(broken(Rule::NoCondition, value.span));
    }
    Ok(words)
}

fn border(context: &mut Context<'_>, value: &Value<'_>) -> Result<Border, IcnError> {
    let fields =
        BorderFields::of(value.object("a world border: `{`")?, |member| unknown_field(context, member));
    let mut side =
        |value: Option<&Value<'_>>| value.map(|value| whole(context, value, "a coordinate")).transpose();
    let border = Border {
        left: side(fields.left)?,
        right: side(fields.right)?,
        bottom: side(fields.bottom)?,
        top: side(fields.top)?,
    };
    if border.is_inverted() {
        return Err(broken(Rule::InvertedBorder, value.span));
    }
    Ok(border)
}

/// The game rules that have no meaning here, and those given apart because their names do have one.
fn extra_rules(
    context: &Context<'_>,
    rules: &RuleFields<'_, '_>,
    extra: &[&Member<'_>],
) -> Result<JsonObject, IcnError> {
    let apart = rules.extra_rules.map_or(Ok([].as_slice()), |value| value.object("extra rules: `{`"))?;
    let all: Vec<&Member<'_>> = extra.iter().copied().chain(apart).collect();
    let members = all.iter().map(|member| Ok((member.name().text.into(), member.value.to_json(context)?)));
    JsonObject::from_members(members.collect::<Result<_, IcnError>>()?).map_err(|again| {
        let name = all[again].name();
        let first =
            all.iter().find(|member| member.name().text == name.text).map_or(name.span, |m| m.name().span);
        error(IcnErrorKind::Twice { what: Part::Name, first }, name.span)
    })
}

/// The pieces: an object by square, or a list in short notation.
fn pieces(
    context: &mut Context<'_>,
    value: &Value<'_>,
    rights: Option<&Value<'_>>,
) -> Result<Pieces, IcnError> {
    let mut pieces = match &value.data {
        Data::String(_) => short_pieces(context, value.string("pieces")?)?,
        Data::Object(members) => {
            if members.len() > context.options.max_pieces {
                let kind = IcnErrorKind::TooMuch { what: Limited::Pieces, limit: context.options.max_pieces };
                return Err(error(kind, value.span));
            }
            let mut list = Vec::with_capacity(members.len());
            for member in members {
                let square = square(context, member.name())?;
                let piece = name::piece(context, member.value.string("a piece: `\"queensW\"`")?)?;
                list.push(Placed::new(piece, square));
            }
            Pieces::from_list(list).map_err(|clash| {
                let first = members[clash.first].name().span;
                let second = members[clash.second].name().span;
                error(IcnErrorKind::Twice { what: Part::Square, first }, second)
            })?
        }
        _ => return Err(value.expected("pieces by square: `{`")),
    };
    if pieces.is_empty() {
        // No notation can write an empty board.
        return Err(broken(Rule::NoPieces, value.span));
    }
    if let Some(rights) = rights {
        set_rights(context, &mut pieces, rights)?;
    }
    Ok(pieces)
}

fn short_pieces(context: &mut Context<'_>, slice: Slice<'_>) -> Result<Pieces, IcnError> {
    let reading = context.options.parse(slice.text).map_err(|inner| slice.error_inside(inner))?;
    for warning in reading.warnings {
        context.warn(warning.kind(), slice.span_inside(warning.span()));
    }
    let only_pieces = Game { start: Position::new(reading.game.start.pieces.clone()), ..Game::default() };
    if reading.game != only_pieces {
        return Err(broken(Rule::MorePieces, slice.span));
    }
    Ok(reading.game.start.pieces)
}

/// The squares whose pieces have their right: an object by square with `true`, or a list of squares.
fn set_rights(context: &mut Context<'_>, pieces: &mut Pieces, value: &Value<'_>) -> Result<(), IcnError> {
    let mut squares = Vec::new();
    match &value.data {
        Data::Object(members) => {
            for member in members {
                let slice = member.name();
                let square = square(context, slice)?;
                if member.value.bool("`true` or `false`")? {
                    squares.push((square, slice.span));
                }
            }
        }
        Data::Array(items) => {
            for item in items {
                squares.push((coordinates(context, item)?, item.span));
            }
        }
        _ => return Err(value.expected("special rights by square: `{`")),
    }
    for (square, span) in squares {
        match pieces.find(&square) {
            Ok(index) => pieces.set_right(index, true),
            Err(_) => context.warn(WarningKind::RightWithoutPiece, span),
        }
    }
    Ok(())
}

/// The pieces of the variant that the tags name.
fn variant_pieces(
    context: &mut Context<'_>,
    root: &Value<'_>,
    tags: &[Tag],
    metadata: Option<&Value<'_>>,
) -> Result<Pieces, IcnError> {
    let tag = |name: &str| tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value);
    let end = Span::new(root.span.end - 1, root.span.end);
    let Some(variant) = tag("Variant").and_then(variants::find) else {
        return Err(broken(Rule::NoKnownVariant, end));
    };
    let ms = variants::start_time(tag("UTCDate"), tag("UTCTime"), tag("Date")).unwrap_or_else(|_| {
        context.warn(WarningKind::Date, metadata.map_or(end, |value| value.span));
        None
    });
    variant.at(ms).and_then(variants::Revision::pieces).ok_or_else(|| broken(Rule::VariantByNameOnly, end))
}

fn presets(context: &mut Context<'_>, value: &Value<'_>) -> Result<Presets, IcnError> {
    let fields = PresetFields::of(value.object("presets: `{`")?, |member| unknown_field(context, member));
    let mut presets = Presets::default();
    for item in fields.squares.map_or(Ok([].as_slice()), |value| value.array("squares: `[`"))? {
        presets.squares.push(coordinates(context, item)?);
    }
    for item in fields.rays.map_or(Ok([].as_slice()), |value| value.array("rays: `[`"))? {
        let ray = item.string("a ray: `\"x,y>dx,dy\"`")?;
        let Some(arrow) = ray.text.find('>') else {
            return Err(ray.from(ray.text.len()).expected("`>` and a direction"));
        };
        presets.rays.push((square(context, ray.sub(0..arrow))?, square(context, ray.from(arrow + 1))?));
    }
    Ok(presets)
}

pub(super) fn comments(value: &Value<'_>) -> Result<Vec<Box<str>>, IcnError> {
    let mut comments = Vec::new();
    for item in value.array("a list of comments")? {
        let comment = item.string("a comment")?;
        if comment.text.contains('}') {
            return Err(broken(Rule::BraceInComment, comment.span));
        }
        comments.push(comment.text.into());
    }
    Ok(comments)
}

fn result(value: &Value<'_>) -> Result<GameResult, IcnError> {
    let slice = value.string("a result: `\"1-0\"`")?;
    let known = GameResult::ALL.into_iter().find(|result| result.as_str() == slice.text);
    known.ok_or_else(|| slice.unknown(Term::Result, Some("1/2-1/2")))
}
