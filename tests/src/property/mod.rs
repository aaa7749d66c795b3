//! What must hold for any bytes whatever: one function a target, each panics if it does not hold.
//!
//! The fuzzer in `tests/fuzz` calls them with bytes that it learns to choose, `tests/tests/mutations.rs` with
//! the seeds of the corpus changed at random. A property that fails is a bug; the bytes go to `corpus/`.

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

mod finite;
mod formats;
mod linear;
mod program;
mod records;
mod rules;
mod seeds;
mod store;

pub use finite::{csa, kif, usi};
pub use formats::{cpn, fen, gan, icn, json, pgn, sfen};
pub use linear::{linear, linear_at};
pub use program::{program, program_at};
pub use records::records;
pub use rules::{fairy, render, replay};
pub use seeds::{Seed, seeds};
pub use store::store;

/// A property by name.
#[derive(Clone, Copy)]
pub struct Property {
    /// The name of the target.
    pub name: &'static str,
    /// Panics if the property does not hold for the bytes.
    pub check: fn(&[u8]),
}

/// Every property.
pub const ALL: [Property; 17] = [
    Property { name: "icn", check: icn },
    Property { name: "json", check: json },
    Property { name: "cpn", check: cpn },
    Property { name: "gan", check: gan },
    Property { name: "fen", check: fen },
    Property { name: "sfen", check: sfen },
    Property { name: "pgn", check: pgn },
    Property { name: "csa", check: csa },
    Property { name: "kif", check: kif },
    Property { name: "usi", check: usi },
    Property { name: "fairy", check: fairy },
    Property { name: "replay", check: replay },
    Property { name: "render", check: render },
    Property { name: "records", check: records },
    Property { name: "store", check: store },
    Property { name: "linear", check: linear },
    Property { name: "program", check: program },
];
