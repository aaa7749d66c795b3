//! Whether a record is a game that the database holds: decided as deduplication does.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use boardprint_base::Digest;
use boardprint_dedup::{Confidence, Decision, DedupOptions, Facts};

use crate::db::{self, CROWD, Crowd, GameKind, Judge, Snapshot, StoredGame, Verdict};

/// The rule of deduplication for games of the database with the same hash, for [`crate::db::ingest`] and
/// [`crate::db::merge`].
///
/// ```
/// use boardprint_dedup::DedupOptions;
/// use boardprint_games::{Format, Profile};
/// use boardprint_store::db::{Judge as _, Verdict};
/// use boardprint_store::games::{Rules, judge};
///
/// let rules = Rules::new(Profile::Plain);
/// let game = |tags: &str| rules.game(Format::Pgn, &format!("{tags}\n\n1. e4 e5 *")).map(|new| new.game);
/// let judge = judge(DedupOptions::default());
/// // Two moves are played every day.
/// let (ann, cem) = (game("[White \"Ann\"]\n[Black \"Bob\"]")?, game("[White \"Cem\"]\n[Black \"Dee\"]")?);
/// assert_eq!(judge.verdict(&ann, &cem), Verdict::Different);
/// # Ok::<(), boardprint_games::RecordError>(())
/// ```
#[must_use]
pub fn judge(options: DedupOptions) -> impl Judge {
    ByFacts(options)
}

struct ByFacts(DedupOptions);

impl Judge for ByFacts {
    fn verdict(&self, stored: &StoredGame, new: &StoredGame) -> Verdict {
        match self.0.decide(&facts(stored), &facts(new)) {
            Decision::Same { confidence, .. } => Verdict::Same(number_of(confidence)),
            Decision::Doubt(_) | Decision::Different => Verdict::Different,
        }
    }

    fn class(&self, game: &StoredGame) -> u64 {
        self.0.class(&facts(game))
    }
}

/// Looks for the stored games that a record may be a copy of, as an import does.
pub struct Kin {
    snapshot: Snapshot,
    options: DedupOptions,
    crowds: Mutex<HashMap<Digest, Crowd>>,
}

impl Kin {
    /// Those of a database, by the rule of deduplication.
    #[must_use]
    pub fn new(snapshot: Snapshot, options: DedupOptions) -> Self {
        Kin { snapshot, options, crowds: Mutex::default() }
    }

    /// Games with a hash, in order, with what is known of them. No other can be surer to be the game of the
    /// record.
    ///
    /// # Errors
    ///
    /// If the database cannot be read.
    pub fn candidates(&self, hash: &Digest, record: &Facts) -> db::Result<Vec<(u64, Facts)>> {
        let class = self.options.class(record);
        let mut crowds = self.crowds.lock().unwrap_or_else(PoisonError::into_inner);
        let known: Vec<u64> = match crowds.get(hash) {
            Some(crowd) => crowd.candidates(class),
            None => self.snapshot.find_games(hash)?.collect::<db::Result<_>>()?,
        };
        let of = |id: &u64| Ok((*id, facts(&*self.snapshot.game(*id)?)));
        if known.len() <= CROWD {
            drop(crowds);
            return known.iter().map(of).collect();
        }
        let mut crowd = Crowd::new();
        for id in &known {
            let (id, stored) = of(id)?;
            crowd.add(self.options.class(&stored), id);
        }
        let candidates = crowd.candidates(class);
        crowds.insert(*hash, crowd);
        drop(crowds);
        candidates.iter().map(of).collect()
    }
}

/// The confidence that a number in the log stands for.
#[must_use]
pub const fn confidence_of(number: u8) -> Confidence {
    match number {
        0..=85 => Confidence::Doubtful,
        86..=170 => Confidence::Likely,
        171.. => Confidence::Certain,
    }
}

/// The number that stands for a confidence in the log. It never changes.
const fn number_of(confidence: Confidence) -> u8 {
    match confidence {
        Confidence::Doubtful => 85,
        Confidence::Likely => 170,
        Confidence::Certain => 255,
    }
}

fn facts(game: &StoredGame) -> Facts {
    let bare = game.moves.is_empty() && game.tags.is_empty();
    Facts::new(game.moves.len(), game.kind == GameKind::Infinite, |name| game.tag(name), bare)
}

#[cfg(test)]
mod tests {
    use boardprint_games::{Format, Profile, ReadOptions};

    use super::*;
    use crate::games::Rules;

    #[test]
    fn a_stored_game_is_judged_as_its_record() {
        let rules = Rules::new(Profile::Plain);
        for (format, text) in [
            (
                Format::Icn,
                "[White \"A\"] [Black \"B\"] [Date \"2020.01.01\"] [UTCDate \"2020.01.02\"] K1,1|k1,9 1,1>1,2",
            ),
            (Format::Icn, "K1,1|k1,9"),
            (
                Format::Pgn,
                "[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n[UTCDate \"2020.01.02\"]\n\n1. e4 *",
            ),
            (Format::Pgn, "[Event \"?\"]\n\n*"),
            (Format::Fen, "8/8/8/8/8/8/8/8 w - - 0 1"),
            (Format::Cpn, "B--1,3--w:_k,,W:_K--"),
        ] {
            let content = ReadOptions::default().read_text(format, text).unwrap().content;
            let read = Facts { richness: 0, ..Facts::of(&content) };
            assert_eq!(facts(&rules.game(format, text).unwrap().game), read, "{text}");
        }
        for confidence in [Confidence::Doubtful, Confidence::Likely, Confidence::Certain] {
            assert_eq!(confidence_of(number_of(confidence)), confidence);
        }
    }
}
