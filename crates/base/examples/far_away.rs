//! Plays a move across a quadrillion squares: `cargo run -p boardprint-base --example far_away`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_base::replay::play;
use boardprint_base::{Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rook = Placed::new(Piece::new(PieceKind::Rook, Player::WHITE), Square::new(0, 0));
    let pawn = Placed::new(Piece::new(PieceKind::Pawn, Player::BLACK), Square::new(10_i64.pow(15), 0));
    let mut position =
        Position::new(Pieces::from_list(vec![rook, pawn]).map_err(|twice| format!("{twice:?}"))?);
    let mv: Move = "0,0>1000000000000000,0".parse()?;
    let played = play(&mut position, &mv)?;
    println!("{mv} captures {:?}", played.captured().map(|victim| victim.piece.to_string()));
    for placed in &position.pieces {
        println!("{} stands on {}", placed.piece, placed.square);
    }
    Ok(())
}
