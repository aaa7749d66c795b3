//! Different positions under one hash: never seen, and looked for all the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use boardprint_base::Digest;

use super::Rules;
use crate::db::{self, Prefix, Snapshot};
use crate::dedup::Chain;

/// How many positions are compared in one walk over the games; about 64 bytes each.
const AT_ONCE: u64 = 4 << 20;

/// Two different positions that the database takes for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// What their hashes share.
    pub prefix: Prefix,
    /// Game and ply of one.
    pub first: (u64, u32),
    /// Game and ply of the other.
    pub second: (u64, u32),
}

/// The search for collisions.
pub struct Collisions;

impl Collisions {
    /// Replays every game and compares the CPN of all positions that share what the database keeps of a hash. Positions are compared by a
    /// fingerprint of 128 bits of their text that has nothing to do with SHA-1.
    ///
    /// # Errors
    ///
    /// If a block is damaged. Games that cannot be replayed are left out: [`Snapshot::verify`] names them.
    pub fn find(snapshot: &Snapshot, rules: &Rules) -> db::Result<Vec<Collision>> {
        let slices = snapshot.stats()?.postings.div_ceil(AT_ONCE).max(1);
        let mut found = Vec::new();
        for slice in 0..slices {
            let mut seen = HashMap::new();
            for item in snapshot.export_games() {
                let (id, game) = item?;
                let mut ply = 0;
                let _ = rules.positions(&game, |cpn| {
                    let prefix = Prefix::of(&Digest::of(cpn));
                    let head = u64::from(u16::from_be_bytes([prefix.0[0], prefix.0[1]]));
                    if (head * slices) >> 16 == slice {
                        match seen.entry(prefix) {
                            Entry::Vacant(free) => {
                                free.insert((fingerprint(cpn), (id, ply)));
                            }
                            Entry::Occupied(taken) => {
                                let (other, first) = *taken.get();
                                if other != fingerprint(cpn) {
                                    found.push(Collision { prefix, first, second: (id, ply) });
                                }
                            }
                        }
                    }
                    ply += 1;
                });
            }
        }
        Ok(found)
    }
}

fn fingerprint(cpn: &[u8]) -> [u64; 2] {
    let mut chain = Chain::new(b"");
    chain.push_text(cpn);
    chain.key()
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Collision { prefix, first, second } = self;
        write!(
            f,
            "two positions share the hash {prefix}…: game {} after {} half-moves, game {} after {}",
            first.0, first.1, second.0, second.1
        )
    }
}
