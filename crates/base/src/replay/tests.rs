use super::*;
use crate::{MoveRule, Pieces, TurnOrder};
use proptest::prelude::*;

/// Pieces of a list in the spelling of the notation, such as `K5,1+|3q0,0`.
fn board(list: &str) -> Position {
    let placed = |entry: &str| {
        let (entry, right) = entry.strip_suffix('+').map_or((entry, false), |entry| (entry, true));
        let letters = entry.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &entry[..entry.len() - letters.len()];
        let square = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let code = &letters[..letters.len() - square.len()];
        let kind = PieceKind::from_code(&code.to_ascii_lowercase()).unwrap();
        let player = match number {
            "" if kind.is_neutral() => 0,
            "" if code.starts_with(|c: char| c.is_ascii_uppercase()) => 1,
            "" => 2,
            number => number.parse().unwrap(),
        };
        let placed = Placed::new(Piece::new(kind, Player(player)), square.parse().unwrap());
        if right { placed.with_right() } else { placed }
    };
    let pieces = Pieces::from_list(list.split('|').map(placed).collect()).unwrap();
    let move_rule = Some(MoveRule { count: Coord::from(7), limit: Coord::from(100) });
    Position { move_rule, ..Position::new(pieces) }
}

fn mv(text: &str) -> Move {
    let (squares, promotion) = text.split_once('=').map_or((text, None), |(a, b)| (a, Some(b)));
    let (from, to) = squares.split_once('>').unwrap();
    let promotion = promotion.map(|code| PieceKind::from_code(code).unwrap());
    Move { promotion, ..Move::new(from.parse().unwrap(), to.parse().unwrap()) }
}

fn list(position: &Position) -> String {
    position.pieces.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
}

/// The pieces after a move; checks that taking it back restores everything.
fn after(position: &Position, text: &str) -> String {
    let mut played_on = position.clone();
    let played = play(&mut played_on, &mv(text)).unwrap();
    let after = list(&played_on);
    assert!(played_on.pieces.as_slice().is_sorted_by(|a, b| a.square < b.square));
    played.undo(&mut played_on);
    assert_eq!(&played_on, position, "{text} taken back");
    after
}

#[test]
fn castling_moves_the_partner_across_on_both_sides() {
    let white = board("R1,1+|K5,1+|R8,1+");
    assert_eq!(after(&white, "5,1>7,1"), "R1,1+|R6,1|K7,1");
    assert_eq!(after(&white, "5,1>3,1"), "K3,1|R4,1|R8,1+");
    let black = board("r-20,8+|k5,8+|r900,8+");
    assert_eq!(after(&black, "5,8>7,8"), "r-20,8+|r6,8|k7,8");
    assert_eq!(after(&black, "5,8>3,8"), "k3,8|r4,8|r900,8+");
}

#[test]
fn guards_and_others_are_partners_of_kings_and_royal_centaurs_of_every_player() {
    assert_eq!(after(&board("GU2,0+|RC5,0+"), "5,0>3,0"), "RC3,0|GU4,0");
    assert_eq!(after(&board("k5,0+|ch9,0+"), "5,0>7,0"), "ch6,0|k7,0");
    assert_eq!(after(&board("4k5,0+|4rq9,0+"), "5,0>7,0"), "4rq6,0|4k7,0");
}

#[test]
fn without_a_partner_two_squares_are_an_ordinary_move() {
    for (pieces, text, expected) in [
        ("K5,1|R8,1+", "5,1>7,1", "K7,1|R8,1+"),
        ("K5,1+|R8,1", "5,1>7,1", "K7,1|R8,1"),
        ("K5,1+|r8,1+", "5,1>7,1", "K7,1|r8,1+"),
        ("K5,1+|P8,1+", "5,1>7,1", "K7,1|P8,1+"),
        ("K5,1+|RC8,1+", "5,1>7,1", "K7,1|RC8,1+"),
        ("K5,1+|ob8,1|R9,1+", "5,1>7,1", "K7,1|ob8,1|R9,1+"),
        ("K5,1+|R7,1+", "5,1>7,1", "K7,1"),
        ("K5,1+|R8,2+", "5,1>7,1", "R8,2+|K7,1"),
        ("K5,1+|R8,1+", "5,1>3,1", "K3,1|R8,1+"),
        ("K5,1+|R8,1+", "5,1>8,1", "K8,1"),
        ("K5,1+|R8,1+", "5,1>7,2", "K7,2|R8,1+"),
        ("Q5,1+|R8,1+", "5,1>7,1", "Q7,1|R8,1+"),
    ] {
        assert_eq!(after(&board(pieces), text), expected, "{pieces} {text}");
    }
}

#[test]
fn castling_says_how_the_partner_moved() {
    let mut position = board("R1,1+|K5,1+");
    let played = play(&mut position, &mv("5,1>3,1")).unwrap();
    let expected = Castling { from: Square::new(1, 1), to: Square::new(4, 1), direction: -1 };
    assert_eq!(played.castling(), Some(&expected));
    assert!(played.captured().is_none() && !played.is_progress());
}

#[test]
fn en_passant_removes_the_pawn_in_both_directions() {
    let at = |pieces: &str, square: (i64, i64), turn| Position {
        en_passant: Some(Square::new(square.0, square.1)),
        turn,
        ..board(pieces)
    };
    let white = at("p3,5|P2,5|P4,5", (3, 6), TurnOrder::white_first());
    assert_eq!(after(&white, "4,5>3,6"), "P3,6|P2,5");
    assert_eq!(after(&white, "2,5>3,6"), "P3,6|P4,5");
    let black = at("p2,4|P3,4|p4,4", (3, 3), TurnOrder::black_first());
    assert_eq!(after(&black, "2,4>3,3"), "p4,4|p3,3");
    assert_eq!(after(&black, "4,4>3,3"), "p2,4|p3,3");
    let red = at("P3,4|3p4,4", (3, 3), TurnOrder::new(vec![Player(3), Player::WHITE]).unwrap());
    assert_eq!(after(&red, "4,4>3,3"), "3p3,3");
}

#[test]
fn en_passant_needs_pawn_diagonal_and_enemy() {
    let en_passant = |pieces: &str| Position { en_passant: Some(Square::new(3, 6)), ..board(pieces) };
    for (pieces, text, expected) in [
        ("p3,5|B4,5", "4,5>3,6", "B3,6|p3,5"),
        ("P3,5|P4,5", "4,5>3,6", "P3,6|P3,5"),
        ("ob3,5|P4,5", "4,5>3,6", "P3,6|ob3,5"),
        ("p3,5|P3,4", "3,4>3,6", "P3,6|p3,5"),
        ("p3,5|P5,5", "5,5>3,6", "P3,6|p3,5"),
        ("q3,6|p3,5|P4,5", "4,5>3,6", "P3,6|p3,5"),
    ] {
        assert_eq!(after(&en_passant(pieces), text), expected, "{pieces}");
    }
    assert_eq!(after(&board("p3,5|P4,5"), "4,5>3,6"), "P3,6|p3,5");
}

#[test]
fn en_passant_removes_a_pawn_that_promoted_by_its_two_step() {
    let mut position = board("P5,2+|p6,4");
    play(&mut position, &mv("5,2>5,4=b")).unwrap();
    assert_eq!(after(&position, "6,4>5,3"), "p5,3");
}

#[test]
fn only_a_two_step_forward_sets_en_passant() {
    let en_passant = |pieces: &str, text: &str| {
        let mut position = Position { en_passant: Some(Square::new(9, 9)), ..board(pieces) };
        let played = play(&mut position, &mv(text)).unwrap();
        assert_eq!(played.is_double_push(), position.en_passant.is_some());
        position.en_passant
    };
    assert_eq!(en_passant("P4,2+", "4,2>4,4"), Some(Square::new(4, 3)));
    assert_eq!(en_passant("P4,2", "4,2>4,4"), Some(Square::new(4, 3)));
    assert_eq!(en_passant("p4,7+", "4,7>4,5"), Some(Square::new(4, 6)));
    assert_eq!(en_passant("3p4,7+", "4,7>4,5"), Some(Square::new(4, 6)));
    for (pieces, text) in
        [("P4,2+", "4,2>4,3"), ("P4,4", "4,4>4,2"), ("R4,2", "4,2>4,4"), ("P4,2", "4,2>6,4")]
    {
        assert_eq!(en_passant(pieces, text), None, "{text}");
    }
}

#[test]
fn rights_go_with_the_move_and_the_captured_piece_only() {
    assert_eq!(after(&board("K5,1+|R8,1+|r8,8+"), "8,8>8,1"), "K5,1+|r8,1");
    assert_eq!(after(&board("R1,1+|K5,1+|R8,1+"), "5,1>5,2"), "K5,2|R1,1+|R8,1+");
}

#[test]
fn promotion_is_the_movers() {
    assert_eq!(after(&board("P4,7+"), "4,7>4,8=am"), "AM4,8");
    let red = Position { turn: TurnOrder::new(vec![Player(3)]).unwrap(), ..board("3p4,2") };
    assert_eq!(after(&red, "4,2>4,1=q"), "3q4,1");
}

#[test]
fn a_piece_may_stay_where_it_is() {
    assert_eq!(after(&board("P4,2+|p4,3"), "4,2>4,2"), "p4,3|P4,2");
}

#[test]
fn counters_follow_progress_and_cycles() {
    let count = |pieces: &str, text: &str| {
        let mut position = board(pieces);
        play(&mut position, &mv(text)).unwrap();
        position.move_rule.unwrap().count
    };
    assert_eq!(count("R1,1|k9,9", "1,1>1,2"), Coord::from(8));
    assert_eq!(count("R1,1|k1,9", "1,1>1,9"), Coord::ZERO);
    assert_eq!(count("P1,1|k1,9", "1,1>1,2"), Coord::ZERO);
    assert_eq!(count("P1,1|k1,9", "1,1>1,2=q"), Coord::ZERO);
    assert_eq!(count("R1,1+|K5,1+", "5,1>3,1"), Coord::from(8));
}

#[test]
fn full_moves_end_where_the_cycle_starts_anew() {
    let numbers = |cycle: &[u32]| {
        let turn = TurnOrder::new(cycle.iter().map(|number| Player(*number)).collect()).unwrap();
        let mut position = Position { turn, ..board("R0,0") };
        let mut numbers = String::new();
        for ply in 0..6_i64 {
            play(&mut position, &Move::new(Square::new(ply, 0), Square::new(ply + 1, 0))).unwrap();
            numbers += &position.full_move.to_string();
        }
        numbers
    };
    assert_eq!(numbers(&[1, 2]), "122334");
    assert_eq!(numbers(&[2, 1]), "223344");
    assert_eq!(numbers(&[1, 2, 3]), "112223");
    assert_eq!(numbers(&[2, 3, 1]), "122233");
    assert_eq!(numbers(&[1, 1, 2]), "112223");
    assert_eq!(numbers(&[1, 2, 1]), "122233");
    assert_eq!(numbers(&[1, 2, 1, 3]), "111222");
    assert_eq!(numbers(&[1, 2, 1, 2]), "122334");
    assert_eq!(numbers(&[2]), "234567");
}

#[test]
fn a_move_from_an_empty_square_is_an_error_with_its_ply() {
    let game = Game {
        start: board("R1,1|r8,8"),
        moves: vec![mv("1,1>1,2"), mv("7,7>7,6"), mv("1,2>1,3")],
        ..Game::default()
    };
    let error = position_at(&game, 3).unwrap_err();
    assert_eq!(error.to_string(), "ply 2: no piece stands on 7,7");
    assert_eq!(list(&position_at(&game, 1).unwrap()), "r8,8|R1,2");
    let mut replay = Replay::new(&game);
    assert!(replay.step().is_ok() && replay.step().is_err());
    assert_eq!(replay.step(), Ok(None));
    assert_eq!(replay.ply(), 1);
}

fn coordinate() -> impl Strategy<Value = Coord> {
    prop_oneof![
        40 => (0_i64..6).prop_map(Coord::from),
        1 => prop_oneof![Just(i64::MAX), Just(i64::MIN)].prop_map(Coord::from),
        1 => any::<i128>().prop_map(Coord::from),
    ]
}

fn square() -> impl Strategy<Value = Square> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Square { x, y })
}

fn any_position() -> impl Strategy<Value = Position> {
    let kinds = prop::sample::select(vec![
        PieceKind::Pawn,
        PieceKind::Pawn,
        PieceKind::King,
        PieceKind::RoyalCentaur,
        PieceKind::Rook,
        PieceKind::Void,
    ]);
    let placed = (square(), kinds, 0_u32..4, any::<bool>()).prop_map(|(square, kind, player, right)| {
        Placed { square, piece: Piece::new(kind, Player(player)), right }
    });
    let turn = prop::collection::vec((1_u32..4).prop_map(Player), 1..5);
    let rule = prop::option::of((coordinate(), coordinate()));
    (prop::collection::vec(placed, 0..24), turn, prop::option::of(square()), rule, coordinate()).prop_map(
        |(placed, turn, en_passant, rule, full_move)| {
            let mut pieces = Pieces::default();
            for placed in placed {
                pieces.insert(placed);
            }
            Position {
                turn: TurnOrder::new(turn).unwrap(),
                en_passant,
                move_rule: rule.map(|(count, limit)| MoveRule { count, limit }),
                full_move,
                ..Position::new(pieces)
            }
        },
    )
}

proptest! {
    #[test]
    fn undoing_a_replay_restores_every_position(
        start in any_position(),
        moves in prop::collection::vec((any::<prop::sample::Index>(), square(), prop::option::of(Just(PieceKind::Queen))), 0..40),
    ) {
        let mut position = start;
        let mut trail = Vec::new();
        for (from, to, promotion) in moves {
            if position.pieces.is_empty() {
                break;
            }
            let from = position.pieces.as_slice()[from.index(position.pieces.len())].square.clone();
            let before = position.clone();
            let played = play(&mut position, &Move { promotion, ..Move::new(from, to) }).unwrap();
            prop_assert!(position.pieces.as_slice().is_sorted_by(|a, b| a.square < b.square));
            let lost = usize::from(played.captured().is_some());
            prop_assert_eq!(position.pieces.len() + lost, before.pieces.len());
            trail.push((before, played));
        }
        for (before, played) in trail.into_iter().rev() {
            played.undo(&mut position);
            prop_assert_eq!(&position, &before);
        }
    }

    #[test]
    fn a_cycle_starts_at_its_least_rotation(cycle in prop::collection::vec((1_u32..4).prop_map(Player), 1..9)) {
        let mut rotated = cycle.clone();
        let least = (0..cycle.len()).all(|_| {
            rotated.rotate_left(1);
            cycle <= rotated
        });
        prop_assert_eq!(starts_cycle(&cycle), least);
    }
}
