//! What naming a position costs beside the SHA-1 of its text alone.

use std::hint::black_box;

use boardprint_base::{Piece, PieceKind, Pieces, Placed, Player, Position, Square};
use boardprint_bridge::Namer;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sha1::{Digest, Sha1};

/// The classical start: 32 pieces.
fn start() -> Position {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let mut list = Vec::new();
    for (player, back_rank, pawn_rank) in [(Player::WHITE, 1, 2), (Player::BLACK, 8, 7)] {
        for (x, kind) in (1_i64..).zip(back) {
            let placed = Placed::new(Piece::new(kind, player), Square::new(x, back_rank));
            list.push(if matches!(kind, Rook | King) { placed.with_right() } else { placed });
            list.push(Placed::new(Piece::new(Pawn, player), Square::new(x, pawn_rank)).with_right());
        }
    }
    Position::new(Pieces::from_list(list).expect("no square twice"))
}

/// A crowd of 100,000 pieces on a square of 400 by 400, some of them with rights.
fn crowd() -> Position {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut squares: Vec<i64> = (0..160_000).collect();
    let mut list = Vec::new();
    for n in 0..100_000 {
        let other = usize::try_from(next(160_000 - n)).expect("small");
        let at = usize::try_from(n).expect("small");
        squares.swap(at, at + other);
        let kind = PieceKind::BUILT_IN[usize::try_from(next(20)).expect("small")];
        let player = if next(2) == 0 { Player::WHITE } else { Player::BLACK };
        let square = Square::new(squares[at] % 400 - 200, squares[at] / 400 - 200);
        let placed = Placed::new(Piece::new(kind, player), square);
        list.push(if next(8) == 0 { placed.with_right() } else { placed });
    }
    Position::new(Pieces::from_list(list).expect("no square twice"))
}

fn benches(c: &mut Criterion) {
    for (name, position) in [("32 pieces", start()), ("100000 pieces", crowd())] {
        let mut namer = Namer::new();
        let text = namer.cpn(&position).to_vec();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("SHA-1 alone", |b| b.iter(|| Sha1::digest(black_box(&text))));
        group.bench_function("CPN", |b| b.iter(|| namer.cpn(black_box(&position)).len()));
        group.bench_function("CPN and CPH", |b| b.iter(|| namer.cph(black_box(&position))));
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
