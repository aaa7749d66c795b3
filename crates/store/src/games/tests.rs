use boardprint_base::Digest;
use boardprint_bridge::fen::{Fen, FenExt as _, Game as FenGame};
use boardprint_bridge::{Lossy, Marks};

use super::*;
use crate::db::Replayed;

/// A record of every format, good ones.
const GOOD: [(Format, &str); 12] = [
    (
        Format::Icn,
        "[White \"A\"] [Result \"1-0\"] w 3/100 7 (8|1) k5,8+|r8,8+|p4,7+|P5,5|K5,1 K5,1>5,2|p4,7>4,5|P5,5>4,6",
    ),
    (Format::Icn, "koth K0,0|k99999999999999999999,9"),
    (Format::Icn, "[Variant \"Classical\"] 5,2>5,4|5,7>5,5"),
    (Format::Json, r#"{"startingPosition": {"5,1": "kingsW", "5,8": "kingsB"}, "moves": ["5,1>5,2"]}"#),
    (Format::Cpn, "B--2--INFINITE:^K_0_0,infinite:^k_1000_n999--"),
    (Format::Cpn, "B--1,3--w:_k,,W:_K--"),
    (Format::Fen, "8/8/8/8/8/8/8/8 w - - 0 1"),
    (Format::Fen, "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"),
    (Format::Sfen, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    (Format::Pgn, "[White \"A \\\"B\\\"\"]\n\n1. e4 {best} e5 2. Nf3 (2. f4) Nc6 3. Bb5 a6 4. O-O 1/2-1/2"),
    (Format::Pgn, "[FEN \"r1k4r/pppppppp/8/8/8/8/PPPPPPPP/R1K4R w KQkq - 0 1\"]\n\n1. O-O O-O-O 2. -- a6 *"),
    (Format::Pgn, "[Event \"empty\"]\n\n0-1"),
];

#[test]
fn replaying_gives_what_came_in() {
    for profile in [Profile::Plain, Profile::Rights] {
        let rules = Rules::new(profile);
        for (format, text) in GOOD {
            let new = rules.game(format, text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
            assert_eq!(new.positions.len(), new.game.moves.len() + 1, "{text}");
            for (hash, ply) in &new.positions {
                let alone = rules.position(&new.game, *ply).unwrap().map(|text| rules.hash(&text));
                assert_eq!(alone, Some(*hash), "{text}, ply {ply}");
            }
            assert_eq!(rules.position(&new.game, 1_000), Ok(None), "{text}");
            for plies in [0, 2, 1_000] {
                let mut hashes = Vec::new();
                rules.each_hash(&new.game, plies, &mut |hash| hashes.push(*hash)).unwrap();
                let upto = new.positions.iter().filter(|(_, ply)| *ply <= plies);
                assert_eq!(hashes, upto.map(|(hash, _)| *hash).collect::<Vec<_>>(), "{text}");
            }
            let replayed = rules.replay(&new.game);
            assert_eq!(
                replayed,
                Ok(Replayed { hash: new.hash, positions: new.positions, laws: new.laws }),
                "{text}"
            );
        }
    }
}

#[test]
fn exported_text_is_the_same_game() {
    let rules = Rules::new(Profile::Rights);
    for (format, text) in GOOD {
        let new = rules.game(format, text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
        let written = rules.text(&new.game).unwrap_or_else(|why| panic!("{text}: {why}"));
        let form: Format = rules.form(&new.game).name().parse().expect("forms are formats");
        if format == Format::Sfen {
            assert_eq!(form, Format::Fen);
        }
        let again = rules.game(form, &written).unwrap_or_else(|refusal| panic!("{written}: {refusal:?}"));
        assert_eq!((again.hash, again.positions), (new.hash, new.positions), "{written}");
        // PGN says in its own words where a game starts.
        let tags = |game: &StoredGame| {
            let of_start = |tag: &(&str, &str)| !["Variant", "SetUp", "FEN"].contains(&tag.0);
            game.tags.iter().filter(of_start).collect::<Tags>()
        };
        assert_eq!(tags(&again.game), tags(&new.game), "{written}");
        assert_eq!(again.game.result, new.game.result, "{written}");
    }
}

#[test]
fn kept_text_comes_back_as_it_was() {
    let rules = Rules::new(Profile::Plain).keep_text(true);
    for (format, text) in GOOD.into_iter().filter(|(format, _)| matches!(format, Format::Icn | Format::Pgn)) {
        let new = rules.game(format, text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
        assert_eq!(rules.text(&new.game).as_deref(), Ok(text));
    }
}

#[test]
fn western_names_are_those_of_fen() {
    let text = "1. e4 a6 2. e5 d5 3. Nf3";
    for (profile, marks) in [(Profile::Plain, None), (Profile::Rights, Some(Marks::Usable))] {
        let game = Rules::new(profile).game(Format::Pgn, text).expect("a good game");
        let name = |fen: &str| {
            let fen = Fen::read(FenGame::Western, fen).expect("a good FEN");
            Digest::of(Lossy::parts(fen.to_cpn(marks)).0.as_str().as_bytes())
        };
        let after = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "rnbqkbnr/1pp1pppp/p7/3pP3/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 3",
        ];
        let expected: Vec<(Digest, u32)> = after.into_iter().map(name).zip(0..).collect();
        assert_eq!(game.positions, expected, "{profile:?}");
    }
}

#[test]
fn bad_records_say_why_and_where() {
    let rules = Rules::new(Profile::Plain);
    let refused = |format, text: &str| {
        let refusal = rules.game(format, text).expect_err(text);
        (refusal.span().start, refusal.to_string())
    };
    assert_eq!(refused(Format::Icn, "K1,1|k1,9 3,3>4,4"), (0, "ply 1: no piece stands on 3,3".to_owned()));
    assert_eq!(refused(Format::Icn, "K1,1|Z3,3").0, 5);
    let (at, message) = refused(Format::Pgn, "1. e4 e5 2. Ke3");
    assert_eq!(at, 12);
    assert!(message.starts_with("illegal move"), "{message}");
}

#[test]
fn laws_are_told_apart_and_starts_are_not() {
    let rules = Rules::new(Profile::Plain);
    let laws = |text: &str| rules.laws(&rules.game(Format::Icn, text).expect("a good game").game);
    assert_eq!(laws("b 7/100 9 (8|1) koth K1,1|k1,9"), Some("0/100 (8|1) koth".to_owned()));
    assert_eq!(laws("K1,1|k1,9"), Some(String::new()));
}
