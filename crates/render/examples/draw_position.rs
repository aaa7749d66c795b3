//! Draws a board to standard output: `cargo run -p boardprint-render --example draw_position [-- --svg]`; with
//! `--features png` also `-- --png`.
//!
//! The position is classical chess after one move, with a second black king a long way off.

use std::error::Error;
use std::io::{Write, stdout};

use boardprint_base::{Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square, TurnOrder};
use boardprint_render::{Diagram, SvgOptions, TextOptions, svg, text};

fn main() -> Result<(), Box<dyn Error>> {
    let diagram = Diagram::builder()
        .position(&position())
        .last_move(&Move::new(Square::new(5, 2), Square::new(5, 4)))
        .title("1. e4, with a king at 10^15")
        .build()?;
    #[cfg(feature = "png")]
    if std::env::args().any(|argument| argument == "--png") {
        let picture = boardprint_render::png::write(&diagram, &boardprint_render::PngOptions::default())?;
        return Ok(stdout().write_all(&picture)?);
    }
    let picture = if std::env::args().any(|argument| argument == "--svg") {
        svg::write(&diagram, &SvgOptions::default())
    } else {
        text::write(&diagram, TextOptions::default())
    };
    stdout().write_all(picture.as_bytes())?;
    Ok(())
}

fn position() -> Position {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let mut list = Vec::new();
    for (player, home, pawns) in [(Player::WHITE, 1, 2), (Player::BLACK, 8, 7)] {
        for (x, kind) in (1_i64..).zip(back) {
            let placed = Placed::new(Piece::new(kind, player), Square::new(x, home));
            list.push(if matches!(kind, King | Rook) { placed.with_right() } else { placed });
            let pushed = player == Player::WHITE && x == 5;
            let pawn = Placed::new(Piece::new(Pawn, player), Square::new(x, if pushed { 4 } else { pawns }));
            list.push(if pushed { pawn } else { pawn.with_right() });
        }
    }
    list.push(Placed::new(Piece::new(King, Player::BLACK), Square::new(10_i64.pow(15), 5)));
    Position {
        turn: TurnOrder::black_first(),
        en_passant: Some(Square::new(5, 3)),
        ..Position::new(Pieces::from_list(list).expect("every piece has its own square"))
    }
}
