//! Long texts made of short ones: what is read in linear time ends soon.

use boardprint_base::Game;
use boardprint_base::replay::position_at;
use boardprint_bridge::fen::{Fen, FenExt as _, Game as FenGame};
use boardprint_bridge::{Lossy, Marks, game_hash, list};
use boardprint_cpn::{Actor, Cpn};
use boardprint_games::{Content, Format, ReadOptions, WriteOptions, pgn};
use boardprint_icn::json::{MoveForm, write};
use boardprint_icn::{Style, canonical};
use boardprint_records::{Input, Reader, ReaderOptions};

/// The properties whose seeds are those of each format, in the order in which the first byte chooses.
pub(super) const FORMATS: [&str; 11] =
    ["icn", "json", "cpn", "gan", "fen", "sfen", "pgn", "csa", "kif", "usi", "records"];

/// As [`linear_at`], with texts of 64 KiB.
pub fn linear(bytes: &[u8]) {
    linear_at(1 << 16, bytes);
}

/// Reads and writes a text of about `length` bytes, in which a part of the given one is repeated. The first
/// byte chooses the format, the next two where the part begins and ends. Nothing is asserted here but what
/// the readers themselves assert: whoever calls bounds the time, and a step that is quadratic in the length
/// of a megabyte takes longer than any bound.
pub fn linear_at(length: usize, bytes: &[u8]) {
    let [which, begin, end, text @ ..] = bytes else { return };
    let cut = |at: u8| usize::from(at) * text.len() / 256;
    let (begin, end) = (cut(*begin).min(cut(*end)), cut(*begin).max(cut(*end)));
    let part = &text[begin..end];
    let times = if part.is_empty() { 1 } else { (length / part.len()).max(1) };
    let long = [&text[..begin], &part.repeat(times), &text[end..]].concat();
    if which % 11 == 10 {
        return cut_records(&long);
    }
    let Ok(text) = std::str::from_utf8(&long) else { return };
    match which % 11 {
        0 | 1 => {
            let options = boardprint_icn::ReadOptions::default();
            let read = if which % 11 == 0 { options.parse(text) } else { options.parse_json(text) };
            if let Ok(reading) = read {
                write_all(&reading.game);
            }
        }
        2 => {
            if let Ok(cpn) = text.parse::<Cpn>() {
                let _ = (cpn.cph(), list::from_cpn(&cpn).is_ok(), Fen::from_cpn(&cpn, None).is_ok());
            }
        }
        3 => {
            let _ = Actor::parse(text);
        }
        4 => {
            for fen in FenGame::ALL.into_iter().filter_map(|game| Fen::read(game, text).ok()) {
                let _ = fen.to_cpn(Some(Marks::Usable));
            }
        }
        5 => {
            if let Ok(fen) = Fen::read_sfen(text) {
                let _ = (fen.to_string(), fen.to_cpn(None));
            }
        }
        7..=9 => {
            let format = [Format::Csa, Format::Kif, Format::Usi][usize::from(which % 11) - 7];
            if let (Some(reading), _) = ReadOptions::default().read_as_far(format, text) {
                let _ =
                    (reading.content.game_text(), reading.content.write(format, &WriteOptions::default()));
            }
        }
        _ => {
            let game = pgn::read(text).map(|game| Content::Finite(game).game_text());
            let _ = (game, pgn::with_tags(text, &[("Annotator".to_owned(), "x".to_owned())]));
        }
    }
}

fn write_all(game: &Game) {
    let _ = (canonical(game), game_hash(game), write(game, MoveForm::Strings));
    for style in Style::ALL {
        let _ = style.write(game);
    }
    let _ = Lossy::parts(list::to_cpn(&game.start, Marks::Usable));
    let _ = position_at(game, usize::MAX);
}

fn cut_records(bytes: &[u8]) {
    for format in Format::ALL {
        let options = ReaderOptions::default().format(format).cut_text(true);
        let _ = Reader::new([Input::text(String::from_utf8_lossy(bytes))], options).count();
    }
}
