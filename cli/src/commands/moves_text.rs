//! Moves as players write them.

use boardprint_finite::Notation;
use boardprint_games::{Content, NextMove};
use boardprint_icn::{Style, write::move_in};

/// A move as players write it, where the position before it is known: `Nf3`, `P5,2-5,4`; else as `1,2>1,4`
/// and `e2e4`.
pub(crate) fn spelled(played: &NextMove, before: Option<&Content<'_>>) -> String {
    let written = match (played, before) {
        (NextMove::Infinite(played), Some(Content::Infinite(game))) => {
            Some(move_in(Style::Moderate, played, &game.start))
        }
        (NextMove::Finite(_, step), Some(Content::Finite(game))) => {
            game.start().board().ok().and_then(|board| board.write(Notation::San, *step))
        }
        _ => None,
    };
    written.unwrap_or_else(|| played.to_string())
}
