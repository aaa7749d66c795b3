//! What a strict reader of one dialect refuses.

use boardprint_base::{Span, SyntaxError, SyntaxErrorKind};

use crate::options::{Dialect, Options};
use crate::warning::{Warning, WarningKind};

/// What was noted while reading: a warning, or something that not every dialect knows.
pub(super) enum Note {
    Warning(Warning),
    Feature(Feature, Span),
}

impl Note {
    pub(super) fn warning(self) -> Option<Warning> {
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
    Border,
    EmptyComment,
    ExtraRules,
    FieldOrder,
    Knightrider,
    LooseMove,
    LooseSeparator,
    ManyMarks,
    NewPiece,
    OddTagName,
    PlayerNumber,
    Presets,
    QuotedTag,
    SeveralRanks,
    TurnOrder,
    WinParts,
}

/// Refuses the first note that the chosen dialect does not know; without a dialect, the first warning.
pub(super) fn check(options: &Options, notes: &[Note]) -> Result<(), SyntaxError> {
    if !options.strict {
        return Ok(());
    }
    let refused = notes.iter().filter_map(|note| match (options.dialect, note) {
        (None, Note::Warning(warning)) => Some((warning.span(), warning.kind().message())),
        (Some(dialect), Note::Warning(warning)) if !reads(dialect, warning.kind()) => {
            Some((warning.span(), warning.kind().message()))
        }
        (Some(dialect), Note::Feature(feature, span)) if !knows(dialect, *feature) => {
            Some((*span, feature.message()))
        }
        _ => None,
    });
    match refused.min_by_key(|(span, _)| span.start) {
        None => Ok(()),
        Some((span, rule)) => {
            let hint = "read it without `strict`, or as another dialect";
            Err(SyntaxError::new(SyntaxErrorKind::Broken { rule, hint }, span))
        }
    }
}

impl Feature {
    fn message(self) -> &'static str {
        match self {
            Feature::BeyondI64 => "this dialect has no numbers beyond 64 bits",
            Feature::Border => "this dialect has no world border",
            Feature::EmptyComment => "this dialect has no empty comments",
            Feature::ExtraRules => "this dialect has no extra rules",
            Feature::FieldOrder => "this dialect has a fixed order of fields",
            Feature::Knightrider => "this dialect has no knightrider",
            Feature::LooseMove => "this dialect has at most one blank on each side of `>`",
            Feature::LooseSeparator => "this dialect separates moves by `|` or `N. `",
            Feature::ManyMarks => "this dialect has one of `+ #` and up to two of `! ?`",
            Feature::NewPiece => "this dialect has no huygen and no rose",
            Feature::OddTagName => "this dialect has names of tags in letters only",
            Feature::PlayerNumber => "this dialect has no player numbers",
            Feature::Presets => "this dialect has no `Squares:` and `Rays:`",
            Feature::QuotedTag => "this dialect writes tags as `[Name: value]`",
            Feature::SeveralRanks => "this dialect has one promotion rank a player",
            Feature::TurnOrder => "this dialect has no turn orders but `w` and `b`",
            Feature::WinParts => "this dialect has one list of win conditions",
        }
    }
}

/// Whether a dialect's own program knows a feature.
fn knows(dialect: Dialect, feature: Feature) -> bool {
    use Dialect::{
        Engine, FormatConverter, Readme2024August, Readme2024March, Redesign, Site, SiteConverter,
    };
    let old = matches!(dialect, Readme2024March | Readme2024August | FormatConverter);
    let site = matches!(dialect, Site | Redesign);
    match feature {
        Feature::BeyondI64 => dialect != Engine,
        Feature::Border => site || dialect == Engine,
        Feature::EmptyComment
        | Feature::FieldOrder
        | Feature::LooseMove
        | Feature::LooseSeparator
        | Feature::ManyMarks => !site,
        Feature::ExtraRules => old || dialect == SiteConverter,
        Feature::Knightrider => !matches!(dialect, Readme2024March | Readme2024August),
        Feature::NewPiece | Feature::Presets => site || dialect == Engine,
        Feature::OddTagName => !site,
        Feature::PlayerNumber => !old,
        Feature::QuotedTag => dialect != Readme2024March,
        Feature::SeveralRanks => !old,
        Feature::TurnOrder => !old && dialect != Engine,
        Feature::WinParts => dialect != Engine,
    }
}

/// Whether a dialect's own program reads what we warn of.
fn reads(dialect: Dialect, kind: WarningKind) -> bool {
    use Dialect::{
        Engine, FormatConverter, Readme2024August, Readme2024March, Redesign, Site, SiteConverter,
    };
    let converter = matches!(dialect, FormatConverter | SiteConverter);
    let prose = matches!(dialect, Readme2024March | Readme2024August);
    let site = matches!(dialect, Site | Redesign);
    match kind {
        WarningKind::ColonTag => !site && dialect != Engine,
        WarningKind::DuplicateTag | WarningKind::PromotionCase | WarningKind::PieceLetter => true,
        WarningKind::Ellipsis => prose || converter,
        WarningKind::Exponent => dialect == SiteConverter,
        WarningKind::PromotionWithoutEquals => !site,
        WarningKind::Infinity | WarningKind::UnquotedRules => dialect == Readme2024March,
        WarningKind::LeadingZero | WarningKind::MoveRule | WarningKind::FullMoveZero => converter,
        WarningKind::TrailingBar
        | WarningKind::TagsWithoutBlank
        | WarningKind::TagWithoutValue
        | WarningKind::MoveSeparator
        | WarningKind::ResultAfterMoves
        | WarningKind::SeveralComments => converter,
        WarningKind::LongTag | WarningKind::WinCondition => !site,
        WarningKind::LoneDot => dialect == Readme2024August || converter,
        WarningKind::Dash => dialect == Engine,
        WarningKind::PlayerNumber | WarningKind::SharedPart | WarningKind::PartsWithoutParentheses => site,
        WarningKind::MixedCase => site || dialect == Engine,
        _ => false,
    }
}
