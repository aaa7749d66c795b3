//! What naming every ply of every game costs beside SHA-1 alone: `cargo run --release --example ply_costs --
//! FILE`
//!
//! FILE has one game per line, or is the JSON lines of `corpus/replay`, the default. A few games, best of many
//! short rounds, one thread.

#![expect(clippy::print_stdout, reason = "it prints its figures")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use boardprint_base::replay::Replay;
use boardprint_base::{Digest, Game, Position};
use boardprint_bridge::{Namer, Trail};

const ROUNDS: usize = 400;

fn main() -> Result<(), Box<dyn Error>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/replay/replay.jsonl");
    let text = std::fs::read_to_string(std::env::args().nth(1).as_deref().unwrap_or(default))?;
    let games: Vec<Game> = text.lines().step_by(13).take(20).filter_map(game).collect();
    let mut namer = Namer::new();
    let mut strings = Vec::new();
    each_position(&games, |position| strings.push(namer.cpn(position).to_vec()));
    let bytes: usize = strings.iter().map(Vec::len).sum();
    println!("{} games, {} positions, {} bytes each", games.len(), strings.len(), bytes / strings.len());

    let sha1 = best(|| {
        for cpn in &strings {
            black_box(Digest::of(black_box(cpn)));
        }
    });
    let replay = best(|| each_position(&games, |position| _ = black_box(position.pieces.len())));
    let cpn = best(|| each_position(&games, |position| _ = black_box(namer.cpn(position).len())));
    let all = best(|| each_position(&games, |position| _ = black_box(namer.cph(position))));
    let mut trail = Trail::new();
    let incremental = best(|| {
        for game in &games {
            let mut replay = Replay::new(game);
            black_box(trail.start(replay.position()));
            while let Ok(Some(played)) = replay.step() {
                black_box(trail.step(replay.position(), &played));
            }
        }
    });
    let plies = u32::try_from(strings.len())?;
    let times = [
        ("SHA-1 alone", sha1),
        ("replay", replay),
        ("replay, CPN", cpn),
        ("replay, CPN, CPH", all),
        ("the same by Trail", incremental),
    ];
    for (what, time) in times {
        let ratio = time.as_secs_f64() / sha1.as_secs_f64();
        println!("{what:<18}{:>6} ns per ply, {ratio:.2} times SHA-1", (time / plies).as_nanos());
    }
    Ok(())
}

/// The game of a line: ICN, or a JSON object that has one.
fn game(line: &str) -> Option<Game> {
    let row: Option<serde_json::Value> = serde_json::from_str(line).ok();
    let icn = row.as_ref().and_then(|row| row["icn"].as_str()).unwrap_or(line);
    Some(boardprint_icn::parse(icn).ok()?.game)
}

fn each_position(games: &[Game], mut visit: impl FnMut(&Position)) {
    for game in games {
        let mut replay = Replay::new(game);
        visit(replay.position());
        while let Ok(Some(_)) = replay.step() {
            visit(replay.position());
        }
    }
}

/// The shortest of several times: what else the machine does only ever adds.
fn best(mut work: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}
