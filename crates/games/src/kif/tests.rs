use boardprint_base::GameResult;

use super::*;
use crate::{Format, GameWarning, ReadOptions, WarningKind};

fn warnings(text: &str) -> Vec<GameWarning> {
    let reading =
        ReadOptions::default().read_text(Format::Kif, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let kind = |warning: &crate::Warning| match warning.kind() {
        WarningKind::Game(kind) => kind,
        other => panic!("{other:?}"),
    };
    reading.warnings.iter().map(kind).collect()
}

const MOVES: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n";

#[test]
fn the_same_square_is_written_with_any_blanks() {
    for same in [
        "同　銀(31)",
        "同銀(31)",
        "同 銀(31)",
        "同　　銀(31)",
        "２二銀(31)",
        "△同　銀(31)",
        "同　銀(31)   ( 0:01/00:00:01)+",
    ] {
        let text = format!("{MOVES}   4 {same}\n");
        let game = read(&text).unwrap_or_else(|error| panic!("{same}: {error}"));
        assert_eq!(game.moves().len(), 4, "{same}");
    }
}

#[test]
fn variations_are_passed_over() {
    let text = format!(
        "{MOVES}*note\n   4 投了\nまで3手で先手の勝ち\n変化：2手\n   2 ８四歩(83)\n*in it\n変化：1手\n   1 ２六歩(27)\n"
    );
    let game = read(&text).expect("a game");
    assert_eq!((game.moves().len(), game.extras.variations, game.extras.comments), (3, 2, 2));
    assert_eq!(game.result, Some(GameResult::WhiteWins));
}

#[test]
fn not_promoting_is_said_or_not() {
    for word in ["２二角不成(88)", "２二角(88)"] {
        let text = format!("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 {word}\n");
        let game = read(&text).unwrap_or_else(|error| panic!("{word}: {error}"));
        assert_eq!(game.moves()[2].uci(boardprint_finite::Game::Shogi).to_string(), "b2h8");
    }
}

#[test]
fn handicaps_have_one_name_each() {
    for name in ["香落ち", "飛車落ち", "飛落", "二枚落ち", "二枚落", "十枚落ち"] {
        assert!(read(&format!("手合割：{name}\n")).is_ok(), "{name}");
    }
    assert!(read("手合割：桃落ち\n").is_err());
    assert!(read("手合割：その他\n").is_err(), "a diagram is missing");
}

#[test]
fn what_is_odd_is_a_warning() {
    assert_eq!(warnings(MOVES), []);
    assert_eq!(warnings("   1 ７六歩(77)\n"), [GameWarning::NoStart]);
    assert_eq!(warnings("手合割：平手\n   1 ７六歩(77)\n   3 ３四歩(33)\n"), [GameWarning::MoveNumber]);
    assert_eq!(warnings("手合割：平手\n   1 ７六歩(77)\n   2 謎\n"), [GameWarning::UnknownEnd]);
    assert_eq!(warnings("手合割：平手\nhello\n"), [GameWarning::UnknownLine]);
}

#[test]
fn nothing_is_not_a_record() {
    assert!(read("").is_err());
    assert!(read("# only a comment\n").is_err());
    assert!(read("後手の持駒：飛行機\n").is_err());
    assert!(read("| ・ ・|一\n").is_err());
    assert!(read("| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n   1 ７六歩(77)\n").is_err(), "eight rows are missing");
}
