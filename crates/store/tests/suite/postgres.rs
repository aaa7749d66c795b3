//! Databases on real PostgreSQL servers: what differs from databases in folders, and what happens when
//! connections, servers and programs end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Random, Rules, batches, content, findings, numbers};
use crate::loads::{assert_alike, built};
use crate::server::{PgServer, there_is_postgres};
use boardprint_base::{Digest, DigestPrefix};
use boardprint_store::db::{
    Access, BuiltPostings, Db, Engine, EngineKind, Error, IngestOptions, IngestReport, LoadTarget, LogReader,
    MemoryEngine, Observer, Options, PostgresEngine, Prefix, ReindexOptions, RunPart, ServerFault, Tree,
    Write, backup, fdw_script, ingest, load_part, make_shards, reindex, salvage,
};

fn small() -> Options {
    Options::default().counts_from(8).fan_in(3).memory(64 << 20)
}

fn filled(db: &Db, games: u64, size: u64) {
    for batch in batches(games, size) {
        db.ingest(batch, &Rules, None).unwrap();
    }
}

const GAMES: u64 = 700;
/// Records of a batch.
const BATCH: u64 = 60;

fn import(db: &Db, bulk: bool, observer: &dyn Observer) -> Result<IngestReport, Error> {
    let options = IngestOptions::default().threads(2).batch_games(usize::try_from(BATCH).unwrap()).bulk(bulk);
    ingest(db, numbers(&[("numbers", GAMES)]), &Rules, None, &options, observer, &AtomicBool::new(false))
}

fn fault_of(error: &Error) -> Option<ServerFault> {
    match error {
        Error::Server { fault, .. } => Some(*fault),
        _ => None,
    }
}

/// The end of the log as HEAD says it, and as the table has it.
fn log_ends(server: &PgServer, url: &str) -> (String, String) {
    let database = url.rsplit_once('/').unwrap().1;
    let head = server.psql(database, "select text from boardprint.head");
    let said = head.lines().find_map(|line| line.strip_prefix("log ")).unwrap().to_owned();
    let sql = "select segment || ' ' || at + octet_length(bytes) from boardprint.log order by segment desc, at desc limit 1";
    (said, server.psql(database, sql))
}

#[test]
fn a_database_is_reopened_settled_compacted_reindexed_and_read_without_a_lock() {
    if !there_is_postgres("a_database_is_reopened_settled_compacted_reindexed_and_read_without_a_lock") {
        return;
    }
    let url = PgServer::shared().new_database();
    let memory = Db::in_memory(small()).unwrap();
    filled(&memory, 900, 90);
    let expected = content(&memory.snapshot());
    let db = Db::open(&url, small().segment_bytes(20_000)).unwrap();
    filled(&db, 900, 90);
    assert_eq!(content(&db.snapshot()), expected);
    db.close().unwrap();
    let db = Db::open(&url, small().create(false)).unwrap();
    let reader = Db::open(&url, small().access(Access::Read)).unwrap();
    let before = reader.snapshot();
    assert!(before.stats().unwrap().posting_runs > 1);
    db.settle(&Rules).unwrap();
    let db = db.compact().unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(findings(&db), Vec::<String>::new());
    assert_eq!(content(&before), expected, "what was begun is ended in the state in which it began");
    drop(before);
    assert_eq!(content(&reader.snapshot()), expected, "readers find the new index");
    assert_eq!(reader.snapshot().stats().unwrap().posting_runs, 1);
    drop(db);
    let report = reindex(Path::new(&url), &ReindexOptions::default(), &small(), &Rules).unwrap();
    assert_eq!(report.games, expected.games.len() as u64);
    assert_eq!(content(&reader.snapshot()), expected);
    let other = ReindexOptions { engine: Some(EngineKind::Redb), ..ReindexOptions::default() };
    let error = reindex(Path::new(&url), &other, &small(), &Rules).unwrap_err();
    assert_eq!(fault_of(&error), Some(ServerFault::Engine), "{error}");
    let database = url.rsplit_once('/').unwrap().1;
    let tables = PgServer::shared().psql(
        database,
        "select count(*) from pg_tables where schemaname = 'boardprint' and tablename like 'postings%'",
    );
    assert_eq!(tables, "1", "indexes that nobody names are gone");
}

#[test]
fn a_lost_head_is_made_again_and_damage_is_found() {
    if !there_is_postgres("a_lost_head_is_made_again_and_damage_is_found") {
        return;
    }
    let (server, url) = (PgServer::shared(), PgServer::shared().new_database());
    let database = url.rsplit_once('/').unwrap().1;
    let db = Db::open(&url, small()).unwrap();
    filled(&db, 300, 50);
    let expected = content(&db.snapshot());
    drop(db);
    server.psql(database, "delete from boardprint.head");
    assert!(matches!(Db::open(&url, small()), Err(Error::HeadMissing { .. })));
    let report = reindex(Path::new(&url), &ReindexOptions::default(), &small(), &Rules).unwrap();
    assert!(report.new_head);
    let db = Db::open(&url, small()).unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    drop(db);
    let tables = server.psql(database, "select tablename from pg_tables where tablename like 'postings%'");
    server.psql(
        database,
        &format!("update boardprint.{tables} set value = set_byte(value, 20, get_byte(value, 20) # 1)"),
    );
    let db = Db::open(&url, small()).unwrap();
    assert!(!findings(&db).is_empty(), "a flipped bit of the index is found");
    drop(db);
    reindex(Path::new(&url), &ReindexOptions::default(), &small(), &Rules).unwrap();
    assert_eq!(findings(&Db::open(&url, small()).unwrap()), Vec::<String>::new());
    // A block of games in the middle is lost: the rest is saved.
    let hole = "delete from boardprint.log where (segment, at) = (select segment, at from boardprint.log \
                where at > 1000 and octet_length(bytes) > 500 order by at limit 1)";
    server.psql(database, hole);
    assert!(matches!(Db::open(&url, small()).map(|db| findings(&db).is_empty()), Ok(false) | Err(_)));
    let folder = tempfile::tempdir().unwrap();
    let saved = salvage(Path::new(&url), &folder.path().join("saved"), &small(), &Rules).unwrap();
    assert_eq!((saved.games, saved.missing_games), (expected.games.len() as u64 - 16, 16));
    server.psql(database, "delete from boardprint.log where at > 2000");
    assert!(matches!(Db::open(&url, small()), Err(Error::LostGames { .. })));
}

/// How many records were acknowledged. Near the end the import waits until the server is gone, however fast
/// it is.
#[derive(Default)]
struct Acknowledged {
    records: AtomicU64,
    server_is_gone: AtomicBool,
}

impl Observer for Acknowledged {
    fn acknowledged(&self, report: &IngestReport) {
        let records = report.games + report.duplicates + report.rejects;
        self.records.store(records, Ordering::Relaxed);
        while records + 2 * BATCH > GAMES && !self.server_is_gone.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn a_server_killed_during_an_import_loses_nothing_acknowledged() {
    if !there_is_postgres("a_server_killed_during_an_import_loses_nothing_acknowledged") {
        return;
    }
    let memory = Db::in_memory(small()).unwrap();
    import(&memory, false, &()).unwrap();
    let expected = content(&memory.snapshot());
    let server = PgServer::start();
    let mut random = Random(17);
    for (round, bulk) in [(1, false), (4, true), (7, false)] {
        let url = server.new_database();
        // Nobody waits for the server to come back.
        let hasty = format!("{url}?connect_timeout=1");
        let db = Db::open(hasty, small().segment_bytes(20_000)).unwrap();
        let acknowledged = Acknowledged::default();
        let error = thread::scope(|scope| {
            let importer = scope.spawn(|| import(&db, bulk, &acknowledged));
            while acknowledged.records.load(Ordering::Relaxed) < round * BATCH && !importer.is_finished() {
                thread::sleep(Duration::from_millis(1));
            }
            // Somewhere in the middle of a later batch.
            thread::sleep(Duration::from_millis(random.below(40)));
            server.kill();
            acknowledged.server_is_gone.store(true, Ordering::Relaxed);
            importer.join().unwrap().unwrap_err()
        });
        assert!(
            matches!(fault_of(&error), Some(ServerFault::Lost | ServerFault::Unreachable)),
            "{error}: {}",
            error.way_out()
        );
        drop(db);
        server.run();
        let (said, there) = log_ends(&server, &url);
        assert_eq!(said, there, "the log ends where HEAD says: they are written in one transaction");
        let db = Db::open(&url, small().segment_bytes(20_000)).unwrap();
        assert_eq!(findings(&db), Vec::<String>::new());
        let records = db.snapshot().sources().first().map_or(0, |source| source.records);
        assert!(records >= acknowledged.records.load(Ordering::Relaxed), "{records} records");
        import(&db, bulk, &()).unwrap();
        assert_eq!(content(&db.snapshot()), expected, "every record once");
    }
}

const CHILD: &str = "BOARDPRINT_POSTGRES_CHILD";

/// Not a test of its own: the process that imports and is killed.
#[test]
fn importer() {
    let Some(url) = std::env::var_os(CHILD) else { return };
    let db = Db::open(&url, small().purpose("import").wait(Duration::from_secs(60))).unwrap();
    import(&db, false, &()).unwrap();
}

fn importer_of(url: &str) -> std::process::Child {
    let me = std::env::current_exe().unwrap();
    let mut child = Command::new(me);
    child.args(["--exact", "postgres::importer", "--nocapture"]).env(CHILD, url);
    child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn an_importer_killed_at_any_moment_leaves_whole_batches() {
    if !there_is_postgres("an_importer_killed_at_any_moment_leaves_whole_batches") {
        return;
    }
    let memory = Db::in_memory(small()).unwrap();
    import(&memory, false, &()).unwrap();
    let expected = content(&memory.snapshot());
    let server = PgServer::shared();
    let mut random = Random(11);
    let url = server.new_database();
    for _ in 0..12 {
        let mut child = importer_of(&url);
        thread::sleep(Duration::from_millis(30 + random.below(400)));
        child.kill().unwrap();
        child.wait().unwrap();
        match Db::open(&url, small().access(Access::Read)) {
            Ok(db) => {
                assert_eq!(findings(&db), Vec::<String>::new());
                let (said, there) = log_ends(server, &url);
                assert_eq!(said, there);
            }
            Err(Error::NoDatabase { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let db = Db::open(&url, small().wait(Duration::from_secs(20))).unwrap();
    import(&db, false, &()).unwrap();
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn a_second_importer_is_refused_by_name_or_waits() {
    if !there_is_postgres("a_second_importer_is_refused_by_name_or_waits") {
        return;
    }
    let server = PgServer::shared();
    let url = server.new_database();
    let one = Db::open(&url, small().purpose("import")).unwrap();
    let error = Db::open(&url, small()).err().unwrap().to_string();
    let me = format!("in use by import (process {} on ", std::process::id());
    assert!(error.contains(&me), "{error}");
    assert!(error.contains(", for ") && error.contains(", 0 games so far"), "{error}");
    assert!(Db::open(&url, small().access(Access::Read)).is_ok(), "readers do not wait");
    let waiter = thread::spawn({
        let url = url.clone();
        move || Db::open(&url, small().wait(Duration::from_secs(60))).map(drop)
    });
    filled(&one, 100, 50);
    drop(one);
    waiter.join().unwrap().unwrap();
    // Several processes import the same at once: one after the other, every record once.
    let url = server.new_database();
    let mut children: Vec<_> = (0..3).map(|_| importer_of(&url)).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let memory = Db::in_memory(small()).unwrap();
    import(&memory, false, &()).unwrap();
    let db = Db::open(&url, small()).unwrap();
    assert_eq!(content(&db.snapshot()), content(&memory.snapshot()));
}

#[test]
fn readers_see_whole_batches_while_another_process_imports() {
    if !there_is_postgres("readers_see_whole_batches_while_another_process_imports") {
        return;
    }
    for shards in [false, true] {
        let url = if shards { sharded().0 } else { PgServer::shared().new_database() };
        drop(Db::open(&url, small()).unwrap());
        let reader = Db::open(&url, small().access(Access::Read)).unwrap();
        let mut child = importer_of(&url);
        let (mut states, mut last) = (0, 0);
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let ended = child.try_wait().unwrap().is_some();
            let snapshot = reader.snapshot();
            let report = snapshot.verify(&Rules).unwrap();
            assert!(report.is_well(), "{:?}", report.findings);
            assert_eq!(report.games, snapshot.games());
            assert!(snapshot.generation() >= last);
            states += u32::from(snapshot.generation() > last);
            last = snapshot.generation();
            let log = LogReader::open(&url).unwrap();
            assert!(log.games().all(|game| game.is_ok()));
            if ended {
                break;
            }
            assert!(Instant::now() < deadline, "the import does not end");
        }
        assert!(child.wait().unwrap().success());
        assert!(states > 2, "{states} states were seen");
        let records = reader.snapshot().sources()[0].records;
        assert_eq!(records, GAMES);
    }
}

#[test]
fn lost_connections_are_made_again_for_readers_and_between_batches() {
    if !there_is_postgres("lost_connections_are_made_again_for_readers_and_between_batches") {
        return;
    }
    let server = PgServer::start();
    let url = server.new_database();
    let database = url.rsplit_once('/').unwrap().1;
    let cut = || {
        let sql =
            format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{database}'");
        server.psql("postgres", &sql);
    };
    let db = Db::open(&url, small()).unwrap();
    filled(&db, 200, 50);
    let reader = Db::open(format!("{url}?connect_timeout=4"), small().access(Access::Read)).unwrap();
    let snapshot = reader.snapshot();
    let expected = content(&snapshot);
    cut();
    assert_eq!(content(&snapshot), expected, "the same state is found again");
    server.kill();
    server.run();
    assert_eq!(content(&snapshot), expected, "also by another server");
    filled(&db, 300, 50);
    assert_eq!(reader.snapshot().next_game(), db.snapshot().next_game());
    // A snapshot whose state is gone says so; a new one answers.
    cut();
    let error = snapshot.stats().and_then(|_| snapshot.verify(&Rules).map(drop)).unwrap_err();
    assert_eq!(fault_of(&error), Some(ServerFault::Changed), "{error}");
    assert!(reader.snapshot().verify(&Rules).unwrap().is_well());
    // A writer whose place somebody else took meanwhile does not go on.
    cut();
    filled(&Db::open(&url, small()).unwrap(), 350, 50);
    let batch = batches(400, 400).next().unwrap();
    assert!(matches!(db.ingest(batch, &Rules, None), Err(Error::Failed)));
    drop(db);
    let db = Db::open(&url, small()).unwrap();
    filled(&db, 400, 50);
    assert_eq!(findings(&db), Vec::<String>::new());
    // Nobody waits forever for a server that is gone.
    server.kill();
    let error = reader.snapshot().tally(&Digest::of(b"")).unwrap_err();
    assert!(matches!(fault_of(&error), Some(ServerFault::Unreachable | ServerFault::Lost)), "{error}");
}

/// A database with two shards: the second on another server. Its address, and what keeps the servers.
fn sharded() -> (String, &'static PgServer) {
    static SECOND: std::sync::OnceLock<PgServer> = std::sync::OnceLock::new();
    let (first, second) = (PgServer::shared(), SECOND.get_or_init(PgServer::start));
    let main = first.new_database();
    let shards = [format!("{main}?schema=shard"), second.new_database()];
    make_shards(Path::new(&main), &shards).unwrap();
    (main, second)
}

#[test]
fn two_shards_and_a_coordinator_answer_as_sled_does() {
    if !there_is_postgres("two_shards_and_a_coordinator_answer_as_sled_does") {
        return;
    }
    let (url, second) = sharded();
    let folder = tempfile::tempdir().unwrap();
    let sled = Db::open(folder.path().join("db"), small()).unwrap();
    filled(&sled, 2500, 170);
    let db = Db::open(&url, small()).unwrap();
    filled(&db, 2500, 170);
    let (one, two) = (sled.snapshot(), db.snapshot());
    assert_eq!(content(&two), content(&one));
    let prefixes: Vec<Prefix> = one.export_positions().map(|item| item.unwrap().0).collect();
    let mut random = Random(3);
    for round in 0..1000 {
        let mut digest = Digest([0; 20]);
        let prefix = prefixes[usize::try_from(random.below(prefixes.len() as u64)).unwrap()];
        digest.0[..10].copy_from_slice(&prefix.0);
        if round % 10 == 9 {
            // Some that do not occur, and those at the border.
            digest.0[0] = if round % 20 == 19 { 0x80 } else { 0x7f };
            digest.0[1] = if round % 20 == 19 { 0 } else { 0xff };
        }
        let places = |snapshot: &boardprint_store::db::Snapshot| {
            let found = snapshot.lookup(&digest).unwrap();
            found.map(|posting| posting.map(|p| (p.game(), p.ply())).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(places(&two), places(&one), "{prefix}");
        assert_eq!(two.tally(&digest).unwrap(), one.tally(&digest).unwrap(), "{prefix}");
    }
    for digits in ["", "7", "8", "7f", "80", "ff"] {
        let Ok(digits) = digits.parse::<DigestPrefix>() else { continue };
        assert_eq!(two.candidates(&digits, 1000).unwrap(), one.candidates(&digits, 1000).unwrap());
    }
    assert_eq!(findings(&db), Vec::<String>::new());
    // Each holds its half, and the coordinator nothing.
    let database = url.rsplit_once('/').unwrap().1;
    let first = PgServer::shared();
    let index = "(select max(number) from boardprint.indexes)";
    assert_eq!(first.psql(database, &format!("select {index}")), "1");
    assert_eq!(first.psql(database, "select to_regclass('boardprint.postings_1') is null"), "t");
    let blocks: u64 = first.psql(database, "select count(*) from shard.postings_1").parse().unwrap();
    let high = "select count(*) from shard.postings_1 where substr(key, 5, 1) >= '\\x80'";
    assert_eq!(first.psql(database, high), "0");
    // In SQL they are one table.
    let script = fdw_script(Path::new(&url)).unwrap();
    first.psql(database, &script);
    let all: u64 = first.psql(database, "select count(*) from boardprint.all_postings").parse().unwrap();
    assert!(all > blocks + 1, "{all} blocks, {blocks} of them here");
    drop((one, two));
    let db = db.compact().unwrap();
    assert_eq!(content(&db.snapshot()), content(&sled.snapshot()));
    drop(db);
    reindex(Path::new(&url), &ReindexOptions::default(), &small(), &Rules).unwrap();
    let db = Db::open(&url, small()).unwrap();
    assert_eq!(content(&db.snapshot()), content(&sled.snapshot()));
    assert_eq!(findings(&db), Vec::<String>::new());
    // The address of a shard, and shards of what is filled, are refused.
    let shard = format!("{url}?schema=shard");
    let error = Db::open(&shard, small()).err().unwrap();
    assert_eq!(fault_of(&error), Some(ServerFault::Shard), "{error}");
    drop(db);
    let error = make_shards(Path::new(&url), &[second.new_database()]).unwrap_err();
    assert_eq!(fault_of(&error), Some(ServerFault::Occupied), "{error}");
}

#[test]
fn an_engine_with_shards_answers_as_one_in_memory() {
    if !there_is_postgres("an_engine_with_shards_answers_as_one_in_memory") {
        return;
    }
    let (url, _) = sharded();
    let sharded = PostgresEngine::scratch(&url, 1).unwrap();
    let memory = MemoryEngine::new();
    let mut random = Random(21);
    let mut key = move |most: u64| {
        let len = usize::try_from(random.below(8)).unwrap();
        let mut key = vec![0, 0, 0];
        key.push(u8::try_from(random.below(3)).unwrap());
        key.extend((0..len).map(|_| u8::try_from(random.below(most)).unwrap() * 64));
        key
    };
    for round in 0..2500_u32 {
        let tree = [Tree::Postings, Tree::Counts, Tree::GameIndex][round as usize % 3];
        let (key, from, to) = (key(4), key(4), key(4));
        let write = if round % 7 == 6 {
            Write::Delete { tree, key: key.clone() }
        } else {
            Write::Put { tree, key: key.clone(), value: round.to_be_bytes().to_vec() }
        };
        for engine in [&sharded as &dyn Engine, &memory] {
            engine.apply(vec![write.clone()]).unwrap();
        }
        assert_eq!(sharded.get(tree, &key).unwrap(), memory.get(tree, &key).unwrap());
        assert_eq!(sharded.floor(tree, &from).unwrap(), memory.floor(tree, &from).unwrap(), "{from:?}");
        for (to, limit) in [(&to[..], 3), (&[0, 0, 0, 2], 5), (&[0xff; 32], 1), (&[0xff; 32], 9)] {
            let found = sharded.scan(tree, &from, to, limit).unwrap();
            assert_eq!(found, memory.scan(tree, &from, to, limit).unwrap(), "{from:?} {to:?}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_server_is_said_with_what_helps() {
    if !there_is_postgres("what_is_wrong_with_a_server_is_said_with_what_helps") {
        return;
    }
    let server = PgServer::shared();
    let port = server.port();
    let check = |url: &str, fault: ServerFault| {
        for error in [
            Db::open(url, small()).err(),
            LogReader::open(url).err(),
            reindex(Path::new(url), &ReindexOptions::default(), &small(), &Rules).err(),
        ] {
            let error = error.unwrap();
            assert_eq!(fault_of(&error), Some(fault), "{error}");
            let text = format!("{error}; {} {error:?}", error.way_out());
            assert!(!text.contains("secret"), "{text}");
            assert!(text.contains("127.0.0.1"), "{text}");
        }
    };
    check("postgresql://postgres:secret@127.0.0.1:1/games", ServerFault::Unreachable);
    check(&format!("postgresql://nobody_here:secret@127.0.0.1:{port}/postgres"), ServerFault::Role);
    check(&format!("postgresql://postgres:secret@127.0.0.1:{port}/nowhere"), ServerFault::Database);
    let url = server.new_database();
    let database = url.rsplit_once('/').unwrap().1;
    check(
        &format!("postgresql://postgres:secret@127.0.0.1:{port}/{database}?sslmode=require"),
        ServerFault::Tls,
    );
    server.psql(
        database,
        "drop role if exists guest; create role guest login; create schema theirs; create table theirs.letters (a int); \
         create schema closed; create table closed.layout (version int)",
    );
    let error = Db::open(url.replace("postgres@", "guest@"), small()).err().unwrap();
    assert_eq!(fault_of(&error), Some(ServerFault::Denied), "{error}");
    check(
        &format!("postgresql://postgres:secret@127.0.0.1:{port}/{database}?schema=theirs"),
        ServerFault::NotOurs,
    );
    filled(&Db::open(&url, small()).unwrap(), 50, 50);
    server.psql(
        database,
        "grant usage on schema boardprint to guest; grant select on all tables in schema boardprint to guest",
    );
    let guest = url.replace("postgres@", "guest@");
    let reader = Db::open(&guest, small().access(Access::Read)).unwrap();
    assert!(reader.snapshot().verify(&Rules).unwrap().is_well(), "who may only read can read");
    let denied =
        Db::open(&guest, small()).and_then(|db| db.ingest(batches(60, 60).next().unwrap(), &Rules, None));
    assert_eq!(fault_of(&denied.unwrap_err()), Some(ServerFault::Denied));
    // Tables with our names that somebody else made.
    server.psql(
        database,
        "create schema odd; create table odd.layout as select 1 as version; create table odd.head as select 5 as text; \
         create table odd.log (a int); create table odd.indexes (a int); create table odd.shards (first int, url int)",
    );
    check(
        &format!("postgresql://postgres:secret@127.0.0.1:{port}/{database}?schema=odd"),
        ServerFault::Other,
    );
    server.psql(database, "update boardprint.layout set version = 9");
    check(&format!("postgresql://postgres:secret@127.0.0.1:{port}/{database}"), ServerFault::Layout);
    assert!(matches!(backup(Path::new("nowhere"), Path::new(&url)).err().unwrap(), Error::Server { .. }));
}

#[test]
fn parts_that_several_processes_put_in_make_one_load() {
    if !there_is_postgres("parts_that_several_processes_put_in_make_one_load") {
        return;
    }
    for cuts in [vec![0x80], vec![], vec![0x01, 0x20, 0x7f, 0x81, 0xff]] {
        let (url, _) = sharded();
        let (expected, built) = built(500);
        let db = Db::open(&url, small()).unwrap();
        let target = db.load_target(&Rules).unwrap();
        let target = LoadTarget::parse(&target.to_text()).unwrap();
        let mut bounds = vec![Prefix([0; 10])];
        bounds.extend(cuts.iter().map(|first| Prefix([*first, 0, 0, 0, 0, 0, 0, 0, 0, 0])));
        let part = |number: usize| {
            let range = (bounds[number], bounds.get(number + 1).copied());
            let inside = |prefix: Prefix| prefix >= range.0 && range.1.is_none_or(|end| prefix < end);
            let mut postings =
                built.postings.iter().filter(|posting| inside(posting.prefix())).cloned().map(Ok);
            load_part(Path::new(&url), &target, range, &mut postings).unwrap()
        };
        // Two at a time, and some tasks are done twice.
        let parts: Vec<RunPart> = thread::scope(|scope| {
            let tasks: Vec<_> = (0..bounds.len()).map(|number| scope.spawn(move || part(number))).collect();
            tasks.into_iter().map(|task| task.join().unwrap()).collect()
        });
        let again = RunPart::from_bytes(&part(0).to_bytes()).unwrap();
        assert_eq!(again, parts[0]);
        assert!(RunPart::from_bytes(&parts[0].to_bytes()[1..]).is_err());
        assert_eq!(db.snapshot().stats().unwrap().postings, 0, "nothing counts yet");
        let mut games = built.games.into_iter().map(Ok);
        db.load_built(&mut games, BuiltPostings::Parts(target, parts), built.notes, &Rules).unwrap();
        assert_alike(&db, &expected);
        // Out of its range, out of order, or of another database.
        let other = Db::open(PgServer::shared().new_database(), small()).unwrap();
        let elsewhere = other.load_target(&Rules).unwrap();
        let whole = (Prefix([0; 10]), None);
        let wrong = load_part(Path::new(&url), &elsewhere, whole, &mut std::iter::empty());
        assert!(matches!(wrong, Err(Error::OtherDatabase { .. })));
        let target = db.load_target(&Rules).unwrap();
        let late = (Prefix([0xff; 10]), None);
        let mut postings = built.postings.iter().cloned().map(Ok);
        assert!(load_part(Path::new(&url), &target, late, &mut postings).is_err());
        // What an unfinished load left is removed by the next writer.
        let mut postings = built.postings.iter().cloned().map(Ok);
        load_part(Path::new(&url), &target, whole, &mut postings).unwrap();
        drop(db);
        let db = Db::open(&url, small()).unwrap();
        db.ingest(boardprint_store::db::Batch::default(), &Rules, None).unwrap();
        assert_eq!(findings(&db), Vec::<String>::new());
    }
}
