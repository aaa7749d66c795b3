//! What a failing machine does to a database, with the real program: nothing that was acknowledged is lost,
//! nothing hangs, nothing panics.
//!
//! Errors of system calls are injected by `strace`; where it is not installed, a test says so and checks the
//! rest. The long run is `benches/faults.sh`.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::program;

/// Longer than any command here takes, on any machine.
const PATIENCE: &str = "120";
/// A user without rights.
const NOBODY: u32 = 65_534;

/// A folder with a file of games, and databases.
struct Desk(TempDir);

struct Ended {
    status: i32,
    out: String,
    talk: String,
}

impl Ended {
    /// A good end, or one that says what to do; never a panic, a signal or a hang.
    fn is_orderly(&self, what: &str) {
        assert!([0, 1, 3].contains(&self.status), "{what}: {} {}{}", self.status, self.out, self.talk);
        if self.status == 3 {
            assert!(self.talk.contains("; ") || self.out.contains("; "), "{what}: {}{}", self.out, self.talk);
        }
    }
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let game = |number: i32| {
            let (x, y) = (number % 7 - 3, number / 7 + 1);
            format!(
                "[White \"A{number}\"] [Black \"B\"] K0,0|k5,90 0,0>{x},{y}|5,90>5,91|{x},{y}>{x},{}\n\n",
                y + 1
            )
        };
        let games: Vec<String> = (0..40).map(game).collect();
        let games = games.concat();
        fs::write(folder.path().join("games.icn"), games).unwrap();
        Desk(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command that is ended after a while: status 124.
    fn run(&self, before: &[&str], arguments: &[&str]) -> Ended {
        let mut command = Command::new("timeout");
        command.args(["--signal=KILL", PATIENCE]).args(before).arg(program()).args(arguments);
        let Output { status, stdout, stderr } = command
            .current_dir(self.0.path())
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ended { status: status.code().unwrap_or(-1), out: text(stdout), talk: text(stderr) }
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let ended = self.run(&[], arguments);
        assert_eq!(ended.status, 0, "{arguments:?}: {}{}", ended.out, ended.talk);
        ended.out
    }

    fn import(&self, db: &str, engine: &str) -> String {
        self.ok(&["import", "games.icn", "--db", db, "--engine", engine, "--batch", "15"]);
        self.ok(&["export", "--db", db])
    }

    /// Opens it, or builds its index again; its games are those.
    fn comes_back(&self, db: &str, games: &str, what: &str) {
        let stats = self.run(&[], &["stats", "--db", db]);
        stats.is_orderly(what);
        if stats.status != 0 {
            assert!(stats.talk.contains("reindex"), "{what}: {}", stats.talk);
            self.ok(&["reindex", "--db", db]);
        }
        assert_eq!(self.ok(&["export", "--db", db]), games, "{what}");
        let verified = self.run(&[], &["verify", "--db", db]);
        if verified.status != 0 {
            self.ok(&["reindex", "--db", db]);
        }
        assert!(self.ok(&["verify", "--db", db]).starts_with("all is well: 40 games"), "{what}");
    }

    /// The log, byte for byte.
    fn log(&self, db: &str) -> Vec<Vec<u8>> {
        let mut names: Vec<PathBuf> =
            fs::read_dir(self.path(db).join("games")).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names.iter().map(|name| fs::read(name).unwrap()).collect()
    }
}

fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("NOTE: {tool} is not installed; what needs it was not tested");
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Every file of a folder, and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found
}

/// As a user without rights, if we have them.
fn without_rights() -> Option<Vec<String>> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() != b"0" {
        return Some(Vec::new());
    }
    let id = NOBODY.to_string();
    has("setpriv")
        .then(|| ["setpriv", "--reuid", &id, "--regid", &id, "--clear-groups"].map(str::to_owned).to_vec())
}

#[test]
fn errors_of_the_disk_do_not_destroy_a_database() {
    if !has("strace") {
        return;
    }
    let desk = Desk::new();
    for engine in ["sled", "redb"] {
        let games = desk.import("db", engine);
        let log = desk.log("db");
        let cases = [
            ("pread64", "EIO", &[1, 3, 6][..], &["lookup", "K0,0|k5,90"][..]),
            ("openat", "EMFILE", &[1, 3], &["lookup", "K0,0|k5,90"]),
            ("pread64", "EIO", &[2], &["verify"]),
            ("fdatasync", "EIO", &[1], &["compact"]),
            ("fsync", "EIO", &[1, 3], &["reindex"]),
        ];
        for (call, error, nth, command) in cases {
            for n in nth {
                let what = format!("{engine}: {command:?} with {error} at {call} {n}");
                copy(&desk.path("db"), &desk.path("hurt"));
                let inject = format!("inject={call}:error={error}:when={n}");
                let trace = format!("trace={call}");
                // Only what concerns the database; the system loads the program with the same calls.
                let files = files(&desk.path("hurt"));
                let only = files.iter().flat_map(|file| ["-P", file.to_str().unwrap()]);
                let mut strace = vec!["strace", "-f", "-o", "/dev/null", "-e", &trace, "-e", &inject];
                strace.extend(only);
                let ended = desk.run(&strace, &[command, &["--db", "hurt"]].concat());
                assert!([0, 1, 3].contains(&ended.status), "{what}: {} {}", ended.status, ended.talk);
                assert_eq!(desk.log("hurt"), log, "{what}");
                desk.comes_back("hurt", &games, &what);
                fs::remove_dir_all(desk.path("hurt")).unwrap();
            }
        }
        fs::remove_dir_all(desk.path("db")).unwrap();
    }
}

/// An import whose syncs fail from some moment on says so, and what it had acknowledged stays; the next one
/// goes on.
#[test]
fn an_import_whose_syncs_fail_ends_with_status_3_and_can_go_on() {
    if !has("strace") {
        return;
    }
    let desk = Desk::new();
    let games = desk.import("whole", "sled");
    for (call, from) in [("fsync", 4), ("fdatasync", 2), ("write", 30), ("rename", 1), ("ftruncate", 1)] {
        let what = format!("{call} fails from the {from}th on");
        let error = if call == "write" { "ENOSPC" } else { "EIO" };
        let (trace, inject) = (format!("trace={call}"), format!("inject={call}:error={error}:when={from}+"));
        let import = ["import", "games.icn", "--db", "hurt", "--batch", "15"];
        let ended = desk.run(&["strace", "-f", "-o", "/dev/null", "-e", &trace, "-e", &inject], &import);
        assert!([0, 3].contains(&ended.status), "{what}: {} {}", ended.status, ended.talk);
        let again = desk.run(&[], &import);
        if again.status != 0 {
            assert!(again.talk.contains("reindex"), "{what}: {}", again.talk);
            desk.ok(&["reindex", "--db", "hurt"]);
            desk.ok(&import);
        }
        desk.comes_back("hurt", &games, &what);
        let _ = fs::remove_dir_all(desk.path("hurt"));
    }
}

#[test]
fn what_an_engine_leaves_half_written_is_not_taken_for_whole() {
    let desk = Desk::new();
    let games = desk.import("db", "sled");
    fs::write(desk.path("db/index-1/snap.FFFFFFFFFFFFFFFF.generating"), "").unwrap();
    desk.ok(&["lookup", "K0,0|k5,90", "--db", "db"]);
    desk.comes_back("db", &games, "a snapshot that was not finished");
}

#[test]
fn what_is_not_ours_is_never_removed() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("mine/data-2024")).unwrap();
    fs::write(desk.path("mine/data-2024/letter.txt"), "dear").unwrap();
    let ended = desk.run(&[], &["import", "games.icn", "--db", "mine"]);
    assert_eq!(ended.status, 2, "{}", ended.talk);
    assert_eq!(fs::read(desk.path("mine/data-2024/letter.txt")).unwrap(), b"dear");
    // Beside the games of a database, too.
    let games = desk.import("db", "sled");
    for name in ["data-1.bak", "index-1.bak", "index-9", "notes"] {
        fs::create_dir(desk.path("db").join(name)).unwrap();
        fs::write(desk.path("db").join(name).join("letter.txt"), "dear").unwrap();
    }
    desk.ok(&["compact", "--db", "db"]);
    desk.ok(&["reindex", "--db", "db"]);
    for name in ["data-1.bak", "index-1.bak", "index-9", "notes"] {
        assert_eq!(fs::read(desk.path("db").join(name).join("letter.txt")).unwrap(), b"dear", "{name}");
    }
    // A lost HEAD is not a new database.
    fs::remove_file(desk.path("db/HEAD")).unwrap();
    let log = desk.log("db");
    for command in [&["import", "games.icn"][..], &["stats"], &["export"], &["lookup", "e4"]] {
        let ended = desk.run(&[], &[command, &["--db", "db"]].concat());
        assert_eq!(ended.status, 3, "{command:?}: {}", ended.talk);
        assert!(ended.talk.contains("HEAD is missing") && ended.talk.contains("reindex"), "{}", ended.talk);
    }
    assert_eq!(desk.log("db"), log);
    desk.comes_back("db", &games, "without HEAD");
}

#[test]
fn a_damaged_database_is_not_damaged_further_by_looking_at_it() {
    let desk = Desk::new();
    let games = desk.import("db", "sled");
    let index = desk.path("db/index-1/db");
    let length = fs::metadata(&index).unwrap().len();
    for part in 0..6 {
        copy(&desk.path("db"), &desk.path("hurt"));
        let place = length * part / 6 + 97 % length.max(1);
        let mut bytes = fs::read(desk.path("hurt/index-1/db")).unwrap();
        let place = usize::try_from(place).unwrap() % bytes.len();
        bytes[place] ^= 0x10;
        fs::write(desk.path("hurt/index-1/db"), bytes).unwrap();
        let log = desk.log("hurt");
        for command in [&["verify"][..], &["lookup", "K0,0|k5,90"], &["verify"]] {
            let ended = desk.run(&[], &[command, &["--db", "hurt"]].concat());
            ended.is_orderly(&format!("a bit of byte {place} flipped, {command:?}"));
        }
        assert_eq!(desk.log("hurt"), log);
        desk.comes_back("hurt", &games, &format!("a bit of byte {place} flipped"));
        fs::remove_dir_all(desk.path("hurt")).unwrap();
    }
    // In the games themselves: the others are saved, and what is missing is listed.
    let segment = desk.path("db/games/00000001.log");
    let middle = fs::metadata(&segment).unwrap().len() / 2;
    let mut file = fs::OpenOptions::new().write(true).open(&segment).unwrap();
    file.seek(SeekFrom::Start(middle)).unwrap();
    file.write_all(b"????").unwrap();
    drop(file);
    let ended = desk.run(&[], &["verify", "--db", "db"]);
    assert!(ended.status == 3 && ended.out.contains("salvage"), "{}{}", ended.out, ended.talk);
    let saved = desk.run(&[], &["salvage", "saved", "--db", "db"]);
    assert_eq!(saved.status, 1, "{}", saved.talk);
    assert!(saved.out.contains("cannot be read") && saved.out.contains("saved "), "{}", saved.out);
    for game in desk.ok(&["export", "--db", "saved"]).split("\n\n") {
        assert!(games.contains(game), "{game}");
    }
}

#[test]
fn a_torn_line_of_rejects_is_ended() {
    let desk = Desk::new();
    fs::write(desk.path("bad.icn"), "K1,1|K1,1\n").unwrap();
    for (before, lines) in [("{\"path\":\"x\"}\n{\"pa", 2), ("{\"path\":\"x\"}", 2), ("a letter", 2), ("", 1)]
    {
        fs::write(desk.path("rejects"), before).unwrap();
        let db = format!("db{}", before.len());
        let ended = desk.run(&[], &["import", "bad.icn", "--db", &db, "--rejects", "rejects"]);
        assert_eq!(ended.status, 1, "{}", ended.talk);
        let text = fs::read_to_string(desk.path("rejects")).unwrap();
        assert_eq!(text.lines().count(), lines, "{text}");
        assert!(text.ends_with("}\n") && text.lines().last().unwrap().contains("\"bad.icn\""), "{text}");
    }
    let ended = desk.run(&[], &["import", "bad.icn", "--db", "full", "--rejects", "/dev/full"]);
    assert_eq!(ended.status, 3, "{}", ended.talk);
    assert!(
        desk.run(&[], &["stats", "--db", "full"]).out.contains("records rejected                        0")
    );
}

#[test]
fn no_room_on_a_stream_is_status_3() {
    let desk = Desk::new();
    desk.import("db", "sled");
    fs::write(desk.path("bad.icn"), "K1,1|K1,1\n").unwrap();
    let full = |redirect: &str, arguments: &str| {
        let script = format!("exec \"$0\" {arguments} --db db {redirect}/dev/full");
        let mut command = Command::new("timeout");
        let output = command
            .args([PATIENCE, "sh", "-c", &script])
            .arg(program())
            .current_dir(desk.0.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for arguments in [
        "lookup 'K0,0|k5,90'",
        "stats",
        "export",
        "export --what positions",
        "verify",
        "compact",
        "reindex",
        "import games.icn",
    ] {
        let (status, talk) = full(">", arguments);
        assert_eq!(status, Some(3), "{arguments}: {talk}");
    }
    for arguments in ["import bad.icn", "import nothing.icn", "duplicates"] {
        let (status, _) = full("2>", arguments);
        assert!(matches!(status, Some(2 | 3)), "{arguments}: {status:?}");
    }
}

#[test]
fn few_threads_and_few_files_are_no_reason_to_hang() {
    let desk = Desk::new();
    let games = desk.import("db", "sled");
    let program_copy = desk.path("program");
    if fs::hard_link(program(), &program_copy).is_err() {
        fs::copy(program(), &program_copy).unwrap();
    }
    let commands: [&[&str]; 5] =
        [&["import", "games.icn"], &["lookup", "K0,0|k5,90"], &["verify"], &["reindex"], &["export"]];
    for (number, command) in commands.into_iter().enumerate() {
        for files in [5, 7, 9, 12, 16] {
            let db = format!("files-{number}-{files}");
            copy(&desk.path("db"), &desk.path(&db));
            let script = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
            let ended = desk.run(&["sh", "-c", &script], &[command, &["--db", &db]].concat());
            ended.is_orderly(&format!("{command:?} with {files} files"));
            assert_eq!(desk.ok(&["export", "--db", &db]), games);
        }
    }
    let Some(user) = without_rights().filter(|_| has("prlimit")) else { return };
    for (number, command) in commands.into_iter().enumerate() {
        for threads in [1, 2, 3, 5, 8] {
            let db = format!("threads-{number}-{threads}");
            copy(&desk.path("db"), &desk.path(&db));
            let open = Command::new("chmod").args(["-R", "a+rwX"]).arg(desk.path(&db)).status().unwrap();
            assert!(open.success());
            let limit = format!("--nproc={threads}");
            let mut command_line = Command::new("timeout");
            command_line
                .args(["--signal=KILL", PATIENCE])
                .args(&user)
                .args(["prlimit", &limit])
                .arg(&program_copy);
            command_line.args(command).args(["--db", &db]).env("RUST_BACKTRACE", "0");
            let output = command_line.current_dir(desk.0.path()).stdin(Stdio::null()).output().unwrap();
            let talk = String::from_utf8_lossy(&output.stderr).into_owned();
            let status = output.status.code();
            assert!(
                matches!(status, Some(0 | 1 | 3)),
                "{command:?} with {threads} threads: {status:?} {talk}"
            );
            assert_eq!(desk.ok(&["export", "--db", &db]), games);
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_can_be_read() {
    let desk = Desk::new();
    let Some(user) = without_rights() else { return };
    let program_copy = desk.path("program");
    fs::copy(program(), &program_copy).unwrap();
    for engine in ["sled", "redb"] {
        let games = desk.import(engine, engine);
        let closed = Command::new("chmod").args(["-R", "a-w,a+rX"]).arg(desk.path(engine)).status().unwrap();
        assert!(closed.success());
        let run = |arguments: &[&str]| {
            let mut command = Command::new("timeout");
            command.arg(PATIENCE).args(&user).arg(&program_copy).args(arguments).args(["--db", engine]);
            let Output { status, stdout, stderr } = command.current_dir(desk.0.path()).output().unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            (status.code(), text(stdout), text(stderr))
        };
        assert_eq!(run(&["export"]), (Some(0), games, String::new()), "{engine}");
        for command in [&["lookup", "K0,0|k5,90"][..], &["stats"], &["verify"], &["duplicates"]] {
            let (status, out, talk) = run(command);
            if engine == "redb" {
                assert_eq!(status, Some(0), "{command:?}: {talk}");
            } else {
                assert_eq!(status, Some(3), "{command:?}: {out}");
                assert!(talk.contains("export") && talk.contains("redb"), "{talk}");
            }
        }
        let opened = Command::new("chmod").args(["-R", "u+w"]).arg(desk.path(engine)).status().unwrap();
        assert!(opened.success());
    }
}

#[test]
fn each_kind_of_a_wrong_folder_has_its_own_error() {
    let desk = Desk::new();
    let games = desk.import("db", "sled");
    desk.ok(&["import", "-e", "K1,1|k1,9 1,1>1,2", "--db", "other"]);
    let hurt = |what: &str, hurt: &dyn Fn(&Path), words: &[&str]| {
        copy(&desk.path("db"), &desk.path("hurt"));
        hurt(&desk.path("hurt"));
        let ended = desk.run(&[], &["lookup", "K0,0|k5,90", "--db", "hurt"]);
        assert_eq!(ended.status, 3, "{what}: {}{}", ended.out, ended.talk);
        for word in words {
            assert!(ended.talk.contains(word), "{what}: {}", ended.talk);
        }
        desk.ok(&["reindex", "--db", "hurt"]);
        desk.comes_back("hurt", &games, what);
        fs::remove_dir_all(desk.path("hurt")).unwrap();
    };
    hurt(
        "HEAD is damaged",
        &|db| fs::write(db.join("HEAD"), "boardprint data").unwrap(),
        &["HEAD cannot be read", "reindex"],
    );
    hurt("HEAD is empty", &|db| fs::write(db.join("HEAD"), "").unwrap(), &["HEAD", "reindex"]);
    hurt(
        "HEAD is a pipe",
        &|db| {
            fs::remove_file(db.join("HEAD")).unwrap();
            assert!(Command::new("mkfifo").arg(db.join("HEAD")).status().unwrap().success());
        },
        &["HEAD cannot be read", "not an ordinary file"],
    );
    hurt("the index is gone", &|db| fs::remove_dir_all(db.join("index-1")).unwrap(), &["index", "reindex"]);
    hurt(
        "the index is another's",
        &|db| {
            fs::remove_dir_all(db.join("index-1")).unwrap();
            copy(&desk.path("other/index-1"), &db.join("index-1"));
        },
        &["another database", "reindex"],
    );
}

/// Several readers at once: with redb together, with sled one after another.
#[test]
fn parallel_lookups_all_answer() {
    let desk = Desk::new();
    for engine in ["sled", "redb"] {
        desk.import(engine, engine);
        let children: Vec<_> = (0..4)
            .map(|_| {
                let mut command = Command::new(program());
                command.args(["lookup", "K0,0|k5,90", "--json", "--wait", "100", "--db", engine]);
                command
                    .current_dir(desk.0.path())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{engine}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
