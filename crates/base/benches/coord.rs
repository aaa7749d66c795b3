//! What exact coordinates cost beside plain `i64`: parse, compare, format, clone.

use std::hint::black_box;

use boardprint_base::Coord;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const COUNT: u64 = 10_000;

/// Numbers as they occur on boards: most of them small, some of up to 15 digits.
fn numbers() -> Vec<i64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        i64::try_from(state >> 1).expect("63 bits")
    };
    (0..COUNT).map(|i| if i % 10 == 0 { next() % 1_000_000_000_000_000 } else { next() % 40 - 20 }).collect()
}

fn benches(c: &mut Criterion) {
    let plain = numbers();
    let coords: Vec<Coord> = plain.iter().copied().map(Coord::from).collect();
    let texts: Vec<String> = plain.iter().map(i64::to_string).collect();
    let mut group = c.benchmark_group("coord");
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function("parse/i64", |b| {
        b.iter(|| texts.iter().map(|t| black_box(t).parse::<i64>().unwrap_or(0)).fold(0, i64::wrapping_add));
    });
    group.bench_function("parse/Coord", |b| {
        b.iter(|| {
            texts
                .iter()
                .filter(|t| black_box(t).parse::<Coord>().is_ok_and(|value| value.is_negative()))
                .count()
        });
    });
    group.bench_function("compare/i64", |b| {
        b.iter(|| black_box(&plain).windows(2).filter(|w| w[0] < w[1]).count());
    });
    group.bench_function("compare/Coord", |b| {
        b.iter(|| black_box(&coords).windows(2).filter(|w| w[0] < w[1]).count());
    });
    let mut out = Vec::with_capacity(1 << 17);
    group.bench_function("format/i64", |b| {
        b.iter(|| {
            out.clear();
            let mut buffer = itoa::Buffer::new();
            for value in black_box(&plain) {
                out.extend_from_slice(buffer.format(*value).as_bytes());
            }
            out.len()
        });
    });
    group.bench_function("format/Coord", |b| {
        b.iter(|| {
            out.clear();
            for value in black_box(&coords) {
                value.write_to(&mut out);
            }
            out.len()
        });
    });
    group.bench_function("clone/i64", |b| {
        b.iter(|| black_box(&plain).clone().len());
    });
    group.bench_function("clone/Coord", |b| {
        b.iter(|| black_box(&coords).clone().len());
    });
}

criterion_group!(all, benches);
criterion_main!(all);
