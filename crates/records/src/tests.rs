use std::io::Write as _;

use proptest::prelude::*;

use boardprint_games::{Encoding, Record};

use super::*;

type Texts = Vec<Result<String, String>>;

fn read(text: &str, options: &ReaderOptions) -> Texts {
    let reader = Reader::new([Input::text(text)], options.clone().cut_text(true));
    reader.map(|item| item.map(|record| record.text).map_err(|error| error.kind().to_string())).collect()
}

/// The records of a text, which must not depend on how it arrives.
fn cut(format: Format, text: &str) -> Vec<String> {
    let whole = read(text, &ReaderOptions::default().format(format));
    for buffer in [1, 2, 3, 7, 64] {
        assert_eq!(
            read(text, &ReaderOptions::default().format(format).buffer(buffer)),
            whole,
            "buffer of {buffer}"
        );
    }
    whole.into_iter().map(|item| item.unwrap()).collect()
}

fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

mod pgn {
    use super::*;

    const GAME: &str = "[Event \"a {b\"]\n[Site \"c;d\"]\n\n1. e4 {[Event \"x\"]\n[not a tag]} e5 ; [neither\n% [nor]\n(1... c5 \
        {[%clk 1:00]}) 2. Nf3 1-0";

    #[test]
    fn games_end_where_tags_follow_moves() {
        let text = format!("{GAME}\n\n{GAME}\r\n{GAME}");
        assert_eq!(cut(Format::Pgn, &text), [GAME, GAME, GAME]);
    }

    #[test]
    fn games_without_moves_or_without_tags_are_games() {
        let empty = "[Event \"a\"]\n[Result \"*\"]";
        let bare = "1. e4 e5 1-0";
        let text = format!("{empty}\n\n{empty}\n\n*\n\n{bare}\n\n{bare}\n\n{empty}\n{empty}");
        assert_eq!(cut(Format::Pgn, &text), [empty, &format!("{empty}\n\n*"), bare, bare, empty, empty]);
        let line = "[White \"a\"] [Black \"b\"] 1. e4 *";
        assert_eq!(cut(Format::Pgn, &format!("{line}\n{line}")), [line, line]);
    }

    #[test]
    fn a_forgotten_brace_costs_one_game() {
        let bad = "[Event \"a\"]\n\n1. e4 {forgotten e5 1-0";
        for text in [format!("{bad}\n\n{GAME}"), format!("{bad}\n\n{GAME}\n\n")] {
            assert_eq!(cut(Format::Pgn, &text), [bad, GAME]);
        }
    }

    #[test]
    fn latin_1_is_read_and_noted() {
        let (_folder, path) = file(
            "a.pgn",
            b"\xef\xbb\xbf[Event \"M\xfcller\"]\n\n1. e4 *\n\n[Event \"M\xc3\xbcller\"]\n\n*\n",
        );
        let records: Vec<Record> = Reader::open(path).collect::<Result<_, _>>().unwrap();
        assert_eq!(records.len(), 2);
        assert!(
            records[0].text.contains("Müller")
                && records[0].encoding == Encoding::Latin1
                && records[0].byte_order_mark
        );
        assert!(
            records[1].text.contains("Müller")
                && records[1].encoding == Encoding::Utf8
                && !records[1].byte_order_mark
        );
        assert_eq!((records[1].line, records[1].offset), (5, 30));
    }
}

mod json {
    use super::*;

    #[test]
    fn objects_are_cut_by_brackets_outside_strings() {
        let objects = ["{\"a\": \"}\\\"{\"}", "{\n  \"b\": [{\"c\": {}}, []]\n}", "{}"];
        let array = format!("[{}]", objects.join(",\n"));
        let lines = objects.join("\n");
        for text in [array, lines, objects.concat()] {
            assert_eq!(cut(Format::Json, &text), objects);
        }
    }

    #[test]
    fn one_broken_line_spoils_no_other() {
        for bad in ["{\"a\": 1", "{\"a\": \"b", "{\"a\": [1}"] {
            let text = format!("{bad}\n{{\"b\": 2}}\n");
            let records = cut(Format::Json, &text);
            assert_eq!(records.last().unwrap(), "{\"b\": 2}", "{records:?}");
        }
    }

    #[test]
    fn an_array_that_is_not_closed_has_lost_its_end() {
        let unclosed = "the array is not closed; the end of the text may be missing";
        for (text, records) in [("[", 0), ("[ \n", 0), ("[{}", 1), ("[{},\n{\"a\":[]},", 2), ("[] [{}", 1)] {
            for buffer in [1, 64] {
                let options = ReaderOptions::default().format(Format::Json).buffer(buffer);
                let items = read(text, &options);
                assert_eq!(items.len(), records + 1, "{text}");
                assert_eq!(items[records], Err(unclosed.to_owned()), "{text}");
                assert!(items[..records].iter().all(Result::is_ok), "{text}");
            }
        }
        assert_eq!(read("[]\n[{}]", &ReaderOptions::default()), [Ok("{}".to_owned())]);
        assert_eq!(read("{}\n]", &ReaderOptions::default().format(Format::Json)).len(), 2);
    }

    #[test]
    fn other_values_are_refused() {
        let items = read("[1, {\"a\": 2}, null]", &ReaderOptions::default().format(Format::Json));
        let refused = || Err("expected a JSON object".to_owned());
        assert_eq!(items, [refused(), Ok("{\"a\": 2}".to_owned()), refused()]);
    }
}

#[test]
fn lists_skip_blank_lines_and_comments() {
    let text = "# head\r\n\r\n4k3/8/8/8/8/8/8/4K3 w - -\r\n  \n#\n8/8/8/8/8/8/8/8 b - -";
    assert_eq!(cut(Format::Fen, text), ["4k3/8/8/8/8/8/8/4K3 w - -", "8/8/8/8/8/8/8/8 b - -"]);
}

#[test]
fn records_know_their_place() {
    let (_folder, path) =
        file("a.icn", "\n  K1,1|k1,9 1,1>1,2 {é} [Event \"x\"] K1,1\n\nK2,2|k1,9".as_bytes());
    let reader = Reader::open(&path);
    let progress = reader.progress();
    let records: Vec<Record> = reader.collect::<Result<_, _>>().unwrap();
    let places: Vec<_> = records.iter().map(|r| (r.number, r.line, r.column, r.offset)).collect();
    assert_eq!(places, [(1, 2, 3, 3), (2, 2, 25, 26), (3, 4, 1, 44)]);
    assert_eq!(records[1].name(), format!("{}:2", path.display()));
    assert_eq!((progress.bytes(), progress.total()), (53, Some(53)));
}

#[test]
fn a_text_is_one_record_as_it_stands() {
    let text = " K1,1|k1,9\n[Event \"late\"]\nK1,1\n";
    let records: Vec<Record> =
        Reader::new([Input::text(text)], ReaderOptions::default()).collect::<Result<_, _>>().unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(
        (records[0].text.as_str(), records[0].name().as_str(), records[0].format),
        (text, "-e", Format::Icn)
    );
}

#[test]
fn too_long_records_are_items_and_reading_goes_on() {
    let pieces = "Q123456,123456|".repeat(100);
    let moves = "1,1>1,2|".repeat(100);
    let comment = "x".repeat(2000);
    for long in [
        format!("{pieces}K1,1"),
        format!("K1,1|k1,9 {moves}1,1>1,2"),
        format!("K1,1|k1,9 1,1>1,2 {{{comment}}} 1,2>1,3"),
        format!("[Event \"{comment}\"] K1,1"),
    ] {
        for buffer in [16, 64, 100_000] {
            let options = ReaderOptions::default().format(Format::Icn).max_record(150).buffer(buffer);
            let items = read(&format!("k1,9\n{long}\nK2,2|k1,9\n"), &options);
            let refused = Err("the record is longer than 150 bytes".to_owned());
            assert_eq!(items, [Ok("k1,9".to_owned()), refused, Ok("K2,2|k1,9".to_owned())]);
        }
    }
    for (format, long, short) in [
        (Format::Json, format!("{{\"a\": \"{comment}\"}}"), "{}"),
        (Format::Fen, comment.clone(), "8/8 w - -"),
        (Format::Pgn, format!("[Event \"x\"]\n\n{{{comment}}} 1. e4 *"), "[Event \"x\"]\n\n1. e4 *"),
    ] {
        for buffer in [16, 64, 100_000] {
            let options = ReaderOptions::default().format(format).max_record(150).buffer(buffer);
            let items = read(&format!("{short}\n{long}\n{short}\n"), &options);
            let refused = Err("the record is longer than 150 bytes".to_owned());
            assert_eq!(items, [Ok(short.to_owned()), refused, Ok(short.to_owned())], "{format} {buffer}");
        }
    }
}

#[test]
fn text_that_is_not_utf_8_is_an_item() {
    let (_folder, path) = file("a.icn", b"K1,1|k1,9 1,1>1,2 {\xff}\nK1,1\n");
    let items: Vec<_> = Reader::open(path).collect();
    assert!(matches!(items[0].as_ref().unwrap_err().kind(), ReadErrorKind::NotUtf8 { offset: 19 }));
    assert_eq!((items[1].as_ref().unwrap().number, items.len()), (2, 2));
}

#[test]
fn compressed_files_are_told_by_their_first_bytes() {
    let text = "K1,1|k1,9 1,1>1,2\n".repeat(1000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    for bytes in [gzip.finish().unwrap(), bzip2.finish().unwrap(), zstd, text.into_bytes()] {
        // Two members one after another are one file.
        let (_folder, path) = file("a.dat", &bytes.repeat(2));
        let reader = Reader::open(&path);
        let progress = reader.progress();
        assert_eq!(reader.flatten().count(), 2000);
        assert_eq!(Some(progress.bytes()), progress.total());
    }
}

#[test]
fn truncated_files_end_with_the_reason() {
    let lines: Vec<String> = (0..100_000_u64).map(|n| format!("K{n},1|k1,{} 1,1>1,2", n * n)).collect();
    let text = lines.join("\n");
    let bytes = zstd::encode_all(text.as_bytes(), 1).unwrap();
    let (_folder, path) = file("a.icn.zst", &bytes[..bytes.len() / 2]);
    let items: Vec<_> = Reader::open(path).collect();
    let (last, good) = items.split_last().unwrap();
    assert!(good.len() > 100 && good.iter().all(|item| item.as_ref().unwrap().text.ends_with("1,1>1,2")));
    let error = last.as_ref().unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Io(_)) && error.is_fatal_to_source());
    assert!(error.to_string().contains("the compressed data is damaged or cut off: "), "{error}");
    assert_eq!(error.number(), Some(good.len() as u64 + 1));
}

#[test]
fn folders_are_walked_in_name_order() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir(root.join("b")).unwrap();
    for (name, text) in [
        ("c.icn", "K3,1"),
        ("a.icn", "K1,1"),
        ("b/z.icn", "K2,1"),
        ("b/.hidden", "K9,9"),
        ("d", "Dear me"),
        ("README.txt", "K8,8"),
        ("board.PNG", "K7,7"),
    ] {
        std::fs::write(root.join(name), text).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root, root.join("b/loop")).unwrap();
    let reader = Reader::open(root);
    let progress = reader.progress();
    let items: Vec<_> = reader.collect();
    let texts: Vec<&str> = items.iter().flatten().map(|record| record.text.as_str()).collect();
    assert_eq!(texts, ["K1,1", "K2,1", "K3,1"]);
    assert_eq!(progress.skipped(), 3, "the letter, the page about the games, the picture");
    let errors: Vec<String> =
        items.iter().filter_map(|item| item.as_ref().err()).map(|e| e.kind().to_string()).collect();
    let expected = if cfg!(unix) { vec![ReadErrorKind::LinkLoop.to_string()] } else { Vec::new() };
    assert_eq!(errors, expected);
    // What is named is meant.
    let named: Vec<_> = Reader::open(root.join("d")).collect();
    assert!(matches!(named[0].as_ref().unwrap_err().kind(), ReadErrorKind::UnknownFormat));
    assert_eq!(Reader::open(root.join("README.txt")).flatten().count(), 1);
}

#[test]
fn archives_are_told_from_texts() {
    let mut tar = vec![0; 512];
    tar[..5].copy_from_slice(b"a.pgn");
    tar[257..263].copy_from_slice(b"ustar\0");
    for (name, bytes, said) in [
        ("a.zip", &b"PK\x03\x04\x14\0\0\0"[..], "this is a zip archive; unpack it first"),
        ("a.pgn", b"PK\x03\x04\x14\0\0\0", "this is a zip archive"),
        ("a.pgn.xz", b"\xfd7zXZ\0\0\x04", "this is compressed with xz"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "this is a 7z archive"),
        ("a.rar", b"Rar!\x1a\x07\x01\0", "this is a RAR archive"),
        ("a.tar", &tar, "this is a tar archive"),
    ] {
        let (folder, path) = file(name, bytes);
        let items: Vec<_> = Reader::open(&path).collect();
        let error = items[0].as_ref().unwrap_err();
        assert!(error.kind().to_string().starts_with(said), "{name}: {error}");
        assert!(error.is_fatal_to_source() && items.len() == 1, "{name}");
        // In a folder it is passed over like other files that are no games, unless it is called one.
        let reader = Reader::open(folder.path());
        let progress = reader.progress();
        let named = usize::from(name == "a.pgn");
        assert_eq!((reader.count(), progress.skipped()), (named, 1 - named as u64), "{name}");
    }
}

#[test]
fn missing_files_and_utf_16_are_items() {
    let (_folder, path) = file("a.pgn", b"\xff\xfe[\0E\0");
    let inputs = [Input::path("no such file"), Input::path(path), Input::text("K1,1")];
    let items: Vec<_> = Reader::new(inputs, ReaderOptions::default()).collect();
    assert!(matches!(items[0].as_ref().unwrap_err().kind(), ReadErrorKind::Io(_)));
    assert!(matches!(items[1].as_ref().unwrap_err().kind(), ReadErrorKind::Utf16));
    assert!(items[2].is_ok() && items.len() == 3);
}

#[test]
fn empty_files_hold_no_records() {
    for text in ["", "\n\n", "\u{feff}\r\n"] {
        assert_eq!(read(text, &ReaderOptions::default()), []);
    }
}

#[test]
fn formats_are_told_from_the_content() {
    for (text, format) in [
        ("K5,1+|k5,8+", Some(Format::Icn)),
        ("allpiecescaptured K5,1+|k5,8+", Some(Format::Icn)),
        ("w:b:r 3K1,1", Some(Format::Icn)),
        ("[Variant: Classical]\n\nK1,1", Some(Format::Icn)),
        ("[Event \"x\"]\n[Variant \"Classical\"]\n", Some(Format::Icn)),
        ("[Event \"x\"]\n[Variant \"Chess\"]\n", Some(Format::Pgn)),
        ("[Event \"x\"] [Date \"2024.01.01\"] w 0/100 1 (8|1) K1,1", Some(Format::Icn)),
        ("[Event \"x\"]\n\n{note} 1. P5,2 > 5,4", Some(Format::Icn)),
        ("{\"slideLimit\": 7} K1,1|k1,9", Some(Format::Icn)),
        ("{slideLimit: 7} K1,1|k1,9", Some(Format::Icn)),
        ("{\"metadata\": {}}", Some(Format::Json)),
        ("{\"a\": 1}\n{\"a\": 2}", Some(Format::Json)),
        ("[{\"a\": 1}, {\"a\": 2}]", Some(Format::Json)),
        (" [\n {\"a\"", Some(Format::Json)),
        ("[Event \"x\"]\n[Result \"*\"]\n\n*\n\n[Event \"y\"]\n\n1. e4", Some(Format::Pgn)),
        ("[Event \"x\"]\n\n{note} 1.O-O-O", Some(Format::Pgn)),
        ("[ Event \"x\" ]\n[ Site \"y\" ]\n\n1. e4 e5 *", Some(Format::Pgn)),
        ("[ Event: x ] K5,1|k5,8", Some(Format::Icn)),
        ("{note} 1. e4 e5 *", Some(Format::Pgn)),
        ("{ by somebody }\n[Event \"x\"]\n\n1. e4 *", Some(Format::Pgn)),
        ("{note} K5,1|k5,8", Some(Format::Icn)),
        ("; note\n1. e4 e5 *", Some(Format::Pgn)),
        ("1. Nf3 Nf6", Some(Format::Pgn)),
        ("e2e4 e7e5", Some(Format::Pgn)),
        ("# list\n\nB--8,8--,,", Some(Format::Cpn)),
        ("t--1----", Some(Format::Cpn)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Some(Format::Fen)),
        ("4k3/8/8/8/8/8/8/4K3 b - -", Some(Format::Fen)),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", Some(Format::Fen)),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", Some(Format::Sfen)),
        ("4k4/9/9/9/9/9/9/9/4K4[Rr] w - - 0 1", Some(Format::Fen)),
        ("[", Some(Format::Json)),
        ("[,{\"a\"", Some(Format::Json)),
        ("[Event \"x\"]\n", Some(Format::Pgn)),
        ("Dear reader", None),
        ("[package]\nname = \"x\"\n", None),
        ("[[bench]]\nname = \"x\"\n", None),
        ("[x](y)", None),
        ("\0\0\0", None),
        ("", None),
    ] {
        assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
    }
    assert_eq!(Format::of_name("x/a.JSONL.gz"), Some(Format::Json));
    assert_eq!(Format::of_name("a.txt"), None);
}

proptest! {
    #[test]
    fn no_input_makes_a_reader_panic_or_depend_on_its_buffer(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"[]{}\"\n|1,K>;%\\: ".to_vec())], 0..200),
        format in prop::sample::select(Format::ALL.to_vec()), buffer in 1_usize..50
    ) {
        let (_folder, path) = file("a", &bytes);
        let items = |options: ReaderOptions| -> Vec<_> {
            let reader = Reader::new([Input::path(&path)], options.format(format));
            reader.map(|item| item.map_err(|error| (error.to_string(), error.number()))).collect()
        };
        prop_assert_eq!(items(ReaderOptions::default()), items(ReaderOptions::default().buffer(buffer)));
    }
}
