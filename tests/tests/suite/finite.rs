//! Records of the finite games in every format and encoding: `corpus/finite/records` and what they hold.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use boardprint_finite::Game;
use boardprint_games::{Content, Encoding, Format, ReadOptions, WriteOptions};
use boardprint_records::{Input, Reader, ReaderOptions};

fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/finite"))
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(corpus().join("records"))
        .expect("records")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    files
}

/// One line per record: file, number, encoding, half-moves, result, way of ending, warnings, last position.
#[test]
fn every_record_holds_what_the_table_says() {
    let mut found = String::from("file\trecord\tencoding\tplies\tresult\tending\twarnings\tlast position\n");
    for path in files() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for record in Reader::new([Input::argument(&path)], ReaderOptions::default()) {
            let record = record.expect("every record is text");
            let reading =
                ReadOptions::default().read(&record).unwrap_or_else(|error| panic!("{name}: {error}"));
            let content = &reading.content;
            let last = content.at(content.plies()).expect("every move is legal");
            let fen = last.write(Format::Fen, &WriteOptions::default()).expect("every position is a FEN");
            let warnings: Vec<&str> = reading.warnings.iter().map(|warning| warning.kind().name()).collect();
            let result = content.result().map_or("-", |result| result.as_str());
            let ending = content.tag("Termination").unwrap_or("-");
            let (number, encoding, plies) = (record.number, record.encoding, content.plies());
            let warnings = if warnings.is_empty() { "-".to_owned() } else { warnings.join(",") };
            let _ = writeln!(
                found,
                "{name}\t{number}\t{encoding}\t{plies}\t{result}\t{ending}\t{warnings}\t{}",
                fen.text
            );
        }
    }
    let table = fs::read_to_string(corpus().join("records.tsv")).expect("the table");
    assert_eq!(found, table);
}

/// What is written in another format is the same game, and ends in the same way as far as the format says.
#[test]
fn every_record_survives_every_format() {
    for path in files() {
        for record in Reader::new([Input::argument(&path)], ReaderOptions::default()) {
            let record = record.expect("every record is text");
            let name = record.name();
            let content = ReadOptions::default().read(&record).expect("a record of the table").content;
            let formats: &[Format] = match content.finite_kind() {
                Some(Game::Shogi) => &[Format::Pgn, Format::Csa, Format::Kif, Format::Usi, Format::Uci],
                _ => &[Format::Pgn, Format::Uci],
            };
            for to in formats {
                let written = content.write(*to, &WriteOptions::default()).expect("a format of the game");
                assert_eq!(Format::detect(written.text.as_bytes()), Some(*to), "{name}: {}", written.text);
                let back = ReadOptions::default()
                    .game(content.finite_kind())
                    .read_text(*to, &written.text)
                    .unwrap_or_else(|error| panic!("{name} as {to}: {error}\n{}", written.text));
                assert!(back.warnings.is_empty(), "{name} as {to}: {:?}\n{}", back.warnings, written.text);
                let back = back.content;
                assert_eq!(
                    back.game_text().digest(),
                    content.game_text().digest(),
                    "{name} as {to}: {}",
                    written.text
                );
                if matches!(to, Format::Csa | Format::Kif) {
                    assert_eq!(back.result(), content.result(), "{name} as {to}: {}", written.text);
                    for tag in ["White", "Black", "Event", "Date"] {
                        assert_eq!(
                            back.tag(tag).unwrap_or_default(),
                            content.tag(tag).unwrap_or_default(),
                            "{name} as {to}"
                        );
                    }
                }
                let again = back.write(*to, &WriteOptions::default()).expect("the same format");
                assert_eq!(again.text, written.text, "{name}: written twice is written once");
            }
        }
    }
}

#[test]
fn encodings_are_told_apart() {
    let text = "手合割：平手\n";
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(text);
    assert_eq!(Format::detect(&bytes), Some(Format::Kif));
    assert_eq!(Encoding::decode(&bytes, Format::Kif).map(|(_, encoding)| encoding), Some(Encoding::ShiftJis));
    // Half of a character is not text.
    assert!(Encoding::decode(&bytes[..1], Format::Kif).is_none());
    assert_eq!(
        Encoding::decode(b"[Event \"M\xfcller\"]", Format::Pgn).map(|(_, encoding)| encoding),
        Some(Encoding::Latin1)
    );
}

#[test]
fn illegal_moves_say_why_and_where() {
    let cases = [
        (Format::Csa, "V2.2\nPI\n+\n+8822UM\n", "illegal move: the way is blocked", 4, 1),
        (
            Format::Kif,
            "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩打\n",
            "illegal move: there is no such piece in hand",
            3,
            6,
        ),
        (Format::Usi, "startpos moves 7g7f 7g7f", "illegal move: there is no piece", 1, 21),
        (Format::Pgn, "[Variant \"Xiangqi\"]\n\n1. h3h11\n", "this is not a move", 3, 4),
        (Format::Pgn, "[Variant \"Xiangqi\"]\n\n1. 马二进四 *\n", "illegal move:", 3, 4),
        (Format::Pgn, "1. e4 e5 2. Ke3", "illegal move: the piece does not move that way", 1, 13),
        (Format::Csa, "V2.2\nPI\n+\n+7776FU\n%TORYO\n-3334FU\n", "moves after the result", 6, 1),
        (Format::Kif, "手合割：平手\n▲７六歩 △３四歩\n", "expected numbered moves", 2, 1),
        (Format::Pgn, "[Variant \"Crazyhouse\"]\n\n1. e4 *", "this game is not known", 1, 11),
    ];
    for (format, text, message, line, column) in cases {
        let error = ReadOptions::default().read_text(format, text).expect_err(text);
        assert!(error.to_string().starts_with(message), "{text}: {error}");
        let place = error.line_column(text);
        assert_eq!((place.line, place.column), (line, column), "{text}: {error}");
    }
}

#[test]
fn a_game_is_read_as_far_as_it_goes() {
    let text = "V2.2\nN+A\nPI\n+\n+7776FU\n-3334FU\n+5955OU\n";
    let (reading, error) = ReadOptions::default().read_as_far(Format::Csa, text);
    let content = reading.expect("the start is good").content;
    assert_eq!(content.plies(), 2);
    assert_eq!(content.tag("White"), Some("A"));
    assert_eq!(error.map(|error| error.span().start), Some(30));
    assert!(matches!(content, Content::Finite(_)));
}

#[test]
fn the_game_of_a_fen_is_told_or_asked_for() {
    let read = |text: &str| {
        ReadOptions::default().read_text(Format::Fen, text).map(|reading| reading.content.finite_kind())
    };
    assert_eq!(read(Game::Xiangqi.start()), Ok(Some(Game::Xiangqi)));
    assert_eq!(read(Game::Janggi.start()), Ok(Some(Game::Janggi)));
    assert_eq!(read(Game::Shogi.start()), Ok(Some(Game::Shogi)));
    assert_eq!(read(Game::Makruk.start()), Ok(Some(Game::Makruk)));
    assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), Ok(Some(Game::Western)), "unless Makruk is named");
    let open = read("4k4/9/9/9/9/9/9/9/9/4K3R w - - 0 1").expect_err("two games have such positions");
    assert_eq!(open.to_string(), "this may be a position of Xiangqi or of Janggi");
    assert_eq!(open.hint().as_deref(), Some("say which: `--game xiangqi` or `--game janggi`"));
    let pocket = read("4k3/8/8/8/8/8/8/4K2R[Qn] w K - 0 1").expect_err("Crazyhouse");
    assert!(pocket.to_string().contains("Crazyhouse"), "{pocket}");
}
