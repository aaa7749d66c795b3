//! A record that was read, kept so that many questions cost one reading.

use boardprint_bridge::{BoardNamer, Namer, exact_hash};
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Notation};
use boardprint_games::{Content, FiniteGame, Format, ReadOptions, Reading, RecordError, Warning};
use boardprint_icn::canonical_position;
use boardprint_render::{SvgOptions, Theme, diagram, svg};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::check::VerdictObject;
use crate::describe::RecordObject;
use crate::legal::LegalObject;
use crate::options::{Options, READING};
use crate::position::PositionObject;
use crate::problem::Problem;

/// Options that say how CPN is written.
const CPN: &[&str] = &["rights", "asGiven", "revision"];

/// A record that was read.
#[wasm_bindgen]
pub struct Record {
    text: String,
    format: Format,
    reading: Reading<'static>,
}

/// A text in another form, and what it does not carry.
#[derive(Serialize)]
struct WrittenObject {
    text: String,
    lost: Vec<&'static str>,
}

#[wasm_bindgen]
impl Record {
    /// Reads one record of any format.
    ///
    /// # Errors
    ///
    /// The first thing in the text that cannot be read.
    pub fn open(text: String, options: &str) -> Result<Record, Problem> {
        let options = Options::of(options, &[READING])?;
        let format = format_of(&text, &options)?;
        let read = |text: &str| -> Result<Reading<'static>, Problem> {
            let read = options.reading()?.read_text(format, text);
            let Reading { content, warnings, revision } =
                read.map_err(|error| Problem::of_record(&error, text))?;
            Ok(Reading { content: content.into_owned(), warnings, revision })
        };
        let reading = read(&text)?;
        Ok(Record { text, format, reading })
    }

    /// How many half-moves were played.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.content().plies()
    }

    /// Tags, moves and warnings, as JSON.
    ///
    /// # Errors
    ///
    /// A move that cannot be played.
    pub fn read(&self, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[&["hashes", "rights"]])?;
        json(&RecordObject::of(self, &options)?)
    }

    /// Canonical ICN.
    ///
    /// # Errors
    ///
    /// The record is not of the open board.
    pub fn canon(&self) -> Result<String, Problem> {
        Ok(self.content().write(Format::Icn, &Options::of("", &[])?.writing(None)?)?.text)
    }

    /// The hash of one position, of its exact text, or of the game.
    ///
    /// # Errors
    ///
    /// A move that cannot be played, or a game that is shorter.
    pub fn hash(&self, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[CPN, &["of", "ply"]])?;
        let of = options.get("of").unwrap_or("position");
        if of == "game" {
            return Ok(self.content().game_text().digest().to_string());
        }
        let position = self.at(options.ply(self.plies())?)?;
        match (of, &position) {
            ("position", _) => {
                let (cpn, _) = position.to_cpn(&options.writing(self.reading.revision)?)?;
                Ok(cpn.cph().to_string())
            }
            ("exact", Content::Infinite(game)) => Ok(exact_hash(&game.start).to_string()),
            ("exact", _) => Err(Problem::usage("only positions of the open board have an exact hash")),
            _ => Err(Problem::usage(format!("option `of` cannot be `{of}`"))),
        }
    }

    /// The hash of every position, the start first, one line each.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn hashes(&self, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[&["rights"]])?;
        let hashes = self.content().hashes(options.profile()).map_err(|error| self.problem(&error))?;
        let hashes: Vec<String> = hashes.iter().map(ToString::to_string).collect();
        Ok(hashes.join("\n"))
    }

    /// The record in another form, as JSON with what that form does not carry.
    ///
    /// # Errors
    ///
    /// The form cannot hold it.
    pub fn convert(&self, to: &str, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[CPN, &["style", "moves", "ply", "grid"]])?;
        let to: Format =
            to.parse().map_err(|error| Problem::usage(format!("`{to}` is not a form: {error}")))?;
        let writing = options.writing(self.reading.revision)?;
        let is_whole = options.get("ply").is_none() && matches!(to, Format::Icn | Format::Json | Format::Pgn);
        let written = if is_whole {
            self.content().write(to, &writing)?
        } else {
            self.at(options.ply(self.plies())?)?.write(to, &writing)?
        };
        json(&WrittenObject { text: written.text, lost: written.lost.names().collect() })
    }

    /// One position in every notation, as JSON.
    ///
    /// # Errors
    ///
    /// A move that cannot be played, or a game that is shorter.
    pub fn position(&self, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[&["ply", "rights"]])?;
        let position = self.at(options.ply(self.plies())?)?;
        json(&PositionObject::of(&position, options.is_on("rights"))?)
    }

    /// The legal moves of one position, as JSON.
    ///
    /// # Errors
    ///
    /// The position cannot be played from, or nobody knows the rules of its game.
    pub fn legal(&self, options: &str) -> Result<String, Problem> {
        let options = Options::of(options, &[&["ply", "square"]])?;
        let position = self.at(options.ply(self.plies())?)?;
        let moves = position.legal_moves().map_err(|error| self.problem(&error))?;
        json(&LegalObject::of(&moves, options.get("square"))?)
    }

    /// What is wrong with the record, as JSON.
    ///
    /// # Errors
    ///
    /// None; the type is that of the other questions.
    pub fn check(&self) -> Result<String, Problem> {
        json(&VerdictObject::of(&self.reading.check(), &self.text))
    }

    /// A picture of one position.
    ///
    /// # Errors
    ///
    /// A board that is too large to be drawn.
    pub fn svg(&self, options: &str) -> Result<String, Problem> {
        const KNOWN: &[&str] =
            &["ply", "theme", "window", "flip", "square", "width", "coordinates", "legend", "idPrefix"];
        let options = Options::of(options, &[KNOWN])?;
        let ply = options.ply(self.plies())?;
        let last = ply.checked_sub(1).and_then(|ply| self.content().moves().nth(ply));
        let mut board = diagram(&self.at(ply)?, last.as_ref())?.flip(options.is_on("flip"));
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

    /// The record with more moves played from its last position; a finite game refuses illegal ones.
    ///
    /// # Errors
    ///
    /// A move that cannot be read or played.
    pub fn play(&self, moves: &str) -> Result<Record, Problem> {
        let words = || moves.split(['|', ' ', '\n']).filter(|word| !word.is_empty());
        let content = match self.content() {
            Content::Infinite(game) => {
                let last = self.at(self.plies())?;
                let Content::Infinite(last) = last else { return Err(no_moves()) };
                // Read as part of a text, so that a move means here what it means there.
                let text =
                    format!("{} {}", canonical_position(&last.start), words().collect::<Vec<_>>().join("|"));
                let read = ReadOptions::default().read_text(Format::Icn, &text);
                let read = read
                    .map_err(|error| Problem::new(error.name(), error.to_string()).with_hint(error.hint()))?;
                let Content::Infinite(more) = read.content else { return Err(no_moves()) };
                let mut game = game.clone();
                game.moves.extend(more.moves);
                Content::Infinite(game)
            }
            Content::Finite(game) => {
                let start =
                    game.start().board().map_err(|why| Problem::new("unplayable-start", why.to_string()))?;
                let mut played = game.moves().to_vec();
                let mut board = start.clone().into_owned();
                for step in &played {
                    board.play(*step).map_err(|_| illegal("a move of the game"))?;
                }
                for word in words() {
                    let step = read_move(&board, word)?;
                    board.play(step).map_err(|_| illegal(word))?;
                    played.push(step);
                }
                let mut longer = FiniteGame::unchecked(start.into_owned(), played);
                longer.tags.clone_from(&game.tags);
                Content::Finite(longer).into_owned()
            }
            _ => return Err(no_moves()),
        };
        let reading = Reading { content, warnings: Vec::new(), revision: None };
        Ok(Record { text: String::new(), format: self.format, reading })
    }
}

impl Record {
    pub(crate) fn content(&self) -> &Content<'static> {
        &self.reading.content
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    pub(crate) fn warnings(&self) -> &[Warning] {
        &self.reading.warnings
    }

    pub(crate) fn problem(&self, error: &RecordError) -> Problem {
        Problem::of_record(error, &self.text)
    }

    fn at(&self, ply: usize) -> Result<Content<'static>, Problem> {
        self.content().at(ply).map_err(|error| self.problem(&error))
    }
}

/// The format of a text: as asked for, else as it looks.
pub(crate) fn format_of(text: &str, options: &Options<'_>) -> Result<Format, Problem> {
    if let Some(format) = options.format("from")? {
        return Ok(format);
    }
    Format::detect(text.as_bytes()).ok_or_else(|| {
        let message = "cannot tell the format of this text".to_owned();
        Problem::new("unknown-format", message)
            .with_hint("name it with the option `from`".to_owned())
            .at(text, boardprint_base::Span::new(0, 0))
    })
}

pub(crate) fn json(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|error| Problem::new("internal", error.to_string()))
}

fn no_moves() -> Problem {
    Problem::new("no-rules", "no moves are known on this board".to_owned())
}

fn illegal(word: &str) -> Problem {
    Problem::new("illegal-move", format!("`{word}` is not a legal move here"))
}

/// A move in squares or in the notation of its game.
fn read_move(board: &Board, word: &str) -> Result<boardprint_finite::Move, Problem> {
    let read = board.read(Notation::Uci, word).or_else(|_| board.read_san(word.as_bytes()));
    read.map_err(|error| Problem::new("illegal-move", format!("`{word}`: {error}")))
}

/// The CPH of the last position of a text, without anything kept: the shortest way.
pub(crate) fn last_cph(text: &str) -> Result<String, Problem> {
    let options = Options::of("", &[])?;
    let format = format_of(text, &options)?;
    let read = ReadOptions::default().read_text(format, text);
    let reading = read.map_err(|error| Problem::of_record(&error, text))?;
    let plies = reading.content.plies();
    let last;
    let position = if plies == 0 {
        &reading.content
    } else {
        last = reading.content.at(plies).map_err(|error| Problem::of_record(&error, text))?;
        &last
    };
    // The namers need no text of the CPN in between.
    let usual = reading.revision.is_none_or(|revision| revision == Revision::Y2015);
    if usual && let Content::Infinite(game) = position {
        return Ok(Namer::new().cph(&game.start).to_string());
    }
    if usual
        && let Content::Finite(game) = position
        && let Ok(board) = game.start().board()
    {
        return Ok(BoardNamer::new(false).cph(&board).to_string());
    }
    Ok(position.to_cpn(&options.writing(reading.revision)?)?.0.cph().to_string())
}

/// What is wrong with a text. That it cannot be read is a finding, too.
pub(crate) fn check(text: &str, options: &str) -> Result<String, Problem> {
    let options = Options::of(options, &[READING])?;
    let read = options.reading()?.read_text(format_of(text, &options)?, text);
    let verdict = read.map_or_else(|error| error.verdict(), |reading| reading.check());
    json(&VerdictObject::of(&verdict, text))
}
