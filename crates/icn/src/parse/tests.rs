//! What `docs/icn-dialects.md` says, sentence by sentence, where the vectors in `corpus/icn` do not say it
//! already.

use boardprint_base::{Coord, CustomCode, Player};

use crate::error::{IcnError, IcnErrorKind};
use crate::{Dialect, ReadOptions, Reading, WarningKind, canonical, parse};

const KINGS: &str = "K1,1|k1,9";

fn read(text: &str) -> Reading {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e} at {:?}", e.span()))
}

fn refused(text: &str) -> IcnError {
    match parse(text) {
        Err(error) => error,
        Ok(reading) => panic!("{text} was read as {}", canonical(&reading.game)),
    }
}

/// The part of the text that an error points at.
fn blamed(text: &str) -> &str {
    let span = refused(text).span();
    &text[span.start..span.end]
}

fn kinds(text: &str) -> Vec<&'static str> {
    read(text).warnings.iter().map(|warning| warning.kind().name()).collect()
}

/// The part of the text that the only warning points at.
fn warned(text: &str) -> &str {
    let reading = read(text);
    let [warning] = &reading.warnings[..] else { panic!("{text}: {:?}", reading.warnings) };
    &text[warning.span().start..warning.span().end]
}

#[track_caller]
fn assert_canonical(text: &str, wanted: &str) {
    assert_eq!(canonical(&read(text).game), wanted, "{text}");
}

mod errors {
    use super::*;

    #[test]
    fn the_second_of_two_clashing_things_is_blamed_and_the_first_is_named() {
        let cases = [
            ("K1,1|q 2,2|k1,1", None),
            ("K1,1|Q2,2|k1,1", Some(("k1,1", "K1,1"))),
            ("K1,1 | Q2,2+ | k01,1 | r2,2", Some(("k01,1", "K1,1"))),
            ("w b K1,1|k1,9", Some(("b", "w"))),
            ("1,1 0/100 5/7 K1,1|k1,9", Some(("5/7", "0/100"))),
            ("3 K1,1|k1,9 4", Some(("4", "3"))),
            ("(8|1) (8|2) K1,1|k1,9", Some(("(8|2)", "(8|1)"))),
            ("koth K1,1|k1,9 checkmate", Some(("checkmate", "koth"))),
            ("1,8,1,8 K1,1|k1,9 _,_,_,_", Some(("_,_,_,_", "1,8,1,8"))),
            ("{\"a\":1} {\"b\":1} K1,1|k1,9", Some(("{\"b\":1}", "{\"a\":1}"))),
            ("{\"a\":1,\"b\":2,\"a\":3} K1,1|k1,9", Some(("\"a\"", "\"a\""))),
            ("Squares:1,1 Squares:2,2 K1,1|k1,9", Some(("Squares:2,2", "Squares:1,1"))),
            ("K1,1|k1,9 Q2,2", Some(("Q2,2", "K1,1|k1,9"))),
            ("K1,1|k1,9 1,1>1,2=Q=R", Some(("=", "=Q"))),
        ];
        for (text, wanted) in cases {
            let Some((second, first)) = wanted else {
                assert!(parse(text).is_err(), "{text}");
                continue;
            };
            let error = refused(text);
            let IcnErrorKind::Twice { first: before, .. } = error.kind() else { panic!("{text}: {error}") };
            assert_eq!(blamed(text), second, "{text}");
            assert_eq!(&text[before.start..before.end], first, "{text}");
            assert!(before.end <= error.span().start, "{text}");
        }
    }

    #[test]
    fn brackets_are_blamed_where_they_open() {
        let cases = [
            "[Event \"x\" K1,1",
            "(8|1 K1,1",
            "K1,1|k1,9 {never closed",
            "K1,1|k1,9 1,1>1,2 {never closed",
            "{\"a\": nonsense} K1,1",
            "{a: } K1,1",
            "{\"a\"} K1,1",
        ];
        for text in cases {
            let open = text.find(['[', '(', '{']).expect("has a bracket");
            assert_eq!(refused(text).span().start, open, "{text}");
        }
    }

    #[test]
    fn a_wrong_number_of_parts_is_blamed_on_the_whole_field() {
        for field in ["(8)", "()", "(8|1|3)", "(koth|checkmate|koth)"] {
            let text = format!("{field} {KINGS}");
            assert_eq!(blamed(&text), field);
        }
        assert_eq!(blamed("w:b:r (8|1) K1,1"), "(8|1)");
        assert_eq!(blamed("r (8|1) K1,1"), "(8|1)");
    }

    #[test]
    fn unknown_words_codes_and_numbers_are_blamed_where_they_begin() {
        let cases = [
            ("K1,1|zz2,2", "zz"),
            ("K1,1|3zz2,2", "3zz"),
            ("Checkmate K1,1", "Checkmate"),
            ("w:x K1,1", "x"),
            ("W:b K1,1", "W"),
            ("K1,1 %", "%"),
            ("(8;zz|1) K1,1", "zz"),
            ("K1,1|k1,9 1,1>1,2=zz", "zz"),
            ("-5 K1,1", "-5"),
            ("1,2,3 K1,1", "1,2,3"),
            ("1,2,3,4,5 K1,1", "1,2,3,4,5"),
            ("_,2 K1,1", "_,2"),
            ("9,1,1,9 K1,1", "9,1,1,9"),
            ("K1.5e0,1", "1.5e0"),
            ("99999999999q1,1", "99999999999"),
        ];
        for (text, wanted) in cases {
            assert_eq!(blamed(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_missed_at_the_end() {
        for text in ["", "  \n", "w", "[Event \"x\"]", "K1", "K1,", "w:", "1,1>1,2"] {
            let error = refused(text);
            assert_eq!(error.span().start, text.len(), "{text}: {error}");
        }
    }

    #[test]
    fn else_the_unexpected_character_is_blamed() {
        let cases = [
            ("K1,1++", "+", 5),
            ("K1,1++|k1,9", "+", 5),
            ("K+5,1", "+", 1),
            ("K5.0,1", ".", 2),
            ("K1;1", ";", 2),
            ("( 8|1) K1,1", " ", 1),
            ("(8;q, r|1) K1,1", " ", 5),
            ("(koth,|koth) K1,1", "|", 6),
            ("K1,1|k1,9 1,1>1,2 5 1,9", " ", 19),
            ("K1,1|k1,9 1,1>1,2 | ! 1,9>1,8", "!", 20),
            ("K1,1|k1,9 1,1>1,2 {hm} =Q", "=", 23),
            ("K1,1|k1,9 1,1>1,2 [Event \"x\"]", "[", 18),
            ("K1,1|k1,9 1-0 1,1>1,2", "1", 14),
        ];
        for (text, wanted, at) in cases {
            assert_eq!((blamed(text), refused(text).span().start), (wanted, at), "{text}");
        }
    }

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let text = "[Event \"é😀\"]\nK1,1|♔";
        let place = refused(text).line_column(text);
        assert_eq!((place.line, place.column), (2, 6));
    }

    #[test]
    fn the_nearest_known_word_is_the_hint() {
        assert_eq!(refused("K1,1|ma2,2").hint().as_deref(), Some("did you mean `am`?"));
        assert_eq!(refused("W:b K1,1").hint().as_deref(), Some("did you mean `w`?"));
        assert_eq!(refused("Koth K1,1").hint().as_deref(), Some("did you mean `koth`?"));
    }
}

mod limits {
    use super::*;

    #[track_caller]
    fn assert_limit(options: &ReadOptions, good: &str, bad: &str, blamed: &str) {
        assert!(options.parse(good).is_ok(), "{good}");
        let error = options.parse(bad).expect_err(bad);
        assert!(matches!(error.kind(), IcnErrorKind::TooMuch { .. }), "{bad}: {error}");
        assert_eq!(&bad[error.span().start..error.span().end], blamed, "{bad}");
    }

    #[test]
    fn digits() {
        let options = ReadOptions::default().max_digits(5);
        assert_limit(&options, "K12345,-12345", "K123456,1", "123456");
        assert_limit(&options, "K1e4,1", "K1e5,1", "1e5");
        assert_limit(&options, "K1,1 99999", "K1,1 999999", "999999");
        assert_limit(&options, "K1,1 1/99999", "K1,1 1/999999", "999999");
        assert_limit(&options, "(1e4|) K1,1", "(1e5|) K1,1", "1e5");
        // A huge exponent costs no memory.
        assert_limit(
            &ReadOptions::default(),
            "K1e99999,1",
            "K1e999999999999999999999,1",
            "1e999999999999999999999",
        );
    }

    #[test]
    fn a_hundred_thousand_digits_are_read() {
        let digits = "7".repeat(100_000);
        assert_eq!(canonical(&read(&format!("K{digits},1")).game), format!("K{digits},1"));
        assert!(parse(&format!("K{digits}7,1")).is_err());
    }

    #[test]
    fn pieces_moves_and_tags() {
        let text = |n: i32| (0..n).map(|x| format!("K{x},1")).collect::<Vec<_>>().join("|");
        assert_limit(&ReadOptions::default().max_pieces(3), &text(3), &text(4), "K3,1");
        assert_limit(&ReadOptions::default().max_pieces(3), &text(3), "K0,1|K01,1|K2,1|K3,1", "K3,1");
        let options = ReadOptions::default().max_moves(2);
        assert_limit(&options, "K1,1 1,1>1,2|1,2>1,3", "K1,1 1,1>1,2|1,2>1,3|1,3>1,4", "1");
        assert_limit(&options, "K1,1 K1,1>1,2 K1,2>1,3", "K1,1 K1,1>1,2 K1,2>1,3 K1,3>1,4", "K");
        let options = ReadOptions::default().max_work(6);
        assert_limit(
            &options,
            "K1,1|k9,9 1,1>1,2|9,9>9,8|1,2>1,3",
            "K1,1|k9,9|q5,5 1,1>1,2|9,9>9,8|1,2>1,3",
            "1",
        );
        let error = options.parse("K1,1|k9,9|q5,5 1,1>1,2|9,9>9,8|1,2>1,3").unwrap_err();
        assert_eq!(error.to_string(), "more than 2 moves for so many pieces");
        let tags = "[A \"1\"] [B \"2\"] [A \"3\"]";
        assert_limit(
            &ReadOptions::default().max_tags(2),
            &format!("{tags} K1,1"),
            &format!("{tags} [C \"4\"] K1,1"),
            "[C \"4\"]",
        );
    }

    #[test]
    fn turns() {
        let order =
            |turns: usize| ["w", "b", "r"].into_iter().cycle().take(turns).collect::<Vec<_>>().join(":");
        let text = |turns| format!("{} K1,1", order(turns));
        assert_limit(&ReadOptions::default().max_turns(3), &text(3), &text(4), &order(4));
        assert_limit(&ReadOptions::default(), &text(1_000), &text(1_001), &order(1_001));
    }

    #[test]
    fn nesting() {
        let nested =
            |depth: usize| format!("{{\"a\":{}{}}} K1,1", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert_limit(&ReadOptions::default().max_depth(3), &nested(3), &nested(4), "[");
        assert_limit(&ReadOptions::default(), &nested(128), &nested(129), "[");
        assert!(parse(&nested(1_000_000)).is_err());
    }

    #[test]
    fn long_positions_and_games_are_read() {
        let pieces: Vec<String> = (0..200_000).map(|n| format!("P{},{}", n % 1000, n / 1000)).collect();
        assert_eq!(read(&pieces.join("|")).game.start.pieces.len(), 200_000);
        let moves = "1,1>1,2|1,9>1,8|1,2>1,1|1,8>1,9|".repeat(25_000);
        assert_eq!(read(&format!("{KINGS} {moves}")).game.moves.len(), 100_000);
        let decorated = "1. K1,1 > 1,2 ! | k1,9>1,8 {x} 2. K1,2>1,1 k1,8 > 1,9 ".repeat(25_000);
        assert_eq!(read(&format!("{KINGS} {decorated}")).game.moves.len(), 100_000);
    }

    #[test]
    fn hostile_repetition_takes_linear_time() {
        // Each would take hours if a character were looked at once for every other.
        for hostile in [
            "[A \"\"\"",
            "(",
            "{a",
            "{\"a\":[",
            "1. ",
            "1 ",
            "... ",
            "{[%clk ",
            "K1,1 | ",
            "{a}!",
            "= ",
            "2 1,1>1,2 ",
            "[A x]",
            "[A \"x\"]",
            "\u{a0}",
            "|",
            "+",
            "w:",
        ] {
            drop(parse(&hostile.repeat(50_000)));
            drop(parse(&format!("{KINGS} 1,1>1,2{}", hostile.repeat(50_000))));
        }
        drop(parse(&format!("[A \"{}\n", "\"".repeat(1_000_000))));
    }
}

mod blanks {
    use super::*;

    #[test]
    fn every_white_space_is_a_blank_and_unusual_ones_are_warned_of() {
        assert_eq!(kinds("w\t0/100\r\n1 K1,1|k1,9\n\n1,1>1,2 "), [""; 0]);
        for odd in ['\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2003}', '\u{2028}', '\u{3000}'] {
            let odd = odd.to_string();
            for text in [
                format!("w{odd}K1,1"),
                format!("K1,1{odd}1. 1,1>1,2"),
                format!("K1,1 1,1{odd}>1,2"),
                format!("K1,1 1,1>1,2{odd}!"),
                format!("[A{odd}\"x\"] K1,1"),
                format!("[A \"x\"{odd}] K1,1"),
                format!("K1,1{odd}"),
            ] {
                assert_eq!(warned(&text), odd, "{text:?}");
            }
            assert_eq!(kinds(&format!("K1,1 1{odd}... 1,1>1,2")), ["odd-blank", "ellipsis"]);
            assert_eq!(kinds(&format!("K1,1{odd}|k1,9")), ["blank-around-bar", "odd-blank"]);
        }
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_only_at_the_beginning() {
        assert_eq!(warned("\u{feff}K1,1"), "\u{feff}");
        assert_eq!(blamed("w \u{feff}K1,1"), "\u{feff}K1,1");
    }

    #[test]
    fn fields_need_a_blank_except_beside_brackets() {
        assert_canonical("[A \"x\"]b{\"a\":1}K1,1|k1,9{hm}1,9>1,8", "b {\"a\":1} k1,9|K1,1 1,9>1,8");
        assert_eq!(blamed("(8|1)K1,1"), "K");
        assert_eq!(blamed("0/100K1,1"), "K");
        assert_eq!(blamed("K1,1(8|1)"), "(");
    }
}

mod tags {
    use super::*;

    fn tags(text: &str) -> Vec<(String, String)> {
        read(text).game.tags.iter().map(|tag| (tag.name.to_string(), tag.value.to_string())).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn tags_stand_anywhere_before_the_first_move_and_keep_their_order() {
        let text = "w [B \"1\"] K1,1|k1,9 [A \"2\"] 1,1>1,2";
        assert_eq!(tags(text), pairs(&[("B", "1"), ("A", "2")]));
        assert_eq!(kinds(text), [""; 0]);
    }

    #[test]
    fn every_spelling_of_a_tag_is_read() {
        let cases = [
            ("[A \"x y\"]", "x y", &[][..]),
            ("[A  \t\"x\" ]", "x", &[]),
            ("[A \"[x]\"]", "[x]", &[]),
            ("[A \"say \"hi\" now\"]", "say \"hi\" now", &["quote-in-tag"]),
            ("[A: x y ]", "x y", &["colon-tag"]),
            ("[A:\"x\"]", "\"x\"", &["colon-tag"]),
            ("[A]", "", &["tag-without-value"]),
            ("[A x]", "x", &["unquoted-tag"]),
            ("[A goes  here, \"too\" ]", "goes  here, \"too\"", &["unquoted-tag"]),
            ("[A \"\"]", "", &["tag-without-value"]),
            ("[A:]", "", &["colon-tag", "tag-without-value"]),
        ];
        for (tag, value, warnings) in cases {
            let text = format!("{tag} {KINGS}");
            assert_eq!(tags(&text), pairs(&[("A", value)]), "{text}");
            assert_eq!(kinds(&text), warnings, "{text}");
        }
    }

    #[test]
    fn a_long_value_is_counted_in_characters() {
        let tag = |n: usize| format!("[A \"{}\"] K1,1", "é".repeat(n));
        assert_eq!(kinds(&tag(200)), [""; 0]);
        assert_eq!(kinds(&tag(201)), ["long-tag"]);
    }

    #[test]
    fn the_last_of_two_tags_of_a_name_counts_however_many_there_are() {
        let many: Vec<String> = (0..50).map(|n| format!("[T{n} \"old\"]")).collect();
        let many = many.join("\n");
        let text = format!("{many} [T3 \"new\"] [T45 \"new\"] {KINGS}");
        let reading = read(&text);
        assert_eq!(reading.game.tags.len(), 50);
        assert_eq!((reading.game.tag("T3"), reading.game.tag("T45")), (Some("new"), Some("new")));
        assert_eq!(kinds(&text), ["duplicate-tag"; 2]);
    }
}

mod fields {
    use super::*;

    #[test]
    fn a_lone_code_is_a_cycle_of_that_player() {
        assert_canonical("w:b K1,1", "K1,1");
        assert_canonical("b:w K1,1", "b K1,1");
        assert_canonical("bu K1,1", "bu K1,1");
        assert_canonical("n K1,1", "n K1,1");
        assert_canonical("w:b:w:b K1,1", "w:b:w:b K1,1");
        assert_canonical("w:w (8) K1,1", "w:w (8) K1,1");
    }

    #[test]
    fn parts_stand_in_ascending_player_number_whatever_the_turn_order() {
        let game = read("y:r:b (1|2|3) K1,1").game;
        let ranks: Vec<_> =
            game.start.laws.promotion.iter().map(|(p, part)| (p.0, part.ranks()[0].clone())).collect();
        assert_eq!(ranks, [(2, Coord::from(1)), (3, Coord::from(2)), (5, Coord::from(3))]);
    }

    #[test]
    fn win_conditions_are_sets_of_words() {
        assert_canonical("koth,checkmate,koth K1,1", "checkmate,koth K1,1");
        assert_canonical("(koth | checkmate) K1,1", "(koth|checkmate) K1,1");
        assert_canonical("(koth|koth) K1,1", "koth K1,1");
        assert_canonical("(checkmate|checkmate) K1,1", "K1,1");
        assert_eq!(kinds("(koth) K1,1"), ["shared-part"]);
        assert_eq!(kinds("koth|checkmate K1,1"), ["parts-without-parentheses"]);
        assert_eq!(kinds("threecheck K1,1"), [""; 0]);
        assert_eq!(warned("koth,capturetheflag K1,1"), "capturetheflag");
        for text in ["w,koth K1,1", "(koth|b) K1,1", "koth, K1,1", "(|koth) K1,1", "win5 K1,1", "KOTH K1,1"] {
            refused(text);
        }
    }

    #[test]
    fn promotion_parts_are_read_as_the_original_text_says() {
        assert_canonical("(3|-4;q,r) K1,1", "(3|-4;q,r) K1,1");
        assert_canonical("(16,8,8;N,q,B,r|) K1,1", "(8,16|) K1,1");
        assert_canonical("(|) K1,1", "K1,1");
        assert_canonical("(8;ro,AM,q|1;HU) K1,1", "(8;Q,AM,RO|1;hu) K1,1");
        for text in
            ["(;q|1) K1,1", "(8;|1) K1,1", "(8;ob|1) K1,1", "(8;vo|1) K1,1", "(8;3q|1) K1,1", "(8 ;q|1) K1,1"]
        {
            refused(text);
        }
    }

    #[test]
    fn the_redesigned_site_shares_the_last_list_it_sees() {
        let options = ReadOptions::default().dialect(Dialect::Redesign);
        let shared = |text: &str| canonical(&options.parse(text).expect(text).game);
        assert_eq!(shared("(8|1;q,am) K1,1"), "(8;Q,AM|1;q,am) K1,1");
        assert_eq!(shared("(8;q,am|1;r) K1,1"), "(8;R|1;r) K1,1");
        assert_eq!(shared("(8;q|1) K1,1"), "(8;Q|1;q) K1,1");
        assert_eq!(shared("(|1;q) K1,1"), "(|1;q) K1,1");
        assert_eq!(shared("(8|1) K1,1"), "(8|1) K1,1");
    }

    #[test]
    fn numbers_may_have_exponents_only_where_they_are_coordinates() {
        assert_canonical("K1e21,-2.5E1|k-0e5,1.0e0", "k0,1|K1000000000000000000000,-25");
        assert_canonical("(1e1|1) 1e1,2e1,_,_ K1,1", "(10|1) 10,20,_,_ K1,1");
        for text in ["1e2/100 K1,1", "1e2 K1,1", "K1,1.5", "K1,+5", "K1e,1", "K.5e1,1"] {
            refused(text);
        }
    }

    #[test]
    fn an_exponent_with_a_plus_begins_a_move_and_is_no_promotion() {
        assert_canonical(
            "R10,1|k5,5|P0,0 10,1>1e+1,2 5,5>5,6 1e+1,2>1e+1,3 0,0>0,1 = 1e+1,3>1e+2,3",
            "k5,5|R10,1|P0,0 10,1>10,2|5,5>5,6|10,2>10,3|0,0>0,1|10,3>100,3",
        );
        assert_eq!(warned("r:w K1,1|3P5,5 5,5>5,4 3q 1,1>1,2"), "3q");
    }

    #[test]
    fn counters_are_kept_at_any_size() {
        assert_canonical("00/0 0 K1,1", "0/0 0 K1,1");
        let far = "99999999999999999999999";
        assert_canonical(&format!("{far}/{far}1 {far} K1,1"), &format!("{far}/{far}1 {far} K1,1"));
    }

    #[test]
    fn defaults_repeats_order_and_empty_comments_give_no_warning() {
        assert_eq!(
            kinds("K1,1|k1,9 checkmate,checkmate (8,8;q,q,r,b,n|1) _,_,_,_ 1 w {} 1,1>1,2 { } {}"),
            [""; 0]
        );
    }

    #[test]
    fn a_dash_alone_is_passed_over() {
        assert_eq!(warned("w - K1,1"), "-");
        refused("w -- K1,1");
    }

    #[test]
    fn presets_are_kept_and_do_not_count() {
        let game = read("Squares:1,1|2,-2 Rays:1,1>1,0|0,0>0,0 K1,1").game;
        assert_eq!((game.presets.squares.len(), game.presets.rays.len()), (2, 2));
        assert_eq!(canonical(&game), "K1,1");
    }
}

mod rules_in_braces {
    use super::*;

    #[test]
    fn an_object_is_extra_rules_and_anything_else_a_comment() {
        assert_canonical(
            "{\"b\": 1, \"a\": [1.0, 1e3, 0.50, -0, \"\\u00e9\\n\"]} K1,1",
            "{\"a\":[1,1000,0.5,0,\"é\\n\"],\"b\":1} K1,1",
        );
        assert_eq!(kinds("{slideLimit: 7, other: true} K1,1"), ["unquoted-rules"]);
        assert_eq!(kinds("{\"slideLimit\": Infinity} K1,1"), ["infinity"]);
        assert_eq!(kinds("{-Infinity} K1,1"), ["comment-before-moves"]);
        let comments = ["hello", "5", "[1]", "{", "null", "a b: c", "é: 1"];
        for comment in comments {
            let game = read(&format!("{{{comment}}} K1,1")).game;
            assert_eq!(game.opening_comments, [comment.into()]);
        }
        for broken in
            ["\"a", "\"a\":1,", "a:", "a : b", "a:1,}", "\"a\":01", "\"a\":'x'", "\"a\":\"\\ud800\""]
        {
            assert_eq!(refused(&format!("{{{broken}}} K1,1")).span().start, 0, "{broken}");
        }
    }

    #[test]
    fn default_rules_are_kept_but_not_part_of_the_canonical_text() {
        for rules in [
            "{slideLimit: Infinity, cannotPassTurn: true}",
            "{\"cannotPassTurn\": true}",
            "{\"slideLimit\": \"Infinity\"}",
        ] {
            let game = read(&format!("{rules} K1,1")).game;
            assert_eq!(canonical(&game), "K1,1");
            assert!(game.start.laws.is_default() && !game.start.laws.extra.is_empty());
        }
        for rules in ["{\"cannotPassTurn\":false}", "{\"cannotPassTurn\":1}", "{\"slideLimit\":null}"] {
            let text = format!("{rules} K1,1");
            assert_canonical(&text, &text);
            assert!(!read(&text).game.start.laws.is_default());
        }
        assert_canonical("{\"b\": 1, \"cannotPassTurn\": true, \"a\": 2} K1,1", "{\"a\":2,\"b\":1} K1,1");
    }

    #[test]
    fn behind_a_move_number_braces_are_a_comment() {
        let game = read("K1,1 1. {a: 1} 1,1>1,2").game;
        assert_eq!(game.opening_comments, ["a: 1".into()]);
        assert!(game.start.laws.extra.is_empty());
    }
}

mod pieces {
    use super::*;

    #[test]
    fn numbers_say_whose_a_piece_is() {
        let cases = [
            ("3Q1,1", "3q1,1", &[][..]),
            ("3q1,1", "3q1,1", &[]),
            ("0q1,1", "0q1,1", &[]),
            ("1q1,1", "Q1,1", &["player-number"]),
            ("2Q1,1", "q1,1", &["player-number"]),
            ("1ob1,1", "1ob1,1", &[]),
            ("2VO1,1", "2vo1,1", &[]),
            ("0ob1,1", "ob1,1", &["player-number"]),
            ("OB1,1", "ob1,1", &["neutral-case"]),
            ("03q1,1", "3q1,1", &["leading-zero"]),
            ("7Am1,1", "7am1,1", &["mixed-case"]),
        ];
        for (text, wanted, warnings) in cases {
            assert_canonical(text, wanted);
            assert_eq!(kinds(text), warnings, "{text}");
        }
    }

    #[test]
    fn bars_and_blanks_around_them() {
        assert_eq!(kinds("K1,1|k1,9|"), ["trailing-bar"]);
        assert_eq!(kinds("K1,1|k1,9| 1,1>1,2"), ["trailing-bar"]);
        assert_eq!(kinds("K1,1 |k1,9"), ["blank-around-bar"]);
        assert_eq!(kinds("K1,1|\nk1,9"), ["blank-around-bar"]);
        for text in ["|K1,1", "K1,1||k1,9", "K1,1| |k1,9"] {
            refused(text);
        }
    }

    #[test]
    fn a_user_may_define_codes() {
        let options = ReadOptions::default().custom_pieces(CustomCode::new("wiz"));
        let reading = options.parse("(8;wiz|1) WIZ1,1|wiz2,2|3wiz3,3 1,1>1,8=WIZ").expect("a known code");
        assert_eq!(canonical(&reading.game), "(8;WIZ|1) 3wiz3,3|wiz2,2|WIZ1,1 1,1>1,8=WIZ");
        assert_eq!(blamed("wiz1,1"), "wiz");
    }
}

mod moves {
    use super::*;

    #[test]
    fn any_run_of_separators_stands_between_moves() {
        let spellings = [
            "1,1>1,2|1,9>1,8",
            "1,1>1,2 1,9>1,8",
            "1,1>1,2 | | 1,9>1,8",
            "1. 1,1>1,2 1,9>1,8",
            "1.1,1>1,2|1,9>1,8",
            "1,1>1,2{hm}1,9>1,8",
            "1. 1,1 > 1,2 1... 1,9 x 1,8",
            "1. 1,1>1,2 1 ... 1,9>1,8",
            "1. 1,1>1,2 1. ... | 1,9>1,8",
            "1,1>1,2 … 1,9>1,8",
            "1,1>1,2 . 1,9>1,8",
            "7. K1,1>1,2 +!? 12. k1,9x1,8 ##",
            "1,1>>1,2 1,9xx1,8",
            "1,1>1,2|1,9>1,8|3.",
            "1,1>1,2 2 1,9>1,8",
            "1,1>1,2 {hm} 2 k1,9 > 1,8",
            "1,1>1,2 =|1,9>1,8",
            "1,1>1,2= 1,9>1,8",
            "1,1>1,2 = k1,9>1,8",
            "1,1>1,2 = ! {hm} ?= {so} + 1,9>1,8",
            "1,1>1,2|1,9>1,8 1/2-1/2 {well played}",
        ];
        for moves in spellings {
            assert_canonical(&format!("{KINGS} {moves}"), "k1,9|K1,1 1,1>1,2|1,9>1,8");
        }
        for moves in ["1,1>1,2;1,9>1,8", "1,1>1,21,9>1,8", "1,1>1,2!1,9>1,8", "1,1-1,2", "1,1>1,2 1 1,9"] {
            refused(&format!("{KINGS} {moves}"));
        }
    }

    #[test]
    fn notes_are_kept() {
        let game = read("K1,1|k1,9 K1,1 x 1,2 +!? {a} {[%clk 0:01:02.3] b}").game;
        let notes = &game.moves[0].notes;
        assert_eq!(notes.piece.map(|piece| piece.to_string()).as_deref(), Some("K"));
        assert!(notes.capture);
        assert_eq!(&*notes.marks, "+!?");
        assert_eq!(notes.comments, ["a".into(), "[%clk 0:01:02.3] b".into()]);
    }

    #[test]
    fn marks_may_follow_comments_and_an_equals_sign_without_a_piece_is_one() {
        let marks = |moves: &str| read(&format!("{KINGS} {moves}")).game.moves[0].notes.marks.to_string();
        assert_eq!(marks("1,1>1,2 {a} !"), "!");
        assert_eq!(marks("1,1>1,2+ {a} ! {b} ?? | 1,9>1,8 #"), "+!??");
        assert_eq!(marks("1,1>1,2=Q = {a} =!"), "==!");
        assert_eq!(kinds("K1,1|k1,9 1,1>1,2 {a} ! | 1,9>1,8 {b}?"), [""; 0]);
        assert_eq!(warned("K1,1|k1,9 1,1>1,2! ="), "=");
        assert_eq!(warned("K1,1|k1,9 1,1>1,2 {a} !=?"), "!=?");
        assert_canonical("K1,1|k1,9 1,1>1,2 = Q", "k1,9|K1,1 1,1>1,2=Q");
        assert_eq!(blamed("K1,1|k1,9 1,1>1,2 =zz"), "zz");
    }

    #[test]
    fn a_number_without_its_dot_is_a_move_number_where_a_move_follows() {
        assert_eq!(warned("K1,1|k1,9 1,1>1,2 12 k1,9 x 1,8"), "12");
        // Before the first move it is the full move number, unless that is given already.
        assert_canonical("K1,1|k1,9 7 1,1>1,2", "7 k1,9|K1,1 1,1>1,2");
        assert_canonical("3 K1,1|k1,9 7 1,1>1,2", "3 k1,9|K1,1 1,1>1,2");
        assert_eq!(warned("3 K1,1|k1,9 7 1,1>1,2"), "7");
        assert_canonical("K1,1|k1,9 1e1,1>1,2 2 1e2,1>1,3", "k1,9|K1,1 10,1>1,2|100,1>1,3");
    }

    #[test]
    fn clocks_that_cannot_be_read_are_warned_of() {
        for good in ["0:09:56.7", "12:00:00", "1:02:03.45"] {
            assert_eq!(kinds(&format!("{KINGS} 1,1>1,2 {{[%clk {good}]}}")), [""; 0], "{good}");
        }
        for bad in ["9:56", "0:9:56", "x", "", "0:09:56.", "-0:09:56"] {
            assert_eq!(kinds(&format!("{KINGS} 1,1>1,2 {{[%clk {bad}]}}")), ["clock"], "{bad}");
        }
    }

    #[test]
    fn promotions_belong_to_the_mover() {
        let cases = [
            ("K1,1|P2,7|k1,9 2,7>2,8=Q", &[][..]),
            ("K1,1|P2,7|k1,9 2,7>2,8 = Q", &[]),
            ("K1,1|P2,7|k1,9 2,7>2,8=q", &["promotion-case"]),
            ("K1,1|P2,7|k1,9 2,7>2,8=3q", &["promotion-case"]),
            ("K1,1|P2,7|k1,9 2,7>2,8Q", &["promotion-without-equals"]),
            ("K1,1|P2,7|k1,9 2,7>2,8 Q+", &["promotion-without-equals"]),
        ];
        for (text, warnings) in cases {
            assert_canonical(text, "k1,9|P2,7|K1,1 2,7>2,8=Q");
            assert_eq!(kinds(text), warnings, "{text}");
        }
        assert_canonical("r:w 3p1,2 1,2>1,1=3Q", "r:w 3p1,2 1,2>1,1=3q");
        assert_eq!(blamed("K1,1 1,1>1,2=ob"), "ob");
    }

    #[test]
    fn letters_are_compared_with_the_board() {
        assert_eq!(warned("K1,1|k1,9 Q1,1>1,2 k1,9>1,8"), "Q");
        assert_eq!(warned("K1,1|k1,9 k1,1>1,2"), "k");
        assert_eq!(warned("K1,1|k1,9 1,1>1,2 K1,9>1,8"), "K");
        // The rook has castled, the pawn was taken en passant.
        assert_eq!(kinds("K5,1+|R8,1+|k5,9 5,1>7,1 k5,9>5,8 R6,1>6,2"), [""; 0]);
        assert_eq!(kinds("P1,5|p2,7+|k5,9|K5,1 5,1>5,2 2,7>2,5 1,5>2,6 5,9>5,8 p2,5>2,4"), ["piece-letter"]);
    }

    #[test]
    fn a_result_may_follow_a_text_without_moves() {
        assert_eq!(kinds("K1,1|k1,9 1-0"), ["result-after-moves"]);
        assert_eq!(kinds("K1,1|k1,9 1. *"), ["result-after-moves", "trailing-number"]);
    }
}

mod variants {
    use super::*;

    #[test]
    fn a_missing_position_comes_from_the_variant_and_laws_only_from_the_text() {
        let game = read("[Variant \"Classical\"] b 5,2>5,4").game;
        assert!(game.start_from_variant);
        assert_eq!(game.start.turn.to_move(), Player::BLACK);
        assert!(game.start.laws.is_default());
        assert_eq!(game.start.pieces.len(), 32);
        assert!(parse("[Variant \"Nobody knows it\"] w").is_err());
    }

    #[test]
    fn a_date_that_cannot_be_read_is_warned_of() {
        assert_eq!(kinds("[Variant \"Classical\"] [UTCDate \"yesterday\"]"), ["date"]);
        assert_eq!(kinds("[Variant \"Classical\"] [UTCDate \"2025.01.02\"]"), [""; 0]);
    }
}

mod strict {
    use super::*;

    /// The dialects that take a text when they are strict.
    fn takers(text: &str) -> Vec<&'static str> {
        let takes =
            |dialect: &Dialect| ReadOptions::default().strict(true).dialect(*dialect).parse(text).is_ok();
        Dialect::ALL.into_iter().filter(takes).map(Dialect::name).collect()
    }

    const PROSE: [&str; 2] = ["readme-2024-03", "readme-2024-08"];
    const CONVERTERS: [&str; 2] = ["format-converter", "site-2025"];
    const SITE: [&str; 2] = ["site", "redesign"];
    const ENGINE: [&str; 1] = ["engine"];

    #[track_caller]
    fn assert_takers(text: &str, wanted: &[&[&str]]) {
        assert!(parse(text).is_ok(), "{text}");
        assert_eq!(takers(text), wanted.concat(), "{text}");
    }

    #[test]
    fn canonical_text_is_taken_by_all() {
        assert_takers(
            "b 3,3 5/100 7 (8|1;q,am) checkmate,koth k1,9|K1,1+ 1,9>1,8|1,1>1,2",
            &[&PROSE, &CONVERTERS, &SITE, &ENGINE],
        );
    }

    #[test]
    fn fields_and_their_order() {
        assert_takers("K1,1|k1,9 w", &[&PROSE, &CONVERTERS, &ENGINE]);
        assert_takers("w [A: x] K1,1|k1,9", &[&PROSE, &CONVERTERS]);
        assert_takers("[A \"x\"] w K1,1", &[&PROSE[1..], &CONVERTERS, &SITE, &ENGINE]);
        assert_takers("[A \"x\"]w K1,1", &[&PROSE[1..], &CONVERTERS, &ENGINE]);
        assert_takers("w [A \"x\"] K1,1", &[&PROSE[1..], &CONVERTERS, &ENGINE]);
        assert_takers("[A_1 \"x\"] K1,1", &[&PROSE[1..], &CONVERTERS, &ENGINE]);
        assert_takers("[A \"x\"][B \"y\"] K1,1", &[&CONVERTERS]);
        assert_takers("[A \"x\"] [A \"y\"] K1,1", &[&PROSE[1..], &CONVERTERS, &SITE, &ENGINE]);
        assert_takers("w - K1,1", &[&ENGINE]);
        assert_takers("9/5 K1,1", &[&PROSE, &CONVERTERS]);
        assert_takers("0 K1,1", &[&PROSE, &CONVERTERS]);
        assert_takers("1,8,1,8 K1,1", &[&SITE, &ENGINE]);
        assert_takers("1,8,_,_ K1,1", &[&SITE]);
        assert_takers("Squares:1,1 K1,1", &[&SITE, &ENGINE]);
    }

    #[test]
    fn players() {
        assert_takers("w:b K1,1", &[&CONVERTERS[1..], &SITE]);
        assert_takers("r K1,1", &[&CONVERTERS[1..], &SITE]);
        assert_takers("b:w:r 1,3 K1,1", &[&CONVERTERS[1..]]);
        assert_takers("3q1,1", &[&CONVERTERS[1..], &SITE, &ENGINE]);
        assert_takers("1q1,1", &[&CONVERTERS[1..], &SITE, &ENGINE]);
        assert_takers("3Am1,1", &[&SITE, &ENGINE]);
    }

    #[test]
    fn laws() {
        assert_takers("(8,16|1) K1,1", &[&CONVERTERS[1..], &SITE, &ENGINE]);
        assert_takers("(koth|checkmate) K1,1", &[&PROSE, &SITE]);
        assert_takers("(8|1) (koth|checkmate) K1,1", &[&PROSE, &CONVERTERS, &SITE]);
        assert_takers("(koth) K1,1", &[&SITE]);
        assert_takers("koth|checkmate K1,1", &[&SITE]);
        assert_takers("threecheck K1,1", &[&PROSE, &CONVERTERS, &ENGINE]);
        assert_takers("flag K1,1", &[&PROSE, &CONVERTERS, &ENGINE]);
        assert_takers("{\"slideLimit\":7} K1,1", &[&PROSE, &CONVERTERS]);
        assert_takers("{slideLimit:Infinity} K1,1", &[&PROSE[..1]]);
        assert_takers("{} K1,1", &[&PROSE, &CONVERTERS]);
    }

    #[test]
    fn pieces() {
        assert_takers("K1,1|k1,9|", &[&CONVERTERS]);
        assert_takers("K1,1 | k1,9", &[]);
        assert_takers("K01,1", &[&CONVERTERS]);
        assert_takers("K-0,1", &[&CONVERTERS]);
        assert_takers("K1e3,1", &[&CONVERTERS[1..]]);
        assert_takers("K9223372036854775808,1", &[&PROSE, &CONVERTERS, &SITE]);
        assert_takers("HU1,1|ro2,2", &[&SITE, &ENGINE]);
        assert_takers("NR1,1", &[&CONVERTERS, &SITE, &ENGINE]);
        assert_takers("OB1,1", &[&ENGINE]);
    }

    #[test]
    fn moves() {
        let game = |moves: &str| format!("{KINGS} {moves}");
        assert_takers(
            &game("1. K1,1 > 1,2 +!? {hm} | k1,9 x 1,8 2. K1,2 > 1,1"),
            &[&PROSE, &CONVERTERS, &SITE, &ENGINE],
        );
        assert_takers(&game("1,1>1,2=Q+|1,9>1,8"), &[&PROSE, &CONVERTERS, &SITE, &ENGINE]);
        for loose in [
            "1,1>1,2 1,9>1,8",
            "1,1  > 1,2",
            "1,1>1,2  |1,9>1,8",
            "1,1>1,2++",
            "1,1>1,2!!!",
            "1,1>1,2!+",
            "1,1>1,2+=Q",
            "1,1>1,2{}",
            "1,1>1,2Q",
            "1,1>1,2 {[%clk 5]}",
        ] {
            assert_takers(&game(loose), &[&PROSE, &CONVERTERS, &ENGINE]);
        }
        for converters in ["1,1>>1,2", "1,1>1,2|", "1,1>1,2 1-0", "1,1>1,2{a}{b}"] {
            assert_takers(&game(converters), &[&CONVERTERS]);
        }
        assert_takers(&game("1. ... 1,1>1,2"), &[&PROSE, &CONVERTERS]);
        assert_takers(&game("1,1>1,2 . 1,9>1,8"), &[&PROSE[1..], &CONVERTERS]);
        assert_takers("{hm} K1,1", &[]);
    }

    #[test]
    fn free_symbols_numbers_and_tags_belong_to_the_first_pages() {
        for text in ["K1,1 1,1>1,2=", "K1,1 1,1>1,2 2 1,2>1,3", "[A] K1,1"] {
            assert_takers(text, &[&PROSE, &CONVERTERS]);
        }
        assert_takers("K1,1 1,1>1,2 {a} !", &[&PROSE, &CONVERTERS, &ENGINE]);
        assert_takers("[A x] K1,1", &[&PROSE]);
    }

    #[test]
    fn a_dialect_does_not_warn_of_what_it_writes_itself() {
        let kinds = |dialect, text: &str| -> Vec<&str> {
            let reading =
                ReadOptions::default().dialect(dialect).strict(true).parse(text).expect("its own text");
            reading.warnings.iter().map(|warning| warning.kind().name()).collect()
        };
        for text in [
            include_str!("../../../../corpus/games/original-long.icn"),
            include_str!("../../../../corpus/games/original-compact.icn"),
            "b q-8,2|K-6,0 1. ... q-8,2x-6,0 # {Game over}",
        ] {
            assert_eq!(kinds(Dialect::Readme2024August, text), [""; 0]);
        }
        let oldest = "[White: Tom] w {slideLimit: Infinity, cannotPassTurn: true} P1,7 1,7>1,8Q";
        assert_eq!(kinds(Dialect::Readme2024March, oldest), [""; 0]);
        assert_eq!(read(oldest).warnings.len(), 4);
    }

    #[test]
    fn the_site_refuses_the_games_of_the_first_pages() {
        let old = include_str!("../../../../corpus/games/tom-ben-old.icn");
        assert_takers(old, &[&PROSE, &CONVERTERS]);
        assert_takers(
            include_str!("../../../../corpus/games/tom-ben-today.icn"),
            &[&PROSE[1..], &CONVERTERS, &SITE, &ENGINE],
        );
    }

    #[test]
    fn without_a_dialect_whatever_gives_a_warning_is_refused() {
        let options = ReadOptions::default().strict(true);
        assert!(options.parse("K1,1 w (8|1)").is_ok());
        let error = options.parse("K1,1|k05,1").expect_err("a leading zero");
        assert_eq!((error.span().start, error.span().end), (6, 8));
        assert_eq!(error.to_string(), WarningKind::LeadingZero.message());
    }

    #[test]
    fn the_first_refused_thing_is_blamed() {
        let error = ReadOptions::default()
            .strict(true)
            .dialect(Dialect::Site)
            .parse("w {\"a\":1} K01,1")
            .expect_err("rules");
        assert_eq!((error.span().start, error.span().end), (2, 9));
    }
}
