//! Pairs of a game and a copy of it, as the log remembers them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use boardprint_games::{Content, Record};
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{CopyNote, Snapshot, Source, date};
use serde::Serialize;
use serde_json::json;

use super::app::{Context, Question, Reply};
use super::fault::Outcome;
use crate::answers::{GameRow, Move, Paths, Place, Ply, date_text, known, outcome, plies, sure};

/// This many bytes of a source are read for one record.
const LONGEST: u64 = 256 << 10;

#[derive(Serialize)]
struct Pair {
    kept: GameRow,
    copy: Copy,
    by: &'static str,
    confidence: &'static str,
    same_plies: usize,
    truncated: bool,
    next: Next,
}

#[derive(Serialize)]
struct Copy {
    id: Option<u64>,
    record: Place,
    plies: usize,
    white: Option<String>,
    black: Option<String>,
    date: Option<String>,
    event: Option<String>,
    result: &'static str,
}

#[derive(Serialize)]
struct Next {
    kept: Option<Move>,
    copy: Option<Move>,
}

/// A page of pairs.
pub(super) fn list(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&["limit", "cursor"]])?;
    let limit = query.number("limit", 20, 200)?;
    let from = query.parsed::<usize>("cursor", "the `nextCursor` of an earlier answer")?.unwrap_or(0);
    let snapshot = &view.snapshot;
    let log = snapshot.export()?;
    let mut pairs = Vec::new();
    let mut more = false;
    let mut files = Files::default();
    for (number, note) in log.copies().enumerate() {
        let note = note?;
        if number < from {
            if number % 1024 == 0 {
                view.budget.check()?;
            }
            continue;
        }
        if pairs.len() == limit {
            more = true;
            break;
        }
        view.budget.check()?;
        pairs.push(pair(view, &note, &mut files)?);
    }
    let next = more.then(|| (from + limit).to_string());
    Reply::json(&json!({
        "generation": snapshot.generation(), "total": snapshot.stats()?.duplicates,
        "pairs": pairs, "nextCursor": next,
    }))
}

fn pair(view: &Context<'_>, note: &CopyNote, files: &mut Files) -> Outcome<Pair> {
    let snapshot = &view.snapshot;
    let stored = snapshot.game(note.of)?;
    let row = snapshot.row(note.of)?;
    let line = snapshot.line(note.of, row)?;
    let kept = GameRow::new(snapshot, &line, &stored, Paths::Names);
    let record = Paths::Names.place(snapshot, note.place.file, note.place.record);
    // What the copy said beside its moves stands in its file, if that is still there.
    let text = files.record(snapshot, note);
    let read = text.as_ref().and_then(|record| view.app.reading.stored.read(record).ok());
    let content = read.map(|reading| reading.content.into_owned());
    let own = view.app.rules.content(&stored).ok();
    let (same_plies, next) = compared(own.as_ref(), content.as_ref(), view)?;
    let plies = content.as_ref().map_or(row.plies as usize, Content::plies);
    let tag = |names: &[&str]| known(names.iter().find_map(|name| content.as_ref()?.tag(name)));
    let result = content.as_ref().and_then(Content::result).unwrap_or(boardprint_base::GameResult::Unknown);
    Ok(Pair {
        truncated: same_plies == plies.min(row.plies as usize) && plies != row.plies as usize,
        copy: Copy {
            id: None,
            record,
            plies,
            white: tag(&["White", "Red", "Sente"]),
            black: tag(&["Black", "Gote"]),
            date: tag(&["Date", "UTCDate"]).and_then(|text| date_text(date(&text))),
            event: tag(&["Event"]),
            result: outcome(result),
        },
        by: "game",
        confidence: sure(note.confidence),
        kept,
        same_plies,
        next,
    })
}

/// How many plies both have in common, and the first that differ. Without the text of the copy it has the
/// same moves: so it was taken for one.
fn compared(
    kept: Option<&Content<'_>>,
    copy: Option<&Content<'_>>,
    view: &Context<'_>,
) -> Outcome<(usize, Next)> {
    let profile = view.app.profile;
    let Some(kept) = kept else { return Ok((0, Next { kept: None, copy: None })) };
    let mine = plies(kept, profile)?;
    let Some(copy) = copy else { return Ok((mine.len(), Next { kept: None, copy: None })) };
    let theirs = plies(copy, profile)?;
    let same = mine.iter().zip(&theirs).take_while(|(a, b)| a.step.text == b.step.text).count();
    let at = |list: &[Ply]| list.get(same).map(|ply| ply.step.clone());
    Ok((same, Next { kept: at(&mine), copy: at(&theirs) }))
}

/// Sources that records are read from again.
#[derive(Default)]
struct Files {
    /// By number: whether the file is the one that was imported.
    same: BTreeMap<u32, bool>,
}

impl Files {
    /// The record of a copy, if its file is there as it was, and not compressed.
    fn record(&mut self, snapshot: &Snapshot, note: &CopyNote) -> Option<Record> {
        let source = snapshot.sources().get(note.place.file as usize)?;
        if !*self.same.entry(note.place.file).or_insert_with(|| is_same(source)) {
            return None;
        }
        let mut file = File::open(&*source.path).ok()?;
        file.seek(SeekFrom::Start(note.place.offset)).ok()?;
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Reader::new([Input::bytes(&*source.path, bytes, 0)], ReaderOptions::default()).next()?.ok()
    }
}

/// Whether a source is still what was imported, and can be read from the middle.
fn is_same(source: &Source) -> bool {
    let path = std::path::Path::new(&*source.path);
    if !path.is_file() {
        return false;
    }
    let mut head = [0; 4];
    let plain = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && !head.starts_with(&[0x1f, 0x8b])
        && head != [0x28, 0xb5, 0x2f, 0xfd]
        && !head.starts_with(b"BZh");
    let reader = Reader::new([Input::argument(path)], ReaderOptions::default());
    plain && reader.next_name_and_stamp(0).1 == source.stamp
}
