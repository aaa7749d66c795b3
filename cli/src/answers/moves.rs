//! Moves: as the database has them, as answers show them, with the position after each.

use boardprint_base::{Digest, Game, Move as OpenMove, Piece, PieceKind, Player, Square};
use boardprint_finite::{Action, Board, Game as FiniteKind, Move as FiniteMove, Notation};
use boardprint_games::{Content, FiniteGame, PositionNamer, Profile, RecordError};
use boardprint_store::db::StoredMove;
use serde::Serialize;

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Move {
    #[serde(rename = "move")]
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uci: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) san: Option<String>,
}

/// A move of a game with the position after it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ply {
    #[serde(flatten)]
    pub(crate) step: Move,
    #[serde(rename = "ply")]
    number: usize,
    hash: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
}

impl Move {
    /// A stored move, from the position before it.
    pub(crate) fn stored(content: &Content<'_>, step: &StoredMove) -> Self {
        match (content, step) {
            (Content::Infinite(game), StoredMove::Infinite { from, to, promotion }) => {
                Self::to(from, to, *promotion, game.start.turn.to_move())
            }
            _ => match finite(content, step) {
                Some((board, played)) => Self::finite(&board, played),
                None => Move { text: step.to_string(), uci: None, from: None, to: None, san: None },
            },
        }
    }

    /// A move of the open board by its squares.
    pub(crate) fn to(from: &Square, to: &Square, promotion: Option<PieceKind>, mover: Player) -> Self {
        let text = match promotion {
            Some(kind) => format!("{from}>{to}={}", Piece::new(kind, mover)),
            None => format!("{from}>{to}"),
        };
        Move { text, uci: None, from: Some(from.to_string()), to: Some(to.to_string()), san: None }
    }

    /// A move of a finite game, from the position before it.
    pub(crate) fn finite(board: &Board, played: FiniteMove) -> Self {
        let game = board.game();
        let uci = played.uci(game).to_string();
        let (from, to) = match played.action(game) {
            Action::Go { from, to, .. } => (Some(from), Some(to)),
            Action::Drop { to, .. } => (None, Some(to)),
            _ => (None, None),
        };
        let square = |number: usize| square_name(game, number);
        let san = Notation::San.fits(game).then(|| board.write(Notation::San, played)).flatten();
        Move { text: uci.clone(), uci: Some(uci), from: from.map(square), to: to.map(square), san }
    }
}

/// The board and the move, where both are of a finite game.
fn finite(content: &Content<'_>, step: &StoredMove) -> Option<(Board, FiniteMove)> {
    let (Content::Finite(game), StoredMove::Finite(bits)) = (content, step) else { return None };
    let board = game.start().board().ok()?.into_owned();
    Some((board, FiniteMove::from_bits(game.game(), *bits)?))
}

/// A stored move as people write it: SAN where the game has it.
pub(crate) fn move_text(content: &Content<'_>, step: &StoredMove) -> String {
    match finite(content, step) {
        Some((board, played)) => {
            let shown = Move::finite(&board, played);
            shown.san.unwrap_or(shown.text)
        }
        None => step.to_string(),
    }
}

/// The name of a square: file from `a`, rank from 1.
pub(crate) fn square_name(game: FiniteKind, square: usize) -> String {
    let (rank, file) = (square / game.files(), square % game.files());
    format!("{}{}", char::from(b'a' + u8::try_from(file).unwrap_or(0)), rank + 1)
}

/// Names the positions after moves from one position, without opening a game.
pub(crate) struct NextNamer<'a> {
    now: &'a Content<'a>,
    namer: PositionNamer,
}

impl<'a> NextNamer<'a> {
    pub(crate) fn new(now: &'a Content<'a>, profile: Profile) -> Self {
        NextNamer { now, namer: PositionNamer::new(profile) }
    }

    /// The hash after a move; `None` if it cannot be played.
    pub(crate) fn after(&mut self, step: &StoredMove) -> Option<Digest> {
        let game = one_move(self.now, step)?;
        self.namer.hashes(&game).ok()?.get(1).copied()
    }
}

/// A stored move that can be played on a position, as a game of one move from there.
fn one_move(content: &Content<'_>, step: &StoredMove) -> Option<Content<'static>> {
    if let (Content::Infinite(game), StoredMove::Infinite { from, to, promotion }) = (content, step) {
        let played = OpenMove { promotion: *promotion, ..OpenMove::new(from.clone(), to.clone()) };
        let start = game.start.clone();
        return Some(Content::Infinite(Game { start, moves: vec![played], ..Game::default() }));
    }
    let (board, played) = finite(content, step)?;
    Some(Content::Finite(FiniteGame::unchecked(board, vec![played])))
}

/// The moves of a content, each with the hash after it.
pub(crate) fn plies(content: &Content<'_>, profile: Profile) -> Result<Vec<Ply>, RecordError> {
    if content.plies() == 0 {
        return Ok(Vec::new());
    }
    let hashes = content.hashes(profile)?;
    let after = (1..).zip(hashes.into_iter().skip(1));
    match content {
        Content::Infinite(game) => {
            let ply = |(played, (ply, hash)): (&OpenMove, (usize, Digest))| Ply {
                step: Move::to(&played.from, &played.to, played.promotion, game.start.turn.at(ply - 1)),
                number: ply,
                hash,
                comment: comment(played),
                clock: clock(played),
            };
            Ok(game.moves.iter().zip(after).map(ply).collect())
        }
        Content::Finite(game) => {
            let Ok(start) = game.start().board() else { return Ok(Vec::new()) };
            let mut board = start.into_owned();
            let ply = |(played, (ply, hash)): (&FiniteMove, (usize, Digest))| {
                let step = Move::finite(&board, *played);
                board.play_known(*played);
                Ply { step, number: ply, hash, comment: None, clock: None }
            };
            Ok(game.moves().iter().zip(after).map(ply).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// What was said about a move, clock stamps aside.
fn comment(played: &OpenMove) -> Option<String> {
    let comments = played.notes.comments.iter().map(|comment| &**comment);
    let words: Vec<&str> = comments.filter(|comment| !comment.contains("%clk")).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The clock after a move: `[%clk 0:09:58.2]`.
fn clock(played: &OpenMove) -> Option<String> {
    let stamp =
        played.notes.comments.iter().find_map(|comment| comment.split_once("%clk")?.1.split(']').next());
    stamp.map(|stamp| stamp.trim().to_owned())
}
