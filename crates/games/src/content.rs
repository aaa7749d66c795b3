//! What a record holds.

use std::fmt;

use boardprint_base::replay::{ReplayError, play, position_at};
use boardprint_base::{Game, GameResult, Move};
use boardprint_cpn::Cpn;
use boardprint_finite::{Game as FiniteKind, Move as FiniteMove};

use crate::finite::FiniteGame;
use crate::identity::laws_text;
use crate::{RecordError, RecordErrorKind};

/// What a record holds. Formats that say the same give the same content.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A game or position of the open board: ICN, its JSON long form, a CPN list.
    Infinite(Game),
    /// A game or position of a finite game: PGN, FEN, SFEN, and the CPN of such a board.
    Finite(FiniteGame<'a>),
    /// A board of some other game: any other CPN.
    Board(Cpn),
}

/// A move, whatever the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NextMove {
    /// On the open board; what was noted about it is left out.
    Infinite(Move),
    /// On the board of a finite game.
    Finite(FiniteKind, FiniteMove),
}

impl<'a> Content<'a> {
    /// How many half-moves were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        match self {
            Content::Infinite(game) => game.moves.len(),
            Content::Finite(game) => game.moves().len(),
            Content::Board(_) => 0,
        }
    }

    /// Whether it is a position: nothing was played, and no tag says whose game it is.
    #[must_use]
    pub fn is_bare_position(&self) -> bool {
        self.plies() == 0
            && match self {
                Content::Infinite(game) => game.tags.is_empty(),
                Content::Finite(game) => game.tags.is_empty(),
                Content::Board(_) => true,
            }
    }

    /// The finite game, if it is one.
    #[must_use]
    pub fn finite_kind(&self) -> Option<FiniteKind> {
        match self {
            Content::Finite(game) => Some(game.game()),
            Content::Infinite(_) | Content::Board(_) => None,
        }
    }

    /// The tags in order, name and value.
    #[must_use]
    pub fn tags(&self) -> Box<dyn Iterator<Item = (&str, &str)> + '_> {
        match self {
            Content::Infinite(game) => Box::new(game.tags.iter().map(|tag| (&*tag.name, &*tag.value))),
            Content::Finite(game) => Box::new(game.tags.iter().map(|(name, value)| (&**name, &**value))),
            Content::Board(_) => Box::new(std::iter::empty()),
        }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        match self {
            Content::Infinite(game) => game.tag(name),
            Content::Finite(game) => game.tag(name),
            Content::Board(_) => None,
        }
    }

    /// How the game ended: as written after the moves, else as the `Result` tag says.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let written = match self {
            Content::Infinite(game) => game.result,
            Content::Finite(game) => game.result,
            Content::Board(_) => None,
        };
        written.or_else(|| {
            let tag = self.tag("Result")?.trim();
            GameResult::ALL.into_iter().find(|result| result.as_str() == tag)
        })
    }

    /// The moves in order.
    #[must_use]
    pub fn moves(&self) -> Box<dyn Iterator<Item = NextMove> + '_> {
        match self {
            Content::Infinite(game) => Box::new(game.moves.iter().map(|played| {
                let bare = Move::new(played.from.clone(), played.to.clone());
                NextMove::Infinite(Move { promotion: played.promotion, ..bare })
            })),
            Content::Finite(game) => {
                let kind = game.game();
                Box::new(game.moves().iter().map(move |played| NextMove::Finite(kind, *played)))
            }
            Content::Board(_) => Box::new(std::iter::empty()),
        }
    }

    /// The laws in the spelling of canonical ICN, `(8|1) koth`; empty for the default ones, `None` where
    /// there is no open board.
    #[must_use]
    pub fn laws(&self) -> Option<String> {
        match self {
            Content::Infinite(game) => Some(laws_text(&game.start)),
            Content::Finite(_) | Content::Board(_) => None,
        }
    }

    /// The position after this many half-moves, as a content without moves. Tags stay.
    ///
    /// # Errors
    ///
    /// The game is shorter, or a move before cannot be played.
    pub fn at(&self, ply: usize) -> Result<Content<'a>, RecordError> {
        let plies = self.plies();
        if ply > plies {
            return Err(RecordError::of_whole(RecordErrorKind::NoSuchPly { plies }));
        }
        match self {
            Content::Infinite(game) => Ok(Content::Infinite(Game {
                tags: game.tags.clone(),
                start: position_at(game, ply)?,
                presets: game.presets.clone(),
                ..Game::default()
            })),
            Content::Finite(game) => {
                let start = game
                    .at(ply)
                    .map_err(|ply| RecordError::of_whole(RecordErrorKind::IllegalMove { ply }))?;
                let mut position = FiniteGame::position(start);
                position.tags.clone_from(&game.tags);
                Ok(Content::Finite(position))
            }
            Content::Board(cpn) => Ok(Content::Board(cpn.clone())),
        }
    }

    /// Hands on every position in order, the start first, each as a content without moves, with its half-move.
    ///
    /// # Errors
    ///
    /// A move that cannot be played, or what `each` refuses.
    pub fn each_position<E: From<RecordError>>(
        &self,
        mut each: impl FnMut(usize, &Content<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut shown = self.at(0)?;
        each(0, &shown)?;
        match self {
            Content::Infinite(game) => {
                for (ply, step) in (1..).zip(&game.moves) {
                    let Content::Infinite(still) = &mut shown else { break };
                    play(&mut still.start, step)
                        .map_err(|cause| RecordError::from(ReplayError { ply, cause }))?;
                    each(ply, &shown)?;
                }
            }
            Content::Finite(game) => {
                for (ply, step) in (1..).zip(game.moves()) {
                    let Content::Finite(still) = &mut shown else { break };
                    if !still.advance(game, *step) {
                        return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply }).into());
                    }
                    each(ply, &shown)?;
                }
            }
            Content::Board(_) => {}
        }
        Ok(())
    }

    /// How much the record says beside start and moves: known tags (ratings twice), comments, clocks,
    /// variations and marks.
    #[must_use]
    pub fn richness(&self) -> usize {
        let tags = |tags: &mut dyn Iterator<Item = (&str, &str)>| -> usize {
            let known = tags.filter(|(_, value)| says_something(value));
            known.map(|(name, _)| 1 + usize::from(name.ends_with("Elo"))).sum()
        };
        match self {
            Content::Infinite(game) => {
                let comments = game.moves.iter().flat_map(|played| &played.notes.comments);
                let notes: usize = comments.map(|comment| 1 + usize::from(comment.contains("%clk"))).sum();
                let marks = game.moves.iter().filter(|played| !played.notes.marks.is_empty()).count();
                tags(&mut game.tags.iter().map(|tag| (&*tag.name, &*tag.value))) + notes + marks
            }
            Content::Finite(game) => {
                let extras = game.extras;
                let notes = extras.comments + extras.clocks + extras.variations + extras.glyphs;
                tags(&mut game.tags.iter().map(|(name, value)| (&**name, &**value))) + notes as usize
            }
            Content::Board(_) => 0,
        }
    }

    /// The same content, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> Content<'static> {
        match self {
            Content::Infinite(game) => Content::Infinite(game),
            Content::Finite(game) => Content::Finite(game.into_owned()),
            Content::Board(cpn) => Content::Board(cpn),
        }
    }
}

/// Whether the value of a tag says anything; `?`, `????.??.??` and `-` do not.
#[must_use]
pub fn says_something(value: &str) -> bool {
    value.bytes().any(|b| !matches!(b, b'?' | b'.' | b'-' | b' '))
}

impl fmt::Display for NextMove {
    /// As in `1,2>1,4=q` and `e2e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NextMove::Infinite(played) => {
                write!(f, "{}>{}", played.from, played.to)?;
                played.promotion.map_or(Ok(()), |kind| write!(f, "={}", kind.code()))
            }
            NextMove::Finite(kind, played) => played.uci(*kind).fmt(f),
        }
    }
}
