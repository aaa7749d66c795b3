//! The JSON long form in parts, of which JavaScript makes an object: it has means to make the same start many
//! times over.

use boardprint_games::{Content, Format, ReadOptions, WriteError};
use boardprint_icn::json;

use crate::problem::Problem;

/// The parts of the long form of ICN, a line each.
pub(crate) fn parts(text: &str) -> Result<String, Problem> {
    let read = ReadOptions::default().read_text(Format::Icn, text);
    match read.map_err(|error| Problem::of_record(&error, text))?.content {
        Content::Infinite(game) => Ok(json::write_parts(&game)),
        _ => Err(WriteError::OtherBoard(Format::Json).into()),
    }
}
