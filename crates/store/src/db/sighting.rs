//! Different positions under one prefix: looked for whenever games are replayed.
//!
//! Postings keep ten bytes of a hash. By accident no two positions share them, but whoever wants to can make
//! two that do. So every position that is met leaves its posting and a fingerprint of its text. Sorted by
//! prefix, equal prefixes lie side by side, and their fingerprints must be equal.
//!
//! The fingerprint is a hash with a key that is made again for each check, so that nobody could know it when
//! the texts were made. Texts that differ then have the same fingerprint with a chance of one in 2⁶⁴,
//! whatever they are: for each pair under one prefix, that is as good as comparing the texts themselves.
//! Pairs under different prefixes are never compared, so that their number does not matter.

use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher as _;
use std::io::Seek as _;
use std::path::PathBuf;

use rayon::prelude::*;

use super::codec::Cursor;
use super::engine::Tree;
use super::error::{Error, Result};
use super::posting::Posting;
use super::run::{Entry, Merge};
use super::spill::{SpillReader, SpillWriter};
use super::verify::VerifyOptions;

/// This many sorted files of a size are merged into one, so that few are open at a time.
const FAN_IN: usize = 16;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sighting {
    pub(crate) posting: Posting,
    pub(crate) print: u64,
}

/// As a posting, and the fingerprint after it.
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

    fn rank(&self) -> u64 {
        self.posting.rank()
    }

    fn order(&self, other: &Self) -> Ordering {
        self.posting.cmp(&other.posting)
    }
}

/// All positions met in a check. Those that find no room in memory go to sorted files. The files have no
/// names: however the check ends, nothing is left of them.
pub(crate) struct Sightings {
    /// How many are held at a time; 32 bytes each.
    at_once: usize,
    /// Where the files are.
    folder: PathBuf,
    held: Vec<Sighting>,
    /// From the largest to the smallest.
    files: Vec<Sorted>,
}

/// A sorted file, ready to be read.
struct Sorted {
    file: File,
    entries: u64,
    /// How often its entries were merged.
    level: u32,
}

impl Sightings {
    pub(crate) fn new(options: &VerifyOptions) -> Self {
        let folder = options.folder.clone().unwrap_or_else(std::env::temp_dir);
        Sightings { at_once: options.positions.max(1), folder, held: Vec::new(), files: Vec::new() }
    }

    /// Takes in the positions of a game.
    pub(crate) fn add(&mut self, mut game: &[Sighting]) -> Result<()> {
        while !game.is_empty() {
            let (now, later) = game.split_at(game.len().min(self.at_once - self.held.len()));
            self.make_room(self.held.len() + now.len());
            self.held.extend_from_slice(now);
            game = later;
            if self.held.len() == self.at_once {
                self.spill()?;
            }
        }
        Ok(())
    }

    /// The pairs of different positions under one prefix: the first that was met, and the first of each other
    /// one.
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
        for reader in self.readers(0) {
            streams.push(Box::new(reader));
        }
        for sighting in Merge::new(streams) {
            found.extend(group.differs(&sighting.map_err(|error| self.failed(error))?));
        }
        Ok(found)
    }

    /// Doubles the room as a vector does, but never beyond what is to be held.
    fn make_room(&mut self, needed: usize) {
        if needed > self.held.capacity() {
            let room = needed.max(2 * self.held.capacity()).min(self.at_once);
            self.held.reserve_exact(room - self.held.len());
        }
    }

    /// Sorts what is held. Of equal positions the first is enough.
    fn sort(&mut self) {
        self.held.par_sort_unstable_by(Sighting::order);
        let mut group = Group::default();
        self.held.retain(|sighting| group.is_new(sighting));
    }

    /// Moves what is held to a file, and merges files when there are many of a size.
    fn spill(&mut self) -> Result<()> {
        self.sort();
        let held = std::mem::take(&mut self.held);
        self.write(0, |out| out.slice(&held).map(|()| held.len() as u64))?;
        self.held = held;
        self.held.clear();
        while let Some(first) = self.files.len().checked_sub(FAN_IN)
            && let level = self.files[first].level
            && self.files.last().is_some_and(|last| last.level == level)
        {
            let merged = Merge::new(self.readers(first));
            self.write(level + 1, |out| out.stream(merged))?;
        }
        Ok(())
    }

    /// Adds a file; `put` says how many entries it wrote.
    fn write(&mut self, level: u32, put: impl FnOnce(&mut SpillWriter<'_>) -> Result<u64>) -> Result<()> {
        let write = || {
            let folder = &self.folder;
            let file = tempfile::tempfile_in(folder).map_err(Error::io("write", folder))?;
            let mut out = SpillWriter::new(file, folder);
            let entries = put(&mut out)?;
            let mut file = out.into_file()?;
            file.rewind().map_err(Error::io("read", folder))?;
            Ok(Sorted { file, entries, level })
        };
        let sorted = write().map_err(|error| self.failed(error))?;
        self.files.push(sorted);
        Ok(())
    }

    /// Takes out the files from `first` on, to be read.
    fn readers(&mut self, first: usize) -> Vec<SpillReader<Sighting>> {
        let Sightings { files, folder, .. } = self;
        files.drain(first..).map(|sorted| SpillReader::new(sorted.file, folder, sorted.entries)).collect()
    }

    /// A file without a name is told by its folder.
    fn failed(&self, error: Error) -> Error {
        let Error::Io { cause, .. } = error else { return error };
        Error::Io { action: "keep positions in a temporary file in", path: self.folder.clone(), cause }
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
        if !self.first.as_ref().is_some_and(|first| first.same_position(&sighting.posting)) {
            self.first = Some(sighting.posting.clone());
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
        differs.then_some((self.first.clone()?, sighting.posting.clone()))
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
        let mut sightings = Sightings::new(&VerifyOptions::default().positions(room));
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
        // The last ones have so many files that they are merged, and merged again.
        for room in [10_000, 300, 7, 3, 1] {
            assert_eq!(met(room), expected, "{room}");
        }
    }

    #[test]
    fn another_key_gives_another_fingerprint() {
        assert_ne!(Key::new().print(b"text"), Key::new().print(b"text"));
    }
}
