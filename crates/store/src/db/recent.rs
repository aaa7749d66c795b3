//! What was used lately, within bounded room.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Values by key. What was asked for lately is in the newer half, what before that in the older one, which is
/// forgotten when the newer one is full.
pub struct Recent<K, V> {
    /// How much each half holds.
    half: usize,
    halves: Mutex<Halves<K, V>>,
}

struct Halves<K, V> {
    new: HashMap<K, (V, usize)>,
    old: HashMap<K, (V, usize)>,
    weight: usize,
}

impl<K: Copy + Eq + Hash, V: Clone> Recent<K, V> {
    /// Room for twice as much as a half holds, in the unit of the weights.
    #[must_use]
    pub fn new(half: usize) -> Self {
        let halves = Halves { new: HashMap::new(), old: HashMap::new(), weight: 0 };
        Recent { half, halves: Mutex::new(halves) }
    }

    /// A value that was put in and is still there.
    pub fn get(&self, key: K) -> Option<V> {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((value, _)) = halves.new.get(&key) {
            return Some(value.clone());
        }
        let (value, weight) = halves.old.remove(&key)?;
        halves.put(self.half, key, value.clone(), weight);
        Some(value)
    }

    /// Keeps a value, unless it is so heavy that it would leave no room for others.
    pub fn put(&self, key: K, value: V, weight: usize) {
        if weight <= self.half / 4 {
            self.halves.lock().unwrap_or_else(PoisonError::into_inner).put(self.half, key, value, weight);
        }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> Halves<K, V> {
    fn put(&mut self, half: usize, key: K, value: V, weight: usize) {
        if self.weight + weight > half {
            self.old = std::mem::take(&mut self.new);
            self.weight = 0;
        }
        if self.new.insert(key, (value, weight)).is_none() {
            self.weight += weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_within_its_room_and_what_is_in_use_stays() {
        let recent = Recent::new(1_000);
        for key in 0..1_000 {
            recent.put(key, key, 100);
            assert_eq!(recent.get(0), Some(0), "{key}");
        }
        let halves = recent.halves.lock().unwrap();
        let held: usize = halves.new.values().chain(halves.old.values()).map(|(_, weight)| weight).sum();
        assert!(held <= 2_000, "{held}");
        drop(halves);
        assert_eq!(recent.get(1), None, "it was not asked for again");
        recent.put(7_777, 7_777, 1_000);
        assert_eq!(recent.get(7_777), None, "it would leave no room for others");
    }
}
