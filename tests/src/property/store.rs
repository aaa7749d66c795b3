//! A database in which one value is anything whatever.

use std::sync::Arc;

use boardprint_base::{Digest, GameResult, Move, PieceKind, Square};
use boardprint_finite::Game;
use boardprint_store::db::{
    Batch, Db, Engine as _, GameKind, MemoryEngine, Moves, NewGame, Options, Origin, Pair, Question, Replay,
    Replayed, Source, StoredGame, Tags, Tree, Write,
};

/// A small database with a value of every kind in its index.
fn whole() -> (Arc<MemoryEngine>, Db) {
    let engine = Arc::new(MemoryEngine::new());
    let db = Db::with_engine(engine.clone(), options()).expect("an empty engine");
    for batch in 0..3_u64 {
        let games = (0..6).map(|number| game(batch * 5 + number)).collect();
        let source =
            Source { path: "a.icn".into(), stamp: Digest::of(b"a"), offset: 10 * batch, records: 6 * batch };
        db.ingest(Batch { games, sources: vec![source], ..Batch::default() }, &Rules, None)
            .expect("a good batch");
    }
    (engine, db)
}

/// What the index holds.
fn pairs(engine: &MemoryEngine) -> Vec<(Tree, Pair)> {
    let of = |tree| {
        let pairs = engine.scan(tree, &[], &[0xff; 64], 1_000).expect("memory does not fail");
        pairs.into_iter().map(move |pair| (tree, pair))
    };
    Tree::ALL.into_iter().flat_map(of).collect()
}

fn options() -> Options {
    Options::default().counts_from(2).fan_in(2)
}

/// The game with a number; some are the same.
fn game(number: u64) -> NewGame {
    let moves = if number.is_multiple_of(2) {
        let square = |n: u64| u16::try_from(n % 64).expect("below 64");
        Moves::finite((0..number).map(|ply| square(ply) | square(ply + 9) << 6))
    } else {
        let far = Square::new(1_000_000_007, -3);
        let mut moves = vec![Move::new(Square::new(4, 2), far.clone()); 3];
        moves[1].to = format!("{number}00000000000000000000000000,-1").parse().expect("a square");
        moves[2].promotion = Some(PieceKind::Queen);
        Moves::infinite(moves.iter())
    };
    let game = StoredGame {
        kind: if number.is_multiple_of(2) { GameKind::Finite(Game::Western) } else { GameKind::Infinite },
        tags: Tags::from_iter([("White", number.to_string())]),
        result: GameResult::ALL[usize::try_from(number % 4).expect("below 4")],
        start: if number.is_multiple_of(2) { "" } else { "K0,0|k5,9" }.into(),
        moves,
        source: Origin::default(),
        extra: Box::default(),
    };
    let Replayed { hash, positions, laws } = Rules.replay(&game).expect("never fails");
    NewGame { game, hash, positions, laws }
}

/// Rules under which a position is the text of the moves before it.
struct Rules;

impl Replay for Rules {
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
        let mut text = format!("game {}", game.start);
        for step in &game.moves {
            text.push_str(&step.to_string());
        }
        Ok(text.into_bytes())
    }

    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        let mut text = game.start.to_string();
        each(text.as_bytes());
        for step in &game.moves {
            text.push_str(&step.to_string());
            each(text.as_bytes());
        }
        Ok(())
    }
}

/// The seeds: which value, and its body.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |(index, (_, (_, value))): (usize, &(Tree, Pair))| {
        [&[u8::try_from(index).expect("a small database")], &value[1..value.len() - 4]].concat()
    };
    pairs(&whole().0).iter().enumerate().map(seed).collect()
}

/// The store: one value of the index replaced by any bytes with a right checksum is read or reported, never a
/// panic; and the value as it was is found to be in order.
pub fn store(bytes: &[u8]) {
    let Some((&which, body)) = bytes.split_first() else { return };
    let (engine, db) = whole();
    let pairs = pairs(&engine);
    let (tree, (key, whole)) = &pairs[usize::from(which) % pairs.len()];
    let mut value = vec![whole[0]];
    value.extend_from_slice(body);
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&[*tree as u8]);
    checksum.update(key);
    checksum.update(&value);
    value.extend(checksum.finalize().to_le_bytes());
    let is_whole = value == *whole;
    let damaged = Write::Put { tree: *tree, key: key.clone(), value };
    engine.apply(vec![damaged]).expect("memory does not fail");

    let snapshot = db.snapshot();
    let _ = snapshot.stats();
    let games = snapshot.export().map_or(0, |log| log.games().take(100).flatten().count());
    let positions = snapshot.export_positions().take(10_000).flatten().count();
    for number in 0..3 {
        let new = game(number);
        let _ = (snapshot.game(number), snapshot.row(number), snapshot.find_game(&new.hash));
        for (position, _) in &new.positions {
            let _ = snapshot.tally(position);
            let _ = snapshot.answer(&Question::new(*position), &Rules);
            let _ = snapshot.lookup(position).map(|found| found.take(100).count());
        }
    }
    let report = snapshot.verify(&Rules);
    if is_whole {
        assert!(report.expect("a whole database").findings.is_empty());
        assert!(games > 10 && positions > 10);
    }
    let _ = db.ingest(Batch { games: vec![game(99)], ..Batch::default() }, &Rules, None);
}
