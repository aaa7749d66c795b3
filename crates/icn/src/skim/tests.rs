//! A text that is skimmed says what it says when it is read.

use boardprint_base::{Game, Tag};
use proptest::prelude::*;

use super::{STARTS, Skimmer};
use crate::tests::random::game;
use crate::{ReadOptions, Style, WarningKind, json, parse};

fn skimmer() -> Skimmer {
    Skimmer::new(ReadOptions::default())
}

/// Whether a text is plain. If so, everything that was found in it is compared with what is read.
fn is_plain(skimmer: &mut Skimmer, text: &str) -> bool {
    let Some(found) = skimmer.skim(text) else { return false };
    let reading = parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let parts = json::write_parts(&reading.game);
    let [.., moves, _] = parts.lines().collect::<Vec<_>>()[..] else { panic!("{parts}") };
    let written = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written(&|out| found.write_moves_to(out)), moves, "{text}");
    assert_eq!(found.plies(), reading.game.moves.len(), "{text}");
    for (mv, expected) in found.moves().zip(&reading.game.moves) {
        let mut squares = Vec::new();
        expected.write_squares_to(&mut squares);
        assert_eq!(written(&|out| mv.write_squares_to(out)).as_bytes(), squares, "{text}");
        assert_eq!(mv.promotion().map(|piece| piece.kind), expected.promotion, "{text}");
        assert_eq!(mv.marks(), &*expected.notes.marks, "{text}");
        let comments: Vec<&str> = expected.notes.comments.iter().map(|comment| &**comment).collect();
        assert_eq!(mv.comment().as_slice(), comments, "{text}");
    }
    let tags: Vec<Tag> =
        found.tags().map(|(name, value)| Tag { name: name.into(), value: value.into() }).collect();
    assert_eq!(tags, reading.game.tags, "{text}");
    let others = reading.warnings.iter().filter(|warning| warning.kind() != WarningKind::PieceLetter);
    assert_eq!(found.has_warnings(), others.count() > 0, "{text}: {:?}", reading.warnings);
    if !found.has_letters() {
        assert_eq!(found.has_warnings(), !reading.warnings.is_empty(), "{text}");
    }
    let (slot, number) = found.start();
    let (known, start) = skimmer.start_in(slot).unwrap();
    assert_eq!(known, number);
    assert_eq!(*start, Game { tags: Vec::new(), moves: Vec::new(), ..reading.game }, "{text}");
    true
}

#[test]
fn usual_texts_are_plain() {
    let mut skimmer = skimmer();
    for text in [
        "K5,1|k5,8",
        "w 0/100 1 (8|1) K5,1+|k5,8+ 5,1>5,2",
        "[White \"Tom\"] [Black \"Bén\"]\nK5,1|k5,8 5,1>5,2|5,8>5,7",
        "K5,1|k5,8|P1,7 P1,7>1,8=Q+!|k5,8x5,7{hm}|Q1,8 x 5,7 #",
        "K5,1|k5,8|P1,7 1,7>1,8Q|5,8>5,7",
        "K5,1|k5,8 1. K5,1 > 5,2 | k5,8 > 5,7\n2. K5,2 > 5,3 | k5,7 > 5,6",
        "K5,1|k5,8 1. K5,1 > 5,2 {[%clk 0:09:57.6]} | k5,8 > 5,7 {a [%clk 0:1:1] b}",
        "K5,1|k5,8 5,1>-5,-999999999999999999|am5,8>0,0|",
        "b K5,1|k5,8 5,8>5,7 5,1>5,2",
        // A start that another one begins with.
        "K5,1|k5,8 1",
        "K5,1|k5,8 0/100",
        "K5,1|k5,8 3,3 5,1>5,2",
        "K5,1|k5,8 {\"slideLimit\":100}5,1>5,2",
        // The third player promotes to what the letter of white says.
        "w:b:r K5,1|k5,8|3p1,7 5,1>5,2|5,8>5,7|1,7>1,8=Q",
    ] {
        assert!(is_plain(&mut skimmer, text), "{text}");
        let known = skimmer.starts.len();
        assert!(is_plain(&mut skimmer, text), "{text} with its start known");
        assert_eq!(skimmer.starts.len(), known, "{text}");
    }
}

#[test]
fn a_start_is_learnt_once_whatever_follows_it() {
    let mut skimmer = skimmer();
    for text in ["K5,1|k5,8 5,1>5,2", "K5,1|k5,8 05,1>5,2", "K5,1|k5,8 5,1>>5,2", "K5,1|k5,8 1-0"] {
        for _ in 0..3 {
            is_plain(&mut skimmer, text);
        }
    }
    assert_eq!(skimmer.starts.len(), 1);
    let long: Vec<String> = (0..2_000).map(|x| format!("p{x},7")).collect();
    assert!(!is_plain(&mut skimmer, &format!("{}|K5,1 5,1>5,2", long.join("|"))));
    assert_eq!(skimmer.starts.len(), 1);
}

#[test]
fn whatever_is_unusual_is_not() {
    let mut skimmer = skimmer();
    // So that the start is known.
    assert!(is_plain(&mut skimmer, "K5,1|k5,8"));
    for text in [
        "",
        "K5,1|k5,8 05,1>5,2",
        "K5,1|k5,8 5,1>5,2 {a}{b}",
        "K5,1|k5,8 {a} 5,1>5,2",
        "K5,1|k5,8 5,1>5,2 1-0",
        "K5,1|k5,8 1... 5,1>5,2",
        "K5,1|k5,8 1.",
        "K5,1|k5,8 |Q3,3",
        "K5,1|k5,8 5,1>5,2+5,8>5,7",
        "K5,1|k5,8 5,1>5,1234567890123456789",
        "K5,1|k5,8 5,1>>5,2",
        "K5,1|k5,8 5,1>5,2=",
        "K5,1|k5,8 5,1>5,2=ob",
        "K5,1|k5,8 z5,1>5,2",
        "K5,1|k5,8+ 5,1>5,2{",
        "[White \"\"] K5,1|k5,8 5,1>5,2",
        "[White \"a\"][Black \"b\"] K5,1|k5,8 5,1>5,2",
        "[White \"a\"] [White \"b\"] K5,1|k5,8 5,1>5,2",
        "[White: a] K5,1|k5,8 5,1>5,2",
        "[Variant \"Classical\"] [UTCDate \"yesterday\"] 5,2>5,4",
        "[Variant \"nothing known\"] 5,2>5,4",
        "5,2>5,4",
        "K05,1|k5,8 5,1>5,2",
        "K5,1|K5,1 5,1>5,2",
    ] {
        assert!(!is_plain(&mut skimmer, text), "{text}");
    }
}

#[test]
fn pieces_come_from_the_variant_of_the_time() {
    let mut skimmer = skimmer();
    let omega = |date: &str| format!("[Variant \"Omega\"] [UTCDate \"{date}\"] b 1 2,4>11,4");
    for text in [
        "[Variant \"Classical\"] 5,2>5,4",
        "[Variant \"Classical\"] w 0/100 1 (8|1) 5,2>5,4",
        "[Variant \"Core\"] w 0/100 1 (8|1) P5,2>5,4",
        "[Variant \"Core\"] w 0/100 1 (8|1) K5,1|k5,8 K5,1>5,2",
        "[Variant \"Core\"] w 0/100 1 (8|1) K5,1|k5,8|P3,3 K5,1>5,2",
        &omega("2020.01.01"),
        &omega("2026.01.01"),
        &omega("2020.01.01"),
    ] {
        assert!(is_plain(&mut skimmer, text), "{text}");
        assert!(is_plain(&mut skimmer, text), "{text} with its start known");
    }
    assert_eq!(skimmer.starts.len(), 7);
}

#[test]
fn what_options_do_not_allow_is_not_plain() {
    let text = "[White \"Tom\"] K5,1|k5,8 5,1>5,2|5,8>5,7";
    for options in [
        ReadOptions::default().strict(true),
        ReadOptions::default().max_moves(1),
        ReadOptions::default().max_work(3),
        ReadOptions::default().max_tags(0),
        ReadOptions::default().max_pieces(1),
        ReadOptions::default().max_digits(2),
    ] {
        assert!(Skimmer::new(options).skim(text).is_none());
    }
}

#[test]
fn more_starts_than_are_remembered() {
    let mut skimmer = skimmer();
    for _ in 0..2 {
        for x in 0..STARTS + 9 {
            assert!(is_plain(&mut skimmer, &format!("K{x},1|k5,8 {x},1>5,2")));
        }
    }
}

/// Changes a text here and there.
fn changed(text: &str, changes: &[(prop::sample::Index, char, u8)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (place, letter, kind) in changes {
        let place = place.index(letters.len() + 1);
        match kind {
            0 => letters.insert(place, *letter),
            1 if place < letters.len() => letters[place] = *letter,
            _ if place < letters.len() => drop(letters.remove(place)),
            _ => letters.push(*letter),
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_random_game_says_the_same_skimmed(games in prop::collection::vec((game(), prop::sample::select(&Style::ALL[..])), 1..4)) {
        let mut skimmer = skimmer();
        for (game, style) in games {
            let text = style.write(&game);
            is_plain(&mut skimmer, &text);
            is_plain(&mut skimmer, &text);
        }
    }

    #[test]
    fn a_plain_text_with_slips_says_the_same_skimmed(
        text in prop::sample::select(&PLAIN[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(LETTERS.chars().collect::<Vec<_>>()), 0_u8..3), 0..4)
    ) {
        let mut skimmer = skimmer();
        // So that its start is known.
        prop_assert!(is_plain(&mut skimmer, text));
        is_plain(&mut skimmer, &changed(text, &changes));
    }
}

const LETTERS: &str = "+#!?=|{}[]\"., x>-0123456789eEqQPpKkamwb\n\t:/%c\u{a0}…*";

const PLAIN: [&str; 7] = [
    "[Variant \"Classical\"] [UTCDate \"2024.08.05\"] w 0/100 5,2>5,4|5,7>5,5",
    "[White \"Tom\"] w 0/100 1 (8|1) K5,1+|k5,8+|P1,7 P1,7>1,8=Q|k5,8x5,7{hm}|Q1,8x5,7#",
    "K5,1|k5,8 1. K5,1 > 5,2 | k5,8 > 5,7 +\n2. K5,2 > 5,3 {[%clk 0:09:57.6]} | k5,7 > 5,6",
    "K5,1|k5,8 5,1>5,2|5,8>5,7|5,2>5,3|5,7>-12,-6",
    "b {\"slideLimit\":100} K5,1|k5,8|am3,3 5,8>5,7 5,1>5,2 3,3>4,4",
    "K5,1|k5,8 5,1>5,2|5,8>5,7Q|5,2>5,3!?{a}|",
    "K5,1|k5,8|P1,2 w 1,2>1,4",
];
