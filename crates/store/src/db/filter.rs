//! Which games count: by player, date, result, rating, source, laws. Answered from rows.

use std::collections::BTreeSet;

use boardprint_base::GameResult;

use super::columns::{Facts, Row, mean_rating};
use super::engine::Engine;
use super::error::Result;
use super::game::StoredGame;
use super::manifest::Manifest;
use super::words;

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player.
    White,
    /// The second player.
    Black,
}

/// Which games count; the default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of a player's name, in any case.
    pub player: Option<String>,
    /// Whether `player` is the whole name, letter for letter.
    pub whole_name: bool,
    /// The side of that player.
    pub side: Option<Side>,
    /// Games of this day or later, as [`super::date`] makes it. Games without a date do not pass.
    pub since: Option<u32>,
    /// Games of this day or earlier; a month or year without a day includes all of it.
    pub until: Option<u32>,
    /// Games that ended so.
    pub result: Option<GameResult>,
    /// The least mean rating of the players; games without ratings do not pass.
    pub min_rating: Option<u16>,
    /// The least rating that both players have; games without both ratings do not pass.
    pub min_both_ratings: Option<u16>,
    /// A part of the name of the source file.
    pub source: Option<String>,
    /// These laws, exactly; the empty text for the usual ones.
    pub laws: Option<String>,
}

impl Filter {
    /// Whether all games pass.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether a game passes that came from the log, with the name of its source and its laws. It decides as
    /// rows do.
    #[must_use]
    pub fn admits(&self, game: &StoredGame, source: &str, laws: Option<&str>) -> bool {
        let facts = Facts::of(&game.tags);
        let has = |name: Option<&str>, part: &str| {
            name.is_some_and(|name| {
                if self.whole_name {
                    name == part
                } else {
                    name.to_lowercase().contains(&part.to_lowercase())
                }
            })
        };
        let lower = facts.white_rating.min(facts.black_rating);
        let rating = mean_rating([facts.white_rating, facts.black_rating]);
        facts.date >= self.since.unwrap_or(0)
            && self.until.is_none_or(|until| facts.date > 0 && facts.date <= end_of(until))
            && self.result.is_none_or(|result| game.result == result)
            && self.min_rating.is_none_or(|least| least == 0 || rating >= least)
            && self.min_both_ratings.is_none_or(|least| lower >= least)
            && self.laws.as_deref().is_none_or(|wanted| laws.unwrap_or_default() == wanted)
            && self.source.as_ref().is_none_or(|part| source.contains(&**part))
            && self.player.as_ref().is_none_or(|part| match self.side {
                Some(Side::White) => has(facts.white, part),
                Some(Side::Black) => has(facts.black, part),
                None => has(facts.white, part) || has(facts.black, part),
            })
    }
}

/// A filter with names as numbers.
pub(crate) struct Matcher {
    players: Option<BTreeSet<u32>>,
    side: Option<Side>,
    since: u32,
    until: Option<u32>,
    result: Option<GameResult>,
    min_rating: u16,
    min_both: u16,
    sources: Option<BTreeSet<u32>>,
    /// `u32::MAX` if no game has these laws.
    laws: Option<u32>,
}

impl Matcher {
    pub(crate) fn new(filter: &Filter, engine: &dyn Engine, manifest: &Manifest) -> Result<Self> {
        let mut players = filter.player.as_ref().map(|_| BTreeSet::new());
        let mut laws = filter.laws.as_ref().map(|laws| if laws.is_empty() { 0 } else { u32::MAX });
        let wanted = filter.player.as_ref().map(|name| name.to_lowercase());
        if players.is_some() || laws == Some(u32::MAX) {
            words::for_each(engine, manifest.words, |number, word| {
                if let (Some(players), Some(wanted)) = (&mut players, &wanted)
                    && if filter.whole_name {
                        filter.player.as_deref() == Some(word)
                    } else {
                        word.to_lowercase().contains(&**wanted)
                    }
                {
                    players.insert(number + 1);
                }
                if filter.laws.as_deref() == Some(word) {
                    laws = Some(number + 1);
                }
            })?;
        }
        let sources = filter.source.as_ref().map(|part| {
            (0..)
                .zip(&*manifest.sources)
                .filter(|(_, source)| source.path.contains(&**part))
                .map(|(n, _)| n)
                .collect()
        });
        Ok(Matcher {
            players,
            side: filter.side,
            since: filter.since.unwrap_or(0),
            until: filter.until.map(end_of),
            result: filter.result,
            min_rating: filter.min_rating.unwrap_or(0),
            min_both: filter.min_both_ratings.unwrap_or(0),
            sources,
            laws,
        })
    }

    pub(crate) fn passes(&self, row: &Row) -> bool {
        !row.forgotten
            && row.date >= self.since
            && self.until.is_none_or(|until| row.date > 0 && row.date <= until)
            && self.result.is_none_or(|result| row.result == result)
            && (self.min_rating == 0 || row.mean_rating() >= self.min_rating)
            && (self.min_both == 0 || row.white_rating.min(row.black_rating) >= self.min_both)
            && self.laws.is_none_or(|laws| laws == row.laws)
            && self.sources.as_ref().is_none_or(|sources| sources.contains(&row.source))
            && self.players.as_ref().is_none_or(|players| match self.side {
                Some(Side::White) => players.contains(&row.white),
                Some(Side::Black) => players.contains(&row.black),
                None => players.contains(&row.white) || players.contains(&row.black),
            })
    }
}

/// The last day of a month or year.
const fn end_of(date: u32) -> u32 {
    if date.is_multiple_of(10_000) {
        date + 1231
    } else if date.is_multiple_of(100) {
        date + 31
    } else {
        date
    }
}
