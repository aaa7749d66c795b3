//! What a record holds, as an object.

use boardprint_base::{Game, GameResult, Move, Piece};
use boardprint_finite::Notation;
use boardprint_games::{Content, FiniteGame, PositionNamer, RecordError};
use serde::Serialize;

use crate::options::Options;
use crate::position::game_name;
use crate::problem::{Place, Places, Problem};
use crate::record::Record;

/// What a record holds.
#[derive(Serialize)]
pub(crate) struct RecordObject<'a> {
    format: &'static str,
    game: &'static str,
    variant: Option<&'a str>,
    tags: Vec<TagObject<'a>>,
    result: Option<&'static str>,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    moves: Vec<MoveObject<'a>>,
    warnings: Vec<WarningObject>,
}

#[derive(Serialize)]
struct TagObject<'a> {
    name: &'a str,
    value: &'a str,
}

/// A move. The open board has `from` and `to`, finite games have `uci` and perhaps `san`.
#[derive(Default, Serialize)]
pub(crate) struct MoveObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(rename = "move")]
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
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

impl<'a> RecordObject<'a> {
    /// Describes a record; with `hashes` every position has its name.
    pub(crate) fn of(record: &'a Record, options: &Options<'_>) -> Result<Self, Problem> {
        let content = record.content();
        let mut moves = match content {
            Content::Infinite(game) => open_moves(game),
            Content::Finite(game) => finite_moves(game).map_err(|error| record.problem(&error))?,
            _ => Vec::new(),
        };
        let mut start = None;
        if options.is_on("hashes") {
            let hashes = PositionNamer::new(options.profile()).hashes(content);
            let mut hashes = hashes.map_err(|error| record.problem(&error))?.into_iter();
            start = hashes.next();
            for (played, hash) in moves.iter_mut().zip(hashes) {
                played.hash = Some(hash.to_string());
            }
        }
        let mut places = Places::new(record.text());
        let warnings = record.warnings().iter().map(|warning| WarningObject {
            kind: warning.kind().name(),
            message: warning.kind().message(),
            place: places.of(warning.span()),
        });
        Ok(RecordObject {
            format: record.format().name(),
            game: game_name(content),
            variant: content.tag("Variant"),
            tags: content.tags().map(|(name, value)| TagObject { name, value }).collect(),
            result: content.result().map(GameResult::as_str),
            plies: moves.len(),
            hash: start.map(|hash| hash.to_string()),
            moves,
            warnings: warnings.collect(),
        })
    }
}

impl MoveObject<'_> {
    /// A move of the open board, promotion in the mover's case.
    pub(crate) fn open(played: &Move, promoted: Option<Piece>) -> Self {
        let (from, to) = (played.from.to_string(), played.to.to_string());
        let promotion = promoted.map(|piece| format!("={piece}")).unwrap_or_default();
        let text = format!("{from}>{to}{promotion}");
        MoveObject { text, from: Some(from), to: Some(to), ..MoveObject::default() }
    }

    /// A move of a finite game.
    pub(crate) fn finite(uci: String, san: Option<String>) -> Self {
        MoveObject { text: uci.clone(), uci: Some(uci), san, ..MoveObject::default() }
    }
}

fn open_moves(game: &Game) -> Vec<MoveObject<'_>> {
    let described = (0..).zip(&game.moves).map(|(ply, played)| {
        let mover = game.start.turn.at(ply);
        let promoted = played.promotion.map(|kind| Piece::new(kind, mover));
        let notes = &played.notes;
        let (comment, clock) = comment_and_clock(&notes.comments);
        let marks = Some(&*notes.marks).filter(|marks| !marks.is_empty());
        MoveObject { ply: Some(ply + 1), marks, comment, clock, ..MoveObject::open(played, promoted) }
    });
    described.collect()
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

fn finite_moves(game: &FiniteGame<'_>) -> Result<Vec<MoveObject<'static>>, RecordError> {
    let mut moves = Vec::with_capacity(game.moves().len());
    let Ok(start) = game.start().board() else { return Ok(moves) };
    let mut board = start.into_owned();
    for (ply, played) in (1..).zip(game.moves()) {
        let san = board.write(Notation::San, *played);
        if board.play(*played).is_err() {
            let kind = boardprint_games::RecordErrorKind::IllegalMove { ply };
            return Err(RecordError::of_whole(kind));
        }
        let described = MoveObject::finite(played.uci(board.game()).to_string(), san);
        moves.push(MoveObject { ply: Some(ply), ..described });
    }
    Ok(moves)
}
