use boardprint_base::replay::Replay;
use boardprint_icn::{canonical_position, parse};
use proptest::prelude::*;

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn fen(text: &str) -> Fen {
    Fen::read(Game::Western, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn open(text: &str) -> OpenGame {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).game
}

/// The text of the original, `w 0/100 1 (8|1) checkmate P1,2+|…`, with its fields at their defaults left out.
#[test]
fn the_usual_start_is_that_of_the_original_text() {
    let original = "w 0/100 1 (8|1) checkmate P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|\
        p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+";
    let (position, lost) = open_position(&fen(START), false).unwrap();
    assert!(lost.is_nothing());
    assert_eq!(position, open(original).start);
    let (bordered, _) = open_position(&fen(START), true).unwrap();
    assert!(canonical_position(&bordered).starts_with("0/100 (8|1) 1,8,1,8 "));
    assert_eq!(western_fen(&bordered).unwrap(), (fen(START), Lost::NOTHING));
}

#[test]
fn positions_come_back_with_every_field() {
    let texts = [
        START,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 17 40",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "P6p/8/8/8/8/8/8/p6P b - - 99 184467440",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7",
    ];
    for text in texts {
        for border in [false, true] {
            let (position, lost) = open_position(&fen(text), border).unwrap();
            assert_eq!((western_fen(&position).unwrap(), lost), ((fen(text), Lost::NOTHING), lost), "{text}");
            assert!(lost.is_nothing(), "{text}");
        }
    }
}

#[test]
fn castling_as_in_chess960_is_lost_or_refused() {
    let other = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let (position, lost) = open_position(&fen(other), false).unwrap();
    assert_eq!(lost, Lost::CASTLING);
    assert!(position.pieces.iter().all(|placed| placed.right == (placed.piece.kind == PieceKind::Pawn)));

    let board = Board::from_fen(&fen(other)).unwrap();
    let castles =
        board.legal_moves().into_iter().find(|played| played.uci(Game::Western).to_string() == "c1f1");
    let error = open_moves(&board, &[castles.expect("the king takes its rook")]).unwrap_err();
    assert_eq!(error, EmbedErrorKind::OtherCastling.at_ply(1));
    let error = open_moves(&Board::start(Game::Western), &[Move::NULL]).unwrap_err();
    assert_eq!(error.to_string(), "half-move 1: the open board has no turn without a move");
}

#[test]
fn what_western_chess_has_not_is_refused_with_its_square() {
    let square = |x: i64, y: i64| Square::new(x, y);
    let cases = [
        ("K5,1|k5,8|q0,4", EmbedErrorKind::Outside { square: square(0, 4) }),
        ("K5,1|k5,8|Q5,9", EmbedErrorKind::Outside { square: square(5, 9) }),
        (
            "K5,1|k5,8|N999999999999999999999,4",
            EmbedErrorKind::Outside {
                square: Square { x: "999999999999999999999".parse().unwrap(), y: Coord::from(4) },
            },
        ),
        ("K5,1|k5,8|P4,2", EmbedErrorKind::Right { square: square(4, 2) }),
        ("K5,1|k5,8|P4,3+", EmbedErrorKind::Right { square: square(4, 3) }),
        ("K5,1+|k5,8|N1,1+", EmbedErrorKind::Right { square: square(1, 1) }),
        ("K4,1+|k5,8|R8,1+", EmbedErrorKind::Right { square: square(4, 1) }),
        ("K5,4+|k5,8|R8,4+", EmbedErrorKind::Right { square: square(5, 4) }),
        ("b 4,4 K5,1|k5,8|P4,5|p3,5", EmbedErrorKind::EnPassant { square: square(4, 4) }),
        ("w:b:r K5,1|k5,8|3K2,2", EmbedErrorKind::TurnOrder),
    ];
    for (text, kind) in cases {
        assert_eq!(western_fen(&open(text).start), Err(kind.into()), "{text}");
    }
    let archbishop = western_fen(&open("K5,1|k5,8|AR3,3").start).unwrap_err();
    assert_eq!(archbishop.to_string(), "Western chess has no `AR`, which stands on 3,3");
    let obstacle = western_fen(&open("K5,1|k5,8|ob3,3").start).unwrap_err();
    assert!(matches!(obstacle.kind(), EmbedErrorKind::OtherPiece { .. }));
}

#[test]
fn what_a_fen_does_not_say_is_lost() {
    let lost = |text: &str| western_fen(&open(text).start).unwrap_or_else(|e| panic!("{text}: {e}")).1;
    assert_eq!(lost("0/100 (8|1) K5,1|k5,8"), Lost::NOTHING);
    assert_eq!(lost("K5,1|k5,8"), Lost::LAWS | Lost::CLOCK);
    assert_eq!(lost("3/80 (8|1) K5,1|k5,8"), Lost::CLOCK);
    assert_eq!(lost("0/100 (8|1) 0,8,1,8 K5,1|k5,8"), Lost::LAWS);
    assert_eq!(lost("0/100 (8;Q,AM|1) K5,1|k5,8"), Lost::LAWS);
    assert_eq!(lost("0/100 (8|1) koth K5,1|k5,8"), Lost::LAWS);
    assert_eq!(lost("0/100 (8|1) {\"slideLimit\":\"Infinity\"} K5,1|k5,8"), Lost::NOTHING);
    assert_eq!(lost("0/100 (8|1) K5,1+|k5,8"), Lost::DEAD_MARKS);
    assert_eq!(lost("5,6 0/100 (8|1) K5,1|k5,8"), Lost::DEAD_MARKS);
    assert_eq!(lost("0/100 99999999999999999999 (8|1) K5,1|k5,8"), Lost::MOVE_NUMBER);
}

#[test]
fn moves_that_western_chess_has_not_are_refused_with_their_half_move() {
    let refusal = |text: &str| western_moves(&open(text)).map(|_| ()).unwrap_err().to_string();
    let (position, _) = open_position(&fen(START), false).unwrap();
    let start = canonical_position(&position);
    let cases = [
        ("5,2>5,4|5,7>5,5|4,1>9,6", "half-move 3: 9,6 is not on the board of 8 by 8 squares"),
        ("5,2>5,5", "half-move 1: illegal in Western chess: the piece does not move that way"),
        (
            "5,2>5,3|5,2>5,4",
            "half-move 2: illegal in Western chess: there is no piece on the square it starts from",
        ),
        // All bits 0 would be a turn without a move.
        ("1,1>1,1", "half-move 1: illegal in Western chess: a piece of the same side stands there"),
    ];
    for (moves, message) in cases {
        assert_eq!(refusal(&format!("{start} {moves}")), message);
    }
    // On the open board the king takes its rook here; in Western chess the same squares would castle.
    let takes_rook = "0/100 (8|1) K5,1+|R8,1+|k5,8 5,1>8,1";
    assert!(refusal(takes_rook).contains("a piece of the same side stands there"));
    let amazon = "0/100 (8;Q,AM|1) K5,1|P1,7|k5,5 1,7>1,8=AM";
    assert_eq!(refusal(amazon), "half-move 1: a pawn of Western chess never becomes `am`");
    let stays = "0/100 K5,1|P1,7|k5,5 1,7>1,8";
    assert!(refusal(stays).ends_with("the piece has to promote there"), "{}", refusal(stays));
    assert_eq!(refusal("K5,1"), "no Western game can start from this position: a side has no king");
}

/// A legal game chosen by some numbers, from the usual start or one with castling, promotion and en passant
/// near.
fn legal_game(start: &Fen, choices: &[u16]) -> (Board, Vec<Move>) {
    let start = Board::from_fen(start).unwrap();
    let mut board = start.clone();
    let mut moves = Vec::new();
    for choice in choices {
        let legal = board.legal_moves();
        if legal.is_empty() {
            break;
        }
        let played = legal[usize::from(*choice) % legal.len()];
        board.play(played).unwrap();
        moves.push(played);
    }
    (start, moves)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn legal_games_come_back_move_by_move(
        start in prop::sample::select(vec![
            START,
            "r3k2r/pP1p2Pp/8/2p1P3/3Pp1p1/8/Pp1P1PpP/R3K2R w KQkq - 5 12",
            "4k3/P2p4/8/4P3/3p4/8/p1P1P3/R3K2R b KQ - 0 3",
        ]),
        choices in prop::collection::vec(any::<u16>(), 0..120),
        border in any::<bool>(),
    ) {
        let (board, moves) = legal_game(&fen(start), &choices);
        let (position, _) = open_position(&board.fen(), border).unwrap();
        let game = OpenGame { start: position, moves: open_moves(&board, &moves).unwrap(), ..OpenGame::default() };
        let (back, same, lost) = western_moves(&game).unwrap();
        prop_assert!(lost.is_nothing());
        prop_assert!(back.same_position(&board));
        prop_assert_eq!(back.fen().to_string(), board.fen().to_string());
        prop_assert_eq!(&same, &moves);
        // Every position on the way is the same one, on both boards.
        let (mut finite, mut replay) = (board, Replay::new(&game));
        for played in moves {
            finite.play(played).unwrap();
            replay.step().unwrap().expect("as many moves");
            let (fen, _) = western_fen(replay.position()).unwrap();
            prop_assert_eq!(Board::from_fen(&fen).unwrap().fen(), finite.fen());
        }
    }
}
