//! Cutting, reading and deduplicating collections. The games are played at random, from a fixed seed.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::hint::black_box;

use boardprint_dedup::{By, Collection, DedupOptions, Pair, Reject, Sink};
use boardprint_games::{Record, pgn};
use boardprint_records::{Input, Reader, ReaderOptions};
use cozy_chess::{Board, Move, Piece};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const GAMES: usize = 2_000;
const PLIES: usize = 80;

/// Random games in long algebraic notation, every fifth one twice.
fn collection() -> String {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let mut text = String::new();
    for number in 0..GAMES {
        let mut game =
            format!("[Event \"game {number}\"]\n[White \"White {number}\"]\n[Black \"Black {number}\"]\n\n");
        let mut board = Board::default();
        for ply in 0..PLIES {
            let mut moves: Vec<Move> = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some.into_iter().filter(|m| !board.colors(board.side_to_move()).has(m.to)));
                false
            });
            if moves.is_empty() {
                break;
            }
            let chosen = moves[random(moves.len())];
            if ply % 2 == 0 {
                write!(game, "{}. ", ply / 2 + 1).expect("strings take everything");
            }
            let piece = board.piece_on(chosen.from).expect("a piece moves");
            let letter = if piece == Piece::Pawn { "" } else { &"PNBRQK"[piece as usize..=piece as usize] };
            write!(game, "{letter}{chosen} ").expect("strings take everything");
            board.play_unchecked(chosen);
        }
        game += "*\n\n";
        text += &game;
        if number % 5 == 0 {
            text += &game;
        }
    }
    text
}

struct Nothing;

impl Sink for Nothing {
    type Error = Infallible;

    fn keep(&mut self, _: &Record, _: &[(String, String)]) -> Result<(), Infallible> {
        Ok(())
    }

    fn duplicate(&mut self, _: &Record, _: &Pair) -> Result<(), Infallible> {
        Ok(())
    }

    fn doubt(&mut self, _: &Pair) -> Result<(), Infallible> {
        Ok(())
    }

    fn reject(&mut self, _: Reject<'_>) -> Result<(), Infallible> {
        Ok(())
    }
}

fn collections(c: &mut Criterion) {
    let text = collection();
    let reading = ReaderOptions::default().cut_text(true);
    let input = [Input::text(text.clone())];
    let records: Vec<Record> = Reader::new(input.clone(), reading.clone()).flatten().collect();
    let mut group = c.benchmark_group("pgn");
    group.throughput(Throughput::Elements(records.len() as u64)).sample_size(20);
    group.bench_function("cut", |b| b.iter(|| Reader::new(input.clone(), reading.clone()).count()));
    group.bench_function("parse", |b| {
        b.iter(|| {
            records
                .iter()
                .map(|record| black_box(pgn::read(&record.text)).map_or(0, |game| game.moves().len()))
                .sum::<usize>()
        });
    });
    for (name, by) in [("dedup by game", By::Game), ("dedup by prefix", By::Prefix)] {
        for threads in [1, 2] {
            let options = DedupOptions::default().by(by).threads(threads);
            group.bench_function(format!("{name}, {threads} threads"), |b| {
                b.iter(|| {
                    boardprint_dedup::run(&input, &reading, &options, &Collection::default(), &mut Nothing)
                        .expect("nothing fails")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, collections);
criterion_main!(benches);
