//! All games by rating, by date, by length: kept in memory, so that the best games with a frequent position
//! are found from the top, and not by looking at all of its occurrences.
//!
//! Only a server keeps them: sorting costs more than one answer. Games that come in are put into their places
//! when somebody asks; after games got other tags, all are sorted again in the background.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use super::Db;
use super::answer::Order;
use super::budget::Steps;
use super::columns::{Columns, Row};
use super::error::Result;
use super::snapshot::Snapshot;

/// The orders that are kept.
const KEPT: [Order; 3] = [Order::Rating, Order::Date, Order::Plies];
/// Of more games none is kept: eight bytes per game and order.
const MOST_GAMES: u64 = 1 << 23;
/// If more games have come in, they are sorted in the background.
const MOST_NEW: u64 = 50_000;

impl Order {
    /// What games are sorted by, the highest first; games that are alike are sorted by number.
    pub(crate) fn key(self, row: &Row) -> u32 {
        match self {
            Order::Number => 0,
            Order::Rating => row.mean_rating().into(),
            Order::Date => row.date,
            Order::Plies => row.plies,
        }
    }
}

/// What a game is sorted by, and its number.
pub(crate) type Place = (Reverse<u32>, u32);

/// All games below a number, sorted.
#[derive(Clone)]
struct Sorted {
    next_game: u64,
    /// The state of the tags.
    retagged: u64,
    /// Forgotten games are not among them.
    forgotten: u64,
    /// For each order that is kept: keys and games, the first of the list first.
    lists: [Arc<[Place]>; KEPT.len()],
}

/// The games in the orders that are kept, once somebody has sorted them.
#[derive(Default)]
pub(crate) struct Orders(Mutex<Option<Sorted>>);

impl Db {
    /// Sorts all games by rating, date and length, and keeps that in memory: lists of frequent positions are
    /// then found soon. Whether there was anything to do.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn keep_orders(&self) -> Result<bool> {
        let snapshot = self.snapshot();
        let orders = snapshot.orders();
        if snapshot.next_game() > MOST_GAMES || orders.get(&snapshot).is_some() {
            return Ok(false);
        }
        let sorted = snapshot.sorted()?;
        *orders.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sorted);
        Ok(true)
    }
}

impl Orders {
    /// The lists, if they are those of a state of the database, or are soon made those of it.
    fn get(&self, snapshot: &Snapshot) -> Option<Sorted> {
        let manifest = snapshot.manifest();
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sorted = known.as_ref()?;
        let fits = (sorted.retagged, sorted.forgotten) == (manifest.retagged, manifest.forgotten);
        (fits && manifest.next_game.saturating_sub(sorted.next_game) <= MOST_NEW).then(|| sorted.clone())
    }
}

impl Snapshot {
    /// Whether the games with a position are soon sorted, however often it occurs.
    #[must_use]
    pub fn keeps_orders(&self) -> bool {
        self.orders().get(self).is_some()
    }

    /// All games in an order, with what they are sorted by; `None` if nobody keeps it.
    pub(crate) fn in_order(&self, order: Order) -> Result<Option<Arc<[Place]>>> {
        let Some(place) = KEPT.iter().position(|kept| *kept == order) else { return Ok(None) };
        let Some(mut sorted) = self.orders().get(self) else { return Ok(None) };
        if sorted.next_game < self.next_game() {
            sorted = self.with_new(&sorted)?;
            let mut known = self.orders().0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.as_ref().is_some_and(|known| known.next_game < sorted.next_game) {
                *known = Some(sorted.clone());
            }
        }
        Ok(Some(Arc::clone(&sorted.lists[place])))
    }

    fn sorted(&self) -> Result<Sorted> {
        let manifest = self.manifest();
        let (retagged, forgotten) = (manifest.retagged, manifest.forgotten);
        let lists = self.sort_from(0)?.map(Arc::from);
        Ok(Sorted { next_game: manifest.next_game, retagged, forgotten, lists })
    }

    /// Puts games that have come in since into their places.
    fn with_new(&self, sorted: &Sorted) -> Result<Sorted> {
        let new = self.sort_from(sorted.next_game)?;
        let mut lists = sorted.lists.clone();
        for (list, new) in lists.iter_mut().zip(new) {
            let mut merged = Vec::with_capacity(list.len() + new.len());
            let mut old = &**list;
            for game in new {
                let (before, rest) = old.split_at(old.partition_point(|one| *one < game));
                merged.extend_from_slice(before);
                merged.push(game);
                old = rest;
            }
            merged.extend_from_slice(old);
            *list = merged.into();
        }
        Ok(Sorted { next_game: self.next_game(), lists, ..*sorted })
    }

    /// The games from a number on, in each order that is kept.
    fn sort_from(&self, first: u64) -> Result<[Vec<Place>; KEPT.len()]> {
        let mut lists = [const { Vec::new() }; KEPT.len()];
        let mut columns = Columns::new(self.engine());
        let mut steps = Steps::of(self.budget());
        for game in first..self.next_game() {
            steps.step()?;
            let row = columns.row(game)?;
            let Ok(game) = u32::try_from(game) else { break };
            if !row.forgotten {
                for (list, order) in lists.iter_mut().zip(KEPT) {
                    list.push((Reverse(order.key(&row)), game));
                }
            }
        }
        for list in &mut lists {
            list.sort_unstable();
        }
        Ok(lists)
    }
}
