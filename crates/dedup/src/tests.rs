use proptest::prelude::*;

use super::*;
use boardprint_records::{Input, ReaderOptions};

/// Everything that a run hands on.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    kept: Vec<(String, Vec<(String, String)>)>,
    pub(super) dropped: Vec<Pair>,
    pub(super) doubts: Vec<Pair>,
    rejected: usize,
    /// Record of the game, record of the other.
    collisions: Vec<(u64, u64)>,
    passes: Vec<Pass>,
}

impl Sink for Taken {
    type Error = std::convert::Infallible;

    fn begin(&mut self, pass: Pass, _: Progress) {
        self.passes.push(pass);
    }

    fn keep(&mut self, record: &Record, tags: &[(String, String)]) -> Result<(), Self::Error> {
        self.kept.push((record.text.clone(), tags.to_vec()));
        Ok(())
    }

    fn duplicate(&mut self, record: &Record, pair: &Pair) -> Result<(), Self::Error> {
        assert_eq!(Some(record.number), pair.game.record);
        assert_eq!(Some(record.line), pair.game.line);
        self.dropped.push(pair.clone());
        Ok(())
    }

    fn doubt(&mut self, pair: &Pair) -> Result<(), Self::Error> {
        self.doubts.push(pair.clone());
        Ok(())
    }

    fn collide(&mut self, game: &Place, other: &Place) -> Result<(), Self::Error> {
        self.collisions.push((game.record.unwrap(), other.record.unwrap()));
        Ok(())
    }

    fn reject(&mut self, _: Reject<'_>) -> Result<(), Self::Error> {
        self.rejected += 1;
        Ok(())
    }
}

impl Taken {
    /// The names in the `Event` tags of what stays.
    fn events(&self) -> Vec<String> {
        self.kept.iter().map(|(text, _)| boardprint_games::pgn::tags(text)[0].raw.to_owned()).collect()
    }

    /// Number of the dropped game, number of the kept one, confidence.
    pub(super) fn pairs(pairs: &[Pair]) -> Vec<(u64, u64, Confidence)> {
        pairs
            .iter()
            .map(|pair| (pair.game.record.unwrap(), pair.kept.record.unwrap(), pair.confidence))
            .collect()
    }
}

pub(super) fn run_on(text: &str, options: &DedupOptions) -> (Taken, Summary) {
    run_with(&[Input::text(text)], options, &Collection::default())
}

fn run_with(inputs: &[Input], options: &DedupOptions, games: &Collection) -> (Taken, Summary) {
    let one = |threads| {
        let mut taken = Taken::default();
        let reading = ReaderOptions::default().cut_text(true);
        let options = options.clone().threads(threads);
        let summary = run(inputs, &reading, &options, games, &mut taken);
        (taken, summary.unwrap())
    };
    let alone = one(1);
    assert_eq!(alone, one(3), "threads change nothing");
    let (taken, summary) = alone;
    let total = summary.kept + summary.dropped() + summary.rejected;
    assert_eq!(total, summary.records, "every record is kept, dropped or rejected");
    assert_eq!(summary.kept, taken.kept.len() as u64);
    (taken, summary)
}

pub(super) fn game(event: &str, players: &str, extra: &str, moves: &str) -> String {
    let (white, black) = players.split_once('-').unwrap();
    format!(
        "[Event \"{event}\"]\n[Date \"2024.01.02\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{extra}\n{moves} *\n\n"
    )
}

const LONG: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
const SHORT: &str = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6";
const TINY: &str = "1. e4 e5 2. Nf3";

#[test]
fn the_first_of_equal_games_stays() {
    let long = LONG.replace("O-O", "0-0").replace("Nbd7", "Nbd7 {x}");
    let text = [
        game("a", "Ann,A-Bob", "", LONG),
        game("b", "ann-BOB, B.", "", &long),
        game("c", "Carl-Dora", "", LONG),
        game("d", "Carl-Dora", "", "1. e4 1-0 e5"),
        game("e", "Carl-Dora", "", &LONG.replace("10. d4", "10. d3")),
    ];
    let (taken, summary) = run_on(&text.concat(), &DedupOptions::default());
    assert_eq!(taken.events(), ["a", "e"]);
    assert_eq!(Taken::pairs(&taken.dropped), [(2, 1, Confidence::Certain), (3, 1, Confidence::Likely)]);
    assert_eq!((summary.certain, summary.likely, summary.rejected), (1, 1, 1));
    assert_eq!(taken.passes, [Pass::Only]);
}

#[test]
fn short_games_of_other_players_are_doubts() {
    let text = [
        game("a", "Ann-Bob", "", SHORT),
        game("b", "Carl-Dora", "", SHORT),
        game("c", "Ann-Bob", "", SHORT),
        game("d", "Carl-Dora", "", SHORT),
    ];
    let (taken, _) = run_on(&text.concat(), &DedupOptions::default());
    assert_eq!(taken.events(), ["a", "b"]);
    assert_eq!(Taken::pairs(&taken.dropped), [(3, 1, Confidence::Certain), (4, 2, Confidence::Certain)]);
    assert_eq!(Taken::pairs(&taken.doubts), [(2, 1, Confidence::Doubtful)]);

    let (taken, summary) =
        run_on(&text.concat(), &DedupOptions::default().min_confidence(Confidence::Doubtful));
    assert_eq!((taken.events(), summary.doubtful), (vec!["a".to_owned()], 2));
    let (taken, _) = run_on(&text.concat(), &DedupOptions::default().min_plies(50));
    assert_eq!((taken.events().len(), taken.doubts), (2, vec![]));
}

#[test]
fn empty_games_are_not_lumped_together() {
    for moves in ["", TINY] {
        let text = [
            game("a", "Ann-Bob", "", moves),
            game("b", "Carl-Dora", "", moves),
            game("c", "?-?", "", moves),
            game("d", "?-?", "", moves),
            game("e", "Ann-Bob", "", moves),
            game("f", "Ann-Bob", "", moves).replace("2024.01.02", "2024.01.03"),
        ];
        for by in [By::Game, By::Moves, By::Final, By::Prefix] {
            let (taken, _) = run_on(&text.concat(), &DedupOptions::default().by(by));
            assert_eq!(taken.events(), ["a", "b", "c", "d", "f"], "{by:?}");
            assert_eq!(Taken::pairs(&taken.dropped), [(5, 1, Confidence::Certain)]);
        }
    }
}

#[test]
fn the_same_last_position_is_enough_for_final() {
    let other = LONG.replace("1. e4 e5 2. Nf3 Nc6", "1. Nf3 Nc6 2. e4 e5");
    let text = [game("a", "Ann-Bob", "", LONG), game("b", "Ann-Bob", "", &other)].concat();
    assert_eq!(run_on(&text, &DedupOptions::default()).0.events(), ["a", "b"]);
    assert_eq!(run_on(&text, &DedupOptions::default().by(By::Final)).0.events(), ["a"]);
    let longer = LONG.replace("1. e4", "1. e3").replace("10. d4", "2. e4 Nf6 3. Nc3 Ng8 4. Nb1 Nf6 10. d4");
    let text = [game("a", "Ann-Bob", "", LONG), game("b", "Ann-Bob", "", &longer)].concat();
    assert_eq!(run_on(&text, &DedupOptions::default().by(By::Final)).1.dropped(), 0);
}

#[test]
fn the_longer_game_stays_by_prefix() {
    let cut = LONG.rsplit_once(" Nb8").unwrap().0;
    let more = format!("{LONG} 11. Nbd2 Bb7");
    let text = [
        game("cut", "Ann-Bob", "", cut),
        game("whole", "Ann-Bob", "", &more),
        game("again", "Eve-Fay", "", LONG),
        game("other", "Gil-Hal", "", SHORT),
        game("nothing", "Ann-Bob", "", ""),
        game("nothing of others", "Ida-Jo", "", ""),
    ];
    for text in [text.concat(), text.iter().rev().cloned().collect()] {
        let (taken, _) = run_on(&text, &DedupOptions::default().by(By::Prefix));
        let mut events = taken.events();
        events.sort();
        assert_eq!(events, ["nothing of others", "other", "whole"]);
        assert_eq!(taken.passes, [Pass::Compare, Pass::Write], "the moves are not read twice");
    }
    let (taken, _) = run_on(&text.concat(), &DedupOptions::default().by(By::Prefix));
    let pairs = [(1, 2, Confidence::Certain), (3, 2, Confidence::Likely), (5, 2, Confidence::Certain)];
    assert_eq!(Taken::pairs(&taken.dropped), pairs);
}

#[test]
fn a_chain_of_copies_is_as_sure_as_its_weakest_link() {
    let more = format!("{LONG} 11. Nbd2 Bb7");
    let text =
        [game("a", "Ann-Bob", "", LONG), game("b", "Ann-Bob", "", LONG), game("c", "Carl-Dora", "", &more)];
    let (taken, _) = run_on(&text.concat(), &DedupOptions::default().by(By::Prefix));
    assert_eq!(Taken::pairs(&taken.dropped), [(1, 3, Confidence::Likely), (2, 3, Confidence::Likely)]);
}

#[test]
fn a_short_beginning_of_other_players_is_a_doubt() {
    let more = format!("{SHORT} 7. Bh4 b6");
    let text = [game("a", "Ann-Bob", "", SHORT), game("b", "Carl-Dora", "", &more)].concat();
    let (taken, _) = run_on(&text, &DedupOptions::default().by(By::Prefix));
    assert_eq!(taken.events(), ["a", "b"]);
    assert_eq!(Taken::pairs(&taken.doubts), [(1, 2, Confidence::Doubtful)]);
}

#[test]
fn the_richest_stays_and_takes_what_it_lacks() {
    let rated = "[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n";
    let text = [
        game("poor", "Ann-Bob", "[ECO \"C84\"]\n[Round \"?\"]\n", LONG),
        game("other", "Ann-Bob", "", SHORT),
        game("rich", "Ann-Bob", rated, &LONG.replace("Nbd7", "Nbd7 {[%clk 0:01:00]}")),
        game("late", "Ann-Bob", "[Round \"7\"]\n", LONG),
    ]
    .concat();
    let options = DedupOptions::default().keep(Keep::Richest).merge_tags(true);
    let (taken, _) = run_on(&text, &options);
    assert_eq!(taken.events(), ["other", "rich"]);
    assert_eq!(Taken::pairs(&taken.dropped), [(1, 3, Confidence::Certain), (4, 3, Confidence::Certain)]);
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(taken.kept[1].1, [tag("ECO", "C84"), tag("Round", "7")]);
    assert_eq!(taken.passes, [Pass::Compare, Pass::Tags, Pass::Write]);

    let (taken, _) = run_on(&text, &DedupOptions::default().merge_tags(true));
    assert_eq!(taken.events(), ["poor", "other"]);
    let merged = boardprint_games::pgn::with_tags(&taken.kept[0].0, &taken.kept[0].1);
    assert!(merged.contains("[Round \"7\"]\n[WhiteElo \"2500\"]"), "{merged}");
    assert!(!merged.contains('?'));
}

#[test]
fn rows_of_the_report_are_json_lines() {
    let text = [game("a", "Ann-Bob", "", LONG), game("b", "Ann-Bob", "", LONG)].concat();
    let (taken, _) = run_on(&text, &DedupOptions::default());
    let row = serde_json::to_string(&taken.dropped[0]).unwrap();
    let game = r#"{"game":{"path":"-e","record":2,"line":8},"kept":{"path":"-e","record":1,"line":1},"dropped":true,"#;
    let rest = r#""by":"game","confidence":"certain","reason":"same laws, start, moves and players"}"#;
    assert_eq!(row, format!("{game}{rest}"));
}

#[test]
fn places_count_bad_records_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let good = game("a", "Ann-Bob", "", LONG);
    let paths = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    std::fs::write(&paths[0], format!("{}{good}", game("bad", "Ann-Bob", "", "1. e5"))).unwrap();
    std::fs::write(&paths[1], &good).unwrap();
    let mut taken = Taken::default();
    let inputs = paths.clone().map(Input::path);
    run(&inputs, &ReaderOptions::default(), &DedupOptions::default(), &Collection::default(), &mut taken)
        .unwrap();
    let pair = &taken.dropped[0];
    assert_eq!((&*pair.game.path, pair.game.record), (&*paths[1].to_string_lossy(), Some(1)));
    assert_eq!(
        (&*pair.kept.path, pair.kept.record, pair.kept.line),
        (&*paths[0].to_string_lossy(), Some(2), Some(8))
    );
}

/// A collection some of whose games are known from elsewhere.
struct Elsewhere<F>(F);

impl<F: Fn(&Fingerprint) -> Option<Known> + Sync> Games for Elsewhere<F> {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, RecordError> {
        Collection::default().fingerprint(record, by)
    }

    fn tags(&self, record: &Record) -> Vec<(String, String)> {
        Collection::default().tags(record)
    }

    fn known(&self, game: &Fingerprint) -> Option<Known> {
        self.0(game)
    }
}

fn in_a_database() -> Place {
    Place { path: "games.db".into(), record: Some(7), line: None }
}

#[test]
fn games_known_from_elsewhere_go() {
    let elsewhere = Elsewhere(|game: &Fingerprint| {
        let known = Known {
            place: in_a_database(),
            players: players_key("Ann", "Bob"),
            date: date_key("2024.01.02"),
            text: game.text.text.clone(),
        };
        (game.plies != 11).then_some(known)
    });
    let text = [
        game("a", "Ann-Bob", "", LONG),
        game("b", "Carl-Dora", "", LONG),
        game("new", "Ann-Bob", "", SHORT.rsplit_once(' ').unwrap().0),
        game("c", "Ann-Bob", "", SHORT),
        game("doubtful", "Carl-Dora", "", SHORT),
        game("d", "Ann-Bob", "", ""),
        game("empty", "Carl-Dora", "", ""),
        game("nobody's", "?-?", "", SHORT),
        game("again", "Carl-Dora", "", SHORT),
    ]
    .concat();
    for keep in [Keep::First, Keep::Richest] {
        let mut taken = Taken::default();
        let reading = ReaderOptions::default().cut_text(true);
        run(&[Input::text(&*text)], &reading, &DedupOptions::default().keep(keep), &elsewhere, &mut taken)
            .unwrap();
        assert_eq!(taken.events(), ["new", "doubtful", "empty", "nobody's"]);
        let (certain, likely, doubtful) = (Confidence::Certain, Confidence::Likely, Confidence::Doubtful);
        let dropped = [(1, 7, certain), (2, 7, likely), (4, 7, certain), (6, 7, certain), (9, 5, certain)];
        assert_eq!(Taken::pairs(&taken.dropped), dropped);
        assert_eq!(Taken::pairs(&taken.doubts), [(5, 7, doubtful), (8, 7, doubtful)]);
    }
}

#[test]
fn infinite_games_are_one_in_every_dialect() {
    let games = [
        "[Event \"a\"] w 0/100 1 (8|1) P1,2+|K5,1+|k5,8+ 1,2>1,4|5,8>5,7|1,4>1,5|5,7>5,8|1,5>1,6|5,8>5,7",
        "[Event: b]\n\nK5,1|P1,2+|k5,8 (8|1) 0/100\n\n1. P1,2 > 1,4 {x} | k5,8 > 5,7\n2. 1,4 > 1,5 5,7>5,8 3. 1,5>1,6 | 5,8>5,7 1-0",
        "[Event \"other laws\"] 0/100 P1,2+|K5,1|k5,8 1,2>1,4|5,8>5,7|1,4>1,5|5,7>5,8|1,5>1,6|5,8>5,7",
        "[Event \"cut\"] 0/100 (8|1) P1,2+|K5,1|k5,8 1,2>1,4|5,8>5,7|1,4>1,5|5,7>5,8|1,5>1,6",
    ];
    let text = games.join("\n");
    let dropped = |by| Taken::pairs(&run_on(&text, &DedupOptions::default().by(by).min_plies(5)).0.dropped);
    let likely = Confidence::Likely;
    assert_eq!(dropped(By::Game), [(2, 1, likely)]);
    assert_eq!(dropped(By::Moves), [(2, 1, likely), (3, 1, likely)]);
    assert_eq!(dropped(By::Final), [(2, 1, likely), (3, 1, likely)]);
    assert_eq!(dropped(By::Prefix), [(2, 1, likely), (4, 1, likely)]);
}

#[test]
fn equal_positions_are_one_with_certainty() {
    for (text, kept) in [
        ("K1,1|k1,9\nk1,9|K1,1+\nb K1,1|k1,9\n", 2),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", 1),
        ("B--1----\nt--1----\nB--1----\n", 2),
    ] {
        for by in [By::Game, By::Prefix] {
            let (taken, summary) = run_on(text, &DedupOptions::default().by(by));
            assert_eq!((taken.kept.len(), summary.certain), (kept, 1), "{text}");
        }
    }
}

#[test]
fn game_hashes_are_those_of_the_vectors() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/icn/icn.jsonl");
    let mut checked = 0;
    for row in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let Some(digest) = row["game"].as_str() else { continue };
        let game = boardprint_icn::parse(row["icn"].as_str().unwrap()).unwrap().game;
        assert_eq!(boardprint_bridge::game_hash(&game).to_string(), digest, "{}", row["name"]);
        checked += 1;
    }
    assert!(checked > 100);
}

#[test]
fn dates_are_compared_by_value() {
    assert_eq!(date_key("2024.01.05"), date_key("2024/1/5 13:42:06"));
    assert_ne!(date_key("2024.01.05"), date_key("2024.05.01"));
    assert_eq!(date_key("????.??.??"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// What stays is one game of each kind, however the input is ordered.
    #[test]
    fn every_kind_of_game_stays_once(picks in prop::collection::vec((0_usize..4, 0_usize..3), 0..30)) {
        let moves = [LONG.to_owned(), format!("{LONG} 11. Nbd2"), SHORT.to_owned(), TINY.to_owned()];
        let players = ["Ann-Bob", "Carl-Dora", "?-?"];
        let text: String = picks.iter().map(|(m, p)| game("x", players[*p], "", &moves[*m])).collect();
        let has = |m: usize, p: usize| picks.contains(&(m, p));
        let (taken, _) = run_on(&text, &DedupOptions::default());
        // Long games are one whoever played them, short ones of the same players or of nobody, tiny ones of
        // the same players.
        let long = (0..2).filter(|m| (0..3).any(|p| has(*m, p))).count();
        let named: usize = (2..4).map(|m| (0..2).filter(|p| has(m, *p)).count()).sum();
        let unnamed = picks.iter().filter(|pick| **pick == (3, 2)).count() + usize::from(has(2, 2));
        prop_assert_eq!(taken.kept.len(), long + named + unnamed);
        let (taken, _) = run_on(&text, &DedupOptions::default().by(By::Prefix));
        let whole = usize::from(long > 0);
        let beginnings = (0..2).filter(|p| has(3, *p) && (has(0, *p) || has(1, *p))).count();
        prop_assert!(taken.kept.len() >= whole + named + unnamed - beginnings);
        prop_assert!(taken.kept.len() <= whole + named + unnamed);
    }
}

/// Games whose keys somebody chose: the tag `Key` decides, not the moves.
struct Forged;

impl Games for Forged {
    fn fingerprint(&self, record: &Record, by: By) -> Result<Fingerprint, RecordError> {
        let mut print = Collection::default().fingerprint(record, by)?;
        let key = |text: &[u8]| Chain::new(text).key();
        let tags = self.tags(record);
        let tag = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_bytes());
        if let Some(forged) = tag("Key") {
            print.digest = boardprint_base::Digest::of(forged);
            if let Some(line) = &mut print.line {
                line.key = key(forged);
            }
        }
        if let (Some(forged), Some(line)) = (tag("FirstKey"), &mut print.line) {
            line.start = key(forged);
            if tag("Key").is_none() {
                let mut last = line.start;
                line.each_key(|_, key| last = key);
                line.key = last;
            }
        }
        Ok(print)
    }

    fn tags(&self, record: &Record) -> Vec<(String, String)> {
        Collection::default().tags(record)
    }
}

/// A run over forged games, whose collisions are `(game, other)` by record.
fn run_forged(text: &str, options: &DedupOptions) -> (Vec<String>, Vec<(u64, u64)>, u64) {
    let one = |threads| {
        let mut taken = Taken::default();
        let reading = ReaderOptions::default().cut_text(true);
        let options = options.clone().threads(threads);
        let summary = run(&[Input::text(text)], &reading, &options, &Forged, &mut taken).unwrap();
        (taken, summary)
    };
    let (taken, summary) = one(1);
    assert_eq!((&taken, &summary), (&one(3).0, &one(3).1), "threads change nothing");
    assert_eq!(summary.collisions, taken.collisions.len() as u64);
    (taken.events(), taken.collisions, summary.dropped())
}

#[test]
fn different_games_of_one_hash_stay_if_texts_are_compared() {
    let key = "[Key \"1\"]\n";
    let forged = LONG.replace("10. d4", "10. d3");
    let text = [
        game("a", "Ann-Bob", key, LONG),
        game("forged", "Ann-Bob", key, &forged),
        game("copy", "Carl-Dora", key, LONG),
        game("forged again", "Carl-Dora", &format!("{key}[ECO \"A00\"]\n"), &forged),
        game("other", "Eve-Fay", "", &format!("{LONG} 11. Nbd2")),
    ]
    .concat();
    for by in [By::Game, By::Moves, By::Final, By::Prefix] {
        for options in [
            DedupOptions::default(),
            DedupOptions::default().keep(Keep::Longest),
            DedupOptions::default().keep(Keep::Richest),
            DedupOptions::default().merge_tags(true),
            DedupOptions::default().keep(Keep::Richest).merge_tags(true),
        ] {
            let options = options.by(by);
            assert_eq!(run_forged(&text, &options).2, 3, "by their keys they are one, {by:?}");
            let (events, collisions, dropped) = run_forged(&text, &options.paranoid(true));
            // The key is taken by the first game, so that the second forged one stays too.
            assert_eq!(events, ["a", "forged", "forged again", "other"], "{by:?}");
            assert_eq!((collisions, dropped), (vec![(2, 1), (4, 1)], 1), "{by:?}");
        }
    }
}

#[test]
fn a_forged_beginning_stays_if_texts_are_compared() {
    let text = [
        game("victim", "Ann-Bob", "[Key \"1\"]\n", SHORT),
        game("forged", "Ann-Bob", "[FirstKey \"1\"]\n", &format!("{LONG} 11. Nbd2")),
        game("cut", "Ann-Bob", "[FirstKey \"1\"]\n", LONG),
    ]
    .concat();
    // Short games of the same players are looked up with them.
    let options = DedupOptions::default().by(By::Prefix).min_plies(0).min_confidence(Confidence::Doubtful);
    assert_eq!(run_forged(&text, &options), (vec!["forged".to_owned()], vec![], 2));
    let kept = vec!["victim".to_owned(), "forged".to_owned()];
    assert_eq!(run_forged(&text, &options.paranoid(true)), (kept, vec![(1, 2), (1, 3)], 1));
}

#[test]
fn games_that_begin_each_other_end() {
    let text = [
        game("a", "Ann-Bob", "[Key \"1\"]\n[FirstKey \"2\"]\n", SHORT),
        game("b", "Ann-Bob", "[Key \"2\"]\n[FirstKey \"1\"]\n", LONG),
    ]
    .concat();
    let options = DedupOptions::default().by(By::Prefix).min_plies(0);
    assert_eq!(run_forged(&text, &options).0, ["a"]);
    let (events, collisions, _) = run_forged(&text, &options.paranoid(true));
    assert_eq!((events.len(), collisions), (2, vec![(2, 1), (1, 2)]));
}

#[test]
fn a_game_known_from_elsewhere_must_be_the_same_if_texts_are_compared() {
    let text = [game("a", "Ann-Bob", "", LONG), game("b", "Ann-Bob", "", LONG)].concat();
    // Another text, or with none the same one.
    let kept = |other: Option<&[u8]>, keep: Keep, paranoid: bool| {
        let elsewhere = Elsewhere(|game: &Fingerprint| {
            let text = other.map_or_else(|| game.text.text.clone(), <[u8]>::to_vec);
            Some(Known { place: in_a_database(), players: game.players, date: game.date, text })
        });
        let mut taken = Taken::default();
        let reading = ReaderOptions::default().cut_text(true);
        let options = DedupOptions::default().keep(keep).paranoid(paranoid);
        run(&[Input::text(&*text)], &reading, &options, &elsewhere, &mut taken).unwrap();
        (taken.events(), taken.collisions)
    };
    for keep in [Keep::First, Keep::Richest] {
        assert_eq!(kept(Some(b"another"), keep, false), (vec![], vec![]));
        assert_eq!(kept(None, keep, true), (vec![], vec![]));
        let (events, collisions) = kept(Some(b"another"), keep, true);
        assert_eq!((events, collisions), (vec!["a".to_owned()], vec![(1, 7), (2, 7)]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Comparing texts changes nothing as long as nobody cheats.
    #[test]
    fn honest_games_are_the_same_with_texts_compared(
        picks in prop::collection::vec((0_usize..5, 0_usize..3), 0..30),
        by in prop::sample::select(vec![By::Game, By::Moves, By::Final, By::Prefix]),
        keep in prop::sample::select(vec![Keep::First, Keep::Longest, Keep::Richest]),
        merge: bool,
    ) {
        let more = format!("{LONG} 11. Nbd2");
        let moves = [LONG, &more, SHORT, TINY, ""];
        let players = ["Ann-Bob", "Carl-Dora", "?-?"];
        let text: String = (0..).zip(&picks).map(|(n, (m, p))| {
            game("x", players[*p], &format!("[Round{n} \"1\"]\n"), moves[*m])
        }).collect();
        let options = DedupOptions::default().by(by).keep(keep).merge_tags(merge);
        prop_assert_eq!(run_on(&text, &options), run_on(&text, &options.clone().paranoid(true)));
    }
}

#[test]
fn a_western_game_and_the_same_on_the_open_board_are_one_if_asked_for() {
    let players = "[White \"Ann\"]\n[Black \"Bob\"]\n";
    let start = "(8|1) P1,2+|P2,2+|P3,2+|P4,2+|P5,2+|P6,2+|P7,2+|P8,2+|p1,7+|p2,7+|p3,7+|p4,7+|p5,7+|p6,7+|p7,7+|p8,7+|R1,1+|R8,1+|\
        r1,8+|r8,8+|N2,1|N7,1|n2,8|n7,8|B3,1|B6,1|b3,8|b6,8|Q4,1|q4,8|K5,1+|k5,8+";
    let pgn = format!("{players}\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n");
    let moves = "5,2>5,4|5,7>5,5|7,1>6,3|2,8>3,6|6,1>3,4|6,8>3,5|5,1>7,1";
    let icn = format!("{players}0/100 {start} {moves}");
    let bordered = format!("{players}1,8,1,8 {start} {moves}");
    // The knight leaves the board.
    let beyond = format!("{players}{start} {}", moves.replace("2,8>3,6", "2,8>3,10"));
    let inputs = [&pgn, &icn, &bordered, &beyond].map(|text| Input::bytes(text.as_str(), text.as_bytes(), 0));
    let kept = |by: By, across: bool, paranoid: bool| {
        let options = DedupOptions::default().by(by).min_plies(0).paranoid(paranoid);
        run_with(&inputs, &options, &Collection::default().across(across)).1.kept
    };
    for paranoid in [false, true] {
        assert_eq!(kept(By::Moves, false, paranoid), 3);
        assert_eq!(kept(By::Moves, true, paranoid), 2);
        assert_eq!(kept(By::Final, true, paranoid), 2);
        // The laws differ: it would take another criterion.
        assert_eq!(kept(By::Game, true, paranoid), 4);
    }
}

#[test]
fn positions_are_compared_across_boards_under_the_profile() {
    let inputs =
        ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0/100 (8|1) k5,8|K5,1+|R8,1+", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"];
    let inputs = inputs.map(|text| Input::bytes(text, text.as_bytes(), 0));
    for (profile, kept) in [(boardprint_games::Profile::Plain, 1), (boardprint_games::Profile::Rights, 2)] {
        let games = Collection::default().across(true).profile(profile);
        let options = DedupOptions::default().by(By::Moves);
        assert_eq!(run_with(&inputs, &options, &games).1.kept, kept, "{}", profile.name());
    }
}

/// Two games with the same moves, of some players, dates and lengths: the run and the pure function say the
/// same.
#[test]
fn the_decision_is_what_a_run_does() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2";
    let words: Vec<&str> = moves.split(' ').collect();
    let people =
        ["[White \"Ann\"]\n[Black \"Bob\"]\n", "[White \"Cem\"]\n[Black \"Dee\"]\n", "[White \"?\"]\n"];
    let days = ["[Date \"2024.01.05\"]\n", "[Date \"2024.1.6\"]\n", ""];
    let options = DedupOptions::default().keep(Keep::Richest);
    let mut seen = std::collections::BTreeSet::new();
    for length in [3, 18, 27, words.len()] {
        let play = words[..length].join(" ");
        for (first, second) in people.iter().flat_map(|a| people.iter().map(move |b| (*a, *b))) {
            for (one, other) in days.iter().flat_map(|a| days.iter().map(move |b| (*a, *b))) {
                let texts =
                    [format!("{first}{one}\n{play} *"), format!("{second}{other}[Site \"x\"]\n\n{play} *")];
                let facts = texts.each_ref().map(|text| {
                    let reading = boardprint_games::ReadOptions::default();
                    Facts::of(&reading.read_text(boardprint_games::Format::Pgn, text).unwrap().content)
                });
                let (taken, summary) = run_on(&texts.join("\n\n"), &options);
                let decided = options.decide(&facts[0], &facts[1]);
                let (kept, doubts) = match decided {
                    Decision::Different => (2, 0),
                    Decision::Doubt(_) => (2, 1),
                    Decision::Same { .. } => (1, 0),
                };
                assert_eq!((summary.kept, summary.doubts), (kept, doubts), "{decided:?}: {texts:?}");
                if let Decision::Same { confidence, stays } = decided {
                    let number = if stays == Stays::First { 1 } else { 2 };
                    assert_eq!(Taken::pairs(&taken.dropped), [(3 - number, number, confidence)], "{texts:?}");
                }
                seen.insert(format!("{decided:?}"));
            }
        }
    }
    assert!(seen.len() > 4, "{seen:?}");
}
