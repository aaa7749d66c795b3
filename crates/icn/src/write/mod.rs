//! Writing ICN.
//!
//! **Writes** one canonical text ([`canonical`]): one line, fields in fixed order, a field at its default left out,
//! pieces in reading order, nothing that is not part of the game. Two more styles are for people and other programs
//! ([`Style`]).

mod canonical;
mod readable;

use boardprint_base::{Game, Player, TurnOrder};

pub use canonical::{
    canonical, canonical_position, write_canonical, write_canonical_position, write_canonical_start_and_moves,
};

/// How to write a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// One line, nothing but the game: the text that hashes are made of.
    #[default]
    Canonical,
    /// Tags, fields that are not at their default, pieces, and moves without decoration; comments kept.
    Compact,
    /// Everything written out, moves numbered and decorated, as the original text shows its long version.
    Readable,
}

impl Style {
    /// Every style.
    pub const ALL: [Style; 3] = [Style::Canonical, Style::Compact, Style::Readable];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Style::Canonical => "canonical",
            Style::Compact => "compact",
            Style::Readable => "readable",
        }
    }

    /// Writes a game in this style.
    #[must_use]
    pub fn write(self, game: &Game) -> String {
        match self {
            Style::Canonical => canonical(game),
            Style::Compact => readable::compact(game),
            Style::Readable => readable::readable(game),
        }
    }
}

/// The text of bytes that were written as UTF-8.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("only text was written")
}

/// Appends items with something between them.
fn join<T>(
    out: &mut Vec<u8>,
    between: &[u8],
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(between);
        }
        write(out, item);
    }
}

/// Appends a turn order by its codes. `w` and `b` alone are the cycle of both, so white or black alone stand twice.
fn write_turn(out: &mut Vec<u8>, turn: &TurnOrder) {
    let cycle = match *turn.cycle() {
        [player @ Player::WHITE, Player::BLACK] | [player @ Player::BLACK, Player::WHITE] => &[player][..],
        [player @ (Player::WHITE | Player::BLACK)] => &[player, player],
        ref cycle => cycle,
    };
    join(out, b":", cycle, |out, player| match player.code() {
        Some(code) => out.extend_from_slice(code.as_bytes()),
        None => out.extend_from_slice(player.0.to_string().as_bytes()),
    });
}
