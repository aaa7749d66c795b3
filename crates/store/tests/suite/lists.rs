//! Lists of games, one look per position, and the patience of whoever asks.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use boardprint_base::{Digest, DigestPrefix};
use boardprint_store::db::{Batch, Budget, Db, Error, Filter, Options, Order, Posting, Snapshot};

use crate::common::{Rules, game};

/// A question to a database.
type Ask = fn(&Snapshot, &Digest, &Filter) -> Result<(), Error>;

const GAMES: u64 = 3_000;

fn filled() -> Db {
    let db = Db::in_memory(Options::default()).unwrap();
    for batch in 0..3 {
        let games = (batch * GAMES / 3..(batch + 1) * GAMES / 3).map(game).collect();
        db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
    }
    db
}

/// All pages of a list.
fn pages(snapshot: &Snapshot, filter: &Filter, order: Order, limit: usize) -> Vec<u64> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = snapshot.list(filter, order, after, limit).unwrap();
        assert!(page.games.len() == limit || page.next.is_none());
        found.extend(page.games.iter().map(|line| line.game));
        after = page.next;
        if after.is_none() {
            assert_eq!(page.total, found.len() as u64);
            return found;
        }
    }
}

#[test]
fn lists_hold_every_game_that_passes_in_order_whatever_the_pages() {
    let db = filled();
    let snapshot = db.snapshot();
    let all: Vec<_> = (0..snapshot.next_game()).map(|id| (id, snapshot.row(id).unwrap())).collect();
    let player = Filter { player: Some("Player 1".to_owned()), ..Filter::default() };
    let filters = [
        Filter::default(),
        player.clone(),
        Filter { whole_name: true, ..player },
        Filter { since: Some(20_100_000), until: Some(20_120_600), ..Filter::default() },
        Filter { min_rating: Some(2400), ..Filter::default() },
        // The made-up games have one rating only.
        Filter { min_both_ratings: Some(1), ..Filter::default() },
    ];
    let mut sizes = BTreeSet::new();
    for filter in &filters {
        for order in [Order::Number, Order::Date, Order::Rating, Order::Plies] {
            let mut expected: Vec<_> = all
                .iter()
                .filter(|(_, row)| {
                    let name = snapshot.word(row.white).unwrap().unwrap_or_default();
                    filter.player.as_ref().is_none_or(|player| {
                        if filter.whole_name { *name == **player } else { name.contains(&**player) }
                    }) && filter.since.is_none_or(|since| row.date >= since)
                        && filter.until.is_none_or(|_| row.date <= 20_120_631)
                        && filter.min_rating.is_none_or(|least| row.mean_rating() >= least)
                        && filter.min_both_ratings.is_none()
                })
                .collect();
            expected.sort_by_key(|(id, row)| {
                let key = match order {
                    Order::Number => 0,
                    Order::Date => row.date,
                    Order::Rating => row.mean_rating().into(),
                    Order::Plies => row.plies,
                };
                (std::cmp::Reverse(key), *id)
            });
            let expected: Vec<u64> = expected.into_iter().map(|(id, _)| *id).collect();
            for limit in [7, 1_000, 10_000] {
                assert_eq!(pages(&snapshot, filter, order, limit), expected, "{filter:?} {order:?} {limit}");
            }
            sizes.insert(expected.len());
        }
    }
    assert_eq!(sizes.len(), filters.len(), "every filter lets another number pass: {sizes:?}");
}

#[test]
fn each_position_takes_one_look() {
    let db = filled();
    let snapshot = db.snapshot();
    for digits in ["0", "ab", "7f3", "fff", "e"] {
        let digits: DigestPrefix = digits.parse().unwrap();
        let expected: Vec<_> = snapshot.candidates(&digits, usize::MAX).unwrap();
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = snapshot.positions(&digits, after, 5).unwrap();
            after = page.last().map(Posting::prefix);
            let last = page.len() < 5;
            found.extend(page.iter().map(Posting::prefix));
            if last {
                break;
            }
        }
        assert_eq!(found, expected.iter().map(|(prefix, _)| *prefix).collect::<Vec<_>>(), "{digits}");
    }
}

#[test]
fn whoever_has_no_patience_gets_no_answer() {
    let db = filled();
    let start: Digest = game(1).positions[0].0;
    let filter = Filter { min_rating: Some(1), ..Filter::default() };
    let questions: [(&str, Ask); 4] = [
        ("filtered", |snapshot, hash, filter| snapshot.tally_filtered(hash, filter).map(drop)),
        ("list", |snapshot, _, filter| snapshot.list(filter, Order::Date, None, 5).map(drop)),
        ("lookup", |snapshot, hash, _| snapshot.lookup(hash)?.try_for_each(|posting| posting.map(drop))),
        ("all", |snapshot, _, _| snapshot.export_positions().try_for_each(|position| position.map(drop))),
    ];
    for (name, ask) in questions {
        let patient = db.snapshot().within(Arc::new(Budget::default()));
        ask(&patient, &start, &filter).unwrap_or_else(|error| panic!("{name}: {error}"));
        let late = db.snapshot().within(Arc::new(Budget::until(Instant::now())));
        assert!(matches!(ask(&late, &start, &filter), Err(Error::OutOfTime)), "{name}");
        let gone = Arc::new(Budget::default());
        gone.give_up();
        assert!(matches!(ask(&db.snapshot().within(gone), &start, &filter), Err(Error::OutOfTime)), "{name}");
    }
    let generation = db.snapshot().generation();
    db.ingest(Batch { games: vec![game(GAMES + 1)], ..Batch::default() }, &Rules, None).unwrap();
    assert!(db.snapshot().generation() > generation);
}
