//! Random games: all kinds, players, sizes of coordinates, laws, tags, comments, marks and results.

use std::collections::BTreeSet;
use std::sync::Arc;

use boardprint_base::{
    Border, Coord, Game, GameResult, Json, JsonNumber, JsonObject, Laws, Move, MoveRule, Piece, PieceKind,
    Pieces, Placed, Player, Position, Presets, Promotion, Square, Tag, TurnOrder, WinConditions,
};
use proptest::prelude::*;

fn coordinate() -> impl Strategy<Value = Coord> {
    prop_oneof![
        8 => (-4_i64..9).prop_map(Coord::from),
        1 => any::<i64>().prop_map(Coord::from),
        1 => any::<i128>().prop_map(|value| &Coord::from(value) * &Coord::from(i64::MAX)),
    ]
}

fn square() -> impl Strategy<Value = Square> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Square { x, y })
}

fn kind() -> impl Strategy<Value = PieceKind> {
    prop_oneof![prop::sample::select(PieceKind::BUILT_IN), Just(PieceKind::Pawn), Just(PieceKind::King)]
}

fn pieces() -> impl Strategy<Value = Pieces> {
    let placed = (square(), kind(), 0_u32..9, any::<bool>()).prop_map(|(square, kind, player, right)| {
        Placed { square, piece: Piece::new(kind, Player(player)), right }
    });
    prop::collection::vec(placed, 1..20).prop_map(|list| {
        let mut pieces = Pieces::default();
        for placed in list {
            pieces.insert(placed);
        }
        pieces
    })
}

fn text() -> impl Strategy<Value = Box<str>> {
    prop_oneof!["[a-z ]{0,8}", "[^}]{0,8}"].prop_map(Into::into)
}

fn extra() -> impl Strategy<Value = JsonObject> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        "-?[1-9][0-9]{0,25}(\\.[0-9]{1,4})?(e-?[0-9])?"
            .prop_map(|n| Json::Number(JsonNumber::parse(&n, 99).unwrap())),
        text().prop_map(Json::String),
    ];
    let value =
        leaf.prop_recursive(3, 12, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Json::Array));
    let name = prop_oneof!["[a-zé\\\\\"]{0,3}", Just("turnOrder".to_owned()), Just("extraRules".to_owned())];
    prop::collection::btree_map(name, value, 0..4).prop_map(|members| {
        let members = members.into_iter().map(|(name, value)| (name.into(), value)).collect();
        JsonObject::from_members(members).unwrap()
    })
}

fn laws(players: Vec<Player>) -> impl Strategy<Value = Laws> {
    let choices = prop::collection::vec(kind().prop_filter("no neutral", |kind| !kind.is_neutral()), 1..5);
    let promotion = (prop::collection::vec(coordinate(), 1..3), prop::option::of(choices)).prop_map(
        |(ranks, choices)| {
            choices.map_or_else(
                || Promotion::usual(ranks.clone()),
                |choices| Promotion::new(ranks.clone(), choices),
            )
        },
    );
    let promotions = prop::collection::vec(prop::option::of(promotion), players.len());
    let words = prop::collection::btree_set(prop::sample::select(&["checkmate", "koth", "tea"][..]), 1..3);
    let wins = prop::collection::vec(prop::option::of(words), players.len());
    let sides = prop::collection::vec(prop::option::of(coordinate()), 4);
    (promotions, wins, sides, extra()).prop_map(move |(promotions, wins, sides, extra)| {
        let promotion = players
            .iter()
            .zip(promotions)
            .filter_map(|(player, promotion)| Some((*player, promotion?)))
            .collect();
        let mut all = WinConditions::default();
        for (player, words) in players.iter().zip(wins) {
            if let Some(words) = words {
                all.set(*player, words.into_iter().map(Into::into).collect::<BTreeSet<Box<str>>>());
            }
        }
        let [left, right, bottom, top] = sides.try_into().unwrap();
        let border = Border { left, right, bottom, top };
        let border = if border.is_inverted() { Border::default() } else { border };
        Laws { promotion, wins: all, border, extra }
    })
}

fn position() -> impl Strategy<Value = Position> {
    let turn = prop_oneof![
        Just(TurnOrder::white_first()),
        Just(TurnOrder::black_first()),
        prop::collection::vec((0_u32..7).prop_map(Player), 1..5)
            .prop_map(|cycle| TurnOrder::new(cycle).unwrap()),
    ];
    let turn = turn.prop_flat_map(|turn| {
        let laws = laws(turn.players());
        (Just(turn), laws)
    });
    let rule = prop::option::of((coordinate(), coordinate()));
    (turn, pieces(), prop::option::of(square()), rule, coordinate()).prop_map(
        |((turn, laws), pieces, en_passant, rule, full_move)| Position {
            turn,
            en_passant,
            move_rule: rule.map(|(count, limit)| MoveRule { count: count.abs(), limit: limit.abs() }),
            full_move: full_move.abs(),
            laws: Arc::new(laws),
            pieces,
        },
    )
}

/// A game that can be replayed; its moves need not be legal.
pub(crate) fn game() -> impl Strategy<Value = Game> {
    let texts = || prop::collection::vec(text(), 0..2);
    let tags = prop::collection::btree_map("[A-Z]{1,3}", text(), 0..3);
    let promotion = prop::option::of(kind().prop_filter("no neutral", |kind| !kind.is_neutral()));
    let moves = prop::collection::vec(
        (any::<prop::sample::Index>(), square(), promotion, "[+#!?=]{0,3}", texts()),
        0..12,
    );
    let presets = (prop::collection::vec(square(), 0..2), prop::collection::vec((square(), square()), 0..2));
    let result = prop::option::of(prop::sample::select(&GameResult::ALL[..]));
    (tags, position(), presets, (texts(), texts()), moves, result).prop_map(
        |(tags, start, (squares, rays), (opening_comments, closing_comments), moves, result)| {
            let mut position = start.clone();
            let mut list = Vec::new();
            for (from, to, promotion, marks, comments) in moves {
                let from = from.get(position.pieces.as_slice()).square.clone();
                let mut mv = Move { promotion, ..Move::new(from, to) };
                boardprint_base::replay::play(&mut position, &mv).unwrap();
                mv.notes.marks = marks.into();
                mv.notes.comments = comments;
                list.push(mv);
            }
            Game {
                tags: tags.into_iter().map(|(name, value)| Tag { name: name.into(), value }).collect(),
                start,
                start_from_variant: false,
                presets: Presets { squares, rays },
                opening_comments,
                moves: list,
                result,
                closing_comments,
            }
        },
    )
}
