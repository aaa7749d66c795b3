//! Identities, lists and windows: the vectors and the properties.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use boardprint_base::{
    Border, Coord, CustomCode, Laws, MoveRule, Piece, PieceKind, Pieces, Placed, Player, Position, Promotion,
    Rect, Square, TurnOrder,
};
use boardprint_cpn::{Cpn, Field, Revision};
use proptest::prelude::*;
use serde_json::Value;

use crate::grid::{self, Grid, GridError};
use crate::{Lossy, Lost, Marks, Namer, identity, list};

/// The rows of a file of the corpus.
pub(crate) fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads as much ICN as the vectors need: turn, en passant, pieces; the rest is laws and counters.
fn position(icn: &str) -> Position {
    let fields: Vec<&str> = icn.split(' ').collect();
    let mut position = Position::default();
    for field in &fields[..fields.len() - 1] {
        let players: Option<Vec<Player>> = field.split(':').map(Player::from_code).collect();
        match players.as_deref() {
            Some([Player::WHITE]) => {}
            Some([Player::BLACK]) => position.turn = TurnOrder::black_first(),
            Some(cycle) => position.turn = TurnOrder::new(cycle.to_vec()).unwrap(),
            None => {
                if let Ok(square) = field.parse() {
                    position.en_passant = Some(square);
                }
            }
        }
    }
    let pieces = fields[fields.len() - 1].split('|').map(placed).collect();
    position.pieces = Pieces::from_list(pieces).unwrap();
    position
}

fn placed(text: &str) -> Placed {
    let start = text.find(|c: char| c.is_ascii_alphabetic()).unwrap();
    let end = start + text[start..].find(|c: char| !c.is_ascii_alphabetic()).unwrap();
    let code = &text[start..end];
    let kind = PieceKind::from_code(&code.to_ascii_lowercase()).unwrap();
    let player = match &text[..start] {
        "" if kind.is_neutral() => Player::NEUTRAL,
        "" if code.bytes().all(|b| b.is_ascii_uppercase()) => Player::WHITE,
        "" => Player::BLACK,
        number => Player(number.parse().unwrap()),
    };
    let (square, right) =
        text[end..].strip_suffix('+').map_or((&text[end..], false), |square| (square, true));
    Placed { square: square.parse().unwrap(), piece: Piece::new(kind, player), right }
}

fn cpn(position: &Position, marks: Marks) -> String {
    String::from_utf8(Namer::with_marks(marks).cpn(position).to_vec()).unwrap()
}

#[test]
fn identity_vectors_hold() {
    let mut namer = Namer::new();
    let mut exact = Namer::with_marks(Marks::AsGiven);
    for row in rows("identity/identity.jsonl") {
        let position = position(row["icn"].as_str().unwrap());
        let name = &row["name"];
        assert_eq!(std::str::from_utf8(namer.cpn(&position)).unwrap(), row["cpn"], "{name}");
        assert_eq!(namer.cph(&position).to_string(), row["cph"], "{name}");
        assert_eq!(namer.cph(&identity(&position)).to_string(), row["cph"], "{name}");
        if let Some(text) = row["cpn_as_given"].as_str() {
            assert_eq!(std::str::from_utf8(exact.cpn(&position)).unwrap(), text, "{name}");
            assert_eq!(exact.cph(&position).to_string(), row["cph_as_given"], "{name}");
            assert_eq!(
                exact.cpn(&list::from_cpn(&text.parse().unwrap()).unwrap()),
                text.as_bytes(),
                "{name}"
            );
        }
        let back = list::from_cpn(&row["cpn"].as_str().unwrap().parse().unwrap()).unwrap();
        assert_eq!(namer.cph(&back).to_string(), row["cph"], "{name}");
    }
}

#[test]
fn the_classical_start_has_its_name() {
    let rows = rows("identity/identity.jsonl");
    let start = rows.iter().find(|row| row["name"] == "classical-start").unwrap();
    let position = position(start["icn"].as_str().unwrap());
    assert_eq!(Namer::new().cph(&position).to_string(), "6941f50c6860326714ffb7aad3662e1429c7fb38");
}

#[test]
fn an_occupied_en_passant_square_follows_its_piece_as_given() {
    let position = position("b 4,3 k9,9|P4,4|p3,4|N4,3");
    let text = cpn(&position, Marks::AsGiven);
    assert!(text.contains("INFINITE:N_4_3,infinite_0:ep_4_3"), "{text}");
    assert_eq!(list::from_cpn(&text.parse().unwrap()).unwrap(), position);
}

#[test]
fn en_passant_counts_from_where_the_mover_sees_it() {
    let usable = |icn: &str| identity(&position(icn)).en_passant.is_some();
    // Red's pawns move down as black's do.
    assert!(usable("r:w:b 4,3 P4,4|3p3,4"));
    assert!(usable("r:w:b 4,3 p4,4|3p5,4"));
    assert!(!usable("r:w:b 4,3 3p4,4|3p5,4"));
    assert!(!usable("b 4,3 0p4,4|p5,4"));
    assert!(usable("w 4,6 3p4,5|P5,5"));
}

#[test]
fn lists_that_are_not_canonical_are_refused() {
    let place = |text: &str| {
        let error = list::from_cpn(&text.parse().unwrap()).expect_err(text);
        (error.field(), error.cell())
    };
    let board = |cell| (Field::Board, Some(cell));
    for (text, expected) in [
        ("B--1,1--INFINITE:^K_0_0--", (Field::Shape, None)),
        ("B------", (Field::Shape, None)),
        ("B--1----", board(1)),
        ("B--2--INFINITE:^K_0_0,--", board(2)),
        ("B--2--INFINITE:R_0_0,INFINITE:R_0_1--", board(2)),
        ("B--2--INFINITE:R_1_0,INFINITE:R_0_0--", board(2)),
        ("B--2--INFINITE:R_0_0,INFINITE:Q_0_0--", board(2)),
        ("B--2--infinite_0:ep_0_0,INFINITE:Q_0_0--", board(2)),
        ("B--2--infinite_0:ep_0_0,infinite_0:ep_1_0--", board(2)),
        ("B--1--infinite_0:+ep_0_0--", board(1)),
        ("B--1--INFINITE:R_00_0--", board(1)),
        ("B--1--INFINITE:R_N0_0--", board(1)),
        ("B--1--INFINITE:R_N_0--", board(1)),
        ("B--1--INFINITE:R_1A_0--", board(1)),
        ("B--1--INFINITE:R_1--", board(1)),
        ("B--1--INFINITE:R_1_2_3--", board(1)),
        ("B--1--INFINITE:K_1_2--", board(1)),
        ("B--1--INFINITE:^R_1_2--", board(1)),
        ("B--1--INFINITE:ABCDE_1_2--", board(1)),
        ("B--1--INFINITE:A2_1_2--", board(1)),
        ("B--1--infinite_1:r_1_2--", board(1)),
        ("B--1--infinite_2:r_1_2--", board(1)),
        ("B--1--infinite_03:r_1_2--", board(1)),
        ("B--1--infinite_4294967296:r_1_2--", board(1)),
        ("B--1--infinite_:r_1_2--", board(1)),
        ("B--1--INFINITE_3:R_1_2--", board(1)),
        ("B--1--w:r--", board(1)),
        ("B--0----infinite_0:turn_1_2", (Field::Hand, Some(1))),
        ("B--0----infinite_0:turn_3_1", (Field::Hand, Some(1))),
        ("t--0----infinite_0:turn_1_3", (Field::Hand, Some(1))),
        ("B--0----infinite_0:turn_1_03", (Field::Hand, Some(1))),
        ("B--0----infinite_0:turn_", (Field::Hand, Some(1))),
        ("B--0----w:r", (Field::Hand, Some(1))),
        ("B--0----infinite_0:turn_1_3,infinite_0:turn_1_3", (Field::Hand, Some(2))),
    ] {
        assert_eq!(place(text), expected, "{text}");
    }
}

#[test]
fn a_list_of_any_revision_is_read() {
    let old: Cpn = "t--2--INFINITE:_K_0_0,infinite:_k_0_n1--".parse().unwrap();
    assert!(list::is_list(&old));
    let position = list::from_cpn(&old).unwrap();
    let again = list::to_cpn(&position, Marks::Usable).unwrap();
    assert_eq!(again.to_string(), "t--2--INFINITE:^K_0_0,infinite:^k_0_n1--");
    assert_eq!(again.in_revision(Revision::Y2014), old);
}

#[test]
fn custom_codes_and_high_player_numbers_come_back() {
    let custom = PieceKind::Custom(CustomCode::new("zzz").unwrap());
    let list = [(1, 0, 3), (2, 0, 2), (0, 0, 1), (7_000, 0, 0)].map(|(player, x, y)| {
        Placed::new(Piece::new(custom, Player(player)), Square::new(x, y)).with_right()
    });
    let position = Position::new(Pieces::from_list(list.to_vec()).unwrap());
    let text = cpn(&position, Marks::AsGiven);
    let expected = "B--4--INFINITE:+ZZZ_0_3,infinite:+zzz_0_2,infinite_0:+zzz_0_1,infinite_7000:+zzz_0_0--";
    assert_eq!(text, expected);
    assert_eq!(list::from_cpn(&text.parse().unwrap()).unwrap(), position);
}

#[test]
fn windows_are_dense_and_name_what_is_lost() {
    let mut position = position("b 2,1 K0,0|R3,0+|p1,2|P2,2|3q5,5+");
    let window = Grid::around(&position, Marks::Usable).unwrap();
    assert_eq!((window.rows(), window.columns()), (6, 6));
    let Err(Lossy { result, lost }) = grid::to_cpn(&position, &window, Marks::Usable) else {
        panic!("origin is lost")
    };
    let expected = "t--6,6--,,,,,infinite_3:q,,,,,,,,,,,,,,infinite:p,INFINITE:P,,,,,,infinite_0:ep,,,,INFINITE:^K,,,INFINITE:R,,--";
    assert_eq!(result.to_string(), expected);
    assert_eq!(lost, Lost::ORIGIN | Lost::DEAD_MARKS);

    let (result, lost) = Lossy::parts(grid::to_cpn(&position, &window, Marks::AsGiven));
    assert!(result.to_string().ends_with("INFINITE:^K,,,INFINITE:+R,,--"));
    assert_eq!(lost, Lost::ORIGIN);

    let corner = Grid::of(&Rect::new(Square::new(2, 2), Square::new(2, 3))).unwrap();
    let (result, lost) = Lossy::parts(grid::to_cpn(&position, &corner, Marks::AsGiven));
    assert_eq!(result.to_string(), "t--2,1--,INFINITE:P--");
    assert_eq!(lost, Lost::ORIGIN | Lost::OUTSIDE | Lost::EN_PASSANT);

    position.turn = TurnOrder::new(vec![Player(3), Player::WHITE]).unwrap();
    position.en_passant = Some(Square::new(2, 2));
    let (result, lost) = Lossy::parts(grid::to_cpn(&position, &corner, Marks::AsGiven));
    assert_eq!(result.to_string(), "t--2,1--,INFINITE:P--infinite_0:turn_3_1");
    assert!(lost.contains(Lost::EN_PASSANT));
}

#[test]
fn windows_have_limits() {
    let window = |x0: i64, y0: i64, x1: i64, y1: i64| {
        Grid::of(&Rect::new(Square::new(x0, y0), Square::new(x1, y1))).map(drop)
    };
    assert_eq!(window(0, 0, 1023, 1023), Ok(()));
    assert_eq!(window(0, 0, 1023, 1024), Err(GridError::TooLarge));
    assert_eq!(window(i64::MIN, 0, i64::MAX, 0), Err(GridError::TooLarge));
    assert_eq!(Grid::around(&Position::default(), Marks::Usable), Err(GridError::Nothing));
    let largest = Grid::of(&Rect::new(Square::new(0, 0), Square::new(1023, 1023))).unwrap();
    let (result, _) = Lossy::parts(grid::to_cpn(&Position::default(), &largest, Marks::Usable));
    assert_eq!(result.len(), grid::MAX_CELLS);
}

#[test]
fn many_players_on_one_rank_take_no_square_of_the_time() {
    let king = |player: u32| Piece::new(PieceKind::King, Player(player));
    let rook = |player: u32| Piece::new(PieceKind::Rook, Player(player));
    let count = 50_000;
    let list = (0..count)
        .flat_map(|n| {
            let x = i64::from(n);
            [
                Placed::new(king(n), Square::new(x, 0)),
                Placed::new(rook(n), Square::new(x + 2 * i64::from(count), 0)),
            ]
        })
        .map(Placed::with_right)
        .collect();
    let position = Position::new(Pieces::from_list(list).unwrap());
    assert_eq!(identity(&position), position);
}

fn coordinate() -> impl Strategy<Value = Coord> {
    prop_oneof![
        12 => (-4_i64..5).prop_map(Coord::from),
        2 => (-120_i64..1200).prop_map(Coord::from),
        1 => any::<i64>().prop_map(Coord::from),
        1 => any::<i128>().prop_map(Coord::from),
    ]
}

fn square() -> impl Strategy<Value = Square> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Square { x, y })
}

fn kind() -> impl Strategy<Value = PieceKind> {
    prop_oneof![
        3 => Just(PieceKind::Pawn),
        2 => Just(PieceKind::King),
        2 => Just(PieceKind::Rook),
        2 => prop::sample::select(PieceKind::BUILT_IN),
        1 => Just(PieceKind::Custom(CustomCode::new("xyz").unwrap())),
    ]
}

fn player() -> impl Strategy<Value = Player> {
    prop_oneof![4 => Just(1), 4 => Just(2), 1 => Just(0), 1 => Just(3), 1 => any::<u32>()].prop_map(Player)
}

fn turn() -> impl Strategy<Value = TurnOrder> {
    prop_oneof![
        Just(TurnOrder::white_first()),
        Just(TurnOrder::black_first()),
        prop::collection::vec(player(), 1..5).prop_map(|cycle| TurnOrder::new(cycle).unwrap()),
    ]
}

/// Positions with default laws and counters; pieces stand close together, so that rights and en passant matter.
fn any_position() -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec((square(), kind(), player(), any::<bool>()), 0..24);
    (pieces, turn(), prop::option::of(square())).prop_map(|(pieces, turn, en_passant)| {
        let squares: BTreeMap<Square, Placed> = pieces
            .into_iter()
            .map(|(square, kind, player, right)| {
                (square.clone(), Placed { square, piece: Piece::new(kind, player), right })
            })
            .collect();
        let mut position = Position::new(Pieces::from_list(squares.into_values().collect()).unwrap());
        position.turn = turn;
        position.en_passant = en_passant;
        position
    })
}

/// The rule of castling partners as it is written, piece against piece.
fn has_partner(position: &Position, placed: &Placed) -> bool {
    position.pieces.iter().any(|other| {
        let (a, b) = (placed.piece.kind, other.piece.kind);
        a != PieceKind::Pawn
            && b != PieceKind::Pawn
            && a.leads_castling() != b.leads_castling()
            && placed.right
            && other.right
            && placed.piece.player == other.piece.player
            && placed.square.y == other.square.y
            && (&placed.square.x - &other.square.x).abs() >= Coord::from(3_i64)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_cpn_parses_back_to_the_identity(position in any_position()) {
        let own = identity(&position);
        prop_assert_eq!(&list::from_cpn(&cpn(&position, Marks::Usable).parse().unwrap()).unwrap(), &own);
        prop_assert_eq!(&list::from_cpn(&cpn(&position, Marks::AsGiven).parse().unwrap()).unwrap(), &position);
        prop_assert_eq!(identity(&own), own);
    }

    #[test]
    fn rights_that_count_are_those_with_a_partner(position in any_position()) {
        let own = identity(&position);
        for (given, kept) in position.pieces.iter().zip(&own.pieces) {
            let counts = given.right && (given.piece.kind == PieceKind::Pawn || has_partner(&position, given));
            prop_assert_eq!(kept.right, counts, "{}", given);
        }
    }

    #[test]
    fn different_identities_have_different_texts(a in any_position(), b in any_position()) {
        let same = identity(&a) == identity(&b);
        prop_assert_eq!(cpn(&a, Marks::Usable) == cpn(&b, Marks::Usable), same);
    }

    #[test]
    fn one_change_changes_the_text(position in any_position(), index in any::<prop::sample::Index>(), to in square()) {
        prop_assume!(!position.pieces.is_empty() && position.pieces.get(&to).is_none());
        let mut moved = position.clone();
        moved.pieces.relocate(index.index(position.pieces.len()), to);
        prop_assert_ne!(cpn(&moved, Marks::Usable), cpn(&position, Marks::Usable));
    }

    #[test]
    fn order_counters_and_laws_do_not_change_the_hash(
        position in any_position(), seed in any::<u64>(), count in 0_i64..99, number in 1_i64..99,
    ) {
        let mut list = position.pieces.clone().into_vec();
        let len = list.len().max(1);
        list.rotate_left(usize::try_from(seed % 7).unwrap() % len);
        list.reverse();
        let mut other = position.clone();
        other.pieces = Pieces::from_list(list).unwrap();
        other.full_move = number.into();
        other.move_rule = Some(MoveRule { count: count.into(), limit: 100_i64.into() });
        other.laws = Arc::new(Laws {
            promotion: [(Player::WHITE, Promotion::usual([Coord::from(8_i64)]))].into(),
            border: Border { left: Some(count.into()), ..Border::default() },
            ..Laws::default()
        });
        let mut namer = Namer::new();
        prop_assert_eq!(namer.cph(&position), namer.cph(&other));
        let expected = Lost::LAWS | Lost::CLOCK | Lost::MOVE_NUMBER.when(number > 1);
        prop_assert_eq!(list::lost(&other, Marks::AsGiven), expected);
        prop_assert_eq!(list::lost(&position, Marks::AsGiven), Lost::NOTHING);
    }

    #[test]
    fn a_namer_forgets_the_position_before(a in any_position(), b in any_position()) {
        let mut namer = Namer::new();
        namer.cpn(&a);
        prop_assert_eq!(namer.cpn(&b).to_vec(), cpn(&b, Marks::Usable).into_bytes());
    }

    #[test]
    fn windows_hold_what_stands_in_them(position in any_position()) {
        let window = Grid::of(&Rect::new(Square::new(-4, -4), Square::new(4, 4))).unwrap();
        let (grid, lost) = Lossy::parts(grid::to_cpn(&position, &window, Marks::Usable));
        let own = identity(&position);
        let inside = |square: &Square| {
            let near = |value: &Coord| value.as_i64().is_some_and(|value| (-4..=4).contains(&value));
            near(&square.x) && near(&square.y)
        };
        let pieces = own.pieces.iter().filter(|placed| inside(&placed.square)).count();
        let mark = usize::from(own.en_passant.as_ref().is_some_and(inside));
        prop_assert_eq!(grid.cells().filter(|cell| !cell.is_empty()).count(), pieces + mark);
        prop_assert_eq!(grid.len(), 81);
        prop_assert_eq!(lost.contains(Lost::OUTSIDE), pieces < own.pieces.len());
    }
}

#[test]
fn a_window_is_read_back_with_its_origin() {
    for text in [
        "B--3--infinite:^k_7_2,INFINITE:^K_5_1,INFINITE:+P_6_1--",
        "t--4--infinite:p_3_n4,INFINITE:P_4_N4,infinite_0:ep_4_n5,infinite_0:ob_3_n9--",
        "B--2--INFINITE:^K_0_0,infinite_3:q_1_0--infinite_0:turn_1_3",
        "B--1--INFINITE:ZZ_9223372036854775807_99999999999999999999999--",
    ] {
        let position = list::from_cpn(&text.parse().unwrap()).unwrap();
        let window = Grid::around(&position, Marks::AsGiven).unwrap();
        let (cpn, lost) = Lossy::parts(grid::to_cpn(&position, &window, Marks::AsGiven));
        assert!(grid::is_grid(&cpn) && !list::is_list(&cpn));
        assert_eq!(lost, Lost::ORIGIN);
        let rows = i64::try_from(window.rows()).unwrap();
        let left = position.pieces.iter().map(|placed| placed.square.x.clone()).min().unwrap();
        let top = position.pieces.iter().map(|placed| placed.square.y.clone()).max().unwrap();
        let origin = Square { x: left, y: &top - &Coord::from(rows - 1) };
        assert_eq!(grid::from_cpn(&cpn, &origin).unwrap(), position, "{text}");
    }
}

#[test]
fn a_window_that_is_none_is_refused_with_its_cell() {
    let refused = |text: &str| grid::from_cpn(&text.parse().unwrap(), &Square::new(0, 0)).unwrap_err();
    assert_eq!(refused("B--1--INFINITE:^K_0_0--").field(), boardprint_cpn::Field::Shape);
    for (text, cell) in [
        ("B--1,2--,W:^K--", 2),
        ("B--1,2--INFINITE:K,--", 1),
        ("B--1,2--infinite_0:ep,infinite_0:ep--", 2),
        ("B--1,2--,infinite_0:+ep--", 2),
        ("B--1,2--INFINITE:^K_0_0,--", 1),
    ] {
        assert_eq!(refused(text).cell(), Some(cell), "{text}");
    }
    assert!(grid::from_cpn(&"B--0,99999999999999999999----".parse().unwrap(), &Square::new(0, 0)).is_ok());
}
