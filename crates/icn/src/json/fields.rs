//! The fields of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boardprint_base::{
    Border, Coord, Game, GameResult, JsonObject, KNOWN_WIN_CONDITIONS, Laws, MoveRule, PieceKind, Pieces,
    Placed, Player, Position, Presets, Promotion, Span, Square, SyntaxError, SyntaxErrorKind, Tag, TurnOrder,
};

use super::moves;
use super::name;
use super::text::{Pad, Slice, broken, error, integer, square};
use super::value::{Data, Member, Value};
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

pub(super) fn game(pad: &mut Pad<'_>, root: &Value<'_>) -> Result<Game, SyntaxError> {
    let fields = GameFields::of(root.object("a game: `{`")?, |member| unknown_field(pad, member));
    let tags = fields.metadata.map_or(Ok(Vec::new()), |value| tags(pad, value))?;

    let mut extra = Vec::new();
    let rules = fields.game_rules.map(|value| value.object("game rules: `{`")).transpose()?;
    let rules = RuleFields::of(rules.unwrap_or_default(), |member| extra.push(member));
    let turn = turn_order(pad, fields.turn, rules.turn_order)?;
    let laws = laws(pad, &rules, &extra, &turn.players())?;

    let (pieces, start_from_variant) = match fields.starting_position.or(fields.short_position) {
        Some(value) => (pieces(pad, value, fields.special_rights)?, false),
        None => (variant_pieces(pad, root, &tags, fields.metadata)?, true),
    };
    let start = Position {
        turn,
        en_passant: fields.en_passant.map(|value| coordinates(pad, value)).transpose()?,
        move_rule: fields.move_rule.map(|value| move_rule(pad, value)).transpose()?,
        full_move: match fields.full_move {
            Some(value) => full_move(pad, value)?,
            None => Coord::from(1),
        },
        laws: Arc::new(laws),
        pieces,
    };
    let mut game = Game {
        tags,
        start,
        start_from_variant,
        presets: fields.presets.map_or(Ok(Presets::default()), |value| presets(pad, value))?,
        opening_comments: fields.opening_comments.map_or(Ok(Vec::new()), comments)?,
        moves: Vec::new(),
        result: fields.result.map(result).transpose()?,
        closing_comments: fields.closing_comments.map_or(Ok(Vec::new()), comments)?,
    };
    moves::read(pad, &mut game, fields.moves, fields.notes)?;
    Ok(game)
}

/// Notes that a field is passed over.
pub(super) fn unknown_field(pad: &mut Pad<'_>, member: &Member<'_>) {
    pad.warn(WarningKind::UnknownField, member.name().span);
}

fn tags(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<Vec<Tag>, SyntaxError> {
    let members = value.object("metadata: `{`")?;
    if members.len() > pad.options.max_tags {
        let kind = SyntaxErrorKind::TooMuch { what: "tags", limit: pad.options.max_tags };
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
            let hint = "write a name without blanks, colons, quotes and brackets";
            return Err(broken("this is no name of a tag", hint, name.span));
        }
        tags.push(Tag { name: name.text.into(), value });
    }
    Ok(tags)
}

/// A number or a string of one.
fn whole(pad: &mut Pad<'_>, value: &Value<'_>, what: &'static str) -> Result<Coord, SyntaxError> {
    match &value.data {
        Data::Number(text) => integer(pad, Slice::exact(text, value.span), true),
        Data::String(_) => integer(pad, value.string(what)?, false),
        _ => Err(value.expected(what)),
    }
}

fn not_negative(number: &Coord, span: Span) -> Result<(), SyntaxError> {
    if number.is_negative() {
        return Err(broken("a counter below 0", "counters start at 0", span));
    }
    Ok(())
}

fn full_move(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<Coord, SyntaxError> {
    let number = whole(pad, value, "a full move number")?;
    not_negative(&number, value.span)?;
    if number.is_zero() {
        pad.warn(WarningKind::FullMoveZero, value.span);
    }
    Ok(number)
}

/// `"N/M"`.
fn move_rule(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<MoveRule, SyntaxError> {
    let text = value.string("a move rule: `\"0/100\"`")?;
    let Some(slash) = text.text.find('/') else {
        return Err(text.from(text.text.len()).expected("`/` between count and limit"));
    };
    let mut counter = |slice: Slice<'_>| {
        let number = integer(pad, slice, false)?;
        not_negative(&number, slice.span)?;
        Ok(number)
    };
    let rule = MoveRule { count: counter(text.sub(0..slash))?, limit: counter(text.from(slash + 1))? };
    if rule.count > rule.limit || rule.limit.is_zero() {
        pad.warn(WarningKind::MoveRule, value.span);
    }
    Ok(rule)
}

/// A square: `[x,y]` or `"x,y"`.
pub(super) fn coordinates(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<Square, SyntaxError> {
    const WHAT: &str = "a square: `[x,y]` or `\"x,y\"`";
    match &value.data {
        Data::String(_) => square(pad, value.string(WHAT)?),
        Data::Array(items) => match items.as_slice() {
            [x, y] => Ok(Square { x: whole(pad, x, "a coordinate")?, y: whole(pad, y, "a coordinate")? }),
            _ => Err(broken("a square has two coordinates", "write `[x,y]`", value.span)),
        },
        _ => Err(value.expected(WHAT)),
    }
}

fn player(value: &Value<'_>) -> Result<Player, SyntaxError> {
    match &value.data {
        Data::Number(text) => name::player(Slice::exact(text, value.span)),
        _ => name::player(value.string("a player: `\"white\"`")?),
    }
}

/// The cycle from the side to move on; white and black in turn unless a cycle is given.
fn turn_order(
    pad: &Pad<'_>,
    turn: Option<&Value<'_>>,
    order: Option<&Value<'_>>,
) -> Result<TurnOrder, SyntaxError> {
    let player = |value: &Value<'_>| {
        let player = player(value)?;
        let hint = "turn orders know the players up to green";
        player.code().map(|_| player).ok_or_else(|| broken("a player who has no turn", hint, value.span))
    };
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
    if cycle.len() > pad.options.max_turns {
        let kind = SyntaxErrorKind::TooMuch { what: "turns", limit: pad.options.max_turns };
        return Err(error(kind, order.span));
    }
    let Some(cycle) = TurnOrder::new(cycle) else {
        return Err(broken("a turn order without players", "name at least one player", order.span));
    };
    match (turn, to_move) {
        (Some(turn), Some(to_move)) if to_move != cycle.to_move() => {
            let hint = "the turn order starts with the side to move";
            Err(broken("the side to move is not the first of the turn order", hint, turn.span))
        }
        _ => Ok(cycle),
    }
}

fn laws(
    pad: &mut Pad<'_>,
    rules: &RuleFields<'_, '_>,
    extra: &[&Member<'_>],
    players: &[Player],
) -> Result<Laws, SyntaxError> {
    let mut laws = Laws::default();
    let ranks = rules.promotion_ranks.map_or(Ok(BTreeMap::new()), |value| promotion_ranks(pad, value))?;
    let mut choices =
        rules.promotions_allowed.map_or(Ok(BTreeMap::new()), |value| promotion_choices(pad, value))?;
    for (player, (ranks, span)) in ranks {
        // The form names white and black even where only one of them plays.
        if !players.contains(&player) && !ranks.is_empty() {
            return Err(not_a_player(span));
        }
        let choices = choices.remove(&player);
        if ranks.is_empty() {
            continue;
        }
        let promotion = match choices {
            Some((choices, _)) => Promotion::new(ranks, choices),
            None => Promotion::usual(ranks),
        };
        laws.promotion.insert(player, promotion);
    }
    for (_, span) in choices.into_values() {
        pad.warn(WarningKind::ChoicesWithoutRank, span);
    }
    if let Some(value) = rules.win_conditions {
        for member in value.object("win conditions: `{`")? {
            let player = name::player(member.name())?;
            let conditions = win_conditions(pad, &member.value)?;
            if !players.contains(&player) {
                return Err(not_a_player(member.name().span));
            }
            laws.wins.set(player, conditions);
        }
    }
    if let Some(value) = rules.world_border {
        laws.border = border(pad, value)?;
    }
    laws.extra = extra_rules(pad, rules, extra)?;
    Ok(laws)
}

fn not_a_player(span: Span) -> SyntaxError {
    broken("not a player of this game", "players are those of the turn order", span)
}

/// Ranks by player: `[8,1]` for white and black, or an object by player; each a rank, a list of ranks, or `null`.
fn promotion_ranks(
    pad: &mut Pad<'_>,
    value: &Value<'_>,
) -> Result<BTreeMap<Player, (Vec<Coord>, Span)>, SyntaxError> {
    let mut ranks = |value: &Value<'_>| {
        let ranks = match &value.data {
            Data::Null => Vec::new(),
            Data::Array(items) => {
                items.iter().map(|item| whole(pad, item, "a rank")).collect::<Result<_, _>>()?
            }
            _ => vec![whole(pad, value, "a rank")?],
        };
        Ok((ranks, value.span))
    };
    match &value.data {
        Data::Array(items) if items.len() <= 2 => [Player::WHITE, Player::BLACK]
            .into_iter()
            .zip(items)
            .map(|(player, item)| Ok((player, ranks(item)?)))
            .collect(),
        Data::Array(_) => {
            let hint = "write `{\"white\": 8, \"black\": 1, \"red\": 4}`";
            Err(broken("promotion ranks of more than two players without their names", hint, value.span))
        }
        Data::Object(members) => {
            members.iter().map(|member| Ok((name::player(member.name())?, ranks(&member.value)?))).collect()
        }
        _ => Err(value.expected("promotion ranks: `[8,1]`")),
    }
}

fn promotion_choices(
    pad: &Pad<'_>,
    value: &Value<'_>,
) -> Result<BTreeMap<Player, (Vec<PieceKind>, Span)>, SyntaxError> {
    let mut by_player = BTreeMap::new();
    for member in value.object("promotion choices by player: `{`")? {
        if member.value.is_null() {
            continue;
        }
        let mut choices = Vec::new();
        for item in member.value.array("promotion choices: `[\"queens\"]`")? {
            let slice = item.string("a kind of piece: `\"queens\"`")?;
            let kind = name::kind(pad, slice)?;
            if kind.is_neutral() {
                return Err(no_promotion(slice.span));
            }
            choices.push(kind);
        }
        if choices.is_empty() {
            let hint = "name the kinds, or leave the player out for the usual ones";
            return Err(broken("an empty list of promotion choices", hint, member.value.span));
        }
        by_player.insert(name::player(member.name())?, (choices, member.value.span));
    }
    Ok(by_player)
}

pub(super) fn no_promotion(span: Span) -> SyntaxError {
    broken("pawns do not become obstacles or voids", "name another piece", span)
}

fn win_conditions(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<BTreeSet<Box<str>>, SyntaxError> {
    let mut words = BTreeSet::new();
    for item in value.array("win conditions: `[\"checkmate\"]`")? {
        let word = item.string("a win condition: `\"checkmate\"`")?;
        if word.text.is_empty() || !word.text.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(broken("a win condition is a word in lower case", "such as `checkmate`", word.span));
        }
        if Player::from_code(word.text).is_some() {
            return Err(broken("a player code is no win condition", "such as `checkmate`", word.span));
        }
        if !KNOWN_WIN_CONDITIONS.contains(&word.text) {
            pad.warn(WarningKind::WinCondition, word.span);
        }
        words.insert(word.text.into());
    }
    if words.is_empty() {
        return Err(broken("no win condition", "leave the player out for `checkmate`", value.span));
    }
    Ok(words)
}

fn border(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<Border, SyntaxError> {
    let fields = BorderFields::of(value.object("a world border: `{`")?, |member| unknown_field(pad, member));
    let mut side =
        |value: Option<&Value<'_>>| value.map(|value| whole(pad, value, "a coordinate")).transpose();
    let border = Border {
        left: side(fields.left)?,
        right: side(fields.right)?,
        bottom: side(fields.bottom)?,
        top: side(fields.top)?,
    };
    if border.is_inverted() {
        return Err(broken(
            "an inverted border",
            "left is not beyond right, bottom not beyond top",
            value.span,
        ));
    }
    Ok(border)
}

/// The game rules that have no meaning here, and those given apart because their names do have one.
fn extra_rules(
    pad: &Pad<'_>,
    rules: &RuleFields<'_, '_>,
    extra: &[&Member<'_>],
) -> Result<JsonObject, SyntaxError> {
    let apart = rules.extra_rules.map_or(Ok([].as_slice()), |value| value.object("extra rules: `{`"))?;
    let all: Vec<&Member<'_>> = extra.iter().copied().chain(apart).collect();
    let members = all.iter().map(|member| Ok((member.name().text.into(), member.value.to_json(pad)?)));
    JsonObject::from_members(members.collect::<Result<_, SyntaxError>>()?).map_err(|again| {
        let name = all[again].name();
        let first =
            all.iter().find(|member| member.name().text == name.text).map_or(name.span, |m| m.name().span);
        error(SyntaxErrorKind::Twice { what: "name", first }, name.span)
    })
}

/// The pieces: an object by square, or a list in short notation.
fn pieces(pad: &mut Pad<'_>, value: &Value<'_>, rights: Option<&Value<'_>>) -> Result<Pieces, SyntaxError> {
    let mut pieces = match &value.data {
        Data::String(_) => short_pieces(pad, value.string("pieces")?)?,
        Data::Object(members) => {
            if members.len() > pad.options.max_pieces {
                let kind = SyntaxErrorKind::TooMuch { what: "pieces", limit: pad.options.max_pieces };
                return Err(error(kind, value.span));
            }
            let mut list = Vec::with_capacity(members.len());
            for member in members {
                let square = square(pad, member.name())?;
                let piece = name::piece(pad, member.value.string("a piece: `\"queensW\"`")?)?;
                list.push(Placed::new(piece, square));
            }
            Pieces::from_list(list).map_err(|clash| {
                let first = members[clash.first].name().span;
                let second = members[clash.second].name().span;
                error(SyntaxErrorKind::Twice { what: "square", first }, second)
            })?
        }
        _ => return Err(value.expected("pieces by square: `{`")),
    };
    if pieces.is_empty() {
        // No notation can write an empty board.
        let hint = "give at least one piece, or no `startingPosition` and a known `Variant` in `metadata`";
        return Err(broken("no pieces", hint, value.span));
    }
    if let Some(rights) = rights {
        set_rights(pad, &mut pieces, rights)?;
    }
    Ok(pieces)
}

fn short_pieces(pad: &mut Pad<'_>, slice: Slice<'_>) -> Result<Pieces, SyntaxError> {
    let reading = pad.options.parse(slice.text).map_err(|inner| slice.error_inside(inner))?;
    for warning in reading.warnings {
        pad.warn(warning.kind(), slice.span_inside(warning.span()));
    }
    let only_pieces = Game { start: Position::new(reading.game.start.pieces.clone()), ..Game::default() };
    if reading.game != only_pieces {
        return Err(broken("more than pieces", "other fields have their own names", slice.span));
    }
    Ok(reading.game.start.pieces)
}

/// The squares whose pieces have their right: an object by square with `true`, or a list of squares.
fn set_rights(pad: &mut Pad<'_>, pieces: &mut Pieces, value: &Value<'_>) -> Result<(), SyntaxError> {
    let mut squares = Vec::new();
    match &value.data {
        Data::Object(members) => {
            for member in members {
                let slice = member.name();
                let square = square(pad, slice)?;
                if member.value.bool("`true` or `false`")? {
                    squares.push((square, slice.span));
                }
            }
        }
        Data::Array(items) => {
            for item in items {
                squares.push((coordinates(pad, item)?, item.span));
            }
        }
        _ => return Err(value.expected("special rights by square: `{`")),
    }
    for (square, span) in squares {
        match pieces.find(&square) {
            Ok(index) => pieces.set_right(index, true),
            Err(_) => pad.warn(WarningKind::RightWithoutPiece, span),
        }
    }
    Ok(())
}

/// The pieces of the variant that the tags name.
fn variant_pieces(
    pad: &mut Pad<'_>,
    root: &Value<'_>,
    tags: &[Tag],
    metadata: Option<&Value<'_>>,
) -> Result<Pieces, SyntaxError> {
    let tag = |name: &str| tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value);
    let end = Span::new(root.span.end - 1, root.span.end);
    let Some(variant) = tag("Variant").and_then(variants::find) else {
        let hint = "give `startingPosition`, or a known `Variant` in `metadata`";
        return Err(broken("no pieces", hint, end));
    };
    let ms = variants::start_time(tag("UTCDate"), tag("UTCTime"), tag("Date")).unwrap_or_else(|_| {
        pad.warn(WarningKind::Date, metadata.map_or(end, |value| value.span));
        None
    });
    let hint = "give `startingPosition`: this variant is known by name only";
    variant.at(ms).and_then(variants::Revision::pieces).ok_or_else(|| broken("no pieces", hint, end))
}

fn presets(pad: &mut Pad<'_>, value: &Value<'_>) -> Result<Presets, SyntaxError> {
    let fields = PresetFields::of(value.object("presets: `{`")?, |member| unknown_field(pad, member));
    let mut presets = Presets::default();
    for item in fields.squares.map_or(Ok([].as_slice()), |value| value.array("squares: `[`"))? {
        presets.squares.push(coordinates(pad, item)?);
    }
    for item in fields.rays.map_or(Ok([].as_slice()), |value| value.array("rays: `[`"))? {
        let ray = item.string("a ray: `\"x,y>dx,dy\"`")?;
        let Some(arrow) = ray.text.find('>') else {
            return Err(ray.from(ray.text.len()).expected("`>` and a direction"));
        };
        presets.rays.push((square(pad, ray.sub(0..arrow))?, square(pad, ray.from(arrow + 1))?));
    }
    Ok(presets)
}

pub(super) fn comments(value: &Value<'_>) -> Result<Vec<Box<str>>, SyntaxError> {
    let mut comments = Vec::new();
    for item in value.array("a list of comments")? {
        let comment = item.string("a comment")?;
        if comment.text.contains('}') {
            let hint = "comments stand in braces, so they cannot hold one";
            return Err(broken("a comment with `}`", hint, comment.span));
        }
        comments.push(comment.text.into());
    }
    Ok(comments)
}

fn result(value: &Value<'_>) -> Result<GameResult, SyntaxError> {
    let slice = value.string("a result: `\"1-0\"`")?;
    let known = GameResult::ALL.into_iter().find(|result| result.as_str() == slice.text);
    known.ok_or_else(|| slice.unknown("result", Some("1/2-1/2")))
}
