//! Findings of small games.

use std::sync::Arc;

use boardprint_base::{
    Game, GameResult, Laws, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Promotion, Tag,
    TurnOrder,
};

use super::{RepairOptions, inspect, repair};
use crate::pieces::PieceTable;

fn game(pieces: &str, moves: &str) -> Game {
    let placed = |text: &str| {
        let (text, right) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
        let player =
            if text.starts_with(|c: char| c.is_ascii_uppercase()) { Player::WHITE } else { Player::BLACK };
        let kind = PieceKind::from_code(&text[..1].to_ascii_lowercase()).unwrap();
        Placed { square: text[1..].parse().unwrap(), piece: Piece::new(kind, player), right }
    };
    let start = Position::new(Pieces::from_list(pieces.split('|').map(placed).collect()).unwrap());
    let moves = moves.split_whitespace().map(|text| {
        let squares = text.trim_end_matches(['+', '#', '!', '?', '=', 'Q']);
        let (from, to) = squares.split_once(['>', 'x']).unwrap();
        let mut mv = Move::new(from.parse().unwrap(), to.parse().unwrap());
        mv.notes.capture = text.contains('x');
        mv.promotion = text.contains("=Q").then_some(PieceKind::Queen);
        mv.notes.marks = text[squares.len()..].trim_start_matches("=Q").into();
        mv
    });
    Game { start, moves: moves.collect(), ..Game::default() }
}

fn found(game: &Game) -> Vec<String> {
    let findings = inspect(PieceTable::built_in(), game).findings;
    findings.iter().map(|finding| format!("{} [{}]", finding, finding.kind.name())).collect()
}

const ROOM: &str = "K5,1|R8,1|R9,2|Q1,3|k5,80";

#[test]
fn a_game_without_marks_lacks_none() {
    assert_eq!(found(&game("K5,1|R8,1|Q1,3|k5,80|p8,9", "8,1>8,9 5,80>5,81 8,9>8,81")), Vec::<String>::new());
}

#[test]
fn marks_are_compared_with_the_board() {
    let start = "K5,1|R8,1|Q1,3|k5,80|p8,9|p20,20";
    assert_eq!(
        found(&game(start, "8,1>8,9 5,80>5,81 8,9x8,82")),
        [
            "ply 1: R8,1>8,9 takes p8,9 and has no `x` [missing-x]",
            "ply 3: R8,9>8,82 has `x` and takes nothing [wrong-x]"
        ]
    );
    assert_eq!(
        found(&game(start, "8,1>8,8+ 5,80>5,81 8,8>8,7 5,81>5,82 1,3>5,3# 5,82>6,83 5,3>6,3")),
        [
            "ply 1: R8,1>8,8 has `+` and gives no check [wrong-check]",
            "ply 5: Q1,3>5,3 has `#` and gives check and no mate [wrong-mate]",
            "ply 7: Q5,3>6,3 gives check and has no `+` [missing-check]",
        ]
    );
}

#[test]
fn a_mate_has_its_own_mark_and_ends_the_game() {
    let start = "K50,50|R9,0|R-7,1|R-9,-1|Q30,2|k0,0|p70,70";
    let mate = |moves: &str| Game { start: game(start, "").start, ..game(start, moves) };
    assert_eq!(found(&mate("30,2>30,3")), Vec::<String>::new());
    let mut mated = game("K50,50|R9,7|R-7,1|R-9,-1|Q30,2|k0,0|p70,70", "9,7>9,0+");
    assert_eq!(found(&mated), ["ply 1: R9,7>9,0 gives mate and has no `#` [missing-mate]"]);
    mated.tags = vec![Tag { name: "Result".into(), value: "1/2-1/2".into() }];
    mated.moves[0].notes.marks = "#".into();
    assert_eq!(
        found(&mated),
        ["the result is 1/2-1/2, and on the board white wins by checkmate [wrong-result]"]
    );
    mated.tags = vec![Tag { name: "Termination".into(), value: "Resignation".into() }];
    mated.result = Some(GameResult::WhiteWins);
    assert_eq!(
        found(&mated),
        ["the termination is `Resignation`, and on the board white wins by checkmate [wrong-termination]"]
    );
}

#[test]
fn a_draw_that_ends_the_game_may_have_the_mark_of_a_mate() {
    assert_eq!(
        found(&game("K5,1|R8,1|R9,1|k5,80|r8,9|p70,70", "8,1x8,9# 5,80>5,81")),
        ["ply 1: R8,1>8,9 has `#` and gives no mate [wrong-mate]"]
    );
    assert_eq!(
        found(&game("K5,1|R8,1|k5,80|r8,9", "8,1x8,9#")),
        Vec::<String>::new(),
        "a rook does not mate here"
    );
    let stalemate = "K5,1|R1,100|R-1,100|R90,81|R90,79|R70,1|k0,80";
    let mut game = game(stalemate, "5,1>5,2#");
    game.start.pieces.remove(&"70,1".parse().unwrap());
    assert_eq!(found(&game), Vec::<String>::new(), "stalemate");
}

#[test]
fn a_claim_of_insufficient_material_is_wrong_only_where_somebody_can_mate() {
    let with = |pieces: &str, moves: &str| {
        let mut game = game(pieces, moves);
        game.tags = vec![Tag { name: "Termination".into(), value: "Insufficient material".into() }];
        found(&game)
    };
    assert_eq!(with("K5,1|Q8,1|k5,80", "8,1>8,2"), Vec::<String>::new());
    assert_eq!(
        with("K5,1|Q8,1|R9,2|k5,80", "8,1>8,2"),
        ["the termination is `Insufficient material`, and the board shows no end [wrong-termination]"]
    );
}

#[test]
fn a_termination_that_the_board_does_not_show_is_wrong() {
    let mut open = game(ROOM, "8,1>8,2");
    open.tags = vec![Tag { name: "Termination".into(), value: "Checkmate".into() }];
    assert_eq!(
        found(&open),
        ["the termination is `Checkmate`, and the board shows no end [wrong-termination]"]
    );
    open.tags = vec![Tag { name: "Termination".into(), value: "Time forfeit".into() }];
    assert_eq!(found(&open), Vec::<String>::new());
}

#[test]
fn moves_behind_the_third_occurrence_follow_the_end() {
    let round = "8,1>8,2 5,80>5,81 8,2>8,1 5,81>5,80 ";
    let mut long = game(ROOM, &round.repeat(2));
    assert_eq!(found(&long), Vec::<String>::new());
    long = game(ROOM, &round.repeat(3));
    assert_eq!(
        found(&long),
        ["ply 9: the game has ended before this move: draw by threefold repetition [moves-after-end]"]
    );
}

#[test]
fn rights_and_en_passant_squares_that_nothing_can_use() {
    let mut marked = game("K5,1|R8,1+|P3,3+|k5,80+|r9,80+|p3,7", "");
    marked.start.en_passant = Some("3,4".parse().unwrap());
    assert_eq!(
        found(&marked),
        [
            "nobody can castle with R8,1+: the `+` can never be used [useless-right]",
            "no pawn that white could take stands on 3,3, behind the en passant square 3,4 [useless-en-passant]",
        ]
    );
}

#[test]
fn nobody_but_a_pawn_is_taken_en_passant_unless_it_was_one_a_move_ago() {
    let mut queen = game("Q4,4|k9,9|K1,1|P4,2|p3,4", "3,4>4,3");
    queen.start.en_passant = Some("4,3".parse().unwrap());
    queen.start.turn = TurnOrder::black_first();
    assert_eq!(
        found(&queen),
        [
            "no pawn that black could take stands on 4,4, behind the en passant square 4,3 [useless-en-passant]",
            "ply 1: p3,4>4,3 needs something to take [illegal-move]",
        ]
    );
    let mut palace = game("k9,9|r8,8|r7,7|K1,1|R2,-9|R3,-9|P4,2+|p3,4", "4,2>4,4=Q 3,4x4,3");
    let promotion = [(Player::WHITE, Promotion::usual([4.into()]))].into();
    palace.start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    assert_eq!(found(&palace), Vec::<String>::new());
}

#[test]
fn the_swapped_ranks_of_the_oldest_text_are_named() {
    let mut swapped = game("K5,1|P3,7|k5,80", "3,7>3,8=Q");
    let on = |rank: i64| Promotion::usual([rank.into()]);
    let promotion = [(Player::WHITE, on(1)), (Player::BLACK, on(8))].into();
    swapped.start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    let inspection = inspect(PieceTable::built_in(), &swapped);
    assert_eq!((inspection.legal, inspection.first_illegal_ply), (Some(false), Some(1)));
    assert_eq!(
        found(&swapped),
        [
            "ply 1: P3,7>3,8 promotes where it may not [illegal-move]",
            "ply 1: white promotes on row 8, which the text gives to black: the oldest texts have the ranks the other way \
             round [swapped-promotion]",
        ]
    );
}

fn mended(game: &Game, options: RepairOptions) -> (Game, Vec<String>) {
    let mended = repair(PieceTable::built_in(), game, options);
    let again = repair(PieceTable::built_in(), &mended.game, options);
    assert_eq!((again.game, again.repairs.len()), (mended.game.clone(), 0), "once is enough");
    (mended.game, mended.repairs.iter().map(ToString::to_string).collect())
}

#[test]
fn swapped_ranks_are_exchanged_if_that_makes_the_game_legal() {
    let mut swapped = game("K5,1|P3,7|R9,9|k5,80", "3,7>3,8=Q 5,80>5,81");
    let choices = [PieceKind::Queen, PieceKind::Amazon];
    let white = Promotion::new([1_i64.into()], choices);
    let promotion = [(Player::WHITE, white), (Player::BLACK, Promotion::usual([8_i64.into()]))].into();
    swapped.start.laws = Arc::new(Laws { promotion, ..Laws::default() });
    let (game_after, repairs) = mended(&swapped, RepairOptions::default());
    assert_eq!(repairs.len(), 1);
    assert!(repairs[0].ends_with("gave each player the ranks of the other"), "{repairs:?}");
    let law = &game_after.start.laws.promotion[&Player::WHITE];
    assert_eq!((law.ranks(), law.choices()), (&[8_i64.into()][..], &choices[..]));
    assert_eq!(found(&game_after), Vec::<String>::new());

    swapped.moves.push(Move::new("9,9".parse().unwrap(), "10,10".parse().unwrap()));
    assert_eq!(mended(&swapped, RepairOptions::default()), (swapped.clone(), vec![]), "it stays illegal");
}

#[test]
fn marks_are_made_those_of_the_board() {
    let start = "K5,1|R8,1|Q1,3|k5,80|p8,9|p20,20";
    let wrong = game(start, "8,1>8,9 5,80>5,81+! 8,9x8,82# 5,81>5,80? 1,3>5,3 5,80>6,80 5,3>6,3#");
    let (after, repairs) = mended(&wrong, RepairOptions::default());
    assert_eq!(
        repairs,
        [
            "ply 1: R8,1>8,9 takes p8,9 and has no `x`: added `x`",
            "ply 2: k5,80>5,81 has `+` and gives no check: removed `+`",
            "ply 3: R8,9>8,82 has `x` and takes nothing: removed `x`",
            "ply 3: R8,9>8,82 has `#` and gives no mate: removed `#`",
            "ply 5: Q1,3>5,3 gives check and has no `+`: added `+`",
            "ply 7: Q5,3>6,3 has `#` and gives check and no mate: wrote `+` for `#`",
        ]
    );
    assert_eq!(&*after.moves[1].notes.marks, "!");
    assert_eq!(found(&after), Vec::<String>::new());
}

#[test]
fn a_result_is_changed_only_if_that_is_asked_for() {
    let mut mated = game("K50,50|R9,7|R-7,1|R-9,-1|Q30,2|k0,0|p70,70", "9,7>9,0+");
    mated.tags = vec![
        Tag { name: "Result".into(), value: "0-1".into() },
        Tag { name: "Termination".into(), value: "Resignation".into() },
    ];
    mated.result = Some(GameResult::BlackWins);
    let (after, repairs) = mended(&mated, RepairOptions::default());
    assert_eq!(repairs, ["ply 1: R9,7>9,0 gives mate and has no `#`: wrote `#` for `+`"]);
    assert_eq!((after.tag("Result"), &*after.moves[0].notes.marks), (Some("0-1"), "#"));
    let (after, repairs) = mended(&mated, RepairOptions::default().result(true));
    assert_eq!(repairs.len(), 3);
    assert_eq!((after.tag("Result"), after.tag("Termination")), (Some("1-0"), Some("Checkmate")));
    assert_eq!(after.result, Some(GameResult::WhiteWins));
    assert_eq!(found(&after), Vec::<String>::new());
}
