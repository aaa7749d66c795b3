//! Reading, replaying and naming games of the finite games, ply by ply.

use std::fs;
use std::hint::black_box;

use boardprint_bridge::BoardNamer;
use boardprint_finite::{Board, Fen, Game};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// The start and the words of a game.
type Words = (Board, Vec<String>);

fn games(game: Game) -> Vec<Words> {
    let path = format!("{}/../../corpus/finite/finite-games.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("the corpus is there");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row"));
    let own = rows.filter(|row| row["game"] == game.name());
    own.map(|row| {
        let start = row["start"].as_str().expect("a start");
        let fen = if game == Game::Shogi { Fen::read_sfen(start) } else { Fen::read(game, start) };
        let board = Board::from_fen(&fen.expect("a FEN")).expect("a start");
        let words = row["san"].as_array().expect("moves").iter();
        (board, words.map(|word| word.as_str().expect("a word").to_owned()).collect())
    })
    .collect()
}

fn replay(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("finite");
    for game in Game::ALL {
        let games = games(game);
        let plies: usize = games.iter().map(|(_, words)| words.len()).sum();
        group.throughput(Throughput::Elements(plies as u64));
        let run = |name: bool| {
            let mut namer = BoardNamer::new(false);
            for (start, words) in &games {
                let mut board = start.clone();
                for word in words {
                    board.play_san(word.as_bytes()).expect("a legal move");
                    if name {
                        black_box(namer.cph(&board));
                    }
                }
                black_box(&board);
            }
        };
        group.bench_function(format!("{game}: read and play"), |bencher| bencher.iter(|| run(false)));
        group.bench_function(format!("{game}: read, play and name"), |bencher| bencher.iter(|| run(true)));
    }
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
