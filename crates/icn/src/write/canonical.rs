//! The canonical text.

use boardprint_base::{
    Border, Coord, Game, Laws, Move, Piece, PieceKind, Placed, Player, Position, Promotion, TurnOrder,
};

use super::{into_text, join, write_turn};

/// The canonical text of a game: of its start and its moves.
#[must_use]
pub fn canonical(game: &Game) -> String {
    let mut out = Vec::with_capacity(64 + game.start.pieces.len() * 10 + game.moves.len() * 16);
    write_canonical(game, &mut out);
    into_text(out)
}

/// The canonical text of a position.
#[must_use]
pub fn canonical_position(position: &Position) -> String {
    let mut out = Vec::with_capacity(64 + position.pieces.len() * 10);
    write_canonical_position(position, &mut out);
    into_text(out)
}

/// Appends the canonical text of a game to a buffer that can be reused.
pub fn write_canonical(game: &Game, out: &mut Vec<u8>) {
    write_canonical_start_and_moves(&game.start, &game.moves, out);
}

/// Appends the canonical text of a game that is given by its start and its moves.
pub fn write_canonical_start_and_moves(start: &Position, moves: &[Move], out: &mut Vec<u8>) {
    write_canonical_position(start, out);
    if !moves.is_empty() {
        out.push(b' ');
        write_moves(moves, &start.turn, out);
    }
}

/// Appends the canonical text of a position to a buffer that can be reused.
pub fn write_canonical_position(position: &Position, out: &mut Vec<u8>) {
    write_fields(position, out);
    write_pieces(position.pieces.iter(), out);
}

/// Appends the fields that are not at their default, each with a space after it.
pub(super) fn write_fields(position: &Position, out: &mut Vec<u8>) {
    let turn = &position.turn;
    if *turn != TurnOrder::white_first() {
        write_turn(out, turn);
        out.push(b' ');
    }
    if let Some(square) = &position.en_passant {
        square.write_to(out);
        out.push(b' ');
    }
    if let Some(rule) = &position.move_rule {
        rule.count.write_to(out);
        out.push(b'/');
        rule.limit.write_to(out);
        out.push(b' ');
    }
    if position.full_move != Coord::from(1) {
        position.full_move.write_to(out);
        out.push(b' ');
    }
    if position.laws.is_default() {
        return;
    }
    write_laws(&position.laws, &turn.players(), out);
}

fn write_laws(laws: &Laws, players: &[Player], out: &mut Vec<u8>) {
    if !laws.promotion.is_empty() {
        write_promotion(laws, players, |promotion| !promotion.has_usual_choices(), out);
        out.push(b' ');
    }
    if !laws.border.is_open() {
        write_border(&laws.border, out);
        out.push(b' ');
    }
    if !laws.wins.is_default() {
        write_wins(laws, players, out);
        out.push(b' ');
    }
    if laws.has_unusual_rules() {
        laws.write_unusual_rules_to(out);
        out.push(b' ');
    }
}

/// Appends promotion ranks and, where asked for, choices; one part per player.
pub(super) fn write_promotion(
    laws: &Laws,
    players: &[Player],
    with_choices: impl Fn(&Promotion) -> bool,
    out: &mut Vec<u8>,
) {
    out.push(b'(');
    join(out, b"|", players, |out, player| {
        let Some(promotion) = laws.promotion.get(player) else { return };
        join(out, b",", promotion.ranks(), |out, rank| rank.write_to(out));
        if with_choices(promotion) {
            out.push(b';');
            join(out, b",", promotion.choices(), |out, kind| write_choice(*kind, *player, out));
        }
    });
    out.push(b')');
}

/// A choice is in upper case for white and in lower case for everybody else.
fn write_choice(kind: PieceKind, player: Player, out: &mut Vec<u8>) {
    let owner = if player == Player::WHITE { Player::WHITE } else { Player::BLACK };
    Piece::new(kind, owner).write_to(out);
}

pub(super) fn write_border(border: &Border, out: &mut Vec<u8>) {
    let sides = [&border.left, &border.right, &border.bottom, &border.top];
    join(out, b",", sides, |out, side| match side {
        Some(value) => value.write_to(out),
        None => out.push(b'_'),
    });
}

/// Appends win conditions: one bare list if all players share it, else one part per player in parentheses.
pub(super) fn write_wins(laws: &Laws, players: &[Player], out: &mut Vec<u8>) {
    let words = |out: &mut Vec<u8>, player: &Player| {
        join(out, b",", laws.wins.of(*player), |out, word| out.extend_from_slice(word.as_bytes()));
    };
    if laws.wins.is_shared_by(players) {
        words(out, &players[0]);
        return;
    }
    out.push(b'(');
    join(out, b"|", players, words);
    out.push(b')');
}

/// Appends pieces joined by `|`.
pub(super) fn write_pieces<'a>(pieces: impl IntoIterator<Item = &'a Placed>, out: &mut Vec<u8>) {
    join(out, b"|", pieces, |out, placed| placed.write_to(out));
}

fn write_moves(moves: &[Move], turn: &TurnOrder, out: &mut Vec<u8>) {
    join(out, b"|", moves.iter().enumerate(), |out, (ply, mv)| write_move(mv, turn.at(ply), out));
}

/// Appends `x,y>x,y`, and `=X` for a promotion, in the mover's case.
pub(super) fn write_move(mv: &Move, mover: Player, out: &mut Vec<u8>) {
    mv.write_squares_to(out);
    if let Some(kind) = mv.promotion {
        out.push(b'=');
        Piece::new(kind, mover).write_to(out);
    }
}
