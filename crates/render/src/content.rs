//! What a record means, as a diagram.

use boardprint_base::{Side, Square};
use boardprint_bridge::Marks;
use boardprint_cpn::Cpn;
use boardprint_finite::{Action, Game};
use boardprint_games::{Content, NextMove, WriteOptions};

use crate::{Diagram, DiagramBuilder, DiagramError, finite};

/// The first position of a content, with the move that led to it marked if there is one.
///
/// ```
/// use boardprint_render::{SvgOptions, diagram, svg};
/// let game = boardprint_games::read("1. e4 e5 2. Nf3")?;
/// let last = diagram(&game.at(3)?, game.moves().last().as_ref())?.build()?;
/// assert!(svg::write(&last, &SvgOptions::default()).starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`DiagramError`] for a board that is too large to be drawn.
pub fn diagram(content: &Content<'_>, last: Option<&NextMove>) -> Result<DiagramBuilder, DiagramError> {
    let board = match content {
        Content::Infinite(game) => Diagram::builder().position(&game.start),
        other => {
            let options = WriteOptions::default().marks(Marks::AsGiven).rights(true);
            match other.to_cpn(&options) {
                Ok((cpn, _)) => of_cpn(&cpn)?,
                // Only dense boards of the open board can fail.
                Err(_) => return Err(DiagramError::WrongCellCount { expected: None, found: 0 }),
            }
        }
    };
    Ok(match last {
        None => board,
        Some(NextMove::Infinite(played)) => board.last_move(played),
        Some(NextMove::Finite(game, played)) => board.last_squares(squares(*game, played.action(*game))),
    })
}

/// A CPN as a diagram.
///
/// # Errors
///
/// [`DiagramError`] for a board that is too large to be drawn.
fn of_cpn(cpn: &Cpn) -> Result<DiagramBuilder, DiagramError> {
    let shape: Option<Vec<usize>> =
        cpn.shape().iter().map(|size| usize::try_from(size.as_i64()?).ok()).collect();
    let Some(shape) = shape else {
        return Err(DiagramError::WrongCellCount { expected: None, found: cpn.cells().count() });
    };
    finite::board(&shape, cpn.cells(), cpn.hand(), cpn.side() == Side::Bottom)
}

/// The squares of a move, which count from 1 at the lower left.
fn squares(game: Game, action: Action) -> Vec<Square> {
    let square = |number: usize| {
        let place = |number: usize| i64::try_from(number + 1).unwrap_or(i64::MAX);
        Square::new(place(number % game.files()), place(number / game.files()))
    };
    match action {
        Action::Go { from, to, .. } => vec![square(from), square(to)],
        Action::Drop { to, .. } => vec![square(to)],
        Action::Pass(at) => vec![square(at)],
        _ => Vec::new(),
    }
}
