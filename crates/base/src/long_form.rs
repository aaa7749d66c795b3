//! Games, positions and moves for serde (feature `serde`), in the shape of the JSON long form.
//!
//! What is written is what the long form of the ICN crate writes, and what is read is that shape. Texts of
//! other programs, older spellings and places of errors are the business of the ICN crate's reader.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Border, Coord, Game, Json, JsonNumber, JsonObject, Laws, Move, MoveRule, Piece, PieceKind, Pieces,
    Placed, Player, Position, Presets, Promotion, Square, Tag, TurnOrder,
};

/// A game in the shape of the long form.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Form {
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    metadata: Pairs<Box<str>>,
    turn: Option<String>,
    #[serde(rename = "enpassant", skip_serializing_if = "Option::is_none")]
    en_passant: Option<(Number, Number)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_rule: Option<String>,
    full_move: Option<Number>,
    game_rules: GameRules,
    special_rights: Pairs<bool>,
    starting_position: Pairs<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    presets: Option<PresetForm>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opening_comments: Vec<Box<str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    notes: Pairs<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    closing_comments: Vec<Box<str>>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct GameRules {
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion_ranks: Option<Ranks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotions_allowed: Option<Pairs<Vec<String>>>,
    win_conditions: Pairs<Vec<Box<str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_order: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    world_border: Option<BorderForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_rules: Option<Pairs<Json>>,
    #[serde(flatten)]
    others: Pairs<Json>,
}

/// The names of game rules that have a meaning here, so that no extra rule may have them.
const RULE_NAMES: [&str; 6] =
    ["promotionRanks", "promotionsAllowed", "winConditions", "turnOrder", "worldBorder", "extraRules"];

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Ranks {
    WhiteAndBlack(Vec<Option<Number>>),
    ByPlayer(Pairs<Vec<Number>>),
}

#[derive(Serialize, Deserialize)]
struct BorderForm {
    left: Option<Number>,
    right: Option<Number>,
    bottom: Option<Number>,
    top: Option<Number>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct PresetForm {
    squares: Vec<String>,
    rays: Vec<String>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Note {
    #[serde(skip_serializing_if = "str::is_empty")]
    marks: Box<str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Box<str>>,
}

/// An integer: a number while JavaScript reads it exactly, else a string.
#[derive(Clone)]
struct Number(Coord);

/// An object whose members keep their order.
struct Pairs<V>(Vec<(Box<str>, V)>);

impl<V> Default for Pairs<V> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<V> Pairs<V> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<Box<str>>, V> FromIterator<(K, V)> for Pairs<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Pairs(pairs.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<V: Serialize> Serialize for Pairs<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(&**name, value)?;
        }
        map.end()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Members<V> {
            type Value = Pairs<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<V>, A::Error> {
                let mut pairs = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, V>()? {
                    pairs.push((name.into(), value));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: u64 = (1 << 53) - 1;
        match self.0.as_i64().filter(|value| value.unsigned_abs() <= EXACT) {
            Some(value) => serializer.serialize_i64(value),
            None => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a string of one")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value.into()))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(i128::from(value).into()))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map(Number).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Digits)
    }
}

impl Serialize for Json {
    /// Whole numbers are exact up to 128 bits; beyond, and where they are not whole, they are the nearest
    /// double.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => {
                let text = number.as_str();
                match (text.parse::<i64>(), text.parse::<i128>()) {
                    (Ok(small), _) => serializer.serialize_i64(small),
                    (_, Ok(large)) => serializer.serialize_i128(large),
                    _ => serializer.serialize_f64(text.parse().unwrap_or(f64::NAN)),
                }
            }
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Json::Object(object) => {
                let mut map = serializer.serialize_map(None)?;
                object.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        /// Enough for every double.
        const DIGITS: usize = 400;
        fn number<E: de::Error>(text: &str) -> Result<Json, E> {
            let number = JsonNumber::parse(text, DIGITS);
            number.map(Json::Number).ok_or_else(|| E::custom("not a number of JSON"))
        }
        impl<'de> Visitor<'de> for Value {
            type Value = Json;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }
            fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Bool(value))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Json, E> {
                number(&value.to_string())
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
                number(&value.to_string())
            }
            fn visit_i128<E: de::Error>(self, value: i128) -> Result<Json, E> {
                number(&value.to_string())
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
                number(&format!("{value:e}"))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Json, E> {
                Ok(Json::String(text.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Json::Array(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Json, A::Error> {
                let pairs = Pairs::deserialize(de::value::MapAccessDeserializer::new(map))?;
                object(pairs).map(Json::Object)
            }
        }
        deserializer.deserialize_any(Value)
    }
}

fn object<E: de::Error>(pairs: Pairs<Json>) -> Result<JsonObject, E> {
    JsonObject::from_members(pairs.0).map_err(|_| E::custom("a name stands twice in an object"))
}

fn of_player(player: Player) -> String {
    player.name().map_or_else(|| player.0.to_string(), str::to_owned)
}

fn player<E: de::Error>(name: &str) -> Result<Player, E> {
    let known = Player::from_name(name).or_else(|| name.parse().ok().map(Player));
    known.ok_or_else(|| E::custom(format_args!("unknown player `{name}`")))
}

fn numbers(values: &[Coord]) -> Vec<Number> {
    values.iter().cloned().map(Number).collect()
}

fn parsed<T: std::str::FromStr<Err: fmt::Display>, E: de::Error>(text: &str) -> Result<T, E> {
    text.parse().map_err(|error| E::custom(format_args!("{error} in `{text}`")))
}

impl GameRules {
    fn of(position: &Position) -> Self {
        let laws = &*position.laws;
        let is_plain = laws.promotion.iter().all(|(player, promotion)| {
            matches!(*player, Player::WHITE | Player::BLACK) && promotion.ranks().len() == 1
        });
        let first_rank = |player| Some(Number(laws.promotion.get(&player)?.ranks().first()?.clone()));
        let ranks = if is_plain {
            Ranks::WhiteAndBlack([Player::WHITE, Player::BLACK].map(first_rank).into())
        } else {
            let by_player = laws.promotion.iter();
            Ranks::ByPlayer(by_player.map(|(player, p)| (of_player(*player), numbers(p.ranks()))).collect())
        };
        let kinds =
            |promotion: &Promotion| promotion.choices().iter().map(|k| k.plural().to_owned()).collect();
        let promotes = !laws.promotion.is_empty();
        let side = |side: &Option<Coord>| side.clone().map(Number);
        let extra: Pairs<Json> = laws.extra.iter().map(|(name, value)| (name, value.clone())).collect();
        let clashes = laws.extra.iter().any(|(name, _)| RULE_NAMES.contains(&name));
        let (extra_rules, others) = if clashes { (Some(extra), Pairs::default()) } else { (None, extra) };
        GameRules {
            promotion_ranks: promotes.then_some(ranks),
            promotions_allowed: promotes.then(|| {
                laws.promotion
                    .iter()
                    .map(|(player, promotion)| (of_player(*player), kinds(promotion)))
                    .collect()
            }),
            win_conditions: (position.turn.players().into_iter())
                .map(|player| (of_player(player), laws.wins.of(player).map(Into::into).collect()))
                .collect(),
            turn_order: (!position.turn.is_white_and_black())
                .then(|| position.turn.cycle().iter().map(|player| of_player(*player)).collect()),
            world_border: (!laws.border.is_open()).then(|| BorderForm {
                left: side(&laws.border.left),
                right: side(&laws.border.right),
                bottom: side(&laws.border.bottom),
                top: side(&laws.border.top),
            }),
            extra_rules,
            others,
        }
    }

    fn into_laws<E: de::Error>(self) -> Result<Laws, E> {
        let mut laws = Laws::default();
        let ranks: Vec<(Player, Vec<Number>)> = match self.promotion_ranks {
            None => Vec::new(),
            Some(Ranks::WhiteAndBlack(ranks)) => [Player::WHITE, Player::BLACK]
                .into_iter()
                .zip(ranks)
                .filter_map(|(player, rank)| Some((player, vec![rank?])))
                .collect(),
            Some(Ranks::ByPlayer(ranks)) => ranks
                .0
                .into_iter()
                .map(|(name, ranks)| Ok((player(&name)?, ranks)))
                .collect::<Result<_, E>>()?,
        };
        let allowed = self.promotions_allowed.unwrap_or_default();
        for (player, ranks) in ranks.into_iter().filter(|(_, ranks)| !ranks.is_empty()) {
            let ranks = ranks.into_iter().map(|rank| rank.0);
            let choices = allowed.0.iter().find(|(name, _)| **name == *of_player(player));
            let promotion = match choices {
                None => Promotion::usual(ranks),
                Some((_, kinds)) => {
                    let kinds = kinds.iter().map(|kind| {
                        PieceKind::from_plural(kind)
                            .ok_or_else(|| E::custom(format_args!("unknown kind of piece `{kind}`")))
                    });
                    Promotion::new(ranks, kinds.collect::<Result<Vec<_>, E>>()?)
                }
            };
            laws.promotion.insert(player, promotion);
        }
        for (name, conditions) in self.win_conditions.0 {
            laws.wins.set(player(&name)?, conditions.into_iter().collect());
        }
        if let Some(border) = self.world_border {
            let side = |side: Option<Number>| side.map(|number| number.0);
            laws.border = Border {
                left: side(border.left),
                right: side(border.right),
                bottom: side(border.bottom),
                top: side(border.top),
            };
            if laws.border.is_inverted() {
                return Err(E::custom("an inverted border"));
            }
        }
        let mut extra = self.others.0;
        extra.extend(self.extra_rules.unwrap_or_default().0);
        laws.extra = object(Pairs(extra))?;
        Ok(laws)
    }
}

impl Form {
    fn of(position: &Position) -> Self {
        let rights = position.pieces.iter().filter(|placed| placed.right);
        Form {
            turn: Some(of_player(position.turn.to_move())),
            en_passant: position.en_passant.clone().map(|square| (Number(square.x), Number(square.y))),
            move_rule: position.move_rule.as_ref().map(|rule| format!("{}/{}", rule.count, rule.limit)),
            full_move: Some(Number(position.full_move.clone())),
            game_rules: GameRules::of(position),
            special_rights: rights.map(|placed| (placed.square.to_string(), true)).collect(),
            starting_position: (position.pieces.iter())
                .map(|placed| (placed.square.to_string(), placed.piece.long_name()))
                .collect(),
            ..Form::default()
        }
    }

    fn of_game(game: &Game) -> Self {
        let is_noted = |mv: &Move| !mv.notes.marks.is_empty() || !mv.notes.comments.is_empty();
        let note = |mv: &Move| Note { marks: mv.notes.marks.clone(), comments: mv.notes.comments.clone() };
        let squares = || game.presets.squares.iter().map(Square::to_string).collect();
        let rays = || game.presets.rays.iter().map(|(from, step)| format!("{from}>{step}")).collect();
        Form {
            metadata: game.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
            presets: (game.presets != Presets::default())
                .then(|| PresetForm { squares: squares(), rays: rays() }),
            opening_comments: game.opening_comments.clone(),
            moves: (game.moves.iter().enumerate())
                .map(|(ply, mv)| mv.in_universal_form(game.start.turn.at(ply)))
                .collect(),
            notes: (game.moves.iter().enumerate())
                .filter(|(_, mv)| is_noted(mv))
                .map(|(ply, mv)| ((ply + 1).to_string(), note(mv)))
                .collect(),
            result: game.result.map(|result| result.to_string()),
            closing_comments: game.closing_comments.clone(),
            ..Form::of(&game.start)
        }
    }

    fn position<E: de::Error>(&mut self) -> Result<Position, E> {
        let cycle = match self.game_rules.turn_order.take() {
            Some(names) => names.iter().map(|name| player(name)).collect::<Result<Vec<_>, E>>()?,
            None => match self.turn.as_deref().map(player).transpose()? {
                None | Some(Player::WHITE) => vec![Player::WHITE, Player::BLACK],
                Some(Player::BLACK) => vec![Player::BLACK, Player::WHITE],
                Some(other) => vec![other],
            },
        };
        let mut pieces = Vec::new();
        for (square, name) in &self.starting_position.0 {
            let piece = Piece::from_long_name(name);
            let piece = piece.ok_or_else(|| E::custom(format_args!("unknown piece `{name}`")))?;
            pieces.push(Placed::new(piece, parsed(square)?));
        }
        let mut pieces = Pieces::from_list(pieces).map_err(|_| E::custom("a square stands twice"))?;
        for (square, right) in &self.special_rights.0 {
            if let (true, Ok(index)) = (right, pieces.find(&parsed(square)?)) {
                pieces.set_right(index, true);
            }
        }
        let move_rule = match self.move_rule.take() {
            None => None,
            Some(text) => {
                let (count, limit) =
                    text.split_once('/').ok_or_else(|| E::custom("a move rule is `count/limit`"))?;
                Some(MoveRule { count: parsed(count)?, limit: parsed(limit)? })
            }
        };
        let counters = move_rule.iter().flat_map(|rule| [&rule.count, &rule.limit]);
        let full_move = self.full_move.take().map_or_else(|| Coord::from(1), |number| number.0);
        if counters.chain([&full_move]).any(Coord::is_negative) {
            return Err(E::custom("a counter below 0"));
        }
        Ok(Position {
            turn: TurnOrder::new(cycle).ok_or_else(|| E::custom("a turn order without players"))?,
            en_passant: self.en_passant.take().map(|(x, y)| Square { x: x.0, y: y.0 }),
            move_rule,
            full_move,
            laws: Arc::new(std::mem::take(&mut self.game_rules).into_laws()?),
            pieces,
        })
    }

    fn into_game<E: de::Error>(mut self) -> Result<Game, E> {
        let start = self.position()?;
        let mut moves = self.moves.iter().map(|text| parsed(text)).collect::<Result<Vec<Move>, E>>()?;
        for (ply, note) in self.notes.0 {
            let index = ply.parse::<usize>().ok().and_then(|ply| ply.checked_sub(1));
            let mv = index.and_then(|index| moves.get_mut(index));
            let mv = mv.ok_or_else(|| E::custom("notes on a move that is not there"))?;
            (mv.notes.marks, mv.notes.comments) = (note.marks, note.comments);
        }
        let preset = self.presets.unwrap_or_default();
        let rays = preset.rays.iter().map(|ray| {
            let (from, step) = ray.split_once('>').ok_or_else(|| E::custom("a ray is `x,y>dx,dy`"))?;
            Ok((parsed(from)?, parsed(step)?))
        });
        Ok(Game {
            tags: self.metadata.0.into_iter().map(|(name, value)| Tag { name, value }).collect(),
            start,
            start_from_variant: false,
            presets: Presets {
                rays: rays.collect::<Result<_, E>>()?,
                squares: preset.squares.iter().map(|square| parsed(square)).collect::<Result<_, E>>()?,
            },
            opening_comments: self.opening_comments,
            moves,
            result: self.result.as_deref().map(parsed).transpose()?,
            closing_comments: self.closing_comments,
        })
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Form::deserialize(deserializer)?.position()
    }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form::of_game(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Form::deserialize(deserializer)?.into_game()
    }
}

/// As text: `"5,2>5,4"`. What was noted about the move belongs to its game.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(&String::deserialize(deserializer)?)
    }
}
