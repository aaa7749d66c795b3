//! Where one record ends and the next begins, for every format.

mod csa;
mod json;
mod kif;
mod lines;
mod pgn;
mod starts;

pub use boardprint_base::cut::{Cut, Step};

use self::csa::CsaCutter;
use self::json::JsonCutter;
use self::kif::KifCutter;
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
        // Its records are refused one by one.
        _ if !format.is_built() => Box::new(LineCutter::default()),
        Format::Pgn => Box::new(PgnCutter::default()),
        Format::Csa => Box::new(CsaCutter::default()),
        Format::Kif => Box::new(KifCutter::default()),
        Format::Cpn | Format::Fen | Format::Sfen | Format::Usi | Format::Uci => {
            Box::new(LineCutter::default())
        }
    }
}
