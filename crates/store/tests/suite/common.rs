//! Games made up for tests: a game's positions are the hashes of its first moves, so that replaying needs no
//! rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use boardprint_base::{Digest, GameResult, Move, Square};
use boardprint_finite::Game;
use boardprint_games::{Format, Record, RecordError, RecordErrorKind};
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{
    Batch, CopyNote, Db, GameKind, Judge, Moves, NewGame, Origin, Prefix, Prepare, Replay, Replayed,
    Snapshot, Source, StoredGame, Tags, Verdict,
};

/// A small generator of numbers, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// The game with a number. Every seventh is the same as one before, every third is on the unbounded board.
pub(crate) fn game(number: u64) -> NewGame {
    let number = if number % 7 == 6 { number / 2 } else { number };
    let mut random = Random(number * 1_000_003);
    let plies = random.below(25);
    // Few choices at first, so that openings are shared.
    let mut choice = |ply: u64| random.below(if ply < 3 { 2 } else { 40 });
    let infinite = number % 3 == 0;
    let kind = if infinite {
        GameKind::Infinite
    } else {
        GameKind::Finite(Game::ALL[usize::try_from(number % 5).unwrap()])
    };
    let moves = if infinite {
        let far = |n: u64| Square::new(i64::try_from(n).unwrap() * 1_000_000_007, -3);
        let steps: Vec<Move> = (0..plies).map(|ply| Move::new(Square::new(4, 2), far(choice(ply)))).collect();
        Moves::infinite(steps.iter())
    } else {
        Moves::finite((0..plies).map(|ply| 0o14 | u16::try_from(choice(ply)).unwrap() << 6))
    };
    let start = match (kind, number % 50) {
        (GameKind::Infinite, 0) => format!("K0,0|k{number},9"),
        (GameKind::Infinite, _) => "K0,0|k5,9".to_owned(),
        (_, _) => String::new(),
    };
    let game = StoredGame {
        kind,
        tags: Tags::from_iter([
            ("White", format!("Player {}", number % 11)),
            ("Round", number.to_string()),
            ("Date", format!("20{:02}.0{}.??", number % 30, 1 + number % 9)),
            ("WhiteElo", (1500 + number % 1000).to_string()),
        ]),
        result: GameResult::ALL[usize::try_from(number % 4).unwrap()],
        start: start.into(),
        moves,
        source: Origin::default(),
        extra: Box::default(),
    };
    let Replayed { hash, positions, laws } = Rules.replay(&game).unwrap();
    NewGame { game, hash, positions, laws }
}

/// The rules of the made-up games.
pub(crate) struct Rules;

impl Replay for Rules {
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
        let mut text = format!("game {} {}", game.kind.code(), game.start);
        for step in &game.moves {
            text.push_str(&step.to_string());
        }
        Ok(text.into_bytes())
    }

    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        // Finite games share their positions, so that some occur often.
        let mut text = game.start.to_string();
        each(text.as_bytes());
        for step in &game.moves {
            text.push_str(&step.to_string());
            each(text.as_bytes());
        }
        Ok(())
    }

    fn laws(&self, game: &StoredGame) -> Option<String> {
        game.start.contains("k0,9").then(|| "koth".to_owned())
    }
}

/// The batches of an import of games `0..games`, with how far their one source was read.
pub(crate) fn batches(games: u64, size: u64) -> impl Iterator<Item = Batch> {
    (0..games.div_ceil(size)).map(move |batch| {
        let end = games.min((batch + 1) * size);
        let games = (batch * size..end).map(game).collect();
        let source = Source { path: "made up".into(), stamp: Digest::of(b"1"), offset: end, records: end };
        Batch { games, sources: vec![source], ..Batch::default() }
    })
}

/// Source files by name with the games `0..games` each: record `n` is a line with its number.
pub(crate) fn numbers(files: &[(&str, u64)]) -> Reader {
    let file = |(name, games): &(&str, u64)| {
        let lines: Vec<String> = (0..*games).map(|number| number.to_string()).collect();
        Input::bytes(*name, lines.join("\n").into_bytes(), 0)
    };
    Reader::new(files.iter().map(file), ReaderOptions::default().format(Format::Cpn))
}

impl Prepare for Rules {
    fn prepare(&self, record: &Record) -> Result<NewGame, RecordError> {
        let number: u64 = record.text.parse().unwrap();
        if number % 101 == 100 {
            let plies = usize::try_from(number).unwrap();
            return Err(RecordError::of_whole(RecordErrorKind::NoSuchPly { plies }));
        }
        Ok(game(number))
    }
}

/// A rule of tests: games with the same value of a tag are one.
pub(crate) struct ByTag(pub(crate) &'static str, pub(crate) u8);

impl Judge for ByTag {
    fn verdict(&self, stored: &StoredGame, new: &StoredGame) -> Verdict {
        if stored.tag(self.0) == new.tag(self.0) { Verdict::Same(self.1) } else { Verdict::Different }
    }

    fn class(&self, game: &StoredGame) -> u64 {
        game.tag(self.0).map_or(0, |value| {
            Prefix::of(&Digest::of(value.as_bytes())).0.iter().fold(1, |a, b| a << 6 ^ u64::from(*b))
        })
    }
}

/// Everything that a database holds, for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) games: Vec<(u64, StoredGame)>,
    pub(crate) positions: Vec<(Prefix, u64)>,
    pub(crate) sources: Vec<Source>,
    pub(crate) duplicates: u64,
    pub(crate) rejects: u64,
    pub(crate) copies: Vec<CopyNote>,
}

pub(crate) fn content(snapshot: &Snapshot) -> Content {
    let stats = snapshot.stats().unwrap();
    let log = snapshot.export().unwrap();
    Content {
        games: log.games().map(|game| game.map(|game| (game.id, (*game.game).clone())).unwrap()).collect(),
        positions: snapshot.export_positions().map(Result::unwrap).collect(),
        sources: stats.sources,
        duplicates: stats.duplicates,
        rejects: stats.rejects,
        copies: log.copies().map(Result::unwrap).collect(),
    }
}

/// What is wrong with a database.
pub(crate) fn findings(db: &Db) -> Vec<String> {
    let report = db.snapshot().verify(&Rules).unwrap();
    report.findings.iter().map(ToString::to_string).collect()
}

/// The postings of the new games among `0..games`, in a plain map: by prefix, the games and plies.
pub(crate) fn plain_map(games: u64) -> BTreeMap<Prefix, Vec<(u64, u32)>> {
    let mut seen = std::collections::BTreeSet::new();
    let mut map: BTreeMap<Prefix, Vec<(u64, u32)>> = BTreeMap::new();
    for new in (0..games).map(game).filter(|new| seen.insert(new.hash)).zip(0..) {
        for (hash, ply) in &new.0.positions {
            map.entry(Prefix::of(hash)).or_default().push((new.1, *ply));
        }
    }
    map
}

/// Where the databases of a test lie.
pub(crate) struct Home {
    folder: tempfile::TempDir,
    /// The address of a database on a server, in which each name is a schema.
    server: Option<String>,
}

impl Home {
    pub(crate) fn in_a_folder() -> Self {
        Home { folder: tempfile::tempdir().unwrap(), server: None }
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn on_a_server() -> Self {
        let server = Some(crate::server::PgServer::shared().new_database());
        Home { folder: tempfile::tempdir().unwrap(), server }
    }

    /// Where the database with a name lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match &self.server {
            Some(url) => format!("{url}?schema={name}").into(),
            None => self.folder.path().join(name),
        }
    }

    /// This many, or fewer where every question is a journey.
    pub(crate) fn amount(&self, usual: u64) -> u64 {
        if self.server.is_some() { usual / 3 } else { usual }
    }

    /// A folder for other things.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Makes tests of functions: one with databases in a folder, one with databases on a server, if there is one.
macro_rules! everywhere {
    ($($name:ident),* $(,)?) => {
        mod in_a_folder {
            $(#[test]
            fn $name() {
                super::$name(&crate::common::Home::in_a_folder());
            })*
        }

        #[cfg(feature = "postgres")]
        mod on_a_server {
            $(#[test]
            fn $name() {
                if crate::server::there_is_postgres(stringify!($name)) {
                    super::$name(&crate::common::Home::on_a_server());
                }
            })*
        }
    };
}
pub(crate) use everywhere;

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
