//! What a record holds: an object, and its moves, one line each. Moves of finite games take long to write,
//! and are left out unless they are asked for.
//!
//! Objects of moves are made in JavaScript, when somebody looks at them.

use boardprint_base::{Digest, Game, GameResult, Json, Piece};
use boardprint_finite::Notation;
use boardprint_games::{Content, FiniteGame, PositionNamer, RecordError, RecordErrorKind};
use boardprint_icn::Skimmed;
use serde::Serialize;

use crate::answer::Asked;
use crate::options::Options;
use crate::position::game_name;
use crate::problem::{Place, Places, Problem};

/// What a record holds, but for its moves.
#[derive(Serialize)]
struct RecordObject<'a> {
    format: &'static str,
    game: &'static str,
    variant: Option<&'a str>,
    tags: Vec<TagObject<'a>>,
    result: Option<&'static str>,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    warnings: Vec<WarningObject>,
}

#[derive(Serialize)]
struct TagObject<'a> {
    name: &'a str,
    value: &'a str,
}

/// What there is to say about a move beside the move.
#[derive(Default)]
struct Note<'a> {
    uci: Option<&'a str>,
    san: Option<&'a str>,
    marks: Option<&'a str>,
    comment: Option<&'a str>,
    clock: Option<&'a str>,
}

#[derive(Serialize)]
struct WarningObject {
    kind: &'static str,
    message: &'static str,
    #[serde(flatten)]
    place: Place,
}

/// Describes a record: its object on the first line, then a line for each move, of finite games only with
/// `moves`. With `hashes` every position has its name.
pub(crate) fn describe(asked: &Asked<'_>, options: &Options<'_>) -> Result<String, Problem> {
    let content = asked.content();
    let mut hashes = Vec::new();
    if options.is_on("hashes")? {
        let named = PositionNamer::new(options.profile()?).hashes(content);
        hashes = named.map_err(|error| asked.problem(&error))?;
    }
    let mut places = Places::new(asked.text);
    let warnings = asked.reading.warnings.iter().map(|warning| WarningObject {
        kind: warning.kind().name(),
        message: warning.kind().message(),
        place: places.of(warning.span()),
    });
    let hash = hashes.first().map(ToString::to_string);
    let object = RecordObject {
        format: asked.format.name(),
        game: game_name(content),
        variant: content.tag("Variant"),
        tags: content.tags().map(|(name, value)| TagObject { name, value }).collect(),
        result: content.result().map(GameResult::as_str),
        plies: content.plies(),
        hash,
        warnings: warnings.collect(),
    };
    let mut hashes = hashes.into_iter();
    // The name of the start is in the object.
    hashes.next();
    let mut lines = Lines { out: Vec::new(), hashes };
    lines.json(&object)?;
    match content {
        Content::Infinite(game) => open_moves(game, &mut lines),
        Content::Finite(game) if options.is_on("moves")? => finite_moves(asked, game, &mut lines)?,
        _ => {}
    }
    String::from_utf8(lines.out).map_err(|_| Problem::internal())
}

/// The lines that were written, and the names of the positions after the moves that are still to come.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) out: Vec<u8>,
    hashes: std::vec::IntoIter<Digest>,
}

impl Lines {
    fn json(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        let written = serde_json::to_writer(&mut self.out, value);
        written.map_err(|_| Problem::internal())
    }

    /// Ends the line of a move with what there is to say about it, each behind its [`FIELD`]; fields at the
    /// end that are missing are left out.
    fn note(&mut self, note: &Note<'_>) {
        let hash = self.hashes.next().map(|hash| hash.to_string());
        let mut missing = 0;
        for field in [note.uci, note.san, note.marks, note.comment, note.clock, hash.as_deref()] {
            missing += 1;
            let Some(text) = field else { continue };
            self.out.extend(std::iter::repeat_n(FIELD, missing));
            missing = 0;
            write_field(text, &mut self.out);
        }
    }
}

/// Before each field of a line.
pub(crate) const FIELD: u8 = 0x1f;

/// Appends a field. A text that could be taken for something else is written as JSON.
pub(crate) fn write_field(text: &str, out: &mut Vec<u8>) {
    if text.is_empty() || text.starts_with('"') || text.bytes().any(|byte| byte < b' ') {
        Json::write_text_to(text, out);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

fn open_moves(game: &Game, lines: &mut Lines) {
    for (ply, played) in game.moves.iter().enumerate() {
        lines.out.push(b'\n');
        played.write_squares_to(&mut lines.out);
        if let Some(kind) = played.promotion {
            lines.out.push(b'=');
            Piece::new(kind, game.start.turn.at(ply)).write_to(&mut lines.out);
        }
        let notes = &played.notes;
        let (comment, clock) = comment_and_clock(&notes.comments);
        let marks = Some(&*notes.marks).filter(|marks| !marks.is_empty());
        lines.note(&Note { marks, comment: comment.as_deref(), clock, ..Note::default() });
    }
}

/// Appends a line for each move of a text that was skimmed.
pub(crate) fn skimmed_moves(skimmed: &Skimmed<'_>, lines: &mut Lines) {
    for mv in skimmed.moves() {
        lines.out.push(b'\n');
        mv.write_squares_to(&mut lines.out);
        if let Some(promoted) = mv.promotion() {
            lines.out.push(b'=');
            promoted.write_to(&mut lines.out);
        }
        if !mv.is_noted() {
            continue;
        }
        let comment = mv.comment();
        let (comment, clock) = comment_and_clock(comment.as_slice());
        let marks = Some(mv.marks()).filter(|marks| !marks.is_empty());
        lines.note(&Note { marks, comment: comment.as_deref(), clock, ..Note::default() });
    }
}

/// What is said about a move, and what its clock showed.
fn comment_and_clock<T: AsRef<str>>(comments: &[T]) -> (Option<String>, Option<&str>) {
    let (mut said, mut clock) = (String::new(), None);
    for comment in comments {
        let comment = comment.as_ref();
        let mut rest = comment;
        if let Some(stamp) = comment.trim_start().strip_prefix("[%clk ")
            && let Some((time, after)) = stamp.split_once(']')
        {
            clock = Some(time.trim());
            rest = after;
        }
        if !rest.trim().is_empty() {
            said += if said.is_empty() { "" } else { " " };
            said += rest.trim();
        }
    }
    (Some(said).filter(|said| !said.is_empty()), clock)
}

fn finite_moves(asked: &Asked<'_>, game: &FiniteGame<'_>, lines: &mut Lines) -> Result<(), Problem> {
    let Ok(start) = game.start().board() else { return Ok(()) };
    let mut board = start.into_owned();
    for (ply, played) in (1..).zip(game.moves()) {
        let san = board.write(Notation::San, *played);
        if board.play(*played).is_err() {
            let kind = RecordErrorKind::IllegalMove { ply };
            return Err(asked.problem(&RecordError::of_whole(kind)));
        }
        let uci = played.uci(board.game()).to_string();
        lines.out.push(b'\n');
        lines.out.extend_from_slice(uci.as_bytes());
        lines.note(&Note { uci: Some(&uci), san: san.as_deref(), ..Note::default() });
    }
    Ok(())
}
