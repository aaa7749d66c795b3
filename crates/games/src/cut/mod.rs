//! Where one record ends and the next begins, for every format.

mod json;
mod lines;
mod pgn;
mod starts;

pub use boardprint_base::cut::{Cut, Step};

use self::json::JsonCutter;
use self::lines::LineCutter;
use self::pgn::PgnCutter;
pub use self::starts::{LOOK_BACK, next_start};
use crate::Format;

/// The cutter of a format.
#[must_use]
pub fn cutter(format: Format) -> Box<dyn Cut + Send> {
    match format {
        Format::Icn => Box::new(boardprint_icn::Cutter::default()),
        Format::Json => Box::new(JsonCutter::default()),
        Format::Pgn => Box::new(PgnCutter::default()),
        Format::Cpn | Format::Fen | Format::Sfen => Box::new(LineCutter::default()),
    }
}
