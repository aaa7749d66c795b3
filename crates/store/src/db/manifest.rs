//! The one value that says what the index holds. Whatever it does not name does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boardprint_base::Digest;

use super::codec::{self, Cursor, put_bytes, put_varint};
use super::counts::Counts;
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};
use super::head::DatabaseId;
use super::log::Address;
use super::ratings::Ratings;
use super::run::Run;

/// How far a source file has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the caller named it.
    pub path: Box<str>,
    /// What tells the file from another of the same name; the caller's choice, such as a hash of its beginning.
    pub stamp: Digest,
    /// The byte after the last record that was read.
    pub offset: u64,
    /// How many records were read.
    pub records: u64,
}

/// What the index holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The database that it is an index of.
    pub(crate) id: DatabaseId,
    /// Grows with every state that is published.
    pub(crate) generation: u64,
    /// How the hashes were made.
    pub(crate) profile: String,
    /// Positions after this ply are not indexed.
    pub(crate) max_ply: Option<u32>,
    /// The end of the log that is indexed.
    pub(crate) log_end: Address,
    /// The least number that no run has had.
    pub(crate) next_run: u32,
    /// The number that the next game gets.
    pub(crate) next_game: u64,
    /// How many games were forgotten.
    pub(crate) forgotten: u64,
    /// The results of the games that were not forgotten.
    pub(crate) results: Counts,
    pub(crate) duplicates: u64,
    pub(crate) rejects: u64,
    /// How many names and laws there are.
    pub(crate) words: u32,
    /// How often games got new tags.
    pub(crate) retagged: u64,
    pub(crate) runs: Runs,
    pub(crate) sources: Arc<Vec<Source>>,
    /// Sorted files of a bulk load that has not ended.
    pub(crate) spills: Vec<Spill>,
    /// Games that got other ratings after they were counted, with the ratings that they were counted with.
    pub(crate) rated_before: BTreeMap<u64, Ratings>,
    /// Runs of postings whose counts have not the ratings of their games.
    pub(crate) unrated: BTreeSet<u32>,
    /// How many positions a run of postings has, each counted once, as far as that is known.
    pub(crate) distinct: BTreeMap<u32, u64>,
}

/// If more games got other ratings, counts are taken to have none.
const MOST_RATED_BEFORE: usize = 64;

/// A sorted file of postings of a bulk load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spill {
    pub(crate) number: u32,
    pub(crate) entries: u64,
}

impl Spill {
    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        format!("postings-{}", self.number)
    }
}

/// What is known of a run of postings once it is written, beside the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountNotes {
    /// How many positions it has, each counted once.
    pub(crate) distinct: u64,
    /// Of the games that got other ratings since they were last counted, those that are in it: its counts
    /// have their new ones.
    pub(crate) rated_again: BTreeSet<u64>,
}

/// The runs of each tree, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    pub(crate) postings: Vec<Arc<Run>>,
    /// Beside the run of postings with the same number.
    pub(crate) counts: Vec<Arc<Run>>,
    pub(crate) game_index: Vec<Arc<Run>>,
}

impl Runs {
    /// The trees that are kept in runs.
    pub(crate) const TREES: [Tree; 3] = [Tree::Postings, Tree::Counts, Tree::GameIndex];

    /// The runs of a tree; other trees have none.
    pub(crate) fn of(&self, tree: Tree) -> &[Arc<Run>] {
        match tree {
            Tree::Postings => &self.postings,
            Tree::Counts => &self.counts,
            Tree::GameIndex => &self.game_index,
            Tree::Meta | Tree::Columns | Tree::Words | Tree::Tags => &[],
        }
    }

    /// Adds a run after the others, unless it is empty.
    pub(crate) fn push(&mut self, tree: Tree, run: Run) {
        if run.entries > 0
            && let Some(runs) = self.of_mut(tree)
        {
            runs.push(Arc::new(run));
        }
    }

    /// Puts a merged run in the place of those it was made of.
    pub(crate) fn replace(&mut self, tree: Tree, old: &[Arc<Run>], new: Run) {
        let Some(runs) = self.of_mut(tree) else { return };
        let gone = |run: &Arc<Run>| old.iter().any(|gone| gone.id == run.id);
        let at = runs.iter().position(gone).unwrap_or(runs.len());
        runs.retain(|run| !gone(run));
        if new.entries > 0 {
            runs.insert(at.min(runs.len()), Arc::new(new));
        }
    }

    /// The counts beside a run of postings.
    pub(crate) fn counts_of(&self, run: u32) -> Option<&Arc<Run>> {
        self.counts.iter().find(|counts| counts.id == run)
    }

    fn of_mut(&mut self, tree: Tree) -> Option<&mut Vec<Arc<Run>>> {
        match tree {
            Tree::Postings => Some(&mut self.postings),
            Tree::Counts => Some(&mut self.counts),
            Tree::GameIndex => Some(&mut self.game_index),
            Tree::Meta | Tree::Columns | Tree::Words | Tree::Tags => None,
        }
    }
}

/// The key of the manifest.
const KEY: &[u8] = b"manifest";

impl Manifest {
    /// The manifest of an empty index.
    pub(crate) fn new(id: DatabaseId, profile: String, max_ply: Option<u32>, log_end: Address) -> Self {
        Manifest {
            id,
            generation: 1,
            profile,
            max_ply,
            log_end,
            next_run: 0,
            next_game: 0,
            forgotten: 0,
            results: Counts::default(),
            duplicates: 0,
            rejects: 0,
            words: 0,
            retagged: 0,
            runs: Runs::default(),
            sources: Arc::default(),
            spills: Vec::new(),
            rated_before: BTreeMap::new(),
            unrated: BTreeSet::new(),
            distinct: BTreeMap::new(),
        }
    }

    /// Notes games that got other ratings, with those that they had before.
    pub(crate) fn note_rated(&mut self, before: impl IntoIterator<Item = (u64, Ratings)>) {
        for (game, ratings) in before {
            // Counts were made with the first.
            self.rated_before.entry(game).or_insert(ratings);
        }
        if self.rated_before.len() > MOST_RATED_BEFORE {
            self.unrate();
        }
    }

    /// Nothing is known any more of the ratings in the counts.
    pub(crate) fn unrate(&mut self) {
        self.rated_before.clear();
        self.unrated.extend(self.runs.postings.iter().map(|run| run.id));
    }

    /// Notes what was written with a run of postings.
    pub(crate) fn note_counts(&mut self, run: u32, notes: &CountNotes) {
        self.distinct.insert(run, notes.distinct);
        self.rated_before.retain(|game, _| !notes.rated_again.contains(game));
    }

    /// Forgets what is noted of runs that are gone.
    pub(crate) fn tidy(&mut self) {
        let runs: BTreeSet<u32> = self.runs.postings.iter().map(|run| run.id).collect();
        self.unrated.retain(|run| runs.contains(run));
        self.distinct.retain(|run, _| runs.contains(run));
    }

    /// How many games there are.
    pub(crate) const fn games(&self) -> u64 {
        self.next_game.saturating_sub(self.forgotten)
    }

    /// Reads the manifest, if there is one.
    pub(crate) fn load(engine: &dyn Engine) -> Result<Option<Self>> {
        let Some(value) = engine.get(Tree::Meta, KEY)? else { return Ok(None) };
        let mut input = codec::open(Tree::Meta, KEY, &value)?;
        let manifest = Self::take(&mut input).filter(|_| input.is_empty());
        manifest.ok_or_else(|| Error::damaged(Tree::Meta, KEY, "it cannot be read")).map(Some)
    }

    /// The write that publishes the manifest.
    pub(crate) fn write(&self) -> Write {
        let mut value = codec::begin(256);
        self.put(&mut value);
        Write::Put { tree: Tree::Meta, key: KEY.to_vec(), value: codec::seal(Tree::Meta, KEY, value) }
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.id.0);
        put_varint(out, self.generation);
        put_bytes(out, self.profile.as_bytes());
        put_varint(out, self.max_ply.map_or(0, |ply| u64::from(ply) + 1));
        let [next_run, words] = [self.next_run, self.words].map(u64::from);
        for number in [
            self.log_end.0,
            next_run,
            self.next_game,
            self.forgotten,
            self.duplicates,
            self.rejects,
            words,
            self.retagged,
        ] {
            put_varint(out, number);
        }
        self.results.put(out);
        for tree in Runs::TREES {
            put_varint(out, self.runs.of(tree).len() as u64);
            for run in self.runs.of(tree) {
                for number in [run.id.into(), run.level.into(), run.entries, run.blocks, run.bytes] {
                    put_varint(out, number);
                }
                put_bytes(out, &run.first);
            }
        }
        put_varint(out, self.sources.len() as u64);
        self.sources.iter().for_each(|source| source.put(out));
        put_varint(out, self.spills.len() as u64);
        for spill in &self.spills {
            put_varint(out, spill.number.into());
            put_varint(out, spill.entries);
        }
        put_varint(out, self.rated_before.len() as u64);
        for (game, ratings) in &self.rated_before {
            put_varint(out, *game);
            for rating in ratings {
                put_varint(out, (*rating).into());
            }
        }
        put_varint(out, self.unrated.len() as u64);
        for run in &self.unrated {
            put_varint(out, (*run).into());
        }
        put_varint(out, self.distinct.len() as u64);
        for (run, positions) in &self.distinct {
            put_varint(out, (*run).into());
            put_varint(out, *positions);
        }
    }

    fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let id = DatabaseId(input.array()?);
        let generation = input.varint()?;
        let profile = input.text()?.to_owned();
        let max_ply = match input.varint()?.checked_sub(1) {
            None => None,
            Some(ply) => Some(u32::try_from(ply).ok()?),
        };
        let log_end = Address(input.varint()?);
        let mut manifest = Manifest { generation, ..Manifest::new(id, profile, max_ply, log_end) };
        manifest.next_run = u32::try_from(input.varint()?).ok()?;
        manifest.next_game = input.varint()?;
        manifest.forgotten = input.varint()?;
        manifest.duplicates = input.varint()?;
        manifest.rejects = input.varint()?;
        manifest.words = u32::try_from(input.varint()?).ok()?;
        manifest.retagged = input.varint()?;
        manifest.results = Counts::take(input)?;
        for tree in Runs::TREES {
            for _ in 0..input.count()? {
                let run = Run {
                    id: u32::try_from(input.varint()?).ok()?,
                    level: u8::try_from(input.varint()?).ok()?,
                    entries: input.varint()?,
                    blocks: input.varint()?,
                    bytes: input.varint()?,
                    first: input.bytes()?.into(),
                };
                manifest.runs.of_mut(tree)?.push(Arc::new(run));
            }
        }
        let count = input.count()?;
        let sources = (0..count).map(|_| Source::take(input)).collect::<Option<Vec<_>>>()?;
        manifest.sources = Arc::new(sources);
        for _ in 0..input.count()? {
            let number = u32::try_from(input.varint()?).ok()?;
            manifest.spills.push(Spill { number, entries: input.varint()? });
        }
        for _ in 0..input.count()? {
            let game = input.varint()?;
            let mut rating = || u16::try_from(input.varint()?).ok();
            manifest.rated_before.insert(game, [rating()?, rating()?]);
        }
        for _ in 0..input.count()? {
            manifest.unrated.insert(u32::try_from(input.varint()?).ok()?);
        }
        for _ in 0..input.count()? {
            let run = u32::try_from(input.varint()?).ok()?;
            manifest.distinct.insert(run, input.varint()?);
        }
        Some(manifest)
    }

    /// A source file by its name and what tells it from others.
    pub(crate) fn source(&self, path: &str, stamp: &Digest) -> Option<&Source> {
        self.sources.iter().find(|source| &*source.path == path && source.stamp == *stamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn manifests_come_back(
            numbers: [u64; 8],
            profile: String,
            max_ply: Option<u16>,
            runs in proptest::collection::vec((any::<u32>(), any::<u8>(), any::<[u64; 3]>(), any::<Vec<u8>>()), 0..9),
            sources in proptest::collection::vec((".*", any::<[u8; 20]>(), any::<u64>(), any::<u64>()), 0..5),
        ) {
            let run = |(id, level, [entries, blocks, bytes], first): (u32, u8, [u64; 3], Vec<u8>)| {
                Arc::new(Run { id, level, entries, blocks, bytes, first: first.into() })
            };
            let source = |(path, stamp, offset, records): (String, _, _, _)| {
                Source { path: path.into(), stamp: Digest(stamp), offset, records }
            };
            let runs: Vec<_> = runs.into_iter().map(run).collect();
            let manifest = Manifest {
                generation: numbers[0],
                next_run: 7,
                next_game: numbers[1],
                forgotten: numbers[2],
                results: Counts([numbers[2], numbers[3], numbers[4], numbers[5]]),
                duplicates: numbers[6],
                rejects: numbers[7],
                words: 4,
                retagged: numbers[3],
                runs: Runs { postings: runs.clone(), counts: Vec::new(), game_index: runs },
                sources: Arc::new(sources.into_iter().map(source).collect()),
                spills: vec![Spill { number: 3, entries: numbers[0] }],
                rated_before: BTreeMap::from([(numbers[1], [0, 2400]), (7, [u16::MAX, 1])]),
                unrated: BTreeSet::from([7, u32::MAX]),
                distinct: BTreeMap::from([(7, numbers[6]), (8, 0)]),
                ..Manifest::new(DatabaseId([9; 16]), profile, max_ply.map(u32::from), Address(numbers[4]))
            };
            let mut bytes = Vec::new();
            manifest.put(&mut bytes);
            prop_assert_eq!(Manifest::take(&mut Cursor::new(&bytes)), Some(manifest));
        }

        #[test]
        fn any_bytes_are_a_manifest_or_refused(bytes: Vec<u8>) {
            let _ = Manifest::take(&mut Cursor::new(&bytes));
        }
    }
}
