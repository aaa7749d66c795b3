//! The JSON long form of games and positions.
//!
//! **Accepts** one JSON object with the fields of `docs/json.md`, in any order, all but the pieces optional.
//! Moves are strings (`"2,7>1,8Q"`) or the older objects (`{"type": …, "startCoords": …}`), also mixed.
//! Coordinates are numbers, exact at any size, or strings. Without `startingPosition` the pieces come from
//! the variant that the metadata names. [`WarningKind`](crate::WarningKind) has what is read with a warning.
//!
//! **Writes** one line: coordinates as numbers while JavaScript reads them exactly, as strings beyond 2^53;
//! fields at their default where the form has always written them.
//!
//! **Refuses** what is not JSON, the same name or square twice, unknown pieces and players, and values of the
//! wrong type. Errors carry the bytes concerned.
//!
//! Numbers must stay exact and errors must know their place, which is why the text is read by a small reader
//! of our own. It reads the extra rules of ICN, too.

mod fields;
mod moves;
mod name;
mod text;
mod value;
mod write;

#[cfg(test)]
mod tests;

use crate::error::{IcnError, IcnErrorKind};
use crate::options::ReadOptions;
use crate::parse::Reading;

pub(crate) use value::{is_name_byte, read_rules};
pub use write::{MoveForm, write, write_parts};

impl ReadOptions {
    /// Reads one game or position in the JSON long form.
    ///
    /// ```
    /// use boardprint_icn::ReadOptions;
    /// let text = r#"{"startingPosition": {"5,1": "kingsW", "5,8": "kingsB"}, "moves": ["5,1>5,2"]}"#;
    /// let reading = ReadOptions::default().parse_json(text)?;
    /// assert_eq!(reading.game.moves.len(), 1);
    /// # Ok::<(), boardprint_icn::IcnError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be read.
    pub fn parse_json(&self, text: &str) -> Result<Reading, IcnError> {
        let mut context = text::Context::new(self);
        let root = value::read(&mut context, text)?;
        let game = fields::game(&mut context, &root)?;
        let mut warnings = context.into_warnings();
        warnings.sort_by_key(|warning| warning.span().start);
        if let Some(warning) = warnings.first().filter(|_| self.strict) {
            return Err(IcnError::new(IcnErrorKind::Refused(warning.kind()), warning.span()));
        }
        Ok(Reading { game, warnings })
    }
}
