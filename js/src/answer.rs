//! Questions about a record that was read, and their answers as text or JSON.

use boardprint_bridge::{BoardNamer, Namer, exact_hash};
use boardprint_cpn::Revision;
use boardprint_games::{Content, Format, Reading, RecordError};
use boardprint_render::{SvgOptions, Theme, diagram, svg};
use serde::Serialize;

use crate::check::VerdictObject;
use crate::describe::describe;
use crate::legal::LegalObject;
use crate::options::{Options, READING};
use crate::position::PositionObject;
use crate::problem::{Problem, UNKNOWN_FORMAT};
use crate::question::Question;

/// Options that say how CPN is written.
const CPN: &[&str] = &["rights", "asGiven", "revision"];

/// A record that questions are asked about.
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) format: Format,
    pub(crate) reading: &'a Reading<'a>,
}

/// A text in another form, and what it does not carry.
#[derive(Serialize)]
struct WrittenObject {
    text: String,
    lost: Vec<&'static str>,
}

impl Asked<'_> {
    /// The answer to a question.
    pub(crate) fn answer(&self, question: Question, options: &str) -> Result<String, Problem> {
        match question {
            Question::Read => {
                describe(self, &Options::of(options, &[&["hashes", "rights"], READING, &["moves"]])?)
            }
            Question::Canon => {
                let options = Options::of(options, &[READING])?;
                Ok(self.content().write(Format::Icn, &options.writing(None)?)?.text)
            }
            Question::Hash => self.hash(&Options::of(options, &[CPN, &["ply"], READING])?),
            Question::GameHash => {
                Options::of(options, &[READING])?;
                Ok(self.content().game_text().digest().to_string())
            }
            Question::ExactHash => {
                let options = Options::of(options, &[&["ply"], READING])?;
                match self.at(options.ply(self.plies())?)? {
                    Content::Infinite(game) => Ok(exact_hash(&game.start).to_string()),
                    _ => Err(Problem::usage("only positions of the open board have an exact hash")),
                }
            }
            Question::Hashes => self.hashes(&Options::of(options, &[&["rights"], READING])?),
            Question::Convert => self
                .convert(&Options::of(options, &[&["to", "style", "moves", "ply", "grid"], CPN, READING])?),
            Question::Position => {
                let options = Options::of(options, &[&["ply", "rights"], READING])?;
                let position = self.at(options.ply(self.plies())?)?;
                json(&PositionObject::of(&position, options.is_on("rights")?)?)
            }
            Question::Legal => {
                let options = Options::of(options, &[&["ply", "square"], READING])?;
                let position = self.at(options.ply(self.plies())?)?;
                let moves = position.legal_moves().map_err(|error| self.problem(&error))?;
                json(&LegalObject::of(&moves, options.get("square"))?)
            }
            Question::Check => {
                Options::of(options, &[READING])?;
                json(&VerdictObject::of(&self.reading.check(), self.text))
            }
            Question::Svg => {
                const KNOWN: &[&str] = &[
                    "ply",
                    "theme",
                    "window",
                    "flip",
                    "square",
                    "width",
                    "coordinates",
                    "legend",
                    "idPrefix",
                ];
                self.svg(&Options::of(options, &[KNOWN, READING])?)
            }
        }
    }

    pub(crate) fn content(&self) -> &Content<'_> {
        &self.reading.content
    }

    pub(crate) fn problem(&self, error: &RecordError) -> Problem {
        Problem::of_record(error, self.text)
    }

    fn plies(&self) -> usize {
        self.content().plies()
    }

    fn at(&self, ply: usize) -> Result<Content<'_>, Problem> {
        self.content().at(ply).map_err(|error| self.problem(&error))
    }

    fn hash(&self, options: &Options<'_>) -> Result<String, Problem> {
        let ply = options.ply(self.plies())?;
        let played;
        let position = if ply == 0 && self.plies() == 0 {
            self.content()
        } else {
            played = self.at(ply)?;
            &played
        };
        // The namers need no text of the CPN in between.
        let is_usual = CPN.iter().all(|name| options.get(name).is_none())
            && self.reading.revision.is_none_or(|revision| revision == Revision::Y2015);
        match position {
            Content::Infinite(game) if is_usual => Ok(Namer::new().cph(&game.start).to_string()),
            Content::Finite(game) if is_usual && game.start().board().is_ok() => {
                let board = game.start().board().map_err(Problem::unplayable)?;
                Ok(BoardNamer::new(false).cph(&board).to_string())
            }
            _ => Ok(position.to_cpn(&options.writing(self.reading.revision)?)?.0.cph().to_string()),
        }
    }

    fn hashes(&self, options: &Options<'_>) -> Result<String, Problem> {
        let hashes = self.content().hashes(options.profile()?).map_err(|error| self.problem(&error))?;
        let hashes: Vec<String> = hashes.iter().map(ToString::to_string).collect();
        Ok(hashes.join("\n"))
    }

    fn convert(&self, options: &Options<'_>) -> Result<String, Problem> {
        let to = options.get("to").unwrap_or_default();
        let to: Format =
            to.parse().map_err(|error| Problem::usage(format!("`{to}` is not a form: {error}")))?;
        let writing = options.writing(self.reading.revision)?;
        let written = if options.get("ply").is_none() && self.content().is_whole_in(to) {
            self.content().write(to, &writing)?
        } else {
            self.at(options.ply(self.plies())?)?.write(to, &writing)?
        };
        json(&WrittenObject { text: written.text, lost: written.lost.names().collect() })
    }

    fn svg(&self, options: &Options<'_>) -> Result<String, Problem> {
        let ply = options.ply(self.plies())?;
        let last = ply.checked_sub(1).and_then(|ply| self.content().moves().nth(ply));
        let mut board = diagram(&self.at(ply)?, last.as_ref())?.flip(options.is_on("flip")?);
        if let Some(window) = options.parse("window", |text| text.parse().ok())? {
            board = board.window(window);
        }
        for (name, set) in [("coordinates", true), ("legend", false)] {
            if let Some(shown) = options.parse(name, |text| text.parse().ok())? {
                board = if set { board.coordinates(shown) } else { board.legend(shown) };
            }
        }
        let mut picture = SvgOptions::default();
        if let Some(theme) = options.parse("theme", |text| text.parse::<Theme>().ok())? {
            picture = picture.theme(theme);
        }
        if let Some(pixels) = options.parse("square", |text| text.parse().ok())? {
            picture = picture.square(pixels);
        }
        if let Some(pixels) = options.parse("width", |text| text.parse().ok())? {
            picture = picture.width(pixels);
        }
        if let Some(prefix) = options.get("idPrefix") {
            picture = picture.id_prefix(prefix);
        }
        Ok(svg::write(&board.build()?, &picture))
    }
}

/// Reads a text of any format: which one it is, and what came of it.
pub(crate) fn read<'a>(
    text: &'a str,
    options: &str,
) -> Result<(Format, Result<Reading<'a>, RecordError>), Problem> {
    let options = Options::of(options, &[READING])?;
    let format = format_of(text, &options)?;
    Ok((format, options.reading()?.keep_marks(true).read_text(format, text)))
}

/// The format of a text: as asked for, else as it looks.
pub(crate) fn format_of(text: &str, options: &Options<'_>) -> Result<Format, Problem> {
    if let Some(format) = options.format("from")? {
        return Ok(format);
    }
    Format::detect(text.as_bytes()).ok_or_else(|| {
        let message = "cannot tell the format of this text".to_owned();
        Problem::new(UNKNOWN_FORMAT, message)
            .with_hint(
                "a position in ICN looks like `K5,1|k5,8`; name others with the option `from`".to_owned(),
            )
            .at(text, boardprint_base::Span::new(0, 0))
    })
}

pub(crate) fn json(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|_| Problem::internal())
}
