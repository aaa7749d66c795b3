//! Playing moves on a position and taking them back.
//!
//! Nothing here asks whether a move is legal: any piece goes anywhere, and the position follows as the
//! notation's text says.
//!
//! - A piece that moves or is captured loses its special right. No other piece does: a right that has become
//!   useless stays, and the identity of the position leaves it out.
//! - A king or royal centaur with its right that goes exactly two columns along its rank castles if the
//!   nearest piece on that side is a partner: of the same player, with its right, no pawn, no king or royal
//!   centaur, at least three columns away. The partner lands on the square that was crossed. Without a
//!   partner it is an ordinary move.
//! - A pawn that goes two rows forward sets the en passant square; every other move clears it.
//! - A pawn that goes diagonally forward onto the en passant square, while that is empty, captures the enemy
//!   piece one row behind it as the mover sees it: a pawn, or what it became if its two-step ended on a
//!   promotion rank. Without such a piece it is an ordinary move.
//! - A promoted piece belongs to the player whose turn it is. All else about a move (which way a pawn goes,
//!   who is an enemy, who is a partner) depends on the owner of the moving piece; in a legal game both are
//!   the same.
//! - The count of the move rule goes back to 0 on captures and pawn moves.
//! - The full move number grows whenever a cycle of turns is complete. A cycle starts where its list of
//!   player numbers is least, whoever moves first in the game: after black where white and black alternate,
//!   after red in both `w:b:r` and `b:r:w`. So a position needs no memory of the game's start, and one cut
//!   out of a game counts on as the game does.
//!
//! A square is found by binary search, and only the pieces between the two squares of a move are shifted. With
//! coordinates within `i64` nothing is allocated.

use std::cmp::Ordering;
use std::fmt;

use crate::{Coord, Game, Move, Piece, PieceKind, Placed, Player, Position, Square};

/// What a move did. It takes itself back with [`Played::undo`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    from: Square,
    to: Square,
    piece: Piece,
    had_right: bool,
    became: Option<Piece>,
    captured: Option<Placed>,
    castling: Option<Castling>,
    is_double_push: bool,
    ends_full_move: bool,
    en_passant_before: Option<Square>,
    count_before: Option<Coord>,
}

/// How the partner of a castling moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Where it stood.
    pub from: Square,
    /// Where it stands now: on the square that the king crossed.
    pub to: Square,
    /// The side of the king it stood on: 1 to the right, -1 to the left.
    pub direction: i64,
}

/// A move starts on an empty square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPiece {
    /// The empty square.
    pub square: Square,
}

/// A game cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Which half-move it is, counted from 1.
    pub ply: usize,
    /// What is wrong with it.
    pub cause: NoPiece,
}

/// Plays a move. The position is unchanged if there is no piece to move.
///
/// # Errors
///
/// [`NoPiece`] if the move starts on an empty square.
pub fn play(position: &mut Position, mv: &Move) -> Result<Played, NoPiece> {
    let Ok(index) = position.pieces.find(&mv.from) else {
        return Err(NoPiece { square: mv.from.clone() });
    };
    let Placed { piece, right: had_right, .. } = position.pieces.as_slice()[index];
    let is_pawn = piece.kind == PieceKind::Pawn;
    let castling =
        if had_right && piece.kind.leads_castling() { castling(position, index, &mv.to) } else { None };
    let (index, captured) = match position.pieces.find(&mv.to) {
        Ok(target) if target == index => (index, None),
        Ok(target) => {
            let (index, captured) = position.pieces.capture(index, target);
            (index, Some(captured))
        }
        Err(place) => {
            let victim = if is_pawn { en_passant_victim(position, piece, mv) } else { None };
            // Before the removal, which would shift what is known of the list.
            let index = position.pieces.relocate_to(index, place, mv.to.clone());
            match victim.and_then(|square| position.pieces.remove(&square)) {
                Some(victim) => (index - usize::from(victim.square < mv.to), Some(victim)),
                None => (index, None),
            }
        }
    };
    position.pieces.set_right(index, false);
    let became = mv.promotion.map(|kind| Piece::new(kind, position.turn.to_move()));
    if let Some(promoted) = became {
        position.pieces.set_piece(index, promoted);
    }
    if let Some(castling) = &castling {
        shift(position, &castling.from, &castling.to, false);
    }

    let passed = if is_pawn { passed_over(piece, mv) } else { None };
    let is_double_push = passed.is_some();
    let en_passant_before = std::mem::replace(&mut position.en_passant, passed);
    let is_progress = is_pawn || captured.is_some();
    let count_before = position.move_rule.as_mut().map(|rule| {
        let next = if is_progress { Coord::ZERO } else { &rule.count + 1 };
        std::mem::replace(&mut rule.count, next)
    });
    position.turn.advance();
    let ends_full_move = starts_cycle(position.turn.cycle());
    if ends_full_move {
        position.full_move = &position.full_move + 1;
    }
    Ok(Played {
        from: mv.from.clone(),
        to: mv.to.clone(),
        piece,
        had_right,
        became,
        captured,
        castling,
        is_double_push,
        ends_full_move,
        en_passant_before,
        count_before,
    })
}

impl Played {
    /// Takes the move back.
    ///
    /// # Panics
    ///
    /// May panic if `position` is not as the move left it.
    pub fn undo(self, position: &mut Position) {
        if self.ends_full_move {
            position.full_move = &position.full_move - 1;
        }
        position.turn.retreat();
        if let (Some(rule), Some(count)) = (&mut position.move_rule, self.count_before) {
            rule.count = count;
        }
        position.en_passant = self.en_passant_before;
        if let Some(castling) = &self.castling {
            shift(position, &castling.to, &castling.from, true);
        }
        let index = shift(position, &self.to, &self.from, self.had_right);
        position.pieces.set_piece(index, self.piece);
        if let Some(captured) = self.captured {
            position.pieces.insert(captured);
        }
    }

    /// Where the piece stood.
    #[must_use]
    pub fn from(&self) -> &Square {
        &self.from
    }

    /// Where it went.
    #[must_use]
    pub fn to(&self) -> &Square {
        &self.to
    }

    /// What moved: a pawn, if it was promoted.
    #[must_use]
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Whether the piece had its special right before it moved.
    #[must_use]
    pub fn had_right(&self) -> bool {
        self.had_right
    }

    /// What a pawn became.
    #[must_use]
    pub fn promotion(&self) -> Option<Piece> {
        self.became
    }

    /// What was captured, with its square and its special right.
    #[must_use]
    pub fn captured(&self) -> Option<&Placed> {
        self.captured.as_ref()
    }

    /// Whether a pawn captured en passant.
    #[must_use]
    pub fn is_en_passant(&self) -> bool {
        self.captured.as_ref().is_some_and(|captured| captured.square != self.to)
    }

    /// How the castling partner moved.
    #[must_use]
    pub fn castling(&self) -> Option<&Castling> {
        self.castling.as_ref()
    }

    /// Whether a pawn went two rows forward.
    #[must_use]
    pub fn is_double_push(&self) -> bool {
        self.is_double_push
    }

    /// Whether the full move number grew.
    #[must_use]
    pub fn ends_full_move(&self) -> bool {
        self.ends_full_move
    }

    /// Whether the move captures or moves a pawn, so that the count of the move rule starts again.
    #[must_use]
    pub fn is_progress(&self) -> bool {
        self.captured.is_some() || self.piece.kind == PieceKind::Pawn
    }
}

/// A game played move by move on one position that is updated in place.
///
/// ```
/// use boardprint_base::{Game, Move, Piece, PieceKind, Pieces, Placed, Player, Position, Square};
/// use boardprint_base::replay::Replay;
///
/// let pawn = Placed::new(Piece::new(PieceKind::Pawn, Player::WHITE), Square::new(4, 2)).with_right();
/// let start = Position::new(Pieces::from_list(vec![pawn]).unwrap());
/// let moves = vec![Move::new(Square::new(4, 2), Square::new(4, 4))];
/// let game = Game { start, moves, ..Game::default() };
///
/// let mut replay = Replay::new(&game);
/// while let Some(played) = replay.step()? {
///     assert!(played.is_double_push());
///     assert_eq!(replay.position().en_passant, Some(Square::new(4, 3)));
/// }
/// assert_eq!(replay.ply(), 1);
/// # Ok::<(), boardprint_base::replay::ReplayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'g> {
    position: Position,
    rest: &'g [Move],
    ply: usize,
}

impl<'g> Replay<'g> {
    /// A game before its first move.
    #[must_use]
    pub fn new(game: &'g Game) -> Self {
        Replay { position: game.start.clone(), rest: &game.moves, ply: 0 }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position now, for good.
    #[must_use]
    pub fn into_position(self) -> Position {
        self.position
    }

    /// How many half-moves were played.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Plays the next move and says what it did; `None` after the last one.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if the move starts on an empty square. The position stays as it was, and the replay is
    /// over.
    pub fn step(&mut self) -> Result<Option<Played>, ReplayError> {
        let Some((next, rest)) = self.rest.split_first() else {
            return Ok(None);
        };
        match play(&mut self.position, next) {
            Ok(played) => {
                self.rest = rest;
                self.ply += 1;
                Ok(Some(played))
            }
            Err(cause) => {
                self.rest = &[];
                Err(ReplayError { ply: self.ply + 1, cause })
            }
        }
    }
}

/// The position after `ply` half-moves; after the last one if there are fewer.
///
/// # Errors
///
/// [`ReplayError`] if a move up to there starts on an empty square.
pub fn position_at(game: &Game, ply: usize) -> Result<Position, ReplayError> {
    let mut replay = Replay::new(game);
    while replay.ply() < ply && replay.step()?.is_some() {}
    Ok(replay.into_position())
}

/// Moves the piece on `from` to the empty square `to`, sets its right, and returns its new index.
fn shift(position: &mut Position, from: &Square, to: &Square, right: bool) -> usize {
    let index = position.pieces.find(from).expect("the move left a piece here");
    let index = position.pieces.relocate(index, to.clone());
    position.pieces.set_right(index, right);
    index
}

/// The castling that the piece at `index` of the list starts by going to `to`, if it leads castlings and has
/// its right. `None` if there is no partner, or no such piece.
#[must_use]
pub fn castling(position: &Position, index: usize, to: &Square) -> Option<Castling> {
    let pieces = position.pieces.as_slice();
    let leader = pieces.get(index)?;
    if leader.square.y != to.y {
        return None;
    }
    let direction = match (&to.x - &leader.square.x).as_i64()? {
        2 => 1,
        -2 => -1,
        _ => return None,
    };
    // In reading order the nearest pieces of a rank are neighbours in the list.
    let nearest = if direction > 0 { pieces.get(index + 1)? } else { pieces.get(index.checked_sub(1)?)? };
    let is_partner = nearest.right
        && nearest.square.y == leader.square.y
        && nearest.piece.player == leader.piece.player
        && nearest.piece.kind != PieceKind::Pawn
        && !nearest.piece.kind.leads_castling()
        && (&nearest.square.x - &leader.square.x).abs() >= Coord::from(3);
    is_partner.then(|| Castling {
        from: nearest.square.clone(),
        to: leader.square.offset(direction, 0),
        direction,
    })
}

/// The square of the piece that a pawn's move onto an empty square captures en passant.
#[must_use]
pub fn en_passant_victim(position: &Position, pawn: Piece, mv: &Move) -> Option<Square> {
    if position.en_passant.as_ref() != Some(&mv.to) {
        return None;
    }
    let forward = pawn.player.forward();
    let is_diagonal =
        &mv.to.y - &mv.from.y == forward.into() && (&mv.to.x - &mv.from.x).abs() == Coord::from(1);
    let square = mv.to.offset(0, -forward);
    let owner = position.pieces.get(&square)?.piece.player;
    let is_enemy = owner != pawn.player && owner != Player::NEUTRAL;
    (is_diagonal && is_enemy).then_some(square)
}

/// The square that a pawn passes over when it goes two rows forward.
fn passed_over(pawn: Piece, mv: &Move) -> Option<Square> {
    let forward = pawn.player.forward();
    let is_two_step = mv.from.x == mv.to.x && &mv.to.y - &mv.from.y == Coord::from(2 * forward);
    is_two_step.then(|| mv.from.offset(0, forward))
}

/// Whether no rotation of a cycle comes before it. Linear in its length.
fn starts_cycle(cycle: &[Player]) -> bool {
    if let [first, second] = *cycle {
        return first <= second;
    }
    let len = cycle.len();
    let (mut start, mut same) = (1, 0);
    while start < len && same < len {
        match cycle[same].cmp(&cycle[(start + same) % len]) {
            Ordering::Equal => same += 1,
            Ordering::Greater => return false,
            // The rotations that start within the equal run each come after one that starts as far into the
            // cycle.
            Ordering::Less => (start, same) = (start + same + 1, 0),
        }
    }
    true
}

impl fmt::Display for NoPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no piece stands on {}", self.square)
    }
}

impl std::error::Error for NoPiece {}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: {}", self.ply, self.cause)
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

#[cfg(test)]
mod tests;
