//! What an import costs without the database, and what lookups cost with it:
//! `import_bench prepare FILE…` reads, replays and hashes; `import_bench lookup DIR` asks for positions of the database.

#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::cast_precision_loss, reason = "times are rounded")]

use std::sync::mpsc::sync_channel;
use std::time::Instant;

use boardprint_games::Profile;
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_store::db::{Db, GameSource, Options, Prepare, Record, Replay};
use boardprint_store::games::{FileSource, Rules};
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("prepare") => {
            prepare(arguments.collect());
            Ok(())
        }
        Some("lookup") => lookup(&arguments.next().ok_or("name a database")?),
        _ => Err("usage: import_bench prepare FILE… | lookup DIR".into()),
    }
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
            for mut source in FileSource::all(reader, 0) {
                loop {
                    let next = || source.next_record().and_then(Result::ok);
                    let batch: Vec<Record> = std::iter::from_fn(next).take(4096).collect();
                    if batch.is_empty() || sender.send(batch).is_err() {
                        break;
                    }
                }
            }
        });
        for batch in batches {
            let sums = batch.par_iter().filter_map(|record| rules.prepare(record).ok());
            let (more_games, more) =
                sums.map(|game| (1, game.positions.len())).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
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
        assert!(snapshot.confirm(&first, hash, &rules)?, "a hash is what it was");
        times[2].push(begin.elapsed());
    }
    for (what, times) in ["where", "counts and moves", "replay check"].iter().zip(&mut times) {
        times.sort_unstable();
        println!("{what}: median {:?}, 99 of 100 below {:?}", times[1_000], times[1_980]);
    }
    Ok(())
}
