//! Sums of ratings, and where the ratings of games come from when counts are made.

use std::sync::Arc;

use super::codec::{Cursor, put_varint};
use super::columns::{Columns, ROWS, Row, mean_rating};
use super::engine::Engine;
use super::error::Result;
use super::filter::Side;

/// The ratings of the first and the second player; 0 where one is unknown.
pub(crate) type Ratings = [u16; 2];

/// A sum of ratings, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mean {
    sum: u64,
    count: u64,
}

impl Mean {
    /// No rating.
    pub(crate) const ZERO: Self = Mean { sum: 0, count: 0 };

    pub(crate) fn add(&mut self, rating: u16) {
        self.sum += u64::from(rating);
        self.count += u64::from(rating > 0);
    }

    /// Takes away what was added.
    fn remove(&mut self, rating: u16) {
        self.sum = self.sum.saturating_sub(rating.into());
        self.count = self.count.saturating_sub(u64::from(rating > 0));
    }

    /// Puts another rating in the place of one that was added.
    pub(crate) fn change(&mut self, from: u16, to: u16) {
        self.remove(from);
        self.add(to);
    }

    pub(crate) fn add_all(&mut self, other: Mean) {
        self.sum = self.sum.saturating_add(other.sum);
        self.count = self.count.saturating_add(other.count);
    }

    /// The mean, if there is any rating.
    pub(crate) fn get(self) -> Option<u16> {
        self.sum.checked_div(self.count).and_then(|mean| u16::try_from(mean).ok())
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        put_varint(out, self.count);
        if self.count > 0 {
            put_varint(out, self.sum);
        }
    }

    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let count = input.varint()?;
        let sum = if count > 0 { input.varint()? } else { 0 };
        Some(Mean { sum, count })
    }
}

/// Sums over occurrences: the ratings of each player, and the means of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RatingSums {
    white: Mean,
    black: Mean,
    both: Mean,
}

impl RatingSums {
    /// No rating.
    pub(crate) const ZERO: Self = RatingSums { white: Mean::ZERO, black: Mean::ZERO, both: Mean::ZERO };

    pub(crate) fn add(&mut self, ratings: Ratings) {
        self.white.add(ratings[0]);
        self.black.add(ratings[1]);
        self.both.add(mean_rating(ratings));
    }

    /// Puts other ratings in the place of those that were added.
    pub(crate) fn change(&mut self, from: Ratings, to: Ratings) {
        self.white.change(from[0], to[0]);
        self.black.change(from[1], to[1]);
        self.both.change(mean_rating(from), mean_rating(to));
    }

    pub(crate) fn add_all(&mut self, other: &RatingSums) {
        self.white.add_all(other.white);
        self.black.add_all(other.black);
        self.both.add_all(other.both);
    }

    /// The mean rating of a player, or of both.
    pub(crate) fn mean(&self, side: Option<Side>) -> Option<u16> {
        match side {
            Some(Side::White) => self.white.get(),
            Some(Side::Black) => self.black.get(),
            None => self.both.get(),
        }
    }

    /// Games without ratings take two bytes. Where both players have a rating, twice the mean is their sum,
    /// or one less: what is kept is by how much the sums differ.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        self.white.put(out);
        self.black.put(out);
        if self.white.count | self.black.count > 0 {
            put_varint(out, self.both.count.wrapping_sub(self.white.count.max(self.black.count)));
            let difference =
                self.white.sum.wrapping_add(self.black.sum).wrapping_sub(self.both.sum.wrapping_mul(2));
            // The sign goes into the lowest bit, so that small numbers are short.
            put_varint(out, difference << 1 ^ (difference >> 63).wrapping_neg());
        }
    }

    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let (white, black) = (Mean::take(input)?, Mean::take(input)?);
        let mut both = Mean::default();
        if white.count | black.count > 0 {
            both.count = input.varint()?.checked_add(white.count.max(black.count))?;
            let coded = input.varint()?;
            let difference = coded >> 1 ^ (coded & 1).wrapping_neg();
            let twice = white.sum.wrapping_add(black.sum).wrapping_sub(difference);
            both.sum = twice.is_multiple_of(2).then_some(twice / 2)?;
        }
        Some(RatingSums { white, black, both })
    }

    /// Passes over what `put` wrote.
    pub(crate) fn pass_over(input: &mut Cursor<'_>) -> Option<()> {
        let (white, black) = (Mean::take(input)?, Mean::take(input)?);
        if white.count | black.count > 0 {
            input.varint()?;
            input.varint()?;
        }
        Some(())
    }
}

/// Where the ratings of games come from.
pub(crate) enum Rater<'a> {
    /// They are not known yet.
    Nobody,
    /// From the rows of a batch whose first game has this number.
    Rows(u64, &'a [Row]),
    /// From the index.
    Index(RatingTable),
}

impl Rater<'_> {
    /// The ratings of a game; a game that is not there has none.
    pub(crate) fn of(&mut self, game: u64) -> Result<Ratings> {
        match self {
            Rater::Nobody => Ok([0; 2]),
            Rater::Rows(first, rows) => {
                let place = game.checked_sub(*first).and_then(|place| usize::try_from(place).ok());
                Ok(place.and_then(|place| rows.get(place)).map_or([0; 2], Row::ratings))
            }
            Rater::Index(table) => table.of(game),
        }
    }
}

/// The ratings of all games of an index, read when they are first asked for: whoever makes counts asks for
/// the same games again and again, in no order. Four bytes per game.
pub(crate) struct RatingTable {
    columns: Columns,
    /// One per block of rows.
    pages: Vec<Option<Box<[Ratings]>>>,
    games: u64,
}

/// Of more games no table is kept.
const MOST_GAMES: u64 = if cfg!(test) { 1 << 10 } else { 1 << 25 };

impl RatingTable {
    /// The ratings of the games below a number.
    pub(crate) fn new(engine: &Arc<dyn Engine>, games: u64) -> Self {
        let pages = usize::try_from(games.min(MOST_GAMES).div_ceil(ROWS)).unwrap_or(0);
        RatingTable { columns: Columns::new(engine), pages: vec![None; pages], games }
    }

    /// The ratings of a game.
    pub(crate) fn of(&mut self, game: u64) -> Result<Ratings> {
        let page = usize::try_from(game / ROWS).ok().filter(|page| *page < self.pages.len());
        let Some(page) = page else { return self.columns.row(game).map(|row| row.ratings()) };
        if self.pages[page].is_none() {
            let first = game / ROWS * ROWS;
            let games = first..(first + ROWS).min(self.games);
            let ratings = games.map(|game| self.columns.row(game).map(|row| row.ratings()));
            self.pages[page] = Some(ratings.collect::<Result<_>>()?);
        }
        let known = self.pages[page].as_ref().and_then(|page| page.get((game % ROWS) as usize));
        match known {
            Some(ratings) => Ok(*ratings),
            None => self.columns.row(game).map(|row| row.ratings()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_come_back(games: Vec<(u16, u16)>) {
            let mut sums = RatingSums::default();
            for (white, black) in &games {
                sums.add([*white, *black]);
            }
            let mut bytes = Vec::new();
            sums.put(&mut bytes);
            let mut input = Cursor::new(&bytes);
            prop_assert_eq!(RatingSums::take(&mut input), Some(sums));
            prop_assert!(input.is_empty());
            let mut input = Cursor::new(&bytes);
            prop_assert_eq!(RatingSums::pass_over(&mut input), Some(()));
            prop_assert!(input.is_empty());
        }

        #[test]
        fn a_change_is_as_if_it_had_always_been_so(games: Vec<(u16, u16)>, before: (u16, u16), after: (u16, u16)) {
            let (before, after) = ([before.0, before.1], [after.0, after.1]);
            let mut sums = RatingSums::default();
            for (white, black) in &games {
                sums.add([*white, *black]);
            }
            let (mut changed, mut expected) = (sums, sums);
            changed.add(before);
            changed.change(before, after);
            expected.add(after);
            prop_assert_eq!(changed, expected);
        }

        #[test]
        fn any_bytes_are_sums_or_refused(bytes: Vec<u8>) {
            let _ = RatingSums::take(&mut Cursor::new(&bytes));
        }
    }
}
