//! Rows against games.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::columns::{Columns, Facts, Row};
use super::super::engine::{Engine, Tree};
use super::super::error::Result;
use super::super::export::LogReader;
use super::super::log::{Address, FrameKind, LoggedGame, Retagged};
use super::super::snapshot::Snapshot;
use super::super::{build, words};
use super::{Finding, VerifyReport};

/// The rows of the index, compared with the games of the log.
pub(super) struct RowCheck<'a> {
    columns: Columns,
    words: Vec<Box<str>>,
    reader: &'a LogReader,
    engine: Arc<dyn Engine>,
    broken: bool,
    tags: HashMap<u64, Address>,
    /// Games to which a batch gives tags that is whole in the log and not in the index: somebody who wrote it
    /// was interrupted, and the next writer goes on. Rows may have the new tags already.
    pending: HashSet<u64>,
}

impl<'a> RowCheck<'a> {
    pub(super) fn new(snapshot: &Snapshot, reader: &'a LogReader, report: &mut VerifyReport) -> Self {
        let mut all = Vec::new();
        let count = snapshot.manifest().words;
        let read = words::for_each(&**snapshot.engine(), count, |_, word| all.push(word.into()));
        let broken = read.is_err();
        if let Err(error) = read {
            report.note(error);
        }
        RowCheck {
            columns: Columns::new(snapshot.engine()),
            words: all,
            reader,
            engine: Arc::clone(snapshot.engine()),
            broken,
            tags: reader.tags().clone(),
            pending: pending(reader),
        }
    }

    /// Whether no row may have tags that the index does not know of.
    pub(super) fn tags_are_settled(&self) -> bool {
        self.pending.is_empty()
    }

    pub(super) fn check(
        &mut self,
        id: u64,
        at: Address,
        logged: &LoggedGame,
        laws: Option<&str>,
        report: &mut VerifyReport,
    ) {
        if self.broken {
            return;
        }
        match self.differs(id, at, logged, laws) {
            Ok(false) => {}
            Ok(true) => {
                report.findings.push(Finding::Mismatch { tree: Tree::Columns, first: id, last: id });
            }
            Err(error) => {
                // One is enough.
                self.broken = true;
                report.note(error);
            }
        }
    }

    fn differs(&mut self, id: u64, at: Address, logged: &LoggedGame, laws: Option<&str>) -> Result<bool> {
        let row = self.columns.row(id)?;
        let game = &logged.game;
        let forgotten = self.reader.forgotten().is(id, game.source.file);
        let is_pending = self.pending.contains(&id);
        let retagged = match self.tags.get(&id) {
            Some(tags_at) => {
                if build::tags_address(&*self.engine, id)? != Some(*tags_at) && !is_pending {
                    return Ok(true);
                }
                Some(Retagged::read(&self.reader.log().frame(*tags_at)?)?.tags)
            }
            None => None,
        };
        let facts = Facts::of(retagged.as_ref().unwrap_or(&game.tags));
        let mut expected = Row { forgotten, ..Row::new(game, &facts, [row.white, row.black, row.laws], at) };
        if is_pending {
            (expected.date, expected.white_rating, expected.black_rating) =
                (row.date, row.white_rating, row.black_rating);
        }
        let word = |number: u32| {
            number.checked_sub(1).and_then(|number| self.words.get(number as usize)).map(|word| &**word)
        };
        let same = |number: u32, text: Option<&str>| match (word(number), text) {
            (None, None) => number == 0,
            // Long words are cut.
            (Some(word), Some(text)) => text.starts_with(word) && (word == text || word.len() > 190),
            _ => false,
        };
        let names = is_pending || same(row.white, facts.white) && same(row.black, facts.black);
        Ok(row != expected || !names || (!forgotten && !same(row.laws, laws)))
    }
}

/// The games to which batches beyond the index give tags.
fn pending(reader: &LogReader) -> HashSet<u64> {
    let Ok(whole) = reader.log().whole_end(reader.end()) else { return HashSet::new() };
    let frames = reader.log().frames(reader.end(), whole).map_while(Result::ok);
    let tags = frames.filter(|placed| placed.kind == FrameKind::Tags);
    tags.filter_map(|placed| Retagged::read(&placed).ok()).map(|retagged| retagged.game).collect()
}
