//! FEN to CPN and back: the vectors, and what cannot be said.

use boardprint_base::Side;
use boardprint_cpn::{Cpn, Field, Revision};
use boardprint_finite::{Fen, FenError, Game, Man};
use proptest::prelude::*;

use super::FenExt as _;
use crate::tests::rows;
use crate::{Lossy, Lost, Marks};

fn read(game: &str, text: &str) -> Result<Fen, FenError> {
    let game: Game = game.parse().unwrap();
    if game == Game::Shogi && !text.contains('[') { Fen::read_sfen(text) } else { Fen::read(game, text) }
}

fn plain(fen: &Fen) -> Cpn {
    Lossy::parts(fen.to_cpn(None)).0
}

#[test]
fn vectors_have_their_cpn_and_come_back() {
    let mut count = 0;
    for row in rows("fen/fen.jsonl") {
        let text = row["fen"].as_str().unwrap();
        let fen =
            read(row["variant"].as_str().unwrap(), text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let cpn = plain(&fen);
        assert_eq!(cpn.to_string(), row["cpn"], "{text}");
        assert_eq!(cpn.cph().to_string(), row["cph"], "{text}");
        let back = Fen::from_cpn(&cpn, None).unwrap();
        assert_eq!(plain(&back), cpn, "{text}");
        assert_eq!(Fen::from_cpn(&cpn.in_revision(Revision::Y2019), None).unwrap(), back);
        let board = |fen: &str| fen.split([' ', '[']).next().unwrap().to_owned();
        if !["xiangqi-wxf-letters"].contains(&row["name"].as_str().unwrap()) {
            assert_eq!(board(&back.to_string()), board(text));
        }
        if let Some(fairy) = row["fairy_fen"].as_str() {
            let fairy = Fen::read(Game::Shogi, fairy).unwrap_or_else(|error| panic!("{fairy}: {error}"));
            assert_eq!(plain(&fairy), cpn, "{text}");
        }
        count += 1;
    }
    assert_eq!(count, 147);
}

#[test]
fn with_rights_a_fen_comes_back_whole_but_for_counters() {
    for row in rows("fen/fen.jsonl").iter().filter(|row| row["variant"] == "western") {
        let text = row["fen"].as_str().unwrap();
        let fen = Fen::read(Game::Western, text).unwrap();
        let (cpn, lost) = Lossy::parts(fen.to_cpn(Some(Marks::AsGiven)));
        assert_eq!(lost.without(Lost::CLOCK | Lost::MOVE_NUMBER), Lost::NOTHING);
        let back = Fen::from_cpn(&cpn, None).unwrap().to_string();
        let state = |fen: &str| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        assert_eq!(state(&back), state(text));
    }
}

#[test]
fn a_fen_cannot_say_who_began() {
    let handicap = Fen::read_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    assert_eq!(handicap.to_fen().unwrap_err().lost, Lost::MOVE_NUMBER);
    let usual = Fen::read_sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1").unwrap();
    assert_eq!(usual.to_fen().unwrap(), usual.to_string());
}

#[test]
fn what_a_cpn_does_not_carry_is_named() {
    let lost = |game, text, marks| Lossy::parts(Fen::read(game, text).unwrap().to_cpn(marks)).1;
    let text = "rnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b KQkq e3 0 3";
    assert_eq!(lost(Game::Western, text, None), Lost::CASTLING | Lost::EN_PASSANT | Lost::MOVE_NUMBER);
    assert_eq!(lost(Game::Western, text, Some(Marks::Usable)), Lost::MOVE_NUMBER);
    let dead = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 5 1";
    assert_eq!(lost(Game::Western, dead, Some(Marks::Usable)), Lost::DEAD_MARKS | Lost::CLOCK);
    assert_eq!(lost(Game::Western, dead, Some(Marks::AsGiven)), Lost::CLOCK);
    let makruk = "8/8/8/8/2nM4/1k6/1mm5/K7 w - 128 49 91";
    assert_eq!(lost(Game::Makruk, makruk, None), Lost::COUNTING | Lost::CLOCK | Lost::MOVE_NUMBER);
    assert_eq!(Fen::read(Game::Makruk, makruk).unwrap().to_string(), makruk);
    assert_eq!(lost(Game::Western, "8/8/8/8/8/8/8/8 b - - 0 1", None), Lost::NOTHING);
}

#[test]
fn rooks_of_any_file_castle() {
    let again = |text: &str| {
        let fen = Fen::read(Game::Western, text).unwrap();
        let (cpn, lost) = Lossy::parts(fen.to_cpn(Some(Marks::Usable)));
        assert_eq!(lost, Lost::NOTHING);
        let back = Fen::from_cpn(&cpn, None).unwrap();
        assert_eq!(back, fen);
        back.to_string()
    };
    // By the files of the rooks, in any order: written in the usual letters.
    assert_eq!(again("r3k2r/8/8/8/8/8/8/R3K2R w ahAH - 0 1"), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // An inner rook needs its file.
    assert_eq!(again("4k3/8/8/8/8/8/8/RR2K1RR w BG - 0 1"), "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1");
    assert_eq!(again("4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1"), "4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1");
    let cpn = Fen::read(Game::Western, "4k3/8/8/8/8/8/8/RR2K1RR w BG - 0 1")
        .unwrap()
        .to_cpn(Some(Marks::Usable))
        .unwrap();
    assert!(cpn.to_string().ends_with(",W:R,W:+R,,,W:+^K,,W:+R,W:R--"), "{cpn}");
}

#[test]
fn usable_and_dead_en_passant_squares_are_told_apart() {
    let cpn = |marks| {
        let fen = Fen::read(Game::Western, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1").unwrap();
        fen.to_cpn(Some(marks)).unwrap().to_string()
    };
    assert_eq!(cpn(Marks::Usable), cpn(Marks::AsGiven));
    assert!(cpn(Marks::Usable).contains(",W:P,,,,,,,,w_0:ep,"));
    // A pawn on the far side of the board is not beside.
    let edge = Fen::read(Game::Western, "4k3/8/8/7p/P7/8/8/4K3 b - a3 0 1").unwrap();
    assert_eq!(Lossy::parts(edge.to_cpn(Some(Marks::Usable))).1, Lost::DEAD_MARKS);
}

#[test]
fn boards_of_two_games_have_no_fen() {
    let cross = "t--9,9--w:r,w:n,w:b,w:q,w:^k,w:m,w:b,w:n,w:r,w:p,w:p,w:p,w:p,w:p,w:p,w:p,w:p,w:p,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,S:P,S:P,S:P,S:P,S:P,S:P,S:P,S:P,S:P,,S:B,,,,,,S:R,,S:L,S:N,S:S,S:G,S:^K,S:G,S:S,S:N,S:L--";
    let cpn: Cpn = cross.parse().unwrap();
    assert_eq!(Fen::from_cpn(&cpn, None).unwrap_err().field(), Field::Shape);
    let error = Fen::from_cpn(&cpn, Some(Game::Shogi)).unwrap_err();
    assert_eq!((error.field(), error.cell()), (Field::Board, Some(1)));
}

#[test]
fn a_cpn_that_no_fen_can_say_is_refused() {
    let western = |cells: &[(usize, &str)], hand: &[&str]| {
        let mut board = [""; 64];
        for (cell, actor) in cells {
            board[*cell] = actor;
        }
        let cpn = Cpn::new(Side::Bottom, &[8, 8], board, hand.iter().copied()).unwrap();
        Fen::from_cpn(&cpn, Some(Game::Western))
            .map(|fen| fen.to_string())
            .map_err(|error| (error.field(), error.cell()))
    };
    let board = |cell| Err((Field::Board, Some(cell)));
    assert_eq!(western(&[], &[]).unwrap(), "8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(western(&[(0, "w:x")], &[]), board(1));
    assert_eq!(western(&[(0, "w:k")], &[]), board(1));
    assert_eq!(western(&[(0, "w:^q")], &[]), board(1));
    assert_eq!(western(&[(0, "w:+q")], &[]), board(1));
    assert_eq!(western(&[(0, "w:+^k")], &[]), board(1));
    assert_eq!(western(&[(0, "w:+r"), (4, "w:^k")], &[]), board(1));
    assert_eq!(western(&[(12, "w:+r"), (4, "w:+^k")], &[]), board(13));
    assert_eq!(western(&[(0, "w:+r"), (1, "w:+r"), (4, "w:+^k")], &[]), board(2));
    assert_eq!(western(&[(20, "w_0:ep")], &[]), board(21));
    assert_eq!(western(&[(20, "w_0:ep"), (28, "w:p")], &[]).unwrap(), "8/8/8/4p3/8/8/8/8 w - e6 0 1");
    assert_eq!(western(&[(20, "w_0:ep"), (28, "w:p"), (21, "w_0:ep")], &[]), board(22));
    assert_eq!(western(&[], &["W:P"]), Err((Field::Hand, Some(1))));
    let empty: Cpn =
        "B--8,8--,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,--".parse().unwrap();
    assert_eq!(Fen::from_cpn(&empty, None).unwrap_err().field(), Field::Shape);
    assert_eq!(Fen::from_cpn(&empty, Some(Game::Xiangqi)).unwrap_err().field(), Field::Shape);
    for hand in ["S:+P", "S:^K"] {
        let cpn = Cpn::new(Side::Bottom, &[9, 9], [""; 81], [hand]).unwrap();
        assert_eq!(Fen::from_cpn(&cpn, Some(Game::Shogi)).unwrap_err().cell(), Some(1));
    }
}

/// A board of a game in canonical spelling, and its turn.
fn any_fen() -> impl Strategy<Value = Fen> {
    let game = prop::sample::select(&Game::ALL[..]);
    let squares =
        prop::collection::vec(prop::option::of((any::<prop::sample::Index>(), any::<[bool; 2]>())), 90);
    let hands = prop::array::uniform2(prop::array::uniform7(0_usize..3));
    (game, squares, any::<bool>(), hands).prop_map(|(game, squares, top, hands)| {
        let mut fen = Fen::empty(game);
        fen.set_side(if top { Side::Top } else { Side::Bottom });
        for (cell, filled) in squares.into_iter().enumerate().take(game.squares()) {
            let man = filled.map(|(index, [bottom, promoted])| {
                let kind = index.index(game.kinds().len());
                let side = if bottom { Side::Bottom } else { Side::Top };
                Man::new(kind, side, promoted && game.kinds()[kind].promotes())
            });
            fen.put(cell, man).unwrap();
        }
        if game == Game::Shogi {
            for (side, counts) in Side::ALL.into_iter().zip(hands) {
                for (kind, count) in counts.into_iter().enumerate() {
                    fen.add_to_hand(side, kind, count).unwrap();
                }
            }
        }
        fen
    })
}

proptest! {
    #[test]
    fn fen_to_cpn_to_fen_is_the_identity(fen in any_fen()) {
        let cpn = fen.to_cpn(None).unwrap();
        prop_assert_eq!(&Fen::from_cpn(&cpn, Some(fen.game())).unwrap(), &fen);
    }
}
