//! A dry run decides as the real one does, and changes nothing.

use std::sync::atomic::AtomicBool;

use crate::common::{ByTag, Rules, batches, content, copy, numbers};
use boardprint_store::db::{
    Access, Db, Error, IngestOptions, IngestReport, MergeOptions, Options, ingest, merge,
};

fn small() -> Options {
    Options::default().memory(8 << 20).fan_in(3)
}

fn fill(db: &Db, games: u64) {
    for batch in batches(games, 50) {
        db.ingest(batch, &Rules, None).unwrap();
    }
}

fn import(db: &Db, dry_run: bool, batch: usize) -> IngestReport {
    let options = IngestOptions::default().threads(2).batch_games(batch).dry_run(dry_run);
    // A rule that tells apart what the hash does not, so that stored games are read.
    let judge = ByTag("Round", 200);
    let reader = numbers(&[("a", 900), ("b", 600)]);
    ingest(db, reader, &Rules, Some(&judge), &options, &(), &AtomicBool::new(false)).unwrap()
}

#[test]
fn a_dry_import_says_what_an_import_does() {
    let folder = tempfile::tempdir().unwrap();
    for (number, before) in [0, 300].into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        let db = Db::open(&path, small()).unwrap();
        fill(&db, before);
        db.close().unwrap();
        let db = Db::open(&path, small().access(Access::Read)).unwrap();
        let expected = content(&db.snapshot());
        let reports = [1, 70, 50_000].map(|batch| import(&db, true, batch));
        assert_eq!(content(&db.snapshot()), expected);
        db.close().unwrap();
        let db = Db::open(&path, small()).unwrap();
        assert_eq!(content(&db.snapshot()), expected, "nothing was written");
        let done = import(&db, false, 70);
        assert!(done.games > 0 && done.duplicates > 0 && done.rejects > 0 && done.postings > 0, "{done:?}");
        assert_eq!(reports, [(); 3].map(|()| done.clone()));
        let again = import(&db, true, 70);
        assert_eq!((again.games, again.duplicates, again.known), (0, 0, 1500), "every record was taken");
    }
}

#[test]
fn a_dry_merge_says_what_a_merge_does() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    for (path, games) in paths.iter().zip([400, 700]) {
        fill(&Db::open(path, small()).unwrap(), games);
    }
    let both = Db::in_memory(small()).unwrap();
    fill(&both, 100);
    let expected = content(&both.snapshot());
    let options = MergeOptions::default();
    let dry = merge(&both, &paths, &options.clone().dry_run(true), &Rules, None).unwrap();
    assert_eq!(content(&both.snapshot()), expected);
    let done = merge(&both, &paths, &options, &Rules, None).unwrap();
    assert_eq!(dry, done);
    // The second database holds the games of the first.
    assert!(done.games > 0 && done.duplicates > 400, "{done:?}");
}

#[test]
fn games_that_are_in_the_log_alone_are_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let (path, old) = (folder.path().join("db"), folder.path().join("old"));
    let db = Db::open(&path, small()).unwrap();
    fill(&db, 50);
    db.close().unwrap();
    copy(&path, &old);
    let db = Db::open(&path, small()).unwrap();
    fill(&db, 100);
    db.close().unwrap();
    // As after a power cut between the log and the index.
    copy(&path.join("games"), &old.join("games"));
    let db = Db::open(&old, small().access(Access::Read)).unwrap();
    let options = IngestOptions::default().dry_run(true);
    let outcome = ingest(&db, numbers(&[("a", 9)]), &Rules, None, &options, &(), &AtomicBool::new(false));
    let error = outcome.unwrap_err();
    assert!(matches!(error, Error::Behind { indexed, acknowledged } if indexed < acknowledged), "{error}");
}
