//! Games of the finite games: what is read is the same game in every format and notation that has it.

use boardprint_finite::Notation;
use boardprint_games::{Content, Encoding, Format, ReadOptions, WriteOptions};

/// CSA: as every text of a game.
pub fn csa(bytes: &[u8]) {
    game(Format::Csa, bytes);
}

/// KIF: as every text of a game.
pub fn kif(bytes: &[u8]) {
    game(Format::Kif, bytes);
}

/// Lines of engines: as every text of a game, with both protocols.
pub fn usi(bytes: &[u8]) {
    game(Format::Usi, bytes);
    game(Format::Uci, bytes);
}

/// Errors and warnings lie within the text; what is read can be written and comes back.
fn game(format: Format, bytes: &[u8]) {
    let Some((text, _)) = Encoding::decode(bytes, format) else { return };
    let within =
        |start: usize, end: usize| assert!(text.get(start..end).is_some(), "{start}..{end} is outside");
    let (reading, error) = ReadOptions::default().read_as_far(format, &text);
    if let Some(error) = &error {
        within(error.span().start, error.span().end);
        let _ = (error.to_string(), error.hint(), error.line_column(&text));
    }
    assert!(reading.is_some() || error.is_some());
    let Some(reading) = reading else { return };
    for warning in &reading.warnings {
        within(warning.span().start, warning.span().end);
    }
    same_in_every_form(&reading.content);
}

/// A game of a finite game is the same game in every form that we write.
pub(super) fn same_in_every_form(content: &Content<'_>) {
    let Some(kind) = content.finite_kind() else { return };
    let options = ReadOptions::default().game(kind);
    let comes_back = |to: Format, how: &WriteOptions| {
        // Only Shogi has some of them, and not every position can be played from.
        let Ok(written) = content.write(to, how) else { return };
        let back = options.read_text(to, &written.text);
        let back = back.unwrap_or_else(|error| panic!("as {to}: {error} in {:?}", written.text));
        assert_eq!(back.content.game_text(), content.game_text(), "as {to}: {:?}", written.text);
    };
    for to in [Format::Csa, Format::Kif, Format::Usi, Format::Uci] {
        comes_back(to, &WriteOptions::default());
    }
    for notation in Notation::ALL.iter().filter(|notation| !matches!(notation, Notation::Csa | Notation::Kif))
    {
        comes_back(Format::Pgn, &WriteOptions::default().notation(*notation));
    }
}
