//! What a record holds: an object, and its moves, one line each, if they are asked for.
//!
//! Objects of moves are made in JavaScript.

use boardprint_base::{Digest, Game, GameResult, Piece};
use boardprint_finite::Notation;
use boardprint_games::{Content, FiniteGame, PositionNamer, RecordError, RecordErrorKind};
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
#[derive(Default, Serialize)]
struct NoteObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

#[derive(Serialize)]
struct WarningObject {
    kind: &'static str,
    message: &'static str,
    #[serde(flatten)]
    place: Place,
}

/// Describes a record: its object on the first line; with `moves` each move follows, with a note after a blank if there is one. With `hashes`
/// every position has its name.
pub(crate) fn describe(asked: &Asked<'_>, options: &Options<'_>) -> Result<String, Problem> {
    let content = asked.content();
    let mut hashes = Vec::new();
    if options.is_on("hashes") {
        let named = PositionNamer::new(options.profile()).hashes(content);
        hashes = named.map_err(|error| asked.problem(&error))?;
    }
    let mut places = Places::new(asked.text);
    let warnings = asked.reading.warnings.iter().map(|warning| WarningObject {
        kind: warning.kind().name(),
        message: warning.kind().message(),
        place: places.of(warning.span()),
    });
    let object = RecordObject {
        format: asked.format.name(),
        game: game_name(content),
        variant: content.tag("Variant"),
        tags: content.tags().map(|(name, value)| TagObject { name, value }).collect(),
        result: content.result().map(GameResult::as_str),
        plies: content.plies(),
        hash: hashes.first().map(ToString::to_string),
        warnings: warnings.collect(),
    };
    let mut lines = Lines { out: Vec::new(), hashes: hashes.into_iter().skip(1) };
    lines.json(&object)?;
    match content {
        _ if !options.is_on("moves") => {}
        Content::Infinite(game) => open_moves(game, &mut lines)?,
        Content::Finite(game) => finite_moves(asked, game, &mut lines)?,
        _ => {}
    }
    String::from_utf8(lines.out).map_err(|_| Problem::internal())
}

/// The lines that were written, and the names of the positions after the moves that are still to come.
struct Lines {
    out: Vec<u8>,
    hashes: std::iter::Skip<std::vec::IntoIter<Digest>>,
}

impl Lines {
    fn json(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        let written = serde_json::to_writer(&mut self.out, value);
        written.map_err(|_| Problem::internal())
    }

    /// Ends the line of a move with its note.
    fn note(&mut self, note: NoteObject<'_>) -> Result<(), Problem> {
        let note = NoteObject { hash: self.hashes.next().map(|hash| hash.to_string()), ..note };
        let NoteObject { uci, san, marks, comment, clock, hash } = &note;
        let texts = [uci, san, comment, hash].into_iter().any(Option::is_some);
        if texts || marks.is_some() || clock.is_some() {
            self.out.push(b' ');
            self.json(&note)?;
        }
        Ok(())
    }
}

fn open_moves(game: &Game, lines: &mut Lines) -> Result<(), Problem> {
    for (ply, played) in game.moves.iter().enumerate() {
        lines.out.push(b'\n');
        played.write_squares_to(&mut lines.out);
        if let Some(kind) = played.promotion {
            let piece = Piece::new(kind, game.start.turn.at(ply));
            lines.out.extend_from_slice(format!("={piece}").as_bytes());
        }
        let notes = &played.notes;
        let (comment, clock) = comment_and_clock(&notes.comments);
        let marks = Some(&*notes.marks).filter(|marks| !marks.is_empty());
        lines.note(NoteObject { marks, comment, clock, ..NoteObject::default() })?;
    }
    Ok(())
}

/// What is said about a move, and what its clock showed.
fn comment_and_clock(comments: &[Box<str>]) -> (Option<String>, Option<&str>) {
    let (mut said, mut clock) = (String::new(), None);
    for comment in comments {
        let mut rest = &**comment;
        if let Some((before, stamp)) = comment.split_once("[%clk ")
            && let Some((time, after)) = stamp.split_once(']')
            && before.trim().is_empty()
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
        lines.note(NoteObject { uci: Some(uci), san, ..NoteObject::default() })?;
    }
    Ok(())
}
