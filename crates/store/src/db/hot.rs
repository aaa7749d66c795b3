//! Counts of positions that occur often.
//!
//! A batch that holds a position often enough leaves a summary of it: how the games ended and which moves followed. The
//! summary says which games it covers, so that a tally is the sum of all summaries, and only postings of games that none of
//! them covers are looked at one by one. Summaries are written in the same batch as the postings they count, so the two
//! always agree.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use boardprint_base::GameResult;

use super::codec::{Cursor, put_bytes, put_varint};
use super::engine::Tree;
use super::game::{StoredGame, StoredMove, result_code};
use super::posting::{Posting, Prefix};
use super::run::Entry;

/// How many occurrences ended in each result, in the order of [`GameResult::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counts(pub [u64; 4]);

impl Counts {
    /// Counts one more game.
    pub fn add(&mut self, result: GameResult) {
        self.0[usize::from(result_code(result))] += 1;
    }

    /// The number for a result.
    #[must_use]
    pub const fn of(&self, result: GameResult) -> u64 {
        self.0[result_code(result) as usize]
    }

    /// The number of all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(crate) fn add_all(&mut self, other: &Counts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|count| put_varint(out, *count));
    }

    fn take(input: &mut Cursor<'_>) -> Option<Self> {
        Some(Counts([input.varint()?, input.varint()?, input.varint()?, input.varint()?]))
    }
}

/// The counts of one position over some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) prefix: Prefix,
    /// First and last game of each stretch that is counted, ascending.
    pub(crate) covered: Vec<(u64, u64)>,
    /// By packed move; the empty one is the end of the game.
    pub(crate) moves: BTreeMap<Box<[u8]>, Counts>,
}

impl Summary {
    /// A summary without counts.
    pub(crate) const fn new(prefix: Prefix) -> Self {
        Summary { prefix, covered: Vec::new(), moves: BTreeMap::new() }
    }

    /// Counts one occurrence.
    pub(crate) fn count(&mut self, game: &StoredGame, next: Option<StoredMove>) {
        self.moves.entry(packed(next)).or_default().add(game.result);
    }

    /// First and last game of each stretch below `games` that is not counted.
    pub(crate) fn gaps(&self, games: u64) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut next = 0;
        for (first, last) in &self.covered {
            if next < *first {
                gaps.push((next, first - 1));
            }
            next = last + 1;
        }
        if next < games {
            gaps.push((next, games - 1));
        }
        gaps
    }

    /// Whether a game is counted.
    pub(crate) fn covers(&self, game: u64) -> bool {
        let stretch = self.covered.partition_point(|(_, last)| *last < game);
        self.covered.get(stretch).is_some_and(|(first, _)| *first <= game)
    }
}

/// The summaries of the positions that occur at least `threshold` times among the sorted postings of some games.
///
/// `games` are the games from the number `first` on.
pub(crate) fn summarise(
    postings: &[Posting],
    threshold: usize,
    first: u64,
    games: &[&StoredGame],
) -> Vec<Summary> {
    let groups = postings.chunk_by(Posting::same_position).filter(|group| group.len() >= threshold);
    let mut summaries = Vec::new();
    // By game, so that each is gone through once: a long game may come by a position very often.
    let mut visits: Vec<(usize, u32, usize)> = Vec::new();
    for (summary, group) in groups.enumerate() {
        let mut new = Summary::new(group[0].prefix());
        new.covered.push((first, first + games.len() as u64 - 1));
        summaries.push(new);
        let visit =
            |posting: &Posting| Some((usize::try_from(posting.game() - first).ok()?, posting.ply(), summary));
        visits.extend(group.iter().filter_map(visit));
    }
    visits.sort_unstable();
    for visits in visits.chunk_by(|a, b| a.0 == b.0) {
        let Some(game) = games.get(visits[0].0) else { continue };
        let plies = visits.iter().map(|(_, ply, _)| *ply);
        for (next, (_, _, summary)) in game.moves.at(plies).zip(visits) {
            summaries[*summary].count(game, next);
        }
    }
    summaries
}

/// A move as the key of its counts; empty where a game ends.
pub(crate) fn packed(step: Option<StoredMove>) -> Box<[u8]> {
    step.map_or_else(Box::default, |step| step.pack())
}

impl Entry for Summary {
    const TREE: Tree = Tree::Hot;
    const KEY_LEN: usize = 10;

    fn write_key(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.prefix.0);
    }

    fn encode(&self, _: Option<&Self>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.prefix.0);
        put_varint(out, self.covered.len() as u64);
        let mut end = 0;
        for (first, last) in &self.covered {
            put_varint(out, first - end);
            put_varint(out, last - first);
            end = *last;
        }
        put_varint(out, self.moves.len() as u64);
        for (step, counts) in &self.moves {
            put_bytes(out, step);
            counts.put(out);
        }
    }

    fn decode(_: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let mut summary = Summary::new(Prefix(input.array()?));
        let mut end = 0_u64;
        for _ in 0..input.count()? {
            let first = end.checked_add(input.varint()?)?;
            end = first.checked_add(input.varint()?)?;
            summary.covered.push((first, end));
        }
        for _ in 0..input.count()? {
            let step: Box<[u8]> = input.bytes()?.into();
            if !step.is_empty() {
                StoredMove::unpack(&step)?;
            }
            summary.moves.insert(step, Counts::take(input)?);
        }
        Some(summary)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.prefix.cmp(&other.prefix)
    }

    fn absorb(&mut self, other: Self) {
        self.covered.extend(other.covered);
        self.covered.sort_unstable();
        // Neighbouring batches become one stretch.
        self.covered.dedup_by(|next, before| {
            // Stretches never overlap unless the block was tampered with; then `encode` must not stumble.
            let touches = next.0 <= before.1.saturating_add(1);
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
        for (step, counts) in other.moves {
            self.moves.entry(step).or_default().add_all(&counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::game::WesternMove;
    use proptest::prelude::*;

    #[test]
    fn stretches_that_overlap_or_end_at_the_last_number_are_absorbed() {
        let summary = |covered: &[(u64, u64)]| {
            let mut summary = Summary::new(Prefix([7; 10]));
            summary.covered.extend_from_slice(covered);
            summary
        };
        let mut one = summary(&[(0, 10), (20, u64::MAX)]);
        one.absorb(summary(&[(5, 7), (30, 40)]));
        assert_eq!(one.covered, [(0, 10), (20, u64::MAX)]);
        let mut bytes = Vec::new();
        one.encode(None, &mut bytes);
        assert_eq!(Summary::decode(None, &mut Cursor::new(&bytes)).expect("readable").covered, one.covered);
    }

    fn any_summary() -> impl Strategy<Value = Summary> {
        let stretches = proptest::collection::vec((1_u64..50, 0_u64..50), 0..6);
        let moves = proptest::collection::btree_map(0_u16..0x4fff, any::<[u32; 4]>(), 0..8);
        (stretches, moves).prop_map(|(stretches, moves)| {
            let mut summary = Summary::new(Prefix([7; 10]));
            let mut next = 0;
            for (gap, len) in stretches {
                // A gap of at least one game, or the stretches would be one.
                summary.covered.push((next + gap, next + gap + len));
                next += gap + len + 1;
            }
            for (bits, counts) in moves {
                let step = StoredMove::Western(WesternMove::from_bits(bits).unwrap());
                summary.moves.insert(step.pack(), Counts(counts.map(u64::from)));
            }
            summary
        })
    }

    proptest! {
        #[test]
        fn summaries_come_back(summary in any_summary()) {
            let mut bytes = Vec::new();
            summary.encode(None, &mut bytes);
            let mut input = Cursor::new(&bytes);
            prop_assert_eq!(Summary::decode(None, &mut input), Some(summary));
            prop_assert!(input.is_empty());
        }

        #[test]
        fn a_game_is_counted_or_in_a_gap(summary in any_summary(), games in 1_u64..600) {
            let gaps = summary.gaps(games);
            for game in 0..games {
                let in_gap = gaps.iter().any(|(first, last)| (*first..=*last).contains(&game));
                prop_assert_eq!(summary.covers(game), !in_gap, "game {}", game);
            }
        }

        #[test]
        fn any_bytes_are_a_summary_or_refused(bytes: Vec<u8>) {
            let _ = Summary::decode(None, &mut Cursor::new(&bytes));
        }
    }

    #[test]
    fn neighbouring_stretches_become_one() {
        let part = |first, last| {
            let mut part = Summary::new(Prefix([1; 10]));
            part.covered.push((first, last));
            part.moves.insert(Box::default(), Counts([1, 0, 0, 0]));
            part
        };
        let mut whole = part(10, 19);
        whole.absorb(part(30, 39));
        whole.absorb(part(20, 29));
        assert_eq!(whole.covered, [(10, 39)]);
        assert_eq!(whole.moves[&[][..]], Counts([3, 0, 0, 0]));
        assert_eq!(whole.gaps(50), [(0, 9), (40, 49)]);
    }
}
