//! A database in which one value is anything whatever.

use std::sync::{Arc, LazyLock};

use boardprint_base::{Digest, GameResult, Move, PieceKind, Square, Tag};
use boardprint_store::db::{
    Batch, Db, Engine as _, MemoryEngine, Moves, NewGame, Options, Origin, Pair, Replay, Replayed, Source,
    StoredGame, Tree, WesternMove, Write,
};

/// A small database with a value of every kind in it.
static WHOLE: LazyLock<Vec<(Tree, Pair)>> = LazyLock::new(|| {
    let engine = Arc::new(MemoryEngine::new());
    let db = Db::with_engine(engine.clone(), options()).expect("an empty engine");
    for batch in 0..3_u64 {
        let games = (0..6).map(|number| game(batch * 5 + number)).collect();
        let source =
            Source { path: "a.icn".into(), stamp: Digest::of(b"a"), offset: 10 * batch, records: 6 * batch };
        db.ingest(Batch { games, sources: vec![source], ..Batch::default() }).expect("a good batch");
    }
    db.close().expect("memory does not fail");
    let pairs = |tree| {
        let pairs = engine.scan(tree, &[], &[0xff; 64], 1_000).expect("memory does not fail");
        pairs.into_iter().map(move |pair| (tree, pair))
    };
    Tree::ALL.into_iter().flat_map(pairs).collect()
});

fn options() -> Options {
    Options::default().hot_threshold(2).fan_in(2)
}

/// The game with a number; some are the same.
fn game(number: u64) -> NewGame {
    let moves = if number.is_multiple_of(2) {
        let square = |n: u64| u8::try_from(n % 64).expect("below 64");
        Moves::western((0..number).filter_map(|ply| WesternMove::new(square(ply), square(ply + 9), None)))
    } else {
        let far = Square::new(1_000_000_007, -3);
        let mut moves = vec![Move::new(Square::new(4, 2), far.clone()); 3];
        moves[1].to = format!("{number}00000000000000000000000000,-1").parse().expect("a square");
        moves[2].promotion = Some(PieceKind::Queen);
        Moves::infinite(moves.iter())
    };
    let game = StoredGame {
        tags: vec![Tag { name: "White".into(), value: number.to_string().into() }],
        result: GameResult::ALL[usize::try_from(number % 4).expect("below 4")],
        start: if number.is_multiple_of(2) { "" } else { "K0,0|k5,9" }.into(),
        moves,
        source: Origin::default(),
        extra: Box::default(),
    };
    let Replayed { hash, positions } = Rules.replay(&game).expect("never fails");
    NewGame { game, hash, positions }
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

/// The seeds: which value, and its body; that of a block of games unpacked.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |(index, (tree, (_, value))): (usize, &(Tree, Pair))| {
        let body = &value[1..value.len() - 4];
        let body = if *tree == Tree::Games { unpack(body) } else { body.to_vec() };
        [vec![u8::try_from(index).expect("a small database")], body].concat()
    };
    WHOLE.iter().enumerate().map(seed).collect()
}

/// A block of games begins with their number and the length of the rest, both short here.
fn unpack(body: &[u8]) -> Vec<u8> {
    let head = 1 + body.iter().skip(1).take_while(|byte| **byte >= 0x80).count() + 1;
    let raw = zstd::bulk::decompress(&body[head..], 1 << 20).expect("we packed it");
    [&body[..1], &raw].concat()
}

fn pack(body: &[u8]) -> Vec<u8> {
    let (count, raw) = body.split_first().map_or((0, body), |(count, raw)| (*count & 0x7f, raw));
    let mut out = vec![count];
    let mut length = raw.len();
    while length >= 0x80 {
        out.push(u8::try_from(length & 0x7f).expect("seven bits") | 0x80);
        length >>= 7;
    }
    out.push(u8::try_from(length).expect("seven bits"));
    out.extend(zstd::bulk::compress(raw, 1).expect("memory is enough"));
    out
}

/// The store: one value replaced by any bytes with a right checksum is read or reported, never a panic; and the value as it
/// was is found to be in order.
pub fn store(bytes: &[u8]) {
    let Some((&which, body)) = bytes.split_first() else { return };
    let engine = MemoryEngine::new();
    let put = |(tree, (key, value)): &(Tree, Pair)| Write::Put {
        tree: *tree,
        key: key.clone(),
        value: value.clone(),
    };
    engine.apply(WHOLE.iter().map(put).collect()).expect("memory does not fail");
    let (tree, (key, whole)) = &WHOLE[usize::from(which) % WHOLE.len()];
    let mut value = vec![1];
    value.extend(if *tree == Tree::Games { pack(body) } else { body.to_vec() });
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&[*tree as u8]);
    checksum.update(key);
    checksum.update(&value);
    value.extend(checksum.finalize().to_le_bytes());
    let is_whole = value == *whole;
    let damaged = Write::Put { tree: *tree, key: key.clone(), value };
    engine.apply(vec![damaged]).expect("memory does not fail");

    let Ok(db) = Db::with_engine(Arc::new(engine), options()) else { return assert!(!is_whole) };
    let snapshot = db.snapshot();
    let _ = snapshot.stats();
    let games = snapshot.export_games().take(100).flatten().count();
    let positions = snapshot.export_positions().take(10_000).flatten().count();
    for number in 0..3 {
        let new = game(number);
        let _ = (snapshot.game(number), snapshot.find_game(&new.hash));
        for (position, _) in &new.positions {
            let _ = snapshot.tally(position);
            let _ = snapshot.lookup(position).map(|found| found.take(100).count());
        }
    }
    let report = snapshot.verify(Some(&Rules));
    if is_whole {
        assert!(report.expect("a whole database").findings.is_empty());
        assert!(games > 10 && positions > 10);
    }
    let _ = db.ingest(Batch { games: vec![game(99)], ..Batch::default() });
    let _ = db.settle();
}
