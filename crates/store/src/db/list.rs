//! Lists of games without a position: by filters, in some order, page by page. Answered from rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use boardprint_base::DigestPrefix;

use super::answer::{Cursor, GameLine, Order};
use super::budget::Steps;
use super::columns::{Columns, Row};
use super::error::Result;
use super::filter::Filter;
use super::orders::Place;
use super::posting::{Posting, Prefix};
use super::snapshot::Snapshot;

/// A page of games.
#[derive(Clone, Debug)]
pub struct GameList {
    /// How many games pass the filter in all.
    pub total: u64,
    /// The games of this page; their plies are left empty.
    pub games: Vec<GameLine>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<Cursor>,
}

impl Snapshot {
    /// Lists games that pass a filter, up to this many, after a place that an earlier list gave.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn list(
        &self,
        filter: &Filter,
        order: Order,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<GameList> {
        if filter.is_empty()
            && let Some(sorted) = self.in_order(order)?
        {
            return self.list_in_order(&sorted, after, limit);
        }
        let key = |row: &Row| order.key(row);
        let after = after.map(|cursor| (Reverse(cursor.key), cursor.game));
        // Without a filter the total is known, and a list by number ends where its page does.
        let brief = filter.is_empty() && order == Order::Number;
        let first = if brief { after.map_or(0, |(_, game)| game.saturating_add(1)) } else { 0 };
        let passing = self.passing(filter)?;
        let mut columns = Columns::new(self.engine());
        let mut steps = Steps::of(self.budget());
        let mut total = 0;
        // The heap gives the greatest, which is the one to go: the lowest key, the highest number.
        let mut heap: BinaryHeap<((Reverse<u32>, u64), Found)> = BinaryHeap::new();
        for game in first..self.next_game() {
            steps.step()?;
            let row = columns.row(game)?;
            if !passing.matcher.passes(&row) {
                continue;
            }
            total += 1;
            let place = (Reverse(key(&row)), game);
            let is_before = after.is_some_and(|after| place <= after);
            let is_beyond = heap.len() > limit && heap.peek().is_some_and(|(worst, _)| place > *worst);
            if is_before || is_beyond {
                continue;
            }
            heap.push((place, Found(row)));
            if heap.len() - 1 > limit {
                heap.pop();
            }
            if brief && heap.len() > limit {
                break;
            }
        }
        let mut found = heap.into_sorted_vec();
        let more = found.len() > limit;
        found.truncate(limit);
        let next = match found.last() {
            Some(((key, game), _)) if more => Some(Cursor { key: key.0, game: *game }),
            _ => None,
        };
        let games = found.into_iter().map(|((_, game), Found(row))| self.line(game, row));
        let total = if brief { self.games() } else { total };
        Ok(GameList { total, games: games.collect::<Result<_>>()?, next })
    }

    /// A page of all games, which are sorted.
    fn list_in_order(&self, sorted: &[Place], after: Option<Cursor>, limit: usize) -> Result<GameList> {
        let is_before = |place: &Place| {
            after.is_some_and(|after| (place.0, u64::from(place.1)) <= (Reverse(after.key), after.game))
        };
        // Newer views have sorted more games than this one has.
        let mut rest = sorted[sorted.partition_point(is_before)..].iter();
        let mut rest = rest.by_ref().filter(|(_, game)| u64::from(*game) < self.next_game());
        let mut games = Vec::with_capacity(limit.min(sorted.len()));
        let mut last = None;
        for (Reverse(key), game) in rest.by_ref().take(limit) {
            let game = u64::from(*game);
            last = Some(Cursor { key: *key, game });
            games.push(self.line(game, self.row(game)?)?);
        }
        let next = last.filter(|_| rest.next().is_some());
        Ok(GameList { total: self.games(), games, next })
    }

    /// One occurrence of each position whose hash begins with some digits, up to this many, after a position
    /// that an earlier answer gave. However often a position occurs, it costs one look.
    ///
    /// # Errors
    ///
    /// If a block is damaged.
    pub fn positions(
        &self,
        digits: &DigestPrefix,
        after: Option<Prefix>,
        limit: usize,
    ) -> Result<Vec<Posting>> {
        let (low, high) = Prefix::range(digits);
        let mut from = match after {
            Some(after) => after.next().map(|next| next.max(low)),
            None => Some(low),
        };
        let mut found = Vec::new();
        let mut steps = Steps::of(self.budget());
        while let Some(prefix) = from.filter(|prefix| *prefix <= high && found.len() < limit) {
            steps.step()?;
            let mut postings = self.stretch(&Posting::first_of(prefix), Posting::last_of(high))?;
            let Some(posting) = postings.next().transpose()? else { break };
            from = posting.prefix().next();
            found.push(posting);
        }
        Ok(found)
    }

    /// A game as a line of a list, without plies.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn line(&self, game: u64, row: Row) -> Result<GameLine> {
        self.line_of(game, row, Vec::new())
    }

    /// A game as a line of a list.
    pub(crate) fn line_of(&self, game: u64, row: Row, plies: Vec<u32>) -> Result<GameLine> {
        let source = self.sources().get(row.source as usize).map(|source| source.path.clone());
        Ok(GameLine {
            game,
            plies,
            white: self.word(row.white)?,
            black: self.word(row.black)?,
            laws: self.word(row.laws)?,
            source: source.unwrap_or_default(),
            row,
        })
    }
}

/// A row that does not take part in comparisons: places are unique.
struct Found(Row);

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Found {}
impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Found {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}
