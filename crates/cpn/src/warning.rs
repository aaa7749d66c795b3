//! What a lenient reader puts right.

use std::fmt;

use boardprint_base::Span;

/// Something that was put right, and the bytes it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpnWarning {
    kind: CpnWarningKind,
    span: Span,
}

/// What can be put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CpnWarningKind {
    /// The hand was not in ASCII order and was sorted. The text, and so the hash, is another one than that of
    /// the text that was read.
    UnsortedHand,
}

impl CpnWarning {
    pub(crate) const fn new(kind: CpnWarningKind, span: Span) -> Self {
        CpnWarning { kind, span }
    }

    /// What was put right.
    #[must_use]
    pub const fn kind(&self) -> CpnWarningKind {
        self.kind
    }

    /// The bytes: the first piece in hand that was out of order.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }
}

impl CpnWarningKind {
    /// Every kind.
    pub const ALL: &[CpnWarningKind] = &[CpnWarningKind::UnsortedHand];

    /// A short name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CpnWarningKind::UnsortedHand => "unsorted-hand",
        }
    }

    /// The warning in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            CpnWarningKind::UnsortedHand => {
                "the hand was sorted: equal hands have one text only in ASCII order"
            }
        }
    }
}

impl fmt::Display for CpnWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.words())
    }
}
