//! Reach questions per second: a queen among 32 pieces, near and at 10^15, the rose, the knightrider, and
//! others.

use std::hint::black_box;

use boardprint_base::{Border, Piece, PieceKind, Pieces, Placed, Player, Square};
use boardprint_rules::fairy::{Movement, Mover, View};
use boardprint_rules::pieces::PieceTable;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const QUESTIONS: u64 = 1024;

fn random(state: &mut u64, bound: u64) -> i64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    i64::try_from(*state % bound).expect("bounds are small")
}

/// 32 pieces of both players, spread over 16 by 16 squares around a centre, one of them on the centre.
fn pieces(centre: i64) -> Pieces {
    let mut state = 0x2545_f491_4f6c_dd1d;
    let mut pieces = Pieces::default();
    let place = |x, y, player| Placed::new(Piece::new(PieceKind::Queen, player), Square::new(x, y));
    pieces.insert(place(centre, centre, Player::WHITE));
    while pieces.len() < 32 {
        let player = if pieces.len() % 2 == 0 { Player::WHITE } else { Player::BLACK };
        let (x, y) = (random(&mut state, 16) - 8, random(&mut state, 16) - 8);
        if (x, y) != (0, 0) {
            pieces.insert(place(centre + x, centre + y, player));
        }
    }
    pieces
}

/// Targets near the centre; `far` puts every second one on a line at a distance.
fn targets(centre: i64, far: i64) -> Vec<Square> {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    (0..QUESTIONS)
        .map(|index| {
            let (x, y) = (random(&mut state, 17) - 8, random(&mut state, 17) - 8);
            if far > 0 && index % 2 == 0 {
                Square::new(centre + far * x.signum(), centre + far * y.signum())
            } else {
                Square::new(centre + x, centre + y)
            }
        })
        .collect()
}

fn benches(c: &mut Criterion) {
    let table = PieceTable::built_in();
    let movement = |kind| -> &Movement { table.get(kind).expect("built in").movement(Player::WHITE) };
    let border = Border::default();
    let mut group = c.benchmark_group("reach");
    group.throughput(Throughput::Elements(QUESTIONS));
    let far = 10_i64.pow(15);
    for (name, kind, centre, distance) in [
        ("queen near", PieceKind::Queen, 0, 0),
        ("queen at 10^15", PieceKind::Queen, far, 0),
        ("queen over 10^15", PieceKind::Queen, 0, far),
        ("queen beyond i64", PieceKind::Queen, i64::MAX / 2, 0),
        ("knight near", PieceKind::Knight, 0, 0),
        ("rose near", PieceKind::Rose, 0, 0),
        ("rose at 10^15", PieceKind::Rose, far, 0),
        ("knightrider near", PieceKind::Knightrider, 0, 0),
        ("knightrider at 10^15", PieceKind::Knightrider, far, 0),
        ("huygen over 10^15", PieceKind::Huygen, 0, far),
    ] {
        let (movement, pieces, targets) = (movement(kind), pieces(centre), targets(centre, distance));
        let board = View { pieces: &pieces, player: Player::WHITE, border: &border };
        let from = Square::new(centre, centre);
        group.bench_function(name, |b| {
            b.iter(|| {
                let reach = |to| movement.reach(Mover::at(black_box(&from)), to, &board).is_yes();
                targets.iter().filter(|to| reach(to)).count()
            });
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
