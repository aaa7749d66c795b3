//! What an import costs without the database and with it, and what everything else costs: `import_bench
//! prepare FILE…` reads, replays and hashes; `import DIR FILE…` imports; `import-small DIR PARTS FILE…` does
//! it in parts; `lookup DIR` asks for positions; `verify DIR`, `reindex DIR [ENGINE]`, `compact DIR` do that.
//! Each prints time and processor time.

#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::cast_precision_loss, reason = "times are rounded")]

use std::sync::mpsc::sync_channel;
use std::time::Instant;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use boardprint_base::Digest;
use boardprint_games::{Profile, Record};
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{
    Db, EngineKind, Filter, IngestOptions, NewGame, Options, Prepare, ReindexOptions, Replay, ingest, reindex,
};
use boardprint_store::games::Rules;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("prepare") => {
            prepare(arguments.collect());
            Ok(())
        }
        Some("lookup") => lookup(&arguments.next().ok_or("name a database")?),
        Some(what @ ("import" | "import-small" | "verify" | "reindex" | "compact")) => {
            let db = arguments.next().ok_or("name a database")?;
            timed(what, Path::new(&db), arguments.collect())
        }
        _ => Err("usage: import_bench prepare FILE… | import DIR FILE… | import-small DIR PARTS FILE… | lookup DIR | verify DIR | reindex DIR [ENGINE] | compact DIR".into()),
    }
}

/// Processor time of this process so far, user and system.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn timed(what: &str, path: &Path, arguments: Vec<String>) -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::new(Profile::Plain);
    let open = || Db::open(path, Options::default());
    let (begin, cpu_begin) = (Instant::now(), cpu());
    match what {
        "import" => import(&open()?, &rules, arguments.into_iter().map(Input::argument).collect())?,
        "import-small" => {
            let parts: u64 = arguments.first().ok_or("say how many parts")?.parse()?;
            for part in 0..parts {
                import(&open()?, &rules, share(&arguments[1..], part, parts)?)?;
            }
        }
        "verify" => {
            let db = open()?;
            let report = db.snapshot().verify(&rules)?;
            println!(
                "{} games, {} positions, {} findings",
                report.games,
                report.postings,
                report.findings.len()
            );
        }
        "reindex" => {
            let engine = arguments.first().and_then(|name| EngineKind::of_name(name));
            let options = ReindexOptions { engine, ..ReindexOptions::default() };
            let report = reindex(path, &options, &Options::default(), &rules)?;
            println!("{} games, {} positions", report.games, report.postings);
        }
        _ => open()?.compact()?.close()?,
    }
    println!("{what}: {:.2} s, {:.2} s of processor time", begin.elapsed().as_secs_f64(), cpu() - cpu_begin);
    let stats = open()?.snapshot().stats()?;
    println!(
        "{} games, {} positions in {} runs; {:.2} bytes per position in the index, {:.2} on disk, {:.2} with games",
        stats.games,
        stats.postings,
        stats.posting_runs,
        stats.live_bytes as f64 / stats.postings.max(1) as f64,
        stats.disk_bytes as f64 / stats.postings.max(1) as f64,
        (stats.disk_bytes + stats.game_bytes) as f64 / stats.postings.max(1) as f64
    );
    Ok(())
}

fn import(db: &Db, rules: &Rules, inputs: Vec<Input>) -> Result<(), Box<dyn std::error::Error>> {
    let reader = Reader::new(inputs, ReaderOptions::default());
    let report = ingest(db, reader, rules, None, &IngestOptions::default(), &(), &AtomicBool::new(false))?;
    println!(
        "{} games, {} duplicates, {} rejects, {} positions",
        report.games, report.duplicates, report.rejects, report.postings
    );
    Ok(())
}

/// One share of each file.
fn share(paths: &[String], part: u64, parts: u64) -> Result<Vec<Input>, std::io::Error> {
    let share = |path: &String| {
        let size = std::fs::metadata(path)?.len();
        Ok(Input::part(path, size * part / parts..size * (part + 1) / parts))
    };
    paths.iter().map(share).collect()
}

/// Cuts in one thread, prepares in all: what an import does before the database.
fn prepare(paths: Vec<String>) {
    let begin = Instant::now();
    let rules = Rules::new(Profile::Plain);
    let (sender, batches) = sync_channel::<Vec<Record>>(1);
    let (mut games, mut positions) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let reader = Reader::new(paths.into_iter().map(Input::argument), ReaderOptions::default());
            let mut records = reader.filter_map(Result::ok);
            loop {
                let batch: Vec<Record> = records.by_ref().take(4096).collect();
                if batch.is_empty() || sender.send(batch).is_err() {
                    break;
                }
            }
        });
        for batch in batches {
            let games_of_batch = batch.par_iter().filter_map(|record| rules.prepare(record).ok());
            let sums = games_of_batch.map(|game| (1, hashed_positions(&rules, &game)));
            let (more_games, more) = sums.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            games += more_games;
            positions += more;
        }
    });
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{games} games, {positions} positions, {seconds:.2} s, {:.0} positions/s",
        positions as f64 / seconds
    );
}

/// How many positions a game has, each of them hashed. Those of finite games are left for later when a record
/// is read.
fn hashed_positions(rules: &Rules, game: &NewGame) -> usize {
    if !game.positions.is_empty() {
        return game.positions.len();
    }
    let mut positions = 0;
    let hashed = rules.each_hash(&game.game, u32::MAX, &mut |hash| {
        std::hint::black_box(hash);
        positions += 1;
    });
    if hashed.is_ok() { positions } else { 0 }
}

/// Medians over positions spread over all games.
fn lookup(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let db = Db::open(path, Options::default().create(false).any_profile(true))?;
    println!("opened in {:.3} s", begin.elapsed().as_secs_f64());
    let snapshot = db.snapshot();
    let rules = Rules::new(Profile::of_name(snapshot.profile()).ok_or("an unknown profile")?);
    let mut asked = Vec::new();
    for number in 0..2_000 {
        let game = snapshot.game(number * snapshot.games() / 2_000)?;
        let positions = rules.replay(&game)?.positions;
        asked.push(positions[usize::try_from(number)? * 7 % positions.len()].0);
    }
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for hash in &asked {
        let begin = Instant::now();
        let first = snapshot.lookup(hash)?.next().transpose()?.ok_or("every position occurs")?;
        times[0].push(begin.elapsed());
        let begin = Instant::now();
        snapshot.tally(hash)?;
        times[1].push(begin.elapsed());
        let begin = Instant::now();
        assert!(
            snapshot.confirm(first.game(), first.ply(), hash, &rules)?.is_some(),
            "a hash is what it was"
        );
        times[2].push(begin.elapsed());
    }
    for (what, times) in ["where", "counts and moves", "replay check"].iter().zip(&mut times) {
        times.sort_unstable();
        println!("{what}: median {:?}, 99 of 100 below {:?}", times[1_000], times[1_980]);
    }
    let best = |work: &dyn Fn() -> Result<u64, boardprint_store::db::Error>| -> Result<(u64, Duration), boardprint_store::db::Error> {
        let mut best = (0, Duration::MAX);
        for _ in 0..3 {
            let begin = Instant::now();
            let found = work()?;
            best = (found, best.1.min(begin.elapsed()));
        }
        Ok(best)
    };
    let start: Digest = "5693c349961f8bc345c6c11418aa00be3a038d8f".parse()?;
    let (found, time) = best(&|| Ok(snapshot.tally(&start)?.occurrences()))?;
    println!("tally of the usual start, {found} occurrences: {time:?}");
    let filter = Filter { player: Some("Carlsen".to_owned()), ..Filter::default() };
    let (found, time) = best(&|| Ok(snapshot.tally_filtered(&start, &filter)?.games))?;
    println!("filter by player at the usual start, {found} games: {time:?}");
    // Positions that are not counted ahead in one run: the time per occurrence.
    let (mut sum, mut occurrences) = (Duration::ZERO, 0);
    for hash in &asked {
        let begin = Instant::now();
        let found = snapshot.tally(hash)?.occurrences();
        if (20..64).contains(&found) {
            sum += begin.elapsed();
            occurrences += found;
        }
    }
    println!(
        "tally per occurrence, 20 to 63 of them: {:.2} µs",
        sum.as_secs_f64() * 1e6 / occurrences.max(1) as f64
    );
    Ok(())
}
