use boardprint_base::Game;
use boardprint_base::replay::Replay;
use proptest::prelude::*;

use super::*;
use crate::error::IcnErrorKind;
use crate::tests::random::game;
use crate::{WarningKind, canonical};

fn read(text: &str) -> Reading {
    ReadOptions::default()
        .parse_json(text)
        .unwrap_or_else(|error| panic!("{error} at {:?}: {text}", error.span()))
}

/// The canonical text of a game in JSON that is read without warning.
fn icn(text: &str) -> String {
    let reading = read(text);
    assert_eq!(reading.warnings, [], "{text}");
    canonical(&reading.game)
}

/// A game with two kings and some other members.
fn with(members: &str) -> String {
    format!(r#"{{"startingPosition": {{"5,1": "kingsW", "5,8": "kingsB"}}, {members}}}"#)
}

const KINGS: &str = "k5,8|K5,1";

#[test]
fn fields_are_read() {
    for (members, fields) in [
        (r#""turn": "black""#, "b "),
        (r#""turn": "red""#, "r "),
        (r#""gameRules": {"turnOrder": ["white", "black", 3]}"#, "w:b:r "),
        (r#""turn": "blue", "gameRules": {"turnOrder": ["bu", "w"]}"#, "bu:w "),
        (r#""enpassant": [4, -3]"#, "4,-3 "),
        (r#""enpassant": "4,-3""#, "4,-3 "),
        (r#""enpassant": null, "moves": []"#, ""),
        (r#""moveRule": "3/100", "fullMove": 17"#, "3/100 17 "),
        (r#""fullMove": "123456789012345678901234567890""#, "123456789012345678901234567890 "),
        (r#""fullMove": 123456789012345678901234567890"#, "123456789012345678901234567890 "),
        (r#""gameRules": {"promotionRanks": [8, 1]}"#, "(8|1) "),
        (r#""gameRules": {"promotionRanks": [null, 1]}"#, "(|1) "),
        (r#""gameRules": {"promotionRanks": [8]}"#, "(8|) "),
        (r#""gameRules": {"promotionRanks": [[16, 8, 8.0], []]}"#, "(8,16|) "),
        (r#""gameRules": {"promotionRanks": {"black": 1, "1": [8]}}"#, "(8|1) "),
        (
            r#""gameRules": {"promotionRanks": [8, 1], "promotionsAllowed": {"black": ["royalQueens", "queens"]}}"#,
            "(8|1;q,rq) ",
        ),
        (
            r#""gameRules": {"winConditions": {"white": ["koth", "checkmate"], "black": ["checkmate"]}}"#,
            "(checkmate,koth|checkmate) ",
        ),
        (r#""gameRules": {"worldBorder": {"left": -5, "top": "9", "right": null}}"#, "-5,_,_,9 "),
        (
            r#""gameRules": {"slideLimit": 1e2, "a": [true, {"b": "\u00e9\n"}]}"#,
            r#"{"a":[true,{"b":"é\n"}],"slideLimit":100} "#,
        ),
        (r#""gameRules": {"x": 1, "extraRules": {"turnOrder": 2}}"#, r#"{"turnOrder":2,"x":1} "#),
    ] {
        assert_eq!(icn(&with(members)), format!("{fields}{KINGS}"), "{members}");
    }
}

#[test]
fn pieces_and_rights_are_read() {
    for (text, expected) in [
        (r#"{"startingPosition": {"1,2": "pawnsW", "-1,-2": "royalCentaursB"}}"#, "P1,2|rc-1,-2"),
        (
            r#"{"startingPosition": {"0,0": "obstaclesN", "1,0": "voidsW", "2,0": "queensN"}}"#,
            "ob0,0|1vo1,0|0q2,0",
        ),
        (r#"{"startingPosition": {"0,0": "queens3", "0,1": "roses12"}}"#, "12ro0,1|3q0,0"),
        (r#"{"startingPosition": {"0,0": "rooksW"}, "specialRights": {"0,0": true}}"#, "R0,0+"),
        (r#"{"startingPosition": {"0,0": "rooksW"}, "specialRights": {"0,0": false}}"#, "R0,0"),
        (r#"{"startingPosition": {"0,0": "rooksW"}, "specialRights": ["0,0"]}"#, "R0,0+"),
        (r#"{"startingPosition": "R0,0+|k9,9", "specialRights": {"9,9": true}}"#, "k9,9+|R0,0+"),
        (
            r#"{"startingPosition": {"123456789012345678901234567890,-9223372036854775809": "kingsW"}}"#,
            "K123456789012345678901234567890,-9223372036854775809",
        ),
        (
            r#"{"metadata": {"Variant": "Omega", "UTCDate": "2024.05.14"}, "turn": "black"}"#,
            "b r-2,4|r2,4|r-2,2|r2,2|r-2,0|r0,0|r2,0|k0,-1|R1,-2|P-2,-3+|Q-1,-3|P2,-3+|K0,-4",
        ),
    ] {
        assert_eq!(icn(text), expected);
    }
}

#[test]
fn custom_pieces_are_known_by_their_code() {
    let text = r#"{"startingPosition": {"0,0": "zzzW"}, "moves": ["0,0>0,1zzz"]}"#;
    assert!(ReadOptions::default().parse_json(text).is_err());
    let options = ReadOptions::default().custom_pieces(boardprint_base::CustomCode::new("zzz"));
    let text = text.replace("0,1zzz", "0,1ZZZ");
    assert_eq!(canonical(&options.parse_json(&text).unwrap().game), "ZZZ0,0 0,0>0,1=ZZZ");
}

#[test]
fn an_equals_sign_without_a_piece_is_a_mark() {
    let text =
        r#"{"startingPosition": {"5,1": "kingsW", "5,8": "kingsB"}, "moves": ["K5,1 > 5,2 =!", "5,8>5,7="]}"#;
    let reading = ReadOptions::default().parse_json(text).unwrap();
    let kinds: Vec<&str> = reading.warnings.iter().map(|warning| warning.kind().name()).collect();
    assert_eq!(kinds, ["equals-mark", "equals-mark"]);
    let marks: Vec<&str> = reading.game.moves.iter().map(|mv| &*mv.notes.marks).collect();
    assert_eq!(marks, ["=!", "="]);
    let again = ReadOptions::default().parse_json(&write(&reading.game, MoveForm::Strings).unwrap()).unwrap();
    assert_eq!(again.game.moves[0].notes.marks, reading.game.moves[0].notes.marks);
}

#[test]
fn both_forms_of_moves_are_read() {
    for (moves, expected) in [
        (r#""5,1>5,2", "5,8>5,7""#, "5,1>5,2|5,8>5,7"),
        (r#""5,1>5,2Q", "5,8>5,7=am""#, "5,1>5,2=Q|5,8>5,7=am"),
        (r#""K5,1 > 5,2 =Q +!?", "k5,8x5,7#""#, "5,1>5,2=Q|5,8>5,7"),
        (r#"{"startCoords": [5, 1], "endCoords": "5,2", "promotion": "hawksW"}"#, "5,1>5,2=HA"),
        (r#"{"startCoords": [5, 1], "endCoords": [5, "2"], "promote": "hawksW"}"#, "5,1>5,2=HA"),
        (
            r#"{"type": "kingsW", "startCoords": [5, 1], "endCoords": [5, 8], "captured": "kingsB"}"#,
            "5,1>5,8",
        ),
    ] {
        assert_eq!(icn(&with(&format!(r#""moves": [{moves}]"#))), format!("{KINGS} {expected}"));
    }
}

#[test]
fn notes_are_read_with_either_form() {
    let strings = with(
        r#""moves": ["5,1>5,2", "5,8>5,7"], "notes": {"2": {"marks": "+!?", "comments": ["a", "[%clk 0:01:00.0]"]}}"#,
    );
    let objects = with(
        r#""moves": ["5,1>5,2", {"startCoords": [5,8], "endCoords": [5,7], "marks": "+!?", "comments": ["a", "[%clk 0:01:00.0]"]}]"#,
    );
    assert_eq!(read(&strings).game, read(&objects).game);
    assert_eq!(&*read(&strings).game.moves[1].notes.marks, "+!?");
    let flags = with(r#""moves": [{"startCoords": [5,1], "endCoords": [5,2], "check": true, "mate": true}]"#);
    assert_eq!(&*read(&flags).game.moves[0].notes.marks, "#");
}

#[test]
fn what_had_to_be_interpreted_is_a_warning() {
    for (members, kind, place) in [
        (r#""shoe": 1"#, WarningKind::UnknownField, "shoe"),
        (r#""gameRules": {"promotionRanks": [8, undefined]}"#, WarningKind::Undefined, "undefined"),
        (r#""gameRules": {"slideLimit": Infinity}"#, WarningKind::Infinity, "Infinity"),
        (
            r#""gameRules": {"promotionsAllowed": {"white": ["queens"]}}"#,
            WarningKind::ChoicesWithoutRank,
            r#"["queens"]"#,
        ),
        (r#""gameRules": {"winConditions": {"white": ["tea"]}}"#, WarningKind::WinCondition, "tea"),
        (r#""specialRights": {"7,7": true}"#, WarningKind::RightWithoutPiece, "7,7"),
        (r#""enpassant": [1e3, 1]"#, WarningKind::Exponent, "1e3"),
        (r#""enpassant": ["-0", 1]"#, WarningKind::MinusZero, "-0"),
        (r#""enpassant": "007,1""#, WarningKind::LeadingZero, "007"),
        (r#""fullMove": 0"#, WarningKind::FullMoveZero, "0}"),
        (r#""moveRule": "101/100""#, WarningKind::MoveRule, r#""101/100""#),
        (r#""moves": ["5,1>5,2,"]"#, WarningKind::TrailingComma, r#",""#),
        (r#""moves": ["R5,1>5,2"]"#, WarningKind::PieceLetter, "R"),
        (r#""moves": ["5,1>5,2q"]"#, WarningKind::PromotionCase, r#"q""#),
        (
            r#""moves": [{"type": "rooksW", "startCoords": [5,1], "endCoords": [5,2]}]"#,
            WarningKind::PieceLetter,
            r#""rooksW""#,
        ),
        (
            r#""moves": [{"captured": "rooksW", "startCoords": [5,1], "endCoords": [5,8]}]"#,
            WarningKind::MoveFlag,
            r#""rooksW""#,
        ),
        (
            r#""moves": [{"enpassant": -1, "startCoords": [5,1], "endCoords": [5,2]}]"#,
            WarningKind::MoveFlag,
            "-1",
        ),
        (
            r#""moves": [{"castle": {"dir": 1, "coord": [8,1]}, "startCoords": [5,1], "endCoords": [7,1]}]"#,
            WarningKind::MoveFlag,
            r#"{"dir"#,
        ),
    ] {
        let text = with(members);
        let reading = read(&text);
        let [warning] = reading.warnings[..] else {
            panic!("{members}: {:?}", reading.warnings);
        };
        assert_eq!(warning.kind(), kind, "{members}");
        assert!(text[warning.span().start..].starts_with(place), "{members}: {:?}", warning.span());
        let strict = ReadOptions::default().strict(true).parse_json(&text).unwrap_err();
        assert_eq!(strict.span(), warning.span(), "{members}");
    }
}

#[test]
fn errors_point_at_what_is_wrong() {
    for (text, message, place) in [
        ("", "expected a value, found the end of the text", ""),
        ("[]", "expected a game: `{`, found `[`", "[]"),
        ("{} x", "expected the end of the text, found `x`", "x"),
        ("{\"a\" 1}", "expected `:` after a name, found `1`", "1"),
        ("{\"a\": 1", "unclosed `{`", "{"),
        ("{\"moves\": [1, ", "unclosed `[`", "[1"),
        ("{\"moves\": [1 2]}", "expected `,` or `]`, found `2`", "2]"),
        ("{\"moves\": [1,]}", "expected a value, found `]`", "]}"),
        ("{a: 1}", "expected a name in quotes, found `a`", "a:"),
        ("{\"a\": \"b", "unclosed `\"`", "\"b"),
        ("{\"a\": \"\\x\"}", "expected one of `\"\\/bfnrtu` after `\\`, found `x`", "x"),
        ("{\"a\": \"\\ud800\"}", "half of a surrogate pair", "\\ud800"),
        ("{\"a\": \"\\u12\"}", "expected four hex digits", "\"}"),
        ("{\"a\": 01}", "a number with a leading zero", "01"),
        ("{\"a\": 1.}", "expected a digit, found `}`", "}"),
        ("{\"a\": nil}", "expected a value, found `n`", "nil"),
        ("{\"a\": 1, \"a\": 2}", "name given twice", "\"a\": 2"),
        ("{}", "no pieces", "}"),
        (r#"{"metadata": {"Variant": "Omega_Cubed"}}"#, "no pieces", "}"),
        (r#"{"metadata": {"White": []}}"#, "expected the text of a tag, found `[`", "[]"),
        (r#"{"startingPosition": {"1,1": "queenW"}}"#, "unknown kind of piece", "queen"),
        (
            r#"{"startingPosition": {"1,1": "queens"}}"#,
            "expected `W`, `B`, `N` or a number for the owner",
            "\"",
        ),
        (r#"{"startingPosition": {"1;1": "queensW"}}"#, "expected `,` between coordinates", "\":"),
        (r#"{"startingPosition": {"1,x": "queensW"}}"#, "not a whole number", "x"),
        (r#"{"startingPosition": {"1,1": "queensW", "01,1": "rooksW"}}"#, "square given twice", "01,1"),
        (r#"{"startingPosition": "K1,1|Q"}"#, "expected a piece after `|`", "Q"),
        (r#"{"startingPosition": "b K1,1"}"#, "something other than pieces", "b K"),
        (r#"{"startingPosition": 5}"#, "expected pieces by square: `{`, found `5`", "5"),
    ] {
        check_error(text, message, place);
    }
}

#[test]
fn errors_in_fields_point_at_what_is_wrong() {
    for (members, message, place) in [
        (r#""turn": "White""#, "unknown player", "White"),
        (r#""turn": "player"#, "unclosed `\"`", "\"player"),
        (r#""turn": "black", "gameRules": {"turnOrder": ["white"]}"#, "the side to move is not", "\"black\""),
        (r#""gameRules": {"turnOrder": []}"#, "a turn order without players", "[]"),
        (r#""enpassant": [1]"#, "a square has two coordinates", "[1]"),
        (r#""enpassant": [1.5, 1]"#, "not a whole number", "1.5"),
        (r#""moveRule": "5""#, "expected `/` between count and limit", "\"}"),
        (r#""moveRule": "-5/10""#, "a counter below 0", "-5"),
        (r#""fullMove": [1]"#, "expected a full move number, found `[`", "[1]"),
        (r#""gameRules": {"promotionRanks": [1,2,3]}"#, "promotion ranks of more than two players", "[1,2"),
        (r#""gameRules": {"promotionRanks": {"red": 3}}"#, "not a player of this game", "3"),
        (
            r#""gameRules": {"promotionRanks": [8], "promotionsAllowed": {"white": []}}"#,
            "an empty list",
            "[]",
        ),
        (r#""gameRules": {"promotionsAllowed": {"white": ["voids"]}}"#, "pawns do not become", "voids"),
        (r#""gameRules": {"winConditions": {"white": []}}"#, "no win condition", "[]"),
        (r#""gameRules": {"winConditions": {"white": ["w"]}}"#, "a player code is not a win condition", "w"),
        (
            r#""gameRules": {"winConditions": {"white": ["A"]}}"#,
            "a win condition is a word in lower case",
            "A",
        ),
        (r#""gameRules": {"worldBorder": {"left": 2, "right": 1}}"#, "an inverted border", "{\"left"),
        (r#""gameRules": {"a": 1, "extraRules": {"a": 2}}"#, "name given twice", "a\": 2"),
        (r#""moves": ["5,1"]"#, "expected `>` and a square", "\"]"),
        (r#""moves": ["5,1>5,2 what"]"#, "unknown piece code", "what"),
        (r#""moves": ["5,1>5,2=ob"]"#, "pawns do not become", "ob"),
        (r#""moves": ["5,1>5,2=;"]"#, "expected the end of the move", ";"),
        (r#""moves": ["5,1>5,2+ ;"]"#, "expected the end of the move, found `;`", ";"),
        (r#""moves": [{"startCoords": [5,1]}]"#, "a move without its squares", "{\"start"),
        (r#""moves": [5]"#, "expected a move", "5]"),
        (r#""moves": [], "notes": {"1": {}}"#, "notes on a move that is not there", "1"),
        (
            r#""moves": ["5,1>5,2"], "notes": {"1": {"marks": "+x"}}"#,
            "expected one of `+#!?=`, found `x`",
            "x",
        ),
        (r#""openingComments": ["a}"]"#, "a comment with `}`", "a}"),
        (r#""result": "2-0""#, "unknown result", "2-0"),
        (r#""presets": {"rays": ["1,1"]}"#, "expected `>` and a direction", "\"]"),
    ] {
        check_error(&with(members), message, place);
    }
}

fn check_error(text: &str, message: &str, place: &str) {
    let error = ReadOptions::default().parse_json(text).expect_err(text);
    assert!(error.to_string().starts_with(message), "{text}: {error}");
    assert!(text[error.span().start..].starts_with(place), "{text}: {error} at {:?}", error.span());
}

#[test]
fn limits_are_options() {
    let refused = |options: ReadOptions, text: &str| {
        let error = options.parse_json(text).expect_err(text);
        assert!(matches!(error.kind(), IcnErrorKind::TooMuch { .. }), "{error}");
    };
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    refused(ReadOptions::default(), &deep);
    refused(ReadOptions::default().max_depth(usize::MAX), &deep);
    let nested = |depth: usize| {
        with(&format!(
            r#""gameRules": {{"extraRules": {{"a": {}{}}}}}"#,
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        ))
    };
    assert!(ReadOptions::default().parse_json(&nested(128)).is_ok());
    let error = ReadOptions::default().parse_json(&nested(129)).expect_err("one level too many");
    assert_eq!(error.to_string(), "more than 128 levels of nesting");
    refused(ReadOptions::default().max_turns(1), &with(r#""gameRules": {"turnOrder": ["white", "black"]}"#));
    refused(ReadOptions::default().max_pieces(1), &with("").replace(", }", "}"));
    refused(ReadOptions::default().max_moves(1), &with(r#""moves": ["5,1>5,2", "5,8>5,7"]"#));
    refused(ReadOptions::default().max_work(3), &with(r#""moves": ["5,1>5,2", "5,8>5,7"]"#));
    refused(ReadOptions::default().max_tags(0), &with(r#""metadata": {"White": "Tom"}"#));
    refused(ReadOptions::default().max_digits(9), &with(r#""fullMove": 1e10"#));
    refused(ReadOptions::default().max_digits(9), &with(r#""fullMove": 1234567890"#));
    refused(ReadOptions::default().max_digits(9), &with(r#""gameRules": {"a": 1234567890}"#));
}

#[test]
fn coordinates_are_numbers_up_to_two_to_the_53() {
    let game = crate::parse("9007199254740991,-9007199254740992 K1,1").unwrap().game;
    let text = write(&game, MoveForm::Strings).unwrap();
    assert!(text.contains(r#""enpassant":[9007199254740991,"-9007199254740992"]"#), "{text}");
}

#[test]
fn objects_say_what_a_move_does() {
    let game = crate::parse(
        "(8|1) r1,8|P2,7|p4,7+|P5,5|R1,1+|K5,1+|k9,9 2,7>1,8=N|4,7>4,5|5,5>4,6 + !|9,9>9,8|5,1>3,1#",
    )
    .unwrap()
    .game;
    let text = write(&game, MoveForm::Objects).unwrap();
    for part in [
        r#"{"type":"pawnsW","startCoords":[2,7],"endCoords":[1,8],"captured":"rooksB","promotion":"knightsW"}"#,
        r#"{"type":"pawnsW","startCoords":[5,5],"endCoords":[4,6],"captured":"pawnsB","enpassant":-1,"check":true,"marks":"+!"}"#,
        r#""endCoords":[3,1],"castle":{"dir":-1,"coord":[1,1]},"check":true,"mate":true}"#,
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(read(&text).warnings, []);
}

#[test]
fn objects_of_a_game_that_cannot_be_played_are_an_error() {
    let game = crate::parse("K1,1 1,1>1,2|5,5>5,6").unwrap().game;
    assert_eq!(write(&game, MoveForm::Objects).unwrap_err().ply, 2);
    assert!(write(&game, MoveForm::Strings).is_ok());
}

/// The notes that objects carry about piece and capture.
fn note_what_moves_do(game: &mut Game) {
    let start = game.clone();
    let mut replay = Replay::new(&start);
    for mv in &mut game.moves {
        let played = replay.step().unwrap().unwrap();
        mv.notes.piece = Some(played.piece());
        mv.notes.capture = played.captured().is_some();
    }
}

proptest! {
    #[test]
    fn serde_has_the_shape_of_the_long_form(mut game in game()) {
        // serde_json rounds numbers beyond 64 bits, which extra rules may have.
        let rounds = serde_json::to_string(&game.start.laws.extra.iter().map(|(_, rule)| rule).collect::<Vec<_>>()).unwrap();
        if rounds.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 15) || rounds.contains(['.', 'e']) {
            std::sync::Arc::make_mut(&mut game.start.laws).extra = boardprint_base::JsonObject::default();
        }
        let text = serde_json::to_string(&game).unwrap();
        let written = write(&game, MoveForm::Strings).unwrap();
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        prop_assert_eq!(value(&text), value(&written));
        let wanted = read(&written).game;
        prop_assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), wanted.clone(), "{}", text);
        let start = serde_json::to_string(&game.start).unwrap();
        prop_assert_eq!(serde_json::from_str::<boardprint_base::Position>(&start).unwrap(), wanted.start, "{}", start);
    }

    #[test]
    fn games_come_back_from_strings(game in game()) {
        let text = write(&game, MoveForm::Strings).unwrap();
        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
        prop_assert_eq!(&read(&text).game, &game, "{}", text);
    }

    #[test]
    fn games_come_back_from_objects(mut game in game()) {
        let text = write(&game, MoveForm::Objects).unwrap();
        let reading = read(&text);
        let is_about_moves = |kind| matches!(kind, WarningKind::PieceLetter | WarningKind::MoveFlag);
        prop_assert!(!reading.warnings.iter().any(|warning| is_about_moves(warning.kind())));
        note_what_moves_do(&mut game);
        prop_assert_eq!(&reading.game, &game, "{}", text);
    }

    #[test]
    fn any_text_gives_an_answer_within_itself(text in "[\\[\\]{}\":,0-9a-u\\\\. é-]{0,40}") {
        if let Err(error) = ReadOptions::default().parse_json(&text) {
            prop_assert!(text.get(error.span().start..error.span().end).is_some(), "{:?}", error);
        }
    }

    #[test]
    fn damaged_games_give_an_answer_within_themselves(game in game(), at in any::<prop::sample::Index>(), by in "[\\[\\]{}\":,0-9a-z\\\\]?") {
        let mut text = write(&game, MoveForm::Objects).unwrap();
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        let place = *at.get(&places);
        let len = text[place..].chars().next().unwrap().len_utf8();
        text.replace_range(place..place + len, &by);
        match ReadOptions::default().parse_json(&text) {
            Ok(reading) => for warning in reading.warnings {
                prop_assert!(text.get(warning.span().start..warning.span().end).is_some());
            },
            Err(error) => prop_assert!(text.get(error.span().start..error.span().end).is_some(), "{:?}", error),
        }
    }
}
