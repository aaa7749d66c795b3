//! How to read: dialect, strictness, limits.

use crate::error::{IcnErrorKind, Limited};
use crate::parse::PLAIN_DIGITS;
use std::fmt;
use std::str::FromStr;

use boardprint_base::CustomCode;

/// What to read and how much of it.
///
/// ```
/// use boardprint_icn::{Dialect, ReadOptions};
/// let options = ReadOptions::default().dialect(Dialect::Redesign).max_pieces(10_000);
/// assert!(options.parse("(8|1;q,am) K1,1|k1,9").is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) strict: bool,
    pub(crate) max_digits: usize,
    pub(crate) max_pieces: usize,
    pub(crate) max_moves: usize,
    pub(crate) max_work: usize,
    pub(crate) max_tags: usize,
    pub(crate) max_turns: usize,
    pub(crate) max_depth: usize,
    pub(crate) custom: Vec<CustomCode>,
}

/// The ways in which ICN has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// The first text, March 2024.
    Readme2024March,
    /// The second text, August 2024.
    Readme2024August,
    /// FormatConverter.js.
    FormatConverter,
    /// FormatConverter.js as the site used it until May 2025: turn orders, player numbers, `1e21`.
    SiteConverter,
    /// The converter of infinitechess.org since May 2025: fixed order, nothing else accepted.
    Site,
    /// The same after its redesign in June 2026: one shared promotion list.
    Redesign,
    /// The engines that play there.
    Engine,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 7] = [
        Dialect::Readme2024March,
        Dialect::Readme2024August,
        Dialect::FormatConverter,
        Dialect::SiteConverter,
        Dialect::Site,
        Dialect::Redesign,
        Dialect::Engine,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Readme2024March => "readme-2024-03",
            Dialect::Readme2024August => "readme-2024-08",
            Dialect::FormatConverter => "format-converter",
            Dialect::SiteConverter => "site-2025",
            Dialect::Site => "site",
            Dialect::Redesign => "redesign",
            Dialect::Engine => "engine",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text does not name one of the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    pub(crate) what: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {}", self.what)
    }
}

impl std::error::Error for UnknownName {}

impl FromStr for Dialect {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == text);
        known.ok_or(UnknownName { what: "dialect" })
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            dialect: None,
            strict: false,
            max_digits: 100_000,
            max_pieces: 100_000_000,
            max_moves: 100_000_000,
            max_work: 1_000_000_000,
            max_tags: 100_000,
            max_turns: 1_000,
            max_depth: 128,
            custom: Vec::new(),
        }
    }
}

impl ReadOptions {
    /// Where the same text means different things, read it as this dialect does. Only [`Dialect::Redesign`]
    /// differs.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Refuse what the chosen dialect does not know; without a dialect, refuse whatever would give a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// How many digits a number may have (default 100,000).
    #[must_use]
    pub fn max_digits(mut self, limit: usize) -> Self {
        self.max_digits = limit;
        self
    }

    /// How many pieces a position may have (default 100 million).
    #[must_use]
    pub fn max_pieces(mut self, limit: usize) -> Self {
        self.max_pieces = limit;
        self
    }

    /// How many moves a game may have (default 100 million).
    #[must_use]
    pub fn max_moves(mut self, limit: usize) -> Self {
        self.max_moves = limit;
        self
    }

    /// How many moves times pieces a game may have (default 1 billion): to play a move on a board of many
    /// pieces takes time.
    #[must_use]
    pub fn max_work(mut self, limit: usize) -> Self {
        self.max_work = limit;
        self
    }

    /// Whether plain spelling may be read without a look at the options: no limit can be hit, nothing is noted.
    #[inline]
    pub(crate) fn allows_plain(&self) -> bool {
        self.max_digits >= PLAIN_DIGITS && !self.notes_features()
    }

    /// Whether anybody asks what a strict reader of some dialect does not know.
    #[inline]
    pub(crate) fn notes_features(&self) -> bool {
        self.strict && self.dialect.is_some()
    }

    /// How many moves a game of this many pieces may have.
    pub(crate) fn move_limit(&self, pieces: usize) -> usize {
        self.max_moves.min(self.max_work / pieces.max(1))
    }

    /// What is wrong with a game beyond [`ReadOptions::move_limit`].
    pub(crate) fn too_many_moves(&self, limit: usize) -> IcnErrorKind {
        let what = if limit < self.max_moves { Limited::MovesForPieces } else { Limited::Moves };
        IcnErrorKind::TooMuch { what, limit }
    }

    /// How many tags a game may have (default 100,000).
    #[must_use]
    pub fn max_tags(mut self, limit: usize) -> Self {
        self.max_tags = limit;
        self
    }

    /// How many turns a turn order may have before it begins again (default 1,000). A replay looks at all of
    /// them after each move.
    #[must_use]
    pub fn max_turns(mut self, limit: usize) -> Self {
        self.max_turns = limit;
        self
    }

    /// How deep extra rules may be nested (default 128).
    #[must_use]
    pub fn max_depth(mut self, limit: usize) -> Self {
        self.max_depth = limit;
        self
    }

    /// Codes of pieces that a user defines, beside the built-in ones.
    #[must_use]
    pub fn custom_pieces(mut self, codes: impl IntoIterator<Item = CustomCode>) -> Self {
        self.custom = codes.into_iter().collect();
        self
    }

    /// Whether a code is one of these.
    #[must_use]
    pub fn has_custom_piece(&self, code: CustomCode) -> bool {
        self.custom.contains(&code)
    }
}
