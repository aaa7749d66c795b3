//! What a reader had to interpret.

use std::fmt;

use boardprint_base::{LineColumn, Span};

/// Something that was read although it is not how ICN is written today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    kind: WarningKind,
    span: Span,
}

boardprint_base::kinds! {
    /// What had to be interpreted: the name in output, and what was found and how it was read.
    WarningKind message
    BlankAroundBar "blank-around-bar" "a blank beside `|` was ignored",
    ByteOrderMark "byte-order-mark" "the byte order mark was ignored",
    ChoicesWithoutRank "choices-without-rank" "promotion choices of a player without a rank were ignored",
    Clock "clock" "a clock stamp that is not `H:MM:SS.D` was kept as a comment",
    ColonTag "colon-tag" "a tag in the old spelling `[Name: value]`",
    CommentBeforeMoves "comment-before-moves" "a comment before the first move was kept",
    Dash "dash" "a lone `-` was ignored",
    Date "date" "the date cannot be read: the latest revision of the variant was taken",
    DuplicateTag "duplicate-tag" "a tag given twice: the last one counts",
    Ellipsis "ellipsis" "`...` was ignored",
    EqualsMark "equals-mark" "a `=` that no piece follows was read as a mark",
    Exponent "exponent" "a number with an exponent was written out",
    FullMoveZero "full-move-zero" "the full move number is 0; games begin with 1",
    Infinity "infinity" "`Infinity` is not JSON: kept as the string \"Infinity\"",
    LeadingZero "leading-zero" "leading zeros were dropped",
    LoneDot "lone-dot" "a lone `.` was read as a separator",
    LongTag "long-tag" "the value of a tag has more than 200 characters",
    MinusZero "minus-zero" "`-0` was read as 0",
    MixedCase "mixed-case" "a piece code of mixed case was read by its player number",
    MoveFlag "move-flag" "what is written about this move is not what it does",
    MoveRule "move-rule" "the move rule has passed its limit, or its limit is 0",
    MoveSeparator "move-separator" "more than one `>` or `x` between squares",
    NeutralCase "neutral-case" "obstacles and voids are written in lower case",
    NumberWithoutDot "number-without-dot" "a number before a move was read as a move number",
    OddBlank "odd-blank" "an unusual blank was read as a space",
    PartsWithoutParentheses "parts-without-parentheses" "win conditions by player without parentheses",
    PieceLetter "piece-letter" "the piece written here is not the piece on that square",
    PlayerNumber "player-number" "the number of white, black or nobody says nothing new",
    PromotionCase "promotion-case" "the promoted piece is not in the mover's colour: it was read as the mover's",
    PromotionWithoutEquals "promotion-without-equals" "a promotion without `=`",
    QuoteInTag "quote-in-tag" "a quote inside the value of a tag was kept",
    ResultAfterMoves "result-after-moves" "a game result after the moves",
    RightWithoutPiece "right-without-piece" "a special right on an empty square was ignored",
    SeveralComments "several-comments" "several comments on one move",
    SharedPart "shared-part" "one part in parentheses is shared by all players",
    TagWithoutValue "tag-without-value" "a tag without a value",
    TagsWithoutBlank "tags-without-blank" "no blank between two tags",
    TrailingBar "trailing-bar" "a `|` with nothing after it was ignored",
    TrailingComma "trailing-comma" "a `,` with nothing after it was ignored",
    TrailingNumber "trailing-number" "a move number with no move after it was ignored",
    Undefined "undefined" "`undefined` is not JSON: read as null",
    UnknownField "unknown-field" "an unknown field was ignored",
    UnquotedRules "unquoted-rules" "extra rules with names that are not in quotes",
    UnquotedTag "unquoted-tag" "the value of a tag is not in quotes",
    WinCondition "win-condition" "a win condition that no program knows was kept",
}

impl Warning {
    /// A warning of a kind at a place.
    #[must_use]
    pub const fn new(kind: WarningKind, span: Span) -> Self {
        Warning { kind, span }
    }

    /// What had to be interpreted.
    #[must_use]
    pub const fn kind(&self) -> WarningKind {
        self.kind
    }

    /// The bytes concerned.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Line and column of the first byte concerned.
    #[must_use]
    pub fn line_column(&self, source: &str) -> LineColumn {
        LineColumn::of(source, self.span.start)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.message())
    }
}
