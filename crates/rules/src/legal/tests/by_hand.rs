//! Mates, stalemates and reasons by hand, on boards without end.

use std::sync::Arc;

use boardprint_base::{
    Json, JsonNumber, JsonObject, Laws, Move, MoveRule, PieceKind, Player, Position, TurnOrder,
};

use super::{position, square};
use crate::legal::{Answer, Condition, Referee, Trial};
use crate::pieces::PieceTable;

fn black_to_move(pieces: &str) -> Position {
    Position { turn: TurnOrder::black_first(), ..position(pieces) }
}

fn can_move(position: &Position) -> Answer {
    Referee::new(PieceTable::built_in(), position).can_move(&mut position.clone())
}

fn end(position: &Position) -> Option<Condition> {
    Trial::new(PieceTable::built_in(), position.clone()).conclusion().map(|end| end.condition)
}

fn mv(text: &str) -> Move {
    let (from, to) = text.split_once('>').unwrap();
    Move::new(square(from), square(to))
}

fn fault(position: &Position, text: &str) -> String {
    let referee = Referee::new(PieceTable::built_in(), position);
    referee.judge(&mut position.clone(), &mv(text)).unwrap_err().to_string()
}

/// Three rooks give mate on the open board: one row for the king, one above, one below.
const LADDER: &str = "k0,0|R1000000000000000000000,0|R-7,1|R-9,-1|K50,50";

#[test]
fn rooks_mate_from_beyond_any_machine_word() {
    assert_eq!(end(&black_to_move(LADDER)), Some(Condition::Checkmate));
}

#[test]
fn a_rook_that_crosses_the_line_of_check_far_away_saves_the_king() {
    let saved = format!("{LADDER}|r999999999999999999,77");
    assert_eq!(can_move(&black_to_move(&saved)), Answer::Yes);
    let behind = format!("{LADDER}|r1000000000000000000001,77");
    assert_eq!(end(&black_to_move(&behind)), Some(Condition::Checkmate));
}

#[test]
fn a_bishop_of_the_right_colour_crosses_and_one_of_the_wrong_colour_does_not() {
    assert_eq!(can_move(&black_to_move(&format!("{LADDER}|b100,20"))), Answer::Yes);
    // A knightrider passes over every other square of a row.
    assert_eq!(can_move(&black_to_move(&format!("{LADDER}|nr100,21"))), Answer::Yes);
    let blocked = format!("{LADDER}|b100,20|p99,19|p101,19|P99,18|P101,18|p101,21|p99,21|P99,20|P101,20");
    assert_eq!(end(&black_to_move(&blocked)), Some(Condition::Checkmate));
}

#[test]
fn taking_the_checker_saves_the_king() {
    let saved = format!("{LADDER}|r1000000000000000000000,5");
    assert_eq!(can_move(&black_to_move(&saved)), Answer::Yes);
}

#[test]
fn a_check_of_a_huygen_is_met_only_at_prime_distances() {
    // From 13 to 0: squares at distances 2, 3, 5, 7, 11 from the huygen.
    let mate = "k0,0|HU13,0|R-70,1|R-90,-1|R1,80|R-1,80";
    let with = |helper: &str| can_move(&black_to_move(&format!("{mate}|{helper}")));
    assert_eq!(with("r8,40"), Answer::Yes);
    assert_eq!(with("r9,40"), Answer::No);
    assert_eq!(with("r4,40"), Answer::No);
    assert_eq!(with("r6,40"), Answer::Yes);
}

#[test]
fn a_pinned_rook_moves_along_the_line_of_its_pin() {
    let cage = "k0,0|R-70,1|R-90,-1|R5,90|R-5,90|R1,80|R-1,80";
    assert_eq!(can_move(&black_to_move(&format!("{cage}|r40,0|R1000,0"))), Answer::Yes);
    assert_eq!(can_move(&black_to_move(&format!("{cage}|b40,0|R1000,0"))), Answer::No);
    assert_eq!(end(&black_to_move(&format!("{cage}|b40,0|R1000,0"))), Some(Condition::Stalemate));
}

#[test]
fn a_royal_queen_is_never_called_mated_on_the_open_board() {
    let position = black_to_move("rq0,0|R100,0|R100,9|R0,50|R9,50|B30,30|R30,9|B-30,30|R-30,9|K-5,-900");
    assert_eq!(can_move(&position), Answer::Unknown);
    let trial = Trial::new(PieceTable::built_in(), position);
    assert_eq!((trial.conclusion(), trial.is_decided()), (None, false));
}

#[test]
fn a_royal_queen_is_mated_between_edges() {
    let mut position = black_to_move("rq1,1|R9,1|R1,9|R9,9|Q3,3|K4,4");
    let border = boardprint_base::Border {
        left: Some(1.into()),
        right: Some(9.into()),
        bottom: Some(1.into()),
        top: Some(9.into()),
    };
    position.laws = Arc::new(Laws { border, ..Laws::default() });
    assert_eq!(end(&position), Some(Condition::Checkmate));
    position.pieces.remove(&square("9,9"));
    assert_eq!(can_move(&position), Answer::Yes, "nobody guards the rooks");
}

#[test]
fn kings_are_no_partners_of_each_other() {
    // The oldest text lets a king castle with any piece but a pawn; the site takes out what can lead a
    // castling.
    let two = "K3,3+|K10,3+|k5,80";
    assert_eq!(
        fault(&position(two), "3,3>5,3"),
        "K3,3>5,3 castles, but the nearest piece on that side is not a partner"
    );
    assert!(fault(&position("K3,3+|RC10,3+|k5,80"), "3,3>5,3").contains("not a partner"));
    let knight = position("K3,3+|N10,3+|k5,80");
    let referee = Referee::new(PieceTable::built_in(), &knight);
    assert!(referee.judge(&mut knight.clone(), &mv("3,3>5,3")).is_ok(), "any other piece is one");
}

#[test]
fn castling_needs_safe_squares_and_the_nearest_partner() {
    let with = |more: &str| position(&format!("K5,1+|R8,1+|k5,80{more}"));
    let referee = |position: &Position, text: &str| {
        Referee::new(PieceTable::built_in(), position).judge(&mut position.clone(), &mv(text)).is_ok()
    };
    assert!(referee(&with(""), "5,1>7,1"));
    assert!(referee(&with("|r8,40"), "5,1>7,1"), "the partner may be attacked");
    assert_eq!(fault(&with("|r5,40"), "5,1>7,1"), "K5,1>7,1 castles out of check from r5,40");
    assert_eq!(fault(&with("|r6,40"), "5,1>7,1"), "K5,1>7,1 castles over 6,1, which r6,40 attacks");
    assert_eq!(fault(&with("|r7,40"), "5,1>7,1"), "K5,1>7,1 castles over 7,1, which r7,40 attacks");
    assert_eq!(
        fault(&with("|r20,1"), "5,1>7,1"),
        "K5,1>7,1 leaves K7,1 in check from r20,1",
        "the partner no longer shields the king"
    );
    assert_eq!(
        fault(&with("|N7,1"), "5,1>3,1"),
        "K5,1>3,1 castles, but the nearest piece on that side is not a partner"
    );
    assert_eq!(fault(&position("K5,1|R8,1+|k5,80"), "5,1>7,1"), "K5,1>7,1 needs the special right `+`");
    assert!(referee(&position("K5,1+|GU9,1+|k5,80"), "5,1>7,1"), "any piece may be the partner");
}

#[test]
fn reasons_are_in_plain_words() {
    let start = position("K5,1|R8,1|P8,2|P2,2|N3,3|B1,1|vo6,2|ob9,1|k5,80|p3,4|p1,3");
    for (text, reason) in [
        ("8,1>8,9", "R8,1>8,9 passes over P8,2"),
        ("8,1>8,2", "R8,1>8,2 takes its own P8,2"),
        ("8,1>7,3", "R8,1>7,3 is not a move of a rook"),
        ("7,7>7,8", "7,7>7,8 moves nothing: no piece stands on 7,7"),
        ("5,80>5,79", "k5,80>5,79 is out of turn: white is to move"),
        ("5,1>6,2", "K5,1>6,2 enters a void"),
        ("5,1>5,1", "K5,1>5,1 goes nowhere"),
        ("2,2>2,4", "P2,2>2,4 needs the special right `+`"),
        ("8,2>9,3", "P8,2>9,3 needs something to take"),
        ("3,3>5,3", "N3,3>5,3 is not a move of a knight"),
        ("8,1>11,1", "R8,1>11,1 passes over ob9,1"),
    ] {
        assert_eq!(fault(&start, text), reason);
    }
    let start = position("K5,1|P3,3|N5,5|k5,80|p3,4|r5,9");
    assert_eq!(fault(&start, "3,3>3,4"), "P3,3>3,4 may not take p3,4");
    assert_eq!(fault(&start, "5,5>7,6"), "N5,5>7,6 leaves K5,1 in check from r5,9");
}

#[test]
fn obstacles_are_captured_and_voids_and_borders_never_entered() {
    let mut start = position("K5,1|R8,1|ob8,5|vo3,1|k5,80");
    let judge = |position: &Position, text: &str| {
        Referee::new(PieceTable::built_in(), position).judge(&mut position.clone(), &mv(text)).is_ok()
    };
    assert!(judge(&start, "8,1>8,5"));
    assert!(!judge(&start, "8,1>8,6"));
    let border = boardprint_base::Border { right: Some(9.into()), ..Default::default() };
    start.laws = Arc::new(Laws { border, ..Laws::default() });
    assert!(judge(&start, "8,1>9,1"));
    assert_eq!(fault(&start, "8,1>10,1"), "R8,1>10,1 leaves the board");
}

#[test]
fn a_slide_limit_holds_for_all_sliders_and_for_checks() {
    let mut start = position("K0,0|R8,1|HU5,5|k0,9|r0,8|N1,1");
    let limit = Json::Number(JsonNumber::parse("3", 10).unwrap());
    let extra = JsonObject::from_members(vec![("slideLimit".into(), limit)]).unwrap();
    start.laws = Arc::new(Laws { extra, ..Laws::default() });
    let referee = Referee::new(PieceTable::built_in(), &start);
    assert_eq!(referee.is_in_check(&start, Player::WHITE), Answer::No);
    assert!(referee.judge(&mut start.clone(), &mv("8,1>8,4")).is_ok());
    assert!(referee.judge(&mut start.clone(), &mv("5,5>5,8")).is_ok());
    assert!(referee.judge(&mut start.clone(), &mv("1,1>3,2")).is_ok());
    assert_eq!(fault(&start, "8,1>8,5"), "R8,1>8,5 slides further than 3");
    assert_eq!(fault(&start, "5,5>5,10"), "HU5,5>5,10 slides further than 3");
}

#[test]
fn promotion_is_forced_on_its_rank_and_forbidden_elsewhere() {
    let mut start = position("K5,1|P3,7|P4,5|k5,80");
    let promotion = [(Player::WHITE, boardprint_base::Promotion::usual([8.into()]))].into();
    start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    let referee = Referee::new(PieceTable::built_in(), &start);
    let judge = |text: &str, kind: Option<PieceKind>| {
        let promoting = Move { promotion: kind, ..mv(text) };
        referee.judge(&mut start.clone(), &promoting).map_err(|fault| fault.to_string())
    };
    assert_eq!(judge("3,7>3,8", Some(PieceKind::Queen)), Ok(()));
    assert_eq!(judge("3,7>3,8", None), Err("P3,7>3,8 has to promote".into()));
    assert_eq!(judge("4,5>4,6", Some(PieceKind::Queen)), Err("P4,5>4,6 promotes where it may not".into()));
    let amazon = "P3,7>3,8 promotes to a amazon, which the laws do not offer";
    assert_eq!(judge("3,7>3,8", Some(PieceKind::Amazon)), Err(amazon.into()));
}

fn play(trial: &mut Trial<'_>, moves: &str) -> Vec<Option<Condition>> {
    let ends = moves.split(' ').map(|text| trial.play(&mv(text)).unwrap().conclusion);
    ends.map(|end| end.map(|end| end.condition)).collect()
}

#[test]
fn the_third_occurrence_is_a_draw_and_lost_rights_make_another_position() {
    let mut trial = Trial::new(PieceTable::built_in(), position("K5,1+|R8,1+|R2,5|k5,80|r50,70"));
    let round = "5,1>5,2 5,80>5,81 5,2>5,1 5,81>5,80";
    // The start had rights, so the position after one round is a new one.
    assert!(play(&mut trial, round).iter().all(Option::is_none));
    assert!(play(&mut trial, round).iter().all(Option::is_none));
    let ends = play(&mut trial, round);
    assert_eq!(ends.last(), Some(&Some(Condition::Repetition)));
    // The king's partner lost its right with the king, so its moves change nothing that counts.
    assert!(!trial.position().pieces.get(&square("8,1")).unwrap().right);
}

#[test]
fn the_move_rule_ends_the_game_at_its_limit() {
    let mut start = position("K5,1|R8,1|R2,5|k5,80");
    start.move_rule = Some(MoveRule { count: 98.into(), limit: 100.into() });
    let mut trial = Trial::new(PieceTable::built_in(), start);
    assert_eq!(play(&mut trial, "5,1>5,2 5,80>5,81"), [None, Some(Condition::MoveRule)]);
}

fn with_wins(pieces: &str, white: &str) -> Position {
    let mut start = position(pieces);
    let mut laws = Laws::default();
    laws.wins.set(Player::WHITE, [white.into()].into());
    start.laws = Arc::new(laws);
    start
}

#[test]
fn other_ways_to_win() {
    let first = |pieces: &str, white: &str, text: &str| {
        let mut trial = Trial::new(PieceTable::built_in(), with_wins(pieces, white));
        let end = trial.play(&mv(text)).unwrap().conclusion.unwrap();
        assert_eq!(end.victor, Some(Player::WHITE));
        end.condition
    };
    assert_eq!(first("K5,1|R8,1|n8,9", "allpiecescaptured", "8,1>8,9"), Condition::AllPiecesCaptured);
    assert_eq!(first("K5,1|R8,1|k8,9|k20,20", "royalcapture", "8,1>8,9"), Condition::RoyalCapture);
    assert_eq!(first("K5,1|R8,1|k8,9|p20,20", "allroyalscaptured", "8,1>8,9"), Condition::AllRoyalsCaptured);
    assert_eq!(first("K5,3|k8,9", "koth", "5,3>5,4"), Condition::KingOfTheHill);
    let mut trial = Trial::new(PieceTable::built_in(), with_wins("K5,1|R8,1|k8,9", "threecheck"));
    let moves = "8,1>8,2 8,9>9,9 8,2>9,2 9,9>8,9 9,2>8,2";
    assert_eq!(play(&mut trial, moves).last(), Some(&Some(Condition::ThreeCheck)));
}

#[test]
fn check_is_heeded_only_where_the_opponent_wins_by_checkmate() {
    let start = "K5,1|N5,5|k50,80|r5,9";
    assert!(
        !Referee::new(PieceTable::built_in(), &with_wins(start, "royalcapture")).heeds_check(Player::BLACK)
    );
    assert!(
        Referee::new(PieceTable::built_in(), &with_wins(start, "royalcapture")).heeds_check(Player::WHITE)
    );
    let mut three = position(start);
    three.turn = TurnOrder::new(vec![Player::WHITE, Player::BLACK, Player(3)]).unwrap();
    let referee = Referee::new(PieceTable::built_in(), &three);
    assert!(!referee.heeds_check(Player::WHITE));
    assert!(referee.wins_by(&three, Player(3), "royalcapture"));
}
