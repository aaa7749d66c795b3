//! Loads of what was built elsewhere give what an import gives.

use crate::common::{Home, Rules, batches, content, everywhere, findings};
use boardprint_base::Digest;
use boardprint_store::db::{
    Batch, BuiltGame, BuiltNotes, BuiltPostings, Db, Error, Options, Posting, Prefix, RejectNote, Replay as _,
};

everywhere!(a_load_gives_what_an_import_gives, a_load_that_does_not_fit_together_leaves_nothing);

fn small() -> Options {
    Options::default().counts_from(8).fan_in(3).memory(64 << 20)
}

/// What a cluster would have built.
pub(crate) struct Built {
    pub(crate) games: Vec<BuiltGame>,
    pub(crate) postings: Vec<Posting>,
    pub(crate) notes: BuiltNotes,
}

/// A database that was filled by imports, and the same as a cluster would have built it.
pub(crate) fn built(games: u64) -> (Db, Built) {
    let db = Db::in_memory(small()).unwrap();
    for mut batch in batches(games, 90) {
        let place = boardprint_store::db::Origin { file: 0, offset: 3, record: 4 };
        batch.rejects = vec![RejectNote { place, line: 2, reason: "no game".into() }];
        db.ingest(batch, &Rules, None).unwrap();
    }
    let log = db.snapshot().export().unwrap();
    let (mut games, mut postings) = (Vec::new(), Vec::new());
    for exported in log.games() {
        let exported = exported.unwrap();
        let game = (*exported.game).clone();
        for (hash, ply) in Rules.hashes(&game).unwrap() {
            let posting = Posting::new(Prefix::of(&hash), exported.id, ply).unwrap();
            postings.push(posting.followed_by(game.moves.get(ply as usize).as_ref(), game.result));
        }
        let laws = Rules.laws(&game);
        games.push(BuiltGame { game, hash: exported.hash, laws });
    }
    postings.sort_unstable();
    postings.dedup_by(|a, b| (*a).cmp(b).is_eq());
    let notes = BuiltNotes {
        sources: log.sources().to_vec(),
        copies: log.copies().map(Result::unwrap).collect(),
        rejects: log.rejects().map(Result::unwrap).collect(),
    };
    (db, Built { games, postings, notes })
}

/// Everything that can be asked is the same.
pub(crate) fn assert_alike(found: &Db, expected: &Db) {
    let (one, two) = (found.snapshot(), expected.snapshot());
    assert_eq!(content(&one), content(&two));
    assert_eq!(findings(found), Vec::<String>::new());
    for (number, item) in two.export_positions().enumerate().filter(|(number, _)| number % 7 == 0) {
        let mut digest = Digest([0; 20]);
        digest.0[..10].copy_from_slice(&item.unwrap().0.0);
        assert_eq!(one.tally(&digest).unwrap(), two.tally(&digest).unwrap(), "{number}");
    }
    for id in (0..two.next_game()).step_by(11) {
        let [row, other] = [&one, &two].map(|snapshot| {
            let row = snapshot.row(id).unwrap();
            let words = [row.white, row.black, row.laws].map(|word| snapshot.word(word).unwrap());
            (words, row.date, row.white_rating, row.black_rating, row.plies, row.kind, row.result, row.source)
        });
        assert_eq!(row, other);
    }
}

fn a_load_gives_what_an_import_gives(home: &Home) {
    let (expected, built) = built(600);
    let db = Db::open(home.path("db"), small()).unwrap();
    let postings = BuiltPostings::Sorted(Box::new(built.postings.into_iter().map(Ok)));
    let mut games = built.games.into_iter().map(Ok);
    let done = db.load_built(&mut games, postings, built.notes, &Rules).unwrap();
    assert_eq!(done.games, expected.snapshot().games());
    assert_eq!(done.postings, expected.snapshot().stats().unwrap().postings);
    assert_alike(&db, &expected);
    drop(db);
    let db = Db::open(home.path("db"), small()).unwrap();
    assert_alike(&db, &expected);
    // Imports go on from there, and know what is there.
    for db in [&db, &expected] {
        for batch in batches(800, 100) {
            db.ingest(batch, &Rules, None).unwrap();
        }
    }
    assert_alike(&db, &expected);
    // So does another load: numbers go on.
    let games: Vec<BuiltGame> = vec![];
    let notes = BuiltNotes::default();
    let none = BuiltPostings::Sorted(Box::new(std::iter::empty()));
    assert_eq!(db.load_built(&mut games.into_iter().map(Ok), none, notes, &Rules).unwrap().games, 0);
    assert_eq!(findings(&db), Vec::<String>::new());
}

fn a_load_that_does_not_fit_together_leaves_nothing(home: &Home) {
    let (_, built) = built(150);
    let unsorted: Vec<Posting> = built.postings.iter().rev().cloned().collect();
    for (name, games, postings) in [
        ("unsorted", built.games.clone(), unsorted),
        ("no-games", built.games[..20].to_vec(), built.postings),
    ] {
        let db = Db::open(home.path(name), small()).unwrap();
        let postings = BuiltPostings::Sorted(Box::new(postings.into_iter().map(Ok)));
        let failed = db.load_built(&mut games.into_iter().map(Ok), postings, BuiltNotes::default(), &Rules);
        assert!(matches!(failed, Err(Error::Inconsistent { .. })), "{failed:?}");
        drop(db);
        let db = Db::open(home.path(name), small()).unwrap();
        db.ingest(Batch::default(), &Rules, None).unwrap();
        assert_eq!(findings(&db), Vec::<String>::new());
        assert_eq!(db.snapshot().stats().unwrap().postings == 0, db.snapshot().games() == 0);
    }
}
