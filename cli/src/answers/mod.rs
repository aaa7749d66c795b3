//! Answers of the database, as `docs/api/openapi.json` describes them. The program prints them with `--json`,
//! the server sends them.

mod explored;
mod moves;
mod position;
mod rows;

use boardprint_games::RecordError;
use boardprint_store::db;

#[cfg(feature = "serve")]
pub(crate) use self::explored::{Explored, NextMove};
pub(crate) use self::explored::{Shower, mover};
pub(crate) use self::moves::move_text;
#[cfg(feature = "serve")]
pub(crate) use self::moves::{Move, NextNamer, Ply, plies, square_name};
pub(crate) use self::position::Position;
#[cfg(feature = "serve")]
pub(crate) use self::position::{Conclusion, game_name};
pub(crate) use self::rows::{GameRow, Paths, Results, date_text, kind_name, outcome, sure};
#[cfg(feature = "serve")]
pub(crate) use self::rows::{Place, Tag, known, tags};

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum AnswerError {
    /// What was asked about cannot be played or written.
    Record(RecordError),
    /// The database could not be read.
    Store(db::Error),
}

impl From<RecordError> for AnswerError {
    fn from(error: RecordError) -> Self {
        AnswerError::Record(error)
    }
}

impl From<db::Error> for AnswerError {
    fn from(error: db::Error) -> Self {
        AnswerError::Store(error)
    }
}

impl From<AnswerError> for anyhow::Error {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Record(error) => anyhow::anyhow!("{error}"),
            AnswerError::Store(error) => crate::database::failure(error),
        }
    }
}
