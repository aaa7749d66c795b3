//! Why moves are illegal, and how games end.

use boardprint_base::{GameResult, Side};

use crate::{
    Action, Board, Conclusion, Condition, Fen, Game, History, Illegal, Move, Notation, Unplayable,
    game_digest, write_game,
};

fn board(game: Game, fen: &str) -> Board {
    Board::from_fen(&Fen::read(game, fen).unwrap()).unwrap()
}

/// A move from its squares, legal or not.
fn go(board: &Board, uci: &str) -> Move {
    let game = board.game();
    let square = |text: &str| -> usize {
        let file = usize::from(text.as_bytes()[0] - b'a');
        (text[1..].parse::<usize>().unwrap() - 1) * game.files() + file
    };
    if let Some((kind, to)) = uci.split_once('@') {
        let letter = kind.to_ascii_lowercase().as_bytes()[0];
        let kind = game.kinds().iter().position(|kind| kind.letter() == letter).unwrap();
        return Move::other(game.squares() + kind, square(to), false);
    }
    let split = 1 + uci[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
    let (from, to) = uci.split_at(split);
    let (to, promotion) = match to.strip_suffix(['+', 'm', 'q']) {
        Some(to) => (to, true),
        None => (to, false),
    };
    let (from, to) = (square(from), square(to));
    if game == Game::Western {
        let bits = |square: usize| u16::try_from(square).unwrap();
        return Move::western(bits(from), bits(to), if promotion { 4 } else { 0 });
    }
    Move::other(from, to, promotion)
}

fn why(board: &Board, uci: &str) -> Option<Illegal> {
    let played = go(board, uci);
    let reason = board.judge(played).err();
    let mut copy = board.clone();
    assert_eq!(copy.play(played).err(), reason);
    assert_eq!(reason.is_none(), board.legal_moves().contains(&played), "{uci}");
    assert_eq!(reason.is_some(), copy.same_position(board), "{uci}");
    reason
}

#[test]
fn western_moves_are_illegal_for_a_reason() {
    let start = Board::start(Game::Western);
    for (uci, reason) in [
        ("e4e5", Illegal::NoPiece),
        ("e7e5", Illegal::OtherSide),
        ("e1e2", Illegal::OwnPiece),
        ("e2e5", Illegal::NotItsMove),
        ("f1c4", Illegal::Blocked),
        ("e2d3", Illegal::NothingToTake),
        ("e1g1", Illegal::Castling),
        ("e2e4q", Illegal::MustNotPromote),
    ] {
        assert_eq!(why(&start, uci), Some(reason), "{uci}");
    }
    let pinned = board(Game::Western, "4r2k/P7/8/8/8/8/4N3/4K3 w - - 0 1");
    assert_eq!(why(&pinned, "e2c3"), Some(Illegal::IntoCheck));
    assert_eq!(why(&pinned, "a7a8"), Some(Illegal::MustPromote));
    assert_eq!(why(&pinned, "a7a8q"), None);
    let checked = board(Game::Western, "4r1k1/8/8/8/8/8/N7/4K2R w K - 0 1");
    assert_eq!(why(&checked, "a2c3"), Some(Illegal::StaysInCheck));
    assert_eq!(why(&checked, "e1g1"), Some(Illegal::Castling));
    assert_eq!(checked.judge(Move::NULL), Err(Illegal::StaysInCheck));
    assert_eq!(start.judge(Move::NULL), Ok(()));
}

#[test]
fn moves_of_the_other_games_are_illegal_for_a_reason() {
    let xiangqi = board(Game::Xiangqi, "4k4/9/9/9/9/4C4/9/9/1c7/1N2K3R w - - 0 1");
    assert_eq!(why(&xiangqi, "e5d5"), Some(Illegal::GeneralsFace));
    assert_eq!(why(&xiangqi, "e1e3"), Some(Illegal::NotItsMove));
    assert_eq!(why(&xiangqi, "b1c3"), Some(Illegal::Blocked));
    assert_eq!(why(&xiangqi, "i1b1"), Some(Illegal::OwnPiece));
    assert_eq!(why(&xiangqi, "e5e10"), Some(Illegal::TakesKing));
    assert_eq!(why(&xiangqi, "e5e9"), None);
    assert_eq!(xiangqi.judge(Move::NULL), Err(Illegal::NoSuchMove));
    let shogi = board(Game::Shogi, "3lkl3/3p1p3/4G4/9/9/4P4/9/9/4K4[LP] w - - 0 1");
    assert_eq!(why(&shogi, "P@e5"), Some(Illegal::TwoPawns));
    assert_eq!(why(&shogi, "P@a9"), Some(Illegal::DeadDrop));
    assert_eq!(why(&shogi, "P@d8"), Some(Illegal::Occupied));
    assert_eq!(why(&shogi, "R@a5"), Some(Illegal::NotInHand));
    assert_eq!(why(&shogi, "e4e5+"), Some(Illegal::MustNotPromote));
    let mate = board(Game::Shogi, "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4[LP] w - - 0 1");
    assert_eq!(why(&mate, "P@e8"), Some(Illegal::MateByPawn));
    let janggi = board(Game::Janggi, "3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1");
    assert_eq!(why(&janggi, "d10d10"), Some(Illegal::PassInCheck));
    assert_eq!(why(&janggi, "d10d9"), Some(Illegal::StaysInCheck));
    let facing = board(Game::Janggi, "4k4/9/9/9/9/9/9/3R5/9/4K4 w - - 0 1");
    assert_eq!(why(&facing, "d3d4"), Some(Illegal::GeneralsFace));
    assert_eq!(why(&facing, "e1e1"), None);
    let makruk = board(Game::Makruk, "4k3/8/p7/1P6/8/8/8/4K3 w - - 0 1");
    assert_eq!(why(&makruk, "b5b6"), Some(Illegal::MustPromote));
    assert_eq!(why(&makruk, "b5b6m"), None);
    assert_eq!(why(&makruk, "b5c6m"), Some(Illegal::NothingToTake));
}

#[test]
fn no_two_bytes_make_a_board_panic() {
    for game in Game::ALL {
        let mut start = Board::start(game);
        let legal = start.legal_moves();
        for bits in 0..=u16::MAX {
            let Some(played) = Move::from_bits(game, bits) else { continue };
            assert_eq!(played.bits(), bits);
            let is_legal = start.judge(played).is_ok();
            let null = game == Game::Western && played == Move::NULL;
            assert_eq!(is_legal, legal.contains(&played) || null, "{game} {bits}");
            let _ = (played.uci(game).to_string(), played.action(game));
            if game != Game::Western {
                let mut nonsense = start.clone();
                nonsense.play_known(played);
                if bits % 101 == 0 {
                    let _ = (nonsense.legal_moves(), nonsense.fen().to_string());
                }
            }
        }
        for played in &legal {
            assert_eq!(Move::from_bits(game, played.bits()), Some(*played));
        }
        start.play(legal[0]).unwrap();
    }
    let bits = |uci: &str| go(&Board::start(Game::Western), uci).bits();
    // Stored in databases: these numbers never change.
    assert_eq!((bits("e2e4"), bits("a7a8q")), (12 + 28 * 64, 48 + 56 * 64 + 4 * 4096));
    let drop = Board::start(Game::Shogi);
    assert_eq!(go(&drop, "P@e5").bits(), 81 + 6 + 40 * 128);
    assert_eq!(go(&drop, "P@e5").action(Game::Shogi), Action::Drop { kind: 6, to: 40 });
    assert_eq!(go(&drop, "b2h8+").bits(), 10 + 70 * 128 + 16_384);
    assert_eq!(go(&Board::start(Game::Xiangqi), "h3e3").bits(), 25 + 22 * 128);
    assert_eq!(Game::ALL.map(Game::code), [1, 2, 3, 4, 5]);
}

/// Plays words from a start and gives what ended the game, and at which ply.
fn end_of(start: &Board, notation: Notation, words: &[&str]) -> Option<(usize, Conclusion)> {
    let mut board = start.clone();
    let mut history = History::new(&board);
    for (ply, word) in (1..).zip(words) {
        board.play(board.read(notation, word).unwrap_or_else(|error| panic!("{word}: {error}"))).unwrap();
        if let Some(end) = history.push(&board) {
            return Some((ply, end));
        }
    }
    None
}

#[test]
fn repetition_ends_games_where_the_rules_say_so() {
    let start = Board::start(Game::Western);
    let words = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(4);
    let draw = Conclusion { victor: None, condition: Condition::Repetition };
    assert_eq!(end_of(&start, Notation::San, &words), Some((16, draw)));
    assert_eq!(end_of(&start, Notation::San, &words[..15]), None);
    // In Xiangqi repetition is not judged.
    let cannon = ["h3g3", "h8g8", "g3h3", "g8h8"].repeat(6);
    assert_eq!(end_of(&Board::start(Game::Xiangqi), Notation::Uci, &cannon), None);
}

#[test]
fn perpetual_check_loses_in_shogi() {
    // The gold checks on the file and on the diagonal forever.
    let start = board(Game::Shogi, "k8/9/9/9/9/9/9/R8/4K4[] b - - 0 1");
    assert!(start.is_check());
    let words = ["9a8a", "9h8h", "8a9a", "8h9h"].repeat(4);
    let (ply, end) = end_of(&start, Notation::Usi, &words).unwrap();
    assert_eq!(ply, 12);
    assert_eq!(end, Conclusion { victor: Some(Side::Top), condition: Condition::PerpetualCheck });
    // The same with the other side to move at the end.
    let start = board(Game::Shogi, "k8/9/9/9/9/9/9/1R7/4K4[] w - - 0 1");
    let words = ["8h9h", "9a8a", "9h8h", "8a9a"].repeat(4);
    let (ply, end) = end_of(&start, Notation::Usi, &words).unwrap();
    assert_eq!(ply, 12);
    assert_eq!(end, Conclusion { victor: Some(Side::Top), condition: Condition::PerpetualCheck });
    // One quiet move in the circle makes it a draw.
    let words = ["8h7h", "9a8a", "7h8h", "8a9a"].repeat(4);
    assert_eq!(end_of(&start, Notation::Usi, &words).unwrap().1.condition, Condition::Repetition);
}

#[test]
fn two_passes_or_one_while_facing_end_janggi_by_points() {
    let points = Conclusion { victor: None, condition: Condition::Points };
    assert_eq!(points.result(), GameResult::Unknown);
    assert!(GameResult::ALL.into_iter().all(|result| !points.contradicts(result)), "the record decides");
    let start = Board::start(Game::Janggi);
    assert_eq!(end_of(&start, Notation::Uci, &["e2e2", "e9e9"]), Some((2, points)));
    assert_eq!(
        end_of(&start, Notation::Uci, &["e2e2", "a7b7", "e2e2", "b7a7"]),
        None,
        "never one after the other"
    );
    assert_eq!(end_of(&start, Notation::Uci, &["a4b4", "e9e9", "e2e2"]), Some((3, points)));
    let facing = board(Game::Janggi, "4k4/9/9/9/9/9/9/3R5/9/4K4 w - - 0 1");
    assert_eq!(end_of(&facing, Notation::Uci, &["e1e1"]), Some((1, points)));
    let apart = board(Game::Janggi, "4k4/9/9/9/9/9/9/1R7/9/3K5 w - - 0 1");
    assert_eq!(end_of(&apart, Notation::Uci, &["d1d1", "e10d10"]), None);
}

#[test]
fn seventy_five_moves_without_progress_are_a_draw() {
    let start = board(Game::Western, "4k3/8/8/8/8/8/8/R3K3 w - - 149 100");
    let (ply, end) = end_of(&start, Notation::San, &["Kd2"]).unwrap();
    assert_eq!((ply, end.condition), (1, Condition::MoveRule));
    // A mate on the last move is a mate.
    let mate = board(Game::Western, "k7/8/1K6/8/8/8/8/7R w - - 149 100");
    assert_eq!(end_of(&mate, Notation::San, &["Rh8"]).unwrap().1.condition, Condition::Checkmate);
}

#[test]
fn material_that_cannot_mate_is_a_draw() {
    let end = |fen: &str| board(Game::Western, fen).end().map(|end| end.condition);
    let dead = Some(Condition::InsufficientMaterial);
    assert_eq!(end("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), dead);
    assert_eq!(end("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"), dead);
    assert_eq!(end("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), dead);
    assert_eq!(end("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1"), dead);
    // Bishops of both colours, two knights, a knight on each side: a mate exists.
    assert_eq!(end("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1"), None);
    assert_eq!(end("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), None);
    assert_eq!(end("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"), None);
    assert_eq!(end("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), None);
    let bare = board(Game::Makruk, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(bare.end(), None);
}

#[test]
fn stalemate_is_a_draw_here_and_a_loss_there() {
    let end = |game, fen: &str| board(game, fen).end().map(|end| (end.condition.name(), end.victor));
    assert_eq!(end(Game::Western, "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1"), Some(("stalemate", None)));
    assert_eq!(end(Game::Makruk, "k7/2M4R/1K6/8/8/8/8/8 b - - 0 1"), Some(("stalemate", None)));
    let lost = Some(("stalemate", Some(Side::Bottom)));
    assert_eq!(end(Game::Xiangqi, "3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1"), lost);
    assert_eq!(end(Game::Shogi, "8k/6G2/8P/9/9/9/9/9/4K4[-] b - - 0 1"), lost);
}

#[test]
fn positions_that_cannot_be_played_say_why() {
    let why = |game, fen: &str| Board::from_fen(&Fen::read(game, fen).unwrap()).err();
    assert_eq!(why(Game::Western, "8/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Unplayable::NoKing));
    assert_eq!(why(Game::Western, "3kk3/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Unplayable::TwoKings));
    assert_eq!(why(Game::Western, "4k3/8/8/8/8/8/8/4K2r b - - 0 1"), Some(Unplayable::OpponentInCheck));
    assert_eq!(why(Game::Western, "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Unplayable::Impossible));
    assert_eq!(why(Game::Xiangqi, "3kk4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), Some(Unplayable::TwoKings));
    // A problem of Shogi has one king.
    assert_eq!(why(Game::Shogi, "4k4/9/4P4/9/9/9/9/9/9[G] w - - 0 1"), None);
}

#[test]
fn games_are_named_by_their_start_and_moves() {
    let name = |board: &Board, words: &[&str]| {
        let mut end = board.clone();
        let mut moves = Vec::new();
        for word in words {
            let played = end.read(Notation::Uci, word).unwrap();
            end.play(played).unwrap();
            moves.push(played);
        }
        let mut text = Vec::new();
        write_game(board, moves.iter().copied(), &mut text);
        assert_eq!(game_digest(board, moves), boardprint_base::Digest::of(&text));
        String::from_utf8(text).unwrap()
    };
    let western = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e2e4 e7e5";
    assert_eq!(name(&Board::start(Game::Western), &["e2e4", "e7e5"]), western);
    let xiangqi = "xiangqi rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - h3e3 h10g8";
    assert_eq!(name(&Board::start(Game::Xiangqi), &["h3e3", "h10g8"]), xiangqi);
    let shogi = board(Game::Shogi, "4k4/9/9/9/9/9/9/9/4K4[Pg] w - - 0 1");
    assert_eq!(name(&shogi, &["P@e5", "G@e8"]), "shogi 4k4/9/9/9/9/9/9/9/4K4[Pg] w - - P@e5 G@e8");
    let janggi = Board::start(Game::Janggi);
    assert!(name(&janggi, &["e2e2"]).ends_with(" w - - e2e2"));
}
