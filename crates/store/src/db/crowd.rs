//! Hashes that very many games have.
//!
//! A thousand games of which no move was ever played share one hash, and so do all that ended after 1. e4. A
//! new one need not be compared with each of them: a rule sees only so much of a game, and of those in which
//! it sees the same, the first will do.

use std::collections::HashMap;

/// Of more games than this with one hash, only some are compared with a new one.
pub(crate) const CROWD: usize = 4;

/// Games with the same hash: the first of all, and the first of each class.
pub(crate) struct Crowd {
    first: u64,
    classes: HashMap<u64, u64>,
}

impl Crowd {
    pub(crate) fn new() -> Self {
        Crowd { first: u64::MAX, classes: HashMap::new() }
    }

    pub(crate) fn add(&mut self, class: u64, id: u64) {
        self.first = self.first.min(id);
        self.classes.entry(class).and_modify(|known| *known = id.min(*known)).or_insert(id);
    }

    /// The games that are compared with one of a class, in order.
    pub(crate) fn candidates(&self, class: u64) -> Vec<u64> {
        let mut candidates = vec![self.first];
        candidates.extend(self.classes.get(&class).filter(|id| **id != self.first));
        candidates
    }
}
