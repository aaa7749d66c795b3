//! The one value that says what the database holds. Whatever it does not name does not exist.

use std::sync::Arc;

use boardprint_base::Digest;

use super::codec::{self, Cursor, put_bytes, put_varint};
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};
use super::hot::Counts;
use super::run::Run;

/// How far a source file has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the caller named it.
    pub path: Box<str>,
    /// What tells the file from another of the same name; the caller's choice, such as a hash of its beginning.
    pub stamp: Digest,
    /// The byte behind the last record that was read.
    pub offset: u64,
    /// How many records were read.
    pub records: u64,
}

/// What the database holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Grows with every state that is published.
    pub(crate) generation: u64,
    /// How the hashes were made.
    pub(crate) profile: String,
    /// The least number that no run has had.
    pub(crate) next_run: u32,
    pub(crate) games: u64,
    /// The bytes of all blocks of games and starts.
    pub(crate) game_bytes: u64,
    pub(crate) starts: u32,
    pub(crate) results: Counts,
    pub(crate) duplicates: u64,
    pub(crate) rejects: u64,
    pub(crate) runs: Runs,
    pub(crate) sources: Arc<Vec<Source>>,
    /// Sorted files of a bulk load that has not ended.
    pub(crate) spills: Vec<Spill>,
}

/// A sorted file of a bulk load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spill {
    /// The tree that its entries are for: postings or hot.
    pub(crate) tree: Tree,
    pub(crate) number: u32,
    pub(crate) entries: u64,
}

impl Spill {
    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        format!("{}-{}", self.tree, self.number)
    }
}

/// The runs of each tree, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    pub(crate) postings: Vec<Arc<Run>>,
    pub(crate) game_index: Vec<Arc<Run>>,
    pub(crate) hot: Vec<Arc<Run>>,
}

impl Runs {
    /// The trees that are kept in runs.
    pub(crate) const TREES: [Tree; 3] = [Tree::Postings, Tree::GameIndex, Tree::Hot];

    /// The runs of a tree; other trees have none.
    pub(crate) fn of(&self, tree: Tree) -> &[Arc<Run>] {
        match tree {
            Tree::Postings => &self.postings,
            Tree::GameIndex => &self.game_index,
            Tree::Hot => &self.hot,
            Tree::Meta | Tree::Games | Tree::Starts => &[],
        }
    }

    /// Adds a run behind the others, unless it is empty.
    pub(crate) fn push(&mut self, tree: Tree, run: Run) {
        if run.entries > 0 {
            self.of_mut(tree).push(Arc::new(run));
        }
    }

    /// Puts a merged run in the place of those it was made of.
    pub(crate) fn replace(&mut self, tree: Tree, old: &[Arc<Run>], new: Run) {
        let runs = self.of_mut(tree);
        let at = runs.iter().position(|run| run.id == old[0].id).unwrap_or(0);
        runs.retain(|run| !old.iter().any(|gone| gone.id == run.id));
        runs.insert(at.min(runs.len()), Arc::new(new));
    }

    fn of_mut(&mut self, tree: Tree) -> &mut Vec<Arc<Run>> {
        match tree {
            Tree::Postings => &mut self.postings,
            Tree::GameIndex => &mut self.game_index,
            Tree::Hot | Tree::Meta | Tree::Games | Tree::Starts => &mut self.hot,
        }
    }
}

/// The key of the manifest.
const KEY: &[u8] = b"manifest";

impl Manifest {
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
        put_varint(out, self.generation);
        put_bytes(out, self.profile.as_bytes());
        let [next_run, starts] = [self.next_run, self.starts].map(u64::from);
        for number in [next_run, self.games, self.game_bytes, starts, self.duplicates, self.rejects] {
            put_varint(out, number);
        }
        self.results.0.iter().for_each(|count| put_varint(out, *count));
        for tree in Runs::TREES {
            put_varint(out, self.runs.of(tree).len() as u64);
            for run in self.runs.of(tree) {
                for number in [run.id.into(), run.level.into(), run.entries, run.blocks, run.bytes] {
                    put_varint(out, number);
                }
            }
        }
        put_varint(out, self.sources.len() as u64);
        for source in &*self.sources {
            put_bytes(out, source.path.as_bytes());
            out.extend_from_slice(&source.stamp.0);
            put_varint(out, source.offset);
            put_varint(out, source.records);
        }
        put_varint(out, self.spills.len() as u64);
        for spill in &self.spills {
            out.push(u8::from(spill.tree == Tree::Hot));
            put_varint(out, spill.number.into());
            put_varint(out, spill.entries);
        }
    }

    fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let mut manifest = Manifest {
            generation: input.varint()?,
            profile: input.text()?.to_owned(),
            next_run: u32::try_from(input.varint()?).ok()?,
            games: input.varint()?,
            game_bytes: input.varint()?,
            starts: u32::try_from(input.varint()?).ok()?,
            duplicates: input.varint()?,
            rejects: input.varint()?,
            ..Manifest::default()
        };
        for count in &mut manifest.results.0 {
            *count = input.varint()?;
        }
        for tree in Runs::TREES {
            for _ in 0..input.count()? {
                let run = Run {
                    id: u32::try_from(input.varint()?).ok()?,
                    level: u8::try_from(input.varint()?).ok()?,
                    entries: input.varint()?,
                    blocks: input.varint()?,
                    bytes: input.varint()?,
                };
                manifest.runs.of_mut(tree).push(Arc::new(run));
            }
        }
        let count = input.count()?;
        let source = |_| {
            Some(Source {
                path: input.text()?.into(),
                stamp: Digest(input.array()?),
                offset: input.varint()?,
                records: input.varint()?,
            })
        };
        manifest.sources = Arc::new((0..count).map(source).collect::<Option<Vec<_>>>()?);
        for _ in 0..input.count()? {
            let tree = if input.byte()? == 0 { Tree::Postings } else { Tree::Hot };
            let number = u32::try_from(input.varint()?).ok()?;
            manifest.spills.push(Spill { tree, number, entries: input.varint()? });
        }
        Some(manifest)
    }

    /// The sorted files for a tree.
    pub(crate) fn spills_of(&self, tree: Tree) -> Vec<Spill> {
        self.spills.iter().filter(|spill| spill.tree == tree).cloned().collect()
    }

    /// The number of a source file and how far it was read.
    pub(crate) fn source(&self, path: &str, stamp: &Digest) -> Option<(u32, &Source)> {
        (0..).zip(&*self.sources).find(|(_, source)| &*source.path == path && source.stamp == *stamp)
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
            runs in proptest::collection::vec((any::<u32>(), any::<u8>(), any::<[u64; 3]>()), 0..9),
            sources in proptest::collection::vec((".*", any::<[u8; 20]>(), any::<u64>(), any::<u64>()), 0..5),
        ) {
            let run = |(id, level, [entries, blocks, bytes]): (u32, u8, [u64; 3])| Arc::new(Run { id, level, entries, blocks, bytes });
            let source = |(path, stamp, offset, records): (String, _, _, _)| {
                Source { path: path.into(), stamp: Digest(stamp), offset, records }
            };
            let runs: Vec<_> = runs.into_iter().map(run).collect();
            let manifest = Manifest {
                generation: numbers[0],
                profile,
                next_run: 7,
                games: numbers[1],
                game_bytes: numbers[2],
                starts: 9,
                results: Counts([numbers[2], numbers[3], numbers[4], numbers[5]]),
                duplicates: numbers[6],
                rejects: numbers[7],
                runs: Runs { postings: runs.clone(), game_index: Vec::new(), hot: runs },
                sources: Arc::new(sources.into_iter().map(source).collect()),
                spills: vec![Spill { tree: Tree::Hot, number: 3, entries: numbers[0] }],
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
