//! Marks of the start that nothing can use.

use boardprint_base::{Game, Piece, PieceKind, Placed, Player};

use super::{Finding, Kind};
use crate::legal::Castlers;

/// Rights without a castling partner, and an en passant square without a pawn behind it.
pub(super) fn findings(game: &Game) -> Vec<Finding> {
    let pieces = game.start.pieces.as_slice();
    let mut useless: Vec<&Placed> = Vec::new();
    for row in pieces.chunk_by(|a, b| a.square.y == b.square.y) {
        let castlers = Castlers::of(row);
        let is_useless = |placed: &&Placed| {
            placed.right && placed.piece.kind != PieceKind::Pawn && !castlers.have_partner_of(placed)
        };
        useless.extend(row.iter().filter(is_useless));
    }
    let mut findings = Vec::new();
    if let Some(first) = useless.first() {
        let names: Vec<String> = useless.iter().take(8).map(ToString::to_string).collect();
        let more = useless.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("nobody can castle with {}{more}: the `+` can never be used", names.join(", "));
        findings.push(Finding::new(Kind::UselessRight, None, message).at(&first.square));
    }
    if let Some(square) = &game.start.en_passant {
        let mover = game.start.turn.to_move();
        let behind = square.offset(0, -mover.forward());
        let is_enemy = |placed: &Placed| {
            let Piece { kind, player, .. } = placed.piece;
            kind == PieceKind::Pawn && player != mover && player != Player::NEUTRAL
        };
        let fits =
            game.start.pieces.get(&behind).is_some_and(is_enemy) && game.start.pieces.get(square).is_none();
        if !fits {
            let message = format!(
                "no pawn that {mover} could take stands on {behind}, behind the en passant square {square}"
            );
            findings.push(Finding::new(Kind::UselessEnPassant, None, message).at(square));
        }
    }
    findings
}
