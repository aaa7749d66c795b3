//! Which games of a batch are new, and their numbers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};

use boardprint_base::Digest;

use super::Shared;
use super::build::{Item, Positions, Retag, Totals, row_of};
use super::counts::Counts;
use super::error::{Error, Result};
use super::game::{Origin, StoredGame, Tags};
use super::game_index::{self, Filter};
use super::log::{Address, CopyNote, Retagged, SourceMark};
use super::manifest::{Manifest, Source};
use super::posting::Posting;
use super::replay::Replay;
use super::snapshot::GameReader;
use super::words::Words;
use super::writer::{Batch, Ingested, NewGame, Numbered, OnDuplicate};

/// What a rule says of two games with the same moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are one game, as surely as this: from 0 to 255.
    Same(u8),
    /// They are two games that were played alike.
    Different,
}

/// Decides whether a stored game and a new one with the same hash are one game. It must depend on nothing but
/// the two.
pub type Judge<'a> = dyn Fn(&StoredGame, &StoredGame) -> Verdict + Sync + 'a;

/// To look for a game in a run costs as much as to read this many games from one end to the other.
const GAMES_PER_SEARCH: u64 = 96;

/// How sure it is that games with the same hash are one game, if nobody judges.
const UNJUDGED: u8 = 255;

/// Gives games their numbers.
pub(crate) struct Numberer<'a> {
    shared: &'a Shared,
    /// Made when so many games were looked for that it pays.
    filter: Option<Filter>,
    /// How many games were to be looked for without it.
    sought: u64,
    /// The games of the index with the hashes of a batch, if they were looked for together.
    found: Option<HashMap<Digest, Vec<u64>>>,
    words: Words,
    /// Games that are numbered but not yet in the manifest: the end of their batch, and the games by hash.
    pending: VecDeque<(u64, Pending)>,
    /// Tags that games got during this import.
    retagged: HashMap<u64, Arc<Tags>>,
    totals: Totals,
    sources: Vec<Source>,
    judge: Option<&'a Judge<'a>>,
    paranoid: Option<&'a dyn Replay>,
    games: GameReader,
}

/// Games that are numbered, by hash.
type Pending = HashMap<Digest, Vec<(u64, Arc<StoredGame>)>>;

/// What a new game is to those that are there.
enum Kinship {
    /// It is new; `collides` if others have its hash.
    New { collides: bool },
    /// It is there.
    Copy { of: u64, confidence: u8 },
}

impl<'a> Numberer<'a> {
    pub(super) fn new(shared: &'a Shared) -> Result<Self> {
        let manifest = shared.manifest();
        Ok(Numberer {
            shared,
            filter: shared.filter.lock().unwrap_or_else(PoisonError::into_inner).take(),
            sought: 0,
            found: None,
            words: Words::load(&*shared.engine, manifest.words)?,
            pending: VecDeque::new(),
            retagged: HashMap::new(),
            totals: Totals {
                next_game: manifest.next_game,
                duplicates: manifest.duplicates,
                rejects: manifest.rejects,
                sources: Arc::clone(&manifest.sources),
            },
            sources: manifest.sources.to_vec(),
            judge: None,
            paranoid: None,
            games: GameReader::new(&shared.engine, &shared.log, true),
        })
    }

    /// Asks a rule whether two games with the same hash are one.
    pub(crate) fn judge(mut self, judge: Option<&'a Judge<'a>>) -> Self {
        self.judge = judge;
        self
    }

    /// Compares the texts of games, not only their hashes: a game is left out only if it is the same as one
    /// that is there. What shares a hash and differs is stored and counted.
    pub(crate) fn paranoid(mut self, replay: &'a dyn Replay) -> Self {
        self.paranoid = Some(replay);
        self
    }

    /// Numbers the new games of a batch. Batches must be committed in the order in which they were numbered.
    pub(crate) fn number(&mut self, batch: Batch) -> Result<Numbered> {
        let manifest = self.shared.writer_manifest();
        self.forget_committed(&manifest)?;
        if batch.duplicates != OnDuplicate::Keep {
            self.prepare_to_seek(&manifest, &batch.games)?;
        }
        let files = self.note_sources(&batch.sources);
        let file = |file: u32| files.get(file as usize).copied().unwrap_or(file);
        let first = self.totals.next_game;
        let mut ingested = Ingested { first_game: first, ..Ingested::default() };
        let mut items = Vec::with_capacity(batch.games.len());
        let mut new = Pending::with_capacity(batch.games.len());
        let (mut copies, mut retagged, mut retags) = (Vec::new(), Vec::new(), Vec::new());
        let mut results = Counts::default();
        let mut noted = batch.copies.into_iter().peekable();
        for (place, mut game) in (0_u64..).zip(batch.games) {
            if !game.game.moves.fit(game.game.kind) {
                return Err(Error::Replay {
                    id: self.totals.next_game,
                    why: "its moves are not those of its kind".to_owned(),
                });
            }
            game.game.source.file = file(game.game.source.file);
            let kinship = match batch.duplicates {
                OnDuplicate::Keep => Kinship::New { collides: false },
                OnDuplicate::Skip | OnDuplicate::Merge => self.kinship(&manifest, &new, &game)?,
            };
            let of = match &kinship {
                Kinship::Copy { of, .. } => *of,
                Kinship::New { .. } => self.totals.next_game,
            };
            while let Some(note) = noted.next_if(|note| note.of <= place) {
                let place = Origin { file: file(note.place.file), ..note.place };
                copies.push(CopyNote { of, place, ..note });
                self.totals.duplicates += 1;
            }
            match kinship {
                Kinship::Copy { of, confidence } => {
                    ingested.duplicates += 1;
                    let tags = if batch.duplicates == OnDuplicate::Merge {
                        self.merged(&new, of, &game)?
                    } else {
                        None
                    };
                    let merged = tags.is_some();
                    copies.push(CopyNote { of, place: game.game.source, confidence, merged });
                    if let Some(tags) = tags {
                        ingested.merged += 1;
                        retags.push(Retag::new(of, &tags, &mut self.words, Address::default()));
                        self.retagged.insert(of, Arc::new(tags.clone()));
                        retagged.push(Retagged { game: of, tags });
                    }
                }
                Kinship::New { collides } => {
                    ingested.collisions += u64::from(collides);
                    if let Some(filter) = &mut self.filter {
                        filter.add(&game.hash);
                    }
                    results.add(game.game.result);
                    items.push(self.item(game, &mut new));
                    self.totals.next_game += 1;
                }
            }
        }
        if self.totals.next_game > Posting::MAX_GAME {
            return Err(Error::TooLarge { what: "the number of games", limit: Posting::MAX_GAME });
        }
        ingested.games = items.len() as u64;
        self.pending.push_back((self.totals.next_game, new));
        self.totals.duplicates += ingested.duplicates;
        self.totals.rejects += batch.rejects.len() as u64;
        self.totals.sources = Arc::new(self.sources.clone());
        let mut rejects = batch.rejects;
        for reject in &mut rejects {
            reject.place.file = file(reject.place.file);
        }
        let marks = batch.sources.into_iter().zip(&files);
        Ok(Numbered {
            first,
            run: self.shared.new_run()?,
            items,
            copies,
            retagged,
            rejects,
            marks: marks.map(|(source, number)| SourceMark { number: *number, source }).collect(),
            totals: self.totals.clone(),
            results,
            words: (self.words.writes(), self.words.len()),
            retags,
            ingested,
            threshold: self.shared.options.counts_from,
        })
    }

    /// Drops games that the index knows by now, and makes the filter larger when it is full.
    fn forget_committed(&mut self, manifest: &Manifest) -> Result<()> {
        while self.pending.front().is_some_and(|(end, _)| *end <= manifest.next_game) {
            self.pending.pop_front();
        }
        if self.filter.as_ref().is_some_and(Filter::is_full) {
            self.filter = Some(self.load_filter(manifest)?);
        }
        Ok(())
    }

    /// A filter of all games that have a number.
    fn load_filter(&self, manifest: &Manifest) -> Result<Filter> {
        let pending = || self.pending.iter().flat_map(|(_, games)| games.keys());
        let runs = &manifest.runs.game_index;
        let mut filter = Filter::load(&self.shared.engine, runs, pending().count() as u64)?;
        pending().for_each(|hash| filter.add(hash));
        Ok(filter)
    }

    /// Makes the filter, and looks for all games of a batch together, where either costs less than to look
    /// for them one by one in every run. The filter pays from the second batch of an import on.
    fn prepare_to_seek(&mut self, manifest: &Manifest, games: &[NewGame]) -> Result<()> {
        let runs = &manifest.runs.game_index;
        let known: u64 = runs.iter().map(|run| run.entries).sum();
        let pays = |sought: u64| sought * runs.len() as u64 * GAMES_PER_SEARCH > known;
        if self.filter.is_none() && self.sought > 0 && pays(self.sought + games.len() as u64) {
            self.filter = Some(self.load_filter(manifest)?);
        }
        self.sought += games.len() as u64;
        let may_be_known = |hash: &Digest| self.filter.as_ref().is_none_or(|filter| filter.may_hold(hash));
        let hashes: Vec<Digest> = games.iter().map(|game| game.hash).filter(may_be_known).collect();
        self.found = if pays(hashes.len() as u64) {
            Some(game_index::find_each(&self.shared.engine, runs, hashes)?)
        } else {
            None
        };
        Ok(())
    }

    /// The games of the index that have a hash.
    fn games_with(&self, manifest: &Manifest, hash: &Digest) -> Result<Vec<u64>> {
        match &self.found {
            Some(found) => Ok(found.get(hash).cloned().unwrap_or_default()),
            None => game_index::find_all(&self.shared.engine, &manifest.runs.game_index, hash)?.collect(),
        }
    }

    fn item(&mut self, new: NewGame, pending: &mut Pending) -> Item {
        let NewGame { game, hash, positions, laws } = new;
        let max_ply = self.shared.manifest().max_ply;
        let positions = if positions.is_empty() {
            Positions::of_game(&game, max_ply)
        } else {
            Positions::known(positions, max_ply)
        };
        let row = row_of(&game, laws.as_deref(), &mut self.words, Address::default());
        let game = Arc::new(game);
        pending.entry(hash).or_default().push((self.totals.next_game, Arc::clone(&game)));
        Item { game, hash, positions, row }
    }

    fn kinship(&mut self, manifest: &Manifest, new: &Pending, game: &NewGame) -> Result<Kinship> {
        // What the filter does not know is new for certain.
        if self.filter.as_ref().is_some_and(|filter| !filter.may_hold(&game.hash)) {
            return Ok(Kinship::New { collides: false });
        }
        let mut known = self.games_with(manifest, &game.hash)?;
        let pending = self.pending.iter().map(|(_, games)| games).chain([new]);
        known.extend(pending.filter_map(|games| games.get(&game.hash)).flatten().map(|(id, _)| *id));
        known.sort_unstable();
        known.dedup();
        let text = match self.paranoid {
            Some(replay) if !known.is_empty() => Some(identity(replay, self.totals.next_game, &game.game)?),
            _ => None,
        };
        let mut collides = false;
        for of in known {
            if self.judge.is_none() && text.is_none() {
                return Ok(Kinship::Copy { of, confidence: UNJUDGED });
            }
            let other = self.known_game(new, &game.hash, of)?;
            if let (Some(replay), Some(text)) = (self.paranoid, &text)
                && identity(replay, of, &other)? != *text
            {
                collides = true;
                continue;
            }
            match self.judge.map_or(Verdict::Same(UNJUDGED), |judge| judge(&other, &game.game)) {
                Verdict::Same(confidence) => return Ok(Kinship::Copy { of, confidence }),
                Verdict::Different => {}
            }
        }
        Ok(Kinship::New { collides })
    }

    /// A game that has a number, with its newest tags.
    fn known_game(&mut self, new: &Pending, hash: &Digest, id: u64) -> Result<Arc<StoredGame>> {
        let pending = self.pending.iter().map(|(_, games)| games).chain([new]);
        let mut pending = pending.filter_map(|games| games.get(hash)).flatten();
        let mut game = match pending.find(|(other, _)| *other == id) {
            Some((_, game)) => Arc::clone(game),
            None => self.games.game(id)?,
        };
        if let Some(tags) = self.retagged.get(&id) {
            Arc::make_mut(&mut game).tags.clone_from(tags);
        }
        Ok(game)
    }

    /// The tags of a stored game with those that it lacks; `None` if it lacks none.
    fn merged(&mut self, new: &Pending, of: u64, copy: &NewGame) -> Result<Option<Tags>> {
        Ok(merge_tags(&self.known_game(new, &copy.hash, of)?.tags, &copy.game.tags))
    }

    /// Takes over how far source files were read; their numbers.
    fn note_sources(&mut self, read: &[Source]) -> Vec<u32> {
        let mut number = |source: &Source| {
            let same = |known: &Source| known.path == source.path && known.stamp == source.stamp;
            let at = self.sources.iter().rposition(same).unwrap_or_else(|| {
                self.sources.push(source.clone());
                self.sources.len() - 1
            });
            self.sources[at] = source.clone();
            u32::try_from(at).unwrap_or(u32::MAX)
        };
        read.iter().map(&mut number).collect()
    }
}

/// The tags of a game with those that another record of it has and it lacks; `None` if there are none. A tag
/// without a known value counts as lacking.
#[must_use]
pub fn merge_tags(stored: &Tags, copy: &Tags) -> Option<Tags> {
    let says = |value: &str| value.bytes().any(|byte| !matches!(byte, b'?' | b'.' | b' ' | b'-' | b'*'));
    let mut merged: Vec<(&str, &str)> = stored.iter().collect();
    let mut changed = false;
    for (name, value) in copy.iter().filter(|(_, value)| says(value)) {
        match merged.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) if says(known) => continue,
            Some((_, known)) => *known = value,
            None => merged.push((name, value)),
        }
        changed = true;
    }
    changed.then(|| merged.into_iter().collect())
}

fn identity(replay: &dyn Replay, id: u64, game: &StoredGame) -> Result<Vec<u8>> {
    replay.identity(game).map_err(|why| Error::Replay { id, why })
}

/// The filter outlives the import, so that the next one need not make it again. A game too many in it does no
/// harm.
impl Drop for Numberer<'_> {
    fn drop(&mut self) {
        *self.shared.filter.lock().unwrap_or_else(PoisonError::into_inner) = self.filter.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_gives_the_tags_that_are_lacking() {
        let stored = Tags::from_iter([("White", "Ann"), ("Date", "????.??.??")]);
        let copy =
            Tags::from_iter([("White", "Anne"), ("Date", "2024.05.??"), ("Site", "?"), ("Round", "3")]);
        let merged = merge_tags(&stored, &copy).unwrap();
        assert_eq!(merged, Tags::from_iter([("White", "Ann"), ("Date", "2024.05.??"), ("Round", "3")]));
        assert_eq!(merge_tags(&merged, &copy), None);
    }
}
