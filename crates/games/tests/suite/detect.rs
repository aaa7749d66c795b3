//! The format of a text, told from tricky beginnings.

use boardprint_games::{Format, read};

/// Beginnings that look like something else at first sight, and what they are.
const TRICKY: &[(&str, Option<Format>)] = &[
    // ICN with tags: a text with tags that has a piece list is ICN.
    ("[White \"A\"]\n[Black]\n\nK1,1|k9,9 1,1>1,2", Some(Format::Icn)),
    ("[Foo] K1,1|k9,9", Some(Format::Icn)),
    ("[anything goes here]\nK1,1|k9,9", Some(Format::Icn)),
    ("[White \"A\"] [Black \"B\"] w 0/100 1 (8|1) K1,1|k9,9", Some(Format::Icn)),
    ("[White: A][Black: B]\nK1,1|k9,9", Some(Format::Icn)),
    ("[Event \"e\"]\n[White \"A\"]\n\nP4,2+|K1,1|k9,9", Some(Format::Icn)),
    ("[Variant \"Classical\"]\n5,2>5,4", Some(Format::Icn)),
    ("[Variant \"Classical\"]", Some(Format::Icn)),
    ("[Result \"1-0\"]\nb K1,1|k9,9", Some(Format::Icn)),
    // ICN without tags, any field first.
    ("{\"slideLimit\": 100} K1,1|k9,9", Some(Format::Icn)),
    ("{slideLimit: 100} K1,1|k9,9", Some(Format::Icn)),
    ("{ a comment } K1,1|k9,9", Some(Format::Icn)),
    ("(8|1) K1,1|k9,9", Some(Format::Icn)),
    ("0/100 K1,1|k9,9", Some(Format::Icn)),
    ("w:b:r K1,1|k9,9|3K5,5", Some(Format::Icn)),
    ("_,_,0,8 K1,1|k9,9", Some(Format::Icn)),
    ("koth K1,1|k9,9", Some(Format::Icn)),
    ("K1,1|k9,9 1. K1,1 > 1,2", Some(Format::Icn)),
    ("\u{feff}\n\n# a comment line\nK1,1|k9,9", Some(Format::Icn)),
    // PGN.
    ("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *", Some(Format::Pgn)),
    ("{a game} 1. e4 e5 *", Some(Format::Pgn)),
    ("{[%clk 0:01:00]} 1. e4 e5", Some(Format::Pgn)),
    ("; a comment line\n1. e4 e5 *", Some(Format::Pgn)),
    ("% escaped\n% again\n[Event \"x\"]\n\n1. d4 *", Some(Format::Pgn)),
    ("\n\n\r\n  \n[Event \"x\"]\n\n1. d4 *", Some(Format::Pgn)),
    ("\u{feff}[Event \"x\"]\n\n*", Some(Format::Pgn)),
    ("[Event \"x ] K1,1|k9,9\"]\n\n1. d4 *", Some(Format::Pgn)),
    ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *", Some(Format::Pgn)),
    ("1. e4", Some(Format::Pgn)),
    ("1.e4 e5 2.Nf3", Some(Format::Pgn)),
    ("e4 e5 Nf3", Some(Format::Pgn)),
    ("1. O-O", Some(Format::Pgn)),
    // JSON: one game, lines, an array.
    ("{\"startingPosition\":{\"1,1\":\"kingsW\"}}", Some(Format::Json)),
    ("{\"metadata\":{},\"moves\":[]}\n{\"metadata\":{},\"moves\":[]}\n", Some(Format::Json)),
    ("[\n  {\"startingPosition\":{}}\n]", Some(Format::Json)),
    ("[]", Some(Format::Json)),
    ("{}", Some(Format::Json)),
    ("{ \"a\": \"}\" }\n", Some(Format::Json)),
    // CPN.
    ("B--2--INFINITE:^K_0_0,infinite:^k_1000_n999--", Some(Format::Cpn)),
    ("t--8,8--,,,", Some(Format::Cpn)),
    ("B------", Some(Format::Cpn)),
    // FEN of each game, and SFEN.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some(Format::Fen)),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Some(Format::Fen)),
    ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"x\";", Some(Format::Fen)),
    ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", Some(Format::Fen)),
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1", Some(Format::Fen)),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", Some(Format::Fen)),
    ("rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1", Some(Format::Fen)),
    ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", Some(Format::Sfen)),
    ("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", Some(Format::Sfen)),
    // Other languages.
    ("", None),
    ("  \n\n", None),
    ("Dear reader", None),
    ("[section]\nkey = 1", None),
    ("<html>", None),
];

#[test]
fn tricky_beginnings_are_told_apart() {
    let wrong: Vec<String> = TRICKY
        .iter()
        .filter(|(text, format)| Format::detect(text.as_bytes()) != *format)
        .map(|(text, format)| format!("{text:?}: {:?}, not {format:?}", Format::detect(text.as_bytes())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line of an engine is of no format that begins otherwise.
#[test]
fn a_line_for_an_engine_is_neither_icn_nor_fen() {
    for text in ["startpos moves e2e4 e7e5", "position startpos moves e2e4", "startpos moves 7g7f"] {
        let format = Format::detect(text.as_bytes());
        assert!(!matches!(format, Some(Format::Icn | Format::Fen | Format::Sfen)), "{text}: {format:?}");
    }
}

#[test]
fn icn_with_free_tags_can_be_read_as_what_it_was_told_to_be() {
    for (text, format) in
        TRICKY.iter().filter(|(text, _)| text.starts_with('[') && text.contains("K1,1|k9,9"))
    {
        if *format == Some(Format::Icn) {
            assert!(read(text).is_ok_and(|content| content.finite_kind().is_none()), "{text}");
        }
    }
}
