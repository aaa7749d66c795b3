//! Names of players and pieces: `white`, `queensW`.

use std::borrow::Cow;

use boardprint_base::{CustomCode, Piece, PieceKind, Player};

use super::text::{Context, Slice, broken};
use crate::error::{IcnError, Rule, Term};
use crate::warning::WarningKind;

/// A player's name: `white`, or the number of a player beyond green.
pub(super) fn of_player(player: Player) -> Cow<'static, str> {
    player.name().map_or_else(|| Cow::Owned(player.0.to_string()), Cow::Borrowed)
}

/// Appends a piece's name: its plural, then `W`, `B`, `N` for nobody, or the number of another player.
pub(super) fn write_piece(piece: Piece, out: &mut Vec<u8>) {
    out.extend_from_slice(piece.long_name().as_bytes());
}

/// A player by name, code or number.
pub(super) fn player(slice: Slice<'_>) -> Result<Player, IcnError> {
    if let Some(player) = Player::from_name(slice.text).or_else(|| Player::from_code(slice.text)) {
        return Ok(player);
    }
    if !slice.text.is_empty() && slice.text.bytes().all(|b| b.is_ascii_digit()) {
        return number(slice).map(Player);
    }
    let nearest = Player::names().iter().find(|name| name.eq_ignore_ascii_case(slice.text));
    Err(slice.unknown(Term::Player, nearest.copied()))
}

/// A kind by its plural.
pub(super) fn kind(context: &Context<'_>, slice: Slice<'_>) -> Result<PieceKind, IcnError> {
    let built_in = PieceKind::BUILT_IN.iter().find(|kind| kind.plural() == slice.text);
    let custom = || {
        CustomCode::new(slice.text)
            .filter(|code| context.options.custom.contains(code))
            .map(PieceKind::Custom)
    };
    built_in.copied().or_else(custom).ok_or_else(|| {
        let is_near = |plural: &&str| {
            let stem = slice.text.strip_suffix('s').unwrap_or(slice.text);
            plural.strip_suffix('s').is_some_and(|known| known.eq_ignore_ascii_case(stem))
        };
        slice.unknown(Term::PieceKind, PieceKind::BUILT_IN.iter().map(PieceKind::plural).find(is_near))
    })
}

/// A piece by its name with the owner after: `queensW`, `obstaclesN`, `kings3`.
pub(super) fn piece(context: &mut Context<'_>, slice: Slice<'_>) -> Result<Piece, IcnError> {
    let stem = slice.text.trim_end_matches(|c: char| c.is_ascii_digit());
    let (stem, player) = if stem.len() < slice.text.len() {
        let player = Player(number(slice.from(stem.len()))?);
        if player <= Player::BLACK {
            context.warn(WarningKind::PlayerNumber, slice.span);
        }
        (stem, player)
    } else {
        match slice.text.as_bytes().last() {
            Some(b'W') => (&stem[..stem.len() - 1], Player::WHITE),
            Some(b'B') => (&stem[..stem.len() - 1], Player::BLACK),
            Some(b'N') => (&stem[..stem.len() - 1], Player::NEUTRAL),
            _ => return Err(slice.from(stem.len()).expected("`W`, `B`, `N` or a number for the owner")),
        }
    };
    Ok(Piece::new(kind(context, slice.sub(0..stem.len()))?, player))
}

fn number(slice: Slice<'_>) -> Result<u32, IcnError> {
    slice.text.parse().map_err(|_| broken(Rule::PlayerNumber, slice.span))
}
