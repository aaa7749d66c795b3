//! Texts that once were read wrongly, one file each in the folders `bugs` of the corpus.

use std::fs;

use boardprint_bridge::fen::{Fen, Game};
use boardprint_games::{Format, WriteOptions};
use boardprint_icn::{Dialect, IcnErrorKind, ReadOptions, Style, canonical, parse, variants};
use boardprint_rules::findings::inspect;
use boardprint_rules::hyper;
use boardprint_rules::pieces::PieceTable;
use boardprint_tests::corpus;

fn text(name: &str) -> String {
    fs::read_to_string(corpus("icn/bugs").join(name)).expect("a text of the corpus")
}

#[test]
fn a_comment_that_looks_like_rules_stays_a_comment_in_every_style() {
    let game = parse(&text("comment-like-rules.icn")).expect("a comment").game;
    for style in [Style::Compact, Style::Readable] {
        let back = parse(&style.write(&game)).expect("what we write we read").game;
        assert_eq!(back.opening_comments, ["a: 1".into()]);
        assert!(back.start.laws.extra.is_empty());
    }
}

#[test]
fn many_quotes_in_a_tag_that_never_ends_are_refused_in_linear_time() {
    let text = text("quotes-in-a-tag.icn");
    let error = parse(&text.repeat(20)).expect_err("unclosed");
    assert_eq!(error.kind(), &IcnErrorKind::Unclosed('['));
}

#[test]
fn the_limit_of_digits_holds_for_short_numbers_too() {
    let text = text("number-over-the-limit.icn");
    assert_eq!(canonical(&parse(&text).expect("within the default").game), "k1,9|K123456,1");
    let error = ReadOptions::default().max_digits(5).parse(&text).expect_err("six digits");
    assert_eq!(&text[error.span().start..error.span().end], "123456");
}

#[test]
fn an_odd_blank_in_an_ellipsis_is_warned_of() {
    let reading = parse(&text("odd-blank-in-an-ellipsis.icn")).expect("readable");
    let kinds: Vec<&str> = reading.warnings.iter().map(|warning| warning.kind().name()).collect();
    assert_eq!(kinds, ["odd-blank", "ellipsis"]);
}

#[test]
fn the_site_has_no_win_by_three_checks() {
    let text = text("three-checks-on-the-site.icn");
    let strict = |dialect| ReadOptions::default().strict(true).dialect(dialect).parse(&text);
    assert!(strict(Dialect::Site).is_err());
    assert!(strict(Dialect::Readme2024August).is_ok());
}

#[test]
fn a_first_move_may_begin_with_a_player_number() {
    let game = parse(&text("first-move-with-a-player-number.icn")).expect("readable").game;
    assert_eq!(canonical(&game), "r:w 3p9,9|K1,1 9,9>9,8");
}

#[test]
fn moves_in_a_comment_are_not_played() {
    let game = parse(&text("moves-in-a-comment.icn")).expect("readable").game;
    assert_eq!(canonical(&game), "k9,9|K1,1 1,1>1,2|9,9>9,8");
    assert_eq!(game.moves[0].notes.comments, ["5,2>5,4|better".into()]);
}

/// How the game of a text ends, whether its moves are legal, and the kinds of what is wrong with it.
fn checked(name: &str) -> (Option<&'static str>, Option<bool>, Vec<&'static str>) {
    let game = parse(&text(name)).expect("readable").game;
    let variant = game.tag("Variant").and_then(variants::find);
    let table = variant.and_then(|variant| hyper::table(variant.code())).unwrap_or(PieceTable::built_in());
    let found = inspect(table, &game);
    let kinds = found.findings.iter().map(|finding| finding.kind.name()).collect();
    (found.conclusion.map(|end| end.condition.name()), found.legal, kinds)
}

#[test]
fn a_king_is_mated_by_a_bishop_and_its_own_knight() {
    assert_eq!(checked("mate-with-the-help-of-a-knight.icn"), (Some("checkmate"), Some(true), vec![]));
}

#[test]
fn the_mark_of_a_mate_stands_on_every_move_that_ends_the_game() {
    assert_eq!(checked("mate-mark-on-a-drawn-end.icn"), (Some("insuffmat"), Some(true), vec![]));
}

#[test]
fn a_knight_of_four_dimensions_keeps_to_its_small_board() {
    assert_eq!(checked("knight-of-four-dimensions.icn"), (None, Some(false), vec!["illegal-move"]));
}

fn json(name: &str) -> String {
    fs::read_to_string(corpus("json/bugs").join(name)).expect("a text of the corpus")
}

#[test]
fn a_board_without_pieces_is_refused_in_json_as_in_icn() {
    let text = json("no-pieces.json");
    let error = ReadOptions::default().parse_json(&text).expect_err("no pieces");
    assert_eq!(&text[error.span().start..error.span().end], "{}");
}

#[test]
fn a_tag_that_icn_cannot_name_is_refused_in_json() {
    let text = json("no-name-of-a-tag.json");
    let error = ReadOptions::default().parse_json(&text).expect_err("a name with blanks");
    assert!(text[error.span().start..error.span().end].contains("  4,1"), "{:?}", error.span());
}

/// ICN has no way to write such a quote: it would end the tag, or leave it open.
#[test]
fn quotes_of_a_tag_that_icn_cannot_hold_are_written_as_apostrophes() {
    for (name, event) in [
        ("quote-after-a-line-end-in-a-tag.json", "Casual\n'local' game"),
        ("quote-and-bracket-in-a-tag.json", "a 'local' ] game"),
    ] {
        let game = ReadOptions::default().parse_json(&json(name)).expect("a game").game;
        for style in [Style::Compact, Style::Readable] {
            let written = style.write(&game);
            let back = parse(&written).unwrap_or_else(|error| panic!("{error}: {written}")).game;
            assert_eq!(back.tag("Event"), Some(event), "{written}");
            assert_eq!(canonical(&back), canonical(&game));
        }
    }
}

#[test]
fn the_largest_move_number_of_a_fen_is_one_of_sfen() {
    let text = fs::read_to_string(corpus("fen/bugs/largest-move-number.fen")).expect("a text of the corpus");
    let fen = Fen::read(Game::Shogi, text.trim()).expect("nine digits");
    let sfen = fen.to_sfen().expect("a position of Shogi");
    assert_eq!(sfen, "4k4/9/9/9/9/9/9/9/4K4 w - 1999999998");
    assert_eq!(Fen::read_sfen(&sfen).expect("what we write we read"), fen);
    assert!(Fen::read_sfen(&sfen.replace("98", "99")).is_err());
}

/// The backslash hides the end of the line from the reader. A writer that wrote the line end back made a text
/// that cannot be read.
#[test]
fn a_tag_value_that_goes_over_a_line_end_is_written_on_one_line() {
    let path = corpus("pgn/bugs/backslash-before-line-end.pgn");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let options = boardprint_games::ReadOptions::default();
    let game = options.read_text(Format::Pgn, &text).expect("a game").content;
    let written = game.write(Format::Pgn, &WriteOptions::default()).expect("PGN").text;
    let again = boardprint_games::read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again.tag("Event"), Some("A line \\ that goes on"));
    assert_eq!(again.game_text(), game.game_text());
}

/// The place of the error was counted from the first letter of the board, and so could lie within a letter.
#[test]
fn an_error_in_a_board_after_blanks_stands_where_it_is() {
    let path = corpus("pgn/bugs/wrong-board-after-blanks.pgn");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let span = boardprint_games::pgn::read(&text).expect_err("no such piece").span();
    assert_eq!(&text[span.start..span.end], "é");
}

/// A key of CSA may be any text. In KIF some of them would be moves, or say another start.
#[test]
fn a_header_of_csa_that_means_something_else_in_kif_is_left_out_there() {
    let path = corpus("finite/bugs/headers-like-other-lines.csa");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let game = boardprint_games::read(&text).expect("a game");
    let kif = game.write(Format::Kif, &WriteOptions::default()).expect("KIF");
    assert_eq!(kif.lost.names().collect::<Vec<_>>(), ["tags"], "{}", kif.text);
    let again = boardprint_games::read(&kif.text).unwrap_or_else(|error| panic!("{error}: {}", kif.text));
    assert_eq!(again.game_text(), game.game_text());
    assert_eq!(again.tag("勝負"), Some("good"), "{}", kif.text);
}

/// The official text of WXF: the one in the middle "is neither front nor rear" and has its normal name.
#[test]
fn the_middle_pawn_on_a_file_goes_by_its_file() {
    let path = corpus("finite/bugs/middle-pawn-by-its-file.pgn");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let records: Vec<&str> = text.split_inclusive(" *\n").collect();
    assert_eq!(records.len(), 2);
    for record in records {
        let game = boardprint_games::read(record).unwrap_or_else(|error| panic!("{error}: {record}"));
        let end = game.at(game.plies()).expect("legal").write(Format::Fen, &WriteOptions::default());
        assert_eq!(end.expect("FEN").text, "9/3k5/2P3P2/2P2P3/6P2/9/9/9/9/5K3 w - - 2 2", "{record}");
    }
}

#[test]
fn the_guard_of_xiangqi_may_be_called_g() {
    let path = corpus("finite/bugs/guards-as-g.pgn");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let game = boardprint_games::read(&text).expect("legal moves");
    let end = game.at(game.plies()).expect("legal").write(Format::Fen, &WriteOptions::default());
    assert_eq!(
        end.expect("FEN").text,
        "rnbak1b1r/4a4/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2B2C1/4A4/RNBAK2NR w - - 4 3"
    );
}

#[test]
fn a_border_with_an_open_side_and_a_short_win_condition_begin_a_record() {
    use boardprint_games::cut::{Step, cutter};
    let text = text("records-that-begin-with-a-border.icn");
    let (mut rest, mut records) = (text.as_bytes(), Vec::new());
    while !rest.is_empty() {
        let length = match cutter(Format::Icn).step(rest, true) {
            Step::Record(length) => length,
            _ => rest.len(),
        };
        records.push(std::str::from_utf8(&rest[..length]).expect("ASCII").trim());
        rest = &rest[length..];
    }
    assert_eq!(records, text.lines().collect::<Vec<_>>());
}

#[test]
fn two_positions_in_one_object_are_refused_unless_they_agree() {
    let error = ReadOptions::default().parse_json(&json("two-positions.json")).expect_err("they differ");
    assert_eq!(error.to_string(), "`shortposition` has other pieces than `startingPosition`");
    let agreeing = json("two-positions.json").replace("|k9,9", "");
    assert!(ReadOptions::default().parse_json(&agreeing).is_ok());
}

#[test]
fn the_site_is_as_narrow_as_its_own_program() {
    let strict = ReadOptions::default().strict(true).dialect(Dialect::Site);
    let read = |moves: &str| strict.parse(&format!("K1,1|k9,9|P1,7 {moves}")).is_ok();
    for moves in ["1,1 > 1,2", "1,7>1,8 =Q", "1,7>1,8=Q + !? {[%clk 0:10:00.1]}", "1,1>1,2{[%eval +0.01]}"] {
        assert!(read(moves), "{moves}");
    }
    for moves in [
        "1,1>\t1,2",
        "1,1\n>1,2",
        "1,7>1,8  =Q",
        "1,7>1,8= Q",
        "1,1>1,2! ?",
        "1,1>1,2{[%clk 0:10:00]}",
        "1,1>1,2{[%clk 0:10:00.15]}",
    ] {
        assert!(!read(moves), "{moves}");
    }
    assert!(strict.parse("[Event \"x\" ] K1,1|k9,9").is_err());
    assert!(strict.parse("[Event \"x\"] K1,1|k9,9").is_ok());
}

#[test]
fn what_is_said_fits_what_is_wrong() {
    let hint = |text: &str| parse(text).expect_err("wrong").hint().expect("a hint");
    assert!(hint("(checkmate|koth|checkmate) K1,1|k9,9").contains("`(checkmate|royalcapture)`"));
    assert_eq!(hint("w:red K1,1|k9,9"), "did you mean `r`?");
    assert!(hint("w:z K1,1|k9,9").contains("n w b r bu y g"));
    let error = parse("{\"a\":1e100001} K1,1").expect_err("too many digits");
    assert!(matches!(error.kind(), IcnErrorKind::TooMuch { .. }), "{error}");
    let reading = parse("[Variant \"Omega\"] [UTCDate \"soon\"] b").expect("of the latest revision");
    assert_eq!(reading.warnings[0].span().start, "[Variant \"Omega\"] ".len());
}

#[test]
fn long_extra_rules_are_no_json_game() {
    let rules = format!("{{\"a\":\"{}\"}} K1,1|k9,9", "x".repeat(100_000));
    assert_eq!(Format::detect(&rules.as_bytes()[..65_536]), Some(Format::Icn));
    let object = format!("{{\"metadata\":{{\"Event\":\"{}\"}}}}", "x".repeat(100_000));
    assert_eq!(Format::detect(&object.as_bytes()[..65_536]), Some(Format::Json));
}
