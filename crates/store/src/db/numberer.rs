//! Which games of a batch are new, and their numbers.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, PoisonError};

use boardprint_base::Digest;

use super::Shared;
use super::build::{Item, Positions, Retag, Totals, row_of};
use super::counts::Counts;
use super::crowd::{CROWD, Crowd};
use super::error::{Error, Result};
use super::game::{Origin, StoredGame, Tags};
use super::game_index::{self, Filter};
use super::log::{Address, CopyNote, Retagged, SourceMark};
use super::manifest::{Manifest, Source};
use super::posting::Posting;
use super::recover::enter_source;
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

/// Decides whether a stored game and a new one with the same hash are one game. What it says must depend on
/// nothing but the two.
pub trait Judge: Sync {
    /// What it says of two games.
    fn verdict(&self, stored: &StoredGame, new: &StoredGame) -> Verdict;

    /// A number for what the rule sees of a game. A hash may have very many games, such as one for each pair
    /// of players whose game was never played: a new game is compared with the first one of its own number
    /// and with the first one of all, and no other may be surer.
    fn class(&self, game: &StoredGame) -> u64;
}

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
    judge: Option<&'a dyn Judge>,
    paranoid: Option<&'a dyn Replay>,
    /// Hashes that many games have.
    crowds: HashMap<Digest, Crowd>,
    /// Where copies stand that were noted before.
    noted: HashSet<Origin>,
    games: GameReader,
}

/// The tags that games get in a batch: however many copies bring some, they are written once.
#[derive(Default)]
struct NewTags {
    retagged: Vec<Retagged>,
    retags: Vec<Retag>,
    places: HashMap<u64, usize>,
}

impl NewTags {
    fn put(&mut self, retag: Retag, retagged: Retagged) {
        match self.places.entry(retag.game) {
            Entry::Occupied(place) => {
                (self.retags[*place.get()], self.retagged[*place.get()]) = (retag, retagged);
            }
            Entry::Vacant(place) => {
                place.insert(self.retags.len());
                self.retags.push(retag);
                self.retagged.push(retagged);
            }
        }
    }
}

/// Games that are numbered, by hash.
type Pending = HashMap<Digest, Vec<(u64, Arc<StoredGame>)>>;

/// What a new game is to those that are there.
enum Kinship {
    /// It is new; `collides` if others have its hash.
    New { collides: bool },
    /// It is there; `again` if it is the same record of the same file.
    Copy { of: u64, confidence: u8, again: bool },
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
            crowds: HashMap::new(),
            noted: HashSet::new(),
            games: GameReader::new(&shared.engine, &shared.log, true),
        })
    }

    /// Asks a rule whether two games with the same hash are one.
    pub(crate) fn judge(mut self, judge: Option<&'a dyn Judge>) -> Self {
        self.judge = judge;
        self
    }

    /// Says where copies stand that were noted before: they are not noted again.
    pub(crate) fn know_copies(&mut self, noted: HashSet<Origin>) {
        self.noted = noted;
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
        let (mut copies, mut new_tags) = (Vec::new(), NewTags::default());
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
                Kinship::Copy { of, confidence, again } => {
                    ingested.duplicates += 1;
                    let tags = if batch.duplicates == OnDuplicate::Merge {
                        self.merged(&new, of, &game)?
                    } else {
                        None
                    };
                    let merged = tags.is_some();
                    if !again && !self.noted.contains(&game.game.source) {
                        copies.push(CopyNote { of, place: game.game.source, confidence, merged });
                        self.totals.duplicates += 1;
                    }
                    if let Some(tags) = tags {
                        ingested.merged += 1;
                        self.note_tags(&new, of, &game.hash, &tags)?;
                        let retag = Retag::new(of, &tags, &mut self.words, Address::default());
                        new_tags.put(retag, Retagged { game: of, tags });
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
        self.totals.rejects += batch.rejects.len() as u64;
        self.totals.sources = Arc::new(self.sources.clone());
        let mut rejects = batch.rejects;
        for reject in &mut rejects {
            reject.place.file = file(reject.place.file);
        }
        let mark = |number: &u32| {
            let source = self.sources.get(*number as usize)?.clone();
            Some(SourceMark { number: *number, source })
        };
        let marks = files.iter().filter_map(mark).collect();
        Ok(Numbered {
            first,
            run: self.shared.new_run()?,
            items,
            copies,
            retagged: new_tags.retagged,
            rejects,
            marks,
            totals: self.totals.clone(),
            results,
            words: (self.words.writes(), self.words.len()),
            retags: new_tags.retags,
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
        if let (Some(judge), Some(crowd)) = (self.judge, self.crowds.get_mut(&hash)) {
            crowd.add(judge.class(&game), self.totals.next_game);
        }
        let game = Arc::new(game);
        pending.entry(hash).or_default().push((self.totals.next_game, Arc::clone(&game)));
        Item { game, hash, positions, row }
    }

    fn kinship(&mut self, manifest: &Manifest, new: &Pending, game: &NewGame) -> Result<Kinship> {
        // What the filter does not know is new for certain.
        if self.filter.as_ref().is_some_and(|filter| !filter.may_hold(&game.hash)) {
            return Ok(Kinship::New { collides: false });
        }
        let candidates = self.candidates(manifest, new, game)?;
        let text = match self.paranoid {
            Some(replay) if !candidates.is_empty() => {
                Some(identity(replay, self.totals.next_game, &game.game)?)
            }
            _ => None,
        };
        let (mut found, collides) = self.compare(new, game, &candidates, text.as_deref())?;
        if collides && found.is_none() && self.crowds.contains_key(&game.hash) {
            let known = self.all_known(manifest, new, &game.hash)?;
            (found, _) = self.compare(new, game, &known, text.as_deref())?;
        }
        Ok(found.unwrap_or(Kinship::New { collides }))
    }

    /// What a new game is to some that have its hash: a copy of the one where that is surest, then of the
    /// first. Also whether the text of one of them is another, where texts count.
    fn compare(
        &mut self,
        new: &Pending,
        game: &NewGame,
        candidates: &[u64],
        text: Option<&[u8]>,
    ) -> Result<(Option<Kinship>, bool)> {
        let (mut best, mut collides): (Option<(u8, u64)>, _) = (None, false);
        for of in candidates.iter().copied() {
            if self.judge.is_none() && text.is_none() && best.is_some() {
                break;
            }
            let other = self.known_game(new, &game.hash, of)?;
            if let (Some(replay), Some(text)) = (self.paranoid, text)
                && identity(replay, of, &other)? != text
            {
                collides = true;
                continue;
            }
            // Without the names of its files a batch says nothing of places.
            let place = game.game.source;
            if other.source == place && self.sources.len() > place.file as usize {
                return Ok((Some(Kinship::Copy { of, confidence: UNJUDGED, again: true }), collides));
            }
            let verdict =
                self.judge.map_or(Verdict::Same(UNJUDGED), |judge| judge.verdict(&other, &game.game));
            if let Verdict::Same(confidence) = verdict
                && best.is_none_or(|(best, _)| confidence > best)
            {
                best = Some((confidence, of));
            }
        }
        Ok((best.map(|(confidence, of)| Kinship::Copy { of, confidence, again: false }), collides))
    }

    /// The games that a new one is compared with.
    fn candidates(&mut self, manifest: &Manifest, new: &Pending, game: &NewGame) -> Result<Vec<u64>> {
        if let Some(some) = self.some_of_crowd(&game.hash, &game.game) {
            return Ok(some);
        }
        let known = self.all_known(manifest, new, &game.hash)?;
        let Some(judge) = self.judge.filter(|_| known.len() > CROWD) else { return Ok(known) };
        self.note_crowd(judge, new, &game.hash, &known)?;
        Ok(self.some_of_crowd(&game.hash, &game.game).unwrap_or(known))
    }

    /// All games with a hash that have a number, in order.
    fn all_known(&self, manifest: &Manifest, new: &Pending, hash: &Digest) -> Result<Vec<u64>> {
        let mut known = self.games_with(manifest, hash)?;
        let pending = self.pending.iter().map(|(_, games)| games).chain([new]);
        known.extend(pending.filter_map(|games| games.get(hash)).flatten().map(|(id, _)| *id));
        known.sort_unstable();
        known.dedup();
        Ok(known)
    }

    /// The games of a crowd that are compared with a new one, in order, if its hash has a crowd.
    fn some_of_crowd(&self, hash: &Digest, game: &StoredGame) -> Option<Vec<u64>> {
        Some(self.crowds.get(hash)?.candidates(self.judge?.class(game)))
    }

    /// Reads all games of a hash once, to know which of them are compared with new ones.
    fn note_crowd(&mut self, judge: &dyn Judge, new: &Pending, hash: &Digest, known: &[u64]) -> Result<()> {
        let mut crowd = Crowd::new();
        for id in known {
            crowd.add(judge.class(&*self.known_game(new, hash, *id)?), *id);
        }
        self.crowds.insert(*hash, crowd);
        Ok(())
    }

    /// Remembers the new tags of a game.
    fn note_tags(&mut self, new: &Pending, id: u64, hash: &Digest, tags: &Tags) -> Result<()> {
        self.retagged.insert(id, Arc::new(tags.clone()));
        if let (Some(judge), true) = (self.judge, self.crowds.contains_key(hash)) {
            let class = judge.class(&*self.known_game(new, hash, id)?);
            if let Some(crowd) = self.crowds.get_mut(hash) {
                crowd.add(class, id);
            }
        }
        Ok(())
    }

    /// A game that has a number, with its newest tags.
    fn known_game(&mut self, new: &Pending, hash: &Digest, id: u64) -> Result<Arc<StoredGame>> {
        let pending = self.pending.iter().map(|(_, games)| games).chain([new]);
        let mut pending = pending.filter_map(|games| games.get(hash));
        // Games of a hash are numbered in order.
        let pending = pending.find_map(|games| {
            let place = games.binary_search_by_key(&id, |(other, _)| *other).ok()?;
            Some(Arc::clone(&games[place].1))
        });
        let mut game = match pending {
            Some(game) => game,
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
        read.iter().map(|source| enter_source(&mut self.sources, source)).collect()
    }
}

/// So many tags are looked for one by one.
const FEW_TAGS: usize = 32;

/// The tags of a game with those that another record of it has and it lacks; `None` if there are none. A tag
/// without a known value counts as lacking.
#[must_use]
pub fn merge_tags(stored: &Tags, copy: &Tags) -> Option<Tags> {
    let says = |value: &str| value.bytes().any(|byte| !matches!(byte, b'?' | b'.' | b' ' | b'-' | b'*'));
    // Most copies say nothing new.
    let lacks = |name: &str| !stored.get(name).is_some_and(says);
    if copy.len() <= FEW_TAGS && !copy.iter().any(|(name, value)| says(value) && lacks(name)) {
        return None;
    }
    let mut merged: Vec<(&str, &str)> = stored.iter().collect();
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(merged.len());
    for (place, (name, _)) in merged.iter().enumerate() {
        places.entry(name).or_insert(place);
    }
    let mut changed = false;
    for (name, value) in copy.iter().filter(|(_, value)| says(value)) {
        match places.entry(name) {
            Entry::Occupied(place) if says(merged[*place.get()].1) => continue,
            Entry::Occupied(place) => merged[*place.get()].1 = value,
            Entry::Vacant(place) => {
                place.insert(merged.len());
                merged.push((name, value));
            }
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
