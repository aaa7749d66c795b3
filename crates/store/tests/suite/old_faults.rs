//! What went wrong in version 0.1, example by example, and databases made by it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{batches, content, findings};
use boardprint_base::Digest;
use boardprint_games::Profile;
use boardprint_store::db::{
    Access, Batch, Db, EngineKind, Error, Indexing, LogReader, Options, Question, ReindexOptions, Snapshot,
    WayOut, backup, reindex, salvage,
};
use boardprint_store::games::Rules;

/// What is done to a HEAD.
type Harm = (&'static str, fn(&Path));

fn small() -> Options {
    Options::default().counts_from(8).fan_in(3).memory(32 << 20)
}

fn filled(path: &Path, games: u64) {
    let db = Db::open(path, small()).unwrap();
    for batch in batches(games, 30) {
        db.ingest(batch, &crate::common::Rules, None).unwrap();
    }
}

fn opened(path: &Path) -> Error {
    Db::open(path, small()).err().expect("it must not open")
}

#[test]
fn a_snapshot_of_sled_that_a_kill_left_half_written_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    filled(&path, 100);
    fs::write(path.join("index-1/snap.FFFFFFFFFFFFFFFF.generating"), b"half").unwrap();
    let db = Db::open(&path, small()).unwrap();
    assert_eq!(findings(&db), Vec::<String>::new());
}

#[test]
fn folders_of_others_are_never_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    fs::create_dir_all(mine.join("data-2024")).unwrap();
    fs::write(mine.join("data-2024/letter"), b"Dear").unwrap();
    assert!(matches!(opened(&mine), Error::NotADatabase { .. }));
    assert!(mine.join("data-2024/letter").exists());

    // A folder of games is not a log of games, and gets nothing of ours.
    let games = folder.path().join("chess");
    fs::create_dir_all(games.join("games")).unwrap();
    fs::write(games.join("games/club.pgn"), b"1. e4 *").unwrap();
    assert!(matches!(opened(&games), Error::NotADatabase { .. }));
    let refused = reindex(&games, &ReindexOptions::default(), &small(), &crate::common::Rules);
    assert!(matches!(refused, Err(Error::NotADatabase { .. })));
    assert_eq!(fs::read_dir(&games).unwrap().count(), 1);

    let path = folder.path().join("db");
    filled(&path, 60);
    let strangers = ["data-1.bak", "index-7", "index-8", "games/old", "index-1.bak"];
    for name in strangers {
        fs::create_dir_all(path.join(name)).unwrap();
        fs::write(path.join(name).join("letter"), b"Dear").unwrap();
    }
    // An index of another database in our scheme of names.
    let other = folder.path().join("other");
    filled(&other, 10);
    fs::remove_dir_all(path.join("index-8")).unwrap();
    fs::rename(other.join("index-1"), path.join("index-8")).unwrap();
    let before = content(&Db::open(&path, small()).unwrap().snapshot());
    let db = Db::open(&path, small()).unwrap().compact().unwrap();
    assert_eq!(content(&db.snapshot()), before);
    drop(db);
    reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
    for name in strangers.iter().filter(|name| **name != "index-8") {
        assert!(path.join(name).join("letter").exists(), "{name}");
    }
    assert!(path.join("index-8/ID").exists());
    assert!(!path.join("index-1").exists(), "our own old index is removed");
}

#[test]
fn a_lost_head_is_an_error_that_says_how_to_repair_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    filled(&path, 100);
    let before = content(&Db::open(&path, small()).unwrap().snapshot());
    let head = fs::read(path.join("HEAD")).unwrap();
    let harms: [Harm; 4] = [
        ("missing", |head| fs::remove_file(head).unwrap()),
        ("flipped", |path| fs::write(path, b"boardprint database, format 2\nid no\ncheck 0\n").unwrap()),
        ("a folder", |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
        ("a pipe", |path| {
            fs::remove_file(path).unwrap();
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        }),
    ];
    for (name, harm) in harms {
        harm(&path.join("HEAD"));
        let error = opened(&path);
        let typed = if name == "missing" {
            matches!(error, Error::HeadMissing { .. })
        } else {
            matches!(error, Error::HeadUnreadable { .. })
        };
        assert!(typed, "{name}: {error}");
        // No file can take the place of a folder: somebody has to move it first.
        let way_out = if name == "a folder" { WayOut::MoveAway } else { WayOut::Reindex };
        assert_eq!(error.way_out(), way_out, "{name}");
        assert!(LogReader::open(&path).is_err(), "{name}");
        if name == "a folder" {
            let refused = reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules);
            assert_eq!(refused.unwrap_err().way_out(), WayOut::MoveAway);
            fs::remove_dir(path.join("HEAD")).unwrap();
        }
        let report = reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
        assert!(report.new_head, "{name}");
        let db = Db::open(&path, small()).unwrap();
        assert_eq!(content(&db.snapshot()), before, "{name}");
        drop(db);
    }
    assert_ne!(fs::read(path.join("HEAD")).unwrap(), head);
}

#[test]
fn a_lost_head_changes_neither_names_nor_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let options = || small().profile("other names").max_ply(Some(3)).engine(EngineKind::Redb);
    let db = Db::open(&path, options()).unwrap();
    for batch in batches(100, 30) {
        db.ingest(batch, &crate::common::Rules, None).unwrap();
    }
    let before = content(&db.snapshot());
    drop(db);
    let kept = Some(Indexing { profile: "other names".to_owned(), max_ply: Some(3) });
    for harm in ["missing", "damaged", "compacted"] {
        assert_eq!(Indexing::of(&path).unwrap(), kept, "{harm}");
        match harm {
            "damaged" => fs::write(path.join("HEAD"), "boardprint").unwrap(),
            _ => fs::remove_file(path.join("HEAD")).unwrap(),
        }
        assert_eq!(Indexing::of(&path).unwrap(), kept, "{harm}");
        reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
        let db = Db::open(&path, options()).unwrap();
        assert_eq!((db.snapshot().max_ply(), content(&db.snapshot())), (Some(3), before.clone()), "{harm}");
        assert!(
            fs::read_dir(&path).unwrap().any(|entry| entry.unwrap().path().join("index.redb").exists()),
            "{harm}"
        );
        if harm == "damaged" {
            db.compact().unwrap().close().unwrap();
        }
    }
    // Where nothing says it, it is as whoever asks wishes.
    fs::remove_file(path.join("HEAD")).unwrap();
    for entry in fs::read_dir(&path).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with("index-") {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    assert_eq!(Indexing::of(&path).unwrap(), None);
    reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
    assert_eq!(Db::open(&path, small()).unwrap().snapshot().max_ply(), None);
}

#[test]
fn a_head_that_was_not_replaced_any_more_is_replaced_by_the_next_writer() {
    for engine in [EngineKind::Sled, EngineKind::Redb] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let batches: Vec<_> = batches(120, 60).collect();
        let [first, second] = <[_; 2]>::try_from(batches).unwrap();
        let db = Db::open(&path, small().engine(engine)).unwrap();
        db.ingest(first, &crate::common::Rules, None).unwrap();
        let before = fs::read(path.join("HEAD")).unwrap();
        db.ingest(second, &crate::common::Rules, None).unwrap();
        let whole = content(&db.snapshot());
        drop(db);
        // As a kill leaves it between the state of the index and HEAD.
        fs::write(path.join("HEAD"), before).unwrap();
        let games = |path: &Path| LogReader::open(path).unwrap().games().map(Result::unwrap).count();
        assert!(games(&path) < whole.games.len());
        let db = Db::open(&path, small()).unwrap();
        // There is nothing new to write.
        let nothing = db.ingest(Batch::default(), &crate::common::Rules, None).unwrap();
        assert_eq!((nothing.games, content(&db.snapshot())), (0, whole.clone()));
        drop(db);
        assert_eq!(games(&path), whole.games.len());
        let copy = folder.path().join("copy");
        backup(&path, &copy).unwrap();
        assert_eq!(games(&copy), whole.games.len());
    }
}

#[test]
fn parts_of_another_database_and_missing_parts_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("db"), folder.path().join("other"));
    filled(&path, 100);
    filled(&other, 100);
    let before = content(&Db::open(&path, small()).unwrap().snapshot());
    // The index of the other.
    fs::rename(path.join("index-1"), folder.path().join("kept")).unwrap();
    let error = opened(&path);
    assert!(matches!(error, Error::BadIndex { .. }) && error.way_out() == WayOut::Reindex, "{error}");
    fs::rename(other.join("index-1"), path.join("index-1")).unwrap();
    let error = opened(&path);
    assert!(matches!(error, Error::OtherDatabase { .. }) && error.way_out() == WayOut::Reindex, "{error}");
    reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
    assert_eq!(content(&Db::open(&path, small()).unwrap().snapshot()), before);
    // The games of the other.
    let segment = |folder: &Path| folder.join("games/00000001.log");
    let games = fs::read(segment(&path)).unwrap();
    fs::copy(segment(&other), segment(&path)).unwrap();
    assert!(matches!(opened(&path), Error::OtherDatabase { .. }));
    fs::write(segment(&path), &games[..games.len() - 1]).unwrap();
    let error = opened(&path);
    assert!(matches!(error, Error::LostGames { .. }) && error.way_out() == WayOut::Salvage, "{error}");
    fs::remove_file(segment(&path)).unwrap();
    assert!(matches!(opened(&path), Error::Io { .. }));
    fs::write(segment(&path), &games).unwrap();
    assert_eq!(content(&Db::open(&path, small()).unwrap().snapshot()), before);
}

#[test]
fn an_older_index_is_not_trusted() {
    for engine in EngineKind::ALL {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        drop(Db::open(&path, small().engine(engine)).unwrap());
        filled(&path, 60);
        let old: BTreeMap<PathBuf, Vec<u8>> = fs::read_dir(path.join("index-1"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        filled(&path, 120);
        let before = content(&Db::open(&path, small()).unwrap().snapshot());
        for entry in fs::read_dir(path.join("index-1")).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_file() {
                fs::remove_file(entry).unwrap();
            }
        }
        for (path, bytes) in old {
            fs::write(path, bytes).unwrap();
        }
        let error = opened(&path);
        assert!(matches!(error, Error::BadIndex { .. }), "{engine}: {error}");
        reindex(&path, &ReindexOptions::default(), &small(), &crate::common::Rules).unwrap();
        assert_eq!(content(&Db::open(&path, small()).unwrap().snapshot()), before);
    }
}

/// A folder that cannot be written: another user looks at it.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_read_with_redb_and_exported_with_any_engine() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let db = Db::open(&path, small().engine(EngineKind::Redb)).unwrap();
    for batch in batches(60, 30) {
        db.ingest(batch, &crate::common::Rules, None).unwrap();
    }
    let before = content(&db.snapshot());
    drop(db);
    let lock = |mode: u32| {
        for name in ["", "games", "index-1", "lock", "HEAD", "index-1/index.redb", "games/00000001.log"] {
            let mode =
                if name.contains('.') || name == "lock" || name == "HEAD" { mode & 0o666 } else { mode };
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    lock(0o555);
    // Whoever may do everything, as in a container, still writes; then this only shows that readers need not.
    let db = Db::open(&path, small().access(Access::Read)).unwrap();
    assert_eq!(content(&db.snapshot()), before);
    let games = LogReader::open(&path).unwrap().games().count();
    assert_eq!(games, before.games.len());
    drop(db);
    lock(0o755);
}

fn fixture() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/database/0.1");
    let folder = tempfile::tempdir().unwrap();
    let packed = fs::File::open(corpus.join("database.tar.zst")).unwrap();
    let bytes = zstd::stream::decode_all(packed).unwrap();
    untar(&bytes, folder.path());
    let path = folder.path().join("db1");
    (folder, path, corpus)
}

/// Enough of tar for our own archive: names, sizes, folders.
fn untar(mut bytes: &[u8], to: &Path) {
    let text =
        |field: &[u8]| String::from_utf8_lossy(field.split(|byte| *byte == 0).next().unwrap()).into_owned();
    while bytes.len() >= 512 && bytes[0] != 0 {
        let (name, kind) = (text(&bytes[..100]), bytes[156]);
        let size = usize::from_str_radix(text(&bytes[124..136]).trim(), 8).unwrap();
        let path = to.join(name);
        if kind == b'5' {
            fs::create_dir_all(path).unwrap();
        } else {
            fs::write(path, &bytes[512..512 + size]).unwrap();
        }
        bytes = &bytes[512 + size.div_ceil(512) * 512..];
    }
}

/// What version 0.1 printed for an export, record by record.
fn exported(snapshot: &Snapshot, rules: &Rules) -> String {
    let mut out = String::new();
    let log = snapshot.export().unwrap();
    for game in log.games() {
        out.push_str(&rules.text(&game.unwrap().game).unwrap());
        out.push('\n');
    }
    out
}

#[test]
fn a_database_of_version_0_1_is_read_by_reindex() {
    let (_folder, path, corpus) = fixture();
    let rules = Rules::new(Profile::Plain);
    let error = opened(&path);
    assert!(
        matches!(error, Error::OtherFormat { found: 1, known: 2 }) && error.way_out() == WayOut::Reindex,
        "{error}"
    );
    let error = salvage(&path, &path.with_extension("saved"), &small(), &rules).unwrap_err();
    assert!(matches!(error, Error::OtherFormat { .. }), "{error}");
    let report = reindex(&path, &ReindexOptions::default(), &small(), &rules).unwrap();
    assert_eq!((report.games, report.postings, report.converted), (26, 120, true));
    assert!(path.join("data-1/db").exists(), "the old folder stays");
    let db = Db::open(&path, small()).unwrap();
    let snapshot = db.snapshot();
    let found: Vec<String> =
        snapshot.verify(&rules).unwrap().findings.iter().map(ToString::to_string).collect();
    assert_eq!(found, Vec::<String>::new());

    let golden = |name: &str| fs::read_to_string(corpus.join(name)).unwrap();
    // PGN of today says in other words where a game starts; that it starts there is seen from its positions.
    let of_start = |line: &&str| ["[FEN ", "[SetUp ", "[Variant "].iter().any(|tag| line.starts_with(tag));
    let squeezed = |text: &str| {
        let lines = text.lines().filter(|line| !of_start(line));
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(squeezed(&exported(&snapshot, &rules)), squeezed(&golden("export.txt")));
    let positions: String = snapshot
        .export_positions()
        .map(|item| item.map(|(prefix, count)| format!("{prefix}  {count}\n")).unwrap())
        .collect();
    assert_eq!(positions, golden("positions.txt"));
    for (name, hash) in [
        ("lookup-start.jsonl", "5693c349961f8bc345c6c11418aa00be3a038d8f"),
        ("lookup-infinite.jsonl", "7290f52da9fd54e77773df46d089b677e2532205"),
    ] {
        let lines: Vec<serde_json::Value> =
            golden(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let hash: Digest = hash.parse().unwrap();
        let answer = snapshot.answer(&Question::new(hash), &rules).unwrap();
        assert_eq!(lines[0]["occurrences"], answer.occurrences);
        let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<_>>();
        for (line, next) in of("move").iter().zip(&answer.moves) {
            let kind = snapshot.row(next.first.0).unwrap().kind;
            let text = next.next.as_ref().map(|step| rules.move_text(kind, step));
            assert_eq!(
                (&line["count"], line["move"].as_str()),
                (&next.count().into(), text.as_deref()),
                "{name}"
            );
        }
        assert_eq!(of("move").len(), answer.moves.len());
        let games: Vec<u64> = of("game").iter().map(|line| line["game"].as_u64().unwrap()).collect();
        let listed: Vec<u64> =
            answer.list.iter().flat_map(|line| line.plies.iter().map(|_| line.game)).collect();
        assert_eq!(games, listed, "{name}");
    }
    assert_eq!(snapshot.stats().unwrap().duplicates, 10);
    assert_eq!(snapshot.stats().unwrap().rejects, 15);
    assert_eq!(snapshot.sources().len(), 13);
}
