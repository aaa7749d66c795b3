//! The text formats: what is read can be written, and what is written is read as the same.

use boardprint_base::{Game, Span};
use boardprint_bridge::fen::{Fen, FenExt as _, Game as FenGame};
use boardprint_bridge::{Lossy, Marks, Namer, game_hash, list};
use boardprint_cpn::{Actor, Cpn, Revision};
use boardprint_games::{Content, Format, ReadOptions, WriteOptions, pgn};
use boardprint_icn::json::{MoveForm, write};
use boardprint_icn::{Dialect, Reading, Style, canonical};

/// Enough for every property, small enough that a number of many digits costs no time.
fn options() -> boardprint_icn::ReadOptions {
    boardprint_icn::ReadOptions::default().max_digits(2_000)
}

fn assert_within(text: &str, span: Span) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} is outside");
}

/// ICN: errors lie within the text; plain spelling is read as any other; canonical twice is once; every style
/// and the JSON long form come back.
pub fn icn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for dialect in Dialect::ALL {
        if let Err(error) = options().strict(true).dialect(dialect).parse(text) {
            assert_within(text, error.span());
        }
    }
    let read = options().parse(text);
    // With so low a limit there is no short way through plain spelling. Where no number is long it changes
    // nothing.
    let is_short = |digits: &str| digits.len() <= 10;
    let has_power = text.as_bytes().windows(2).any(|two| two[0].is_ascii_digit() && two[1] | 0x20 == b'e');
    if !has_power && text.split(|c: char| !c.is_ascii_digit()).all(is_short) {
        let long_way = boardprint_icn::ReadOptions::default().max_digits(10).parse(text);
        assert_eq!(
            read.as_ref().map(|reading| &reading.game),
            long_way.as_ref().map(|reading| &reading.game)
        );
        let warnings = |reading: &Reading| format!("{:?}", reading.warnings);
        assert_eq!(read.as_ref().ok().map(warnings), long_way.as_ref().ok().map(warnings));
    }
    match read {
        Err(error) => {
            assert_within(text, error.span());
            assert!(!error.to_string().is_empty());
            let _ = (error.hint(), error.line_column(text));
        }
        Ok(reading) => {
            reading.warnings.iter().for_each(|warning| assert_within(text, warning.span()));
            same_in_every_form(&reading.game);
        }
    }
}

/// The JSON long form: as ICN.
pub fn json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match options().parse_json(text) {
        Err(error) => {
            assert_within(text, error.span());
            let _ = (error.to_string(), error.hint());
        }
        Ok(reading) => {
            reading.warnings.iter().for_each(|warning| assert_within(text, warning.span()));
            same_in_every_form(&reading.game);
        }
    }
}

/// A game is the same game in every form that we write.
fn same_in_every_form(game: &Game) {
    let wanted = canonical(game);
    for style in Style::ALL {
        let written = style.write(game);
        let back = options().parse(&written).unwrap_or_else(|error| panic!("{error} in {written:?}"));
        assert_eq!(canonical(&back.game), wanted, "as {}: {written:?}", style.name());
        assert_eq!(game_hash(&back.game), game_hash(game));
    }
    for form in [MoveForm::Strings, MoveForm::Objects] {
        // Moves as objects need a board to be played on.
        let Ok(written) = write(game, form) else { continue };
        let back = options().parse_json(&written).unwrap_or_else(|error| panic!("{error} in {written:?}"));
        assert_eq!(canonical(&back.game), wanted, "{written:?}");
        assert_eq!(back.game.tags, game.tags, "{written:?}");
    }
    for marks in [Marks::AsGiven, Marks::Usable] {
        let (cpn, _) = Lossy::parts(list::to_cpn(&game.start, marks));
        assert_eq!(Namer::with_marks(marks).cpn(&game.start), cpn.as_str().as_bytes());
        let back = list::from_cpn(&cpn).unwrap_or_else(|error| panic!("{error} in {cpn}"));
        assert_eq!(Namer::with_marks(marks).cph(&back), cpn.cph(), "{cpn}");
    }
}

/// CPN: what is read is written as it was; a list is the list of its position; a board of a known game comes
/// back from FEN.
pub fn cpn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let free = boardprint_cpn::Options::default().free_names(true).read(text);
    let strict: Result<Cpn, _> = text.parse();
    for read in [&free, &strict] {
        match read {
            Ok(cpn) => assert_eq!(cpn.as_str(), text),
            Err(error) => assert_within(text, error.span()),
        }
    }
    let Ok(cpn) = strict else { return };
    assert!(free.is_ok(), "strict is a part of free");
    assert_eq!(cpn.cells().count(), cpn.len());
    for revision in [Revision::Y2014, Revision::Y2015, Revision::Y2019] {
        let other = cpn.in_revision(revision);
        assert_eq!(other.as_str().parse::<Cpn>().as_ref(), Ok(&other), "{other}");
        assert_eq!(other.in_revision(revision), other);
    }
    if let Ok(position) = list::from_cpn(&cpn) {
        let (back, _) = Lossy::parts(list::to_cpn(&position, Marks::AsGiven));
        assert_eq!(back, cpn.in_revision(Revision::Y2015));
    }
    if let Ok(fen) = Fen::from_cpn(&cpn, None) {
        fen_comes_back(&fen);
    }
}

/// GAN: what is read is written as it was.
pub fn gan(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Actor::parse(text) {
        Err(error) => assert_within(text, error.span()),
        Ok(actor) => {
            assert_eq!(actor.as_str(), text);
            let mut out = String::new();
            actor.write_to(actor.revision().unwrap_or(Revision::Y2015), &mut out);
            assert_eq!(out, text);
            assert!(text.ends_with(actor.abbreviation()) && text.starts_with(actor.game()));
        }
    }
}

/// FEN of every game: what is read is written in one spelling that is read as the same, and comes back from
/// CPN.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for game in FenGame::ALL {
        match Fen::read(game, text) {
            Err(error) => assert_within(text, error.span()),
            Ok(fen) => fen_comes_back(&fen),
        }
    }
}

/// SFEN: as FEN.
pub fn sfen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Fen::read_sfen(text) {
        Err(error) => assert_within(text, error.span()),
        Ok(fen) => fen_comes_back(&fen),
    }
}

fn fen_comes_back(fen: &Fen) {
    let written = fen.to_string();
    // A move number of SFEN counts half-moves, so that the FEN of one says less.
    let back = Fen::read(fen.game(), &written).unwrap_or_else(|error| panic!("{error} in {written}"));
    assert_eq!(back.to_string(), written);
    if let Some(written) = fen.to_sfen() {
        let back = Fen::read_sfen(&written).unwrap_or_else(|error| panic!("{error} in {written}"));
        assert_eq!(back.to_sfen().as_deref(), Some(written.as_str()));
    }
    let (cpn, _) = Lossy::parts(fen.to_cpn(Some(Marks::AsGiven)));
    let back = Fen::from_cpn(&cpn, Some(fen.game())).unwrap_or_else(|error| panic!("{error} in {cpn}"));
    assert_eq!(Lossy::parts(back.to_cpn(Some(Marks::AsGiven))).0, cpn);
    let _ = (fen.to_cpn(None), fen.to_cpn(Some(Marks::Usable)));
}

/// PGN: where a game breaks off lies within the text; new tags do not change it; what is written is read as
/// the same game.
pub fn pgn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let tagged = pgn::with_tags(text, &[("Annotator".to_owned(), "\\ \"]".to_owned())]);
    let game = match pgn::read(text) {
        Err(error) => {
            assert_within(text, error.span());
            let same = pgn::read(&tagged).is_err_and(|again| again.plies() == error.plies());
            assert!(same, "{tagged:?}");
            return;
        }
        Ok(game) => Content::Finite(game),
    };
    let back = Content::Finite(pgn::read(&tagged).expect("new tags do no harm"));
    assert_eq!(back.game_text(), game.game_text(), "{tagged:?}");
    assert_eq!(back.result(), game.result(), "{tagged:?}");
    let written = game.write(Format::Pgn, &WriteOptions::default()).expect("it was read from PGN").text;
    let again = ReadOptions::default().read_text(Format::Pgn, &written).expect("it was written");
    assert_eq!(again.content.game_text(), game.game_text(), "{written:?}");
    super::finite::same_in_every_form(&game);
}
