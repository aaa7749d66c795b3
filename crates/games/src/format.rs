//! The text formats of records.

/// A text format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Infinite-chess notation.
    Icn,
    /// The JSON long form of ICN.
    Json,
    /// Chess Position Notation.
    Cpn,
    /// FEN and its relatives.
    Fen,
    /// SFEN of Shogi.
    Sfen,
    /// Portable Game Notation.
    Pgn,
    /// Records of Shogi by computers.
    Csa,
    /// Records of Shogi by Kakinoki's program and others.
    Kif,
    /// Lines of the Universal Shogi Interface.
    Usi,
    /// Lines of the Universal Chess Interface.
    Uci,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 10] = [
        Format::Icn,
        Format::Json,
        Format::Cpn,
        Format::Fen,
        Format::Sfen,
        Format::Pgn,
        Format::Csa,
        Format::Kif,
        Format::Usi,
        Format::Uci,
    ];

    /// Whether it carries whole games: start, moves and what else it has a place for. The others carry
    /// positions.
    #[must_use]
    pub const fn has_games(self) -> bool {
        !matches!(self, Format::Cpn | Format::Fen | Format::Sfen)
    }

    /// Whether this build knows it: without the feature `finite` only the formats of the open board are known.
    #[must_use]
    pub const fn is_built(self) -> bool {
        cfg!(feature = "finite") || matches!(self, Format::Icn | Format::Json | Format::Cpn)
    }

    /// The name on the command line, which is also the usual ending of file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Icn => "icn",
            Format::Json => "json",
            Format::Cpn => "cpn",
            Format::Fen => "fen",
            Format::Sfen => "sfen",
            Format::Pgn => "pgn",
            Format::Csa => "csa",
            Format::Kif => "kif",
            Format::Usi => "usi",
            Format::Uci => "uci",
        }
    }
}

impl Format {
    /// The name as people write it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Format::Icn => "ICN",
            Format::Json => "JSON long form",
            Format::Cpn => "CPN",
            Format::Fen => "FEN",
            Format::Sfen => "SFEN",
            Format::Pgn => "PGN",
            Format::Csa => "CSA",
            Format::Kif => "KIF",
            Format::Usi => "USI",
            Format::Uci => "UCI",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = UnknownFormat;
    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or(UnknownFormat)
    }
}

/// The text is not the name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("expected one of ")?;
        for (index, format) in Format::ALL.iter().enumerate() {
            write!(f, "{}{format}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}
