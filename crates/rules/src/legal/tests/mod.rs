//! The referee against brute force on small boards, and by hand on boards without end.

mod brute;
mod by_hand;
mod frontier;
mod list;
mod material;
mod random;

use boardprint_base::{Piece, PieceKind, Pieces, Placed, Player, Position, Square};

/// A position of pieces in canonical text, `K5,1+|k5,8`.
fn position(pieces: &str) -> Position {
    let list = pieces.split('|').map(placed).collect();
    Position::new(Pieces::from_list(list).unwrap())
}

fn placed(text: &str) -> Placed {
    let (text, right) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
    let digits = text.find(|c: char| c.is_ascii_digit() || c == '-').unwrap();
    let code = &text[..digits];
    let kind = PieceKind::from_code(&code.to_ascii_lowercase()).unwrap();
    let player = match code {
        _ if kind.is_neutral() => Player::NEUTRAL,
        code if code == code.to_ascii_uppercase() => Player::WHITE,
        _ => Player::BLACK,
    };
    Placed { square: square(&text[digits..]), piece: Piece::new(kind, player), right }
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}
