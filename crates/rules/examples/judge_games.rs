//! How fast games are judged: `cargo run --release -p boardprint-rules --example judge_games -- 200`.
//!
//! Random legal games from the classical start are played and then judged as often as asked for. Prints plies
//! per second; to compare two versions on a busy machine, count instructions instead (`perf stat -e
//! instructions:u`).

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use boardprint_base::{Game, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
use boardprint_rules::findings::inspect;
use boardprint_rules::legal::Trial;
use boardprint_rules::pieces::PieceTable;

fn start() -> Position {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut pieces = Vec::new();
    for (x, kind) in (1_i64..).zip([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]) {
        for (player, row, pawns) in [(Player::WHITE, 1_i64, 2_i64), (Player::BLACK, 8, 7)] {
            pieces.push(Placed::new(Piece::new(kind, player), Square::new(x, row)).with_right());
            pieces.push(Placed::new(Piece::new(Pawn, player), Square::new(x, pawns)).with_right());
        }
    }
    Position::new(Pieces::from_list(pieces).expect("no square twice"))
}

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut state = 1_u64;
    let mut roll = |sides: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(state >> 33).expect("31 bits") % sides
    };
    let mut game = Game { start: start(), ..Game::default() };
    let mut trial = Trial::new(PieceTable::built_in(), game.start.clone());
    while game.moves.len() < 80 && trial.conclusion().is_none() {
        let pieces = trial.position().pieces.as_slice();
        let index = usize::try_from(roll(i64::try_from(pieces.len()).expect("few"))).expect("not negative");
        let from = pieces[index].square.clone();
        let mv = Move::new(from.clone(), from.offset(roll(9) - 4, roll(9) - 4));
        if trial.play(&mv).is_ok() {
            game.moves.push(mv);
        }
    }
    let clock = Instant::now();
    for _ in 0..rounds {
        assert_eq!(inspect(PieceTable::built_in(), &game).legal, Some(true));
    }
    let plies = u32::try_from(rounds * game.moves.len()).unwrap_or(u32::MAX);
    println!("{:.0} plies/s", f64::from(plies) / clock.elapsed().as_secs_f64());
}
