//! Where the fuzzer and the mutations begin: the texts of the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use boardprint_games::Format;
use boardprint_records::{Reader, ReaderOptions};
use serde_json::Value;

use super::{linear, program, store};

/// Bytes to begin with, and a name for them.
pub struct Seed {
    /// What it is, such as `icn-12`.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The longest seed: changing a longer one finds no more and costs more.
const LONGEST: usize = 4096;

/// The seeds of a property, the same on every machine.
///
/// # Panics
///
/// If the corpus cannot be read.
#[must_use]
pub fn seeds(property: &str) -> Vec<Seed> {
    let texts: Vec<Vec<u8>> = match property {
        "icn" | "render" => texts(&["icn", "games"], Rows::Apart),
        "replay" => texts(&["replay", "games", "icn/valid"], Rows::Apart),
        "json" => texts(&["json", "icn/bugs"], Rows::Apart),
        "cpn" => texts(&["cpn", "fen", "identity"], Rows::Apart),
        "gan" => texts(&["cpn"], Rows::Apart),
        "fen" | "sfen" => texts(&["fen"], Rows::Apart),
        "pgn" => {
            let files =
                texts(&["pgn", "finite/records/notations.pgn", "finite/records/tandem.pgn"], Rows::Together);
            files.iter().flat_map(|file| pgn_games(file)).collect()
        }
        "csa" => finite_records(Format::Csa),
        "kif" => finite_records(Format::Kif),
        "usi" => [finite_records(Format::Usi), finite_records(Format::Uci)].concat(),
        "fairy" => texts(&["fairy"], Rows::Apart),
        "store" => store::seeds(),
        "linear" => stretchable(),
        _ => texts(&["games", "icn", "json", "cpn", "fen", "pgn", "finite/records"], Rows::Together),
    };
    let mut texts: Vec<Vec<u8>> = texts.into_iter().filter(|text| text.len() <= LONGEST).collect();
    if property == "program" {
        // A command in front; the last one reads pieces.
        let commands = (0_u8..).take(program::COMMANDS.len()).cycle();
        texts = texts.into_iter().zip(commands).map(|(text, which)| [vec![which], text].concat()).collect();
        let last = u8::try_from(program::COMMANDS.len() - 1).expect("few commands");
        texts.extend(
            self::texts(&["fairy/pieces.toml"], Rows::Together)
                .into_iter()
                .map(|text| [vec![last], text].concat()),
        );
    }
    texts.sort();
    texts.dedup();
    let name = |(bytes, number)| Seed { name: format!("{property}-{number}"), bytes };
    texts.into_iter().zip(0..).map(name).collect()
}

/// Some seeds of every format, with the format and a part to repeat in front.
fn stretchable() -> Vec<Vec<u8>> {
    const OF_EACH: usize = 40;
    let mut found = Vec::new();
    for (format, name) in (0..).zip(linear::FORMATS) {
        let seeds = seeds(name);
        let step = seeds.len().div_ceil(OF_EACH);
        for (seed, number) in seeds.into_iter().step_by(step).zip(0_u8..) {
            let begin = number.wrapping_mul(37);
            found.push([vec![format, begin, begin.wrapping_add(60)], seed.bytes].concat());
        }
    }
    found
}

/// What is done with files of many texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Every string in them is a seed.
    Apart,
    /// The file is one seed.
    Together,
}

/// The texts in some folders of the corpus.
fn texts(folders: &[&str], rows: Rows) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| files(&crate::corpus(folder))) {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name.rsplit('.').next() {
            Some("md" | "svg") => {}
            Some("jsonl") if rows == Rows::Apart => {
                for line in String::from_utf8_lossy(&bytes).lines() {
                    strings(&serde_json::from_str(line).unwrap_or(Value::Null), &mut found);
                }
            }
            Some("json") if name.starts_with("fairy") => {
                strings(&serde_json::from_slice(&bytes).unwrap_or(Value::Null), &mut found);
            }
            Some("txt") => found.extend(bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec)),
            _ => found.push(bytes),
        }
    }
    found
}

/// The records of the finite games in a format, those of other encodings too.
fn finite_records(format: Format) -> Vec<Vec<u8>> {
    let input = boardprint_records::Input::path(crate::corpus("finite/records"));
    let records = Reader::new([input], ReaderOptions::default()).filter_map(Result::ok);
    records.filter(|record| record.format == format).map(|record| record.text.into_bytes()).collect()
}

/// The games of a PGN file.
fn pgn_games(file: &[u8]) -> Vec<Vec<u8>> {
    let file = String::from_utf8_lossy(file).replace('\r', "");
    file.split("\n\n[").map(|game| format!("[{}", game.trim_start_matches('[')).into_bytes()).collect()
}

/// Every string in a value: some are of another format, and those are hostile too.
fn strings(value: &Value, found: &mut Vec<Vec<u8>>) {
    match value {
        Value::String(text) => found.push(text.clone().into_bytes()),
        Value::Array(list) => list.iter().for_each(|value| strings(value, found)),
        Value::Object(members) => members.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_owned()];
    }
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
