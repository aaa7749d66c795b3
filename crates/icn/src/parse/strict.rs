//! What a strict reader of one dialect refuses.

use boardprint_base::Span;

use crate::error::{IcnError, IcnErrorKind};
use crate::options::{Dialect, ReadOptions};
use crate::warning::{Warning, WarningKind};

/// What was noted while reading: a warning, or something that not every dialect knows.
pub(super) enum Note {
    Warning(Warning),
    Feature(Feature, Span),
}

impl Note {
    fn warning(self) -> Option<Warning> {
        match self {
            Note::Warning(warning) => Some(warning),
            Note::Feature(..) => None,
        }
    }
}

/// What is read without a warning, but not known to every dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    BeyondI64,
    BlankInTag,
    Border,
    ClockWithoutTenths,
    EmptyComment,
    EnPassantPlayers,
    ExtraRules,
    FieldOrder,
    Knightrider,
    NumberedTurn,
    LooseMove,
    LooseSeparator,
    ManyMarks,
    MarkAfterComment,
    NewPiece,
    OddTagName,
    OpenBorder,
    PlayerNumber,
    Presets,
    QuotedTag,
    SeveralRanks,
    ThreeCheck,
    TightField,
    TurnOrder,
    WinParts,
    WinPartsFirst,
}

/// Refuses the first note that the chosen dialect does not know; without a dialect, the first warning.
pub(super) fn check(options: &ReadOptions, notes: &[Note]) -> Result<(), IcnError> {
    if !options.strict {
        return Ok(());
    }
    let refused = notes.iter().filter_map(|note| match (options.dialect, note) {
        (None, Note::Warning(warning)) => Some((warning.span(), IcnErrorKind::Refused(warning.kind()))),
        (Some(dialect), Note::Warning(warning)) if !reads(dialect, warning.kind()) => {
            let kind = IcnErrorKind::NotInDialect(dialect, warning.kind().message());
            Some((warning.span(), kind))
        }
        (Some(dialect), Note::Feature(feature, span)) if !knows(dialect, *feature) => {
            Some((*span, IcnErrorKind::NotInDialect(dialect, feature.message())))
        }
        _ => None,
    });
    match refused.min_by_key(|(span, _)| span.start) {
        None => Ok(()),
        Some((span, kind)) => Err(IcnError::new(kind, span)),
    }
}

impl Feature {
    fn message(self) -> &'static str {
        match self {
            Feature::BeyondI64 => "this dialect has no numbers beyond 64 bits",
            Feature::BlankInTag => "this dialect has no blank before the `]` of a tag",
            Feature::Border => "this dialect has no world border",
            Feature::ClockWithoutTenths => "this dialect writes clocks as `H:MM:SS.D`",
            Feature::EmptyComment => "this dialect has no empty comments",
            Feature::EnPassantPlayers => "this dialect has en passant only after a move of white or black",
            Feature::ExtraRules => "this dialect has no extra rules",
            Feature::FieldOrder => "this dialect has a fixed order of fields",
            Feature::Knightrider => "this dialect has no knightrider",
            Feature::LooseMove => {
                "this dialect has at most one space between the parts of a move, and none after `=`"
            }
            Feature::LooseSeparator => "this dialect separates moves by `|` or `N. `",
            Feature::ManyMarks => "this dialect has one of `+ #` and up to two of `! ?` side by side",
            Feature::MarkAfterComment => "this dialect has the marks of a move before its comment",
            Feature::NewPiece => "this dialect has neither huygens nor roses",
            Feature::NumberedTurn => "this dialect has no players beyond green in turn orders",
            Feature::OddTagName => "this dialect has only letters in names of tags",
            Feature::OpenBorder => "this dialect has no borders with open sides",
            Feature::PlayerNumber => "this dialect has no player numbers",
            Feature::Presets => "this dialect has neither `Squares:` nor `Rays:`",
            Feature::QuotedTag => "this dialect writes tags as `[Name: value]`",
            Feature::SeveralRanks => "this dialect has one promotion rank per player",
            Feature::ThreeCheck => "this dialect has no win by three checks",
            Feature::TightField => "this dialect wants a blank after a tag",
            Feature::TurnOrder => "this dialect has no turn orders but `w` and `b`",
            Feature::WinParts => "this dialect has one list of win conditions",
            Feature::WinPartsFirst => "this dialect reads the first field in parentheses as promotion",
        }
    }
}

/// Dialects that share most answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// The two texts, of which no program is left.
    Prose,
    /// FormatConverter.js, alone and on the site.
    Converter,
    /// The site since May 2025.
    Site,
    Engine,
}

impl Family {
    fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Readme2024March | Dialect::Readme2024August => Family::Prose,
            Dialect::FormatConverter | Dialect::SiteConverter => Family::Converter,
            Dialect::Site | Dialect::Redesign => Family::Site,
            Dialect::Engine => Family::Engine,
        }
    }
}

/// Before the site had players other than white and black.
fn has_two_players(dialect: Dialect) -> bool {
    Family::of(dialect) == Family::Prose || dialect == Dialect::FormatConverter
}

/// Whether a dialect's own program knows a feature.
fn knows(dialect: Dialect, feature: Feature) -> bool {
    let is = |family| Family::of(dialect) == family;
    match feature {
        Feature::BeyondI64 | Feature::OpenBorder | Feature::WinParts => !is(Family::Engine),
        Feature::Border | Feature::NewPiece | Feature::Presets => is(Family::Site) || is(Family::Engine),
        Feature::BlankInTag
        | Feature::ClockWithoutTenths
        | Feature::EmptyComment
        | Feature::EnPassantPlayers
        | Feature::FieldOrder
        | Feature::LooseMove
        | Feature::LooseSeparator
        | Feature::ManyMarks
        | Feature::MarkAfterComment
        | Feature::OddTagName
        | Feature::ThreeCheck
        | Feature::TightField => !is(Family::Site),
        Feature::ExtraRules => is(Family::Prose) || is(Family::Converter),
        Feature::Knightrider => !is(Family::Prose),
        Feature::NumberedTurn => false,
        Feature::PlayerNumber | Feature::SeveralRanks => !has_two_players(dialect),
        Feature::QuotedTag => dialect != Dialect::Readme2024March,
        Feature::TurnOrder => !has_two_players(dialect) && !is(Family::Engine),
        Feature::WinPartsFirst => !is(Family::Converter),
    }
}

/// Whether a dialect's own text or program writes what we warn of, so that it is no news to whoever named the
/// dialect.
fn writes(dialect: Dialect, kind: WarningKind) -> bool {
    let family = Family::of(dialect);
    match kind {
        WarningKind::ColonTag => family == Family::Prose,
        WarningKind::Ellipsis => matches!(family, Family::Prose | Family::Converter),
        WarningKind::PromotionWithoutEquals => family != Family::Site,
        WarningKind::Infinity | WarningKind::UnquotedRules => dialect == Dialect::Readme2024March,
        _ => false,
    }
}

/// The warnings among notes, without what the chosen dialect itself writes.
pub(super) fn warnings(options: &ReadOptions, notes: Vec<Note>) -> Vec<Warning> {
    let is_news = |warning: &Warning| !options.dialect.is_some_and(|dialect| writes(dialect, warning.kind()));
    notes.into_iter().filter_map(Note::warning).filter(is_news).collect()
}

/// Whether a dialect's own program reads what we warn of.
fn reads(dialect: Dialect, kind: WarningKind) -> bool {
    let is = |family| Family::of(dialect) == family;
    match kind {
        WarningKind::DuplicateTag | WarningKind::PromotionCase | WarningKind::PieceLetter => true,
        WarningKind::ColonTag
        | WarningKind::Ellipsis
        | WarningKind::EqualsMark
        | WarningKind::FullMoveZero
        | WarningKind::MoveRule
        | WarningKind::NumberWithoutDot
        | WarningKind::TagWithoutValue => is(Family::Prose) || is(Family::Converter),
        WarningKind::UnquotedTag => is(Family::Prose),
        WarningKind::Clock
        | WarningKind::LongTag
        | WarningKind::PromotionWithoutEquals
        | WarningKind::WinCondition => !is(Family::Site),
        WarningKind::LeadingZero
        | WarningKind::MinusZero
        | WarningKind::MoveSeparator
        | WarningKind::QuoteInTag
        | WarningKind::ResultAfterMoves
        | WarningKind::SeveralComments
        | WarningKind::TagsWithoutBlank
        | WarningKind::TrailingBar => is(Family::Converter),
        WarningKind::Dash | WarningKind::NeutralCase => is(Family::Engine),
        WarningKind::Exponent => dialect == Dialect::SiteConverter,
        WarningKind::Infinity | WarningKind::UnquotedRules => dialect == Dialect::Readme2024March,
        WarningKind::LoneDot => dialect == Dialect::Readme2024August || is(Family::Converter),
        WarningKind::MixedCase => is(Family::Site) || is(Family::Engine),
        WarningKind::PartsWithoutParentheses | WarningKind::SharedPart => is(Family::Site),
        WarningKind::PlayerNumber => !has_two_players(dialect),
        _ => false,
    }
}
