//! Databases of version 0.1 (format 1): everything on sled, games in blocks of sixteen in one tree, starts in
//! another.
//!
//! Only what is needed to take the games over is read here: the manifest's sources, the starts, the games.
//! The old folder stays.

use std::path::Path;
use std::sync::Arc;

use boardprint_base::GameResult;

use super::codec::Cursor;
use super::engine::sled as engine;
use super::error::{Error, Result};
use boardprint_finite::Game;

use super::game::{GameKind, Moves, Origin, StoredGame, StoredMove};
use super::head::{DatabaseId, HEAD, Head, sync_folder};
use super::log::{Address, BLOCK_GAMES, BatchEnd, GAMES, Log, SourceMark, Storage, encode_block};
use super::manifest::Source;
use super::replay::Replay;
use super::{Counts, Options};

/// The trees of format 1, with the codes that its checksums have.
const META: (&str, u8) = ("meta", 0);
const OLD_GAMES: (&str, u8) = ("games", 2);
const STARTS: (&str, u8) = ("starts", 3);
const FORMAT: u8 = 1;
const MAX_START: usize = 64 << 10;
const MAX_BLOCK_BYTES: u64 = 1 << 32;

fn damaged(what: impl Into<String>) -> Error {
    Error::Engine(format!("the database of format 1 is damaged: {}", what.into()))
}

/// The body of a value, after its checksum was verified.
fn open<'a>(tree: (&str, u8), key: &[u8], value: &'a [u8]) -> Result<Cursor<'a>> {
    let wrong = || damaged(format!("block {} in {}", hex::encode(key), tree.0));
    let (body, stored) = value.split_last_chunk::<4>().ok_or_else(wrong)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[tree.1]);
    hasher.update(key);
    hasher.update(body);
    match body.split_first() {
        Some((&FORMAT, body)) if hasher.finalize() == u32::from_le_bytes(*stored) => Ok(Cursor::new(body)),
        _ => Err(wrong()),
    }
}

/// What the manifest of format 1 says that is still needed.
struct OldManifest {
    generation: u64,
    profile: String,
    games: u64,
    duplicates: u64,
    rejects: u64,
    sources: Vec<Source>,
}

impl OldManifest {
    fn take(input: &mut Cursor<'_>) -> Option<Self> {
        let generation = input.varint()?;
        let profile = input.text()?.to_owned();
        let _next_run = input.varint()?;
        let games = input.varint()?;
        let (_game_bytes, _starts) = (input.varint()?, input.varint()?);
        let (duplicates, rejects) = (input.varint()?, input.varint()?);
        for _ in 0..4 {
            input.varint()?;
        }
        for _ in 0..3 {
            for _ in 0..input.count()? {
                for _ in 0..5 {
                    input.varint()?;
                }
            }
        }
        let count = input.count()?;
        let sources = (0..count).map(|_| Source::take(input)).collect::<Option<Vec<_>>>()?;
        Some(OldManifest { generation, profile, games, duplicates, rejects, sources })
    }
}

/// Reads a database of format 1 and writes its games as a log of this format; the HEAD for it, which is not
/// written yet. An attempt that was interrupted is begun again.
pub(crate) fn convert(path: &Path, replay: &dyn Replay, base: &Options) -> Result<Head> {
    let (data, acknowledged) = read_head(path)?;
    let folder = path.join(format!("data-{data}"));
    if !folder.is_dir() {
        return Err(Error::BadIndex {
            path: folder,
            why: "the data folder of format 1 is missing".to_owned(),
        });
    }
    engine::check_threads(10)?;
    // Half-written snapshots would keep sled from opening it; they are sled's own leftovers.
    engine::remove_half_snapshots(&folder)?;
    let (db, trees) = engine::open_trees(&folder, base.cache(), &[META.0, OLD_GAMES.0, STARTS.0])?;
    let value =
        engine::guarded(|| trees[0].get(b"manifest"))?.ok_or_else(|| damaged("it has no manifest"))?;
    let old =
        OldManifest::take(&mut open(META, b"manifest", &value)?).ok_or_else(|| damaged("its manifest"))?;
    if old.generation < acknowledged {
        return Err(damaged(format!("it is at state {}, HEAD says {acknowledged}", old.generation)));
    }
    let starts = read_starts(&trees[2])?;
    let games_folder = path.join(GAMES);
    std::fs::create_dir_all(&games_folder).map_err(Error::io("create", &games_folder))?;
    let log = Log::new(Storage::files(games_folder, true), DatabaseId::new(), base.segment_bytes);
    let end = write_games(&log, &trees[1], &starts, &old, replay)?;
    sync_folder(path).map_err(Error::io("sync", path))?;
    drop(trees);
    engine::guarded(move || {
        drop(db);
        Ok(())
    })?;
    let Options { max_ply, .. } = base;
    Ok(Head {
        id: log.id(),
        generation: 1,
        log: end,
        games: old.games,
        index: 0,
        profile: old.profile,
        max_ply: *max_ply,
    })
}

/// The data folder and the state that the HEAD of format 1 names.
fn read_head(path: &Path) -> Result<(u32, u64)> {
    let path = path.join(HEAD);
    let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    let fields = field("data").and_then(|data| Some((u32::try_from(data).ok()?, field("acknowledged")?)));
    fields.ok_or(Error::HeadUnreadable { path, why: "its lines are not those of format 1".to_owned() })
}

fn read_starts(tree: &sled::Tree) -> Result<Vec<Arc<str>>> {
    let mut starts = Vec::new();
    for pair in tree {
        let (key, value) = engine::guarded(|| pair)?;
        let packed = open(STARTS, &key, &value)?.rest();
        let text =
            zstd::bulk::decompress(packed, MAX_START).ok().and_then(|text| String::from_utf8(text).ok());
        starts.push(text.ok_or_else(|| damaged("a start"))?.into());
    }
    Ok(starts)
}

/// Blocks of games in order; a block may stand in several parts.
fn for_each_game(
    tree: &sled::Tree,
    starts: &[Arc<str>],
    end: u64,
    mut each: impl FnMut(StoredGame) -> Result<()>,
) -> Result<()> {
    let mut next = 0;
    let mut finish = |first: u64, packed: &[u8]| -> Result<()> {
        if packed.is_empty() {
            return Ok(());
        }
        if first != next {
            return Err(damaged(format!("game {next} is missing")));
        }
        let games =
            read_block(packed, starts).ok_or_else(|| damaged(format!("the games from {first} on")))?;
        next += games.len() as u64;
        games.into_iter().try_for_each(&mut each)
    };
    let (mut first, mut packed) = (0, Vec::new());
    for pair in tree {
        let (key, value) = engine::guarded(|| pair)?;
        let Ok(bytes) = <[u8; 7]>::try_from(&*key) else { return Err(damaged("a key of games")) };
        let mut number = [0; 8];
        number[3..].copy_from_slice(&bytes[..5]);
        let here = u64::from_be_bytes(number);
        if here >= end {
            break;
        }
        if bytes[5..] == [0, 0] {
            finish(first, &packed)?;
            (first, packed) = (here, Vec::new());
        }
        packed.extend_from_slice(open(OLD_GAMES, &key, &value)?.rest());
    }
    finish(first, &packed)
}

fn read_block(packed: &[u8], starts: &[Arc<str>]) -> Option<Vec<StoredGame>> {
    let mut input = Cursor::new(packed);
    let count = input.varint()?;
    let len = input.varint().filter(|len| *len <= MAX_BLOCK_BYTES)?;
    let raw = zstd::bulk::decompress(input.rest(), usize::try_from(len).ok()?).ok()?;
    let mut input = Cursor::new(&raw);
    (0..count).map(|_| read_game(&mut Cursor::new(input.bytes()?), starts)).collect()
}

fn read_game(input: &mut Cursor<'_>, starts: &[Arc<str>]) -> Option<StoredGame> {
    let head = input.byte()?;
    let result = *GameResult::ALL.get(usize::from(head >> 1))?;
    let source = Origin::take(input)?;
    let start: Arc<str> = match input.varint()?.checked_sub(1) {
        None => input.text()?.into(),
        Some(id) => Arc::clone(starts.get(usize::try_from(id).ok()?)?),
    };
    let tags = super::game::Tags::take(input)?;
    // Format 1 knew two kinds, and kept positions of other games as one of them.
    let kind = match head & 1 {
        1 => GameKind::Finite(Game::Western),
        _ if start.starts_with("B--") || start.starts_with("t--") => GameKind::Board,
        _ => GameKind::Infinite,
    };
    let moves = match kind {
        // A board has an empty list of moves of the unbounded board.
        GameKind::Board => {
            Moves::take(GameKind::Infinite, input)?;
            Moves::none(kind)
        }
        GameKind::Finite(_) => {
            Moves::finite(Moves::take(kind, input)?.iter().filter_map(|step| match step {
                StoredMove::Finite(bits) => Some(todays_bits(bits)),
                StoredMove::Infinite { .. } => None,
            }))
        }
        GameKind::Infinite => Moves::take(kind, input)?,
    };
    let extra = input.bytes()?.into();
    Some(StoredGame { kind, tags, result, start, moves, source, extra })
}

/// Format 1 counted what a pawn becomes from the queen down; today it is counted from the knight up.
const fn todays_bits(bits: u16) -> u16 {
    match bits >> 12 {
        promotion @ 1..=4 => bits & 0xfff | (5 - promotion) << 12,
        _ => bits,
    }
}

fn write_games(
    log: &Log,
    tree: &sled::Tree,
    starts: &[Arc<str>],
    old: &OldManifest,
    replay: &dyn Replay,
) -> Result<Address> {
    const TOGETHER: usize = 4096;
    let mut end = log.create()?;
    let (mut next, mut games) = (0, Vec::new());
    let mut results = Counts::default();
    let mut write = |games: &mut Vec<StoredGame>, next: &mut u64, last: bool| -> Result<()> {
        let at = log.place_for_batch(end)?;
        let mut bytes = Vec::new();
        let mut hashes = Vec::with_capacity(games.len());
        for (id, game) in (*next..).zip(&*games) {
            let text = replay.identity(game).map_err(|why| Error::Replay { id, why })?;
            hashes.push(replay.hash(&text));
            results.add(game.result);
        }
        for (block, hashes) in games.chunks(BLOCK_GAMES).zip(hashes.chunks(BLOCK_GAMES)) {
            let frame = encode_block(*next, block.iter().zip(hashes))?;
            frame.write(at.after(bytes.len() as u64)?, &mut bytes);
            *next += block.len() as u64;
        }
        // Sources are known from the first batch on; how far they were read is said at the end.
        let mark = |(number, source): (u32, &Source)| {
            let source = source.clone();
            let source = if last { source } else { Source { offset: 0, records: 0, ..source } };
            SourceMark { number, source }
        };
        let done = BatchEnd {
            begin: at,
            previous: end,
            next_game: *next,
            duplicates: if last { old.duplicates } else { 0 },
            rejects: if last { old.rejects } else { 0 },
            results,
            sources: (0..).zip(&old.sources).map(mark).collect(),
        };
        done.frame().write(at.after(bytes.len() as u64)?, &mut bytes);
        end = log.append(at, &bytes)?;
        games.clear();
        Ok(())
    };
    for_each_game(tree, starts, old.games, |game| {
        games.push(game);
        if games.len() == TOGETHER { write(&mut games, &mut next, false) } else { Ok(()) }
    })?;
    write(&mut games, &mut next, true)?;
    if next != old.games {
        return Err(damaged(format!("the games end at {next}, the manifest says {}", old.games)));
    }
    Ok(end)
}
