//! The database against a plain map, one engine against the other, one thread against two.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use boardprint_base::{Digest, DigestPrefix};
use boardprint_store::db::{
    Batch, Db, Duplicates, Engine, Error, Finding, IngestOptions, IngestReport, MemoryEngine, NewGame,
    Observer, Options, Prefix, Prepare, Record, Refusal, Rejected, Replay, Replayed, SledEngine, StoredGame,
    Tree, VerifyOptions, Write, ingest,
};
use common::{Numbers, Random, Rules, batches, content, findings, game, plain_map};

fn small() -> Options {
    Options::default().hot_threshold(8).fan_in(3).memory(64 << 20)
}

fn filled(db: &Db, games: u64, size: u64) {
    for batch in batches(games, size) {
        db.ingest(batch).unwrap();
    }
}

#[test]
fn every_position_is_found_as_in_a_plain_map() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(folder.path().join("db"), small()).unwrap();
    filled(&db, 5000, 300);
    let map = plain_map(5000);
    let snapshot = db.snapshot();
    for (prefix, places) in &map {
        let mut digest = Digest([0; 20]);
        digest.0[..10].copy_from_slice(&prefix.0);
        let found: Vec<(u64, u32)> =
            snapshot.lookup(&digest).unwrap().map(|p| p.map(|p| (p.game(), p.ply())).unwrap()).collect();
        assert_eq!(&found, places, "{prefix}");
    }
    let (number, new) = (0, game(0));
    let (wanted, ply) = *new.positions.last().unwrap();
    let posting = snapshot.lookup(&wanted).unwrap().map(Result::unwrap).find(|p| p.game() == number).unwrap();
    assert_eq!(posting.ply(), ply);
    assert!(snapshot.confirm(&posting, &wanted, &Rules).unwrap());
    let mut other = wanted;
    other.0[19] ^= 1;
    assert_eq!(snapshot.lookup(&other).unwrap().count(), snapshot.lookup(&wanted).unwrap().count());
    assert!(!snapshot.confirm(&posting, &other, &Rules).unwrap(), "ten bytes agree, twenty do not");
    let counts: Vec<(Prefix, u64)> = snapshot.export_positions().map(Result::unwrap).collect();
    let expected: Vec<(Prefix, u64)> =
        map.iter().map(|(prefix, places)| (*prefix, places.len() as u64)).collect();
    assert_eq!(counts, expected);
    assert_eq!(snapshot.lookup(&Digest::of(b"nowhere")).unwrap().count(), 0);
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn tallies_count_results_and_next_moves() {
    let db = Db::in_memory(small()).unwrap();
    filled(&db, 700, 60);
    let snapshot = db.snapshot();
    for (prefix, places) in plain_map(700) {
        let mut digest = Digest([0; 20]);
        digest.0[..10].copy_from_slice(&prefix.0);
        let mut expected: BTreeMap<_, [u64; 4]> = BTreeMap::new();
        for (id, ply) in places {
            let game = snapshot.game(id).unwrap();
            let result = boardprint_base::GameResult::ALL.iter().position(|r| *r == game.result).unwrap();
            expected.entry(game.moves.get(ply as usize)).or_default()[result] += 1;
        }
        let tally = snapshot.tally(&digest).unwrap();
        let found: BTreeMap<_, _> =
            tally.moves.iter().map(|next| (next.next.clone(), next.results.0)).collect();
        assert_eq!(found, expected, "{prefix}");
        assert!(tally.moves.windows(2).all(|pair| pair[0].results.total() >= pair[1].results.total()));
    }
}

#[test]
fn a_prefix_lists_every_hash_that_begins_so() {
    let db = Db::in_memory(small()).unwrap();
    filled(&db, 500, 100);
    let map = plain_map(500);
    for digits in ["0", "7", "a3", "fff", "123456"] {
        let prefix: DigestPrefix = digits.parse().unwrap();
        let found: Vec<Prefix> =
            db.snapshot().lookup_prefix(&prefix).unwrap().map(|posting| posting.unwrap().prefix()).collect();
        let expected: Vec<Prefix> = map
            .iter()
            .filter(|(prefix, _)| prefix.to_string().starts_with(digits))
            .flat_map(|(prefix, places)| places.iter().map(|_| *prefix))
            .collect();
        assert_eq!(found, expected, "{digits}");
    }
}

#[test]
fn both_engines_hold_the_same_and_so_does_a_reopened_and_a_compacted_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let memory = Db::in_memory(small()).unwrap();
    filled(&memory, 2000, 90);
    let expected = content(&memory.snapshot());

    let db = Db::open(&path, small()).unwrap();
    filled(&db, 2000, 90);
    assert_eq!(content(&db.snapshot()), expected);
    db.close().unwrap();
    let db = Db::open(&path, small().create(false)).unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert!(db.snapshot().stats().unwrap().posting_runs > 1);
    db.settle().unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(findings(&db), Vec::<String>::new());
    assert_eq!(db.snapshot().stats().unwrap().posting_runs, 1);
    let db = db.compact().unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(findings(&db), Vec::<String>::new());
    drop(db);
    let db = Db::open(&path, small()).unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    filled(&db, 2000, 90);
    let after = content(&db.snapshot());
    assert_eq!(
        (&after.games, &after.positions),
        (&expected.games, &expected.positions),
        "the same again adds nothing"
    );
    let memory = memory.compact().unwrap();
    assert_eq!(content(&memory.snapshot()), expected);
}

#[test]
fn engines_answer_alike() {
    let folder = tempfile::tempdir().unwrap();
    let sled = SledEngine::open(folder.path(), 1 << 20).unwrap();
    let memory = MemoryEngine::new();
    let mut random = Random(7);
    for _ in 0..3000 {
        let key = vec![u8::try_from(random.below(4)).unwrap(); usize::try_from(random.below(5)).unwrap()];
        let tree = Tree::ALL[usize::try_from(random.below(6)).unwrap()];
        let write = if random.below(3) == 0 {
            Write::Delete { tree, key: key.clone() }
        } else {
            let len = usize::try_from(random.below(3000)).unwrap();
            Write::Put { tree, key: key.clone(), value: vec![9; len] }
        };
        sled.apply(vec![write.clone()]).unwrap();
        memory.apply(vec![write]).unwrap();
        let probe = vec![u8::try_from(random.below(5)).unwrap(); usize::try_from(random.below(5)).unwrap()];
        assert_eq!(sled.get(tree, &key).unwrap(), memory.get(tree, &key).unwrap());
        assert_eq!(sled.floor(tree, &probe).unwrap(), memory.floor(tree, &probe).unwrap());
        assert_eq!(
            sled.scan(tree, &probe, &[3; 6], 4).unwrap(),
            memory.scan(tree, &probe, &[3; 6], 4).unwrap()
        );
    }
    sled.sync().unwrap();
}

#[test]
fn a_snapshot_does_not_change_while_runs_are_merged() {
    let db = Db::in_memory(small()).unwrap();
    filled(&db, 400, 100);
    let before = db.snapshot();
    let expected = content(&before);
    for batch in batches(3000, 100) {
        db.ingest(batch).unwrap();
    }
    assert_eq!(content(&before), expected);
    assert!(db.snapshot().games() > before.games());
    assert!(matches!(db.compact(), Err(Error::SnapshotsOpen)));
}

#[test]
fn duplicates_are_skipped_or_kept() {
    let db = Db::in_memory(small()).unwrap();
    let again = || Batch { games: vec![game(1), game(2), game(1)], ..Batch::default() };
    assert_eq!(db.ingest(again()).unwrap().duplicates, 1);
    assert_eq!(db.ingest(again()).unwrap().games, 0);
    let kept = db.ingest(Batch { duplicates: Duplicates::Keep, ..again() }).unwrap();
    assert_eq!((kept.first_game, kept.games, kept.duplicates), (2, 3, 0));
    assert_eq!(db.snapshot().find_game(&game(2).hash).unwrap(), Some(1));
    assert_eq!(db.snapshot().find_game(&game(3).hash).unwrap(), None);
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn large_games_and_many_sources_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let mut random = Random(5);
    let mut text = || {
        (0..300_000).map(|_| char::from(b'a' + u8::try_from(random.below(26)).unwrap())).collect::<String>()
    };
    let mut batch = Batch::default();
    for number in 0..40 {
        let mut new = game(number);
        if number % 9 == 0 {
            new.game.start = text().into();
        }
        batch.games.push(new);
    }
    for number in 0..4000 {
        let path = format!("a/rather/long/path/to/some/collection/number-{number}.pgn").into();
        let stamp = Digest::of(&u32::to_be_bytes(number));
        batch.sources.push(boardprint_store::db::Source { path, stamp, offset: 1, records: 1 });
    }
    let db = Db::open(&path, small()).unwrap();
    db.ingest(batch).unwrap();
    let expected = content(&db.snapshot());
    drop(db);
    let db = Db::open(&path, small()).unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(expected.sources.len(), 4000);
    let db = db.compact().unwrap();
    assert_eq!(content(&db.snapshot()), expected);
}

#[test]
fn a_database_that_does_not_fit_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    assert!(matches!(Db::open(&path, small().create(false)), Err(Error::NoDatabase { .. })));
    let db = Db::open(&path, small()).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::InUse { .. })));
    drop(db);
    assert!(matches!(Db::open(&path, small().profile("other")), Err(Error::OtherProfile { .. })));
    let head = std::fs::read_to_string(path.join("HEAD")).unwrap();
    let body = head.replace("format 1", "format 9");
    let body = body.rsplit_once("check ").unwrap().0;
    let newer = format!("{body}check {:08x}\n", crc32fast::hash(body.as_bytes()));
    std::fs::write(path.join("HEAD"), newer).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::OtherFormat { found: 9, known: 1 })));
    std::fs::write(path.join("HEAD"), head.replace("data 1", "data 2")).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::Io { .. })));
    std::fs::write(folder.path().join("a letter"), "Dear").unwrap();
    assert!(matches!(Db::open(folder.path(), small()), Err(Error::NotADatabase { .. })));
}

/// Keeps what an import says.
#[derive(Default)]
struct Notes {
    rejected: Mutex<Vec<(u64, String)>>,
    stop_after: Option<u64>,
    stop: AtomicBool,
}

impl Observer for Notes {
    fn rejected(&self, rejected: &Rejected<'_>) -> std::io::Result<()> {
        self.rejected.lock().unwrap().push((rejected.record, rejected.reason.to_owned()));
        Ok(())
    }

    fn acknowledged(&self, report: &IngestReport) {
        if self.stop_after.is_some_and(|games| report.games >= games) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn numbers(games: u64) -> impl Iterator<Item = Numbers> {
    ["a", "b"].into_iter().map(move |path| Numbers {
        path,
        next: 0,
        games: if path == "a" { games } else { games / 2 },
    })
}

fn imported(db: &Db, options: &IngestOptions, notes: &Notes) -> IngestReport {
    ingest(db, numbers(3000), &Rules, options, notes, &notes.stop).unwrap()
}

#[test]
fn an_import_depends_on_neither_threads_nor_batches_nor_interruptions() {
    let reference = Db::in_memory(small()).unwrap();
    let notes = Notes::default();
    let report = imported(&reference, &IngestOptions::default().threads(1), &notes);
    assert_eq!((report.rejects, report.stopped), (29 + 14, false));
    assert_eq!(notes.rejected.lock().unwrap()[0], (101, "no game 100".to_owned()));
    assert_eq!(report.games + report.duplicates + report.rejects, 4500);
    let expected = content(&reference.snapshot());
    assert_eq!(findings(&reference), Vec::<String>::new());

    for (threads, bulk) in [(1, false), (2, false), (2, true)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let options = IngestOptions::default().threads(threads).batch_games(170).bulk(bulk);
        let mut rounds = 0;
        loop {
            let db = Db::open(&path, small()).unwrap();
            let notes = Notes { stop_after: Some(600), ..Notes::default() };
            let report = imported(&db, &options, &notes);
            assert_eq!(findings(&db), Vec::<String>::new());
            rounds += 1;
            if !report.stopped {
                assert_eq!(content(&db.snapshot()), expected, "{threads} threads, bulk {bulk}");
                let again = imported(&db, &options, &Notes::default());
                assert_eq!(
                    (again.games, again.duplicates, again.rejects),
                    (0, 0, 0),
                    "nothing is read twice"
                );
                break;
            }
        }
        assert!(rounds > 2, "{rounds} rounds");
    }
}

#[test]
fn a_bulk_load_shows_its_games_at_its_end_or_to_the_next_writer() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(folder.path().join("db"), small()).unwrap();
    let (mut numberer, mut bulk) = db.bulk().unwrap();
    // More batches than sorted files are kept, so that these are merged too.
    for batch in batches(1000, 7) {
        bulk.commit(numberer.number(batch).unwrap().encode_bulk().unwrap()).unwrap();
        assert_eq!(db.snapshot().games(), 0);
    }
    drop((numberer, bulk));
    filled(&db, 1500, 100);
    let reference = Db::in_memory(small()).unwrap();
    filled(&reference, 1500, 100);
    let (found, expected) = (content(&db.snapshot()), content(&reference.snapshot()));
    assert_eq!((found.games, found.positions), (expected.games, expected.positions));
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn a_database_is_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let db = Arc::new(Db::in_memory(small()).unwrap());
    shared(&db);
    shared(&db.snapshot());
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| filled(&db, 2000, 50));
        while !writer.is_finished() {
            let snapshot = db.snapshot();
            let report = snapshot.verify(Some(&Rules)).unwrap();
            assert!(report.is_well(), "{:?}", report.findings);
            assert_eq!(report.games, snapshot.games());
        }
    });
}

/// The rules of the made-up games with a hash that somebody has broken: some texts share theirs.
struct Broken {
    games: bool,
    positions: bool,
}

impl Broken {
    fn renamed(&self, new: NewGame) -> NewGame {
        let Replayed { hash, positions } = self.replay(&new.game).unwrap();
        NewGame { game: new.game, hash, positions }
    }
}

impl Replay for Broken {
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
        Rules.identity(game)
    }

    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        Rules.positions(game, each)
    }

    fn hash(&self, text: &[u8]) -> Digest {
        let good = Digest::of(text);
        let is_broken = if text.starts_with(b"game ") { self.games } else { self.positions };
        // One text in eight has one of sixteen hashes.
        if is_broken && good.0[0].is_multiple_of(8) { Digest::of(&[good.0[1] % 16]) } else { good }
    }
}

impl Prepare for Broken {
    fn prepare(&self, record: &Record) -> Result<NewGame, Refusal> {
        Rules.prepare(record).map(|new| self.renamed(new))
    }
}

#[test]
fn an_import_that_compares_texts_loses_no_game() {
    let broken = Broken { games: true, positions: false };
    let import = |db: &Db, prepare: &dyn Prepare, options: &IngestOptions, stop_after: Option<u64>| {
        let notes = Notes { stop_after, ..Notes::default() };
        ingest(db, numbers(3000), prepare, options, &notes, &notes.stop).unwrap()
    };
    let reference = Db::in_memory(small()).unwrap();
    let sums = import(&reference, &Rules, &IngestOptions::default().paranoid(true), None);
    assert_eq!(sums.collisions, 0, "honest games have no collisions");
    let expected = content(&reference.snapshot());
    let careless = Db::in_memory(small()).unwrap();
    let lost = import(&careless, &broken, &IngestOptions::default(), None);
    assert!(lost.games < sums.games - 100, "{lost:?}");

    for (threads, batch, bulk) in [(1, 50_000, false), (2, 170, false), (2, 170, true)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let options = IngestOptions::default().paranoid(true).threads(threads).batch_games(batch).bulk(bulk);
        let mut collisions = 0;
        loop {
            let db = Db::open(&path, small()).unwrap();
            let report = import(&db, &broken, &options, Some(600));
            collisions += report.collisions;
            if report.stopped {
                continue;
            }
            assert_eq!(content(&db.snapshot()), expected, "{threads} threads, bulk {bulk}");
            // Sixteen hashes are taken first by one game each.
            assert!(collisions > 100, "{collisions}");
            let found = db.snapshot().verify(Some(&broken)).unwrap().findings;
            assert!(found.iter().all(|finding| matches!(finding, Finding::SharedHash { .. })), "{found:?}");
            assert_eq!(found.len() as u64, collisions);
            assert!(found[0].to_string().contains(" differ and share the hash "), "{}", found[0]);
            break;
        }
    }
}

#[test]
fn copies_kept_on_purpose_are_no_finding() {
    let db = Db::in_memory(small()).unwrap();
    let games = vec![game(1), game(2), game(1), game(1)];
    db.ingest(Batch { games, duplicates: Duplicates::Keep, ..Batch::default() }).unwrap();
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn different_positions_under_one_prefix_are_found() {
    let broken = Broken { games: false, positions: true };
    let db = Db::in_memory(small()).unwrap();
    for mut batch in batches(1000, 90) {
        batch.games = batch.games.into_iter().map(|new| broken.renamed(new)).collect();
        db.ingest(batch).unwrap();
    }
    let mut texts: BTreeMap<Prefix, std::collections::BTreeSet<Vec<u8>>> = BTreeMap::new();
    for item in db.snapshot().export_games() {
        let note = &mut |text: &[u8]| {
            texts.entry(Prefix::of(&broken.hash(text))).or_default().insert(text.to_vec());
        };
        broken.positions(&item.unwrap().1, note).unwrap();
    }
    let report = db.snapshot().verify(Some(&broken)).unwrap();
    let mut found: BTreeMap<Prefix, usize> = BTreeMap::new();
    for finding in &report.findings {
        let Finding::SharedPrefix { prefix, first, second } = finding else { panic!("{finding}") };
        assert!(first < second, "{finding}");
        *found.entry(*prefix).or_insert(1) += 1;
    }
    let expected: BTreeMap<Prefix, usize> =
        texts.into_iter().map(|(prefix, texts)| (prefix, texts.len())).filter(|(_, n)| *n > 1).collect();
    assert_eq!((found.len(), &found), (16, &expected));
    assert!(report.findings[0].to_string().starts_with("two positions share the hash "));

    let folder = tempfile::tempdir().unwrap();
    for positions in [50, 1000] {
        let options = VerifyOptions::default().positions(positions).folder(folder.path());
        let in_files = db.snapshot().verify_with(Some(&broken), &options).unwrap();
        assert_eq!(format!("{:?}", in_files.findings), format!("{:?}", report.findings), "{positions}");
    }
}

#[test]
fn positions_that_cannot_be_kept_in_a_file_are_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let missing = VerifyOptions::default().folder(folder.path().join("missing"));
    // A large game in front lets the first games be replayed before the last are read.
    for extra in [0, 9 << 20] {
        let db = Db::in_memory(small()).unwrap();
        for mut batch in batches(200, 50) {
            batch.games[0].game.extra = vec![0; extra].into();
            db.ingest(batch).unwrap();
        }
        // With room for all of them no file is needed.
        assert!(db.snapshot().verify_with(Some(&Rules), &missing).unwrap().is_well());
        let error = db.snapshot().verify_with(Some(&Rules), &missing.clone().positions(50)).unwrap_err();
        assert!(!error.is_damage());
        assert!(error.to_string().starts_with("cannot keep positions in a temporary file in "), "{error}");
    }
}
