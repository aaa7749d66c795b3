//! What can be wrong with a text: ICN and the JSON long form.

use std::fmt;

use boardprint_base::{LineColumn, PieceKind, Player, Span, SyntaxError, SyntaxErrorKind};

use crate::options::Dialect;
use crate::warning::WarningKind;

/// A text that cannot be read: what is wrong, and the bytes that are.
///
/// It holds no source text, so it is small and comparable; line and column are computed when shown.
///
/// ```
/// use boardprint_icn::{IcnErrorKind, Rule, parse};
///
/// let text = "8,1,1,8 K1,1|k1,9";
/// let error = parse(text).unwrap_err();
/// assert_eq!(error.kind(), &IcnErrorKind::Rule(Rule::InvertedBorder));
/// assert_eq!(&text[error.span().start..error.span().end], "8,1,1,8");
/// assert_eq!(error.to_string(), "an inverted border");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IcnError {
    kind: IcnErrorKind,
    span: Span,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IcnErrorKind {
    /// Something else had to stand here.
    Expected {
        /// What would do.
        what: &'static str,
        /// What stands there, or `None` at the end of the text.
        found: Option<char>,
    },
    /// Nothing like this can stand here.
    Unexpected(char),
    /// A word or code that nobody knows.
    Unknown {
        /// What kind of word it would be.
        what: Term,
        /// The nearest known one.
        nearest: Option<&'static str>,
    },
    /// The same thing twice.
    Twice {
        /// What it is.
        what: Part,
        /// Where it stands first.
        first: Span,
    },
    /// A bracket or quote that is never closed.
    Unclosed(char),
    /// More than a limit of [`ReadOptions`](crate::ReadOptions) allows.
    TooMuch {
        /// What there is too much of.
        what: Limited,
        /// How much is allowed.
        limit: usize,
    },
    /// A rule of the format is broken.
    Rule(Rule),
    /// Something that would give a warning, and a strict reader refuses.
    Refused(WarningKind),
    /// Something that the chosen dialect does not know, and a strict reader refuses: what, and why.
    NotInDialect(Dialect, &'static str),
}

/// Declares an enum of names once: variant, name in output.
macro_rules! names {
    ($(#[$about:meta])* $enum:ident { $($variant:ident $name:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $enum {
            $(#[doc = concat!($name, ".")] $variant,)*
        }

        impl $enum {
            /// As messages call it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
        }
    };
}

names! {
    /// A kind of word.
    Term {
        PieceCode "piece code",
        PieceKind "kind of piece",
        Player "player",
        PlayerCode "player code",
        Result "result",
        Token "token",
    }
}

names! {
    /// A part of a text that stands in it once.
    Part {
        EnPassant "en passant square",
        ExtraRules "extra rules",
        FullMove "full move number",
        MoveRule "move rule",
        Name "name",
        Position "position",
        Promotion "promotion",
        Rays "Rays",
        Rule "rule",
        Square "square",
        Squares "Squares",
        Turn "turn",
        WinConditions "win conditions",
        WorldBorder "world border",
    }
}

names! {
    /// What has a limit.
    Limited {
        Digits "digits in a number",
        Moves "moves",
        MovesForPieces "moves for so many pieces",
        Nesting "levels of nesting",
        Pieces "pieces",
        Tags "tags",
        Turns "turns",
    }
}

boardprint_base::kinds! {
    /// A rule of the format that a text can break: the name in output, what is wrong, what to do.
    Rule message hint
    InvertedBorder "inverted-border" "an inverted border" "a border is left,right,bottom,top",
    NoSquareNoBorder "no-square-no-border" "neither a square nor a border" "a square is `x,y`, a border `left,right,bottom,top`",
    SignedCounter "signed-counter" "a counter with a sign" "write it without the `-`",
    NotWhole "not-whole" "not a whole number" "squares have whole coordinates",
    NotANumber "not-a-number" "not a whole number" "write a whole number, such as `-12`",
    AfterResult "after-result" "unexpected text after the result" "only comments may follow the result",
    NeutralPromotion "neutral-promotion" "nobody promotes to this" "obstacles and voids are not pieces",
    NeutralPawn "neutral-pawn" "pawns do not become obstacles or voids" "name another piece",
    TwoPositions "two-positions" "`shortposition` has other pieces than `startingPosition`" "keep one of them",
    NoPosition "no-position" "no position and no known variant" "give a list of pieces like `K5,1|k5,8`, or a `Variant` tag",
    PromotionParts "promotion-parts" "promotion needs one part per player" "parts stand in ascending player number, joined by `|`: `(8|1)` for white and black",
    WinParts "win-parts" "win conditions need one part per player" "parts stand in ascending player number, joined by `|`: `(checkmate|royalcapture)` for white and black",
    BrokenRules "broken-rules" "broken extra rules" "extra rules are a JSON object: `{\"slideLimit\": 7}`",
    MixedCase "mixed-case" "a piece code of mixed case" "upper case is white, lower case is black",
    MixedCaseChoice "mixed-case-choice" "a piece code of mixed case" "write it in upper or in lower case",
    PlayerNumber "player-number" "the player number is too large" "players have numbers up to 4294967295",
    PlayerAsCondition "player-as-condition" "a player code is not a win condition" "the turn stands alone, without `,` and `|`",
    ChoicesWithoutRank "choices-without-rank" "choices without a rank" "say where to promote: `8;q,r`",
    Dash "dash" "unexpected `-`" "a move is written with `>`: `5,1>5,2`",
    MovesOfPosition "moves-of-position" "a game with moves where a position is wanted" "leave the moves out, or read a game",
    MoveWithoutSquares "move-without-squares" "a move without its squares" "give `startCoords` and `endCoords`",
    CastlingWithoutPartner "castling-without-partner" "a castling without its partner" "give `coord`",
    NotesWithoutMove "notes-without-move" "notes on a move that is not there" "notes stand with the number of a half-move, counted from 1",
    Surrogate "surrogate" "half of a surrogate pair" "write both halves, or the character itself",
    LeadingZero "leading-zero" "a number with a leading zero" "write it without leading zeros",
    TagName "tag-name" "this is not a valid name of a tag" "write a name without blanks, colons, quotes and brackets",
    NegativeCounter "negative-counter" "a counter below 0" "counters start at 0",
    TwoCoordinates "two-coordinates" "a square has two coordinates" "write `[x,y]`",
    EmptyTurnOrder "empty-turn-order" "a turn order without players" "name at least one player",
    TurnNotFirst "turn-not-first" "the side to move is not the first of the turn order" "the turn order starts with the side to move",
    NotAPlayer "not-a-player" "not a player of this game" "players are those of the turn order",
    UnnamedRanks "unnamed-ranks" "promotion ranks of more than two players without their names" "write `{\"white\": 8, \"black\": 1, \"red\": 4}`",
    NoChoices "no-choices" "an empty list of promotion choices" "name the kinds, or leave the player out for the usual ones",
    ConditionWord "condition-word" "a win condition is a word in lower case" "such as `checkmate`",
    PlayerAsWord "player-as-word" "a player code is not a win condition" "such as `checkmate`",
    NoCondition "no-condition" "no win condition" "leave the player out for `checkmate`",
    NoPieces "no-pieces" "no pieces" "give at least one piece, or no `startingPosition` and a known `Variant` in `metadata`",
    MorePieces "more-pieces" "something other than pieces" "other fields have their own names",
    NoKnownVariant "no-known-variant" "no pieces" "give `startingPosition`, or a known `Variant` in `metadata`",
    VariantByNameOnly "variant-by-name-only" "no pieces" "give `startingPosition`: this variant is known by name only",
    BraceInComment "brace-in-comment" "a comment with `}`" "comments stand in braces, so they cannot hold one",
}

impl IcnError {
    pub(crate) const fn new(kind: IcnErrorKind, span: Span) -> Self {
        IcnError { kind, span }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &IcnErrorKind {
        &self.kind
    }

    /// The bytes that are wrong.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The first of two clashing things; the second is the span of the error.
    #[must_use]
    pub const fn first(&self) -> Option<Span> {
        match self.kind {
            IcnErrorKind::Twice { first, .. } => Some(first),
            _ => None,
        }
    }

    /// The same error in a text that begins `offset` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.shifted(offset);
        if let IcnErrorKind::Twice { first, .. } = &mut self.kind {
            *first = first.shifted(offset);
        }
        self
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
            IcnErrorKind::Unknown { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            IcnErrorKind::Unknown { what: Term::PieceCode, .. } => {
                let codes: Vec<&str> = PieceKind::BUILT_IN.iter().map(PieceKind::code).collect();
                Some(format!("upper case is white, lower case black; codes are {}", codes.join(" ")))
            }
            IcnErrorKind::Unknown { what: Term::PlayerCode, .. } => Some(format!(
                "players are {}, and those beyond green numbers from 7",
                Player::codes().join(" ")
            )),
            IcnErrorKind::Twice { what: Part::Position, .. } => {
                Some("pieces are joined by `|`: `K5,1|k5,8`".to_owned())
            }
            IcnErrorKind::Twice { what: Part::Square, .. } => Some("a square holds one piece".to_owned()),
            IcnErrorKind::Twice { what, .. } => Some(format!("keep one {}", what.name())),
            IcnErrorKind::Unclosed(open) => Some(format!("close it with `{}`", closing(*open))),
            IcnErrorKind::TooMuch { .. } => Some("the limit is an option".to_owned()),
            _ => self.fixed_hint().map(str::to_owned),
        }
    }

    /// The hint, if it does not depend on the text.
    const fn fixed_hint(&self) -> Option<&'static str> {
        match self.kind {
            IcnErrorKind::Rule(rule) => Some(rule.hint()),
            IcnErrorKind::Refused(_) => Some("read it without `strict`"),
            IcnErrorKind::NotInDialect(..) => Some("read it without `strict`, or as another dialect"),
            _ => None,
        }
    }
}

impl IcnErrorKind {
    /// The name in output, such as `unknown` or, of a broken rule, `inverted-border`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            IcnErrorKind::Expected { .. } => "expected",
            IcnErrorKind::Unexpected(_) => "unexpected",
            IcnErrorKind::Unknown { .. } => "unknown",
            IcnErrorKind::Twice { .. } => "twice",
            IcnErrorKind::Unclosed(_) => "unclosed",
            IcnErrorKind::TooMuch { .. } => "too-much",
            IcnErrorKind::Rule(rule) => rule.name(),
            IcnErrorKind::Refused(warning) => warning.name(),
            IcnErrorKind::NotInDialect(..) => "not-in-dialect",
        }
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        other => other,
    }
}

impl From<Rule> for IcnErrorKind {
    fn from(rule: Rule) -> Self {
        IcnErrorKind::Rule(rule)
    }
}

/// For code that treats the errors of several formats alike.
impl From<IcnError> for SyntaxError {
    fn from(error: IcnError) -> Self {
        let broken = |rule| SyntaxErrorKind::Broken { rule, hint: error.fixed_hint().unwrap_or_default() };
        let kind = match error.kind {
            IcnErrorKind::Expected { what, found } => SyntaxErrorKind::Expected { what, found },
            IcnErrorKind::Unexpected(found) => SyntaxErrorKind::Unexpected(found),
            IcnErrorKind::Unknown { what: Term::PieceCode, nearest: None } => {
                SyntaxErrorKind::UnknownPieceCode
            }
            IcnErrorKind::Unknown { what, nearest } => {
                SyntaxErrorKind::Unknown { what: what.name(), nearest }
            }
            IcnErrorKind::Twice { what: Part::Square, first } => SyntaxErrorKind::SquareTwice { first },
            IcnErrorKind::Twice { what: Part::Position, .. } => SyntaxErrorKind::Broken {
                rule: "position given twice",
                hint: "pieces are joined by `|`: `K5,1|k5,8`",
            },
            IcnErrorKind::Twice { what, first } => SyntaxErrorKind::Twice { what: what.name(), first },
            IcnErrorKind::Unclosed(open) => SyntaxErrorKind::Unclosed(open),
            IcnErrorKind::TooMuch { what, limit } => SyntaxErrorKind::TooMuch { what: what.name(), limit },
            IcnErrorKind::Rule(rule) => broken(rule.message()),
            IcnErrorKind::Refused(warning) => broken(warning.message()),
            IcnErrorKind::NotInDialect(_, why) => broken(why),
        };
        SyntaxError::new(kind, error.span)
    }
}

impl fmt::Display for IcnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            IcnErrorKind::Rule(rule) => f.write_str(rule.message()),
            IcnErrorKind::Refused(warning) => f.write_str(warning.message()),
            IcnErrorKind::NotInDialect(_, why) => f.write_str(why),
            // The words that all formats share.
            _ => SyntaxError::from(self.clone()).fmt(f),
        }
    }
}

impl std::error::Error for IcnError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_error_says_the_same() {
        let span = Span::new(3, 5);
        let kinds = [
            IcnErrorKind::Expected { what: "a piece", found: Some('x') },
            IcnErrorKind::Unexpected('-'),
            IcnErrorKind::Unknown { what: Term::PieceCode, nearest: None },
            IcnErrorKind::Unknown { what: Term::Token, nearest: Some("koth") },
            IcnErrorKind::Twice { what: Part::Square, first: span },
            IcnErrorKind::Twice { what: Part::Position, first: span },
            IcnErrorKind::Twice { what: Part::Turn, first: span },
            IcnErrorKind::Unclosed('('),
            IcnErrorKind::TooMuch { what: Limited::Tags, limit: 7 },
            IcnErrorKind::Refused(WarningKind::Dash),
            IcnErrorKind::NotInDialect(Dialect::Site, "no"),
        ];
        for kind in kinds.into_iter().chain(Rule::ALL.iter().map(|rule| IcnErrorKind::Rule(*rule))) {
            let error = IcnError::new(kind, span);
            let shared = SyntaxError::from(error.clone());
            assert_eq!(error.to_string(), shared.to_string());
            assert_eq!(error.hint(), shared.hint());
            assert_eq!(error.span(), shared.span());
        }
    }

    #[test]
    fn no_two_rules_have_one_name() {
        let mut names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Rule::ALL.len());
    }
}
