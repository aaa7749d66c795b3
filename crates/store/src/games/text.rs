//! Stored games as text.

use boardprint_games::{Format, WriteOptions};
use boardprint_icn::Style;

use super::Rules;
use crate::db::{GameKind, StoredGame};

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

    /// The format of its text.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Form::Icn => Format::Icn,
            Form::Pgn => Format::Pgn,
            Form::Fen => Format::Fen,
            Form::Cpn => Format::Cpn,
        }
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.format().name()
    }
}

/// What `extra` begins with if the rest is the text of the record.
const KEPT: u8 = b'T';

/// The text of a record, for `extra`.
pub(super) fn keep(format: Format, text: &str) -> Box<[u8]> {
    let mut kept = Vec::with_capacity(text.len() + 2);
    kept.extend_from_slice(&[KEPT, code(format)]);
    kept.extend_from_slice(text.as_bytes());
    kept.into()
}

/// What stands for a format on disk. It never changes.
const fn code(format: Format) -> u8 {
    match format {
        Format::Icn => 0,
        Format::Json => 1,
        Format::Cpn => 2,
        Format::Fen => 3,
        Format::Sfen => 4,
        Format::Pgn => 5,
        _ => u8::MAX,
    }
}

/// The format that a code stands for.
fn format_of(wanted: u8) -> Option<Format> {
    Format::ALL.into_iter().find(|format| code(*format) == wanted)
}

/// The text of the record, if it was kept.
fn kept(game: &StoredGame) -> Option<(Format, &str)> {
    match &*game.extra {
        [KEPT, code, text @ ..] => Some((format_of(*code)?, std::str::from_utf8(text).ok()?)),
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

    /// A stored game as text, without a newline at its end: the record itself if it was kept and is of that
    /// form, else tags, start, moves and result in one spelling.
    ///
    /// # Errors
    ///
    /// If the stored game cannot be read.
    pub fn text(&self, game: &StoredGame) -> Result<String, String> {
        let form = self.form(game);
        if let Some((format, text)) = kept(game)
            && format == form.format()
        {
            return Ok(text.to_owned());
        }
        if form == Form::Cpn {
            return Ok(game.start.to_string());
        }
        let options = WriteOptions::default().style(Style::Compact);
        let written = self.content(game)?.write(form.format(), &options);
        written.map(|written| written.text).map_err(|error| error.to_string())
    }
}
