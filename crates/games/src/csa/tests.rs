use boardprint_base::GameResult;

use super::*;
use crate::{Format, GameWarning, ReadOptions, WarningKind};

fn warnings(text: &str) -> Vec<GameWarning> {
    let reading =
        ReadOptions::default().read_text(Format::Csa, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let kind = |warning: &crate::Warning| match warning.kind() {
        WarningKind::Game(kind) => kind,
        other => panic!("{other:?}"),
    };
    reading.warnings.iter().map(kind).collect()
}

fn last(text: &str) -> String {
    let game = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    game.at(usize::MAX).expect("legal moves").fen().to_sfen().expect("Shogi")
}

#[test]
fn several_statements_stand_in_one_line() {
    let one = last("PI,+,+7776FU,T12,-3334FU,T6\n");
    assert_eq!(one, last("PI\n+\n+7776FU\nT12\n-3334FU\nT6\n"));
    assert_eq!(read("PI,+,+7776FU,T12,-3334FU,T6\n").expect("a game").extras.clocks, 2);
}

#[test]
fn a_comma_in_a_name_is_part_of_it() {
    let game = read("N+A, B\n$EVENT:x,y\nPI\n+\n").expect("a position");
    assert_eq!((game.tag("White"), game.tag("Event")), (Some("A, B"), Some("x,y")));
}

#[test]
fn all_means_what_is_left_of_a_set() {
    let sfen = last("P+59OU\nP-51OU\nP+00FU00FU\nP-00AL\n+\n");
    assert_eq!(sfen, "4k4/9/9/9/9/9/9/9/4K4 b 2P2r2b4g4s4n4l16p 1");
}

#[test]
fn pieces_are_taken_away_from_the_even_start() {
    assert_eq!(last("PI82HI22KA\n-\n"), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert!(read("PI82KA\n-\n").is_err(), "a rook stands there");
}

#[test]
fn what_is_missing_is_a_warning() {
    assert_eq!(warnings("+7776FU\n"), [GameWarning::NoSideToMove, GameWarning::NoStart]);
    assert_eq!(warnings("V9\nPI\n+\nhello\n"), [GameWarning::UnknownVersion, GameWarning::UnknownLine]);
    assert_eq!(warnings("PI\n+\n%WHATEVER\n"), [GameWarning::UnknownEnd]);
    assert_eq!(warnings("PI\n+\n%TORYO\n"), []);
}

#[test]
fn nothing_is_not_a_record() {
    assert!(read("").is_err());
    assert!(read("hello\nworld\n").is_err());
    assert!(read("P+99XX\n+\n").is_err());
    assert!(read("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY-KY\n+\n").is_err());
}

#[test]
fn promotion_is_seen_by_comparing() {
    let game = read("PI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n").expect("a game");
    assert_eq!(game.result, Some(GameResult::WhiteWins));
    assert_eq!(game.moves()[2].uci(boardprint_finite::Game::Shogi).to_string(), "b2h8+");
}
