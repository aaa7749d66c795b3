//! What is wrong with a CPN, and where.

use std::fmt;

use boardprint_base::{LineColumn, Span, SyntaxError};

use crate::revision::Revision;

/// The four fields of a CPN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Who moves next.
    Side,
    /// The sizes of the board.
    Shape,
    /// The cells.
    Board,
    /// The pieces in hand.
    Hand,
}

/// A text that is not a CPN, or a CPN that does not say what its reader needs.
///
/// ```
/// use boardprint_cpn::{Cpn, Field};
/// let error = "B--3--W:^K,,w:K--".parse::<Cpn>().unwrap_err();
/// assert_eq!((error.field(), error.cell(), error.span().start), (Field::Board, Some(3), 14));
/// assert_eq!(error.to_string(), "cell 3 of the board: expected a name in lower case like its game, found `K`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpnError {
    field: Field,
    cell: Option<usize>,
    kind: CpnErrorKind,
    span: Span,
}

/// What can be wrong with a CPN.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CpnErrorKind {
    /// The text does not follow the grammar, or the board does not say what its reader needs.
    Syntax(SyntaxError),
    /// The text breaks a rule of the notation.
    Broken(CpnRule),
    /// The board has another number of cells than the shape says.
    CellCount {
        /// The cells of the board.
        found: usize,
        /// The product of the shape; `None` if it is beyond any text.
        wanted: Option<usize>,
    },
}

/// The rules of the notation that no grammar says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CpnRule {
    /// Sizes have no leading zeros.
    LeadingZero,
    /// The hand is in ASCII order.
    UnsortedHand,
    /// All royal prefixes are of one revision.
    OtherRevision {
        /// The revision of the text.
        wanted: Revision,
    },
}

impl CpnRule {
    /// What is wrong, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            CpnRule::LeadingZero => "size has a leading zero",
            CpnRule::UnsortedHand => "the hand is not in ASCII order",
            CpnRule::OtherRevision { .. } => "royal prefix of another revision",
        }
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            CpnRule::LeadingZero => "write the size without leading zeros",
            CpnRule::UnsortedHand => "put this piece before the one in front of it",
            CpnRule::OtherRevision { wanted: Revision::Y2014 } => "the royal prefix is `_` here",
            CpnRule::OtherRevision { wanted: Revision::Y2015 } => "the royal prefix is `^` here",
            CpnRule::OtherRevision { wanted: Revision::Y2019 } => "the royal prefix is `-` here",
        }
    }
}

impl CpnError {
    pub(crate) const fn broken(field: Field, cell: Option<usize>, rule: CpnRule, span: Span) -> Self {
        CpnError { field, cell, kind: CpnErrorKind::Broken(rule), span }
    }

    /// A syntax error in a field, in one of its cells if there is one; cells count from 1.
    #[must_use]
    pub const fn new(field: Field, cell: Option<usize>, error: SyntaxError) -> Self {
        let span = error.span();
        CpnError { field, cell, kind: CpnErrorKind::Syntax(error), span }
    }

    pub(crate) const fn cell_count(found: usize, wanted: Option<usize>, span: Span) -> Self {
        CpnError { field: Field::Board, cell: None, kind: CpnErrorKind::CellCount { found, wanted }, span }
    }

    /// The field that is wrong.
    #[must_use]
    pub const fn field(&self) -> Field {
        self.field
    }

    /// The cell of the board or the piece in hand that is wrong, from 1.
    #[must_use]
    pub const fn cell(&self) -> Option<usize> {
        self.cell
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &CpnErrorKind {
        &self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Line and column of the first wrong byte.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &self.kind {
            CpnErrorKind::Syntax(error) => error.hint(),
            CpnErrorKind::Broken(rule) => Some(rule.hint().to_owned()),
            CpnErrorKind::CellCount { wanted: Some(0), .. } => {
                Some("a shape without numbers or with a 0 has no cell: leave the board empty".to_owned())
            }
            CpnErrorKind::CellCount { wanted: Some(1), .. } => {
                Some("a board of one cell has no comma".to_owned())
            }
            CpnErrorKind::CellCount { wanted: Some(wanted), .. } => {
                Some(format!("write {} commas, empty cells included", wanted - 1))
            }
            CpnErrorKind::CellCount { wanted: None, .. } => None,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Side => "side",
            Field::Shape => "shape",
            Field::Board => "board",
            Field::Hand => "hand",
        })
    }
}

impl fmt::Display for CpnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.field, self.cell) {
            (Field::Hand, Some(piece)) => write!(f, "piece {piece} of the hand: ")?,
            (field, Some(cell)) => write!(f, "cell {cell} of the {field}: ")?,
            (field, None) => write!(f, "{field}: ")?,
        }
        match &self.kind {
            CpnErrorKind::Syntax(error) => error.fmt(f),
            CpnErrorKind::Broken(rule) => f.write_str(rule.words()),
            CpnErrorKind::CellCount { found, wanted: Some(wanted) } => {
                write!(f, "found {found} cells, the shape has {wanted}")
            }
            CpnErrorKind::CellCount { found, wanted: None } => {
                write!(f, "found {found} cells, the shape has more than any text can hold")
            }
        }
    }
}

impl std::error::Error for CpnError {}
