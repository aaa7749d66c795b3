//! The commands of the database on a real PostgreSQL server.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../crates/store/tests/suite/server.rs"]
mod server;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use self::server::{PgServer, there_is_postgres};
use crate::common::program;

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, db: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).env("BOARDPRINT_DB", db).current_dir(self.0.path());
        command
    }

    fn run(&self, db: &str, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(db, arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    fn ok(&self, db: &str, arguments: &[&str]) -> String {
        let (status, out, talk) = self.run(db, arguments);
        assert_eq!(status, 0, "{arguments:?}: {out}{talk}");
        out
    }

    /// A file of made-up games; every tenth is one that was there, with another tag.
    fn games(&self, name: &str, count: u32) {
        let mut text = String::new();
        let first = ["e4", "d4", "c4", "g3", "b3", "f4", "e3", "d3", "g4", "b4"];
        let reply = ["e5", "d5", "c5", "g6", "b6", "f5", "e6", "d6", "g5", "b5"];
        let third = ["Nc3", "Nf3", "Na3", "Nh3", "h3", "a3", "h4", "a4"];
        for number in 0..count {
            let game = if number % 10 == 9 { number - 7 } else { number };
            let at = |one: u32, most: u32| (game / one % most) as usize;
            let (first, second, third) = (first[at(1, 10)], reply[at(10, 10)], third[at(100, 8)]);
            let names = format!("[White \"Player {}\"]\n[Black \"Other {}\"]\n", game % 13, game % 7);
            let more = if number == game { "" } else { "[Site \"Somewhere\"]\n" };
            write!(
                text,
                "{names}{more}[Date \"2024.05.{:02}\"]\n[Round \"{game}\"]\n[Result \"1-0\"]\n\n1. {first} {second} 2. {third} Nc6 1-0\n\n",
                1 + game % 28,
            )
            .unwrap();
        }
        fs::write(self.path(name), text).unwrap();
    }
}

#[test]
fn every_command_does_on_a_server_what_it_does_in_a_folder() {
    if !there_is_postgres("every_command_does_on_a_server_what_it_does_in_a_folder") {
        return;
    }
    let (desk, url) = (Desk::new(), PgServer::shared().new_database());
    desk.games("a.pgn", 300);
    desk.games("b.pgn", 400);
    let folder = desk.path("folder.db").to_str().unwrap().to_owned();
    let both = |arguments: &[&str]| {
        let [server, files] = [&url, &folder].map(|db| desk.run(db, arguments));
        let named = |text: &str| text.replace(&url, "DB").replace(&folder, "DB").replace("folder.db", "DB");
        assert_eq!((server.0, named(&server.1)), (files.0, named(&files.1)), "{arguments:?}: {}", server.2);
        assert_eq!(server.0, 0, "{arguments:?}: {}", server.2);
        server.1
    };
    both(&["import", "a.pgn", "--json"]);
    both(&["import", "a.pgn", "b.pgn"]);
    both(&["lookup", "1. e4 e5"]);
    both(&["lookup", "1. e4", "--json", "--player", "Player 3"]);
    both(&["export"]);
    both(&["export", "--json"]);
    both(&["export", "--what", "positions"]);
    both(&["duplicates"]);
    both(&["verify", "--json"]);
    assert!(both(&["verify"]).starts_with("all is well"));
    let stats = |db: &str| -> Value { serde_json::from_str(&desk.ok(db, &["stats", "--json"])).unwrap() };
    for name in ["games", "positions", "distinct_positions", "results", "duplicates", "rejected", "sources"] {
        assert_eq!(stats(&url)[name], stats(&folder)[name], "{name}");
    }
    let [one, two] = [&url, &folder].map(|db| desk.run("", &["dedup", "b.pgn", "--db", db, "--json"]));
    assert_eq!((one.0, one.1.replace(&url, "DB")), (two.0, two.1.replace(&folder, "DB")), "{}", one.2);
    both(&["reindex", "--max-ply", "2"]);
    both(&["reindex", "--all-plies", "--rights"]);
    both(&["forget", "--id", "3"]);
    assert!(desk.ok(&url, &["compact"]).starts_with("the index took "));
    both(&["verify", "--json"]);
    both(&["export", "--json"]);
    // From and to servers.
    let other = format!("{url}?schema=other");
    let all = desk.path("all.db").to_str().unwrap().to_owned();
    let into_server = desk.ok("", &["merge", &other, &folder]);
    assert_eq!(into_server, desk.ok("", &["merge", &all, &url]));
    assert_eq!(desk.ok(&other, &["export", "--json"]), desk.ok(&all, &["export", "--json"]));
    let saved = desk.ok(&url, &["salvage", "saved.db"]);
    assert!(saved.contains("game"), "{saved}");
    desk.ok(&url, &["backup", "copy.db"]);
    desk.ok("copy.db", &["reindex"]);
    assert_eq!(desk.ok("copy.db", &["export", "--json"]), desk.ok(&url, &["export", "--json"]));
    // Under another name of the same scheme.
    let short = url.replace("postgresql://", "postgres://");
    assert_eq!(desk.ok(&short, &["lookup", "1. e4"]), desk.ok(&url, &["lookup", "1. e4"]));
}

#[test]
fn shards_are_made_by_a_command_and_answer_alike() {
    if !there_is_postgres("shards_are_made_by_a_command_and_answer_alike") {
        return;
    }
    let (desk, server) = (Desk::new(), PgServer::shared());
    desk.games("a.pgn", 500);
    let (url, one, two) = (server.new_database(), server.new_database(), server.new_database());
    let said = desk.ok(&url, &["shard", &one, &two]);
    assert_eq!(said, "positions will be kept on 2 servers; fill the database with `boardprint import`\n");
    desk.ok(&url, &["import", "a.pgn"]);
    desk.ok("folder.db", &["import", "a.pgn"]);
    for question in ["1. e4", "1. e4 e5", "1. d4 d5 2. Nc3", "1. g3", "1. g4 f5"] {
        assert_eq!(
            desk.ok(&url, &["lookup", question, "--json"]),
            desk.ok("folder.db", &["lookup", question, "--json"])
        );
    }
    assert!(desk.ok(&url, &["verify"]).starts_with("all is well"));
    let sql = desk.ok(&url, &["shard", "--sql"]);
    let database = url.rsplit_once('/').unwrap().1;
    server.psql(database, &sql);
    assert_ne!(server.psql(database, "select count(*) from boardprint.all_counts"), "0");
    let (status, _, talk) = desk.run(&url, &["shard", &one]);
    assert_eq!(status, 2, "{talk}");
    assert!(talk.contains("the database holds games already"), "{talk}");
    let (status, _, talk) = desk.run(&one, &["lookup", "1. e4"]);
    assert_eq!(status, 2, "{talk}");
    assert!(talk.contains("this is a shard") && talk.contains("name the coordinator"), "{talk}");
    assert_eq!(desk.run("folder.db", &["shard", &one]).0, 2);
}

#[test]
fn what_is_wrong_is_said_with_what_helps_and_without_the_password() {
    if !there_is_postgres("what_is_wrong_is_said_with_what_helps_and_without_the_password") {
        return;
    }
    let (desk, server) = (Desk::new(), PgServer::shared());
    desk.games("a.pgn", 20);
    let url = server.new_database();
    let (port, database) = (server.port(), url.rsplit_once('/').unwrap().1);
    server.psql(database, "create schema theirs; create table theirs.letters (a int)");
    let at =
        |user: &str, port: u16, rest: &str| format!("postgresql://{user}:secret@127.0.0.1:{port}/{rest}");
    let cases = [
        (at("postgres", 1, database), 3, "start the server"),
        (at("stranger", port, database), 3, "role \"stranger\" does not exist"),
        (at("postgres", port, "nowhere"), 3, "createdb"),
        (at("postgres", port, &format!("{database}?schema=theirs")), 2, "name another schema"),
        (at("postgres", port, &format!("{database}?sslmode=require")), 3, "without TLS"),
        (at("postgres", port, database), 2, "there is no database"),
        ("postgresql://me:secret@host:notaport/x".to_owned(), 2, "write it as postgresql://"),
    ];
    for (url, wanted, hint) in cases {
        for command in
            [&["lookup", "1. e4"][..], &["stats"], &["export"], &["verify"], &["reindex"], &["backup", "x"]]
        {
            let (status, out, talk) = desk.run(&url, command);
            assert_eq!(status, wanted, "{command:?}: {talk}");
            assert!(talk.contains(hint), "{command:?}: {talk}");
            assert!(!talk.contains("secret") && !out.contains("secret"), "{talk}");
        }
    }
    // The holder is named.
    desk.ok(&url, &["import", "a.pgn"]);
    let mut server_of = desk.command(&url, &["serve", "--port", "0", "--import", "a.pgn"]);
    let mut child = server_of.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (status, _, talk) = desk.run(&url, &["import", "a.pgn", "--wait", "0"]);
    let found = desk.run(&url, &["lookup", "1. e4"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(status, 3, "{talk}");
    assert!(talk.contains(&format!("is in use by serve (process {} on ", child.id())), "{talk}");
    assert_eq!(found.0, 0, "readers do not wait: {}", found.2);
    desk.ok(&url, &["import", "a.pgn"]);
}

#[test]
fn an_import_ends_with_status_3_when_the_server_dies_and_goes_on_afterwards() {
    if !there_is_postgres("an_import_ends_with_status_3_when_the_server_dies_and_goes_on_afterwards") {
        return;
    }
    let (desk, server) = (Desk::new(), PgServer::start());
    desk.games("a.pgn", 1500);
    let url = server.new_database();
    let database = url.rsplit_once('/').unwrap().1.to_owned();
    let arguments = ["import", "a.pgn", "--batch", "50"];
    // Nobody waits for the server to come back.
    let hasty = format!("{url}?connect_timeout=1");
    let mut import = desk.command(&hasty, &arguments);
    let child = import.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let games = "select coalesce((select substring(text from 'games (\\d+)')::int from boardprint.head), 0)";
    loop {
        let there = server.psql(&database, "select to_regclass('boardprint.head') is not null");
        if there == "t" && server.psql(&database, games).parse::<u32>().unwrap() >= 100 {
            break;
        }
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(2));
    }
    server.kill();
    let ended = child.wait_with_output().unwrap();
    let talk = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{talk}");
    assert!(talk.contains("what was acknowledged is safe") || talk.contains("start the server"), "{talk}");
    server.run();
    let before: u32 = server.psql(&database, games).parse().unwrap();
    assert!((100..1300).contains(&before), "{before}");
    assert!(desk.ok(&url, &["verify"]).starts_with("all is well"));
    desk.ok(&url, &arguments);
    desk.ok("folder.db", &arguments);
    assert_eq!(desk.ok(&url, &["export", "--json"]), desk.ok("folder.db", &["export", "--json"]));
    assert_eq!(
        desk.ok(&url, &["export", "--what", "positions"]),
        desk.ok("folder.db", &["export", "--what", "positions"])
    );
}

/// Asks a server of ours.
fn ask(address: &str, path: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"))
}

#[cfg(feature = "serve")]
#[test]
fn a_server_of_ours_answers_from_there_and_sees_what_others_import() {
    if !there_is_postgres("a_server_of_ours_answers_from_there_and_sees_what_others_import") {
        return;
    }
    let (desk, url) = (Desk::new(), PgServer::shared().new_database());
    desk.games("a.pgn", 100);
    desk.games("b.pgn", 300);
    desk.ok(&url, &["import", "a.pgn"]);
    let mut serve = desk.command(&url, &["serve", "--port", "0"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().to_owned();
    let games = |path: &str| ask(&address, path)["games"].as_u64();
    let before = games("/api/v1/stats");
    assert!(before.is_some_and(|games| games > 50), "{before:?}");
    desk.ok(&url, &["import", "b.pgn"]);
    let deadline = Instant::now() + Duration::from_secs(60);
    while games("/api/v1/stats") <= before {
        assert!(Instant::now() < deadline, "it does not see what was imported");
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(&desk.path("postgresql:")).exists(), "no folder is made of an address");
}
