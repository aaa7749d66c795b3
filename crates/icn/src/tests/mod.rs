//! What holds for every game, whatever it is and however it is written.

pub(crate) mod random;

use std::sync::Arc;

use boardprint_base::{Game, JsonObject, Laws, Move, Notes, Player, Tag, TurnOrder};
use proptest::prelude::*;

use crate::{Reading, Style, WarningKind, WriteOptions, canonical, canonical_position, parse, write};
use random::game;

fn read(text: &str) -> Reading {
    parse(text).unwrap_or_else(|e| panic!("{e} at {:?}: {text}", e.span()))
}

/// White or black alone is a cycle that text can only give twice over.
fn spelt_out(mut game: Game) -> Game {
    if let [player @ (Player::WHITE | Player::BLACK)] = *game.start.turn.cycle() {
        game.start.turn = TurnOrder::new(vec![player, player]).expect("two players");
    }
    game
}

/// What the canonical text carries.
fn bare(game: &Game) -> Game {
    let mut bare =
        spelt_out(Game { start: game.start.clone(), moves: game.moves.clone(), ..Game::default() });
    bare.moves.iter_mut().for_each(|mv| mv.notes = Notes::default());
    bare
}

/// What text can carry: comments that say something, a closing comment after a result, values of tags in
/// quotes.
fn writable(game: Game) -> Game {
    let mut game = spelt_out(game);
    let speaks = |comment: &str| !comment.trim().is_empty();
    game.opening_comments.retain(|comment| speaks(comment));
    game.moves.iter_mut().for_each(|mv| mv.notes.comments.retain(|comment| speaks(comment)));
    if game.result.is_none() {
        game.closing_comments.clear();
    }
    game.tags.iter_mut().for_each(|tag| tag.value = tag.value.replace('"', "'").into());
    game
}

/// Checks before glyphs, and nothing that the board says as well.
fn tidy(mut game: Game) -> Game {
    for mv in &mut game.moves {
        let (checks, glyphs): (String, String) =
            mv.notes.marks.chars().partition(|mark| "+#".contains(*mark));
        mv.notes = Notes {
            marks: (checks + &glyphs).into(),
            comments: std::mem::take(&mut mv.notes.comments),
            ..Notes::default()
        };
    }
    game
}

/// Without what the board says as well.
fn without_board_notes(mut game: Game) -> Game {
    game.moves.iter_mut().for_each(|mv| (mv.notes.piece, mv.notes.capture) = (None, false));
    game
}

/// Line feeds become spaces.
fn on_one_line(mut game: Game) -> Game {
    let flat = |text: &mut Box<str>| *text = text.replace(['\n', '\r'], " ").into();
    game.tags.iter_mut().for_each(|tag| flat(&mut tag.value));
    game.opening_comments.iter_mut().chain(&mut game.closing_comments).for_each(flat);
    game.moves.iter_mut().flat_map(|mv| &mut mv.notes.comments).for_each(flat);
    game
}

/// The fields of a game's start, its pieces and its tags, each in an order that `seed` decides.
fn shuffled(game: &Game, seed: u64) -> String {
    let mut state = seed | 1;
    let mut shuffle = |list: &mut Vec<String>| {
        for last in (1..list.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            list.swap(last, usize::try_from(state >> 33).expect("31 bits") % (last + 1));
        }
    };
    let mut plain = game.start.clone();
    let extra = plain.laws.extra.clone();
    plain.laws = Arc::new(Laws { extra: JsonObject::default(), ..(*plain.laws).clone() });
    let mut fields: Vec<String> = canonical_position(&plain).split(' ').map(str::to_owned).collect();
    let mut pieces: Vec<String> =
        fields.pop().expect("a list of pieces").split('|').map(str::to_owned).collect();
    shuffle(&mut pieces);
    fields.push(pieces.join("|"));
    if !extra.is_empty() {
        let mut text = Vec::new();
        extra.write_to(&mut text);
        fields.push(String::from_utf8(text).expect("JSON is text"));
    }
    fields.extend(["[Event \"a\"]".to_owned(), "[Site: b]".to_owned(), "[Round]".to_owned()]);
    shuffle(&mut fields);
    let moves = canonical(game)[canonical_position(&game.start).len()..].to_owned();
    fields.join(" ") + &moves
}

/// JSON can say what no text of ICN can: a comment after a result that is missing, and a quote before a bracket.
#[test]
fn what_only_json_can_say_is_lost_aloud() {
    let lost = |json: &str| {
        let game = crate::ReadOptions::default().parse_json(json).unwrap().game;
        [false, true]
            .map(|one_line| WriteOptions::new(Style::Compact).one_line(one_line).lost(&game).to_string())
    };
    let after = r#"{"startingPosition": "K1,1", "closingComments": ["hm"]}"#;
    assert_eq!(lost(after), ["1 comment is left out"; 2]);
    assert_eq!(lost(&after.replace("\"closing", "\"result\": \"*\", \"closing")), ["nothing is left out"; 2]);
    let quotes =
        |value: &str| lost(&format!(r#"{{"metadata": {{"A": "{value}"}}, "startingPosition": "K1,1"}}"#));
    assert_eq!(quotes(r#"a\"b"#), ["nothing is left out"; 2]);
    assert_eq!(quotes(r#"\" ]"#), ["the quotes of 1 tag are left out"; 2]);
    assert_eq!(quotes(r#"\n\""#), ["the quotes of 1 tag are left out", "nothing is left out"]);
}

proptest! {
    #[test]
    fn canonical_text_carries_position_and_moves_and_is_its_own_canonical_text(game in game()) {
        let text = canonical(&game);
        prop_assert!(!text.contains('\n'));
        let reading = read(&text);
        prop_assert_eq!(&reading.game, &bare(&game), "{}", text);
        prop_assert_eq!(canonical(&reading.game), text);
    }

    #[test]
    fn canonical_text_is_read_without_warnings_but_of_its_content(game in game()) {
        let text = canonical(&game);
        let content = [WarningKind::FullMoveZero, WarningKind::MoveRule, WarningKind::WinCondition];
        for warning in read(&text).warnings {
            prop_assert!(content.contains(&warning.kind()), "{:?}: {}", warning, text);
        }
    }

    #[test]
    fn canonical_text_does_not_depend_on_the_order_of_pieces_fields_and_tags(game in game(), seed in any::<u64>()) {
        let text = shuffled(&game, seed);
        prop_assert_eq!(canonical(&read(&text).game), canonical(&game), "{}", text);
    }

    #[test]
    fn compact_text_carries_everything(game in game()) {
        let game = without_board_notes(writable(game));
        let text = Style::Compact.write(&game);
        prop_assert_eq!(read(&text).game, game, "{}", text);
    }

    #[test]
    fn readable_and_moderate_text_carry_everything(game in game(), one_line in any::<bool>(), colon_tags in any::<bool>()) {
        let game = tidy(writable(game));
        let wanted = if one_line { on_one_line(game.clone()) } else { game.clone() };
        for style in [Style::Readable, Style::Moderate, Style::Compact] {
            let options = WriteOptions::new(style).one_line(one_line).colon_tags(colon_tags);
            prop_assert!(options.lost(&game).is_empty());
            let text = options.write(&game);
            prop_assert!(!one_line || !text.contains('\n'), "{}", text);
            let reading = read(&text);
            let kinds: Vec<_> = reading.warnings.iter().map(crate::Warning::kind).collect();
            prop_assert!(!kinds.contains(&WarningKind::PieceLetter), "{}", text);
            prop_assert!(colon_tags || !kinds.contains(&WarningKind::ColonTag), "{}", text);
            prop_assert_eq!(tidy(reading.game), wanted.clone(), "{}", text);
        }
    }

    #[test]
    fn universal_text_carries_what_it_does_not_report(game in game()) {
        let game = writable(game);
        let options = WriteOptions::new(Style::Universal);
        let text = options.write(&game);
        let back = read(&text).game;
        prop_assert_eq!(canonical(&back), canonical(&game), "{}", text);
        prop_assert_eq!(&back.tags, &game.tags);
        let lost = options.lost(&game);
        prop_assert_eq!(lost.is_empty(), tidy(back) == tidy(game), "{} {}", lost, text);
    }

    #[test]
    fn one_move_comes_back_in_every_style(game in game()) {
        let mut position = game.start.clone();
        for mv in &game.moves {
            for style in Style::ALL {
                let text = format!("{} {}", canonical_position(&position), write::move_in(style, mv, &position));
                let back = read(&text).game;
                prop_assert!(back.moves.len() == 1 && back.moves[0].same_move(mv), "{}", text);
            }
            let bare: Move = mv.to_string().parse().unwrap();
            prop_assert!(bare.same_move(mv));
            drop(boardprint_base::replay::play(&mut position, mv));
        }
    }

    #[test]
    fn any_text_gives_an_answer_within_itself(text in r#"[wbrKkQpam0-9,|+>=;:(){}\[\]"'#!?.xe_ \n\u{a0}é…-]{0,60}"#) {
        match parse(&text) {
            Ok(reading) => for warning in reading.warnings {
                prop_assert!(text.get(warning.span().start..warning.span().end).is_some(), "{:?}", warning);
            },
            Err(error) => prop_assert!(text.get(error.span().start..error.span().end).is_some(), "{:?}", error),
        }
    }
}

#[test]
fn comments_that_look_like_rules_stay_comments() {
    for text in ["K1,1|k1,9 1. {first} {a: 1} {last} 1,1>1,2", "b K1,1|k1,9 3. {\"a\":1}"] {
        let game = read(text).game;
        for style in [Style::Compact, Style::Readable] {
            let back = read(&style.write(&game)).game;
            assert_eq!(back.opening_comments, game.opening_comments, "{}", style.write(&game));
            assert_eq!(canonical(&back), canonical(&game));
        }
    }
}

#[test]
fn quotes_in_tags_come_back() {
    for value in ["say \"hi\"", "\"", "a]b", " spaced ", "a\nb", ""] {
        let game =
            Game { tags: vec![Tag { name: "Event".into(), value: value.into() }], ..read("K1,1").game };
        for style in [Style::Compact, Style::Readable] {
            assert_eq!(read(&style.write(&game)).game.tag("Event"), Some(value), "{}", style.write(&game));
        }
    }
}

#[test]
fn the_long_version_of_the_original_text_comes_out_as_printed() {
    let printed = include_str!("../../../../corpus/games/original-long.icn");
    let game = read(printed).game;
    let written = WriteOptions::new(Style::Readable).colon_tags(true).write(&game);
    // The text has a blank at the end of one of its lines.
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&written), lines(printed));
}

#[test]
fn the_compact_version_of_the_original_text_is_the_universal_style() {
    let printed = include_str!("../../../../corpus/games/original-compact.icn");
    let long = read(include_str!("../../../../corpus/games/original-long.icn")).game;
    let written = Style::Universal.write(&long);
    let moves = |text: &str| text.trim_end().lines().last().map(str::to_owned);
    assert_eq!(moves(&written), moves(printed));
    assert_eq!(canonical(&long), canonical(&read(printed).game));
}

#[test]
fn names_of_styles_and_dialects_come_back() {
    for style in Style::ALL {
        assert_eq!(style.to_string().parse(), Ok(style));
    }
    for dialect in crate::Dialect::ALL {
        assert_eq!(dialect.to_string().parse(), Ok(dialect));
    }
    assert_eq!("pretty".parse::<Style>().unwrap_err().to_string(), "unknown style");
}
