//! Plies a second of replay alone, over the games of `corpus/replay`.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use boardprint_base::Game;
use boardprint_base::replay::{Replay, play};
use boardprint_icn::parse;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn games() -> Vec<Game> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/replay/replay.jsonl");
    let text = fs::read_to_string(path).expect("the corpus is beside the crates");
    text.lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a row is JSON");
            parse(row["icn"].as_str().expect("a row has a game")).expect("games are read").game
        })
        .collect()
}

fn replay(c: &mut Criterion) {
    let games = games();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(plies as u64));
    group.bench_function("forward", |b| {
        b.iter(|| {
            for game in &games {
                let mut replay = Replay::new(game);
                while let Ok(Some(played)) = replay.step() {
                    black_box(played);
                }
                black_box(replay.position());
            }
        });
    });
    group.bench_function("forward and back", |b| {
        let mut trail = Vec::new();
        b.iter(|| {
            for game in &games {
                let mut position = game.start.clone();
                trail.extend(game.moves.iter().map_while(|mv| play(&mut position, mv).ok()));
                while let Some(played) = trail.pop() {
                    played.undo(&mut position);
                }
                black_box(&position);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
