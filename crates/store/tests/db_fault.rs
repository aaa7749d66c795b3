//! The database on a failing machine: stopped at every operation, a full disk, flipped bytes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use boardprint_store::db::{Batch, Db, Engine, Error, Options, Pair, Result, Tree, Write};
use common::{Content, Random, batches, content, findings};

/// A machine that can stop at any operation. What was not synced is then lost, or there, or there in part.
#[derive(Default)]
struct Machine {
    disk: Mutex<Disk>,
}

#[derive(Default)]
struct Disk {
    /// What is safe.
    safe: BTreeMap<(Tree, Vec<u8>), Vec<u8>>,
    /// What the process sees.
    seen: BTreeMap<(Tree, Vec<u8>), Vec<u8>>,
    /// What was written since the last sync.
    unsynced: Vec<Write>,
    /// How many operations are left before everything fails.
    left: Option<usize>,
}

fn change(map: &mut BTreeMap<(Tree, Vec<u8>), Vec<u8>>, write: Write) {
    match write {
        Write::Put { tree, key, value } => map.insert((tree, key), value),
        Write::Delete { tree, key } => map.remove(&(tree, key)),
    };
}

impl Disk {
    fn operation(&mut self) -> Result<()> {
        match &mut self.left {
            Some(0) => Err(Error::Engine("no space left on device".to_owned())),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Machine {
    /// Starts again with what is safe and a part of what was not synced.
    fn restart(&self, left: Option<usize>, mut keep: impl FnMut() -> bool) {
        let mut disk = self.disk.lock().unwrap();
        for write in std::mem::take(&mut disk.unsynced) {
            if keep() {
                change(&mut disk.safe, write);
            }
        }
        disk.seen = disk.safe.clone();
        disk.left = left;
    }
}

impl Engine for Machine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        let mut disk = self.disk.lock().unwrap();
        for write in writes {
            disk.operation()?;
            disk.unsynced.push(write.clone());
            change(&mut disk.seen, write);
        }
        Ok(())
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.disk.lock().unwrap().seen.get(&(tree, key.to_vec())).cloned())
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let disk = self.disk.lock().unwrap();
        let pair = disk.seen.range((tree, Vec::new())..=(tree, key.to_vec())).next_back();
        Ok(pair.map(|((_, key), value)| (key.clone(), value.clone())))
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to {
            return Ok(Vec::new());
        }
        let disk = self.disk.lock().unwrap();
        let range = (Bound::Included((tree, from.to_vec())), Bound::Excluded((tree, to.to_vec())));
        Ok(disk.seen.range(range).take(limit).map(|((_, key), value)| (key.clone(), value.clone())).collect())
    }

    fn sync(&self) -> Result<()> {
        let mut disk = self.disk.lock().unwrap();
        disk.operation()?;
        for write in std::mem::take(&mut disk.unsynced) {
            change(&mut disk.safe, write);
        }
        Ok(())
    }

    fn disk_size(&self) -> Result<u64> {
        Ok(0)
    }
}

const GAMES: u64 = 180;
const BATCH: u64 = 20;

/// Made once: hashing takes most of the time of a small import.
fn all_batches() -> &'static [Batch] {
    static BATCHES: OnceLock<Vec<Batch>> = OnceLock::new();
    BATCHES.get_or_init(|| batches(GAMES, BATCH).collect())
}

fn small() -> Options {
    Options::default().hot_threshold(4).fan_in(2)
}

/// Imports what is missing; how many records were acknowledged, and the error if it did not end.
fn import(machine: &Arc<Machine>) -> (u64, Option<Error>) {
    let db = match Db::with_engine(Arc::clone(machine) as Arc<dyn Engine>, small()) {
        Ok(db) => db,
        Err(error) => return (0, Some(error)),
    };
    let mut acknowledged = db.snapshot().sources().first().map_or(0, |source| source.offset);
    for batch in all_batches() {
        let end = batch.sources[0].offset;
        if end > acknowledged {
            match db.ingest(batch.clone()) {
                Ok(_) => acknowledged = end,
                Err(error) => {
                    let next = db.ingest(batch.clone());
                    assert!(matches!(next, Err(Error::Failed)), "nothing is written after a failure");
                    return (acknowledged, Some(error));
                }
            }
        }
    }
    (acknowledged, None)
}

fn reference() -> Content {
    let db = Db::in_memory(small()).unwrap();
    for batch in all_batches() {
        db.ingest(batch.clone()).unwrap();
    }
    content(&db.snapshot())
}

#[test]
fn stopped_at_any_operation_the_database_holds_exactly_the_acknowledged_batches() {
    let expected = reference();
    for mode in 0..3 {
        let mut random = Random(mode);
        let mut keep = || match mode {
            0 => false,
            1 => true,
            _ => random.below(2) == 0,
        };
        for stop in 0.. {
            let machine = Arc::new(Machine::default());
            machine.restart(Some(stop), || false);
            let (acknowledged, failed) = import(&machine);
            if failed.is_none() {
                assert!(stop > 100, "the import has more than {stop} operations");
                break;
            }
            machine.restart(None, &mut keep);
            let db = Db::with_engine(Arc::clone(&machine) as Arc<dyn Engine>, small()).unwrap();
            assert_eq!(findings(&db), Vec::<String>::new(), "mode {mode}, stopped at {stop}");
            let offset = db.snapshot().sources().first().map_or(0, |source| source.offset);
            // The batch under way may have been finished without the process hearing of it.
            assert!(
                offset == acknowledged || offset == acknowledged + BATCH,
                "{offset} after {acknowledged}"
            );
            drop(db);
            assert!(import(&machine).1.is_none());
            let db = Db::with_engine(Arc::clone(&machine) as Arc<dyn Engine>, small()).unwrap();
            assert_eq!(content(&db.snapshot()), expected, "mode {mode}, stopped at {stop}");
        }
    }
}

#[test]
fn stopped_again_and_again_even_while_recovering_the_import_ends_the_same() {
    let expected = reference();
    for seed in 0..40 {
        let mut random = Random(seed);
        let machine = Arc::new(Machine::default());
        loop {
            let left = usize::try_from(random.below(60)).unwrap();
            machine.restart(Some(left), || random.below(2) == 0);
            if import(&machine).1.is_none() {
                break;
            }
        }
        let mut none = || false;
        machine.restart(None, &mut none);
        let db = Db::with_engine(Arc::clone(&machine) as Arc<dyn Engine>, small()).unwrap();
        assert_eq!(findings(&db), Vec::<String>::new(), "seed {seed}");
        assert_eq!(content(&db.snapshot()), expected, "seed {seed}");
    }
}

#[test]
fn any_changed_value_is_found_by_verify_or_refused_on_open() {
    let machine = Arc::new(Machine::default());
    assert!(import(&machine).1.is_none());
    let keys: Vec<_> = machine.disk.lock().unwrap().seen.keys().cloned().collect();
    let mut random = Random(3);
    let well = |machine: &Arc<Machine>| match Db::with_engine(Arc::clone(machine) as Arc<dyn Engine>, small())
    {
        Ok(db) => findings(&db).is_empty(),
        Err(_) => false,
    };
    for key in keys {
        let saved = machine.disk.lock().unwrap().seen.clone();
        {
            let mut disk = machine.disk.lock().unwrap();
            let value = disk.seen.get_mut(&key).unwrap();
            let at = usize::try_from(random.below(value.len() as u64)).unwrap();
            value[at] ^= 1 << random.below(8);
        }
        assert!(!well(&machine), "a flipped bit in {key:?}");
        machine.disk.lock().unwrap().seen = saved.clone();
        if key.0 != Tree::Meta {
            machine.disk.lock().unwrap().seen.remove(&key);
            assert!(!well(&machine), "{key:?} removed");
            machine.disk.lock().unwrap().seen = saved;
        }
    }
    assert!(well(&machine));
}

/// What became of a database of which a byte was changed.
#[derive(Debug, PartialEq)]
enum Outcome {
    Refused,
    Found,
    /// The byte carried nothing: all is there.
    Whole,
    Swallowed,
}

/// Opens and checks a database in a thread of its own, so that a hang shows.
fn examine(path: &Path, expected: Arc<Content>) -> Outcome {
    let path = path.to_owned();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let outcome = match Db::open(&path, small()) {
            Err(_) => Outcome::Refused,
            Ok(db) if !findings(&db).is_empty() => Outcome::Found,
            Ok(db) if content(&db.snapshot()) == *expected => Outcome::Whole,
            Ok(_) => Outcome::Swallowed,
        };
        let _ = sender.send(outcome);
    });
    receiver.recv_timeout(std::time::Duration::from_secs(60)).expect("the check ends without panic")
}

#[test]
fn a_flipped_byte_anywhere_in_the_files_is_reported_and_nothing_panics() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good");
    let db = Db::open(&good, small()).unwrap();
    for batch in all_batches() {
        db.ingest(batch.clone()).unwrap();
    }
    let expected = Arc::new(content(&db.snapshot()));
    drop(db);
    let mut random = Random(11);
    let mut outcomes = BTreeMap::new();
    for round in 0..120 {
        let bad = folder.path().join(format!("bad-{round}"));
        copy(&good, &bad);
        let name = match round % 12 {
            0 => "HEAD",
            1 => "data-1/conf",
            _ => "data-1/db",
        };
        let file = bad.join(name);
        let mut bytes = fs::read(&file).unwrap();
        // The end of the data file is empty; aim at what was written.
        let used = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        let at = usize::try_from(random.below(used as u64)).unwrap();
        bytes[at] ^= 1 << random.below(8);
        fs::write(&file, bytes).unwrap();
        let outcome = examine(&bad, Arc::clone(&expected));
        assert_ne!(outcome, Outcome::Swallowed, "byte {at} of {name}");
        *outcomes.entry(format!("{outcome:?}")).or_insert(0) += 1;
        fs::remove_dir_all(&bad).unwrap();
    }
    assert!(outcomes.get("Refused").is_some_and(|count| *count > 10), "{outcomes:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
