//! What a record means, as the database keeps it, and back.

use std::sync::Arc;

use boardprint_base::{Game, GameResult, Move};
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Fen, Game as FiniteKind, Move as FiniteMove};
use boardprint_games::{Content, FiniteGame, Format, ReadOptions, Start};
use boardprint_icn::canonical_position;

use crate::db::{GameKind, Moves, Origin, StoredGame, StoredMove, Tags};

/// What the database keeps of a content.
pub(super) fn store(content: &Content<'_>) -> StoredGame {
    let result = content.result().unwrap_or(GameResult::Unknown);
    let (kind, start, moves) = match content {
        Content::Infinite(game) => {
            (GameKind::Infinite, canonical_position(&game.start), Moves::infinite(game.moves.iter()))
        }
        Content::Finite(game) => {
            let start = match game.start() {
                Start::Board(board) => start_text(board),
                Start::Fen(fen) => fen.to_string(),
            };
            let moves = Moves::finite(game.moves().iter().map(|played| played.bits()));
            (GameKind::Finite(game.game()), start, moves)
        }
        Content::Board(cpn) => {
            (GameKind::Board, cpn.in_revision(Revision::Y2015).to_string(), Moves::none(GameKind::Board))
        }
        _ => (GameKind::Board, String::new(), Moves::none(GameKind::Board)),
    };
    let tags = content.tags().collect();
    let (source, extra) = (Origin::default(), Box::default());
    // The empty text takes no memory of its own.
    let start = if start.is_empty() { Arc::default() } else { start.into() };
    StoredGame { kind, tags, result, start, moves, source, extra }
}

/// What a stored game means, with these tags.
pub(super) fn content(
    game: &StoredGame,
    tags: &Tags,
    reading: &ReadOptions,
) -> Result<Content<'static>, String> {
    let read = |format, text: &str| match reading.read_text(format, text) {
        Ok(reading) => Ok(reading.content.into_owned()),
        Err(error) => Err(error.to_string()),
    };
    let result = Some(game.result).filter(|result| *result != GameResult::Unknown);
    match game.kind {
        GameKind::Board => read(Format::Cpn, &game.start),
        GameKind::Infinite => {
            let Content::Infinite(start) = read(Format::Icn, &game.start)? else {
                return Err("its start is not ICN".to_owned());
            };
            let moves = game.moves.iter().filter_map(infinite_move).collect();
            let (tags, start) = (tags.into(), start.start);
            Ok(Content::Infinite(Game { tags, start, moves, result, ..Game::default() }))
        }
        GameKind::Finite(kind) => {
            let mut played = if is_setup(game) {
                FiniteGame::position(Fen::read(kind, &game.start).map_err(|error| error.to_string())?)
            } else {
                FiniteGame::unchecked(board_of(kind, &game.start)?, finite_moves(kind, &game.moves)?)
            };
            let tag = |(name, value): (&str, &str)| (name.to_owned().into(), value.to_owned().into());
            played.tags = tags.iter().map(tag).collect();
            played.result = result;
            Ok(Content::Finite(played))
        }
    }
}

/// The start of a game of a finite game and its moves, `None` for one that makes no sense; nothing if it is
/// something else.
pub(super) fn line(
    game: &StoredGame,
) -> Result<Option<(Board, impl Iterator<Item = Option<FiniteMove>>)>, String> {
    let GameKind::Finite(kind) = game.kind else { return Ok(None) };
    if is_setup(game) {
        return Ok(None);
    }
    let Some(words) = game.moves.words() else { return Err(NO_MOVE.to_owned()) };
    let moves = words.map(move |bits| FiniteMove::from_bits(kind, bits));
    Ok(Some((board_of(kind, &game.start)?, moves)))
}

/// Whether a finite game is a position without moves, which need not be playable.
fn is_setup(game: &StoredGame) -> bool {
    game.moves.is_empty() && !game.start.is_empty()
}

/// What is wrong with a move that is none.
pub(super) const NO_MOVE: &str = "a move makes no sense";

/// The start of a game as it is kept: empty for the usual one, counters fresh.
fn start_text(board: &Board) -> String {
    if board.is_usual_start() {
        return String::new();
    }
    let mut fen = board.fen();
    let fresh = u64::from(board.side() != boardprint_base::Side::Bottom);
    fen.set_counters(0, fresh);
    fen.to_string()
}

/// The board of a start as it is kept.
fn board_of(kind: FiniteKind, start: &str) -> Result<Board, String> {
    if start.is_empty() {
        return Ok(Board::start(kind));
    }
    // Version 0.1 kept castling rights in the spelling of Shredder-FEN.
    if kind == FiniteKind::Western {
        return Board::of_western_tag(start).ok_or_else(|| "its start cannot be played".to_owned());
    }
    let fen = Fen::read(kind, start).map_err(|error| error.to_string())?;
    Board::from_fen(&fen).map_err(|why| why.to_string())
}

fn finite_moves(kind: FiniteKind, moves: &Moves) -> Result<Vec<FiniteMove>, String> {
    let words = moves.words().ok_or(NO_MOVE)?;
    words.map(|bits| FiniteMove::from_bits(kind, bits).ok_or_else(|| NO_MOVE.to_owned())).collect()
}

fn infinite_move(step: StoredMove) -> Option<Move> {
    match step {
        StoredMove::Infinite { from, to, promotion } => Some(Move { promotion, ..Move::new(from, to) }),
        StoredMove::Finite(_) => None,
    }
}
