//! Games replayed by other programs: final pieces, en passant, counters; and the game of the notation's own
//! texts.

use std::collections::BTreeSet;

use boardprint_base::replay::{Replay, position_at};
use boardprint_base::{Coord, Game, PieceKind, Placed, Player, Position, TurnOrder};
use boardprint_icn::{canonical, canonical_position, parse};
use boardprint_tests::{report, rows};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    id: String,
    icn: String,
    plies: usize,
    #[serde(rename = "final")]
    last: Final,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Final {
    pieces: BTreeSet<String>,
    ep: Option<EnPassant>,
    rule: Option<i64>,
    full_move: i64,
    to_move: u32,
}

#[derive(Deserialize)]
struct EnPassant {
    square: String,
}

#[derive(Deserialize)]
struct Printed {
    name: String,
    icn: String,
}

/// The pieces, with rights that could be used: programs disagree on when to clear the others.
fn usable(position: &Position) -> BTreeSet<String> {
    let pieces = position.pieces.as_slice();
    let is_partner = |a: &Placed, b: &Placed| {
        b.right
            && a.piece.player == b.piece.player
            && a.square.y == b.square.y
            && b.piece.kind != PieceKind::Pawn
            && a.piece.kind.leads_castling() != b.piece.kind.leads_castling()
            && (&a.square.x - &b.square.x).abs() >= Coord::from(3)
    };
    let usable = |placed: &Placed| {
        placed.right
            && (placed.piece.kind == PieceKind::Pawn || pieces.iter().any(|other| is_partner(placed, other)))
    };
    pieces.iter().map(|placed| Placed { right: usable(placed), ..placed.clone() }.to_string()).collect()
}

/// The full move number of a program that counts turn cycles from the start, as ours is counted.
fn full_move(game: &Game, by_cycle: i64) -> Coord {
    let black_starts = game.start.turn == TurnOrder::black_first();
    let plies_left = game.moves.len() % 2 == 1;
    Coord::from(by_cycle + i64::from(black_starts && plies_left))
}

fn failure(row: &Row) -> Option<String> {
    let game = parse(&row.icn).expect("games are read").game;
    let last = match position_at(&game, usize::MAX) {
        Ok(last) => last,
        Err(error) => return Some(format!("{}: {error}", row.id)),
    };
    let expected = parse(&row.last.pieces.iter().cloned().collect::<Vec<_>>().join("|"));
    let expected = expected.expect("pieces are read").game.start;
    let difference: Vec<_> = usable(&last).symmetric_difference(&usable(&expected)).cloned().collect();
    let en_passant = last.en_passant.as_ref().map(ToString::to_string);
    let count = last.move_rule.map(|rule| rule.count);
    let wrong = [
        (game.moves.len() != row.plies, "number of plies"),
        (!difference.is_empty(), "pieces"),
        (en_passant.as_ref() != row.last.ep.as_ref().map(|ep| &ep.square), "en passant"),
        (count != row.last.rule.map(Coord::from), "move rule"),
        (last.full_move != full_move(&game, row.last.full_move), "full move"),
        (last.turn.to_move() != Player(row.last.to_move), "side to move"),
    ];
    let wrong: Vec<_> = wrong.iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, what)| *what).collect();
    (!wrong.is_empty()).then(|| format!("{}: {}: {difference:?}", row.id, wrong.join(", ")))
}

#[test]
fn every_game_ends_as_the_site_plays_it() {
    let rows: Vec<Row> = rows("replay/replay.jsonl");
    assert_eq!(rows.len(), 263);
    let failures: Vec<_> = rows.iter().filter_map(failure).collect();
    report("games", rows.len(), &failures);
}

#[test]
fn every_game_can_be_taken_back() {
    for row in rows::<Row>("replay/replay.jsonl") {
        let game = parse(&row.icn).unwrap().game;
        let mut replay = Replay::new(&game);
        let mut trail = Vec::new();
        while let Some(played) = replay.step().unwrap() {
            trail.push(played);
        }
        let mut position = replay.into_position();
        for played in trail.into_iter().rev() {
            played.undo(&mut position);
        }
        assert_eq!(position, game.start, "{}", row.id);
    }
}

#[test]
fn the_canonical_text_replays_alike() {
    for row in rows::<Row>("replay/replay.jsonl") {
        let game = parse(&row.icn).unwrap().game;
        let again = parse(&canonical(&game)).unwrap().game;
        let (mut one, mut other) = (Replay::new(&game), Replay::new(&again));
        while one.step().unwrap().is_some() {
            other.step().unwrap();
            assert_eq!(one.position(), other.position(), "{} after {} plies", row.id, one.ply());
        }
    }
}

#[test]
fn the_game_of_the_original_texts_goes_through_the_printed_positions() {
    let printed: Vec<Printed> = rows("icn/icn.jsonl");
    let game = |name: &str| {
        let row = printed.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name} is missing"));
        parse(&row.icn).unwrap().game
    };
    for text in ["readme-2024-03", "readme-2024-08"] {
        let after_one = game(&format!("{text}-after-one-move")).start;
        let late = game(&format!("{text}-late")).start;
        for printing in ["long", "compact"] {
            let game = game(&format!("{text}-{printing}"));
            assert_eq!(game.moves.len(), 22);
            // The printings differ in their extra rules only.
            let with_laws =
                |position: &Position| Position { laws: game.start.laws.clone(), ..position.clone() };
            assert_eq!(position_at(&game, 1).unwrap(), with_laws(&after_one), "{text} {printing}");
            assert_eq!(position_at(&game, 21).unwrap(), with_laws(&late), "{text} {printing}");
            if printing == "compact" {
                let position = position_at(&game, 21).unwrap();
                assert_eq!(canonical_position(&position), canonical_position(&late));
            }
        }
    }
}
