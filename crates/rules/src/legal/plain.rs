//! Short ways for boards on which every piece attacks by single leaps and by rays without end.
//!
//! What such a piece attacks changes only with the squares that a move leaves or enters. So a move opens an
//! attack on its own royals only if it leaves a line on which one of them stands, and it gives check only
//! from the square where it lands or by what it opens. Both are seen without a look at the other pieces, if
//! nobody was in check before.

use boardprint_base::replay::Played;
use boardprint_base::{Placed, Player, Position, Square};

use super::strikes::{DIRECTIONS, difference, direction};
use super::{Answer, Referee, has_to_promote, view};
use crate::fairy::{Board, End, Occupant, Path, Reach, Run};

/// The rays of all pieces of a game, one bit for each of the sixteen directions.
pub(super) type Rays = u16;

impl Referee<'_> {
    /// The rays of every piece that can come onto the board of a game; `None` if one of them attacks in other
    /// ways.
    pub(super) fn rays_of_game(&self, start: &Position) -> Option<Rays> {
        let table = self.table.strikes();
        let promoted = start.laws.promotion.iter().flat_map(|(player, law)| {
            law.choices().iter().map(|kind| boardprint_base::Piece::new(*kind, *player))
        });
        let mut pieces = start.pieces.iter().map(|placed| placed.piece).chain(promoted);
        if self.slide_limit.is_some() {
            return None;
        }
        pieces.try_fold(0, |rays, piece| {
            let strikes = table.of(piece);
            (!strikes.has_more).then_some(rays | strikes.rays)
        })
    }

    /// Whether a move that was played by somebody who was not in check leaves him so, seen from its squares
    /// alone. `false` decides nothing.
    pub(super) fn stays_safe(&self, position: &Position, played: &Played) -> bool {
        let piece = played.piece();
        self.rays.is_some()
            && !self.is_royal(piece)
            && played.promotion().is_none()
            && !played.is_en_passant()
            && !self.shares_line_with_royal(position, piece.player, played.from())
    }

    /// Whether a move that was played gives check to a player who was not in check before.
    pub(super) fn gives_check(&self, position: &Position, played: &Played, whom: Player) -> Answer {
        let is_short = self.rays.is_some()
            && !played.is_en_passant()
            && played.castling().is_none()
            && !self.shares_line_with_royal(position, whom, played.from());
        match position.pieces.get(played.to()).filter(|_| is_short) {
            None => self.is_in_check(position, whom),
            Some(mover) => {
                let mut royals = self.royals(position, whom);
                let is_check = royals.any(|royal| self.reach(position, mover, &royal.square) != Reach::No);
                if is_check { Answer::Yes } else { Answer::No }
            }
        }
    }

    /// Whether some piece of a player who is not in check can move, as far as single steps show. No is no
    /// answer.
    pub(super) fn moves_freely(&self, position: &Position, player: Player) -> bool {
        let heeds_check = self.heeds_check(player);
        // Few, where check is heeded.
        let royals: Vec<&Placed> =
            if heeds_check { self.royals(position, player).collect() } else { Vec::new() };
        let moves = |placed: &Placed| {
            placed.piece.player == player
                && !(heeds_check && self.is_royal(placed.piece))
                && self.has_step(position, placed)
                && !self.shares_line(&placed.square, royals.iter().copied())
        };
        // Those in front have more room.
        let mut pieces = position.pieces.iter();
        self.rays.is_some() && if player.forward() > 0 { pieces.any(moves) } else { pieces.rev().any(moves) }
    }

    /// Whether a leap of a piece or the first stop of a ray leads somewhere, promotions left out.
    fn has_step(&self, position: &Position, placed: &Placed) -> bool {
        let Some(definition) = self.table.get(placed.piece.kind) else { return false };
        let view = view(position, placed.piece.player);
        definition.movement(placed.piece.player).paths(placed.right).any(|path| {
            first_step(path).is_some_and(|(x, y)| {
                let to = placed.square.offset(x, y);
                let fits = match view.at(&to) {
                    Occupant::Empty => path.end() != End::Capture,
                    Occupant::Enemy => path.end() != End::Quiet,
                    Occupant::Friend => false,
                };
                fits && position.laws.border.contains(&to) && !has_to_promote(position, placed.piece, &to)
            })
        })
    }

    /// Whether a royal of a player stands where a ray from a square, or through it, may end.
    fn shares_line_with_royal(&self, position: &Position, player: Player, square: &Square) -> bool {
        self.shares_line(square, self.royals(position, player))
    }

    fn shares_line<'p>(&self, square: &Square, mut royals: impl Iterator<Item = &'p Placed>) -> bool {
        let rays = self.rays.unwrap_or(Rays::MAX);
        royals.any(|royal| match difference(square, &royal.square) {
            // Each direction stands next to its opposite.
            Some((x, y)) => direction(x, y).is_some_and(|line| rays & 0b11 << (line & !1) != 0),
            None => true,
        })
    }

    /// Whether a piece reaches a square, if it moves as it attacks, by leaps and rays alone.
    #[inline]
    pub(super) fn plain_reach(&self, position: &Position, mover: &Placed, to: &Square) -> Option<Reach> {
        let strikes = self.table.strikes().of(mover.piece);
        let border = &position.laws.border;
        if !strikes.is_plain() || self.slide_limit.is_some() || !border.contains(&mover.square) {
            return None;
        }
        let (x, y) = difference(&mover.square, to).filter(|difference| *difference != (0, 0))?;
        let ray = direction(x, y).filter(|direction| strikes.rays & 1 << direction != 0);
        let is_leap = strikes.leaps_by(x, y);
        if (!is_leap && ray.is_none()) || !border.contains(to) {
            return Some(Reach::No);
        }
        let target = position.pieces.find(to);
        let is_friend = || view(position, mover.piece.player).at(to) == Occupant::Friend;
        if target.is_ok() && is_friend() {
            return Some(Reach::No);
        }
        // Nothing stands between neighbours.
        let is_leap = is_leap || (x.abs() <= 1 && y.abs() <= 1);
        if let (false, Some(direction)) = (is_leap, ray) {
            let from = position.pieces.find(&mover.square).ok()?;
            let to = target.unwrap_or_else(|place| place);
            // In reading order, what stands between two squares is listed between them.
            let between = if from < to { from + 1..to } else { to + usize::from(target.is_ok())..from };
            let between = &position.pieces.as_slice()[between];
            if between.iter().any(|other| is_on_line(&mover.square, &other.square, direction)) {
                return Some(Reach::No);
            }
        }
        Some(match target {
            Err(_) => Reach::Quiet,
            Ok(_) => Reach::Capture,
        })
    }
}

/// The leap of a path, or the first stop of its ray.
fn first_step(path: &Path) -> Option<(i64, i64)> {
    let is_ordinary = |run: &&Run| !run.is_prime() && run.times().least <= 1 && run.times().most != Some(0);
    if let Some(leap) = path.as_leap() {
        return Some((leap.x, leap.y));
    }
    let step = path.as_ray().filter(is_ordinary)?.step();
    Some((i64::try_from(step.x).ok()?, i64::try_from(step.y).ok()?))
}

/// Whether a square lies on a line through another. One that is too far away does not lie between two that
/// are not.
#[inline]
fn is_on_line(from: &Square, square: &Square, line: usize) -> bool {
    let (step_x, step_y) = DIRECTIONS[line];
    difference(from, square).is_some_and(|(x, y)| x * step_y == y * step_x)
}
