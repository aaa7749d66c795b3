//! Cutting, reading and writing ICN, in bytes per second, on one thread.
//!
//! Games come from the file that `BOARDPRINT_COLLECTION` names (blank lines between them, as the collection
//! maker writes plain games), or else from `corpus/replay`.

use std::env;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use boardprint_base::cut::{Cut, Step};
use boardprint_icn::{Cutter, parse, write::write_canonical};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Games in their plain form, one per text.
fn games() -> Vec<String> {
    if let Ok(path) = env::var("BOARDPRINT_COLLECTION") {
        let text = fs::read_to_string(&path).expect("BOARDPRINT_COLLECTION names a file");
        return text
            .lines()
            .filter(|line| line.contains("] ") && line.contains('>'))
            .map(str::to_owned)
            .collect();
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/replay/replay.jsonl");
    let text = fs::read_to_string(path).expect("the corpus is there");
    let icn =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).ok()?["icn"].as_str().map(str::to_owned);
    text.lines().filter_map(icn).collect()
}

/// A position of many pieces in no particular order.
fn large_position(pieces: u64) -> String {
    let codes = ["P", "p", "R", "n", "AM", "ob", "Q", "ch"];
    // A full-period step visits every index once, out of order.
    let entry = |i: u64| {
        let at = i * 7_919 % pieces;
        format!("{}{},{}", codes[(at % 8) as usize], at % 317, at / 317)
    };
    (0..pieces).map(entry).collect::<Vec<_>>().join("|")
}

/// Cuts a collection into its records.
fn each_record(collection: &str, mut record: impl FnMut(&str)) {
    let mut cutter = Cutter::default();
    let mut rest = collection;
    while !rest.is_empty() {
        let length = match cutter.step(rest.as_bytes(), true) {
            Step::Record(length) | Step::Skip(length) | Step::Bad(length, _) => length,
            Step::More => rest.len(),
        };
        record(rest[..length].trim());
        rest = &rest[length..];
    }
}

fn bench(c: &mut Criterion) {
    let games = games();
    let bytes: usize = games.iter().map(String::len).sum();
    let position = large_position(100_000);
    let sorted = boardprint_icn::canonical(&parse(&position).expect("made to be read").game);
    let mut group = c.benchmark_group("icn");
    group.sample_size(20);

    let collection = games.join("\n");
    group.throughput(Throughput::Bytes(collection.len() as u64));
    group.bench_function(BenchmarkId::new("cut", "games"), |b| {
        b.iter(|| each_record(black_box(&collection), |_| ()));
    });
    let mut line = Vec::new();
    group.bench_function(BenchmarkId::new("cut, parse and write", "games"), |b| {
        b.iter(|| {
            each_record(black_box(&collection), |record| {
                line.clear();
                if let Ok(reading) = parse(record) {
                    write_canonical(&reading.game, &mut line);
                }
            });
        });
    });

    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function(BenchmarkId::new("parse", "games"), |b| {
        b.iter(|| games.iter().filter(|game| parse(black_box(game)).is_ok()).count());
    });
    let parsed: Vec<_> = games.iter().filter_map(|game| parse(game).ok()).collect();
    let mut out = Vec::new();
    let written: usize = parsed.iter().map(|reading| boardprint_icn::canonical(&reading.game).len()).sum();
    group.throughput(Throughput::Bytes(written as u64));
    group.bench_function(BenchmarkId::new("write", "games"), |b| {
        b.iter(|| {
            for reading in &parsed {
                out.clear();
                write_canonical(black_box(&reading.game), &mut out);
            }
        });
    });

    for (name, text) in [("shuffled", &position), ("sorted", &sorted)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("parse/100,000 pieces", name), |b| {
            b.iter(|| parse(black_box(text)).is_ok());
        });
    }
    let reading = parse(&position).expect("made to be read");
    group.throughput(Throughput::Bytes(sorted.len() as u64));
    group.bench_function("write/100,000 pieces", |b| {
        b.iter(|| {
            out.clear();
            write_canonical(black_box(&reading.game), &mut out);
        });
    });
}

criterion_group!(all, bench);
criterion_main!(all);
