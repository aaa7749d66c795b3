//! Hashes: of every ICN row, of every identity, and after every ply of every game.

use boardprint_base::replay::{Replay, play};
use boardprint_base::{Digest, Move};
use boardprint_bridge::{Marks, Namer, Trail, exact_hash, game_hash};
use boardprint_icn::parse;
use boardprint_tests::{report, rows};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct IcnRow {
    name: String,
    icn: String,
    exact: Option<Digest>,
    game: Option<Digest>,
    cph: Option<Digest>,
}

#[test]
fn every_row_of_icn_has_its_three_hashes() {
    let rows: Vec<IcnRow> = rows("icn/icn.jsonl");
    let mut namer = Namer::new();
    let mut failures = Vec::new();
    for row in rows.iter().filter(|row| row.exact.is_some()) {
        let game = parse(&row.icn).unwrap_or_else(|e| panic!("{}: {e}", row.name)).game;
        let hashes = (exact_hash(&game.start), game_hash(&game), namer.cph(&game.start).digest());
        if (Some(hashes.0), Some(hashes.1), Some(hashes.2)) != (row.exact, row.game, row.cph) {
            failures.push(format!("{}: {hashes:?}", row.name));
        }
    }
    report("rows of icn.jsonl", rows.len(), &failures);
}

#[derive(Deserialize)]
struct Group {
    #[serde(rename = "group")]
    name: String,
    equal: bool,
    texts: Vec<String>,
}

#[test]
fn texts_of_one_game_have_one_game_hash_and_twins_do_not() {
    let groups: Vec<Group> = rows("icn/icn-equal.jsonl");
    for group in &groups {
        let mut hashes: Vec<Digest> = group
            .texts
            .iter()
            .map(|text| game_hash(&parse(text).expect("the texts are good").game))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), if group.equal { 1 } else { group.texts.len() }, "{}", group.name);
    }
}

#[derive(Deserialize)]
struct IdentityRow {
    name: String,
    icn: String,
    cpn: String,
    cph: Digest,
    cph_as_given: Option<Digest>,
}

#[test]
fn every_identity_has_its_cpn_and_its_hashes() {
    let rows: Vec<IdentityRow> = rows("identity/identity.jsonl");
    let (mut namer, mut as_given) = (Namer::new(), Namer::with_marks(Marks::AsGiven));
    let mut failures = Vec::new();
    for row in &rows {
        let position = parse(&row.icn).unwrap_or_else(|e| panic!("{}: {e}", row.name)).game.start;
        let good = namer.cpn(&position) == row.cpn.as_bytes()
            && namer.cph(&position).digest() == row.cph
            && row.cph_as_given.is_none_or(|wanted| as_given.cph(&position).digest() == wanted);
        if !good {
            failures.push(row.name.clone());
        }
    }
    report("rows of identity.jsonl", rows.len(), &failures);
}

#[derive(Deserialize)]
struct ReplayRow {
    id: String,
    icn: String,
    cph: Vec<Digest>,
}

#[test]
fn a_trail_names_every_ply_as_a_namer_does() {
    let mut namer = Namer::new();
    let mut trail = Trail::new();
    for row in rows::<ReplayRow>("replay/replay.jsonl") {
        let game = parse(&row.icn).unwrap_or_else(|e| panic!("{}: {e}", row.id)).game;
        let mut replay = Replay::new(&game);
        assert_eq!(trail.start(replay.position()), namer.cph(replay.position()), "{}", row.id);
        while let Some(played) = replay.step().unwrap_or_else(|e| panic!("{}: {e}", row.id)) {
            let ply = replay.ply();
            assert_eq!(
                trail.step(replay.position(), &played),
                namer.cph(replay.position()),
                "{} ply {ply}",
                row.id
            );
        }
    }
}

proptest! {
    /// Kings, rooks and pawns with rights on few squares: castling, en passant and captures come up often.
    #[test]
    fn a_trail_follows_any_moves(
        pieces in prop::collection::btree_map((1_i64..9, 1_i64..6), ("[KkRrPpQ]", any::<bool>()), 1..14),
        moves in prop::collection::vec((any::<prop::sample::Index>(), -2_i64..3, -2_i64..3), 0..30),
        turn in prop_oneof![Just("w"), Just("b"), Just("w:b:r")],
    ) {
        let list: Vec<String> =
            pieces.iter().map(|((x, y), (code, right))| format!("{code}{x},{y}{}", if *right { "+" } else { "" })).collect();
        let mut position = parse(&format!("{turn} {}", list.join("|"))).unwrap().game.start;
        let (mut namer, mut trail) = (Namer::new(), Trail::new());
        prop_assert_eq!(trail.start(&position), namer.cph(&position));
        for (pick, dx, dy) in moves {
            let from = position.pieces.as_slice()[pick.index(position.pieces.len())].square.clone();
            let played = play(&mut position, &Move::new(from.clone(), from.offset(dx, dy))).unwrap();
            prop_assert_eq!(trail.step(&position, &played), namer.cph(&position));
        }
    }
}

#[test]
fn every_ply_of_every_game_has_its_hash() {
    let rows: Vec<ReplayRow> = rows("replay/replay.jsonl");
    let mut namer = Namer::new();
    let mut failures = Vec::new();
    for row in &rows {
        let game = parse(&row.icn).unwrap_or_else(|e| panic!("{}: {e}", row.id)).game;
        let mut replay = Replay::new(&game);
        let mut hashes = vec![namer.cph(replay.position()).digest()];
        while replay.step().unwrap_or_else(|e| panic!("{}: {e}", row.id)).is_some() {
            hashes.push(namer.cph(replay.position()).digest());
        }
        if hashes != row.cph {
            let ply = hashes.iter().zip(&row.cph).position(|(ours, theirs)| ours != theirs);
            failures.push(format!("{}: first difference at ply {ply:?}", row.id));
        }
    }
    report("games of replay.jsonl", rows.len(), &failures);
}
