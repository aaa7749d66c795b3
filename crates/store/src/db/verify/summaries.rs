//! Counts against postings.

use std::collections::BTreeMap;

use super::super::counts::Summary;
use super::super::posting::Posting;
use super::super::ratings::{RatingTable, Ratings};
use super::super::run::{Run, RunReader};
use super::super::snapshot::Snapshot;
use super::Finding;

/// The counts beside a run, compared with what its postings give. Only positions that have counts are counted.
pub(super) struct SummaryCheck {
    reader: Option<RunReader<Summary>>,
    /// The counts that come next.
    next: Option<Summary>,
    /// The prefix of these as a number, beyond all if there are none.
    next_number: u128,
    /// The position of these, as far as its postings were seen.
    counted: Option<Summary>,
    wrong: Vec<Finding>,
    ratings: RatingTable,
    /// What games were counted with that have other ratings now.
    rated_before: BTreeMap<u64, Ratings>,
    /// Whether the counts have ratings.
    is_rated: bool,
}

impl SummaryCheck {
    /// The check of a run; `rated` if games have the ratings that the index knows of.
    pub(super) fn of(snapshot: &Snapshot, run: &Run, rated: bool) -> Self {
        let manifest = snapshot.manifest();
        let counts = manifest.runs.counts_of(run.id);
        let reader = counts.map(|counts| RunReader::new(snapshot.engine(), counts));
        let mut check = SummaryCheck {
            reader,
            next: None,
            next_number: u128::MAX,
            counted: None,
            wrong: Vec::new(),
            ratings: RatingTable::new(snapshot.engine(), manifest.next_game),
            rated_before: manifest.rated_before.clone(),
            is_rated: rated && !manifest.unrated.contains(&run.id),
        };
        check.step();
        check
    }

    fn step(&mut self) {
        // What cannot be read is found when the run is walked.
        self.next = self.reader.as_mut().and_then(|reader| reader.next()?.ok());
        self.next_number = self.next.as_ref().map_or(u128::MAX, |next| next.prefix.number());
    }

    /// Takes in the next posting.
    #[inline]
    pub(super) fn push(&mut self, posting: &Posting) {
        // Most positions have no counts.
        if self.counted.is_some() || posting.hash() >= self.next_number {
            self.count(posting);
        }
    }

    fn count(&mut self, posting: &Posting) {
        let prefix = posting.prefix();
        if let Some(mut counted) = self.counted.take_if(|counted| counted.prefix == prefix) {
            counted.count(posting, self.ratings_of(posting.game()));
            self.counted = Some(counted);
            return;
        }
        self.compare();
        // Counts of a position that does not occur.
        while let Some(next) = self.next.take_if(|next| next.prefix < prefix) {
            self.wrong.push(Finding::Counts(next.prefix));
            self.step();
        }
        if self.next.as_ref().is_some_and(|next| next.prefix == prefix) {
            let mut counted = Summary::new(prefix);
            counted.count(posting, self.ratings_of(posting.game()));
            self.counted = Some(counted);
        }
    }

    /// The ratings that a game was counted with.
    fn ratings_of(&mut self, game: u64) -> Ratings {
        if !self.is_rated {
            return [0; 2];
        }
        if let Some(ratings) = self.rated_before.get(&game) {
            return *ratings;
        }
        // Rows that cannot be read are found where rows are compared with games.
        self.ratings.of(game).unwrap_or_else(|_| {
            self.is_rated = false;
            [0; 2]
        })
    }

    /// Compares the counts of a position when all its postings were seen.
    fn compare(&mut self) {
        if let Some(counted) = self.counted.take() {
            let is_it = |next: Summary| {
                if self.is_rated {
                    next == counted
                } else {
                    next.without_ratings() == counted.clone().without_ratings()
                }
            };
            if !self.next.take().is_some_and(is_it) {
                self.wrong.push(Finding::Counts(counted.prefix));
            }
            self.step();
        }
    }

    /// What is wrong.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.compare();
        while let Some(next) = self.next.take() {
            self.wrong.push(Finding::Counts(next.prefix));
            self.step();
        }
        self.wrong
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::super::answer::tests::{put, rated};
    use super::super::super::{Db, Options, columns};
    use super::*;

    /// How many positions have counts that are wrong.
    fn wrong(snapshot: &Snapshot) -> usize {
        let runs = &snapshot.manifest().runs.postings;
        let wrong = runs.iter().map(|run| {
            let mut check = SummaryCheck::of(snapshot, run, true);
            for posting in RunReader::<Posting>::new(snapshot.engine(), run) {
                check.push(&posting.unwrap());
            }
            check.finish().len()
        });
        wrong.sum()
    }

    #[test]
    fn counts_have_the_ratings_that_games_had() {
        let db = Db::in_memory(Options::default().counts_from(20)).unwrap();
        put(&db, (0..300).map(|number| rated(number, 0)));
        assert_eq!(wrong(&db.snapshot()), 0);
        put(&db, (0..40).map(|number| rated(number, 1)));
        let snapshot = db.snapshot();
        assert!(!snapshot.manifest().rated_before.is_empty());
        assert_eq!(wrong(&snapshot), 0);
        // A game whose ratings change and nobody says so.
        let mut row = snapshot.row(200).unwrap();
        row.white_rating += 1;
        let changed = HashMap::from([(200, row)]);
        let writes = columns::writes(&**snapshot.engine(), snapshot.next_game(), &[], &changed).unwrap();
        snapshot.engine().apply(writes.changed).unwrap();
        assert_eq!(wrong(&snapshot), 1);
        // Where nothing is known of ratings, the rest is compared.
        put(&db, (100..300).map(|number| rated(number, 1)));
        let snapshot = db.snapshot();
        assert_eq!(snapshot.manifest().unrated.len(), 1);
        assert_eq!(wrong(&snapshot), 0);
    }
}
