//! Different positions under one prefix: looked for whenever games are replayed.
//!
//! Postings keep ten bytes of a hash. By accident no two positions share them, but whoever wants to can make two that do. So every
//! position that is met leaves its posting and a fingerprint of its text. Sorted by prefix, equal prefixes lie side by side, and
//! their fingerprints must be equal.
//!
//! The fingerprint is a hash with a key that is made anew for each check, so that nobody could know it when the texts were made. Texts
//! that differ then have the same fingerprint with a chance of one in 2⁶⁴, whatever they are: for each pair under one prefix, that is as
//! good as comparing the texts themselves. Pairs under different prefixes are never compared, so that their number does not matter.

use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::path::PathBuf;

use rayon::prelude::*;
use tempfile::TempDir;

use super::codec::Cursor;
use super::engine::Tree;
use super::error::{Error, Result};
use super::posting::Posting;
use super::run::{Entry, Merge};
use super::spill::{SpillReader, write_slice, write_stream};

/// How many sightings are held in memory; 32 bytes each.
const AT_ONCE: usize = 2 << 20;
/// So many sorted files are merged into one, so that few are open at a time.
const MAX_FILES: usize = 128;

/// A secret that nobody knew before.
pub(crate) struct Key(RandomState);

impl Key {
    pub(crate) fn new() -> Self {
        Key(RandomState::new())
    }

    /// The fingerprint of a text.
    pub(crate) fn print(&self, text: &[u8]) -> u64 {
        self.0.hash_one(text)
    }
}

/// A position that was met: where, and the fingerprint of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    pub(crate) posting: Posting,
    pub(crate) print: u64,
}

/// As a posting, and the fingerprint behind it.
impl Entry for Sighting {
    const TREE: Tree = Posting::TREE;
    const KEY_LEN: usize = Posting::KEY_LEN;

    fn write_key(&self, out: &mut Vec<u8>) {
        self.posting.write_key(out);
    }

    fn encode(&self, previous: Option<&Self>, out: &mut Vec<u8>) {
        self.posting.encode(previous.map(|previous| &previous.posting), out);
        out.extend_from_slice(&self.print.to_le_bytes());
    }

    fn decode(previous: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let posting = Posting::decode(previous.map(|previous| &previous.posting), input)?;
        Some(Sighting { posting, print: u64::from_le_bytes(input.array()?) })
    }

    fn order(&self, other: &Self) -> Ordering {
        self.posting.cmp(&other.posting)
    }
}

/// All positions met in a check. Beyond some millions they go to sorted files in a temporary folder.
pub(crate) struct Sightings {
    at_once: usize,
    held: Vec<Sighting>,
    folder: Option<TempDir>,
    files: Vec<(PathBuf, u64)>,
    /// The number of the next file.
    next: usize,
}

impl Sightings {
    pub(crate) fn new() -> Self {
        Self::with_room(AT_ONCE)
    }

    fn with_room(at_once: usize) -> Self {
        Sightings { at_once, held: Vec::new(), folder: None, files: Vec::new(), next: 0 }
    }

    /// Takes in the positions of a game.
    pub(crate) fn add(&mut self, game: &[Sighting]) -> Result<()> {
        self.held.extend_from_slice(game);
        if self.held.len() < self.at_once {
            return Ok(());
        }
        self.sort();
        let path = self.new_file()?;
        write_slice(&path, &self.held)?;
        self.files.push((path, self.held.len() as u64));
        self.held.clear();
        if self.files.len() == MAX_FILES {
            let path = self.new_file()?;
            let entries = write_stream(&path, Merge::new(self.readers()?))?;
            for (old, _) in self.files.drain(..) {
                std::fs::remove_file(&old).map_err(Error::io("remove", old))?;
            }
            self.files.push((path, entries));
        }
        Ok(())
    }

    /// The pairs of different positions under one prefix: the first that was met, and the first of each other one.
    pub(crate) fn finish(mut self) -> Result<Vec<(Posting, Posting)>> {
        self.sort();
        let mut group = Group::default();
        let mut found = Vec::new();
        let held = std::mem::take(&mut self.held);
        if self.files.is_empty() {
            found.extend(held.iter().filter_map(|sighting| group.differs(sighting)));
            return Ok(found);
        }
        let mut streams: Vec<Box<dyn Iterator<Item = Result<Sighting>>>> =
            vec![Box::new(held.into_iter().map(Ok))];
        for reader in self.readers()? {
            streams.push(Box::new(reader));
        }
        for sighting in Merge::new(streams) {
            found.extend(group.differs(&sighting?));
        }
        Ok(found)
    }

    /// Sorts what is held. Of equal positions the first is enough.
    fn sort(&mut self) {
        self.held.par_sort_unstable_by(Sighting::order);
        let mut group = Group::default();
        self.held.retain(|sighting| group.is_new(sighting));
    }

    fn readers(&self) -> Result<Vec<SpillReader<Sighting>>> {
        self.files.iter().map(|(path, entries)| SpillReader::open(path, *entries)).collect()
    }

    fn new_file(&mut self) -> Result<PathBuf> {
        let folder = match &mut self.folder {
            Some(folder) => folder,
            none => {
                let made =
                    tempfile::tempdir().map_err(Error::io("make a folder in", std::env::temp_dir()))?;
                none.insert(made)
            }
        };
        self.next += 1;
        Ok(folder.path().join(self.next.to_string()))
    }
}

/// The different positions under the prefix at hand; there is one, unless somebody made more.
#[derive(Default)]
struct Group {
    first: Option<Posting>,
    prints: Vec<u64>,
}

impl Group {
    /// Whether the position is the first of its prefix, or another than those before.
    fn is_new(&mut self, sighting: &Sighting) -> bool {
        if !self.first.is_some_and(|first| first.same_position(&sighting.posting)) {
            self.first = Some(sighting.posting);
            self.prints.clear();
        }
        let is_new = !self.prints.contains(&sighting.print);
        if is_new {
            self.prints.push(sighting.print);
        }
        is_new
    }

    /// The first position of the prefix and this one, if this is another.
    fn differs(&mut self, sighting: &Sighting) -> Option<(Posting, Posting)> {
        let differs = self.is_new(sighting) && self.prints.len() > 1;
        differs.then_some((self.first?, sighting.posting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::posting::Prefix;
    use boardprint_base::Digest;

    /// Each position twice, and one in fifty games another one under a prefix that is there.
    fn met(room: usize) -> Vec<(u64, u64)> {
        let key = Key::new();
        let mut sightings = Sightings::with_room(room);
        for game in 0..1000_u64 {
            let sighting = |position: u64, text: &[u8]| {
                let prefix = Prefix::of(&Digest::of(&position.to_le_bytes()));
                let posting = Posting::new(prefix, game, 0).unwrap();
                Sighting { posting, print: key.print(text) }
            };
            let honest = (game / 2).to_le_bytes();
            let text: &[u8] = if game % 50 == 49 { b"another" } else { &honest };
            sightings.add(&[sighting(game / 2, text)]).unwrap();
        }
        let found = sightings.finish().unwrap();
        let mut games: Vec<_> = found.iter().map(|(first, other)| (first.game(), other.game())).collect();
        games.sort_unstable();
        games
    }

    #[test]
    fn other_texts_under_a_prefix_are_found_in_memory_and_in_files() {
        let expected: Vec<(u64, u64)> = (0..20).map(|n| (n * 50 + 48, n * 50 + 49)).collect();
        // The last one has so many files that they are merged.
        for room in [10_000, 300, 7, 3] {
            assert_eq!(met(room), expected, "{room}");
        }
    }

    #[test]
    fn another_key_gives_another_fingerprint() {
        assert_ne!(Key::new().print(b"text"), Key::new().print(b"text"));
    }
}
