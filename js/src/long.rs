//! The JSON long form in two steps, so that JavaScript makes objects of pieces and moves only if somebody looks at them.

use boardprint_base::{Game, Move, Position};
use boardprint_games::{Content, Format, WriteError};
use boardprint_icn::json::{self, MoveForm};

use crate::answer;
use crate::problem::Problem;

/// The game of a text.
pub(crate) fn game(text: &str, reading: &str) -> Result<Game, Problem> {
    let (_, read) = answer::read(text, reading)?;
    match read.map_err(|error| Problem::of_record(&error, text))?.content {
        Content::Infinite(game) => Ok(game),
        _ => Err(WriteError::OtherBoard(Format::Json).into()),
    }
}

/// An object of everything but the pieces and moves, and on the next line the names of what belongs to them.
pub(crate) fn head(mut game: Game) -> Result<String, Problem> {
    let mut names = "\nspecialRights startingPosition".to_owned();
    if !game.moves.is_empty() {
        names += " moves";
    }
    if game.moves.iter().any(is_noted) {
        names += " notes";
    }
    game.start.pieces = Position::default().pieces;
    game.moves = Vec::new();
    Ok(write(&game)? + &names)
}

/// An object with the pieces, and on the next line one with the moves. Each has more members, which are to be passed over.
pub(crate) fn body(game: Game) -> Result<String, Problem> {
    let Game { start: Position { turn, pieces, .. }, moves, .. } = game;
    let start = |position| Game { start: position, ..Game::default() };
    let pieces = start(Position { pieces, ..Position::default() });
    let moves = Game { moves, ..start(Position { turn, ..Position::default() }) };
    Ok(write(&pieces)? + "\n" + &write(&moves)?)
}

fn write(game: &Game) -> Result<String, Problem> {
    Ok(json::write(game, MoveForm::Strings).map_err(WriteError::Replay)?)
}

fn is_noted(played: &Move) -> bool {
    !played.notes.marks.is_empty() || !played.notes.comments.is_empty()
}
