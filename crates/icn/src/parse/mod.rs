//! Reading ICN.
//!
//! **Accepts** every dialect in use, fields in any order, tags anywhere before the first move; see
//! `docs/icn-dialects.md` for the whole list, and [`WarningKind`](crate::WarningKind) for what is read with a
//! warning.
//!
//! **Refuses** the same square twice, a field given twice, unknown words and piece codes, unclosed brackets,
//! and anything left over. Errors carry the bytes concerned.
//!
//! One pass, linear time, no recursion but for extra rules, whose depth is limited.

mod brace;
mod cursor;
mod field;
mod finish;
mod header;
mod laws;
mod moves;
mod number;
mod piece;
mod strict;
mod tag;

use boardprint_base::Game;

use crate::error::IcnError;
use crate::options::ReadOptions;
use crate::warning::Warning;
use cursor::{Cursor, Halt};

pub(crate) use brace::{has_odd_clock, looks_like_rules};
pub(crate) use number::PLAIN_DIGITS;
pub(crate) use tag::LONG_VALUE;

/// A game that was read, and what had to be interpreted to read it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game; a position is a game without moves.
    pub game: Game,
    /// What had to be interpreted, in the order of the text.
    pub warnings: Vec<Warning>,
}

impl ReadOptions {
    /// Reads one game or position.
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be read.
    pub fn parse(&self, text: &str) -> Result<Reading, IcnError> {
        let cursor = Cursor::new(text, self);
        let game = game(&cursor, text).map_err(|fault| cursor.error(fault))?;
        let notes = cursor.into_notes();
        strict::check(self, &notes)?;
        Ok(Reading { game, warnings: strict::warnings(self, notes) })
    }
}

/// The start of a text with this many tags and the byte where its moves begin, if all tags stand in front,
/// and there are neither comments nor warnings before the moves. The start has no tags.
pub(crate) fn plain_start(options: &ReadOptions, text: &str, tags: usize) -> Option<(Game, usize)> {
    let cursor = Cursor::new(text, options);
    let (rest, header) = header::header(&cursor, text).ok()?;
    if header.tags.len() != tags || !header.comments.is_empty() {
        return None;
    }
    let draft = finish::draft(&cursor, header).ok()?;
    draft.start()?;
    let start = Game { tags: Vec::new(), ..draft.into_game() };
    cursor.into_notes().is_empty().then(|| (start, text.len() - rest.len()))
}

fn game<'a>(cursor: &Cursor<'a, '_>, text: &'a str) -> Result<Game, Halt<'a>> {
    let (rest, header) = header::header(cursor, text)?;
    let draft = finish::draft(cursor, header)?;
    let (_, moves) = moves::moves(cursor, rest, &draft)?;
    finish::game(cursor, draft, moves)
}

#[cfg(test)]
mod tests;
