//! Ready postings into the database, against an external sort of the same stream into a plain file.
//!
//! `cargo run --release -p boardprint-store --example postings_bench -- 12 DIR`: 12 million postings in a new
//! folder under DIR.

#![allow(clippy::print_stdout, clippy::cast_precision_loss, clippy::unwrap_used, reason = "a bench")]

use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use boardprint_base::{Digest, GameResult};
use boardprint_finite::Game;
use boardprint_store::db::{Batch, Db, GameKind, Moves, NewGame, Options, Prefix, Replay, StoredGame, Tags};
use rayon::prelude::*;

const PLIES: u64 = 80;
const GAMES_PER_BATCH: u64 = 25_000;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The hash of a position: every fifth is one of few, so that four of five are distinct.
fn hash(game: u64, ply: u64) -> Digest {
    let n = game * PLIES + ply;
    let seed = if ply == 0 {
        0
    } else if n.is_multiple_of(5) {
        mix(n) % 1_000_003
    } else {
        n | 1 << 60
    };
    let (a, b) = (mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)), mix(seed ^ 0x5851_f42d_4c95_7f2d));
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&a.to_be_bytes());
    bytes[8..16].copy_from_slice(&b.to_be_bytes());
    Digest(bytes)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let millions: u64 = arguments[1].parse().unwrap();
    let folder = PathBuf::from(&arguments[2]).join(format!("postings-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let batches = (millions * 1_000_000).div_ceil(PLIES * GAMES_PER_BATCH);
    let postings = batches * GAMES_PER_BATCH * PLIES;

    let (begun, cpu) = (Instant::now(), cpu_seconds());
    let plain = plain_sort(&folder, batches);
    let plain_time = begun.elapsed().as_secs_f64();
    let plain_cpu = cpu_seconds() - cpu;
    let file = fs::metadata(&plain).unwrap().len();
    println!(
        "plain file    {plain_time:6.1} s  cpu {plain_cpu:6.1} s  {:5.1} bytes per posting",
        file as f64 / postings as f64
    );

    println!("peak memory   {} MB", peak_memory());
    let path = folder.join("db");
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    let db = Db::open(&path, Options::default()).unwrap();
    fill(&db, batches);
    let time = begun.elapsed().as_secs_f64();
    let cpu = cpu_seconds() - cpu;
    println!(
        "database      {time:6.1} s  cpu {cpu:6.1} s  {:.2} million postings/s",
        postings as f64 / time / 1e6
    );
    println!("ratio         {:6.2} by time, {:.2} by cpu", plain_time / time, plain_cpu / cpu);
    report("filled", &db, &path, postings, file);
    lookups(&db, batches);
    println!("peak memory   {} MB", peak_memory());
    let begun = Instant::now();
    db.close().unwrap();
    println!("closed in     {:6.2} s", begun.elapsed().as_secs_f64());

    let begun = Instant::now();
    let db = Db::open(&path, Options::default()).unwrap();
    println!("reopened in   {:6.2} s", begun.elapsed().as_secs_f64());
    lookups(&db, batches);
    let begun = Instant::now();
    let db = db.compact().unwrap();
    println!("compacted in  {:6.1} s", begun.elapsed().as_secs_f64());
    report("compacted", &db, &path, postings, file);
    lookups(&db, batches);
    println!("peak memory   {} MB", peak_memory());
    drop(db);
    fs::remove_dir_all(folder).unwrap();
}

/// Games without moves, so that the postings are what is measured.
fn batch(number: u64) -> Batch {
    let game = |game: u64| {
        let stored = StoredGame {
            kind: GameKind::Finite(Game::Western),
            tags: Tags::new(),
            result: GameResult::Draw,
            start: "".into(),
            moves: Moves::finite([]),
            source: boardprint_store::db::Origin::default(),
            extra: Box::default(),
        };
        let positions = (0..PLIES).map(|ply| (hash(game, ply), u32::try_from(ply).unwrap())).collect();
        NewGame { game: stored, hash: hash(game, 1 << 40), positions, laws: None }
    };
    let first = number * GAMES_PER_BATCH;
    Batch { games: (first..first + GAMES_PER_BATCH).map(game).collect(), ..Batch::default() }
}

/// Nothing is replayed: the hashes are made up.
struct Nobody;

impl Replay for Nobody {
    fn identity(&self, _: &StoredGame) -> Result<Vec<u8>, String> {
        Err("made up".to_owned())
    }

    fn positions(&self, _: &StoredGame, _: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        Err("made up".to_owned())
    }
}

/// Batches are made in one thread while another writes.
fn fill(db: &Db, batches: u64) {
    let (sender, receiver) = sync_channel(1);
    std::thread::scope(|scope| {
        scope.spawn(move || (0..batches).for_each(|number| sender.send(batch(number)).unwrap()));
        for batch in receiver {
            db.ingest(batch, &Nobody, None).unwrap();
        }
    });
}

fn report(what: &str, db: &Db, path: &Path, postings: u64, file: u64) {
    let stats = db.snapshot().stats().unwrap();
    let disk = size(path);
    println!(
        "{what:<12}  {} runs, {:.1} bytes per posting in blocks, {:.1} on disk: {:.2} times the plain file",
        stats.posting_runs,
        stats.posting_bytes as f64 / postings as f64,
        disk as f64 / postings as f64,
        disk as f64 / file as f64
    );
}

fn lookups(db: &Db, batches: u64) {
    let snapshot = db.snapshot();
    let games = batches * GAMES_PER_BATCH;
    let mut times: Vec<f64> = Vec::new();
    let mut cpu = 0.0;
    for n in 0..20_000_u64 {
        if n == 10_000 {
            cpu = cpu_seconds();
        }
        let (game, ply) = (mix(n) % games, 1 + mix(n + 7) % (PLIES - 1));
        let wanted = hash(game, ply);
        let begun = Instant::now();
        let found = snapshot.lookup(&wanted).unwrap().any(|posting| posting.unwrap().game() == game);
        times.push(begun.elapsed().as_secs_f64() * 1e6);
        assert!(found);
    }
    let cpu = (cpu_seconds() - cpu) * 1e6 / 10_000.0;
    let warm = &mut times[10_000..];
    warm.sort_by(f64::total_cmp);
    println!(
        "lookup        median {:.0} µs, 99 % {:.0} µs, {cpu:.0} µs of cpu",
        warm[warm.len() / 2],
        warm[warm.len() * 99 / 100]
    );
    let begun = Instant::now();
    let tally = snapshot.tally(&hash(0, 0)).unwrap();
    println!("tally         {} games in {:.1} ms", tally.occurrences(), begun.elapsed().as_secs_f64() * 1e3);
}

/// The limit: sort batches, spill them, merge into one delta-coded file. Sorting is parallel; spilling
/// overlaps with it.
fn plain_sort(folder: &Path, batches: u64) -> PathBuf {
    let (sender, receiver) = sync_channel::<Vec<(u128, u64)>>(1);
    let spills: Vec<PathBuf> = std::thread::scope(|scope| {
        scope.spawn(move || {
            for number in 0..batches {
                let games = batch(number).games;
                let mut postings: Vec<(u128, u64)> = Vec::with_capacity(games.len() * 80);
                for (game, new) in (number * GAMES_PER_BATCH..).zip(&games) {
                    for (hash, ply) in &new.positions {
                        postings.push((key(&Prefix::of(hash)), game << 24 | u64::from(*ply)));
                    }
                }
                drop(games);
                postings.par_sort_unstable();
                sender.send(postings).unwrap();
            }
        });
        let spill = |(number, postings): (usize, Vec<(u128, u64)>)| {
            let path = folder.join(format!("spill-{number}"));
            write_sorted(&path, postings.into_iter());
            path
        };
        receiver.into_iter().enumerate().map(spill).collect()
    });
    let path = folder.join("plain");
    write_sorted(&path, Merge::new(spills.iter().map(|path| Reader::open(path)).collect()));
    for path in &spills {
        fs::remove_file(path).unwrap();
    }
    path
}

fn key(prefix: &Prefix) -> u128 {
    let mut bytes = [0; 16];
    bytes[6..].copy_from_slice(&prefix.0);
    u128::from_be_bytes(bytes)
}

fn put(out: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
        value >>= 7;
    }
    out.push(u8::try_from(value).unwrap());
}

/// Each posting: distance of the hash, game (distance if the hash is the same), ply.
fn write_sorted(path: &Path, postings: impl Iterator<Item = (u128, u64)>) {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    let (mut bytes, mut hash, mut game) = (Vec::new(), 0, 0);
    for (next, place) in postings {
        bytes.clear();
        put(&mut bytes, next - hash);
        let this = place >> 24;
        put(&mut bytes, u128::from(if next == hash { this - game } else { this }));
        put(&mut bytes, u128::from(place & 0xff_ffff));
        out.write_all(&bytes).unwrap();
        (hash, game) = (next, this);
    }
    out.into_inner().unwrap().sync_all().unwrap();
}

struct Reader {
    file: BufReader<File>,
    hash: u128,
    game: u64,
}

impl Reader {
    fn open(path: &Path) -> Self {
        Reader { file: BufReader::with_capacity(1 << 17, File::open(path).unwrap()), hash: 0, game: 0 }
    }

    fn number(&mut self) -> Option<u128> {
        let (mut value, mut shift, mut used, mut done) = (0, 0, 0, false);
        while !done {
            let bytes = self.file.fill_buf().ok().filter(|bytes| !bytes.is_empty())?;
            for byte in bytes {
                value |= u128::from(byte & 0x7f) << shift;
                shift += 7;
                used += 1;
                if *byte < 0x80 {
                    done = true;
                    break;
                }
            }
            self.file.consume(std::mem::take(&mut used));
        }
        Some(value)
    }
}

impl Iterator for Reader {
    type Item = (u128, u64);
    fn next(&mut self) -> Option<(u128, u64)> {
        let distance = self.number()?;
        let game = u64::try_from(self.number()?).unwrap();
        self.game = if distance == 0 { self.game + game } else { game };
        self.hash += distance;
        Some((self.hash, self.game << 24 | u64::try_from(self.number()?).unwrap()))
    }
}

struct Merge {
    readers: Vec<Reader>,
    heads: BinaryHeap<std::cmp::Reverse<((u128, u64), usize)>>,
}

impl Merge {
    fn new(mut readers: Vec<Reader>) -> Self {
        let heads = readers
            .iter_mut()
            .enumerate()
            .filter_map(|(at, r)| Some(std::cmp::Reverse((r.next()?, at))))
            .collect();
        Merge { readers, heads }
    }
}

impl Iterator for Merge {
    type Item = (u128, u64);
    fn next(&mut self) -> Option<(u128, u64)> {
        let mut top = self.heads.peek_mut()?;
        let std::cmp::Reverse((entry, at)) = *top;
        if let Some(next) = self.readers[at].next() {
            *top = std::cmp::Reverse((next, at));
        } else {
            std::collections::binary_heap::PeekMut::pop(top);
        }
        Some(entry)
    }
}

fn size(path: &Path) -> u64 {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    entries.map(|e| if e.path().is_dir() { size(&e.path()) } else { e.metadata().unwrap().len() }).sum()
}

fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// User and system time of this process: on a busy machine a better measure than the clock.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
