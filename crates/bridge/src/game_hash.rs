//! The other two names: of exactly this text, and of a whole game.

use std::borrow::Cow;

use boardprint_base::{Coord, Digest, Game, Position};
use boardprint_icn::write::{write_canonical_position, write_canonical_start_and_moves};

use crate::identity::identity;

/// The exact hash: SHA-1 of the canonical ICN of a position, counters, laws and unusable marks included.
#[must_use]
pub fn exact_hash(position: &Position) -> Digest {
    let mut text = Vec::with_capacity(64 + position.pieces.len() * 8);
    write_canonical_position(position, &mut text);
    Digest::of(&text)
}

/// The game hash: SHA-1 of [`game_text`].
///
/// ```
/// let hash = |text| boardprint_icn::parse(text).map(|reading| boardprint_bridge::game_hash(&reading.game));
/// let copy = "[Event \"a copy\"] 7 k1,9|K1,1+ 1. K1,1 > 1,2 {hm}";
/// assert_eq!(hash("K1,1|k1,9 1,1>1,2")?, hash(copy)?);
/// assert_ne!(hash("K1,1|k1,9 1,1>1,2")?, hash("koth K1,1|k1,9 1,1>1,2")?);
/// # Ok::<(), boardprint_base::SyntaxError>(())
/// ```
#[must_use]
pub fn game_hash(game: &Game) -> Digest {
    let mut text = Vec::with_capacity(64 + game.start.pieces.len() * 8 + game.moves.len() * 10);
    write_game_text(game, &mut text);
    Digest::of(&text)
}

/// The text that names a game: canonical ICN of the start's identity with its laws, and the moves. The move
/// rule keeps its limit, its count is 0, and the full move number is left out.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "canonical text is UTF-8")]
pub fn game_text(game: &Game) -> String {
    let mut text = Vec::new();
    write_game_text(game, &mut text);
    String::from_utf8(text).expect("canonical text is UTF-8")
}

/// Appends [`game_text`] to a buffer that can be reused.
pub fn write_game_text(game: &Game, out: &mut Vec<u8>) {
    write_canonical_start_and_moves(&named_start(&game.start), &game.moves, out);
}

/// The start without what does not name a game: dead marks and counters.
#[must_use]
pub fn named_start(start: &Position) -> Cow<'_, Position> {
    let has_marks = start.en_passant.is_some() || start.pieces.iter().any(|placed| placed.right);
    let has_counters = start.full_move != Coord::from(1)
        || start.move_rule.as_ref().is_some_and(|rule| !rule.count.is_zero());
    if !has_marks && !has_counters {
        return Cow::Borrowed(start);
    }
    let mut named = identity(start);
    named.full_move = 1_i64.into();
    if let Some(rule) = &mut named.move_rule {
        rule.count = Coord::ZERO;
    }
    Cow::Owned(named)
}
