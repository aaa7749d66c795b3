//! Which games the database holds: the hash of each game and its number.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use boardprint_base::Digest;

use super::codec::{Cursor, put_varint};
use super::engine::{Engine, Tree};
use super::error::Result;
use super::posting::{Posting, Prefix};
use super::run::{Entry, Merge, Run, RunReader, WholeRun};

/// The hash of a game and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexEntry {
    pub(crate) hash: Digest,
    pub(crate) game: u64,
}

/// Stored whole: twenty bytes that have nothing in common with their neighbours but the first two or three.
impl Entry for IndexEntry {
    const TREE: Tree = Tree::GameIndex;
    const KEY_LEN: usize = 25;
    const BLOCK_ENTRIES: usize = 256;

    fn write_key(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hash.0);
        out.extend_from_slice(&self.game.to_be_bytes()[3..]);
    }

    fn encode(&self, _: Option<&Self>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hash.0);
        put_varint(out, self.game);
    }

    fn decode(_: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let hash = Digest(input.array()?);
        let game = input.varint()?;
        (game <= Posting::MAX_GAME).then_some(IndexEntry { hash, game })
    }

    #[inline]
    fn rank(&self) -> u64 {
        Prefix::of(&self.hash).rank()
    }

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.hash_order(other).then(self.game.cmp(&other.game))
    }
}

impl IndexEntry {
    /// The order of the hashes alone. Twenty bytes are compared by a call, and an import compares those of
    /// every game that is there.
    #[inline]
    fn hash_order(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank()).then_with(|| self.hash.cmp(&other.hash))
    }
}

/// Every game with a hash, in order.
pub(crate) fn find_all(
    engine: &Arc<dyn Engine>,
    runs: &[Arc<Run>],
    hash: &Digest,
) -> Result<impl Iterator<Item = Result<u64>> + use<>> {
    let hash = *hash;
    let from = IndexEntry { hash, game: 0 };
    let readers = runs.iter().map(|run| RunReader::from_entry(engine, run, &from)).collect::<Result<_>>()?;
    let same = move |entry: &Result<IndexEntry>| entry.as_ref().map_or(true, |entry| entry.hash == hash);
    Ok(Merge::new(readers).take_while(same).map(|entry| entry.map(|entry| entry.game)))
}

/// The games of all runs that have one of these hashes, by hash. Runs are read from one end to the other.
pub(crate) fn find_each(
    engine: &Arc<dyn Engine>,
    runs: &[Arc<Run>],
    mut hashes: Vec<Digest>,
) -> Result<HashMap<Digest, Vec<u64>>> {
    hashes.sort_unstable();
    hashes.dedup();
    let mut found: HashMap<Digest, Vec<u64>> = HashMap::new();
    for run in runs {
        let mut wanted = hashes.iter().map(|hash| IndexEntry { hash: *hash, game: 0 }).peekable();
        for entry in WholeRun::<IndexEntry>::new(engine, run) {
            let entry = entry?;
            while wanted.next_if(|wanted| wanted.hash_order(&entry) == Ordering::Less).is_some() {}
            let Some(next) = wanted.peek() else { break };
            if next.hash_order(&entry) == Ordering::Equal {
                found.entry(entry.hash).or_default().push(entry.game);
            }
        }
    }
    Ok(found)
}

/// Says for most new games that they are new: a Bloom filter over game hashes, sixteen bits per game, four of
/// them set.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    words: Vec<u64>,
    games: u64,
}

impl Filter {
    const BITS_PER_GAME: u64 = 16;

    /// A filter with room for about twice as many games.
    pub(crate) fn with_room(games: u64) -> Self {
        let bits = (games.max(1 << 16) * 2 * Self::BITS_PER_GAME).next_power_of_two();
        let words = usize::try_from(bits / 64).unwrap_or(usize::MAX / 8);
        Filter { words: vec![0; words], games: 0 }
    }

    /// A filter of every game in the runs, with room for others besides.
    pub(crate) fn load(engine: &Arc<dyn Engine>, runs: &[Arc<Run>], others: u64) -> Result<Self> {
        let known: u64 = runs.iter().map(|run| run.entries).sum();
        let mut filter = Self::with_room(known + others);
        for run in runs {
            for entry in WholeRun::<IndexEntry>::new(engine, run) {
                filter.add(&entry?.hash);
            }
        }
        Ok(filter)
    }

    /// Whether it should be made again with more room.
    pub(crate) const fn is_full(&self) -> bool {
        self.games * Self::BITS_PER_GAME > self.words.len() as u64 * 64
    }

    pub(crate) fn add(&mut self, hash: &Digest) {
        for (word, bit) in self.places(hash) {
            self.words[word] |= bit;
        }
        self.games += 1;
    }

    /// Whether the game may be there; `false` is certain.
    pub(crate) fn may_hold(&self, hash: &Digest) -> bool {
        self.places(hash).into_iter().all(|(word, bit)| self.words[word] & bit != 0)
    }

    /// The digest is as good as random, so that its parts serve as hash functions.
    fn places(&self, hash: &Digest) -> [(usize, u64); 4] {
        let mask = self.words.len() as u64 * 64 - 1;
        [0, 4, 8, 12].map(|at| {
            let bytes = hash.0[at..].first_chunk().expect("a digest has twenty bytes");
            let place = u64::from_le_bytes(*bytes) & mask;
            ((place / 64) as usize, 1 << (place % 64))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::encode_blocks;
    use super::super::engine::MemoryEngine;
    use super::*;

    #[test]
    fn games_are_found_together_as_one_by_one() {
        let engine: Arc<dyn Engine> = Arc::new(MemoryEngine::new());
        let hash = |n: u64| Digest::of(&(n % 900).to_le_bytes());
        // Some games share a hash, within a run and across runs.
        let runs: Vec<Arc<Run>> = [(1, 0..700), (2, 700..1900), (3, 1900..1901)]
            .into_iter()
            .map(|(run, games)| {
                let mut entries: Vec<_> = games.map(|game| IndexEntry { hash: hash(game), game }).collect();
                entries.sort_unstable();
                let (writes, run) = encode_blocks(run, &entries);
                engine.load(writes).unwrap();
                Arc::new(run)
            })
            .collect();
        let all = |hash: &Digest| find_all(&engine, &runs, hash).unwrap().collect::<Result<Vec<u64>>>();
        for step in [1, 7, 400, 5_000] {
            let wanted: Vec<Digest> =
                (0..2_000).step_by(step).map(|n| Digest::of(&u64::to_le_bytes(n))).collect();
            let mut found = find_each(&engine, &runs, wanted.clone()).unwrap();
            for hash in &wanted {
                let mut games = found.remove(hash).unwrap_or_default();
                games.sort_unstable();
                assert_eq!(games, all(hash).unwrap());
            }
            assert!(found.is_empty(), "nobody asked for {found:?}");
        }
    }

    #[test]
    fn the_filter_forgets_nothing_and_seldom_errs() {
        let hash = |n: u32| Digest::of(&n.to_le_bytes());
        let mut filter = Filter::with_room(1);
        (0..100_000).for_each(|n| filter.add(&hash(n)));
        assert!(!filter.is_full());
        assert!((0..100_000).all(|n| filter.may_hold(&hash(n))));
        let wrong = (100_000..200_000).filter(|n| filter.may_hold(&hash(*n))).count();
        assert!(wrong < 1_000, "{wrong} of 100,000");
    }
}
