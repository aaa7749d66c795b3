//! Blocks of games that were read lately. A list of games, and whoever steps through them, asks for the same few blocks again and
//! again, and unpacking one takes longer than all else that a line of a list needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::Result;
use super::log::{Address, Block, Log};

/// Blocks by their place. Only games that were acknowledged are asked for, and their frames never change.
#[derive(Default)]
pub(crate) struct BlockCache(Mutex<Halves>);

/// What was asked for lately, and what before that: the older half is forgotten when the newer one is full.
#[derive(Default)]
struct Halves {
    new: HashMap<Address, Arc<Block>>,
    old: HashMap<Address, Arc<Block>>,
    bytes: usize,
}

impl BlockCache {
    /// How many bytes of games each half holds, roughly.
    const HALF: usize = 8 << 20;

    /// The block at a place of the log.
    pub(crate) fn get(&self, log: &Log, at: Address) -> Result<Arc<Block>> {
        if let Some(block) = self.halves(|halves| halves.get(at)) {
            return Ok(block);
        }
        // Nobody waits while a block is read; two who read the same one at once do no harm.
        let block = Arc::new(Block::read(&log.frame(at)?)?);
        self.halves(|halves| halves.put(at, &block));
        Ok(block)
    }

    fn halves<T>(&self, work: impl FnOnce(&mut Halves) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Halves {
    fn get(&mut self, at: Address) -> Option<Arc<Block>> {
        if let Some(block) = self.new.get(&at) {
            return Some(Arc::clone(block));
        }
        let block = self.old.remove(&at)?;
        self.put(at, &block);
        Some(block)
    }

    fn put(&mut self, at: Address, block: &Arc<Block>) {
        let weight = weight(block);
        if weight > BlockCache::HALF / 4 {
            return;
        }
        if self.bytes + weight > BlockCache::HALF {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        if self.new.insert(at, Arc::clone(block)).is_none() {
            self.bytes += weight;
        }
    }
}

/// The bytes that a block takes, roughly.
fn weight(block: &Block) -> usize {
    let game = |game: &super::game::StoredGame| {
        // A game shares its start with most others of its block; counted for each, it errs on the safe side.
        256 + game.tags.bytes()
            + 16 * game.tags.len()
            + game.start.len()
            + game.extra.len()
            + game.moves.size()
    };
    block.games.iter().map(|logged| game(&logged.game)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::game::{GameKind, Moves, Origin, StoredGame, Tags};
    use super::super::log::LoggedGame;
    use super::*;

    fn block(at: u64, bytes: usize) -> Arc<Block> {
        let game = StoredGame {
            kind: GameKind::Board,
            tags: Tags::new(),
            result: boardprint_base::GameResult::Unknown,
            start: "".into(),
            moves: Moves::none(GameKind::Board),
            source: Origin::default(),
            extra: vec![0; bytes].into(),
        };
        let games = vec![LoggedGame { game: Arc::new(game), hash: boardprint_base::Digest::of(b"") }];
        Arc::new(Block { at: Address(at), first: at, games })
    }

    #[test]
    fn blocks_stay_within_their_room_and_those_in_use_stay() {
        let mut halves = Halves::default();
        for at in 0..1_000 {
            halves.put(Address(at), &block(at, 100_000));
            assert!(halves.get(Address(0)).is_some(), "{at}");
        }
        let held: usize = halves.new.values().chain(halves.old.values()).map(|block| weight(block)).sum();
        assert!(held <= 2 * BlockCache::HALF, "{held}");
        assert!(halves.get(Address(1)).is_none(), "it was not asked for again");
        halves.put(Address(7_777), &block(7_777, BlockCache::HALF));
        assert!(halves.get(Address(7_777)).is_none(), "it would leave no room for others");
    }
}
