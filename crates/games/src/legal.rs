//! The legal moves of a position, whatever the board.

use std::fmt;

use boardprint_base::{Coord, Game};
use boardprint_finite::{Board, Move, Notation};
use boardprint_icn::variants;
use boardprint_rules::hyper;
use boardprint_rules::legal::{self, Count, Referee};
use boardprint_rules::pieces::PieceTable;

use crate::{Content, RecordError, RecordErrorKind};

/// The legal moves of a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LegalMoves {
    /// On the open board: single squares, and rays in closed form.
    Open(legal::LegalMoves),
    /// In a finite game, with the position they are moves of.
    Finite(Board, Vec<Move>),
}

impl Content<'_> {
    /// The legal moves of the start; [`Content::at`] gives other positions.
    ///
    /// # Errors
    ///
    /// The position cannot be played from, or nobody knows the rules of its game.
    pub fn legal_moves(&self) -> Result<LegalMoves, RecordError> {
        self.legal_moves_with(PieceTable::built_in())
    }

    /// [`Content::legal_moves`] with custom pieces on the open board.
    ///
    /// # Errors
    ///
    /// As [`Content::legal_moves`].
    pub fn legal_moves_with(&self, table: &PieceTable) -> Result<LegalMoves, RecordError> {
        match self {
            Content::Infinite(game) => {
                let referee = Referee::new(piece_table(game).unwrap_or(table), &game.start);
                Ok(LegalMoves::Open(referee.legal_moves(&game.start)))
            }
            Content::Finite(game) => match game.start().board() {
                Ok(board) => {
                    let moves = board.legal_moves();
                    Ok(LegalMoves::Finite(board.into_owned(), moves))
                }
                Err(why) => Err(RecordError::of_whole(RecordErrorKind::Unplayable(why))),
            },
            Content::Board(_) => Err(RecordError::of_whole(RecordErrorKind::NoRules)),
        }
    }
}

/// How pieces move in the variant that a game names, if they move in a way of their own there.
#[must_use]
pub fn piece_table(game: &Game) -> Option<&'static PieceTable> {
    let variant = game.tag("Variant").and_then(variants::find)?;
    if variant.has_own_movement() { hyper::table(variant.code()) } else { None }
}

impl LegalMoves {
    /// How many there are; each promotion counts as one.
    #[must_use]
    pub fn count(&self) -> Count {
        match self {
            LegalMoves::Open(moves) => moves.count(),
            LegalMoves::Finite(_, moves) => {
                Count::Finite(Coord::from(i64::try_from(moves.len()).unwrap_or(i64::MAX)))
            }
        }
    }
}

impl fmt::Display for LegalMoves {
    /// In the game's own notation, one blank between them; on the open board squares, and rays in the spelling
    /// of [`legal::LegalRay`]: `0,0>(1,0)*1..7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        match self {
            LegalMoves::Open(moves) => {
                for piece in moves.pieces().iter().filter(|piece| !piece.is_empty()) {
                    write!(f, "{between}{piece}")?;
                    between = " ";
                }
            }
            LegalMoves::Finite(board, moves) => {
                for played in moves {
                    let text = board.write(Notation::San, *played);
                    write!(f, "{between}{}", text.unwrap_or_else(|| played.uci(board.game()).to_string()))?;
                    between = " ";
                }
            }
        }
        Ok(())
    }
}
