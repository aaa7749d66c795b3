//! What had to be interpreted to read a record.

use std::fmt;

use boardprint_base::{LineColumn, Span};
use boardprint_cpn::{CpnWarning, CpnWarningKind};
use boardprint_finite::FenWarning;

/// Something in a record that was read although it is not by the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    kind: WarningKind,
    span: Span,
}

/// What had to be interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// In ICN or its JSON long form.
    Icn(boardprint_icn::Warning),
    /// In a CPN.
    Cpn(CpnWarning),
    /// In a FEN.
    Fen(FenWarning),
    /// In a game of a finite game.
    Game(GameWarning),
}

boardprint_base::kinds! {
    /// What a lenient reader of PGN, CSA, KIF, USI and UCI lets pass.
    GameWarning words
    WesternOrMakruk "western-or-makruk" "this may be a position of Makruk as well, and is read as one of Western chess; `--game western` or `--game makruk` says which",
    GuessedGame "guessed-game" "no tag names the game: it was guessed from the moves",
    MixedNotation "mixed-notation" "this move is in another notation than the moves before it",
    TextAfterResult "text-after-result" "the text after the result is left out",
    NoStart "no-start" "the position before the first move is missing: read as the usual start",
    NoSideToMove "no-side-to-move" "it is not said who moves first: read as the side of the first move",
    UnknownLine "unknown-line" "this line has no known meaning and is left out",
    UnknownVersion "unknown-version" "this version of the format is not known: read as the latest one",
    UnknownEnd "unknown-end" "this end of a game is not known: the result is left open",
    MoveNumber "move-number" "the number of this move does not follow that of the move before",
    TwoDiagrams "two-diagrams" "there is a second diagram: the first one counts",
    ExtraPieces "extra-pieces" "there are more pieces of a kind than a set has",
}

impl Warning {
    pub(crate) const fn game(kind: GameWarning, span: Span) -> Self {
        Warning { kind: WarningKind::Game(kind), span }
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> WarningKind {
        self.kind
    }

    /// The bytes of the record it is about.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Line and column of its first byte, in the text of the record.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }
}

impl WarningKind {
    /// A short name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WarningKind::Icn(warning) => warning.kind().name(),
            WarningKind::Cpn(warning) => warning.kind().name(),
            WarningKind::Fen(_) => "fen",
            WarningKind::Game(warning) => warning.name(),
        }
    }

    /// The warning in words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            WarningKind::Icn(warning) => warning.kind().message(),
            WarningKind::Cpn(warning) => warning.kind().words(),
            WarningKind::Fen(warning) => warning.kind.words(),
            WarningKind::Game(warning) => warning.words(),
        }
    }

    /// Whether something is wrong with the text. That it leaves open which game it is of is not.
    #[must_use]
    pub const fn is_finding(self) -> bool {
        !matches!(self, WarningKind::Game(GameWarning::WesternOrMakruk))
    }

    /// The names of all kinds.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let icn = boardprint_icn::WarningKind::ALL.iter().map(|kind| kind.name());
        let cpn = CpnWarningKind::ALL.iter().map(|kind| kind.name());
        let games = GameWarning::ALL.iter().map(|kind| kind.name());
        icn.chain(cpn).chain(std::iter::once("fen")).chain(games)
    }
}

impl From<boardprint_icn::Warning> for Warning {
    fn from(warning: boardprint_icn::Warning) -> Self {
        Warning { span: warning.span(), kind: WarningKind::Icn(warning) }
    }
}

impl From<CpnWarning> for Warning {
    fn from(warning: CpnWarning) -> Self {
        Warning { span: warning.span(), kind: WarningKind::Cpn(warning) }
    }
}

impl From<FenWarning> for Warning {
    fn from(warning: FenWarning) -> Self {
        Warning { span: warning.span, kind: WarningKind::Fen(warning) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.message())
    }
}
