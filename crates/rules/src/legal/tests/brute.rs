//! The rules once more, square by square: slow, small boards only, and with every movement written out again.

use std::collections::BTreeMap;

use boardprint_base::{Border, Coord, Move, Piece, PieceKind, Player, Position, Square};

type Point = (i64, i64);

/// A board as squares.
#[derive(Clone)]
pub(super) struct Board {
    pieces: BTreeMap<Point, (Piece, bool)>,
    en_passant: Option<Point>,
    /// Where a pawn became something else with the last move.
    pub(super) has_promoted: Option<Point>,
    /// Left, right, bottom, top.
    border: [i64; 4],
    mover: Player,
    ranks: Vec<i64>,
}

const ORTHOGONAL: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Point; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
/// In the order of a circle, so that a rose turns by going to its neighbour.
const KNIGHT: [Point; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn leaper(a: i64, b: i64) -> Vec<Point> {
    let signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    signs.iter().flat_map(|(x, y)| [(a * x, b * y), (b * x, a * y)]).collect()
}

/// The leaps of a piece.
fn leaps(kind: PieceKind) -> Vec<Point> {
    use PieceKind::{
        Amazon, Archbishop, Camel, Centaur, Chancellor, Giraffe, Guard, Hawk, King, Knight, RoyalCentaur,
        Zebra,
    };
    let neighbours = || ORTHOGONAL.into_iter().chain(DIAGONAL);
    match kind {
        King | Guard => neighbours().collect(),
        Centaur | RoyalCentaur => neighbours().chain(KNIGHT).collect(),
        Knight | Amazon | Chancellor | Archbishop => KNIGHT.to_vec(),
        Camel => leaper(1, 3),
        Giraffe => leaper(1, 4),
        Zebra => leaper(2, 3),
        Hawk => neighbours().flat_map(|(x, y)| [(2 * x, 2 * y), (3 * x, 3 * y)]).collect(),
        _ => Vec::new(),
    }
}

/// The slides of a piece.
fn slides(kind: PieceKind) -> Vec<Point> {
    use PieceKind::{Amazon, Archbishop, Bishop, Chancellor, Huygen, Knightrider, Queen, Rook, RoyalQueen};
    match kind {
        Queen | RoyalQueen | Amazon => ORTHOGONAL.into_iter().chain(DIAGONAL).collect(),
        Rook | Chancellor | Huygen => ORTHOGONAL.to_vec(),
        Bishop | Archbishop => DIAGONAL.to_vec(),
        Knightrider => KNIGHT.to_vec(),
        _ => Vec::new(),
    }
}

fn is_prime(n: i64) -> bool {
    n > 1 && (2..n).all(|d| n % d != 0)
}

impl Board {
    pub(super) fn new(position: &Position) -> Self {
        let small = |coord: &Coord| coord.as_i64().unwrap();
        let point = |square: &Square| (small(&square.x), small(&square.y));
        let Border { left, right, bottom, top } = &position.laws.border;
        let low = |side: &Option<Coord>| side.as_ref().map_or(i64::MIN, small);
        let high = |side: &Option<Coord>| side.as_ref().map_or(i64::MAX, small);
        let mover = position.turn.to_move();
        let law = position.laws.promotion.get(&mover);
        let pieces =
            position.pieces.iter().map(|placed| (point(&placed.square), (placed.piece, placed.right)));
        Board {
            pieces: pieces.collect(),
            en_passant: position.en_passant.as_ref().map(point),
            has_promoted: None,
            border: [low(left), high(right), low(bottom), high(top)],
            mover,
            ranks: law.map_or(Vec::new(), |law| law.ranks().iter().map(small).collect()),
        }
    }

    fn is_inside(&self, (x, y): Point) -> bool {
        let [left, right, bottom, top] = self.border;
        left <= x && x <= right && bottom <= y && y <= top
    }

    fn at(&self, point: Point) -> Option<Piece> {
        self.pieces.get(&point).map(|(piece, _)| *piece)
    }

    fn is_free(&self, point: Point) -> bool {
        self.is_inside(point) && self.at(point).is_none()
    }

    fn can_take(&self, player: Player, point: Point) -> bool {
        self.at(point).is_some_and(|piece| match piece.kind {
            PieceKind::Void => false,
            PieceKind::Obstacle => true,
            _ => piece.player != player,
        })
    }

    /// Whether a piece goes from one square to another by its movement.
    fn reaches(&self, from: Point, to: Point) -> bool {
        let (piece, right) = self.pieces[&from];
        let player = piece.player;
        let delta = (to.0 - from.0, to.1 - from.1);
        let takes = self.can_take(player, to);
        if from == to || !(self.is_free(to) || (self.is_inside(to) && takes)) {
            return false;
        }
        if piece.kind == PieceKind::Pawn {
            let forward = if player == Player::WHITE { 1 } else { -1 };
            return match (delta.0.abs(), delta.1 * forward) {
                (0, 1) => !takes,
                (0, 2) => right && !takes && self.is_free((from.0, from.1 + forward)),
                (1, 1) => takes,
                _ => false,
            };
        }
        leaps(piece.kind).contains(&delta)
            || slides(piece.kind).iter().any(|step| self.slides_to(piece.kind, from, *step, delta))
            || (piece.kind == PieceKind::Rose && self.circles_to(from, to))
    }

    fn slides_to(&self, kind: PieceKind, from: Point, step: Point, delta: Point) -> bool {
        let looks_at = |count: i64| kind != PieceKind::Huygen || is_prime(count);
        let count = delta.0.abs().max(delta.1.abs()) / step.0.abs().max(step.1.abs());
        let square = |count: i64| (from.0 + count * step.0, from.1 + count * step.1);
        delta == (count * step.0, count * step.1)
            && looks_at(count)
            && (1..count).all(|nearer| !looks_at(nearer) || self.is_free(square(nearer)))
    }

    fn circles_to(&self, from: Point, to: Point) -> bool {
        (0..8).any(|first| {
            [1, 7].into_iter().any(|turn| {
                let mut here = from;
                (0..7).map(|step| KNIGHT[(first + step * turn) % 8]).any(|step| {
                    let was_free = here == from || self.is_free(here);
                    here = (here.0 + step.0, here.1 + step.1);
                    if !was_free {
                        // Nothing behind a piece is reached.
                        here = (i64::MIN / 2, i64::MIN / 2);
                    }
                    here == to
                })
            })
        })
    }

    fn is_in_check(&self, player: Player) -> bool {
        let royal = |piece: &Piece| piece.player == player && piece.kind.is_royal();
        let royals = self.pieces.iter().filter(|(_, (piece, _))| royal(piece));
        royals.into_iter().any(|(square, _)| {
            let enemies = self
                .pieces
                .iter()
                .filter(|(_, (piece, _))| piece.player != player && piece.player != Player::NEUTRAL);
            enemies.into_iter().any(|(from, _)| self.reaches(*from, *square))
        })
    }

    /// The board after a piece has gone somewhere, whatever stood there.
    fn moved(&self, from: Point, to: Point) -> Board {
        let mut board = self.clone();
        let (piece, _) = board.pieces.remove(&from).unwrap();
        board.pieces.insert(to, (piece, false));
        board
    }

    fn castles(&self, from: Point, to: Point) -> Option<Board> {
        let (king, right) = self.pieces[&from];
        if !right || !matches!(king.kind, PieceKind::King | PieceKind::RoyalCentaur) {
            return None;
        }
        let side = match (to.0 - from.0, to.1 - from.1) {
            (2, 0) => 1,
            (-2, 0) => -1,
            _ => return None,
        };
        let rank = self.pieces.keys().filter(|(x, y)| *y == from.1 && (x - from.0).signum() == side);
        let partner = *rank.min_by_key(|(x, _)| (x - from.0).abs())?;
        let (piece, right) = self.pieces[&partner];
        let fits = right
            && piece.player == king.player
            && !matches!(piece.kind, PieceKind::Pawn | PieceKind::King | PieceKind::RoyalCentaur)
            && (partner.0 - from.0).abs() >= 3;
        let crossed = (from.0 + side, from.1);
        let is_safe = || {
            !self.is_in_check(king.player)
                && !self.moved(from, crossed).is_in_check(king.player)
                && !self.moved(from, to).is_in_check(king.player)
        };
        (fits && is_safe()).then(|| self.moved(from, to).moved(partner, crossed))
    }

    fn takes_en_passant(&self, from: Point, to: Point) -> Option<Board> {
        let (pawn, _) = self.pieces[&from];
        let forward = if pawn.player == Player::WHITE { 1 } else { -1 };
        let victim = (to.0, to.1 - forward);
        let fits = pawn.kind == PieceKind::Pawn
            && self.en_passant == Some(to)
            && self.at(to).is_none()
            && (to.0 - from.0).abs() == 1
            && to.1 - from.1 == forward
            && self.at(victim).is_some_and(|piece| {
                let is_enemy = piece.player != pawn.player && piece.player != Player::NEUTRAL;
                is_enemy && (piece.kind == PieceKind::Pawn || self.has_promoted == Some(victim))
            });
        fits.then(|| {
            let mut board = self.moved(from, to);
            board.pieces.remove(&victim);
            board
        })
    }

    /// Whether the player to move may go from one square to another.
    pub(super) fn is_legal(&self, from: Point, to: Point) -> bool {
        if self.at(from).is_none_or(|piece| piece.player != self.mover) {
            return false;
        }
        let after = if self.reaches(from, to) {
            Some(self.moved(from, to))
        } else {
            self.castles(from, to).or_else(|| self.takes_en_passant(from, to))
        };
        after.is_some_and(|after| !after.is_in_check(self.mover))
    }

    /// The move from one square to another, with a promotion where one is due.
    pub(super) fn to_move(&self, from: Point, to: Point) -> Move {
        let mut mv = Move::new(Square::new(from.0, from.1), Square::new(to.0, to.1));
        let is_pawn = self.at(from).is_some_and(|piece| piece.kind == PieceKind::Pawn);
        mv.promotion = (is_pawn && self.ranks.contains(&to.1)).then_some(PieceKind::Queen);
        mv
    }

    /// The squares of the mover's pieces.
    pub(super) fn own(&self) -> Vec<Point> {
        let own = self.pieces.iter().filter(|(_, (piece, _))| piece.player == self.mover);
        own.map(|(point, _)| *point).collect()
    }

    /// Whether the player to move has a legal move to one of these squares.
    pub(super) fn can_move_to(&self, squares: &(impl Iterator<Item = Point> + Clone)) -> bool {
        self.own().into_iter().any(|from| squares.clone().any(|to| self.is_legal(from, to)))
    }

    /// Whether the player to move is in check.
    pub(super) fn is_check(&self) -> bool {
        self.is_in_check(self.mover)
    }
}
