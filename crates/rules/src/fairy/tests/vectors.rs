//! Every row of the vectors in `corpus/fairy`.

use boardprint_base::{Coord, Player, Rect, Square};
use serde_json::Value;

use crate::fairy::{Comparison, Expr, Limits, Movement, Mover, ReadOptions, Surroundings, same_moves};
use crate::pieces::PieceTable;

fn corpus(name: &str) -> String {
    let path = format!("{}/../../corpus/fairy/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rows(name: &str) -> Vec<Value> {
    corpus(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn square(value: &Value) -> Square {
    Square::new(value[0].as_i64().unwrap(), value[1].as_i64().unwrap())
}

fn squares(value: &Value) -> Vec<Square> {
    value.as_array().into_iter().flatten().map(square).collect()
}

/// The squares as the vectors list them: by x, then y.
fn listed(squares: impl Iterator<Item = Square>) -> Vec<(Coord, Coord)> {
    let mut list: Vec<(Coord, Coord)> = squares.map(|square| (square.x, square.y)).collect();
    list.sort();
    list
}

fn board(row: &Value) -> Surroundings {
    Surroundings::new(squares(&row["friends"]), squares(&row["enemies"]))
}

#[test]
fn moves_captures_and_error_columns_are_those_of_the_vectors() {
    let rows = rows("fairy.jsonl");
    assert!(rows.len() >= 251);
    for row in rows {
        let text = row["expr"].as_str().unwrap();
        let expr: Expr = match (text.parse(), row["valid"].as_bool().unwrap()) {
            (Ok(expr), true) => expr,
            (Err(error), false) => {
                let column = text[..error.span().start].chars().count() + 1;
                assert_eq!(Some(column as u64), row["error_at"].as_u64(), "{row}: {error}");
                continue;
            }
            (result, _) => panic!("{row}: {result:?}"),
        };
        let side = |index: usize| row["window"][index].as_i64().unwrap();
        let window = Rect::with_edges(side(0), side(1), side(2), side(3));
        let board = board(&row).within(window.to_border());
        let from = square(&row["from"]);
        let movement = Movement::new(&expr).unwrap();
        let stops = movement.stops(Mover::at(&from), &board, &window, &Limits::default());
        assert!(stops.complete, "{row}");
        let moves = listed(stops.stops.iter().map(|stop| stop.square.clone()));
        assert_eq!(moves, listed(squares(&row["moves"]).into_iter()), "{row}");
        let captures = listed(stops.stops.into_iter().filter(|stop| stop.capture).map(|stop| stop.square));
        assert_eq!(captures, listed(squares(&row["captures"]).into_iter()), "{row}");
    }
}

#[test]
fn reach_on_the_unbounded_board_is_that_of_the_vectors() {
    let rows = rows("fairy-reach.jsonl");
    assert!(rows.len() >= 50);
    for row in rows {
        let movement = Movement::new(&row["expr"].as_str().unwrap().parse().unwrap()).unwrap();
        let (from, to) = (square(&row["from"]), square(&row["to"]));
        let answer = movement.reach(Mover::at(&from), &to, &board(&row));
        assert_eq!(Some(answer.as_str()), row["answer"].as_str(), "{row}");
    }
}

#[test]
fn the_piece_table_moves_as_the_vectors_say() {
    let file: Value = serde_json::from_str(&corpus("fairy-pieces.json")).unwrap();
    let pieces = file["pieces"].as_object().unwrap();
    assert_eq!(pieces.len(), 22);
    let table = PieceTable::built_in();
    for (code, piece) in pieces {
        let text = piece["expr"].as_str().or(piece["extension"].as_str()).unwrap();
        let expected = ReadOptions::default().empty(true).parse(text).unwrap();
        let definition = table.get(table.kind(code).unwrap()).unwrap();
        assert_eq!(Some(definition.name()), piece["name"].as_str());
        let comparison = same_moves(definition.expr(), &expected, &Limits::default());
        assert_eq!(comparison, Comparison::Same, "{code}");
        let _ = definition.movement(Player::BLACK);
    }
}
