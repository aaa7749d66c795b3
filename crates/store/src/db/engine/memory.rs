//! An engine that keeps everything in memory: for tests, and for databases that need no disk.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock};

use super::{Engine, Pair, Tree, Write};
use crate::db::error::Result;

/// An engine that keeps everything in memory.
#[derive(Debug, Default)]
pub struct MemoryEngine {
    map: RwLock<Map>,
}

type Map = BTreeMap<(Tree, Vec<u8>), Vec<u8>>;

impl MemoryEngine {
    /// An empty engine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Engine for MemoryEngine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        for write in writes {
            match write {
                Write::Put { tree, key, value } => map.insert((tree, key), value),
                Write::Delete { tree, key } => map.remove(&(tree, key)),
            };
        }
        Ok(())
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        Ok(map.get(&(tree, key.to_vec())).cloned())
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let greatest = map.range((tree, Vec::new())..=(tree, key.to_vec())).next_back();
        Ok(greatest.map(|((_, key), value)| (key.clone(), value.clone())))
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to {
            return Ok(Vec::new());
        }
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let range = (Bound::Included((tree, from.to_vec())), Bound::Excluded((tree, to.to_vec())));
        Ok(map.range(range).take(limit).map(|((_, key), value)| (key.clone(), value.clone())).collect())
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }

    fn disk_size(&self) -> Result<u64> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        Ok(map.iter().map(|((_, key), value)| (key.len() + value.len()) as u64).sum())
    }
}
