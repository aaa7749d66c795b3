//! The list of legal moves against brute force, and by hand where squares are far away.

use std::collections::BTreeSet;
use std::sync::Arc;

use boardprint_base::{Coord, Laws, Move, PieceKind, Player, Position, Promotion, Square, TurnOrder};

use super::brute::Board;
use super::random::{Dice, Recipe, moving_kinds, random_position, window};
use super::{position, square};
use crate::fairy::Vector;
use crate::legal::{Answer, Count, Destination, LegalMoves, PieceMoves, Referee, Special, Trial};
use crate::pieces::PieceTable;

fn legal_moves(position: &Position) -> LegalMoves {
    Referee::new(PieceTable::built_in(), position).legal_moves(position)
}

fn moves_of(position: &Position, from: &str) -> PieceMoves {
    Referee::new(PieceTable::built_in(), position).legal_moves_of(position, &square(from)).unwrap()
}

fn squares(moves: &[Destination]) -> Vec<String> {
    moves.iter().map(|single| single.to.to_string()).collect()
}

/// Compares the list with brute force on a window, and with the referee on some squares far away.
fn compare(position: &Position, dice: &mut Dice, low: i64, high: i64) -> usize {
    let moves = legal_moves(position);
    assert!(moves.is_complete(), "{position:?}");
    let referee = Referee::new(PieceTable::built_in(), position);
    let brute = Board::new(position);
    let (mut legal, mut board) = (0, position.clone());
    for from in brute.own() {
        let here = Square::new(from.0, from.1);
        let list = moves.of(&here).unwrap();
        assert_eq!(referee.legal_moves_of(position, &here).as_ref(), Some(list));
        for to in window(low, high) {
            let mv = brute.to_move(from, to);
            let expected = if brute.is_legal(from, to) { Answer::Yes } else { Answer::No };
            assert_eq!(moves.allows(&mv), expected, "{:?} {list:?} {position:?}", (from, to));
            legal += usize::from(expected == Answer::Yes);
        }
        for _ in 0..8 {
            let count = 10_i64.pow(u32::try_from(dice.roll(12)).unwrap()) + dice.roll(50);
            let to = here.offset(count * (dice.roll(5) - 2), count * (dice.roll(5) - 2));
            let mv = Move::new(here.clone(), to);
            let is_legal = referee.judge(&mut board, &mv).is_ok();
            assert_eq!(moves.allows(&mv) == Answer::Yes, is_legal, "{mv:?} {list:?} {position:?}");
        }
    }
    assert_eq!(moves.of(&Square::new(-50, -50)), None);
    if !position.laws.border.is_open() {
        let promoting = |moves: &PieceMoves| -> usize {
            moves.single.iter().map(|single| single.promotions.len().saturating_sub(1)).sum()
        };
        let all = legal + moves.pieces().iter().map(promoting).sum::<usize>();
        assert_eq!(moves.count(), Count::Finite(i64::try_from(all).unwrap().into()));
    }
    legal
}

#[test]
fn the_list_of_legal_moves_is_that_of_brute_force() {
    let (mut dice, kinds) = (Dice(11), moving_kinds());
    let (mut legal, mut seen) = (0, BTreeSet::new());
    for round in 0..600 {
        let own = [PieceKind::King, dice.pick(&[PieceKind::Pawn, PieceKind::Rook])];
        let own: Vec<PieceKind> = own.into_iter().chain((0..3).map(|_| dice.pick(&kinds))).collect();
        seen.extend(own.iter().copied());
        let enemies = [PieceKind::King, PieceKind::Pawn];
        let enemies = enemies.into_iter().chain((0..3).map(|_| dice.pick(&kinds))).collect();
        let recipe = Recipe { size: 7, own, enemies, neutral: dice.roll(4), border: round % 3 == 0 };
        let position = random_position(&mut dice, &recipe);
        legal += compare(&position, &mut dice, -6, 13);
    }
    assert!(legal > 8_000, "{legal}");
    assert_eq!(seen.len(), kinds.len());
}

#[test]
fn sliding_royals_and_pinned_sliders_are_those_of_brute_force() {
    let mut dice = Dice(12);
    let sliders = [
        PieceKind::RoyalQueen,
        PieceKind::Queen,
        PieceKind::Rook,
        PieceKind::Bishop,
        PieceKind::Huygen,
        PieceKind::Knightrider,
        PieceKind::Rose,
    ];
    let mut legal = 0;
    for round in 0..500 {
        let royal = dice.pick(&[PieceKind::RoyalQueen, PieceKind::RoyalQueen, PieceKind::King]);
        let own = [royal, dice.pick(&sliders), dice.pick(&sliders)].into();
        let enemies = (0..4).map(|_| dice.pick(&sliders)).collect();
        let recipe = Recipe { size: 9, own, enemies, neutral: dice.roll(2), border: round % 4 == 0 };
        let position = random_position(&mut dice, &recipe);
        legal += compare(&position, &mut dice, -8, 17);
    }
    assert!(legal > 8_000, "{legal}");
}

#[test]
fn a_rook_has_rays_without_end_and_one_that_ends_with_a_capture() {
    let start = position("K-3,-3|R0,0|P0,2|r1000000000000000000000,0|k-9,90");
    let rook = moves_of(&start, "0,0");
    assert!(rook.single.is_empty() && rook.complete);
    let ends: Vec<(Vector, Option<Coord>)> =
        rook.rays.iter().map(|ray| (ray.line.step, ray.line.last.clone())).collect();
    assert!(ends.contains(&(Vector { x: 1, y: 0 }, Some("1000000000000000000000".parse().unwrap()))));
    assert!(ends.contains(&(Vector { x: -1, y: 0 }, None)));
    assert!(ends.contains(&(Vector { x: 0, y: 1 }, Some(1.into()))));
    assert_eq!(rook.count(), Count::Endless);
    let capture = rook.rays.iter().find_map(|ray| ray.capture.as_ref()).unwrap();
    assert_eq!(capture.to_string(), "r1000000000000000000000,0");
    assert_eq!(rook.allows(&square("999999999999999999999,0"), None), Answer::Yes);
    assert_eq!(rook.allows(&square("1000000000000000000001,0"), None), Answer::No);
    assert_eq!(rook.allows(&square("5,0"), Some(PieceKind::Queen)), Answer::No);
}

#[test]
fn a_check_from_afar_is_met_in_single_squares() {
    let start = position("K0,0|Q7,3|N5,5|r1000000000000,0|k-9,90");
    let moves = legal_moves(&start);
    let queen = moves.of(&square("7,3")).unwrap();
    assert_eq!(
        (squares(&queen.single), queen.rays.len()),
        (vec!["4,0".into(), "7,0".into(), "10,0".into()], 0)
    );
    assert!(moves.of(&square("5,5")).unwrap().is_empty());
    assert_eq!(moves.count(), Count::Finite(9.into()));
}

#[test]
fn a_pinned_rook_keeps_to_the_line_of_its_pin() {
    let start = position("K0,0|R5,0|r1000000000000,0|k-9,90");
    let rook = moves_of(&start, "5,0");
    assert_eq!(rook.count(), Count::Finite("999999999999".parse().unwrap()));
    assert_eq!(rook.allows(&square("1000000000000,0"), None), Answer::Yes);
    assert_eq!(rook.allows(&square("5,1"), None), Answer::No);
}

#[test]
fn a_huygens_pin_is_kept_at_prime_distances_from_it() {
    let start = position("K0,0|R8,0|hu13,0|k-9,90");
    let rook = moves_of(&start, "8,0");
    // From the huygen: 2, 3, 5, 7, 11; and the huygen itself.
    let stays: Vec<i64> =
        (-5..20).filter(|x| rook.allows(&Square::new(*x, 0), None) == Answer::Yes).collect();
    assert_eq!(stays, [2, 6, 10, 11, 13]);
    assert_eq!(rook.count(), Count::Finite(5.into()));
}

#[test]
fn a_list_is_written_so_that_it_says_exactly_which_moves_there_are() {
    let written = |board: &str, from: &str| moves_of(&position(board), from).to_string();
    assert_eq!(
        written("HU0,0|K5,5|k50,9", "0,0"),
        "0,0>(1,0)*prime(2..) 0,0>(-1,0)*prime(2..) 0,0>(0,1)*prime(2..) 0,0>(0,-1)*prime(2..)"
    );
    assert_eq!(
        written("RQ0,0|b3,1|r-9,5|k50,90", "0,0"),
        "0,0>(1,0)*1..{not:2,0|4,0} 0,0>(-1,0)*1..{not:-9,0} 0,0>(0,1)*1..{not:0,5|0,4} \
         0,0>(0,-1)*1..{not:0,-2} 0,0>(1,1)*1..{not:5,5|2,2} 0,0>(1,-1)*1..{not:1,-1} \
         0,0>(-1,1)*1..{not:-9,9|-5,5} 0,0>(-1,-1)*1..{not:-9,-9}"
    );
    assert_eq!(
        written("K0,0|R8,0|hu13,0|k-9,90", "8,0"),
        "8,0>13,0 8,0>(1,0)*1..4{only:13,0>(-1,0)*prime(1..12)} 8,0>(-1,0)*1..7{only:13,0>(-1,0)*prime(1..12)}"
    );
    assert_eq!(
        written("RQ0,0|hu9,0|P0,1|P1,1|P-1,1|P-1,-1|P0,-1|P1,-1|k50,90", "0,0"),
        "0,0>(1,0)*1..9{not:9,0>(1,0)*prime(2..)|9,0>(-1,0)*prime(2..)} 0,0>(-1,0)*1..{not:9,0>(1,0)*prime(2..)|9,0>(-1,0)*prime(2..)}"
    );
    let mut start = position("K5,1|P2,7|k5,8|r1,8");
    let promotion = [(Player::WHITE, Promotion::usual([8.into()]))].into();
    start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    assert_eq!(
        moves_of(&start, "2,7").to_string(),
        "2,7>1,8=Q 2,7>1,8=R 2,7>1,8=B 2,7>1,8=N 2,7>2,8=Q 2,7>2,8=R 2,7>2,8=B 2,7>2,8=N"
    );
}

#[test]
fn castling_en_passant_and_promotions_are_named() {
    let mut start = position("K5,1+|R8,1+|P3,7|P6,5|p7,5|p2,8|k-9,90");
    start.en_passant = Some(square("7,6"));
    let promotion = [(Player::WHITE, Promotion::usual([8.into()]))].into();
    start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    let moves = legal_moves(&start);
    let king = moves.of(&square("5,1")).unwrap();
    let castling = king.single.iter().find(|single| single.to == square("7,1")).unwrap();
    assert!(matches!(&castling.special, Some(Special::Castling(partner)) if partner.to == square("6,1")));
    let pawn = moves.of(&square("6,5")).unwrap();
    let passing = pawn.single.iter().find(|single| single.special == Some(Special::EnPassant)).unwrap();
    assert_eq!(passing.capture.as_ref().unwrap().to_string(), "p7,5");
    let mut queen = position("P6,5|q7,5|K1,1|k-9,90");
    queen.en_passant = Some(square("7,6"));
    assert_eq!(squares(&moves_of(&queen, "6,5").single), ["6,6"]);
    let promoting = moves.of(&square("3,7")).unwrap();
    assert_eq!(squares(&promoting.single), ["2,8", "3,8"]);
    assert_eq!(promoting.count(), Count::Finite(8.into()));
    assert_eq!(promoting.allows(&square("3,8"), Some(PieceKind::Rook)), Answer::Yes);
    assert_eq!(promoting.allows(&square("3,8"), None), Answer::No);
    assert_eq!(promoting.allows(&square("3,8"), Some(PieceKind::Amazon)), Answer::No);
}

#[test]
fn a_pawn_does_not_become_a_royal_that_is_attacked() {
    let mut start = position("K5,1|P3,7|r90,8|k-9,90");
    let choices = [PieceKind::King, PieceKind::Queen];
    let promotion = [(Player::WHITE, Promotion::new([8.into()], choices))].into();
    start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    let pawn = moves_of(&start, "3,7");
    assert_eq!(pawn.single[0].promotions, [PieceKind::Queen]);
}

#[test]
fn a_royal_queen_keeps_off_attacked_squares_and_lines() {
    let start = Position {
        turn: TurnOrder::black_first(),
        ..position("rq0,0|R1000000000000000000000,1|R77,50|K50,-900")
    };
    let queen = moves_of(&start, "0,0");
    let is_legal = |text: &str| queen.allows(&square(text), None);
    assert_eq!(is_legal("76,0"), Answer::Yes);
    assert_eq!(is_legal("77,0"), Answer::No);
    assert_eq!(is_legal("78,0"), Answer::Yes);
    assert_eq!(is_legal("0,1"), Answer::No);
    assert_eq!(is_legal("0,2"), Answer::Yes);
    assert_eq!(is_legal("50,50"), Answer::No, "attacked by the rook on the row");
    let checked = Position { turn: TurnOrder::black_first(), ..position("rq0,0|R9,0|K50,-900") };
    let queen = moves_of(&checked, "0,0");
    assert_eq!(
        queen.allows(&square("-1000000,0"), None),
        Answer::No,
        "the rook sees through the square it left"
    );
    assert_eq!(queen.allows(&square("9,0"), None), Answer::Yes);
    assert_eq!(queen.allows(&square("8,0"), None), Answer::No);
}

#[test]
fn a_piece_without_closed_form_says_that_its_list_is_not_complete() {
    let file = "[[piece]]\ncode = 'wa'\nname = 'wanderer'\nmovement = '{[1,0],[0,1]}^*'\n\
                [[piece]]\ncode = 'ca'\nname = 'x'\nmovement = '[1,0]'\n";
    assert!(PieceTable::from_toml(file).is_err(), "a camel is built in");
    let file = &file[..file.find("[[piece]]\ncode = 'ca'").unwrap()];
    let table = PieceTable::from_toml(file).unwrap();
    let mut start = position("K5,1|N0,0|k-9,90");
    let index = start.pieces.find(&square("0,0")).unwrap();
    let piece = boardprint_base::Piece::new(table.kind("wa").unwrap(), Player::WHITE);
    start.pieces.set_piece(index, piece);
    let moves = Referee::new(&table, &start).legal_moves(&start);
    let wanderer = moves.of(&square("0,0")).unwrap();
    assert!(!wanderer.complete && !wanderer.is_empty());
    assert_eq!(wanderer.count(), Count::Unknown);
    assert_eq!(wanderer.allows(&square("3,3"), None), Answer::Yes);
    assert_eq!(wanderer.allows(&square("3000,3000"), None), Answer::Unknown);
}

/// With a walk over all pieces for each of them this would take minutes.
#[test]
fn long_rows_take_time_in_proportion_to_their_length() {
    let row = |code: &dyn Fn(i64) -> &'static str| -> String {
        (0..6_000).map(|x| format!("{}{x},1", code(x))).collect::<Vec<_>>().join("|")
    };
    let rooks = position(&format!("{}|K-5,50|k9,90", row(&|_| "R")));
    let moves = legal_moves(&rooks);
    assert_eq!(moves.pieces().iter().map(|piece| piece.rays.len()).sum::<usize>(), 2 * 6_000 + 2);
    let kings = position(&format!("{}|k9,90", row(&|x| if x % 2 == 0 { "K" } else { "R" })));
    assert_eq!(Trial::new(PieceTable::built_in(), kings).conclusion(), None);
}
