//! Plies per second checked on one thread: legality, check, mate and the other ends after every move.
//!
//! The games are random walks of the referee itself from the classical start, the same on every run.

use std::hint::black_box;
use std::sync::Arc;

use boardprint_base::{
    Coord, Game, Laws, Move, MoveRule, Piece, PieceKind, Pieces, Placed, Player, Position, Promotion, Square,
};
use boardprint_rules::findings::inspect;
use boardprint_rules::legal::Trial;
use boardprint_rules::pieces::PieceTable;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn classical() -> Position {
    use PieceKind::{Bishop, King, Knight, Queen, Rook};
    let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let mut pieces = Vec::new();
    for (x, kind) in (1_i64..).zip(back) {
        for (player, row, pawns) in [(Player::WHITE, 1, 2), (Player::BLACK, 8, 7)] {
            let officer = Placed::new(Piece::new(kind, player), Square::new(x, row));
            pieces.push(if matches!(kind, King | Rook) { officer.with_right() } else { officer });
            pieces.push(Placed::new(Piece::new(PieceKind::Pawn, player), Square::new(x, pawns)).with_right());
        }
    }
    let ranks = [(Player::WHITE, 8_i64), (Player::BLACK, 1)];
    let promotion = ranks.map(|(player, rank)| (player, Promotion::usual([Coord::from(rank)]))).into();
    let laws = Arc::new(Laws { promotion, ..Laws::default() });
    let move_rule = Some(MoveRule { count: 0.into(), limit: 100.into() });
    Position { laws, move_rule, ..Position::new(Pieces::from_list(pieces).expect("no square twice")) }
}

/// A random legal game of up to 80 plies.
fn walk(seed: u64) -> Game {
    let mut state = seed;
    let mut roll = |sides: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(state >> 33).expect("31 bits") % sides
    };
    let mut game = Game { start: classical(), ..Game::default() };
    let mut trial = Trial::new(PieceTable::built_in(), game.start.clone());
    while game.moves.len() < 80 && trial.conclusion().is_none() {
        let pieces = trial.position().pieces.as_slice();
        let index =
            usize::try_from(roll(i64::try_from(pieces.len()).expect("few pieces"))).expect("not negative");
        let from = pieces[index].square.clone();
        let mv = Move::new(from.clone(), from.offset(roll(9) - 4, roll(9) - 4));
        if trial.play(&mv).is_ok() {
            game.moves.push(mv);
        }
    }
    game
}

fn legal(c: &mut Criterion) {
    let games: Vec<Game> = (1..=50).map(walk).collect();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut group = c.benchmark_group("legal");
    group.throughput(Throughput::Elements(plies as u64));
    group.bench_function("classical board", |b| {
        b.iter(|| {
            for game in &games {
                let found = inspect(PieceTable::built_in(), game);
                assert_eq!(found.legal, Some(true));
                black_box(found);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, legal);
criterion_main!(benches);
