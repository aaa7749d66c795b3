//! Counts ahead: how games went on from positions that occur often.
//!
//! Every run of postings has a run of counts beside it, with the same number: a summary of each position that
//! occurs at least so often in that run. Both are made together, when a batch comes in, when runs are merged,
//! and in `compact`, so that how a database grew does not decide how fast it answers. A tally is the sum over
//! all runs: of the summary where there is one, else of the few postings, which carry result and next move
//! themselves.
//!
//! Summaries have sums of ratings too. These come from rows, and a row may get other ratings later, when a
//! copy of its game says more. The manifest then says which games of the counts had which ratings, and of
//! which runs nothing is known any more because there are too many of these.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use boardprint_base::GameResult;

use super::codec::{Cursor, put_bytes, put_varint};
use super::columns::mean_rating;
use super::engine::{Engine, Tree};
use super::error::Result;
use super::game::{StoredMove, result_code};
use super::posting::{Posting, Prefix};
use super::ratings::{Mean, Rater, RatingSums, Ratings};
use super::run::{Entry, Run, find_entry};

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
            *mine = mine.saturating_add(theirs);
        }
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|count| put_varint(out, *count));
    }

    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        Some(Counts([input.varint()?, input.varint()?, input.varint()?, input.varint()?]))
    }
}

/// What is counted of one move from one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveCounts {
    pub(crate) results: Counts,
    /// The first game with it, and the ply of the position there.
    pub(crate) first: (u64, u32),
    /// In how many games it was played; a game may have it several times.
    pub(crate) games: u64,
    /// The ratings of those who played, for each occurrence.
    pub(crate) ratings: RatingSums,
    /// The last game that was counted.
    last: Option<u64>,
}

impl MoveCounts {
    const fn new(first: (u64, u32)) -> Self {
        let ratings = RatingSums::ZERO;
        MoveCounts { results: Counts([0; 4]), first, games: 0, ratings, last: None }
    }

    /// Counts one occurrence, with the ratings of its game.
    #[inline]
    fn count(&mut self, posting: &Posting, ratings: Ratings) {
        let game = posting.game();
        self.results.0[posting.result_code()] += 1;
        self.first = self.first.min((game, posting.ply()));
        self.games += u64::from(self.last.replace(game) != Some(game));
        self.ratings.add(ratings);
    }

    fn absorb(&mut self, other: &MoveCounts) {
        self.results.add_all(&other.results);
        self.first = self.first.min(other.first);
        self.games += other.games;
        self.ratings.add_all(&other.ratings);
    }
}

/// Which game came last is of no concern once all are counted.
impl PartialEq for MoveCounts {
    fn eq(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.results, one.first, one.games, one.ratings);
        key(self) == key(other)
    }
}

/// The counts of one position.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) prefix: Prefix,
    /// How many games have the position; a game may have it several times.
    pub(crate) games: u64,
    /// The mean ratings of these games.
    pub(crate) ratings: Mean,
    /// By packed move; the empty one is the end of the game.
    pub(crate) moves: BTreeMap<Box<[u8]>, MoveCounts>,
    /// The last game that was counted.
    last: Option<u64>,
}

impl PartialEq for Summary {
    fn eq(&self, other: &Self) -> bool {
        self.prefix == other.prefix
            && self.games == other.games
            && self.ratings == other.ratings
            && self.moves == other.moves
    }
}

impl Summary {
    /// A summary without counts.
    pub(crate) const fn new(prefix: Prefix) -> Self {
        Summary { prefix, games: 0, ratings: Mean::ZERO, moves: BTreeMap::new(), last: None }
    }

    /// The summary of a position in a run, if it has one. The summaries before it are passed over: making
    /// them all would take longer than the rest of a tally.
    pub(crate) fn find(engine: &dyn Engine, run: &Run, prefix: Prefix) -> Result<Option<Self>> {
        Self::find_and(engine, run, prefix, |input| Self::decode(None, input))
    }

    /// How often a position occurs in a run, if that was counted ahead.
    pub(crate) fn find_occurrences(engine: &dyn Engine, run: &Run, prefix: Prefix) -> Result<Option<u64>> {
        Self::find_and(engine, run, prefix, |input| {
            input.take(Prefix::default().0.len())?;
            pass_over(input)
        })
    }

    fn find_and<T>(
        engine: &dyn Engine,
        run: &Run,
        prefix: Prefix,
        found: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
    ) -> Result<Option<T>> {
        find_entry(engine, run, &Summary::new(prefix), |count, input| {
            for _ in 0..count {
                let mut here = *input;
                match Prefix(input.array()?).cmp(&prefix) {
                    Ordering::Less => {
                        pass_over(input)?;
                    }
                    Ordering::Equal => return found(&mut here).map(Some),
                    Ordering::Greater => break,
                }
            }
            Some(None)
        })
    }

    /// Counts one occurrence, with the ratings of its game. The occurrences of a game come one after another.
    pub(crate) fn count(&mut self, posting: &Posting, ratings: Ratings) {
        self.count_game(posting.game(), ratings);
        posting.with_step(|step| {
            if let Some(counts) = self.moves.get_mut(step) {
                return counts.count(posting, ratings);
            }
            let mut counts = MoveCounts::new((posting.game(), posting.ply()));
            counts.count(posting, ratings);
            self.moves.insert(step.into(), counts);
        });
    }

    /// Counts the game of an occurrence, unless it was the last one.
    #[inline]
    fn count_game(&mut self, game: u64, ratings: Ratings) {
        if self.last.replace(game) != Some(game) {
            self.games += 1;
            self.ratings.add(mean_rating(ratings));
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>() + self.moves.len() * (size_of::<(Box<[u8]>, MoveCounts)>() + 32)
    }

    /// Puts the ratings of a game in the place of those with which one of its occurrences was counted;
    /// `again` says that it was not the first one.
    pub(crate) fn rate_again(&mut self, posting: &Posting, again: bool, from: Ratings, to: Ratings) {
        if !again {
            self.ratings.change(mean_rating(from), mean_rating(to));
        }
        posting.with_step(|step| {
            if let Some(counts) = self.moves.get_mut(step) {
                counts.ratings.change(from, to);
            }
        });
    }

    /// The summary of postings of one position, in order.
    pub(crate) fn of(group: &[Posting], rater: &mut Rater<'_>) -> Result<Self> {
        let mut summary = Summary::new(group[0].prefix());
        for posting in group {
            summary.count(posting, rater.of(posting.game())?);
        }
        Ok(summary)
    }

    /// The same without ratings.
    pub(crate) fn without_ratings(mut self) -> Self {
        self.ratings = Mean::ZERO;
        self.moves.values_mut().for_each(|counts| counts.ratings = RatingSums::ZERO);
        self
    }

    /// How often the position occurs.
    pub(crate) fn occurrences(&self) -> u64 {
        self.moves.values().map(|counts| counts.results.total()).sum()
    }
}

/// Counts many occurrences: moves of finite games are found by their bits, and not by comparing.
pub(crate) struct Counter {
    sum: Summary,
    /// Moves of finite games.
    words: Vec<(u16, MoveCounts)>,
    /// Where in `words` a move is, plus one, near the place that its bits say.
    places: [u8; 1 << Self::BITS],
}

impl Counter {
    const BITS: u32 = 9;
    /// This many moves are found by their bits, so that a place is soon found; positions with more are rare.
    const MOST: usize = 200;

    pub(crate) const fn new(prefix: Prefix) -> Self {
        Counter { sum: Summary::new(prefix), words: Vec::new(), places: [0; 1 << Self::BITS] }
    }

    /// As [`Summary::count`].
    pub(crate) fn count(&mut self, posting: &Posting, ratings: Ratings) {
        let Some(word) = posting.word() else { return self.sum.count(posting, ratings) };
        let mut at = usize::from(word.wrapping_mul(0x9e37) >> (u16::BITS - Self::BITS));
        while let Some(place) = usize::from(self.places[at]).checked_sub(1) {
            let (known, counts) = &mut self.words[place];
            if *known == word {
                counts.count(posting, ratings);
                return self.sum.count_game(posting.game(), ratings);
            }
            at = (at + 1) % self.places.len();
        }
        if self.words.len() == Self::MOST {
            return self.sum.count(posting, ratings);
        }
        let mut counts = MoveCounts::new((posting.game(), posting.ply()));
        counts.count(posting, ratings);
        self.words.push((word, counts));
        self.places[at] = u8::try_from(self.words.len()).unwrap_or(0);
        self.sum.count_game(posting.game(), ratings);
    }

    pub(crate) fn into_summary(mut self) -> Summary {
        // No move is in both places.
        let words = self.words.into_iter().map(|(word, counts)| (word.to_le_bytes().into(), counts));
        self.sum.moves.extend(words);
        self.sum
    }
}

/// Passes over what follows the prefix of a summary; how often the position occurs.
fn pass_over(input: &mut Cursor<'_>) -> Option<u64> {
    let mut occurrences = 0_u64;
    input.varint()?;
    Mean::take(input)?;
    for _ in 0..input.count()? {
        input.bytes()?;
        for _ in 0..4 {
            occurrences = occurrences.checked_add(input.varint()?)?;
        }
        input.varint()?;
        input.varint()?;
        input.varint()?;
        RatingSums::pass_over(input)?;
    }
    Some(occurrences)
}

/// Makes summaries of a sorted stream of postings as it passes.
pub(crate) struct Summariser<'a> {
    threshold: usize,
    rater: Rater<'a>,
    /// The first postings of a group are held until there are enough for a summary.
    held: Vec<Posting>,
    summary: Option<Summary>,
    /// How many positions have begun.
    distinct: u64,
}

impl<'a> Summariser<'a> {
    pub(crate) fn new(threshold: usize, rater: Rater<'a>) -> Self {
        Summariser { threshold: threshold.max(1), rater, held: Vec::new(), summary: None, distinct: 0 }
    }

    /// Takes in the next posting; the summary of the position before, if that is over and was frequent.
    pub(crate) fn push(&mut self, posting: &Posting) -> Result<Option<Summary>> {
        let is_same = self.is_same(posting);
        self.distinct += u64::from(!is_same);
        let done = if is_same { None } else { self.take() };
        if let Some(summary) = &mut self.summary {
            summary.count(posting, self.rater.of(posting.game())?);
        } else {
            self.held.push(posting.clone());
            if self.held.len() >= self.threshold {
                self.summary = Some(Summary::of(&self.held, &mut self.rater)?);
                self.held.clear();
            }
        }
        Ok(done)
    }

    /// The summary of the last position.
    pub(crate) fn take(&mut self) -> Option<Summary> {
        self.held.clear();
        self.summary.take()
    }

    /// How many positions there were.
    pub(crate) const fn distinct(&self) -> u64 {
        self.distinct
    }

    fn is_same(&self, posting: &Posting) -> bool {
        match (&self.summary, self.held.first()) {
            (Some(summary), _) => summary.prefix == posting.prefix(),
            (None, Some(first)) => first.same_position(posting),
            (None, None) => false,
        }
    }
}

impl Entry for Summary {
    const TREE: Tree = Tree::Counts;
    const KEY_LEN: usize = 10;

    fn write_key(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.prefix.0);
    }

    fn encode(&self, _: Option<&Self>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.prefix.0);
        put_varint(out, self.games);
        self.ratings.put(out);
        put_varint(out, self.moves.len() as u64);
        for (step, counts) in &self.moves {
            put_bytes(out, step);
            counts.results.put(out);
            put_varint(out, counts.first.0);
            put_varint(out, counts.first.1.into());
            put_varint(out, counts.results.total().wrapping_sub(counts.games));
            counts.ratings.put(out);
        }
    }

    fn decode(_: Option<&Self>, input: &mut Cursor<'_>) -> Option<Self> {
        let mut summary = Summary::new(Prefix(input.array()?));
        summary.games = input.varint()?;
        summary.ratings = Mean::take(input)?;
        for _ in 0..input.count()? {
            let step: Box<[u8]> = input.bytes()?.into();
            if !step.is_empty() {
                StoredMove::unpack(&step)?;
            }
            let results = Counts::take(input)?;
            let first = (input.varint()?, u32::try_from(input.varint()?).ok()?);
            // Counts of damaged bytes may be any.
            let total = results.0.iter().try_fold(0_u64, |sum, count| sum.checked_add(*count))?;
            let games = total.checked_sub(input.varint()?)?;
            let ratings = RatingSums::take(input)?;
            summary.moves.insert(step, MoveCounts { results, games, ratings, ..MoveCounts::new(first) });
        }
        Some(summary)
    }

    fn rank(&self) -> u64 {
        self.prefix.rank()
    }

    fn order(&self, other: &Self) -> Ordering {
        self.prefix.cmp(&other.prefix)
    }

    fn absorb(&mut self, other: Self) {
        self.games += other.games;
        self.ratings.add_all(other.ratings);
        for (step, counts) in other.moves {
            match self.moves.get_mut(&step) {
                Some(known) => known.absorb(&counts),
                None => {
                    self.moves.insert(step, counts);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::Row;
    use super::super::engine::MemoryEngine;
    use super::super::run::write_run;
    use super::*;
    use proptest::prelude::*;

    /// Ratings by the number of the game: some have none, or one.
    fn rows() -> Vec<Row> {
        let row = |n: u16| Row {
            white_rating: [0, 2_401, 1_800][usize::from(n % 3)] + n / 3,
            black_rating: [0, 2_000][usize::from(n % 2)],
            ..Row::of_nobody()
        };
        (0..4_000).map(row).collect()
    }

    fn summary_of(group: &[Posting]) -> Summary {
        Summary::of(group, &mut Rater::Rows(0, &rows())).unwrap()
    }

    fn any_postings() -> impl Strategy<Value = Vec<Posting>> {
        let posting = (0..3_u8, 0..6_u64, 0..4_u32, proptest::option::of(0..3_u16), 0..4_usize);
        proptest::collection::vec(posting, 0..80).prop_map(|all| {
            let mut postings: Vec<Posting> = all
                .into_iter()
                .map(|(prefix, game, ply, step, result)| {
                    let step = step.map(StoredMove::Finite);
                    let posting = Posting::new(Prefix([prefix; 10]), game, ply).unwrap();
                    posting.followed_by(step.as_ref(), GameResult::ALL[result])
                })
                .collect();
            postings.sort_unstable();
            postings.dedup_by(|a, b| a.cmp(&b).is_eq());
            postings
        })
    }

    #[test]
    fn a_summary_is_found_in_a_run_of_many_blocks() {
        let prefix = |n: u32| {
            let mut bytes = [0; 10];
            bytes[..4].copy_from_slice(&n.to_be_bytes());
            Prefix(bytes)
        };
        let of = |n: u32| {
            let posting = Posting::new(prefix(n), n.into(), n % 7).unwrap();
            let step = StoredMove::Finite(u16::try_from(n % 50).unwrap());
            let end = Posting::new(prefix(n), u64::from(n) + 1, 3).unwrap();
            let postings =
                [posting.followed_by(Some(&step), GameResult::Draw), end.followed_by(None, GameResult::Draw)];
            summary_of(&postings)
        };
        let engine = MemoryEngine::new();
        let summaries = (10..3_000).filter(|n| n % 3 == 0).map(|n| Ok(of(n)));
        let run = write_run(&engine, 1, 0, summaries).unwrap();
        assert!(run.blocks > 3, "{}", run.blocks);
        for n in 0..3_010 {
            let expected = ((10..3_000).contains(&n) && n % 3 == 0).then(|| of(n));
            let occurrences = expected.is_some().then_some(2);
            assert_eq!(Summary::find_occurrences(&engine, &run, prefix(n)).unwrap(), occurrences, "{n}");
            assert_eq!(Summary::find(&engine, &run, prefix(n)).unwrap(), expected, "{n}");
        }
    }

    proptest! {
        #[test]
        fn a_stream_gives_the_summaries_of_its_groups(postings in any_postings(), threshold in 1_usize..6) {
            let rows = rows();
            let mut summariser = Summariser::new(threshold, Rater::Rows(0, &rows));
            let mut found: Vec<Summary> = postings.iter().filter_map(|posting| summariser.push(posting).unwrap()).collect();
            found.extend(summariser.take());
            prop_assert_eq!(summariser.distinct(), postings.chunk_by(Posting::same_position).count() as u64);
            let groups = postings.chunk_by(Posting::same_position).filter(|group| group.len() >= threshold);
            prop_assert_eq!(&found, &groups.map(summary_of).collect::<Vec<_>>());
            for summary in found {
                let mut bytes = Vec::new();
                summary.encode(None, &mut bytes);
                let mut input = Cursor::new(&bytes);
                prop_assert_eq!(Summary::decode(None, &mut input), Some(summary));
                prop_assert!(input.is_empty());
            }
        }

        #[test]
        fn a_counter_counts_as_a_summary_does(
            postings in any_postings(),
            words in proptest::collection::vec(any::<u16>(), 0..600),
        ) {
            let with_many = (0..).zip(words).map(|(game, word)| {
                Posting::new(Prefix([9; 10]), game, 0).unwrap().followed_by(Some(&StoredMove::Finite(word)), GameResult::Draw)
            });
            let postings: Vec<Posting> = postings.into_iter().chain(with_many).collect();
            let rows = rows();
            for group in postings.chunk_by(Posting::same_position) {
                let (mut counter, mut rater) = (Counter::new(group[0].prefix()), Rater::Rows(0, &rows));
                for posting in group {
                    counter.count(posting, rater.of(posting.game()).unwrap());
                }
                prop_assert_eq!(counter.into_summary(), summary_of(group));
            }
        }

        #[test]
        fn parts_add_up_to_the_whole(postings in any_postings(), cut in 0_u64..6) {
            for group in postings.chunk_by(Posting::same_position) {
                let (before, after): (Vec<_>, Vec<_>) = group.iter().cloned().partition(|posting| posting.game() < cut);
                if !before.is_empty() && !after.is_empty() {
                    let mut sum = summary_of(&before);
                    sum.absorb(summary_of(&after));
                    prop_assert_eq!(sum, summary_of(group));
                }
            }
        }

        #[test]
        fn any_bytes_are_a_summary_or_refused(bytes: Vec<u8>) {
            let _ = Summary::decode(None, &mut Cursor::new(&bytes));
        }
    }
}
