//! The server from the outside, over real sockets on this machine.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Outcome, feed, program};

/// Nothing here takes so long unless it hangs.
const HANG: Duration = Duration::from_secs(120);

const START: &str = "5693c349961f8bc345c6c11418aa00be3a038d8f";

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web/tests/data")
}

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("not an answer: {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer { status: status.unwrap_or_else(|| panic!("{head}")), head, body: bytes[end + 4..].to_vec() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(':')?;
            own.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let arguments = [&["serve", "--port", "0"], arguments].concat();
        Self::run(Command::new(program()).args(arguments).current_dir(folder).stderr(Stdio::null()))
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("an address");
        let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Server { child, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(HANG)).expect("a timeout");
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\n{headers}{length}\r\n", self.address);
        Answer::of(&self.raw(format!("{head}{body}").as_bytes()))
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    /// A good answer of the API.
    fn ask(&self, path: &str) -> Value {
        let answer = self.get(&format!("/api/v1{path}"));
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Asks until an answer is as wanted.
    fn wait(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let answer = self.ask(path);
            if wanted(&answer) {
                return answer;
            }
            assert!(begun.elapsed() < HANG, "{path}: {answer}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn tell(&self, signal: &str) {
        let told = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(told.expect("kill runs").success());
    }

    /// How it ends by itself.
    fn end(&mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            assert!(begun.elapsed() < HANG, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn run_in(folder: &Path, arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).args(arguments).current_dir(folder), std::iter::empty())
}

/// A database of the games of the page's tests.
fn club() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["club.pgn", "open-board.icn"] {
        fs::copy(data().join(name), folder.path().join(name)).expect("a copy");
    }
    let outcome =
        run_in(folder.path(), &["import", "--keep-text", "--db", "db", "club.pgn", "open-board.icn"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    folder
}

/// A thousand short games, all different.
const MANY: usize = 1_000;

fn many_games() -> String {
    use std::fmt::Write as _;
    let knights = ["Na3", "Nc3", "Nf3", "Nh3"];
    let pawns = ["a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5"];
    let seconds = ["a4", "b3", "d3", "d4", "e3", "e4", "g3", "g4"];
    let mut text = String::new();
    for n in 0..MANY {
        // After 1. Na3 the pawn stays.
        let c = match (n % 4, n / 32 % 8) {
            (0, 0) => "Rb1",
            (_, second) => seconds[second],
        };
        let (a, b, d) = (knights[n % 4], pawns[n / 4 % 8], ["Nf6", "Nh6", "Nc6", "Na6"][n / 256 % 4]);
        let result = ["1-0", "0-1", "1/2-1/2", "*"][n % 4];
        let tags = format!("[White \"Player {}\"]\n[Black \"Other\"]", n % 50);
        let _ = write!(text, "{tags}\n\n1. {a} {b} 2. {c} {d} {result}\n\n");
    }
    text
}

/// As much of JSON Schema as the document uses.
struct Validator(Value);

impl Validator {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/api/openapi.json");
        Validator(serde_json::from_str(&fs::read_to_string(path).expect("the document")).expect("JSON"))
    }

    fn check(&self, name: &str, value: &Value) {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        if let Err(why) = self.fits(&schema, value, "") {
            panic!("{name}: {why}: {value}");
        }
    }

    fn fits(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        if let Some(place) = schema["$ref"].as_str() {
            let target = self.0.pointer(&place[1..]).ok_or_else(|| format!("no {place}"))?;
            self.fits(target, value, at)?;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.fits(part, value, at)?;
        }
        if let Some(options) = schema["anyOf"].as_array() {
            let fitting = options.iter().filter(|option| self.fits(option, value, at).is_ok()).count();
            (fitting > 0).then_some(()).ok_or_else(|| format!("{at}: fits nothing"))?;
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(some) => some.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let is = |name: &str| match name {
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        };
        if !types.is_empty() && !types.iter().any(|name| is(name)) {
            return Err(format!("{at}: {value} is not {types:?}"));
        }
        if let Some(choices) = schema["enum"].as_array()
            && !choices.contains(value)
        {
            return Err(format!("{at}: {value} is not one of {choices:?}"));
        }
        if !schema["const"].is_null() && schema["const"] != *value {
            return Err(format!("{at}: {value}"));
        }
        if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
            && number < least
        {
            return Err(format!("{at}: {number} is below {least}"));
        }
        if schema["pattern"] == "^[0-9a-f]{40}$"
            && let Some(hash) = value.as_str()
            && !(hash.len() == 40 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)))
        {
            return Err(format!("{at}: {hash} is not a hash"));
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            value.get(name).map(drop).ok_or_else(|| format!("{at}: no {name}"))?;
        }
        for (name, member) in value.as_object().into_iter().flatten() {
            let own = &schema["properties"][name];
            let own = if own.is_null() { &schema["additionalProperties"] } else { own };
            if own.is_object() {
                self.fits(own, member, &format!("{at}/{name}"))?;
            }
        }
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            if schema["items"].is_object() {
                self.fits(&schema["items"], item, &format!("{at}/{index}"))?;
            }
        }
        Ok(())
    }
}

#[test]
fn answers_are_what_the_document_says() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db"]);
    server.wait("/findings", |answer| answer["checked"] == answer["total"]);
    let validator = Validator::new();
    for (schema, path) in [
        ("Explore", "/explore"),
        ("Explore", "/explore?play=d2d4,d7d5,c2c4&moves=1&games=1"),
        ("Explore", "/explore?position=K5%2C1%7CQ4%2C1%7Ck5%2C8%204%2C1%3E4%2C7"),
        ("Explore", "/explore?position=5693c3"),
        ("Explore", "/explore?position=8/8/8/4k3/8/8/4P3/4K3+w+-+-+0+1"),
        ("Explore", "/explore?player=Ada&color=white&since=2021&until=2022-12&minRating=2000&source=club"),
        ("Explore", "/explore?position=B--1%2C3--w%3A%5Ek%2C%2CW%3A%5EK--"),
        ("Games", "/games?games=3"),
        ("Games", "/games?order=date&result=draw"),
        ("StoredGame", "/games/0"),
        ("StoredGame", "/games/17"),
        ("Prefix", "/prefix/5693c3"),
        ("Stats", "/stats"),
        ("Variants", "/variants"),
        ("Duplicates", "/duplicates"),
        ("Findings", "/findings"),
        ("Findings", "/findings?kind=missing-check"),
    ] {
        validator.check(schema, &server.ask(path));
    }
    let ever = "/lichess?since=0000-01&until=3000-12";
    for path in ["/masters", "/lichess?play=e2e4", "/player?player=Ada&speeds=blitz", ever] {
        validator.check("LichessExplore", &server.get(path).json());
    }
    let post = |path: &str, kind: &str, body: &str| {
        let answer = server.send("POST", path, &format!("Content-Type: {kind}\r\n"), body);
        assert_eq!(answer.status, 200, "{body}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    };
    let json = "application/json";
    validator.check("Explore", &post("/api/v1/explore", json, r#"{"position": "d4 d5", "moves": 3}"#));
    validator.check(
        "LegalMoves",
        &post("/api/v1/moves", json, r#"{"position": "K5,1|Q4,1|k50,80", "from": "4,1"}"#),
    );
    let read = post("/api/v1/read?limit=5", "text/plain", "K5,1|k5,8 5,1>5,2\n\nK5,1|k5,08x\n\nK1,1|k9,9");
    validator.check("Reading", &read);
    assert_eq!(read["records"].as_array().map(Vec::len), Some(3), "{read}");
    assert_eq!(read["records"][1]["error"]["line"], 3, "{read}");
    // What `play` costs is limited as what a text costs.
    let pawns: Vec<String> = (0..4_000).map(|n| format!("P{n},9")).collect();
    let (position, play) = (format!("K5,1|k5,800|{}", pawns.join("|")), "5,1>5,2|".repeat(9_000));
    let question = json!({ "position": position, "play": play }).to_string();
    let answer = server.send("POST", "/api/v1/explore", "Content-Type: application/json\r\n", &question);
    assert_eq!((answer.status, &answer.json()["error"]["kind"]), (413, &json!("too-large")));
    // The game that the question names is the one whose rules decide.
    let xiangqi = "position startpos moves h2e2 h9g7";
    let read = post("/api/v1/read?from=uci&game=xiangqi", "text/plain", xiangqi);
    validator.check("Reading", &read);
    let record = &read["records"][0];
    let expected = (&json!("xiangqi"), &json!(true), &json!([]));
    assert_eq!((&record["game"], &record["legal"], &record["findings"]), expected, "{read}");
}

#[test]
fn numbers_are_right() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db"]);
    let start = server.ask("/explore");
    assert_eq!((&start["position"]["hash"], &start["occurrences"]), (&json!(START), &json!(14)));
    assert_eq!(start["results"], json!({ "white": 5, "black": 4, "draw": 3, "unknown": 2 }));
    // By another road: 1. c4 e6 2. d4 d5 leads to what 1. d4 d5 2. c4 e6 does.
    let queen = server.ask("/explore?play=d2d4,d7d5,c2c4");
    let moves = queen["moves"].as_array().expect("moves");
    let e6 = moves.iter().find(|next| next["move"] == "e7e6").expect("e6 was played");
    assert_eq!((&e6["occurrences"], &e6["reached"], &e6["rating"]), (&json!(1), &json!(2), &json!(1910)));
    // 1. d4 e6 was never played, but 1. c4 e6 2. d4 was.
    let unplayed = server.ask("/explore?play=d2d4,e7e6");
    assert_eq!(unplayed["occurrences"], 0);
    let found = unplayed["moves"].as_array().expect("moves").iter().find(|next| next["move"] == "c2c4");
    let counts = found.map(|next| (&next["occurrences"], &next["reached"]));
    assert_eq!(counts, Some((&json!(0), &json!(1))), "{unplayed}");
    // A part of the name in any case, as `lookup --player` takes it; both ratings.
    assert_eq!(server.ask("/games?player=Ada")["total"], 5);
    assert_eq!(server.ask("/games?player=aD")["total"], 5);
    assert_eq!(server.ask("/games?player=Adax")["total"], 0);
    // The calls of lichess take the whole name.
    assert_eq!(server.get("/player?player=Ada").json()["topGames"].as_array().map(Vec::len), Some(4));
    // As on lichess, in any case.
    assert_eq!(server.get("/player?player=ADA").json()["topGames"].as_array().map(Vec::len), Some(4));
    assert_eq!(server.get("/player?player=ad").json()["topGames"], json!([]));
    assert_eq!(server.ask("/games?minRating=2000")["total"], 4);
    // Laws are those of the open board: a game of Western chess has none.
    for (filter, total) in [
        ("laws=usual", 1),
        ("laws=Omega", 1),
        ("laws=omega", 1),
        ("laws=showcase:+omega", 1),
        ("laws=(8%7C1)", 1),
        ("game=western", 14),
        ("game=infinite", 4),
        ("game=shogi", 0),
        ("game=western&laws=usual", 0),
    ] {
        assert_eq!(server.ask(&format!("/games?{filter}"))["total"], total, "{filter}");
    }
    assert_eq!(server.ask("/explore?laws=usual")["occurrences"], 0);
    assert_eq!(server.ask("/explore?position=K5%2C1%7CQ4%2C1%7Ck5%2C8&laws=(8%7C1)")["occurrences"], 1);
    for laws in ["Omega_Cubed", "Nothing", "same"] {
        let answer = server.get(&format!("/api/v1/games?laws={laws}"));
        assert_eq!(answer.status, 400, "{laws}");
        let message = answer.json()["error"]["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(laws) && !message.contains("lists"), "{message}");
    }
    let (mut cursor, mut ids) = (String::new(), Vec::new());
    loop {
        let page = server.ask(&format!("/games?order=rating&games=4{cursor}"));
        ids.extend(page["games"].as_array().expect("games").iter().map(|game| game["id"].as_u64()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 18);
    let pairs = server.ask("/duplicates");
    assert_eq!(pairs["pairs"][0]["copy"]["event"], "Club evening, copied");
    assert_eq!(pairs["pairs"][0]["same_plies"], 10);
}

#[test]
fn faults_have_a_kind_and_a_place() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db", "--max-pieces", "50"]);
    let validator = Validator::new();
    let zeros = "0".repeat(40);
    let many: Vec<String> = (0..60).map(|n| format!("P{n},1%7C")).collect();
    let many = many.concat();
    for (path, status, kind) in [
        ("/api/v1/explore?position=K5%2C1%7Ck5%2C08x", 400, "unreadable"),
        ("/api/v1/explore?position=Dear+reader", 400, "unreadable"),
        ("/api/v1/explore?play=e2e5", 400, "unreadable"),
        (&format!("/api/v1/explore?position={zeros}"), 404, "unknown-hash"),
        ("/api/v1/explore?position=abcdef", 404, "unknown-hash"),
        ("/api/v1/explore?nonsense=1", 400, "bad-parameter"),
        ("/api/v1/explore?games=1000", 400, "bad-parameter"),
        ("/api/v1/explore?cursor=x", 400, "bad-parameter"),
        ("/api/v1/explore?position=%ff", 400, "bad-parameter"),
        (&format!("/api/v1/explore?position={many}K1,5"), 413, "too-large"),
        (&format!("/api/v1/explore?position=B--1%2C60--{}", "W:P,".repeat(59) + "W:P--"), 413, "too-large"),
        ("/api/v1/explore?moves=1&moves=1", 400, "bad-parameter"),
        ("/masters?play=e2e4&play=e2e4", 400, "bad-parameter"),
        ("/api/v1/games?result=perhaps", 400, "bad-parameter"),
        ("/api/v1/games?laws=omgea", 400, "bad-parameter"),
        ("/api/v1/games/999999", 404, "unknown-game"),
        ("/api/v1/games/-1", 404, "unknown-game"),
        ("/api/v1/games/0?form=csa9", 400, "unsupported"),
        ("/api/v1/prefix/12", 400, "bad-parameter"),
        ("/api/v1/read", 405, "method"),
        ("/api/v1/nothing", 404, "not-found"),
        ("/nothing", 404, "not-found"),
        ("/player", 400, "bad-parameter"),
        ("/masters?variant=atomic", 400, "bad-parameter"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
        let value = answer.json();
        validator.check("Error", &value);
        assert_eq!(value["error"]["kind"], kind, "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let place = server.get("/api/v1/explore?position=K5%2C1%7Ck5%2C08x").json();
    assert_eq!((&place["error"]["line"], place["error"]["column"].as_u64().is_some()), (&json!(1), true));
    for position in [format!("{many}K1,5"), format!("B--1%2C60--{}", "W:P,".repeat(59) + "W:P--")] {
        let error = server.get(&format!("/api/v1/explore?position={position}")).json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|text| text.contains("50 pieces")), "{error}");
        assert!(error["hint"].as_str().is_some_and(|text| text.contains("--max-pieces")), "{error}");
    }
    // Options of the command line are parameters here.
    let xiangqi = "9/9/9/9/9/9/9/9/9/9+w+-+-+0+1";
    let error = server.get(&format!("/api/v1/explore?position={xiangqi}")).json()["error"].clone();
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("`game=xiangqi`")), "{error}");
    let four = server.ask("/explore?position=4k3/8/8/8/8/8/8/4K3+w+-+-+0+1&from=fen");
    assert!(!four["warnings"].to_string().contains("--game"), "{four}");
    // Whatever means nothing to lichess's calls may be there twice.
    assert_eq!(server.get("/masters?speeds=blitz&speeds=rapid&ratings=1&ratings=2").status, 200);
    // The parameters of a body and of its address are one question.
    let json = "Content-Type: application/json\r\n";
    let answer = server.send("POST", "/api/v1/explore?moves=1", json, r#"{"play": "d2d4", "games": 1}"#);
    assert_eq!(answer.json()["moves"].as_array().map(Vec::len), Some(1));
    for (path, body) in [
        ("/api/v1/explore?moves=1", r#"{"moves": 1}"#),
        ("/api/v1/explore", r#"{"moves": 1, "moves": 2}"#),
        ("/api/v1/explore?nonsense=1", "{}"),
    ] {
        assert_eq!(server.send("POST", path, json, body).status, 400, "{path} {body}");
    }
    let answer = server.send("DELETE", "/api/v1/stats", "", "");
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")));
    let answer = server.send("POST", "/api/v1/read", "Content-Type: text/plain\r\n", "K5,1|k5,08x");
    assert_eq!((answer.status, &answer.json()["error"]["line"]), (400, &json!(1)));
    let answer = server.send("POST", "/api/v1/explore", "Content-Type: text/plain\r\n", "e4");
    assert_eq!(answer.status, 400);
    // A text of several games is not a game that is wrong.
    let pgn = fs::read_to_string(data().join("club.pgn")).expect("the games");
    for (text, kind) in [
        (pgn.as_str(), "several-games"),
        ("K5,1|k5,8\n\nK1,1|k9,9", "several-games"),
        ("[White \"A\"]\n\n1. e4 nonsense *", "unreadable"),
        ("K5,1|k5,08x", "unreadable"),
    ] {
        let error = server.send("POST", "/api/v1/explore", json, &json!({ "position": text }).to_string());
        assert_eq!((error.status, &error.json()["error"]["kind"]), (400, &json!(kind)), "{text}");
    }
}

#[test]
fn strange_requests_hold_nothing() {
    let folder = club();
    let server = Server::start(
        folder.path(),
        &["--db", "db", "--patience", "1", "--connections", "40", "--max-body", "10000"],
    );
    let host = &server.address;
    // More connections than there are places: each holds its place only until the patience is at its end.
    let idle: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
    let halves: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /api/v1/stats HTTP/1.1\r\nHost: loc").expect("sent");
            stream
        })
        .collect();
    assert_eq!(server.get("/api/v1/stats").status, 200);
    for mut stream in idle.into_iter().chain(halves) {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 4"), "{:?}", String::from_utf8_lossy(&rest));
    }
    // A body that does not come, one that is too long, one that only says so.
    let half = server.raw(
        format!(
            "POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\nConnection: close\r\n\r\nK5"
        )
        .as_bytes(),
    );
    assert_eq!(Answer::of(&half).status, 408);
    let long = server.raw(format!("POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000000000\r\nConnection: close\r\n\r\nK5").as_bytes());
    assert_eq!(Answer::of(&long).status, 413);
    let mut chunks = format!(
        "POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    );
    chunks += &format!("400\r\n{}\r\n", "x".repeat(0x400)).repeat(20);
    assert_eq!(Answer::of(&server.raw(chunks.as_bytes())).status, 413);
    // Whoever sends all of a body that is too long before reading gets the answer, too.
    let head = format!(
        "POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nContent-Length: 12000000\r\nConnection: close\r\n\r\n"
    );
    let mut long = server.connect();
    long.write_all(head.as_bytes()).and_then(|()| long.write_all(&vec![b'x'; 12_000_000])).expect("sent");
    let mut answer = Vec::new();
    long.read_to_end(&mut answer).expect("an answer");
    assert_eq!(Answer::of(&answer).status, 413);
    let asks_first = head.replace("Connection", "Expect: 100-continue\r\nConnection");
    assert_eq!(Answer::of(&server.raw(asks_first.as_bytes())).status, 413);
    // A body that is broken is not too long.
    let broken = format!(
        "POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\nK5\r\n"
    );
    assert_eq!(Answer::of(&server.raw(broken.as_bytes())).status, 400);
    let mut cut = server.connect();
    cut.write_all(
        format!("POST /api/v1/read HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100\r\n\r\nK5").as_bytes(),
    )
    .expect("sent");
    cut.shutdown(std::net::Shutdown::Write).expect("half closed");
    let mut answer = Vec::new();
    let _ = cut.read_to_end(&mut answer);
    assert!(
        answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"),
        "{:?}",
        String::from_utf8_lossy(&answer)
    );
    // Addresses and headers without end.
    let address = server.get(&format!("/api/v1/explore?position={}", "x".repeat(9_000)));
    assert_eq!((address.status, &address.json()["error"]["kind"]), (413, &json!("too-large")));
    for request in [
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "A: b\r\n".repeat(10_000)),
        "\0\u{1}\u{2}\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
    ] {
        let answer = server.raw(request.as_bytes());
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"),
            "{:?}",
            String::from_utf8_lossy(&answer[..40.min(answer.len())])
        );
    }
    // One who asks for much and takes nothing.
    let mut silent = server.connect();
    silent.set_write_timeout(Some(Duration::from_secs(1))).expect("a timeout");
    let request = format!("GET /assets/explore.js HTTP/1.1\r\nHost: {host}\r\n\r\n");
    for _ in 0..10_000 {
        if silent.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(server.get("/api/v1/stats").status, 200);
}

#[test]
fn only_those_who_mean_this_server_are_answered() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db", "--host", "Explorer.example"]);
    let status = |request: &str| Answer::of(&server.raw(request.as_bytes())).status;
    let port = server.address.rsplit(':').next().expect("a port");
    for host in [
        format!("localhost:{port}"),
        "127.0.0.1".to_owned(),
        "[::1]:1".to_owned(),
        "explorer.example".to_owned(),
    ] {
        assert_eq!(status(&format!("GET /api/v1/stats HTTP/1.0\r\nHost: {host}\r\n\r\n")), 200, "{host}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "127.0.0.1:x"] {
        assert_eq!(status(&format!("GET /api/v1/stats HTTP/1.0\r\nHost: {host}\r\n\r\n")), 421, "{host:?}");
        assert_eq!(status(&format!("GET / HTTP/1.0\r\nHost: {host}\r\n\r\n")), 421, "{host:?}");
    }
    assert_eq!(status("GET /api/v1/stats HTTP/1.0\r\n\r\n"), 421);
    assert_eq!(status("GET http://evil.example/api/v1/stats HTTP/1.0\r\nHost: localhost\r\n\r\n"), 421);
    assert_eq!(status("GET /api/v1/stats HTTP/1.0\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"), 421);
    // A page elsewhere gets nothing that it may read.
    let answer = server.send("GET", "/api/v1/stats", "Origin: https://evil.example\r\n", "");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert_eq!(server.send("OPTIONS", "/api/v1/stats", "Origin: https://evil.example\r\n", "").status, 405);
    let open = Server::start(club().path(), &["--db", "db", "--cors", "https://friend.example"]);
    let answer = open.send("GET", "/api/v1/stats", "Origin: https://evil.example\r\n", "");
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://friend.example"));
    assert_eq!(open.send("OPTIONS", "/api/v1/moves", "Origin: https://friend.example\r\n", "").status, 204);
    // From elsewhere only with a name.
    let outcome = run_in(folder.path(), &["serve", "--listen", "0.0.0.0", "--port", "0", "--db", "db"]);
    assert_eq!(outcome.status, Some(2), "{}", outcome.errors);
    assert!(outcome.errors.contains("--host"), "{}", outcome.errors);
    let outcome = run_in(folder.path(), &["serve", "--port", port, "--db", "other"]);
    assert_eq!(outcome.status, Some(3), "{}", outcome.errors);
    assert!(outcome.errors.contains("; choose another port with --port"), "{}", outcome.errors);
    // What could never match, and folders that are none, are said at once.
    for (arguments, better) in [
        (["--host", "expl.example:9110"], "`--host expl.example`"),
        (["--host", ""], "chess.example.org"),
        (["--cors", "https://a.example/"], "`--cors https://a.example`"),
        (["--cors", "x"], "chess.example.org"),
        (["--watch", "nonexist"], "make the folder first"),
        (["--watch", "club.pgn"], "--import"),
    ] {
        let outcome =
            run_in(folder.path(), &[&["serve", "--port", "0", "--db", "db"][..], &arguments].concat());
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {}", outcome.errors);
        assert!(outcome.errors.contains(better), "{arguments:?}: {}", outcome.errors);
    }
}

#[test]
fn a_game_keeps_its_tags_in_another_form() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db"]);
    let id = server.ask("/games?player=Eve&color=white")["games"][0]["id"].clone();
    for form in ["pgn", "icn", "long"] {
        let answer = server.get(&format!("/api/v1/games/{id}?form={form}"));
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(["Eve", "Finn", "School"].iter().all(|value| text.contains(value)), "{form}: {text}");
    }
}

#[test]
fn no_file_of_the_machine_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("club.pgn");
    fs::copy(data().join("club.pgn"), &path).expect("a copy");
    let absolute = path.to_str().expect("UTF-8");
    let outcome = run_in(folder.path(), &["import", "--db", "db", absolute]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    let server = Server::start(folder.path(), &["--db", "db"]);
    let hidden = folder.path().file_name().and_then(|name| name.to_str()).expect("a name");
    for path in [
        "/api/v1/stats",
        "/api/v1/explore",
        "/api/v1/games",
        "/api/v1/games/0",
        "/api/v1/duplicates",
        "/api/v1/findings",
        "/masters",
        "/",
        "/api/v1/games/99",
    ] {
        let answer = server.get(path);
        let text = format!("{}{}", answer.head, String::from_utf8_lossy(&answer.body));
        assert!(!text.contains(hidden), "{path}: {text}");
    }
    assert_eq!(server.ask("/games/0")["record"]["path"], "club.pgn");
    // Nor can the folders be guessed by asking for parts of them.
    let all = server.ask("/games")["total"].clone();
    for (source, total) in [("club", &all), (".pgn", &all), (hidden, &json!(0)), ("/", &json!(0))] {
        assert_eq!(&server.ask(&format!("/games?source={source}"))["total"], total, "{source}");
    }
    for path in [
        "/assets/../index.html",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/index.html",
        "/assets/..%5cindex.html",
        "/../../../../etc/passwd",
        "/assets//etc/passwd",
        "/assets/",
        "/assets/source.d.ts",
        "/p/../../etc/passwd",
        "//etc/passwd",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn answers_carry_what_keeps_browsers_safe_and_quick() {
    let folder = club();
    let server = Server::start(folder.path(), &["--db", "db"]);
    let page = server.get("/p/5693c349961f8bc345c6c11418aa00be3a038d8f?game=3");
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let text = String::from_utf8_lossy(&page.body);
    let script =
        text.split("src=\"").find_map(|part| part.split('"').next().filter(|name| name.ends_with("/app.js")));
    let file = server.get(script.expect("the page names its script"));
    assert_eq!((file.status, file.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
    assert!(file.header("cache-control").is_some_and(|keep| keep.contains("immutable")));
    // A tag that still holds costs nothing.
    let first = server.get("/api/v1/explore?play=e2e4");
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = server.send("GET", "/api/v1/explore?play=e2e4", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("vary"), first.header("vary"));
    assert!(again.header("vary").is_some_and(|vary| vary.contains("accept")), "{}", again.head);
    let path = "/api/v1/explore?play=e2e4";
    let strong = tag.trim_start_matches("W/");
    for held in [
        format!("If-None-Match: {strong}\r\n"),
        format!("If-None-Match: \"x\", {tag}\r\n"),
        format!("If-None-Match: \"x\"\r\nIf-None-Match: {tag}\r\n"),
        "If-None-Match: *\r\n".to_owned(),
    ] {
        assert_eq!(server.send("GET", path, &held, "").status, 304, "{held}");
    }
    for (path, status) in [("/api/v1/games/99", 404), ("/api/v1/explore?games=x", 400)] {
        assert_eq!(server.send("GET", path, "If-None-Match: *\r\n", "").status, status, "{path}");
    }
    let other = server.send("GET", "/api/v1/explore?play=d2d4", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!(other.status, 200);
    let packed = server.send("GET", "/api/v1/explore", "Accept-Encoding: gzip\r\n", "");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_string(&mut unpacked).expect("gzip");
    assert_eq!(serde_json::from_str::<Value>(&unpacked).expect("JSON"), server.ask("/explore"));
    let cpn = server.send("GET", "/api/v1/explore", "Accept: application/vnd.cpn+feen\r\n", "");
    assert!(cpn.body.starts_with(b"B--8,8--w:r,"));
    for (accept, is_cpn) in [
        ("Application/VND.cpn+feen;q=0.5, */*;q=0.1", true),
        ("application/vnd.cpn+feen;q=0, application/json", false),
        ("application/vnd.cpn+feen;q=0.1, application/json", false),
    ] {
        let answer = server.send("GET", "/api/v1/explore", &format!("Accept: {accept}\r\n"), "");
        assert_eq!(answer.body.starts_with(b"B--"), is_cpn, "{accept}");
    }
    let head = server.send("HEAD", "/api/v1/stats", "", "");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn games_come_in_while_it_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("many.pgn"), many_games()).expect("room");
    fs::create_dir(folder.path().join("incoming")).expect("a folder");
    let mut server =
        Server::start(folder.path(), &["--db", "db", "--import", "many.pgn", "--watch", "incoming"]);
    let mut tags = Vec::new();
    let games = |answer: &Value| answer["games"].as_u64().unwrap_or(0);
    let begun = Instant::now();
    while games(&server.ask("/stats")) < MANY as u64 {
        // Every answer is of one state: each game has the start once.
        let start = server.ask("/explore?games=0");
        let list = server.ask("/games?games=1");
        assert_eq!(start["occurrences"], start["game_count"]);
        if start["generation"] == list["generation"] {
            assert_eq!(start["occurrences"], list["total"]);
        }
        assert!(begun.elapsed() < HANG, "{list}");
    }
    tags.push(server.get("/api/v1/explore").header("etag").expect("a tag").to_owned());
    fs::write(folder.path().join("incoming/late.pgn"), "[White \"Late\"]\n\n1. h4 h5 *\n").expect("room");
    server.wait("/stats", |answer| games(answer) == MANY as u64 + 1);
    tags.push(server.get("/api/v1/explore").header("etag").expect("a tag").to_owned());
    assert_ne!(tags[0], tags[1]);
    assert_eq!(server.ask("/explore?play=h2h4&player=Late")["occurrences"], 1);
    server.wait("/findings", |answer| answer["checked"] == MANY + 1);
    server.wait("/stats", |answer| !answer["distinct_positions"].is_null());
    // The next server knows what was found out, and a killed one leaves nothing broken.
    server.tell("-KILL");
    server.end();
    let server = Server::start(folder.path(), &["--db", "db"]);
    assert_eq!(server.ask("/stats")["games"], MANY + 1);
    server.wait("/findings", |answer| answer["checked"] == MANY + 1);
}

#[test]
fn what_comes_in_is_a_duplicate_as_import_decides() {
    // So few moves prove nothing: only the third record is the first again.
    let game =
        |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n[Date \"2024.01.02\"]\n\n1. e4 e5 *\n\n");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("short.pgn"), [game("A"), game("C"), game("A")].concat()).expect("room");
    let here = |arguments: &[&str]| run_in(folder.path(), arguments);
    assert_eq!(here(&["import", "--db", "by-import", "short.pgn"]).status, Some(0));
    let stats = here(&["stats", "--json", "--db", "by-import"]).results;
    let by_import: Value = serde_json::from_str(&stats).expect("JSON");
    let server = Server::start(folder.path(), &["--db", "db", "--import", "short.pgn"]);
    let by_server = server.wait("/stats", |answer| answer["games"] != 0);
    for number in ["games", "duplicates"] {
        assert_eq!(by_server[number], by_import[number], "{number}");
    }
    assert_eq!((&by_import["games"], &by_import["duplicates"]), (&json!(2), &json!(1)));
}

#[test]
fn other_commands_ask_the_server() {
    let folder = club();
    let here = |arguments: &[&str]| run_in(folder.path(), arguments);
    let mut server = Server::start(folder.path(), &["--db", "db"]);
    let outcome = here(&["stats", "--db", "db", "--json"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    assert_eq!(serde_json::from_str::<Value>(&outcome.results).expect("JSON")["games"], 18);
    let lookup = here(&["lookup", "--db", "db", "--json", START]);
    for object in [&outcome.results, &lookup.results] {
        assert_eq!(object.matches("\"schema\"").count(), 1, "{object}");
    }
    let outcome = here(&["stats", "--db", "db"]);
    let line = outcome.results.lines().find(|line| line.contains("duplicates left out"));
    assert!(line.is_some_and(|line| line.ends_with(" 1")), "{}", outcome.results);
    for position in [START, "5693c3", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] {
        let outcome = here(&["lookup", "--db", "db", position]);
        assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
        assert!(outcome.results.starts_with(START), "{}", outcome.results);
        assert!(
            outcome.results.contains("e2e4") && outcome.results.contains("Ada - Bo"),
            "{}",
            outcome.results
        );
    }
    let outcome = here(&["lookup", "--db", "db", &"0".repeat(40)]);
    assert!(outcome.results.contains("does not occur"), "{}", outcome.results);
    assert_eq!(outcome.status, Some(1), "{}", outcome.errors);
    let unknown = here(&["lookup", "--db", "db", "--json", &"0".repeat(40)]).results;
    let outcome = here(&["lookup", "--db", "db", "ffffff"]);
    assert_eq!(outcome.results, "no position has a hash that begins with ffffff\n");
    let outcome = here(&["lookup", "--db", "db", "ffffff", "--json"]);
    let nothing: Value = serde_json::from_str(&outcome.results).expect("JSON");
    assert_eq!((&nothing["prefix"], &nothing["positions"]), (&json!("ffffff"), &json!([])), "{nothing}");
    assert!(nothing["generation"].is_u64(), "{nothing}");
    let outcome = here(&["lookup", "--db", "db", "Ke2"]);
    assert!(outcome.errors.contains("warning: no tag names the game"), "{}", outcome.errors);
    assert_eq!(outcome.status, Some(1), "{}", outcome.errors);
    // What the server does not answer is not passed over in silence.
    let outcome = here(&["lookup", "--db", "db", START, "--player", "Ada"]);
    assert_eq!(outcome.status, Some(2), "{}", outcome.errors);
    assert!(outcome.errors.contains(&server.address), "{}", outcome.errors);
    let outcome = here(&["lookup", "--db", "db", "K5,1|k5,08x"]);
    assert_eq!(outcome.status, Some(2), "{}", outcome.errors);
    // What writes must wait.
    let outcome = here(&["import", "--db", "db", "--wait", "0", "club.pgn"]);
    assert_eq!(outcome.status, Some(3), "{}", outcome.errors);
    assert!(outcome.errors.contains("serve"), "{}", outcome.errors);
    server.tell("-TERM");
    assert_eq!(server.end(), Some(0));
    // The lock still names a server; nobody holds it.
    let outcome = here(&["stats", "--db", "db"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    assert!(outcome.results.contains("with the games"), "{}", outcome.results);
    assert_eq!(unknown, here(&["lookup", "--db", "db", "--json", &"0".repeat(40)]).results);
}

#[test]
fn pieces_of_ones_own_are_known_to_every_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("room");
    write("own.toml", "[[piece]]\ncode = 'wa'\nname = 'wanderer'\nmovement = '[1,0]'\n");
    write("own.icn", "[White \"A\"] [Black \"B\"] K5,1|WA1,1|k5,8 1,1>2,1|5,8>5,9\n");
    let here = |arguments: &[&str]| run_in(folder.path(), arguments);
    let outcome = here(&["import", "--keep-text", "--db", "db", "--pieces", "own.toml", "own.icn"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    let mut server = Server::start(folder.path(), &["--db", "db", "--pieces", "own.toml"]);
    let position = "K5%2C1%7CWA1%2C1%7Ck5%2C8";
    assert_eq!(server.ask(&format!("/explore?position={position}"))["occurrences"], 1);
    let json = "Content-Type: application/json\r\n";
    let question = r#"{"position": "K5,1|WA1,1|k5,8", "from": "1,1"}"#;
    let legal = server.send("POST", "/api/v1/moves", json, question);
    assert_eq!(legal.status, 200, "{}", String::from_utf8_lossy(&legal.body));
    let legal = legal.json();
    let targets =
        legal["moves"].as_array().map_or(0, Vec::len) + legal["rays"].as_array().map_or(0, Vec::len);
    assert!(targets > 0, "{legal}");
    let read = server.send("POST", "/api/v1/read", "", "K5,1|WA1,1|k5,8 1,1>2,1").json();
    assert_eq!((&read["records"][0]["legal"], &read["records"][0]["findings"]), (&json!(true), &json!([])));
    let found = server.wait("/findings", |answer| answer["checked"] == 1);
    assert_eq!(found["games"], json!([]), "{found}");
    // A command beside the server reads with its own options.
    let lookup = |more: &[&str]| here(&[&["lookup", "--db", "db", "K5,1|WA1,1|k5,8"], more].concat());
    for more in [&[][..], &["--pieces", "own.toml"]] {
        assert!(lookup(more).results.contains("1,1>2,1"), "{more:?}: {}", lookup(more).errors);
    }
    server.tell("-TERM");
    assert_eq!(server.end(), Some(0));
    // What was found out without these pieces is not kept for a server that has them.
    let server = Server::start(folder.path(), &["--db", "db"]);
    let found = server.wait("/findings", |answer| answer["checked"] == 1);
    assert_eq!(found["games"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(server.get(&format!("/api/v1/explore?position={position}")).status, 400);
}

#[test]
fn a_quiet_server_does_not_count() {
    let folder = club();
    let import = |more: &[&str]| {
        let log = fs::File::create(folder.path().join("log")).expect("a file");
        let arguments = ["serve", "--port", "0", "--db", "new", "--import", "club.pgn", "--drain", "600"];
        let mut server = Server::run(
            Command::new(program()).args(arguments).args(more).current_dir(folder.path()).stderr(log),
        );
        server.wait("/stats", |answer| answer["games"] == 14);
        server.tell("-TERM");
        server.end();
        fs::read_to_string(folder.path().join("log")).expect("a log")
    };
    assert_eq!(import(&["--quiet"]), "");
    assert!(import(&[]).contains("imported 0 games"));
}

#[test]
fn what_comes_in_is_read_as_the_command_line_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = "position startpos moves e2e4 e7e5";
    let long = format!("position startpos moves e2e4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(100));
    fs::write(folder.path().join("some.txt"), format!("{short}\n{long}\n")).expect("room");
    let arguments = ["--db", "db", "--import", "some.txt", "--from", "uci", "--max-record", "1000"];
    let server = Server::start(folder.path(), &arguments);
    let stats = server.wait("/stats", |answer| answer["games"] != 0);
    assert_eq!((&stats["games"], &stats["rejected"]), (&json!(1), &json!(1)));
}

/// A server whose import waits for a pipe that nobody writes to, with this much time for its end.
#[cfg(unix)]
fn waiting_for_a_pipe(folder: &Path, drain: &str) -> Server {
    assert!(Command::new("mkfifo").arg(folder.join("pipe.pgn")).status().expect("mkfifo").success());
    Server::start(folder, &["--db", "db", "--import", "pipe.pgn", "--drain", drain])
}

#[test]
#[cfg(unix)]
fn an_import_that_does_not_end_does_not_hold_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = waiting_for_a_pipe(folder.path(), "1");
    assert_eq!(server.ask("/stats")["games"], 0);
    server.tell("-TERM");
    assert_eq!(server.end(), Some(0));
    // Nothing is locked or broken.
    let outcome = run_in(folder.path(), &["verify", "--db", "db"]);
    assert_eq!(outcome.status, Some(0), "{}{}", outcome.results, outcome.errors);
}

#[test]
#[cfg(unix)]
fn a_second_signal_ends_it_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = waiting_for_a_pipe(folder.path(), "600");
    server.tell("-TERM");
    // After the first signal nobody listens, so that the second one is not taken for the first.
    let begun = Instant::now();
    while TcpStream::connect(&server.address).is_ok() {
        assert!(begun.elapsed() < HANG, "the server goes on listening");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.tell("-INT");
    assert_eq!(server.end(), Some(130));
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_without_room_ends_the_import_or_the_server() {
    // The index of these games needs a megabyte, their log a tenth of that.
    let walk = |n: usize| {
        let step = |ply: usize| match ply / 2 {
            half if ply.is_multiple_of(2) => format!("{n},{half}>{n},{}", half + 1),
            half => format!("-9,{}>-9,{}", 900 + half, 901 + half),
        };
        let steps: Vec<String> = (0..40).map(step).collect();
        format!("K{n},0|k-9,900 {}\n\n", steps.join("|"))
    };
    let folder = tempfile::tempdir().expect("a folder");
    let walks: Vec<String> = (0..2_000).map(walk).collect();
    fs::write(folder.path().join("walks.icn"), walks.concat()).expect("room");
    let start = |db: &str, bytes: u64| {
        let log = fs::File::create(folder.path().join("log")).expect("a file");
        // Instead of a signal, writes beyond the limit fail.
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", bytes / 512);
        Server::run(
            Command::new("sh")
                .args(["-c", &script])
                .arg(program())
                .args(["serve", "--port", "0", "--db", db, "--import", "walks.icn"])
                .current_dir(folder.path())
                .stderr(log),
        )
    };
    let log = || fs::read_to_string(folder.path().join("log")).expect("a log");
    // Where the games do not fit, the index can still be read.
    let mut server = start("db", 4096);
    let begun = Instant::now();
    while !log().contains("nothing more is imported") {
        assert!(begun.elapsed() < HANG, "{}", log());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(log().contains("cannot write"), "{}", log());
    assert_eq!(server.ask("/explore")["occurrences"], 0);
    server.tell("-TERM");
    assert_eq!(server.end(), Some(0), "{}", log());
    // With room the next one takes everything in.
    let server = Server::start(folder.path(), &["--db", "db", "--import", "walks.icn"]);
    server.wait("/stats", |answer| answer["games"] == 2_000);
    drop(server);
    // An engine that failed answers nothing: the server says so and ends, so that it can be started again.
    let mut server = start("other", 512 << 10);
    assert_eq!(server.end(), Some(3), "{}", log());
    assert!(log().contains("; try again"), "{}", log());
}

#[test]
fn it_ends_well_under_load() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("many.pgn"), many_games()).expect("room");
    let mut server = Server::start(folder.path(), &["--db", "db", "--import", "many.pgn"]);
    let (stop, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for n in 0..16 {
            let (stop, answered, address) = (&stop, &answered, server.address.clone());
            scope.spawn(move || {
                let path = format!("/api/v1/explore?games={n}&player=Player+{n}");
                while !stop.load(Ordering::Relaxed) {
                    // After the end nobody listens.
                    let Ok(mut stream) = TcpStream::connect(&address) else { break };
                    let request =
                        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
                    let mut answer = Vec::new();
                    if stream.write_all(request.as_bytes()).is_err()
                        || stream.read_to_end(&mut answer).is_err()
                    {
                        continue;
                    }
                    if answer.is_empty() {
                        // Waiting to be accepted when the end came.
                        continue;
                    }
                    // What begins to come comes whole.
                    let answer = Answer::of(&answer);
                    let length = answer.header("content-length").and_then(|length| length.parse().ok());
                    assert_eq!(length, Some(answer.body.len()), "{}", answer.head);
                    assert_eq!(answer.status, 200, "{}", answer.head);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let begun = Instant::now();
        while answered.load(Ordering::Relaxed) < 200 {
            assert!(begun.elapsed() < HANG, "too few answers");
            std::thread::sleep(Duration::from_millis(5));
        }
        server.tell("-TERM");
        let status = server.end();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(status, Some(0));
    });
    // Nothing that was acknowledged is lost, and the rest of the import can be made up.
    let outcome = run_in(folder.path(), &["import", "--db", "db", "many.pgn"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.errors);
    assert!(outcome.results.contains("1,000 games in all"), "{}", outcome.results);
    let outcome = run_in(folder.path(), &["verify", "--db", "db"]);
    assert_eq!(outcome.status, Some(0), "{}{}", outcome.results, outcome.errors);
}
