//! The decision: whether two games with the same key are one, how sure that is, and which of them stays.
//!
//! It depends on nothing but what is known of the two, so that everybody who asks gets the same answer:
//! deduplication of a collection, an import into a database, and several machines that share the work.

use boardprint_games::Content;

use super::fingerprint::{Fingerprint, both, date_key, mixed, players_key};
use super::{Confidence, DedupOptions, Keep};

/// What is known of a game beside its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Half-moves.
    pub plies: u32,
    /// A key of the players, if one of them is known; see [`players_key`](super::players_key).
    pub players: Option<u64>,
    /// A key of the date, if it is known.
    pub date: Option<u64>,
    /// How much the record says beside the moves.
    pub richness: u16,
}

/// What is decided about two games with the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// They are two games.
    Different,
    /// They may be one. Both stay.
    Doubt(Confidence),
    /// They are one.
    Same {
        /// How sure it is.
        confidence: Confidence,
        /// Which of them stays.
        stays: Stays,
    },
}

/// Which of two games stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    /// The one that came first.
    First,
    /// The one that came later.
    Second,
}

impl Facts {
    /// What tags, moves and the kind of a game say of it. A position without tags is nobody's game: two equal
    /// ones are one.
    #[must_use]
    pub fn new<'a>(
        plies: usize,
        open_board: bool,
        tag: impl Fn(&str) -> Option<&'a str>,
        bare: bool,
    ) -> Self {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        if bare {
            return Facts { plies, players: Some(1), date: Some(0), richness: 0 };
        }
        let value = |name: &str| tag(name).unwrap_or_default();
        // The site that ICN comes from writes dates in UTC; PGN has the day where the game was played.
        let dates = if open_board { ["UTCDate", "Date"] } else { ["Date", "UTCDate"] };
        Facts {
            plies,
            players: players_key(value("White"), value("Black")),
            date: dates.into_iter().find_map(|name| date_key(value(name))),
            richness: 0,
        }
    }

    /// What a record says of its game.
    #[must_use]
    pub fn of(content: &Content<'_>) -> Self {
        let open_board = matches!(content, Content::Infinite(_));
        let facts =
            Facts::new(content.plies(), open_board, |name| content.tag(name), content.is_bare_position());
        Facts { richness: u16::try_from(content.richness()).unwrap_or(u16::MAX), ..facts }
    }
}

impl From<&Fingerprint> for Facts {
    fn from(print: &Fingerprint) -> Self {
        let Fingerprint { plies, players, date, richness, .. } = *print;
        Facts { plies, players, date, richness }
    }
}

/// How sure it is that two games with the same key are one; `None` if they are not. By prefix, `first` is the
/// shorter one.
///
/// ```
/// use boardprint_dedup::{Confidence, Facts, confidence, players_key};
///
/// let unknown = Facts { plies: 30, ..Facts::default() };
/// let named = Facts { players: players_key("Kasparov", "Karpov"), ..unknown };
/// assert_eq!(confidence(10, &named, &named), Some(Confidence::Certain));
/// assert_eq!(confidence(10, &unknown, &named), Some(Confidence::Likely));
/// // Twelve equal moves by other people are not proof, and five say nothing.
/// assert_eq!(confidence(10, &Facts { plies: 12, ..unknown }, &named), Some(Confidence::Doubtful));
/// assert_eq!(confidence(10, &Facts { plies: 5, ..unknown }, &named), None);
/// ```
#[must_use]
pub fn confidence(min_plies: u32, first: &Facts, second: &Facts) -> Option<Confidence> {
    let same_players = first.players == second.players;
    if first.plies < min_plies {
        let known = both(first.players).is_some() && first.date.is_some();
        return (known && same_players && first.date == second.date).then_some(Confidence::Certain);
    }
    Some(if same_players {
        Confidence::of_same_players(first.players)
    } else {
        Confidence::of_other_players(first.plies)
    })
}

impl DedupOptions {
    /// A number that games with the same key share if the decision cannot tell them apart: they name the same
    /// players, and if they are short, the same day. Of many games, only the first with the number of another
    /// and the first of all can be surest to be one with it.
    #[must_use]
    pub fn class(&self, facts: &Facts) -> u64 {
        let date = facts.date.filter(|_| facts.plies < self.min_plies);
        mixed([facts.players.unwrap_or(0), 0], date.map_or(0, |date| date + 1))[0]
    }

    /// How sure it is that two games with the same key are one; `None` if they are not.
    #[must_use]
    pub fn confidence(&self, first: &Facts, second: &Facts) -> Option<Confidence> {
        confidence(self.min_plies, first, second)
    }

    /// Decides about two games with the same key. It is a pure function of these options and the two.
    ///
    /// ```
    /// use boardprint_dedup::{Confidence, Decision, DedupOptions, Facts, Keep, Stays};
    ///
    /// let first = Facts { plies: 30, ..Facts::default() };
    /// let second = Facts { richness: 7, ..first };
    /// let decide = |keep| DedupOptions::default().keep(keep).decide(&first, &second);
    /// let same = |stays| Decision::Same { confidence: Confidence::Likely, stays };
    /// assert_eq!(decide(Keep::First), same(Stays::First));
    /// assert_eq!(decide(Keep::Richest), same(Stays::Second));
    /// ```
    #[must_use]
    pub fn decide(&self, first: &Facts, second: &Facts) -> Decision {
        let Some(confidence) = self.confidence(first, second) else { return Decision::Different };
        if confidence < self.min_confidence {
            return Decision::Doubt(confidence);
        }
        let second_stays = match self.keep {
            Keep::First => false,
            Keep::Longest => second.plies > first.plies,
            Keep::Richest => second.richness > first.richness,
        };
        let stays = if second_stays { Stays::Second } else { Stays::First };
        Decision::Same { confidence, stays }
    }
}
