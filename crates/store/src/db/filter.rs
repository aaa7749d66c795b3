//! Which games count: by player, date, result, rating, source, laws. Answered from rows.

use std::collections::BTreeSet;

use boardprint_base::GameResult;

use super::columns::{Facts, Row, mean_rating};
use super::engine::Engine;
use super::error::Result;
use super::game::{GameKind, StoredGame};
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
    /// Whether `player` is the whole name, in any case.
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
    /// A part of the path of the source file.
    pub source: Option<String>,
    /// Whether of absolute paths `source` is a part of the name alone, so that nobody can guess the folders.
    pub source_name: bool,
    /// These laws, exactly; the empty text for the usual ones of the open board. No other game has laws.
    pub laws: Option<String>,
    /// Games of this kind.
    pub kind: Option<GameKind>,
}

impl Filter {
    /// Whether all games pass.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether a name is the one that is asked for, both in lower case.
    fn is_named(&self, name: &str, wanted: &str) -> bool {
        if self.whole_name { name == wanted } else { name.contains(wanted) }
    }

    /// Whether a game passes that came from the log, with the name of its source and its laws. It decides as
    /// rows do.
    #[must_use]
    pub fn admits(&self, game: &StoredGame, source: &str, laws: Option<&str>) -> bool {
        let facts = Facts::of(&game.tags);
        let has = |name: Option<&str>, part: &str| {
            name.is_some_and(|name| self.is_named(&name.to_lowercase(), &part.to_lowercase()))
        };
        let lower = facts.white_rating.min(facts.black_rating);
        let rating = mean_rating([facts.white_rating, facts.black_rating]);
        facts.date >= self.since.unwrap_or(0)
            && self.until.is_none_or(|until| facts.date > 0 && facts.date <= end_of(until))
            && self.result.is_none_or(|result| game.result == result)
            && self.min_rating.is_none_or(|least| least == 0 || rating >= least)
            && self.min_both_ratings.is_none_or(|least| lower >= least)
            && self
                .laws
                .as_deref()
                .is_none_or(|wanted| game.kind == GameKind::Infinite && laws.unwrap_or_default() == wanted)
            && self.kind.is_none_or(|kind| game.kind == kind)
            && self.source.as_ref().is_none_or(|part| self.is_from(source, part))
            && self.player.as_ref().is_none_or(|part| match self.side {
                Some(Side::White) => has(facts.white, part),
                Some(Side::Black) => has(facts.black, part),
                None => has(facts.white, part) || has(facts.black, part),
            })
    }

    /// Whether a source has a part in its path, or in its name where the folders of the machine are nobody's
    /// business.
    fn is_from(&self, path: &str, part: &str) -> bool {
        let is_absolute = path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':');
        let name = path.rsplit(['/', '\\']).next().filter(|_| is_absolute && self.source_name);
        name.unwrap_or(path).contains(part)
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
    kind: Option<GameKind>,
}

impl Matcher {
    pub(crate) fn new(filter: &Filter, engine: &dyn Engine, manifest: &Manifest) -> Result<Self> {
        let mut players = filter.player.as_ref().map(|_| BTreeSet::new());
        let mut laws = filter.laws.as_ref().map(|laws| if laws.is_empty() { 0 } else { u32::MAX });
        let wanted = filter.player.as_ref().map(|name| name.to_lowercase());
        if players.is_some() || laws == Some(u32::MAX) {
            words::for_each(engine, manifest.words, |number, word| {
                if let (Some(players), Some(wanted)) = (&mut players, &wanted)
                    && filter.is_named(&word.to_lowercase(), wanted)
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
                .filter(|(_, source)| filter.is_from(&source.path, part))
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
            kind: filter.kind,
        })
    }

    pub(crate) fn passes(&self, row: &Row) -> bool {
        !row.forgotten
            && row.date >= self.since
            && self.until.is_none_or(|until| row.date > 0 && row.date <= until)
            && self.result.is_none_or(|result| row.result == result)
            && (self.min_rating == 0 || row.mean_rating() >= self.min_rating)
            && (self.min_both == 0 || row.white_rating.min(row.black_rating) >= self.min_both)
            // The number 0 is that of the usual laws, and of games that have none.
            && self.laws.is_none_or(|laws| laws == row.laws && row.kind == GameKind::Infinite)
            && self.kind.is_none_or(|kind| kind == row.kind)
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

#[cfg(test)]
mod tests {
    use boardprint_finite::Game;

    use super::*;
    use crate::db::{Moves, Origin, Tags};

    fn game(kind: GameKind) -> StoredGame {
        StoredGame {
            kind,
            tags: Tags::default(),
            result: GameResult::Unknown,
            start: "".into(),
            moves: Moves::finite([]),
            source: Origin::default(),
            extra: Box::default(),
        }
    }

    fn matcher(filter: &Filter) -> Matcher {
        Matcher {
            players: None,
            side: None,
            since: 0,
            until: None,
            result: None,
            min_rating: 0,
            min_both: 0,
            sources: None,
            laws: filter.laws.as_ref().map(|_| 0),
            kind: filter.kind,
        }
    }

    #[test]
    fn only_the_open_board_has_the_usual_laws() {
        let usual = Filter { laws: Some(String::new()), ..Filter::default() };
        let western = Filter { kind: Some(GameKind::Finite(Game::Western)), ..Filter::default() };
        for (kind, is_usual, is_western) in [
            (GameKind::Infinite, true, false),
            (GameKind::Finite(Game::Western), false, true),
            (GameKind::Finite(Game::Shogi), false, false),
            (GameKind::Board, false, false),
        ] {
            let row = Row { kind, ..Row::of_nobody() };
            for (filter, expected) in [(&usual, is_usual), (&western, is_western)] {
                assert_eq!(filter.admits(&game(kind), "a.pgn", None), expected, "{kind:?}");
                assert_eq!(matcher(filter).passes(&row), expected, "{kind:?}");
            }
        }
    }

    #[test]
    fn folders_can_be_kept_from_being_guessed() {
        let part = |part: &str, source_name| Filter {
            source: Some(part.to_owned()),
            source_name,
            ..Filter::default()
        };
        let game = game(GameKind::Infinite);
        for (path, wanted, by_path, by_name) in [
            ("/home/ada/club.pgn", "club", true, true),
            ("/home/ada/club.pgn", "ada", true, false),
            ("/home/ada/club.pgn", "/club", true, false),
            (r"C:\games\club.pgn", "games", true, false),
            // This path is shown as it is.
            ("games/club.pgn", "games/", true, true),
        ] {
            assert_eq!(part(wanted, false).admits(&game, path, None), by_path, "{path} {wanted}");
            assert_eq!(part(wanted, true).admits(&game, path, None), by_name, "{path} {wanted}");
        }
    }
}
