//! `boardprint dedup` from the outside.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use boardprint_base::GameResult;
use boardprint_dedup::{By, Collection, Games};
use boardprint_finite::Game;
use boardprint_games::Profile;
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{self, Batch, Db, GameKind, Moves, NewGame, StoredGame};
use boardprint_store::games::Rules;
use serde_json::Value;
use tempfile::TempDir;

const LONG: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
const SHORT: &str = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6";

/// A folder to work in.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        Bench { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_boardprint"));
        command.current_dir(self.folder.path()).arg("dedup").args(args.split_ascii_whitespace());
        command
    }

    fn run(&self, args: &str) -> Output {
        self.command(args).stdin(Stdio::null()).output().unwrap()
    }

    /// Standard output of a run in which all was well.
    fn good(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", talk(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The `Event` tags of what stays.
    fn events(&self, args: &str) -> Vec<String> {
        events(&self.good(args))
    }

    /// Record of the game, record of the kept one, whether it was dropped, confidence.
    fn pairs(&self, name: &str) -> Vec<(u64, u64, bool, String)> {
        let rows = self.read(name);
        let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        let record = |place: &Value| place["record"].as_u64().unwrap();
        rows.map(|row| {
            let confidence = row["confidence"].as_str().unwrap().to_owned();
            (record(&row["game"]), record(&row["kept"]), row["dropped"].as_bool().unwrap(), confidence)
        })
        .collect()
    }
}

fn talk(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn events(text: &str) -> Vec<String> {
    let values = text.split("[Event \"").skip(1);
    values.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

fn game(event: &str, players: &str, extra: &str, moves: &str) -> String {
    let (white, black) = players.split_once('-').unwrap();
    format!(
        "[Event \"{event}\"]\n[Date \"2024.01.02\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{extra}\n{moves} *\n\n"
    )
}

fn pair(game: u64, kept: u64, dropped: bool, confidence: &str) -> (u64, u64, bool, String) {
    (game, kept, dropped, confidence.to_owned())
}

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name).to_str().unwrap().to_owned()
}

/// Games of every relation to each other.
fn mixture() -> String {
    let cut = LONG.rsplit_once(" Nb8").unwrap().0;
    let transposed = LONG.replace("1. e4 e5 2. Nf3 Nc6", "1. Nf3 Nc6 2. e4 e5");
    [
        game("cut", "Ann-Bob", "", cut),
        game("first", "Ann-Bob", "[Round \"?\"]\n", LONG),
        game("spelt", "ann, a.-BOB", "[Round \"7\"]\n[ECO \"C84\"]\n", &LONG.replace("O-O", "0-0 {castles}")),
        game("others", "Carl-Dora", "", LONG),
        game("transposed", "Ann-Bob", "", &transposed),
        game("short", "Ann-Bob", "", SHORT),
        game("short of others", "Carl-Dora", "", SHORT),
        game("empty", "Ann-Bob", "", ""),
        game("empty of others", "Carl-Dora", "", ""),
        game("empty again", "Ann-Bob", "", ""),
    ]
    .concat()
}

#[test]
fn one_game_in_many_spellings_stays_once() {
    let bench = Bench::new();
    let spellings = corpus("pgn/spellings.pgn");
    let kept = bench.good(&format!("{spellings} --report pairs"));
    assert_eq!(events(&kept).len(), 1);
    let records = fs::read_to_string(&spellings).unwrap().matches("[Event ").count();
    assert_eq!(bench.pairs("pairs").len(), records - 1);
}

#[test]
fn games_in_several_dialects_and_formats_are_one() {
    let bench = Bench::new();
    let files = ["games/tom-ben-old.icn", "games/tom-ben-today.icn", "games/lines.icn"].map(corpus);
    let kept = bench.good(&format!("{} --report pairs", files.join(" ")));
    assert!(kept.starts_with("[Variant: Classical]"), "the first stays as it is written: {kept}");
    let rows = bench.read("pairs");
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.contains("tom-ben-today.icn\",\"record\":1,\"line\":1}"), "{rows}");
    // The short game is there in both dialects of `lines.icn` and in JSON.
    let files = ["games/lines.icn", "games/long-form.json"].map(corpus).join(" ");
    let output = bench.run(&format!("{files} --min-plies 2 -o - --report pairs"));
    assert_eq!(bench.read("pairs").lines().count(), 2);
    assert!(bench.read("pairs").lines().last().unwrap().contains("long-form.json"), "{}", talk(&output));
}

#[test]
fn every_criterion_decides_as_it_says() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    let all = ["short", "short of others", "empty", "empty of others"];
    let expect = |args: &str, first: &[&str]| {
        let expected: Vec<&str> = first.iter().chain(&all).copied().collect();
        assert_eq!(bench.events(&format!("games.pgn {args}")), expected, "{args}");
    };
    expect("", &["cut", "first", "transposed"]);
    expect("--by moves", &["cut", "first", "transposed"]);
    expect("--by final", &["cut", "first"]);
    // The empty game of the same players is a beginning, too.
    let prefix = ["first", "transposed", "short", "short of others"];
    let kept = bench.events("games.pgn --by prefix");
    assert_eq!(kept, prefix);
    // Without any move nothing but players and date can tell.
    let sure = ["first", "transposed", "short", "empty of others"];
    assert_eq!(bench.events("games.pgn --min-confidence doubtful --min-plies 1 --by prefix"), sure);
}

#[test]
fn laws_count_unless_only_moves_do() {
    let bench = Bench::new();
    let moves = "1,2>1,4|5,8>5,7|1,4>1,5|5,7>5,8|1,5>1,6|5,8>5,7";
    bench.write("games.icn", format!("(8|1) P1,2+|K5,1|k5,8 {moves}\nP1,2+|K5,1|k5,8 {moves}\n"));
    assert_eq!(bench.good("games.icn --min-plies 5").lines().count(), 2);
    assert_eq!(bench.good("games.icn --min-plies 5 --by moves").lines().count(), 1);
}

#[test]
fn confidence_decides_what_goes() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    bench.good("games.pgn --report pairs -o kept.pgn");
    let sure = [pair(3, 2, true, "certain"), pair(4, 2, true, "likely")];
    let last = pair(10, 8, true, "certain");
    let doubt = |dropped| pair(7, 6, dropped, "doubtful");
    assert_eq!(bench.pairs("pairs"), [&sure[..], &[doubt(false), last.clone()]].concat());
    bench.good("games.pgn --report pairs -o kept.pgn --min-confidence doubtful");
    assert_eq!(bench.pairs("pairs"), [&sure[..], &[doubt(true), last.clone()]].concat());
    let output = bench.run("games.pgn --report pairs -o kept.pgn --min-confidence certain");
    let unsure = pair(4, 2, false, "likely");
    assert_eq!(bench.pairs("pairs"), [sure[0].clone(), unsure, doubt(false), last]);
    assert_eq!(
        talk(&output).trim_end(),
        "10 records: kept 8, removed 2 duplicates (2 certain), 2 of the kept games may be duplicates"
    );
}

#[test]
fn copies_rejects_and_games_are_all_there_is() {
    let bench = Bench::new();
    let bad = game("bad", "Ann-Bob", "", "1. e5");
    bench.write("games.pgn", mixture() + &bad);
    let output = bench.run("games.pgn -o kept.pgn --duplicates copies.pgn --rejects bad.pgn");
    assert_eq!(output.status.code(), Some(1));
    assert!(talk(&output).contains("games.pgn:"), "{}", talk(&output));
    assert_eq!(bench.read("bad.pgn").trim_end(), bad.trim_end());
    assert_eq!(events(&bench.read("copies.pgn")), ["spelt", "others", "empty again"]);
    let records = |text: &str| -> Vec<String> {
        let texts = text.split("[Event ").skip(1);
        texts.map(|text| text.trim_end().to_owned()).collect()
    };
    let mut out = ["kept.pgn", "copies.pgn", "bad.pgn"].map(|name| records(&bench.read(name))).concat();
    let mut all = records(&bench.read("games.pgn"));
    out.sort();
    all.sort();
    assert_eq!(out, all, "every record is written once, as it was");
    assert!(output.stdout.is_empty());
}

#[test]
fn the_richest_stays_and_tags_are_merged() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    assert_eq!(bench.events("games.pgn --keep richest")[1], "spelt");
    assert_eq!(bench.events("games.pgn --keep longest")[1], "first");
    let merged = bench.good("games.pgn --merge-tags");
    assert!(merged.contains("[Round \"7\"]\n[ECO \"C84\"]\n\n1. e4 e5 2. Nf3"), "{merged}");
    assert_eq!(events(&merged), bench.events("games.pgn"));

    let moves = "1,2>1,4|5,8>5,7|1,4>1,5|5,7>5,8|1,5>1,6|5,8>5,7";
    bench.write(
        "games.icn",
        format!(
            "[Event \"?\"] P1,2+|K5,1|k5,8 {moves}\n[Event \"Open\"] [Round \"3\"] K5,1|P1,2+|k5,8 {moves}\n"
        ),
    );
    let merged = bench.good("games.icn --min-plies 5 --merge-tags");
    assert_eq!(merged, format!("[Round \"3\"] [Event \"Open\"] P1,2+|K5,1|k5,8 {moves}\n"));
}

#[test]
fn threads_change_nothing() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture().repeat(120));
    for args in ["", "--by prefix", "--keep richest --merge-tags", "--by final"] {
        let one = |threads: u32| {
            let args =
                format!("games.pgn {args} --threads {threads} -o out --duplicates copies --report pairs");
            let output = bench.run(&args);
            (["out", "copies", "pairs"].map(|name| bench.read(name)), talk(&output))
        };
        let alone = one(1);
        assert!(alone.0[0].len() > 100, "{}", alone.1);
        assert!(alone == one(2), "{args}: two threads differ from one");
        assert!(alone == one(7), "{args}: seven threads differ from one");
    }
}

#[test]
fn a_second_run_finds_nothing() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    let icn: Vec<String> =
        ["games/tom-ben-old.icn", "games/tom-ben-today.icn", "games/lines.icn"].map(corpus).into();
    for (input, name) in [("games.pgn".to_owned(), "1.pgn"), (icn.join(" "), "1.icn")] {
        bench.good(&format!("{input} -o {name}"));
        let again = bench.good(name);
        assert_eq!(again, bench.read(name));
    }
}

#[test]
fn standard_input_can_be_read_twice() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    for args in ["", "--by prefix", "--keep richest"] {
        let mut command = bench.command(&format!("- {args}"));
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(mixture().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            bench.good(&format!("games.pgn {args}")),
            "{args}"
        );
    }
}

#[test]
fn compression_and_line_ends_do_not_matter() {
    let bench = Bench::new();
    let text = mixture();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).unwrap();
    bench.write("b.pgn.gz", gz.finish().unwrap());
    bench.write("c.pgn.zst", zstd::encode_all(text.as_bytes(), 1).unwrap());
    bench.write("d.pgn", format!("\u{feff}{}", text.replace('\n', "\r\n")));
    bench.write("a.pgn", &text);
    let alone = bench.good("a.pgn");
    assert_eq!(bench.good("b.pgn.gz"), alone);
    assert_eq!(bench.good("c.pgn.zst"), alone);
    let crlf = bench.good("d.pgn");
    assert_eq!(crlf.replace("\r\n", "\n"), alone);
    assert!(!crlf.replace("\r\n", "").contains('\n'), "line ends stay as they are");
    assert_eq!(bench.good("a.pgn b.pgn.gz c.pgn.zst d.pgn --report pairs"), alone);
    // Each file again holds every game; doubtful ones are certain copies of their own players.
    let dropped = bench.pairs("pairs").iter().filter(|pair| pair.2).count();
    assert_eq!(dropped, 3 + 3 * 10);
}

#[test]
fn games_go_out_in_another_form() {
    let bench = Bench::new();
    let game = "[Event \"a\"] w P1,2+|K5,1|k5,8 1. 1,2>1,4 {x} 5,8>5,7";
    bench.write("games.icn", format!("{game}\n"));
    let canonical = bench.good("games.icn --to icn --style canonical");
    assert_eq!(canonical, "k5,8|P1,2+|K5,1 1,2>1,4|5,8>5,7\n");
    assert!(bench.good("games.icn --to icn").contains("{x}"));
    let json = bench.good("games.icn --to json");
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["moves"].as_array().unwrap().len(), 2);
    bench.write("games.pgn", mixture());
    let western = bench.good("games.pgn --to icn --style canonical");
    assert!(western.lines().all(|line| line.starts_with("0/100 (8|1) r1,8+|n2,8")), "{western}");
}

#[test]
fn files_appear_whole_or_not_at_all() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    for (args, says) in [
        ("games.pgn -o games.pgn", "is one of the inputs"),
        (". -o ./games.pgn", "is one of the inputs"),
        ("games.pgn -o out --report out", "two outputs"),
        ("games.pgn --report -", "two outputs"),
        ("games.pgn -o nowhere/out", "cannot write"),
        ("games.pgn -o .", "is a folder"),
        ("games.pgn --db nothing", "no database"),
        ("games.pgn --db nothing --by final", "--by game or prefix"),
        ("games.pgn --to json --style compact", "--to icn"),
        ("games.pgn --threads 0", "--threads"),
        ("games.pgn --by wrong", "--by"),
    ] {
        let output = bench.run(args);
        assert_eq!(output.status.code(), Some(2), "{args}: {}", talk(&output));
        assert!(talk(&output).contains(says), "{args}: {}", talk(&output));
    }
    assert_eq!(bench.read("games.pgn"), mixture());
    let names = fs::read_dir(bench.folder.path()).unwrap().count();
    assert_eq!(names, 1, "nothing is left behind");
    bench.write("out.pgn", "old");
    bench.good("games.pgn -o out.pgn");
    assert_eq!(bench.read("out.pgn"), bench.good("games.pgn"));
}

#[test]
fn what_a_database_holds_is_not_new() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    bench.write("known.pgn", game("known", "Ann-Bob", "", LONG) + &game("short", "Ann-Bob", "", SHORT));
    let db = Db::open(bench.path("games.db"), db::Options::default()).unwrap();
    let games = Reader::new([Input::path(bench.path("known.pgn"))], ReaderOptions::default());
    let games = games.map(|record| {
        let record = record.unwrap();
        let stored = StoredGame {
            kind: GameKind::Finite(Game::Western),
            tags: Collection::default().tags(&record).into_iter().collect(),
            result: GameResult::Draw,
            start: "".into(),
            moves: Moves::finite([]),
            source: db::Origin::default(),
            extra: Box::default(),
        };
        let hash = Collection::default().fingerprint(&record, By::Game).unwrap().digest;
        NewGame { game: stored, hash, positions: Vec::new(), laws: None }
    });
    db.ingest(Batch { games: games.collect(), ..Batch::default() }, &Rules::new(Profile::Plain), None)
        .unwrap();
    db.close().unwrap();
    let new = ["cut", "transposed", "short of others", "empty", "empty of others"];
    assert_eq!(bench.events("games.pgn --db games.db --report pairs"), new);
    let pairs = bench.pairs("pairs");
    assert_eq!(pairs[0], pair(2, 0, true, "certain"));
    assert!(pairs.contains(&pair(7, 1, false, "doubtful")), "{pairs:?}");
    assert!(bench.read("pairs").starts_with(
        r#"{"schema":1,"game":{"path":"games.pgn","record":2,"line":8},"kept":{"path":"games.db","record":0,"line":null},"dropped":true"#
    ));

    // The games in this database are not those that their hashes say.
    let output = bench.run("games.pgn --db games.db --paranoid -o kept.pgn");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(bench.read("kept.pgn"), bench.good("games.pgn"));
    let expected = [
        "warning: games.pgn:8 has the hash of games.db:0 and differs",
        "warning: games.pgn:16 has the hash of games.db:0 and differs",
        "warning: games.pgn:25 has the hash of games.db:0 and differs",
        "warning: 5 games share a hash with another game and differ from it: kept",
        "10 records: kept 7, removed 3 duplicates (2 certain, 1 likely), 1 of the kept games may be a duplicate",
    ];
    assert_eq!(talk(&output).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn comparing_texts_changes_nothing_for_honest_games() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    fs::copy(corpus("games/tom-ben-old.icn"), bench.path("old.icn")).unwrap();
    fs::copy(corpus("games/tom-ben-today.icn"), bench.path("today.icn")).unwrap();
    for by in ["game", "moves", "final", "prefix"] {
        for more in ["", "--keep longest", "--keep richest", "--merge-tags", "--keep richest --merge-tags"] {
            let run = |paranoid: &str, threads: u8| {
                let args = format!(
                    "games.pgn old.icn today.icn --by {by} {more} {paranoid} --threads {threads} \
                     --report pairs --duplicates copies"
                );
                let output = bench.run(&args);
                assert!(output.status.success(), "{args}: {}", talk(&output));
                (output.stdout.clone(), talk(&output), bench.read("pairs"), bench.read("copies"))
            };
            let plain = run("", 1);
            assert_eq!(plain, run("--paranoid", 1), "--by {by} {more}");
            assert_eq!(plain, run("--paranoid", 3), "--by {by} {more}");
        }
    }
}

#[test]
fn what_a_database_really_holds_is_not_new() {
    let bench = Bench::new();
    bench.write("games.pgn", mixture());
    bench.write("known.pgn", game("known", "Ann-Bob", "", LONG) + &game("short", "Ann-Bob", "", SHORT));
    for (db, rights) in [("plain.db", ""), ("rights.db", "--rights")] {
        let mut import = Command::new(env!("CARGO_BIN_EXE_boardprint"));
        let args = format!("import known.pgn --db {db} {rights}");
        import.current_dir(bench.folder.path()).args(args.split_ascii_whitespace());
        assert!(import.output().unwrap().status.success());
        for by in ["game", "prefix"] {
            let run = |paranoid: &str| {
                let kept = bench.good(&format!("games.pgn --db {db} --by {by} {paranoid} --report pairs"));
                (kept, bench.read("pairs"))
            };
            assert_eq!(run(""), run("--paranoid"), "{db}");
            assert!(run("").1.contains(r#""dropped":true"#));
        }
    }
}
