//! Options as they come from JavaScript: names and values in one text, so that a call without any costs
//! nothing.

use boardprint_bridge::Marks;
use boardprint_cpn::Revision;
use boardprint_finite::Game as FiniteKind;
use boardprint_games::{Format, GridArea, Profile, ReadOptions, WriteOptions};
use boardprint_icn::json::MoveForm;
use boardprint_icn::{Dialect, Style};

use crate::problem::Problem;

/// Between a name and its value.
const VALUE: char = '\u{1f}';
/// Between one option and the next.
const NEXT: char = '\u{1e}';

/// Options that say how a text is read.
pub(crate) const READING: &[&str] = &["from", "game", "dialect", "strict", "freeNames"];

/// Named values.
pub(crate) struct Options<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Options<'a> {
    /// Takes options apart; those that a call does not know are refused, so that a slip of the pen is seen.
    pub(crate) fn of(text: &'a str, known: &[&[&str]]) -> Result<Self, Problem> {
        let mut options = Vec::new();
        for pair in text.split(NEXT).filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once(VALUE).unwrap_or((pair, ""));
            if !known.iter().any(|names| names.contains(&name)) {
                let names: Vec<&str> = known.iter().flat_map(|names| names.iter().copied()).collect();
                let hint = format!("this call knows {}", names.join(", "));
                return Err(Problem::usage(format!("unknown option `{name}`")).with_hint(hint));
            }
            options.push((name, value));
        }
        Ok(Options(options))
    }

    /// The value of an option.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Whether an option is on.
    pub(crate) fn is_on(&self, name: &str) -> Result<bool, Problem> {
        Ok(self.parse(name, |text| text.parse().ok())?.unwrap_or(false))
    }

    /// The value of an option that is read from its text.
    pub(crate) fn parse<T>(
        &self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match read(text) {
            Some(value) => Ok(Some(value)),
            None => Err(Problem::usage(format!("option `{name}` cannot be `{text}`"))),
        }
    }

    /// How texts are read.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Problem> {
        if self.0.is_empty() {
            return Ok(ReadOptions::default());
        }
        let mut icn = boardprint_icn::ReadOptions::default().strict(self.is_on("strict")?);
        let dialect = |name: &str| Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        if let Some(dialect) = self.parse("dialect", dialect)? {
            icn = icn.dialect(dialect);
        }
        let cpn = boardprint_cpn::Options::default().free_names(self.is_on("freeNames")?);
        Ok(ReadOptions::default().icn(icn).cpn(cpn).game(self.game()?))
    }

    /// The finite game that a FEN is of.
    pub(crate) fn game(&self) -> Result<Option<FiniteKind>, Problem> {
        self.parse("game", |name| FiniteKind::ALL.into_iter().find(|game| game.name() == name))
    }

    /// The format of a text.
    pub(crate) fn format(&self, name: &str) -> Result<Option<Format>, Problem> {
        self.parse(name, |name| name.parse().ok())
    }

    /// How texts are written. A CPN stays in its revision unless another one is asked for.
    pub(crate) fn writing(&self, revision: Option<Revision>) -> Result<WriteOptions, Problem> {
        let style = |name: &str| Style::ALL.into_iter().find(|style| style.name() == name);
        let form = |name: &str| match name {
            "strings" => Some(MoveForm::Strings),
            "objects" => Some(MoveForm::Objects),
            _ => None,
        };
        let grid = |text: &str| match text {
            "true" => Some(Some(GridArea::AroundPieces)),
            "false" => Some(None),
            rect => rect.parse().ok().map(|rect| Some(GridArea::Of(rect))),
        };
        let year = |text: &str| text.parse().ok().and_then(Revision::from_year);
        let marks = if self.is_on("asGiven")? { Marks::AsGiven } else { Marks::Usable };
        Ok(WriteOptions::default()
            .style(self.parse("style", style)?.unwrap_or_default())
            .move_form(self.parse("moves", form)?.unwrap_or(MoveForm::Strings))
            .grid(self.parse("grid", grid)?.flatten())
            .marks(marks)
            .rights(self.is_on("rights")?)
            .revision(self.parse("revision", year)?.or(revision)))
    }

    /// How positions of finite games are named.
    pub(crate) fn profile(&self) -> Result<Profile, Problem> {
        Ok(if self.is_on("rights")? { Profile::Rights } else { Profile::Plain })
    }

    /// The half-moves before the position that is meant; the last one unless said otherwise.
    pub(crate) fn ply(&self, plies: usize) -> Result<usize, Problem> {
        let read = |text: &str| if text == "last" { Some(plies) } else { text.parse().ok() };
        Ok(self.parse("ply", read)?.unwrap_or(plies))
    }
}
