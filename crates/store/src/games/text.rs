//! Stored games as text.

use std::sync::Arc;

use boardprint_base::{Coord, Game, GameResult, MoveRule, Position, TurnOrder};
use boardprint_icn::{Style, canonical_position};

use super::stored::{Playable, board_of, western_moves};
use super::{Rules, pgn};
use crate::db::{GameKind, StoredGame};
use crate::read::Format;

/// The form in which a stored game is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Games and positions of the unbounded board.
    Icn,
    /// Games of Western chess.
    Pgn,
    /// Positions of Western chess.
    Fen,
    /// Positions of other games.
    Cpn,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 4] = [Form::Icn, Form::Pgn, Form::Fen, Form::Cpn];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Icn => "icn",
            Form::Pgn => "pgn",
            Form::Fen => "fen",
            Form::Cpn => "cpn",
        }
    }
}

/// What `extra` begins with if the rest is the text of the record.
const KEPT: u8 = b'T';

/// The text of a record, for `extra`.
pub(super) fn keep(format: Format, text: &str) -> Box<[u8]> {
    let place = Format::ALL.iter().position(|known| *known == format).unwrap_or(0);
    let mut kept = Vec::with_capacity(text.len() + 2);
    kept.extend_from_slice(&[KEPT, u8::try_from(place).unwrap_or(0)]);
    kept.extend_from_slice(text.as_bytes());
    kept.into()
}

/// The text of the record, if it was kept.
fn kept(game: &StoredGame) -> Option<(Format, &str)> {
    match &*game.extra {
        [KEPT, place, text @ ..] => {
            Some((*Format::ALL.get(usize::from(*place))?, std::str::from_utf8(text).ok()?))
        }
        _ => None,
    }
}

impl Rules {
    /// The form in which a stored game is written.
    #[must_use]
    pub fn form(&self, game: &StoredGame) -> Form {
        match game.kind {
            GameKind::Finite(_) if game.tags.is_empty() && game.moves.is_empty() => Form::Fen,
            GameKind::Finite(_) => Form::Pgn,
            GameKind::Board => Form::Cpn,
            GameKind::Infinite => Form::Icn,
        }
    }

    /// A stored game as text, without a newline at its end: the record itself if it was kept and is of that form, else tags, start, moves and
    /// result in one spelling.
    ///
    /// # Errors
    ///
    /// If the stored game cannot be read.
    pub fn text(&self, game: &StoredGame) -> Result<String, String> {
        let form = self.form(game);
        if let Some((format, text)) = kept(game)
            && format.name() == form.name()
        {
            return Ok(text.to_owned());
        }
        match form {
            Form::Icn => match Playable::of(game, self)? {
                Playable::Infinite(played) => {
                    let result = Some(game.result).filter(|result| *result != GameResult::Unknown);
                    let whole = Game { tags: game.tags.clone(), result, ..played };
                    Ok(Style::Compact.write(&whole))
                }
                _ => Err("its start is no ICN".to_owned()),
            },
            Form::Pgn => {
                let start = board_of(&game.start).ok_or("its start cannot be played")?;
                let text = pgn::write_pgn(&game.tags, &start, western_moves(&game.moves), game.result);
                Ok(text.trim_end().to_owned())
            }
            Form::Fen if game.start.is_empty() => Ok(USUAL_START.to_owned()),
            Form::Fen | Form::Cpn => Ok(game.start.to_string()),
        }
    }
}

const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The laws alone: a position without pieces under them, its counters fresh.
pub(super) fn laws(start: &Position) -> String {
    let move_rule =
        start.move_rule.as_ref().map(|rule| MoveRule { count: Coord::ZERO, limit: rule.limit.clone() });
    let turn = if start.turn.is_white_and_black() { TurnOrder::default() } else { start.turn.clone() };
    let bare = Position { laws: Arc::clone(&start.laws), move_rule, turn, ..Position::default() };
    canonical_position(&bare).trim_end().to_owned()
}
