//! Games from the log alone: no engine, no lock, nothing written. It works on media that cannot be written,
//! and while others import.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use boardprint_base::Digest;

use super::error::{Error, Result};
use super::game::StoredGame;
use super::head::Head;
use super::home::Found;
use super::log::{
    self, Address, BatchEnd, Block, CopyNote, Forget, FrameKind, Frames, Log, RejectNote, Retagged,
};
use super::manifest::Source;
use super::place::Place;
use super::recover::{Forgotten, put_source};

/// The games of a database, as far as HEAD acknowledged them.
#[derive(Debug)]
pub struct LogReader {
    log: Arc<Log>,
    end: Address,
    profile: String,
    sources: Vec<Source>,
    /// Where the newest tags of games stand.
    tags: HashMap<u64, Address>,
    forgotten: Forgotten,
    next_game: u64,
    duplicates: u64,
    rejects: u64,
}

/// A game with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedGame {
    /// Its number.
    pub id: u64,
    /// The game, with its newest tags.
    pub game: Arc<StoredGame>,
    /// What told it from others when it came in.
    pub hash: Digest,
}

impl LogReader {
    /// Opens the log of a database.
    ///
    /// # Errors
    ///
    /// If there is no database, or its log is damaged where games are not: that shows when these are read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let place = Place::of(path.as_ref())?;
        match place.look()? {
            Found::Head(head) => Self::of_head(&place, &head),
            Found::Nothing => Err(Error::NoDatabase { path: place.name() }),
        }
    }

    fn of_head(place: &Place, head: &Head) -> Result<Self> {
        let log = Log::new(place.storage(false), head.id, Log::SEGMENT_BYTES);
        log.check_reach(head.log)?;
        Self::over(Arc::new(log), head.log, head.profile.clone())
    }

    pub(crate) fn over(log: Arc<Log>, end: Address, profile: String) -> Result<Self> {
        let mut reader = LogReader {
            log,
            end,
            profile,
            sources: Vec::new(),
            tags: HashMap::new(),
            forgotten: Forgotten::default(),
            next_game: 0,
            duplicates: 0,
            rejects: 0,
        };
        let skip = |kind| matches!(kind, FrameKind::Games | FrameKind::Rejects | FrameKind::Copies);
        let mut forget = Vec::new();
        for placed in reader.log.frames_without(Log::first(), end, skip) {
            let placed = placed?;
            match placed.kind {
                FrameKind::Tags => {
                    reader.tags.insert(Retagged::read(&placed)?.game, placed.at);
                }
                FrameKind::Forget => forget.push(Forget::read(&placed)?),
                FrameKind::BatchEnd => {
                    let batch = BatchEnd::read(&placed)?;
                    for mark in batch.sources {
                        put_source(&mut reader.sources, mark.number, mark.source)
                            .ok_or(Error::DamagedLog { address: placed.at, what: "a source is missing" })?;
                    }
                    reader.next_game = batch.next_game;
                    (reader.duplicates, reader.rejects) = (batch.duplicates, batch.rejects);
                    for forget in forget.drain(..) {
                        reader.forgotten.note(forget, batch.next_game);
                    }
                }
                FrameKind::Games | FrameKind::Rejects | FrameKind::Copies => {}
            }
        }
        Ok(reader)
    }

    /// How positions are named.
    #[must_use]
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// The source files, in the order of their numbers.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The number that the next game gets.
    #[must_use]
    pub fn next_game(&self) -> u64 {
        self.next_game
    }

    /// How many records were games that were there already, and how many could not be read.
    #[must_use]
    pub fn duplicates_and_rejects(&self) -> (u64, u64) {
        (self.duplicates, self.rejects)
    }

    /// Every game that was not forgotten, by number.
    #[must_use]
    pub fn games(&self) -> ExportedGames<'_> {
        let skip = |kind| kind != FrameKind::Games;
        ExportedGames {
            reader: self,
            frames: self.log.frames_without(Log::first(), self.end, skip),
            block: Vec::new().into_iter(),
            next: 0,
        }
    }

    /// Every record that was a game the database held already.
    #[must_use]
    pub fn copies(&self) -> Copies {
        let skip = |kind| kind != FrameKind::Copies;
        Notes {
            frames: self.log.frames_without(Log::first(), self.end, skip),
            ready: Vec::new().into_iter(),
            read: |placed| log::Copies::read(placed).map(|copies| copies.0),
            kind: FrameKind::Copies,
        }
    }

    /// Every record that could not be read.
    #[must_use]
    pub fn rejects(&self) -> Rejects {
        let skip = |kind| kind != FrameKind::Rejects;
        Notes {
            frames: self.log.frames_without(Log::first(), self.end, skip),
            ready: Vec::new().into_iter(),
            read: |placed| log::Rejects::read(placed).map(|rejects| rejects.0),
            kind: FrameKind::Rejects,
        }
    }

    pub(crate) const fn log(&self) -> &Arc<Log> {
        &self.log
    }

    pub(crate) const fn end(&self) -> Address {
        self.end
    }

    pub(crate) const fn forgotten(&self) -> &Forgotten {
        &self.forgotten
    }

    pub(crate) const fn tags(&self) -> &HashMap<u64, Address> {
        &self.tags
    }
}

/// Games with their numbers, in order. An error ends it.
pub struct ExportedGames<'a> {
    reader: &'a LogReader,
    frames: Frames,
    block: std::vec::IntoIter<(u64, log::LoggedGame)>,
    next: u64,
}

impl ExportedGames<'_> {
    fn fill(&mut self) -> Option<Result<()>> {
        loop {
            let placed = match self.frames.next()? {
                Ok(placed) if placed.kind == FrameKind::Games => placed,
                Ok(_) => continue,
                Err(error) => return Some(Err(error)),
            };
            let block = match Block::read(&placed) {
                Ok(block) => block,
                Err(error) => return Some(Err(error)),
            };
            if block.first != self.next {
                let what = "games are missing before the block";
                return Some(Err(Error::DamagedLog { address: placed.at, what }));
            }
            self.next += block.games.len() as u64;
            self.block = (block.first..).zip(block.games).collect::<Vec<_>>().into_iter();
            return Some(Ok(()));
        }
    }

    fn exported(&self, id: u64, logged: log::LoggedGame) -> Result<ExportedGame> {
        let log::LoggedGame { mut game, hash } = logged;
        if let Some(at) = self.reader.tags.get(&id) {
            Arc::make_mut(&mut game).tags = Retagged::read(&self.reader.log.frame(*at)?)?.tags;
        }
        Ok(ExportedGame { id, game, hash })
    }
}

impl Iterator for ExportedGames<'_> {
    type Item = Result<ExportedGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((id, logged)) = self.block.next() {
                if self.reader.forgotten.is(id, logged.game.source.file) {
                    continue;
                }
                return Some(self.exported(id, logged));
            }
            if let Err(error) = self.fill()? {
                return Some(Err(error));
            }
        }
    }
}

/// Copies, in the order in which they came.
pub type Copies = Notes<CopyNote>;
/// Rejected records, in the order in which they came.
pub type Rejects = Notes<RejectNote>;

/// What the log says beside games. An error ends it.
pub struct Notes<T> {
    frames: Frames,
    ready: std::vec::IntoIter<T>,
    read: fn(&log::Placed) -> Result<Vec<T>>,
    kind: FrameKind,
}

impl<T> Iterator for Notes<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(note) = self.ready.next() {
                return Some(Ok(note));
            }
            let placed = match self.frames.next()? {
                Ok(placed) if placed.kind == self.kind => placed,
                Ok(_) => continue,
                Err(error) => return Some(Err(error)),
            };
            match (self.read)(&placed) {
                Ok(notes) => self.ready = notes.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
