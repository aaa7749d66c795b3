//! FEN and SFEN: the way back, and what is refused.

use std::fs;

use proptest::prelude::*;
use serde_json::Value;

use super::{Fen, FenErrorKind, FenWarningKind, Leniency, Part};
use crate::{Game, Man};
use boardprint_base::Side;

/// The rows of a file of the corpus.
fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read(game: &str, text: &str) -> Result<Fen, super::FenError> {
    let game: Game = game.parse().unwrap();
    if game == Game::Shogi && !text.contains('[') { Fen::read_sfen(text) } else { Fen::read(game, text) }
}

#[test]
fn invalid_vectors_are_refused() {
    for row in rows("fen/fen-invalid.jsonl") {
        let text = row["fen"].as_str().unwrap();
        let error = read(row["variant"].as_str().unwrap(), text).expect_err(text);
        assert!(text.get(error.span().start..error.span().end).is_some(), "{text}: {error:?}");
    }
}

#[test]
fn errors_name_the_rank_or_field() {
    let western = |text: &str| {
        let error = Fen::read(Game::Western, text).expect_err(text);
        (error.part(), error.span().start, error.span().end)
    };
    assert_eq!(western("8/8/8/8/8/8/8 w - - 0 1"), (Part::Board, 0, 13));
    assert_eq!(western("8/8/7/8/8/8/8/8 w - - 0 1"), (Part::Rank(3), 4, 5));
    assert_eq!(western("8/8/44/8/8/8/8/8 w - - 0 1"), (Part::Rank(3), 5, 6));
    assert_eq!(western("8/8/8/8/7x/8/8/8 w - - 0 1"), (Part::Rank(5), 9, 10));
    assert_eq!(western("8/8/8/8/7+/8/8/8 w - - 0 1"), (Part::Rank(5), 9, 10));
    assert_eq!(western("8/8/8/8/7♔/8/8/8 w - - 0 1"), (Part::Rank(5), 9, 12));
    assert_eq!(western("8/8/8/8/8/8/8/8"), (Part::Turn, 15, 15));
    assert_eq!(western("8/8/8/8/8/8/8/8 r - - 0 1"), (Part::Turn, 16, 17));
    assert_eq!(western("8/8/8/8/8/8/8/8 w"), (Part::Castling, 17, 17));
    assert_eq!(western("8/8/8/8/8/8/8/8 w K - 0 1"), (Part::Castling, 18, 19));
    assert_eq!(western("8/8/8/8/8/8/8/R3K3 w K - 0 1"), (Part::Castling, 21, 22));
    assert_eq!(western("8/8/8/8/8/8/8/R3K3 w QA - 0 1"), (Part::Castling, 22, 23));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - i3 0 1"), (Part::EnPassant, 20, 22));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - e3 0 1"), (Part::EnPassant, 20, 22));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - e6 0 1"), (Part::EnPassant, 20, 22));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 01 1"), (Part::Clock, 22, 24));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 0 0"), (Part::MoveNumber, 24, 25));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 0"), (Part::MoveNumber, 23, 23));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 0 1 2"), (Part::End, 26, 27));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 0 1 "), (Part::End, 26, 26));
    assert_eq!(western("8/8/8/8/8/8/8/8 w - - 0 9999999999"), (Part::MoveNumber, 24, 34));
    let error = Fen::read(Game::Janggi, "9/9/9/9/9/9/9/9/9/8 w - - 0 1").unwrap_err();
    assert_eq!(
        (error.part(), error.kind()),
        (Part::Rank(10), &FenErrorKind::Squares { found: 8, wanted: 9 })
    );
}

#[test]
fn hands_are_read_strictly() {
    let sfen =
        |hand: &str| Fen::read_sfen(&format!("9/9/9/9/9/9/9/9/9 b {hand} 1")).map(|fen| fen.to_string());
    assert!(sfen("2P10p").unwrap().contains("[PPpppppppppp]"));
    assert!(sfen("RBGSNLPp").unwrap().contains("[GNLPSRBp]"));
    for hand in ["K", "+P", "2", "1P", "0P", "02P", "x", "P-", "1000P", "999PP", "99999999999P", "♔"] {
        assert!(sfen(hand).is_err(), "{hand}");
    }
    let bracketed =
        |text: &str| Fen::read(Game::Shogi, &format!("9/9/9/9/9/9/9/9/9{text}")).map(|fen| fen.to_string());
    assert_eq!(bracketed("[-] w 0 1").unwrap(), "9/9/9/9/9/9/9/9/9[] w - - 0 1");
    assert_eq!(bracketed("[pRP] b - - 3 7").unwrap(), "9/9/9/9/9/9/9/9/9[PRp] b - - 3 7");
    for text in ["[] w - - 0 1", "[] w", "[-] w - -"] {
        assert!(bracketed(text).is_ok(), "{text}");
    }
    for text in [
        " w - - 0 1",
        "[ w - - 0 1",
        "[]x w - - 0 1",
        "[2P] w - - 0 1",
        "[K] w - - 0 1",
        "[] b - 1",
        "[] w 0",
    ] {
        assert!(bracketed(text).is_err(), "{text}");
    }
}

#[test]
fn sfen_and_bracketed_fen_say_the_same() {
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w 2Pb 4";
    let fen = Fen::read_sfen(sfen).unwrap();
    assert_eq!(fen.side(), Side::Top);
    assert_eq!(fen.to_sfen().unwrap(), sfen);
    let bracketed = fen.to_string();
    assert!(bracketed.ends_with("[PPb] b - - 0 2"), "{bracketed}");
    assert_eq!(Fen::read(Game::Shogi, &bracketed).unwrap(), fen);
    // Each in its own order, whatever the order of the other.
    let both = Fen::read_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB2GSNL3Prb2gsnl3p 1").unwrap();
    assert!(both.to_string().ends_with("[GGNLPPPSRBggnlpppsrb] w - - 0 1"), "{both}");
    assert_eq!(both.to_sfen().as_deref(), Some("4k4/9/9/9/9/9/9/9/4K4 b RB2GSNL3Prb2gsnl3p 1"));
    assert_eq!(Fen::read(Game::Shogi, &both.to_string()).unwrap(), both);
    // A handicap game: the second player makes the first move.
    let handicap = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let handicap_fen = Fen::read_sfen(handicap).unwrap();
    assert_eq!(handicap_fen.to_sfen().unwrap(), handicap);
    // A FEN cannot say so: it comes back as the second half-move.
    assert!(!handicap_fen.tells_plies() && fen.tells_plies());
    assert_eq!(Fen::read(Game::Western, "8/8/8/8/8/8/8/8 w - -").unwrap().to_sfen(), None);
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
    fn fens_are_read_as_written(fen in any_fen()) {
        prop_assert_eq!(&Fen::read(fen.game(), &fen.to_string()).unwrap(), &fen);
        if let Some(sfen) = fen.to_sfen() {
            prop_assert_eq!(&Fen::read_sfen(&sfen).unwrap(), &fen);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(
        game in prop::sample::select(&Game::ALL[..]),
        text in "([prkPRK1-9+♔]{0,6}/){7,9}[1-9]?(\\[[PpK-]{0,3}\\])?( [wbr-]| [KQAHkqbh-]{1,3}| [a-h]?[1-8]| [0-9]{1,3}){0,6}"
    ) {
        let _ = Game::of_fen(&text);
        for leniency in [Leniency::Usual, Leniency::Everything] {
            match Fen::read_with(game, &text, leniency) {
                Ok((fen, warnings)) => {
                    prop_assert_eq!(&Fen::read(game, &fen.to_string()).unwrap(), &fen);
                    prop_assert!(warnings.iter().all(|one| text.get(one.span.start..one.span.end).is_some()));
                }
                Err(error) => {
                    prop_assert!(text.get(error.span().start..error.span().end).is_some());
                    prop_assert!(Fen::read(game, &text).is_err());
                }
            }
        }
        for outcome in [Fen::read(game, &text), Fen::read_sfen(&text)] {
            match outcome {
                Ok(fen) => prop_assert_eq!(&Fen::read(fen.game(), &fen.to_string()).unwrap(), &fen),
                Err(error) => prop_assert!(text.get(error.span().start..error.span().end).is_some()),
            }
        }
    }
}

fn lenient(game: Game, text: &str, leniency: Leniency) -> (String, Vec<FenWarningKind>) {
    let (fen, warnings) =
        Fen::read_with(game, text, leniency).unwrap_or_else(|error| panic!("{text}: {error}"));
    for warning in &warnings {
        assert!(text.get(warning.span.start..warning.span.end).is_some(), "{text}: {warning:?}");
    }
    (fen.to_string(), warnings.into_iter().map(|warning| warning.kind).collect())
}

#[test]
fn what_is_not_by_the_book_is_read_with_a_warning() {
    use FenWarningKind as Kind;
    let western = |text| lenient(Game::Western, text, Leniency::Usual);
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned();
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), (kings.clone(), vec![]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - -"), (kings.clone(), vec![]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w -"), (kings.clone(), vec![Kind::MissingFields]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w"), (kings.clone(), vec![Kind::MissingFields]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - - 0"), (kings.clone(), vec![Kind::MissingCounters]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - - 0 0"), (kings.clone(), vec![Kind::MoveNumberZero]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"), (kings.clone(), vec![Kind::StaleCastling; 4]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - e6 0 1"), (kings.clone(), vec![Kind::StaleEnPassant]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"), (kings.clone(), vec![Kind::EmptyPocket]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3/ w - - 0 1"), (kings.clone(), vec![Kind::EmptyPocket]));
    let epd = western("4k3/8/8/8/8/8/8/4K3 b - - hmvc 7; fmvn 31; id \"x y\";");
    assert_eq!(epd, ("4k3/8/8/8/8/8/8/4K3 b - - 7 31".to_owned(), vec![Kind::Operations]));
    assert_eq!(western("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2;"), (kings.clone(), vec![Kind::Operations]));
    for text in ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", " 4k3/8/8/8/8/8/8/4K3 w - - 0 1"] {
        assert!(Fen::read_with(Game::Western, text, Leniency::Usual).is_err(), "{text}");
        let kind = if text.contains('w') { Kind::Blanks } else { Kind::BoardAlone };
        assert_eq!(lenient(Game::Western, text, Leniency::Everything), (kings.clone(), vec![kind]));
    }
    assert_eq!(
        lenient(Game::Western, "4k3/8/8/8/8/8/8/4K3\tw  -\n-  0 1\n", Leniency::Everything),
        (kings, vec![Kind::Blanks])
    );
}

#[test]
fn invalid_vectors_are_refused_by_the_usual_leniency_too() {
    for row in rows("fen/fen-invalid.jsonl").iter().filter(|row| row["variant"] != "shogi") {
        let game: Game = row["variant"].as_str().unwrap().parse().unwrap();
        let text = row["fen"].as_str().unwrap();
        assert!(Fen::read_with(game, text, Leniency::Usual).is_err(), "{text}");
    }
}

#[test]
fn pockets_of_crazyhouse_are_named() {
    for text in ["4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1", "4k3/8/8/8/8/8/8/4K3/Qn w - - 0 1"] {
        let error = Fen::read_with(Game::Western, text, Leniency::Everything).unwrap_err();
        assert_eq!(error.part(), Part::Hand);
        assert!(error.to_string().contains("Crazyhouse"), "{error}");
    }
}

#[test]
fn castling_is_written_in_both_ways() {
    let both = |text: &str| {
        let fen = Fen::read(Game::Western, text).unwrap();
        let shredder = fen.to_shredder_fen();
        assert_eq!(Fen::read(Game::Western, &shredder).unwrap(), fen);
        let field = |text: &str| text.split(' ').nth(2).unwrap().to_owned();
        (field(&fen.to_string()), field(&shredder))
    };
    assert_eq!(both("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ("KQkq".to_owned(), "HAha".to_owned()));
    assert_eq!(both("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"), ("B".to_owned(), "B".to_owned()));
    assert_eq!(both("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1"), ("Q".to_owned(), "A".to_owned()));
}

#[test]
fn the_game_of_a_fen_is_known_by_shape_and_letters() {
    for game in Game::ALL {
        assert_eq!(Game::of_fen(game.start()), [game]);
    }
    let mut open = 0;
    for row in rows("fen/fen.jsonl") {
        let game: Game = row["variant"].as_str().unwrap().parse().unwrap();
        let games = Game::of_fen(row["fen"].as_str().unwrap());
        assert!(games.contains(&game), "{games:?} {}", row["fen"]);
        open += usize::from(games.len() > 1);
    }
    assert!(open < 40, "{open}");
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(Game::of_fen(sfen), [Game::Shogi]);
    assert_eq!(
        Game::of_fen("rheakaehr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RHEAKAEHR r"),
        [Game::Xiangqi]
    );
    assert_eq!(
        Game::of_fen("rbna1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ANBR w"),
        [Game::Janggi]
    );
    let ending = |rest: &str| Game::of_fen(&format!("4k3/8/8/3P4/8/8/8/R3K3 w {rest}"));
    assert_eq!(ending("- - 0 1"), [Game::Western, Game::Makruk]);
    assert_eq!(ending("- 32 6 1"), [Game::Makruk], "Makruk counts moves in the fourth field");
    assert_eq!(ending("Q - 0 1"), [Game::Western]);
    assert_eq!(ending("- 0 1").len(), 2, "without an en passant field these are the usual counters");
    assert!(Game::of_fen("8/8/8 w").is_empty() && Game::of_fen("").is_empty());
}

#[test]
fn mets_that_were_pawns_are_mets() {
    let fen = Fen::read(Game::Makruk, "4k3/8/8/3M~4/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(fen.to_string(), "4k3/8/8/3M4/8/8/8/4K3 w - - 0 1");
    assert!(Fen::read(Game::Makruk, "4k3/8/8/3N~4/8/8/8/4K3 w - - 0 1").is_err());
}
