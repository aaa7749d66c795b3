//! The vectors of the finite games in every format and notation.

use boardprint_base::Digest;
use boardprint_finite::{Game, Notation};
use serde_json::Value;

use crate::{Content, Format, Profile, ReadOptions, WarningKind, WriteOptions};

fn rows() -> Vec<Value> {
    let text = include_str!("../../../corpus/finite/finite-games.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect()
}

fn words<'a>(row: &'a Value, key: &str) -> Option<Vec<&'a str>> {
    row[key].as_array().map(|list| list.iter().map(|word| word.as_str().unwrap_or_default()).collect())
}

/// Every text of a row, with its format.
fn texts(row: &Value) -> Vec<(Format, String)> {
    let mut texts = Vec::new();
    for (key, format) in
        [("pgn", Format::Pgn), ("pgn_iccs", Format::Pgn), ("csa", Format::Csa), ("kif", Format::Kif)]
    {
        if let Some(text) = row[key].as_str() {
            texts.push((format, text.to_owned()));
        }
    }
    if let Some(moves) = words(row, "usi") {
        texts.push((Format::Usi, format!("startpos moves {}", moves.join(" "))));
    }
    if row["game"] != "shogi" {
        let (start, moves) =
            (row["start"].as_str().unwrap_or_default(), words(row, "uci").unwrap_or_default());
        texts.push((Format::Uci, format!("fen {start} moves {}", moves.join(" "))));
    }
    // Every other notation as PGN without tags of its own.
    for key in ["wxf", "ucci", "hodges", "numbers"] {
        let Some(moves) = words(row, key) else { continue };
        let variant = row["game"].as_str().unwrap_or_default();
        texts.push((Format::Pgn, format!("[Variant \"{variant}\"]\n\n{} *", moves.join(" "))));
    }
    texts
}

#[test]
fn every_text_of_a_game_has_its_positions() {
    for row in rows() {
        let wanted: Vec<Digest> =
            words(&row, "cph").expect("hashes").iter().map(|hex| hex.parse().expect("a hash")).collect();
        for (format, text) in texts(&row) {
            let name = format!("{} as {format}", row["name"]);
            let reading = ReadOptions::default()
                .read_text(format, &text)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(reading.warnings.is_empty(), "{name}: {:?}", reading.warnings);
            assert_eq!(reading.content.hashes(Profile::Plain).as_ref(), Ok(&wanted), "{name}");
        }
    }
}

#[test]
fn what_is_written_comes_back() {
    for row in rows() {
        let text = row["pgn"].as_str().expect("every row has PGN");
        let content = ReadOptions::default().read_text(Format::Pgn, text).expect("a game").content;
        let Content::Finite(game) = &content else { panic!("a finite game") };
        let comes_back = |to: Format, options: &WriteOptions| {
            let written = content.write(to, options).unwrap_or_else(|error| panic!("{to}: {error}"));
            let back = ReadOptions::default()
                .read_text(to, &written.text)
                .unwrap_or_else(|error| panic!("{}\n{error}", written.text));
            assert!(back.warnings.is_empty(), "{}\n{:?}", written.text, back.warnings);
            assert_eq!(back.content.game_text(), content.game_text(), "{}", written.text);
        };
        comes_back(Format::Uci, &WriteOptions::default());
        if game.game() == Game::Shogi {
            for to in [Format::Csa, Format::Kif, Format::Usi] {
                comes_back(to, &WriteOptions::default());
            }
        }
        for notation in Notation::ALL
            .iter()
            .filter(|own| own.fits(game.game()) && !matches!(own, Notation::Csa | Notation::Kif))
        {
            comes_back(Format::Pgn, &WriteOptions::default().notation(*notation));
        }
    }
}

#[test]
fn beginnings_tell_the_format() {
    let table: &[(&str, Option<Format>)] = &[
        // Tags and a piece list are ICN, whatever the tags.
        ("[Event \"x\"]\n[White \"a\"]\nw 0/100 1 K1,2|k3,4", Some(Format::Icn)),
        ("[ECO \"B00\"]\nK1,2+|k3,4", Some(Format::Icn)),
        ("[FEN \"x\"] K1,2|k3,4", Some(Format::Icn)),
        ("[Variant \"Classical\"]", Some(Format::Icn)),
        ("[Event \"x\"] (8;q|1;q) K1,2|k3,4", Some(Format::Icn)),
        ("[Event: x] K1,2|k3,4", Some(Format::Icn)),
        ("(checkmate) K1,2|k3,4", Some(Format::Icn)),
        ("(koth,checkmate)\nK1,2|k3,4", Some(Format::Icn)),
        ("(see below) 1. e4", None),
        ("P1,2+|p1,7", Some(Format::Icn)),
        ("P-1,2|k1,7", Some(Format::Icn)),
        ("N+1,2|k1,7", Some(Format::Csa)),
        ("N-1,2|k1,7", Some(Format::Icn)),
        ("N-1e+21,-2+", Some(Format::Icn)),
        ("N-1 Dan, 2\nPI\n", Some(Format::Csa)),
        ("[Variant \"Shogi\"]", Some(Format::Pgn)),
        ("[Variant \"Chess960\"]\n\n1. O-O", Some(Format::Pgn)),
        ("[Variant \"Xiangqi\"]\n\n1. Che3", Some(Format::Pgn)),
        ("[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7", Some(Format::Pgn)),
        ("[Game \"Chinese Chess\"]\n\n1. 炮二平五", Some(Format::Pgn)),
        ("1. 炮二平五 马８进７", Some(Format::Pgn)),
        ("1. Ｃ２＝５ Ｈ８＋７", Some(Format::Pgn)),
        ("1. C2=5 H8+7", Some(Format::Pgn)),
        ("1. P-76 P-34", Some(Format::Pgn)),
        ("1. P77-76 P43-42", Some(Format::Pgn)),
        ("1. h2e2 h9g7", Some(Format::Pgn)),
        ("V2.2\nN+A\n", Some(Format::Csa)),
        ("'CSA encoding=UTF-8\nV3.0\n", Some(Format::Csa)),
        ("' a comment\n\nPI\n+\n", Some(Format::Csa)),
        ("N-B\nPI\n", Some(Format::Csa)),
        ("$EVENT:x\n", Some(Format::Csa)),
        ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n", Some(Format::Csa)),
        ("P+59OU\n", Some(Format::Csa)),
        ("+7776FU\n-3334FU\n", Some(Format::Csa)),
        ("手合割：平手\n", Some(Format::Kif)),
        ("# comment\n\n開始日時：2003/05/03\n", Some(Format::Kif)),
        ("#KIF version=2.0\n", Some(Format::Kif)),
        ("   1 ７六歩(77)\n", Some(Format::Kif)),
        ("後手の持駒：なし\n  ９ ８ ７\n+---", Some(Format::Kif)),
        ("position startpos moves 7g7f", Some(Format::Usi)),
        ("startpos moves P*5e", Some(Format::Usi)),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", Some(Format::Usi)),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h", Some(Format::Usi)),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", Some(Format::Sfen)),
        ("startpos moves e2e4", Some(Format::Uci)),
        ("position startpos", Some(Format::Uci)),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", Some(Format::Uci)),
        ("# a heading\nDear reader", None),
        ("'tis a text", None),
        ("+ and -", None),
    ];
    for (text, wanted) in table {
        assert_eq!(Format::detect(text.as_bytes()), *wanted, "{text}");
    }
    for (name, wanted) in [
        ("a.csa", Format::Csa),
        ("a.KIF.gz", Format::Kif),
        ("a.kifu", Format::Kif),
        ("a.usi", Format::Usi),
        ("a.uci", Format::Uci),
    ] {
        assert_eq!(Format::of_name(name), Some(wanted), "{name}");
    }
    assert_eq!(Format::of_name("a.ki2"), None, "KI2 is not read");
}

#[test]
fn losses_are_said() {
    let lost = |to: Format, text: &str| {
        let content = ReadOptions::default().read_text(Format::Pgn, text).expect("a game").content;
        content.write(to, &WriteOptions::default()).expect("a form").lost.to_string()
    };
    let text = "[Variant \"Shogi\"]\n[WhiteElo \"2000\"]\n[White \"A\"]\n\n1. P-76 {hm} P-34 1-0";
    assert_eq!(lost(Format::Usi, text), "tags, notes, result");
    assert_eq!(lost(Format::Csa, text), "tags, notes, ending");
    assert_eq!(lost(Format::Pgn, text), "notes");
}

#[test]
fn a_hand_that_was_sorted_is_said() {
    let lenient = ReadOptions::default().cpn(boardprint_cpn::Options::default().lenient(true));
    let text = "B--1----S:R,S:B";
    let reading = lenient.read_text(Format::Cpn, text).expect("a hand out of order");
    let [warning] = reading.warnings[..] else { panic!("{:?}", reading.warnings) };
    assert_eq!((warning.kind().name(), warning.span().start), ("unsorted-hand", text.len() - 3));
    assert!(WarningKind::names().any(|name| name == "unsorted-hand"));
    assert!(ReadOptions::default().read_text(Format::Cpn, text).is_err());
}

#[test]
fn a_fen_of_western_chess_or_makruk_says_how_to_choose() {
    let warned = |options: ReadOptions, fen: &str| -> (Option<Game>, Vec<&str>) {
        let reading = options.read_text(Format::Fen, fen).expect("a position");
        let warnings = reading.warnings.iter().map(|warning| warning.kind().name()).collect();
        (reading.content.finite_kind(), warnings)
    };
    let (open, usual) = ("4k3/8/8/3P4/8/8/8/R3K3 w - - 0 1", ReadOptions::default());
    assert_eq!(warned(usual.clone(), open), (Some(Game::Western), vec!["western-or-makruk"]));
    for game in [Game::Western, Game::Makruk] {
        assert_eq!(warned(usual.clone().game(game), open), (Some(game), vec![]));
    }
    for fen in [
        "4k3/8/8/3P4/8/8/8/R3K3 w Q - 0 1",
        "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
    ] {
        assert_eq!(warned(usual.clone(), fen), (Some(Game::Western), vec![]), "{fen}");
    }
    let counting = "4k3/8/8/8/8/8/8/R3K3 w - 32 6 1";
    assert_eq!(warned(usual, counting), (Some(Game::Makruk), vec![]));
}

#[test]
fn comments_stand_with_the_move_before_them() {
    let pgn = "{of all} 1. e4 {best by test} (1. d4 {in a variation}) e5 ; to the end\n2. Nf3 *";
    let xiangqi = "[Variant \"Xiangqi\"]\n\n{of all} 1. h3e3 {best by test} h10g8 ; to the end\n*";
    let kif = "*of all\n手合割：平手\n   1 ７六歩(77)\n*best by test\n   2 ３四歩(33)\n* to the end\n変化：1手\n*in a variation\n";
    let csa = "'of all\nPI\n+\n+7776FU\n'*best by test\n-3334FU\n' to the end\n";
    for (format, text) in [(Format::Pgn, pgn), (Format::Pgn, xiangqi), (Format::Kif, kif), (Format::Csa, csa)]
    {
        let reading = ReadOptions::default().read_text(format, text).expect("a game");
        let Content::Finite(game) = reading.content else { panic!("a finite game") };
        let remarks =
            game.remarks.iter().map(|remark| (remark.ply, &text[remark.span.start..remark.span.end]));
        assert_eq!(
            remarks.collect::<Vec<_>>(),
            [(0, "of all"), (1, "best by test"), (2, " to the end")],
            "{text}"
        );
    }
}

#[test]
fn a_result_that_only_the_tag_says_is_written_after_the_moves() {
    let written = |text: &str| {
        let reading = ReadOptions::default().read_text(Format::Pgn, text).expect("a game");
        reading.content.write(Format::Pgn, &WriteOptions::default()).expect("PGN").text
    };
    assert!(written("[Result \"1-0\"]\n\n1. e4").ends_with("1. e4 1-0"));
    assert!(written("[Result \"1-0\"]\n\n1. e4 *").ends_with("1. e4 *"), "what stands there counts");
    assert!(written("1. e4").ends_with("1. e4 *"));
}

#[test]
fn blanks_after_a_fen_are_none_of_it_and_an_error_of_sfen_stands_where_it_is() {
    let options = ReadOptions::default();
    for (format, fen) in [
        (Format::Fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (Format::Sfen, "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        (Format::Sfen, "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"),
    ] {
        for blanks in ["", " ", " \t\n"] {
            let text = format!("{fen}{blanks}");
            assert_eq!(options.read_text(format, &text).expect("a position").warnings, [], "{text:?}");
        }
    }
    for (text, wrong) in [
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1", "x"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1x", "1x"),
        ("sfen 4k4 b - 1", "4k4"),
    ] {
        let span = options.read_text(Format::Sfen, text).expect_err("not SFEN").span();
        assert_eq!(&text[span.start..span.end], wrong, "{text}");
    }
}
