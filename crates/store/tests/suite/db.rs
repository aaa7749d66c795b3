//! The database against a plain map, one engine against the other, one thread against two.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::{
    ByTag, Content, Home, Random, Rules, batches, content, everywhere, findings, game, numbers, plain_map,
};
use boardprint_base::{Digest, DigestPrefix};
use boardprint_games::{Record, RecordError};
use boardprint_store::db::{
    Access, Batch, Db, Engine, EngineKind, Error, Filter, Finding, GameKind, IngestOptions, IngestReport,
    Judge, LogReader, MemoryEngine, MergeOptions, NewGame, Observer, OnDuplicate, Options, Order, Origin,
    Pair, Prefix, Prepare, Question, RedbEngine, ReindexOptions, Rejected, Replay, Replayed, Side,
    SledEngine, Source, StoredGame, Tree, Verdict, VerifyOptions, WayOut, Write, backup, forget, ingest,
    merge, reindex, salvage,
};

everywhere!(
    every_position_is_found_as_in_a_plain_map,
    a_copy_that_says_more_gives_its_tags_to_the_stored_game,
    only_the_first_plies_are_indexed_if_so_asked,
    forgotten_games_are_gone_and_may_come_back,
    databases_are_put_together_as_if_imported_in_that_order,
    a_backup_holds_what_was_acknowledged_and_grows_by_what_is_new,
    large_games_and_many_sources_come_back,
    an_import_depends_on_neither_threads_nor_batches_nor_interruptions,
    an_import_that_compares_texts_loses_no_game,
    a_database_is_shared_between_threads,
);

fn small() -> Options {
    Options::default().counts_from(8).fan_in(3).memory(64 << 20)
}

fn filled(db: &Db, games: u64, size: u64) {
    for batch in batches(games, size) {
        db.ingest(batch, &Rules, None).unwrap();
    }
}

fn every_position_is_found_as_in_a_plain_map(home: &Home) {
    let db = Db::open(home.path("db"), small()).unwrap();
    filled(&db, 700, 50);
    let map = plain_map(700);
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
    assert!(snapshot.confirm(posting.game(), ply, &wanted, &Rules).unwrap().is_some());
    let mut other = wanted;
    other.0[19] ^= 1;
    assert_eq!(snapshot.lookup(&other).unwrap().count(), snapshot.lookup(&wanted).unwrap().count());
    assert!(
        snapshot.confirm(posting.game(), ply, &other, &Rules).unwrap().is_none(),
        "ten bytes agree, twenty do not"
    );
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
        for (id, ply) in &places {
            let game = snapshot.game(*id).unwrap();
            let result = boardprint_base::GameResult::ALL.iter().position(|r| *r == game.result).unwrap();
            expected.entry(game.moves.get(*ply as usize)).or_default()[result] += 1;
        }
        let tally = snapshot.tally(&digest).unwrap();
        let games: std::collections::BTreeSet<u64> = places.iter().map(|(game, _)| *game).collect();
        assert_eq!((tally.games, tally.occurrences()), (games.len() as u64, places.len() as u64), "{prefix}");
        let found: BTreeMap<_, _> =
            tally.moves.iter().map(|next| (next.next.clone(), next.results.0)).collect();
        assert_eq!(found, expected, "{prefix}");
        assert!(tally.moves.windows(2).all(|pair| pair[0].results.total() >= pair[1].results.total()));
    }
}

#[test]
fn what_is_kept_of_occurrences_stays_right_while_games_come_in() {
    let db = Db::in_memory(small()).unwrap();
    let places = plain_map(400);
    let digest = |prefix: &Prefix| {
        let mut digest = Digest([0; 20]);
        digest.0[..10].copy_from_slice(&prefix.0);
        digest
    };
    for (number, batch) in batches(400, 40).enumerate() {
        db.ingest(batch, &Rules, None).unwrap();
        if number == 5 {
            let before = db.snapshot();
            let expected = content(&before);
            assert!(db.wants_settling());
            db.settle(&Rules).unwrap();
            assert!(!db.wants_settling());
            // What was merged stays for as long as somebody reads it.
            assert!(db.sweep(&Rules).unwrap());
            assert_eq!(content(&before), expected);
            drop(before);
            assert!(!db.sweep(&Rules).unwrap());
        }
        let snapshot = db.snapshot();
        for prefix in places.keys().step_by(7) {
            let digest = digest(prefix);
            let expected = snapshot.lookup(&digest).unwrap().count() as u64;
            assert_eq!(snapshot.occurrences(&digest, &Filter::default()).unwrap(), expected, "{prefix}");
        }
    }
    let snapshot = db.snapshot();
    let all = (0..400).flat_map(|number| game(number).positions).map(|(hash, _)| hash);
    let hash = all.max_by_key(|hash| places[&Prefix::of(hash)].len()).unwrap();
    let question = Question::new(hash).games(400);
    for order in [Order::Number, Order::Date, Order::Plies] {
        let list = snapshot.answer(&question.clone().order(order), &Rules).unwrap().list;
        let mut found: Vec<(u64, u32)> =
            list.iter().flat_map(|line| line.plies.iter().map(|ply| (line.game, *ply))).collect();
        found.sort_unstable();
        assert_eq!(found, places[&Prefix::of(&hash)], "every place of a position is listed with its game");
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
fn every_engine_holds_the_same_also_reopened_settled_compacted_and_reindexed() {
    let memory = Db::in_memory(small()).unwrap();
    filled(&memory, 2000, 90);
    let expected = content(&memory.snapshot());
    for kind in EngineKind::ALL {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let db = Db::open(&path, small().engine(kind)).unwrap();
        filled(&db, 2000, 90);
        assert_eq!(content(&db.snapshot()), expected, "{kind}");
        db.close().unwrap();
        let db = Db::open(&path, small().create(false)).unwrap();
        assert_eq!(content(&db.snapshot()), expected, "{kind}");
        assert!(db.snapshot().stats().unwrap().posting_runs > 1);
        db.settle(&Rules).unwrap();
        assert_eq!(content(&db.snapshot()), expected, "{kind}");
        assert_eq!(findings(&db), Vec::<String>::new());
        assert_eq!(db.snapshot().stats().unwrap().posting_runs, 1);
        let db = db.compact().unwrap();
        assert_eq!(content(&db.snapshot()), expected, "{kind}");
        assert_eq!(findings(&db), Vec::<String>::new());
        drop(db);
        // In one piece, and in pieces that go through files.
        for (other, memory) in
            EngineKind::ALL.into_iter().flat_map(|kind| [(kind, 64 << 20), (kind, 1 << 18)])
        {
            let options = ReindexOptions { engine: Some(other), ..ReindexOptions::default() };
            let report = reindex(&path, &options, &small().memory(memory), &Rules).unwrap();
            assert_eq!(report.games, expected.games.len() as u64);
            let db = Db::open(&path, small()).unwrap();
            assert_eq!(content(&db.snapshot()), expected, "{kind} to {other}");
            assert_eq!(findings(&db), Vec::<String>::new(), "{kind} to {other}");
        }
        let db = Db::open(&path, small()).unwrap();
        filled(&db, 2000, 90);
        let after = content(&db.snapshot());
        assert_eq!(
            (&after.games, &after.positions),
            (&expected.games, &expected.positions),
            "the same again adds nothing"
        );
    }
    let memory = memory.compact().unwrap();
    assert_eq!(content(&memory.snapshot()), expected);
}

/// A key of up to six bytes; those of four or more begin with the number of a run.
fn some_key(random: &mut Random, runs: u64) -> Vec<u8> {
    let mut byte = |below| u8::try_from(random.below(below)).unwrap();
    let (run, len) = (byte(runs), byte(7));
    let mut key = vec![run; usize::from(len.min(4))];
    key.extend((4..len).map(|_| byte(4)));
    key
}

#[test]
fn engines_answer_alike() {
    let folder = tempfile::tempdir().unwrap();
    let sled = SledEngine::open(folder.path(), 1 << 20).unwrap();
    let redb = RedbEngine::open(folder.path(), 1 << 20).unwrap();
    let memory = MemoryEngine::new();
    #[cfg_attr(not(feature = "postgres"), expect(unused_mut, reason = "another engine joins them"))]
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(sled), Box::new(redb)];
    #[cfg(feature = "postgres")]
    if crate::server::there_is_postgres("engines_answer_alike") {
        let url = crate::server::PgServer::shared().new_database();
        engines.push(Box::new(boardprint_store::db::PostgresEngine::scratch(&url, 1).unwrap()));
    }
    let mut random = Random(7);
    for _ in 0..3000 {
        let key = some_key(&mut random, 4);
        let tree = Tree::ALL[usize::try_from(random.below(7)).unwrap()];
        let write = if random.below(3) == 0 {
            Write::Delete { tree, key: key.clone() }
        } else {
            let len = usize::try_from(random.below(3000)).unwrap();
            Write::Put { tree, key: key.clone(), value: vec![9; len] }
        };
        memory.apply(vec![write.clone()]).unwrap();
        let probe = some_key(&mut random, 5);
        for engine in &engines {
            engine.apply(vec![write.clone()]).unwrap();
            assert_eq!(engine.get(tree, &key).unwrap(), memory.get(tree, &key).unwrap());
            assert_eq!(engine.floor(tree, &probe).unwrap(), memory.floor(tree, &probe).unwrap());
            assert_eq!(
                engine.scan(tree, &probe, &[3; 6], 4).unwrap(),
                memory.scan(tree, &probe, &[3; 6], 4).unwrap()
            );
        }
    }
    // Runs as a whole, parts of them, several at once, none.
    let ranges: [(&[u8], &[u8]); 6] = [
        (&[1, 1, 1, 1], &[1, 1, 1, 2]),
        (&[2, 2, 2, 2, 1], &[2, 2, 2, 2, 3]),
        (&[0, 0], &[0, 0, 0, 0, 2]),
        (&[3], &[1]),
        (&[2], &[2]),
        (&[1], &[3]),
    ];
    for (tree, (from, to)) in ranges.into_iter().flat_map(|range| Tree::ALL.map(|tree| (tree, range))) {
        memory.delete_range(tree, from, to).unwrap();
        for engine in &engines {
            engine.delete_range(tree, from, to).unwrap();
            assert_eq!(
                engine.scan(tree, &[], &[9], 100).unwrap(),
                memory.scan(tree, &[], &[9], 100).unwrap()
            );
            assert_eq!(engine.floor(tree, &[9]).unwrap(), memory.floor(tree, &[9]).unwrap());
        }
    }
    for engine in &engines {
        engine.sync().unwrap();
    }
}

#[test]
fn a_snapshot_does_not_change_while_runs_are_merged() {
    let db = Db::in_memory(small()).unwrap();
    filled(&db, 400, 100);
    let before = db.snapshot();
    let expected = content(&before);
    filled(&db, 3000, 100);
    assert_eq!(content(&before), expected);
    assert!(db.snapshot().games() > before.games());
    assert!(matches!(db.compact(), Err(Error::SnapshotsOpen)));
}

#[test]
fn duplicates_are_skipped_or_kept() {
    let db = Db::in_memory(small()).unwrap();
    let ingest = |duplicates| {
        let games = vec![game(1), game(2), game(1)];
        db.ingest(Batch { games, duplicates, ..Batch::default() }, &Rules, None).unwrap()
    };
    assert_eq!(ingest(OnDuplicate::Skip).duplicates, 1);
    let again = ingest(OnDuplicate::Merge);
    assert_eq!((again.games, again.duplicates, again.merged), (0, 3, 0), "the copies say nothing new");
    let kept = ingest(OnDuplicate::Keep);
    assert_eq!((kept.first_game, kept.games, kept.duplicates), (2, 3, 0));
    assert_eq!(db.snapshot().find_game(&game(2).hash).unwrap(), Some(1));
    assert_eq!(db.snapshot().find_game(&game(3).hash).unwrap(), None);
    assert_eq!(findings(&db), Vec::<String>::new());
    let copies: Vec<(u64, u8)> = db
        .snapshot()
        .export()
        .unwrap()
        .copies()
        .map(|copy| copy.map(|copy| (copy.of, copy.confidence)).unwrap())
        .collect();
    assert_eq!(copies, [(0, 255), (0, 255), (1, 255), (0, 255)]);
}

fn tagged(number: u64, tags: &[(&str, &str)]) -> NewGame {
    let mut new = game(number);
    new.game.tags = tags.iter().copied().collect();
    new
}

fn a_copy_that_says_more_gives_its_tags_to_the_stored_game(home: &Home) {
    let path = home.path("db");
    let db = Db::open(&path, small()).unwrap();
    let add = |games: Vec<NewGame>| db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
    // Within one batch, and in later ones.
    let done = add(vec![
        tagged(1, &[("White", "?")]),
        tagged(1, &[("White", "Ann")]),
        tagged(2, &[("White", "Cem")]),
    ]);
    assert_eq!((done.games, done.duplicates, done.merged), (2, 1, 1));
    let done = add(vec![
        tagged(1, &[("Black", "Bob"), ("WhiteElo", "2500"), ("Date", "2024.05.06")]),
        tagged(2, &[]),
    ]);
    assert_eq!((done.games, done.duplicates, done.merged), (0, 2, 1));
    let check = |db: &Db| {
        let snapshot = db.snapshot();
        let stored = snapshot.game(0).unwrap();
        assert_eq!((stored.tag("White"), stored.tag("Black")), (Some("Ann"), Some("Bob")));
        let row = snapshot.row(0).unwrap();
        assert_eq!((row.white_rating, row.date), (2500, 20_240_506));
        assert_eq!(snapshot.word(row.black).unwrap().as_deref(), Some("Bob"));
        assert_eq!(snapshot.game(1).unwrap().tags.len(), 1);
        let exported: Vec<_> = snapshot.export().unwrap().games().map(|game| game.unwrap().game).collect();
        assert_eq!(exported[0], stored);
        assert_eq!(findings(db), Vec::<String>::new());
    };
    check(&db);
    drop(db);
    check(&Db::open(&path, small()).unwrap());
    reindex(&path, &ReindexOptions::default(), &small(), &Rules).unwrap();
    check(&Db::open(&path, small()).unwrap());
    check(&Db::open(&path, small()).unwrap().compact().unwrap());
}

#[test]
fn a_rule_decides_which_games_with_the_same_moves_are_one() {
    let judge = ByTag("White", 7);
    let db = Db::in_memory(small()).unwrap();
    for _ in 0..2 {
        let games = ["Ann", "Bob", "Ann", "Cem"].map(|name| tagged(5, &[("White", name)])).to_vec();
        db.ingest(Batch { games, ..Batch::default() }, &Rules, Some(&judge)).unwrap();
    }
    let names: Vec<String> =
        (0..3).map(|id| db.snapshot().game(id).unwrap().tag("White").unwrap().to_owned()).collect();
    assert_eq!(
        (db.snapshot().games(), names),
        (3, vec!["Ann".to_owned(), "Bob".to_owned(), "Cem".to_owned()])
    );
    let copies: Vec<(u64, u8)> = db
        .snapshot()
        .export()
        .unwrap()
        .copies()
        .map(|copy| copy.map(|copy| (copy.of, copy.confidence)).unwrap())
        .collect();
    assert_eq!(copies, [(0, 7), (0, 7), (1, 7), (0, 7), (2, 7)]);
}

/// Takes no two games for one.
struct Never;

impl Judge for Never {
    fn verdict(&self, _: &StoredGame, _: &StoredGame) -> Verdict {
        Verdict::Different
    }

    fn class(&self, _: &StoredGame) -> u64 {
        0
    }
}

/// Says how sure it is by a tag of the stored game.
struct Surest;

impl Judge for Surest {
    fn verdict(&self, stored: &StoredGame, _: &StoredGame) -> Verdict {
        stored.tag("Round").and_then(|round| round.parse().ok()).map_or(Verdict::Different, Verdict::Same)
    }

    fn class(&self, _: &StoredGame) -> u64 {
        0
    }
}

#[test]
fn a_copy_is_one_of_the_game_that_is_surest_to_be_it() {
    let db = Db::in_memory(small()).unwrap();
    let games = ["1", "9", "9", "3"].map(|round| tagged(5, &[("Round", round)])).to_vec();
    let keep = Batch { games, duplicates: OnDuplicate::Keep, ..Batch::default() };
    db.ingest(keep, &Rules, Some(&Surest)).unwrap();
    let copy = Batch { games: vec![tagged(5, &[("Event", "Open")])], ..Batch::default() };
    assert_eq!(db.ingest(copy, &Rules, Some(&Surest)).unwrap().merged, 1);
    let events = (0..4).filter(|id| db.snapshot().game(*id).unwrap().tag("Event").is_some());
    assert_eq!(events.collect::<Vec<u64>>(), [1]);
}

#[test]
fn of_very_many_games_with_one_hash_the_right_one_is_found() {
    // More than are compared one by one, in one batch and in several, before and after the filter is made.
    for size in [20, 800] {
        let db = Db::in_memory(small()).unwrap();
        let named = |name: u64, event: &str| tagged(5, &[("White", &name.to_string()), ("Event", event)]);
        let first = (0..400).map(|name| named(name, "?"));
        let games: Vec<NewGame> = first.chain((0..400).map(|name| named(name, "Open"))).collect();
        for games in games.chunks(size) {
            let batch = Batch { games: games.to_vec(), ..Batch::default() };
            db.ingest(batch, &Rules, Some(&ByTag("White", 255))).unwrap();
        }
        assert_eq!(db.snapshot().stats().unwrap().duplicates, 400);
        assert_eq!(db.snapshot().games(), 400);
        for id in [0, 1, 200, 399] {
            let game = db.snapshot().game(id).unwrap();
            assert_eq!((game.tag("White"), game.tag("Event")), (Some(&*id.to_string()), Some("Open")));
        }
        assert_eq!(findings(&db), Vec::<String>::new());
    }
}

/// An engine that fails when the state of the index is to be written, once it is told to.
struct Interrupted(MemoryEngine, AtomicBool);

impl Engine for Interrupted {
    fn apply(&self, writes: Vec<Write>) -> boardprint_store::db::Result<()> {
        let is_state = |write: &Write| matches!(write, Write::Put { tree: Tree::Meta, .. });
        if self.1.load(Ordering::Relaxed) && writes.iter().any(is_state) {
            return Err(Error::Engine("interrupted".to_owned()));
        }
        self.0.apply(writes)
    }

    fn get(&self, tree: Tree, key: &[u8]) -> boardprint_store::db::Result<Option<Vec<u8>>> {
        self.0.get(tree, key)
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> boardprint_store::db::Result<Option<Pair>> {
        self.0.floor(tree, key)
    }

    fn scan(
        &self,
        tree: Tree,
        from: &[u8],
        to: &[u8],
        limit: usize,
    ) -> boardprint_store::db::Result<Vec<Pair>> {
        self.0.scan(tree, from, to, limit)
    }

    fn sync(&self) -> boardprint_store::db::Result<()> {
        self.0.sync()
    }

    fn disk_size(&self) -> boardprint_store::db::Result<u64> {
        self.0.disk_size()
    }
}

#[test]
fn tags_of_a_batch_that_was_interrupted_are_no_damage() {
    let engine = Arc::new(Interrupted(MemoryEngine::new(), AtomicBool::new(false)));
    let db = Db::with_engine(Arc::clone(&engine) as Arc<dyn Engine>, small()).unwrap();
    filled(&db, 300, 50);
    engine.1.store(true, Ordering::Relaxed);
    let tags = [("White", "Somebody new"), ("BlackElo", "2501"), ("Annotator", "Ann")];
    let games = (0..40).map(|number| tagged(number, &tags)).collect();
    assert!(db.ingest(Batch { games, ..Batch::default() }, &Rules, None).is_err());
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn a_game_that_gets_many_tags_in_a_batch_has_them_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(folder.path().join("db"), small()).unwrap();
    let games = (0..500).map(|n| tagged(5, &[(&format!("Note{n}"), "yes")])).collect();
    let done = db.ingest(Batch { games, ..Batch::default() }, &Rules, None).unwrap();
    assert_eq!((done.games, done.duplicates, done.merged), (1, 499, 499));
    assert_eq!(db.snapshot().game(0).unwrap().tags.len(), 500);
    assert_eq!(findings(&db), Vec::<String>::new());
    let log = std::fs::metadata(folder.path().join("db/games/00000001.log")).unwrap().len();
    assert!(log < 40_000, "{log} bytes");
}

#[test]
fn filters_and_answers_agree_with_the_games() {
    let db = Db::in_memory(small()).unwrap();
    filled(&db, 400, 57);
    let snapshot = db.snapshot();
    let start = Digest::of(b"");
    let filters = [
        Filter::default(),
        Filter { player: Some("PLAYER 3".to_owned()), ..Filter::default() },
        Filter { player: Some("player 1".to_owned()), side: Some(Side::Black), ..Filter::default() },
        Filter { since: Some(20_100_000), until: Some(20_150_000), ..Filter::default() },
        Filter {
            result: Some(boardprint_base::GameResult::Draw),
            min_rating: Some(2000),
            ..Filter::default()
        },
        Filter { source: Some("nowhere".to_owned()), ..Filter::default() },
        Filter { laws: Some("koth".to_owned()), ..Filter::default() },
        Filter { laws: Some(String::new()), player: Some("Player 10".to_owned()), ..Filter::default() },
    ];
    let passes = |filter: &Filter, game: &StoredGame| {
        let date = boardprint_store::db::date(game.tag("Date").unwrap());
        filter.player.as_ref().is_none_or(|name| {
            filter.side != Some(Side::Black)
                && game.tag("White").unwrap().to_lowercase().contains(&name.to_lowercase())
        }) && filter.since.is_none_or(|since| date >= since)
            && filter.until.is_none_or(|until| date <= until + 1231)
            && filter.result.is_none_or(|result| game.result == result)
            && filter
                .min_rating
                .is_none_or(|rating| game.tag("WhiteElo").unwrap().parse::<u16>().unwrap() >= rating)
            && filter.source.is_none()
            && filter.laws.as_ref().is_none_or(|laws| {
                game.kind == GameKind::Infinite && Rules.laws(game).unwrap_or_default() == *laws
            })
    };
    let infinite = Digest::of(b"K0,0|k5,9");
    for (hash, filter) in
        [start, infinite].into_iter().flat_map(|hash| filters.iter().map(move |filter| (hash, filter)))
    {
        let mut expected = Vec::new();
        for id in 0..snapshot.next_game() {
            let game = snapshot.game(id).unwrap();
            if passes(filter, &game) && Rules.hashes(&game).unwrap().iter().any(|(found, _)| *found == hash) {
                expected.push((id, game));
            }
        }
        let tally = snapshot.tally_filtered(&hash, filter).unwrap();
        assert_eq!(tally.games, expected.len() as u64, "{filter:?}");
        for order in [Order::Number, Order::Rating, Order::Date, Order::Plies] {
            let key = |game: &StoredGame| match order {
                Order::Number => 0,
                Order::Rating => u32::MAX - game.tag("WhiteElo").unwrap().parse::<u32>().unwrap(),
                Order::Date => u32::MAX - boardprint_store::db::date(game.tag("Date").unwrap()),
                Order::Plies => u32::MAX - u32::try_from(game.moves.len()).unwrap(),
            };
            expected.sort_by_key(|(id, game)| (key(game), *id));
            let (mut found, mut cursor) = (Vec::new(), None);
            loop {
                let question = Question::new(hash)
                    .filter(filter.clone())
                    .order(order)
                    .games(17)
                    .after(cursor)
                    .ratings(true);
                let answer = snapshot.answer(&question, &Rules).unwrap();
                assert_eq!((answer.games, answer.occurrences), (tally.games, tally.occurrences()));
                assert_eq!(answer.witness.as_ref().map(|witness| Digest::of(&witness.text)), Some(hash));
                let moves: u64 = answer.moves.iter().map(boardprint_store::db::MoveLine::count).sum();
                assert_eq!(moves, answer.occurrences);
                for line in answer.moves.iter().take(3).filter(|line| line.next.is_some()) {
                    let game = snapshot.game(line.first.0).unwrap();
                    let hashes = Rules.hashes(&game).unwrap();
                    let after = hashes[line.first.1 as usize + 1].0;
                    let reached = snapshot.tally_filtered(&after, filter).unwrap().occurrences();
                    let found = snapshot.after_move(line, filter, &Rules).unwrap();
                    assert_eq!(found, Some((after, reached)));
                }
                found.extend(answer.list.iter().map(|line| line.game));
                cursor = answer.next.map(|cursor| cursor.to_string().parse().unwrap());
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected.iter().map(|(id, _)| *id).collect::<Vec<_>>(), "{order:?} {filter:?}");
        }
    }
    let mut other = start;
    other.0[19] ^= 1;
    let answer = snapshot.answer(&Question::new(other), &Rules).unwrap();
    assert!(answer.witness.is_none() && answer.occurrences == 0, "ten bytes agree, twenty do not");
}

fn only_the_first_plies_are_indexed_if_so_asked(home: &Home) {
    let path = home.path("db");
    let db = Db::open(&path, small().max_ply(Some(4))).unwrap();
    filled(&db, 300, 70);
    assert_eq!(findings(&db), Vec::<String>::new());
    let expected: u64 = (0..db.snapshot().next_game())
        .map(|id| (db.snapshot().game(id).unwrap().moves.len() as u64 + 1).min(5))
        .sum();
    assert_eq!(db.snapshot().stats().unwrap().postings, expected);
    drop(db);
    let all = ReindexOptions { max_ply: Some(None), ..ReindexOptions::default() };
    let report = reindex(&path, &all, &small(), &Rules).unwrap();
    assert!(report.postings > expected);
}

fn forgotten_games_are_gone_and_may_come_back(home: &Home) {
    let path = home.path("db");
    let db = Db::open(&path, small()).unwrap();
    filled(&db, 200, 50);
    let gone = db.snapshot().game(3).unwrap();
    let games = db.snapshot().games();
    let hash = Digest::of(&Rules.identity(&gone).unwrap());
    drop(db);
    let options = ReindexOptions::default();
    forget(&path, &[3, 5], &[], &options, &small(), &Rules).unwrap();
    let db = Db::open(&path, small()).unwrap();
    assert_eq!(db.snapshot().games(), games - 2);
    assert!(matches!(db.snapshot().game(3), Err(Error::Missing { id: 3, .. })));
    assert_eq!(db.snapshot().find_game(&hash).unwrap(), None);
    assert!(db.snapshot().export().unwrap().games().all(|game| ![3, 5].contains(&game.unwrap().id)));
    assert_eq!(findings(&db), Vec::<String>::new());
    let back = NewGame { hash, positions: Rules.hashes(&gone).unwrap(), laws: None, game: (*gone).clone() };
    assert_eq!(db.ingest(Batch { games: vec![back], ..Batch::default() }, &Rules, None).unwrap().games, 1);
    assert_eq!(findings(&db), Vec::<String>::new());
    drop(db);
    forget(&path, &[], &["made up".to_owned()], &options, &small(), &Rules).unwrap();
    let db = Db::open(&path, small()).unwrap();
    assert_eq!(db.snapshot().games(), 0);
    filled(&db, 200, 50);
    assert_eq!(db.snapshot().games(), games, "a source may be read again");
    assert_eq!(findings(&db), Vec::<String>::new());
    assert!(forget(&home.path("nowhere"), &[1], &[], &options, &small(), &Rules).is_err());
}

fn databases_are_put_together_as_if_imported_in_that_order(home: &Home) {
    let paths = ["a", "b"].map(|name| home.path(name));
    for (path, count) in paths.iter().zip([400, 700]) {
        filled(&Db::open(path, small()).unwrap(), count, 60);
    }
    let reference = Db::in_memory(small()).unwrap();
    filled(&reference, 400, 60);
    filled(&reference, 700, 60);
    let both = Db::open(home.path("both"), small()).unwrap();
    merge(&both, &paths, &MergeOptions::default(), &Rules, None).unwrap();
    let (found, expected) = (content(&both.snapshot()), content(&reference.snapshot()));
    let bare = |games: &[(u64, StoredGame)]| {
        games.iter().map(|(id, game)| (*id, game.tags.clone(), game.moves.clone())).collect::<Vec<_>>()
    };
    assert_eq!((bare(&found.games), &found.positions), (bare(&expected.games), &expected.positions));
    assert_eq!(found.sources, expected.sources);
    assert_eq!(findings(&both), Vec::<String>::new());
}

#[test]
fn the_copies_that_a_database_noted_come_along_when_it_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    let source =
        |name: &str| Source { path: name.into(), stamp: Digest::of(name.as_bytes()), offset: 9, records: 9 };
    let placed = |number: u64, file: u32, record: u64| {
        let mut new = game(number);
        new.game.source = Origin { file, offset: record, record };
        new
    };
    let games = vec![placed(1, 0, 1), placed(2, 0, 2), placed(1, 1, 3), placed(2, 1, 4), placed(1, 1, 5)];
    let sources = vec![source("first"), source("second")];
    Db::open(&path, small())
        .unwrap()
        .ingest(Batch { games, sources, ..Batch::default() }, &Rules, None)
        .unwrap();
    let noted = |db: &Db| -> Vec<(u64, u32, u64)> {
        let notes = db.snapshot().export().unwrap().copies().map(|note| note.unwrap());
        notes.map(|note| (note.of, note.place.file, note.place.record)).collect()
    };
    let both = Db::open(folder.path().join("both"), small()).unwrap();
    // Game 2 is there already, from a file of another name.
    let other = Batch { games: vec![placed(2, 0, 7)], sources: vec![source("other")], ..Batch::default() };
    both.ingest(other, &Rules, None).unwrap();
    let done = merge(&both, std::slice::from_ref(&path), &MergeOptions::default(), &Rules, None).unwrap();
    assert_eq!((done.games, done.duplicates), (1, 1));
    // Game 1 is number 1 here, game 2 number 0; the files are numbered after the one that was there.
    assert_eq!(noted(&both), [(1, 2, 3), (1, 2, 5), (0, 2, 4), (0, 1, 2)]);
    assert_eq!(both.snapshot().stats().unwrap().duplicates, 4);
    // Merged once more, the same records are met again: none is a game, and none is noted twice.
    let done = merge(&both, &[path], &MergeOptions::default(), &Rules, Some(&Never)).unwrap();
    assert_eq!((done.games, done.duplicates), (1, 1));
    assert_eq!(noted(&both).len(), 4);
    assert_eq!(both.snapshot().stats().unwrap().duplicates, 4);
    assert_eq!(findings(&both), Vec::<String>::new());
}

#[test]
fn a_merge_does_not_forget_how_far_a_file_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let source = |records: u64| Source {
        path: "file".into(),
        stamp: Digest::of(b"file"),
        offset: 10 * records,
        records,
    };
    let read = |name: &str, records: u64| {
        let db = Db::open(path(name), small()).unwrap();
        let games = (1..=records).map(|record| {
            let mut new = game(record);
            new.game.source = Origin { file: 0, offset: 10 * record, record };
            new
        });
        let batch = Batch { games: games.collect(), sources: vec![source(records)], ..Batch::default() };
        db.ingest(batch, &Rules, None).unwrap();
        db
    };
    let (less, more) = (read("less", 5), read("more", 9));
    for (db, other) in [(&more, "less"), (&less, "more")] {
        merge(db, &[path(other)], &MergeOptions::default(), &Rules, None).unwrap();
        assert_eq!(db.snapshot().sources(), [source(9)], "with {other}");
        assert_eq!(findings(db), Vec::<String>::new());
    }
}

#[test]
fn a_check_and_a_new_index_say_how_far_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let db = Db::open(&path, small()).unwrap();
    filled(&db, 300, 60);
    let stats = db.snapshot().stats().unwrap();
    let positions = Arc::new(AtomicU64::new(0));
    let options = VerifyOptions::default().progress(Arc::clone(&positions));
    assert!(db.snapshot().verify_with(&Rules, &options).unwrap().is_well());
    assert_eq!(positions.load(Ordering::Relaxed), 2 * stats.postings);
    db.close().unwrap();
    let games = Arc::new(AtomicU64::new(0));
    reindex(&path, &ReindexOptions::default(), &small().progress(Arc::clone(&games)), &Rules).unwrap();
    assert_eq!(games.load(Ordering::Relaxed), stats.games);
}

fn a_backup_holds_what_was_acknowledged_and_grows_by_what_is_new(home: &Home) {
    let (path, copy) = (home.path("db"), home.folder().join("copy"));
    let db = Db::open(&path, small().segment_bytes(20_000)).unwrap();
    filled(&db, 500, 60);
    let first = backup(&path, &copy).unwrap();
    assert_eq!((first.copied, first.games), (first.bytes, db.snapshot().games()));
    assert_eq!(backup(&path, &copy).unwrap().copied, 0);
    filled(&db, 900, 60);
    let second = backup(&path, &copy).unwrap();
    assert_eq!(second.copied, second.bytes - first.bytes);
    let expected = content(&db.snapshot());
    // The copy is read at once, and opened after its index is built.
    let read = LogReader::open(&copy).unwrap();
    assert!(
        read.games()
            .map(|game| (*game.unwrap().game).clone())
            .eq(expected.games.iter().map(|(_, game)| game.clone()))
    );
    let error = Db::open(&copy, small()).err().unwrap();
    assert_eq!(error.way_out(), WayOut::Reindex, "{error}");
    reindex(&copy, &ReindexOptions::default(), &small(), &Rules).unwrap();
    let restored = Db::open(&copy, small()).unwrap();
    assert_eq!(content(&restored.snapshot()), expected);
    // A copy that went its own way is not written over.
    filled(&restored, 1000, 1000);
    drop(restored);
    filled(&db, 1100, 1100);
    assert!(backup(&path, &copy).is_err());
    let other = home.path("other");
    filled(&Db::open(&other, small()).unwrap(), 10, 10);
    let error = backup(&other, &copy).unwrap_err();
    assert!(
        matches!(error, Error::OtherDatabase { .. }) && error.way_out() == WayOut::OtherFolder,
        "{error}"
    );
}

#[test]
fn what_can_be_read_of_a_damaged_log_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let db = Db::open(&path, small().segment_bytes(20_000)).unwrap();
    filled(&db, 900, 60);
    let games = content(&db.snapshot()).games;
    drop(db);
    let segment = path.join("games/00000001.log");
    let mut bytes = std::fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 10].fill(0x55);
    std::fs::write(&segment, bytes).unwrap();
    let db = Db::open(&path, small()).unwrap();
    let report = db.snapshot().verify(&Rules).unwrap();
    assert!(
        report.findings.iter().any(|finding| finding.to_string().contains("00000001.log at byte ")),
        "{:?}",
        report.findings
    );
    drop(db);
    let error = reindex(&path, &ReindexOptions::default(), &small(), &Rules).unwrap_err();
    assert_eq!(error.way_out(), WayOut::Salvage, "{error}");
    let saved = folder.path().join("saved");
    let report = salvage(&path, &saved, &small(), &Rules).unwrap();
    assert!(report.games < games.len() as u64 && report.games + 40 > games.len() as u64, "{report:?}");
    assert_eq!(report.games + report.missing_games, games.len() as u64);
    assert_eq!(report.missing.len(), 1, "{report:?}");
    let db = Db::open(&saved, small()).unwrap();
    assert_eq!(findings(&db), Vec::<String>::new());
    let all: Vec<_> = games.into_iter().map(|(_, game)| game).collect();
    assert!(content(&db.snapshot()).games.iter().all(|(_, game)| all.contains(game)));
    drop(db);
    // What is missing at the end is known from HEAD.
    let last =
        std::fs::read_dir(path.join("games")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    std::fs::write(&last, []).unwrap();
    let less = salvage(&path, &folder.path().join("less"), &small(), &Rules).unwrap();
    assert!(less.games < report.games);
    assert_eq!(less.games + less.missing_games, all.len() as u64);
    std::fs::remove_dir_all(path.join("games")).unwrap();
    let error = salvage(&path, &folder.path().join("none"), &small(), &Rules).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

#[test]
fn what_a_salvage_lost_comes_back_from_its_sources() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let options = IngestOptions::default().batch_games(40).bulk(false);
    let db = Db::open(&path, small()).unwrap();
    imported(&db, 600, &options, &Notes::default());
    let all = content(&db.snapshot());
    let head = all.games.len() as u64;
    drop(db);
    // What is whole is known to be read.
    let whole = folder.path().join("whole");
    assert_eq!(salvage(&path, &whole, &small(), &Rules).unwrap().games, head);
    let again = imported(&Db::open(&whole, small()).unwrap(), 600, &options, &Notes::default());
    assert_eq!((again.games, again.duplicates, again.known), (0, 0, 900));
    let segment = path.join("games/00000001.log");
    let bytes = std::fs::read(&segment).unwrap();
    // Games in the middle; the end, where the last batches say what the second file is.
    for (name, harmed) in
        [("middle", bytes.len() / 2..bytes.len() / 2 + 9), ("end", bytes.len() - 60..bytes.len())]
    {
        let mut bytes = bytes.clone();
        bytes[harmed].iter_mut().for_each(|byte| *byte ^= 0x55);
        std::fs::write(&segment, bytes).unwrap();
        let saved = folder.path().join(name);
        let report = salvage(&path, &saved, &small(), &Rules).unwrap();
        assert!(!report.missing.is_empty(), "{name}: {report:?}");
        let db = Db::open(&saved, small()).unwrap();
        assert_eq!(findings(&db), Vec::<String>::new(), "{name}");
        let again = imported(&db, 600, &options, &Notes::default());
        assert_eq!((again.known, again.games), (0, head - report.games), "{name}");
        assert_eq!(findings(&db), Vec::<String>::new(), "{name}");
        let sorted = |content: Content| {
            let mut games: Vec<String> = content
                .games
                .into_iter()
                .map(|(_, game)| format!("{:?} {:?}", game.moves, game.start))
                .collect();
            games.sort();
            games
        };
        assert_eq!(sorted(content(&db.snapshot())), sorted(all.clone()), "{name}");
    }
}

#[test]
fn sources_that_nothing_names_any_more_are_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let db = Db::open(&path, small()).unwrap();
    let options = IngestOptions::default().bulk(false);
    let stop = AtomicBool::new(false);
    for file in ["a", "b"] {
        let reader = numbers(&[(file, if file == "a" { 40 } else { 80 })]);
        ingest(&db, reader, &Rules, None, &options, &(), &stop).unwrap();
    }
    drop(db);
    let segment = path.join("games/00000001.log");
    let mut bytes = std::fs::read(&segment).unwrap();
    let end = bytes.len();
    bytes[end - 1] ^= 1;
    std::fs::write(&segment, bytes).unwrap();
    let saved = folder.path().join("saved");
    salvage(&path, &saved, &small(), &Rules).unwrap();
    let db = Db::open(&saved, small()).unwrap();
    assert_eq!(findings(&db), Vec::<String>::new());
    // The next file is not taken for the one whose name is lost.
    ingest(&db, numbers(&[("c", 90)]), &Rules, None, &options, &(), &stop).unwrap();
    let names: Vec<String> =
        content(&db.snapshot()).sources.iter().map(|source| source.path.to_string()).collect();
    assert_eq!(names, ["a", "unknown-1", "c"]);
}

#[test]
fn an_interrupted_backup_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("db"), folder.path().join("copy"));
    let db = Db::open(&path, small().segment_bytes(20_000)).unwrap();
    filled(&db, 900, 60);
    // A second segment that cannot be read ends the backup in its middle.
    let second = path.join("games/00000002.log");
    let bytes = std::fs::read(&second).unwrap();
    std::fs::write(&second, "boardprint").unwrap();
    backup(&path, &copy).unwrap_err();
    assert!(copy.join("games/00000001.log").exists());
    assert_eq!(LogReader::open(&copy).unwrap().games().count(), 0, "nothing is said to be there");
    std::fs::write(&second, bytes).unwrap();
    let report = backup(&path, &copy).unwrap();
    assert_eq!(report.games, db.snapshot().games());
    drop(db);
    let games = |path| LogReader::open(path).unwrap().games().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(games(&path), games(&copy));
}

#[test]
fn damage_is_not_backed_up() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("db"), folder.path().join("copy"));
    let db = Db::open(&path, small().segment_bytes(20_000)).unwrap();
    filled(&db, 500, 60);
    backup(&path, &copy).unwrap();
    let kept = std::fs::read(copy.join("HEAD")).unwrap();
    let before = std::fs::metadata(path.join("games/00000001.log")).unwrap().len();
    filled(&db, 1500, 60);
    drop(db);
    let last =
        std::fs::read_dir(path.join("games")).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    assert!(!last.ends_with("00000001.log") && before > 0);
    let mut bytes = std::fs::read(&last).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&last, bytes).unwrap();
    let error = backup(&path, &copy).unwrap_err();
    assert!(matches!(error, Error::DamagedLog { .. }) && error.way_out() == WayOut::Salvage, "{error}");
    // The copy is what it was.
    assert_eq!(std::fs::read(copy.join("HEAD")).unwrap(), kept);
    assert!(LogReader::open(&copy).unwrap().games().all(|game| game.is_ok()));
    assert!(backup(&path, &folder.path().join("new")).is_err());
}

#[test]
fn readers_of_redb_share_a_database_and_those_of_sled_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let read = || small().access(Access::Read);
    filled(&Db::open(&path, small().engine(EngineKind::Redb)).unwrap(), 100, 50);
    let (one, two) = (Db::open(&path, read()).unwrap(), Db::open(&path, read()).unwrap());
    assert_eq!(content(&one.snapshot()), content(&two.snapshot()));
    assert!(matches!(one.ingest(Batch::default(), &Rules, None), Err(Error::ReadOnly)));
    assert!(matches!(Db::open(&path, small()), Err(Error::InUse { .. })), "no writer beside readers");
    drop((one, two));
    let options = ReindexOptions { engine: Some(EngineKind::Sled), ..ReindexOptions::default() };
    reindex(&path, &options, &small(), &Rules).unwrap();
    let one = Db::open(&path, read().purpose("lookup")).unwrap();
    let error = Db::open(&path, read()).err().unwrap();
    assert!(error.to_string().contains("in use by lookup (process "), "{error}");
    assert!(error.to_string().ends_with(" games so far"), "{error}");
    let waiter = std::thread::spawn({
        let path = path.clone();
        move || {
            Db::open(&path, small().access(Access::Read).wait(std::time::Duration::from_secs(30)))
                .map(|db| db.snapshot().games())
        }
    });
    let games = one.snapshot().games();
    drop(one);
    assert_eq!(waiter.join().unwrap().unwrap(), games);
    assert!(LogReader::open(&path).unwrap().games().count() as u64 == games);
}

fn large_games_and_many_sources_come_back(home: &Home) {
    let path = home.path("db");
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
    db.ingest(batch, &Rules, None).unwrap();
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
    assert!(matches!(Db::open(&path, small().access(Access::Read)), Err(Error::NoDatabase { .. })));
    let db = Db::open(&path, small()).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::InUse { .. })));
    drop(db);
    assert!(matches!(Db::open(&path, small().profile("other")), Err(Error::OtherProfile { .. })));
    let head = std::fs::read_to_string(path.join("HEAD")).unwrap();
    let body = head.replace("format 2", "format 9");
    let body = body.rsplit_once("check ").unwrap().0;
    let newer = format!("{body}check {:08x}\n", crc32fast::hash(body.as_bytes()));
    std::fs::write(path.join("HEAD"), newer).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::OtherFormat { found: 9, known: 2 })));
    std::fs::write(path.join("HEAD"), head.replace("index 1", "index 2")).unwrap();
    assert!(matches!(Db::open(&path, small()), Err(Error::HeadUnreadable { .. })));
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
        self.rejected.lock().unwrap().push((rejected.record, rejected.reason.to_string()));
        Ok(())
    }

    fn acknowledged(&self, report: &IngestReport) {
        if self.stop_after.is_some_and(|games| report.games >= games) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What the tests of imports read.
fn two_files(games: u64) -> boardprint_records::Reader {
    numbers(&[("a", games), ("b", games / 2)])
}

fn imported(db: &Db, games: u64, options: &IngestOptions, notes: &Notes) -> IngestReport {
    ingest(db, two_files(games), &Rules, None, options, notes, &notes.stop).unwrap()
}

fn an_import_depends_on_neither_threads_nor_batches_nor_interruptions(home: &Home) {
    let games = home.amount(3000);
    let reference = Db::in_memory(small()).unwrap();
    let notes = Notes::default();
    let report = imported(&reference, games, &IngestOptions::default().threads(1), &notes);
    assert_eq!((report.rejects, report.stopped), (games / 101 + games / 2 / 101, false));
    assert_eq!(notes.rejected.lock().unwrap()[0], (101, "the game has only 100 half-moves".to_owned()));
    assert_eq!(report.games + report.duplicates + report.rejects, games * 3 / 2);
    let expected = content(&reference.snapshot());
    assert_eq!(findings(&reference), Vec::<String>::new());

    for (threads, bulk) in [(1, false), (2, false), (2, true)] {
        let path = home.path(&format!("db-{threads}-{bulk}"));
        let batch = usize::try_from(games / 18).unwrap();
        let options = IngestOptions::default().threads(threads).batch_games(batch).bulk(bulk);
        let mut rounds = 0;
        loop {
            let db = Db::open(&path, small()).unwrap();
            let notes = Notes { stop_after: Some(games / 5), ..Notes::default() };
            let report = imported(&db, games, &options, &notes);
            assert_eq!(findings(&db), Vec::<String>::new());
            rounds += 1;
            if !report.stopped {
                assert_eq!(content(&db.snapshot()), expected, "{threads} threads, bulk {bulk}");
                let again = imported(&db, games, &options, &Notes::default());
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

fn a_database_is_shared_between_threads(home: &Home) {
    fn shared<T: Send + Sync>(_: &T) {}
    let db = Arc::new(Db::open(home.path("db"), small()).unwrap());
    shared(&db);
    shared(&db.snapshot());
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| filled(&db, 2000, 50));
        while !writer.is_finished() {
            let snapshot = db.snapshot();
            let report = snapshot.verify(&Rules).unwrap();
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
        let Replayed { hash, positions, laws } = self.replay(&new.game).unwrap();
        NewGame { game: new.game, hash, positions, laws }
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
    fn prepare(&self, record: &Record) -> Result<NewGame, RecordError> {
        Rules.prepare(record).map(|new| self.renamed(new))
    }
}

fn an_import_that_compares_texts_loses_no_game(home: &Home) {
    let total = home.amount(3000);
    let broken = Broken { games: true, positions: false };
    let import = |db: &Db, prepare: &dyn Prepare, options: &IngestOptions, stop_after: Option<u64>| {
        let notes = Notes { stop_after, ..Notes::default() };
        ingest(db, two_files(total), prepare, None, options, &notes, &notes.stop).unwrap()
    };
    let reference = Db::in_memory(small()).unwrap();
    let sums = import(&reference, &Rules, &IngestOptions::default().paranoid(true), None);
    assert_eq!(sums.collisions, 0, "honest games have no collisions");
    let expected = content(&reference.snapshot());
    let careless = Db::in_memory(small()).unwrap();
    let lost = import(&careless, &broken, &IngestOptions::default(), None);
    assert!(lost.games < sums.games - total / 30, "{lost:?}");

    for (threads, batch, bulk) in [(1, 50_000, false), (2, 170, false), (2, 170, true)] {
        let path = home.path(&format!("db-{threads}-{bulk}"));
        let options = IngestOptions::default().paranoid(true).threads(threads).batch_games(batch).bulk(bulk);
        let mut collisions = 0;
        loop {
            let db = Db::open(&path, small()).unwrap();
            let report = import(&db, &broken, &options, Some(total / 5));
            collisions += report.collisions;
            if report.stopped {
                continue;
            }
            assert_eq!(content(&db.snapshot()), expected, "{threads} threads, bulk {bulk}");
            // Sixteen hashes are taken first by one game each.
            assert!(collisions > total / 30, "{collisions}");
            let found = db.snapshot().verify(&broken).unwrap().findings;
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
    db.ingest(Batch { games, duplicates: OnDuplicate::Keep, ..Batch::default() }, &Rules, None).unwrap();
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn different_positions_under_one_prefix_are_found() {
    let broken = Broken { games: false, positions: true };
    let db = Db::in_memory(small()).unwrap();
    for mut batch in batches(1000, 90) {
        batch.games = batch.games.into_iter().map(|new| broken.renamed(new)).collect();
        db.ingest(batch, &broken, None).unwrap();
    }
    let mut texts: BTreeMap<Prefix, std::collections::BTreeSet<Vec<u8>>> = BTreeMap::new();
    let log = db.snapshot().export().unwrap();
    for item in log.games() {
        let note = &mut |text: &[u8]| {
            texts.entry(Prefix::of(&broken.hash(text))).or_default().insert(text.to_vec());
        };
        broken.positions(&item.unwrap().game, note).unwrap();
    }
    let collisions = VerifyOptions::default().collisions(true);
    let report = db.snapshot().verify_with(&broken, &collisions).unwrap();
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
        let options = collisions.clone().positions(positions).folder(folder.path());
        let in_files = db.snapshot().verify_with(&broken, &options).unwrap();
        assert_eq!(format!("{:?}", in_files.findings), format!("{:?}", report.findings), "{positions}");
    }
}

#[test]
fn positions_that_cannot_be_kept_in_a_file_are_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let missing = VerifyOptions::default().collisions(true).folder(folder.path().join("missing"));
    // A large game in front lets the first games be replayed before the last are read.
    for extra in [0, 9 << 20] {
        let db = Db::in_memory(small()).unwrap();
        for mut batch in batches(200, 50) {
            batch.games[0].game.extra = vec![0; extra].into();
            db.ingest(batch, &Rules, None).unwrap();
        }
        // With room for all of them no file is needed.
        assert!(db.snapshot().verify_with(&Rules, &missing).unwrap().is_well());
        let error = db.snapshot().verify_with(&Rules, &missing.clone().positions(50)).unwrap_err();
        assert!(!error.is_damage());
        assert!(error.to_string().starts_with("cannot keep positions in a temporary file in "), "{error}");
    }
}
