//! Positions in which nobody has the pieces to mate.
//!
//! Infinitechess.org decides this from a table of pairs: what White has against what Black has, or the other
//! way round. Both sides have to be looked at together, since a piece of one's own can take the last square
//! from one's king. The rows below are facts of that table (June 2026); how they are compared is ours.
//!
//! Where we have a reason to doubt a row we say [`Verdict::Unsure`]: no draw is claimed, and nobody who
//! claims one is accused. That concerns voids, which can take squares from a king, and kings against royal
//! centaurs, which can give check to a king that cannot hit back.
//!
//! What no row has need not be enough, either. Pieces suffice if they are at least those of a mate in
//! `mating.txt`, the smallest pairs that one was found for. Of any other pair we say that we are unsure.

use std::sync::LazyLock;

use boardprint_base::{Border, CHECKMATE, Coord, PieceKind, Player, Position};

use super::Referee;

/// Whether the pieces on the board can mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nobody can.
    Insufficient,
    /// Somebody can: there is a mate with these pieces, or with fewer. Also where the question is not asked.
    Sufficient,
    /// The site claims a draw, and we doubt it; or it does not, and we know of no mate.
    Unsure,
}

/// As many as there are.
const ANY: u32 = u32::MAX;
/// More pieces than this are not looked at.
const MOST_PIECES: usize = 10;
/// More pawns that may promote are not looked at.
const MOST_PAWNS: usize = 2;
/// An edge nearer than this makes the board a finite one.
const NEAR: i64 = 1_000_000;

/// What a side may have at most in a row of the table.
#[derive(Clone, Copy)]
struct Most {
    pieces: &'static [(PieceKind, u32)],
    /// Bishops on the two colours of squares.
    bishops: [u32; 2],
}

/// A row of the table: nobody mates, whichever side has which part.
type Row = [Most; 2];

use PieceKind::{
    Amazon as AM, Archbishop as AR, Chancellor as CH, Guard as GU, Hawk as HA, Huygen as HU, King as K,
    Knight as N, Knightrider as NR, Pawn as P, Queen as Q, Rook as R, RoyalCentaur as RC,
};

const fn most(pieces: &'static [(PieceKind, u32)], bishops: [u32; 2]) -> Most {
    Most { pieces, bishops }
}

const LONE: Most = most(&[(K, 1)], [0, 0]);
const KNIGHT: Most = most(&[(K, 1), (N, 1)], [0, 0]);
const KNIGHTS: Most = most(&[(K, 1), (N, 2)], [0, 0]);
const PAWN: Most = most(&[(K, 1), (P, 1)], [0, 0]);
const QUEEN: Most = most(&[(K, 1), (Q, 1)], [0, 0]);
const ROOK: Most = most(&[(K, 1), (R, 1)], [0, 0]);
const BISHOP: Most = most(&[(K, 1)], [1, 0]);
const OTHER_BISHOP: Most = most(&[(K, 1)], [0, 1]);
const BISHOPS: Most = most(&[(K, 1)], [1, 1]);
const BISHOP_KNIGHT: Most = most(&[(K, 1), (N, 1)], [1, 0]);

/// On a board with an edge.
const EDGED: [Row; 2] = [[most(&[(K, 1)], [ANY, 0]), most(&[(K, 1)], [ANY, 0])], [KNIGHT, LONE]];

/// On a board without an edge nearby, a king on each side.
const OPEN: [Row; 39] = [
    [QUEEN, QUEEN],
    [QUEEN, ROOK],
    [QUEEN, BISHOP_KNIGHT],
    [QUEEN, BISHOPS],
    [QUEEN, KNIGHTS],
    [QUEEN, PAWN],
    [most(&[(K, 1), (R, 1)], [1, 0]), KNIGHT],
    [most(&[(K, 1), (R, 1), (N, 1)], [0, 0]), KNIGHT],
    [ROOK, ROOK],
    [ROOK, BISHOPS],
    [ROOK, BISHOP_KNIGHT],
    [ROOK, KNIGHTS],
    [ROOK, PAWN],
    [most(&[(K, 1)], [ANY, 1]), LONE],
    [most(&[(K, 1), (N, 1)], [ANY, 0]), LONE],
    [most(&[(K, 1)], [ANY, 0]), PAWN],
    [most(&[(K, 1), (N, 1)], [1, 1]), LONE],
    [BISHOPS, BISHOP],
    [BISHOPS, KNIGHT],
    [BISHOPS, PAWN],
    [most(&[(K, 1), (N, 2)], [1, 0]), LONE],
    [BISHOP_KNIGHT, BISHOP],
    [BISHOP_KNIGHT, OTHER_BISHOP],
    [BISHOP_KNIGHT, KNIGHT],
    [BISHOP_KNIGHT, PAWN],
    [BISHOP, KNIGHTS],
    [most(&[(K, 1), (N, 3)], [0, 0]), LONE],
    [KNIGHTS, KNIGHT],
    [KNIGHTS, PAWN],
    [most(&[(K, 1), (P, 3)], [0, 0]), PAWN],
    [most(&[(K, 1), (CH, 1)], [0, 0]), LONE],
    [most(&[(K, 1), (AR, 1)], [1, 0]), LONE],
    [most(&[(K, 1), (AR, 1), (N, 1)], [0, 0]), LONE],
    [most(&[(K, 1), (NR, 2)], [0, 0]), LONE],
    [most(&[(K, 1), (HA, 2)], [0, 0]), LONE],
    [most(&[(K, 1), (HA, 1)], [1, 0]), LONE],
    [most(&[(K, 1), (HU, 2)], [0, 0]), most(&[(K, 1), (HU, 1)], [0, 0])],
    [most(&[(K, 1), (GU, 1)], [0, 0]), LONE],
    [most(&[(AM, 1)], [0, 0]), most(&[(RC, 1)], [0, 0])],
];

/// On a board without an edge nearby, against a king by pieces that have none.
const WITHOUT_KING: [Row; 25] = [
    [most(&[(Q, 1), (R, 1)], [0, 0]), LONE],
    [most(&[(Q, 1), (N, 1)], [0, 0]), LONE],
    [most(&[(Q, 1)], [1, 0]), LONE],
    [most(&[(Q, 1), (P, 1)], [0, 0]), LONE],
    [most(&[(R, 2)], [1, 0]), LONE],
    [most(&[(R, 2), (N, 1)], [0, 0]), LONE],
    [most(&[(R, 2), (P, 1)], [0, 0]), LONE],
    [most(&[(R, 1), (N, 1)], [1, 0]), LONE],
    [most(&[(R, 1), (N, 2)], [0, 0]), LONE],
    [most(&[(R, 1), (N, 1), (P, 1)], [0, 0]), LONE],
    [most(&[(N, 2)], [ANY, 0]), LONE],
    [most(&[], [2, 2]), LONE],
    [most(&[(N, 1)], [2, 1]), LONE],
    [most(&[(N, 2)], [1, 1]), LONE],
    [most(&[(N, 4)], [0, 0]), LONE],
    [most(&[(P, 6)], [0, 0]), LONE],
    [most(&[(AM, 1)], [0, 0]), LONE],
    [most(&[(CH, 1), (R, 1)], [0, 0]), LONE],
    [most(&[(CH, 1), (N, 1)], [0, 0]), LONE],
    [most(&[(AR, 2)], [0, 0]), LONE],
    [most(&[(AR, 1)], [2, 0]), LONE],
    [most(&[(AR, 1)], [1, 1]), LONE],
    [most(&[(AR, 1), (N, 2)], [0, 0]), LONE],
    [most(&[(NR, 3)], [0, 0]), LONE],
    [most(&[(HU, 4)], [0, 0]), LONE],
];

/// The edges of a board that matter to a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edges {
    /// None nearby.
    None,
    /// One.
    One,
    /// Two that meet.
    Corner,
    /// A board too small for the mates that are known.
    Small,
}

/// A board of fewer squares across need not have room for a mate.
const ROOM: i64 = 8;

/// What was found to mate: the winner's pieces, and those of the side whose king is mated.
struct Mate {
    edges: Edges,
    forces: [Force; 2],
}

/// What mates: `K,B,AM,k,b'`, White's pieces and those of Black, whose king is mated; `b'` stands on the
/// other colour than `b`. After `edge` it takes an edge, after `corner` two. The tests have a position for
/// each, see that it is a mate, and that no row of the table has its pieces.
pub(super) const MATING: &str = include_str!("mating.txt");

static KNOWN_MATES: LazyLock<Vec<Mate>> = LazyLock::new(|| MATING.lines().filter_map(Mate::parse).collect());

/// What a side has.
#[derive(Clone, Default)]
struct Force {
    pieces: Vec<PieceKind>,
    bishops: [u32; 2],
    /// What its pawns may become; empty if they never promote.
    choices: Vec<PieceKind>,
    /// Pawns that may promote.
    pawns: usize,
}

/// Whether somebody has the pieces to mate.
pub(super) fn verdict(referee: &Referee<'_>, position: &Position) -> Verdict {
    let wins_only_by_mate = |player| position.laws.wins.of(player).eq([CHECKMATE]);
    let sides = [Player::WHITE, Player::BLACK];
    let counted = position.pieces.iter().filter(|placed| placed.piece.kind != PieceKind::Obstacle);
    let has_strangers = position
        .pieces
        .iter()
        .any(|placed| !placed.piece.kind.is_neutral() && !sides.contains(&placed.piece.player));
    if !position.turn.is_white_and_black()
        || !sides.into_iter().all(wins_only_by_mate)
        || counted.take(MOST_PIECES + 1).count() > MOST_PIECES
        || has_strangers
    {
        return Verdict::Sufficient;
    }
    let forces = sides.map(|side| Force::of(position, side));
    if forces.iter().map(|force| force.pawns).sum::<usize>() > MOST_PAWNS {
        return Verdict::Sufficient;
    }
    let is_edged = is_edged(&position.laws.border);
    if !every_promotion(&forces, &|forces| is_in_table(forces, is_edged)) {
        let edges = Edges::of(&position.laws.border);
        let none_mates = every_promotion(&forces, &|forces| !can_mate(forces, edges));
        return if none_mates { Verdict::Unsure } else { Verdict::Sufficient };
    }
    let has_voids = position.pieces.iter().any(|placed| placed.piece.kind == PieceKind::Void);
    let royals = position.pieces.iter().filter(|placed| referee.is_royal(placed.piece));
    let mut royals: Vec<PieceKind> = royals.map(|placed| placed.piece.kind).collect();
    royals.sort_unstable();
    royals.dedup();
    // Royals of one kind never give check to each other: whoever attacked would be attacked.
    if has_voids || royals.len() > 1 { Verdict::Unsure } else { Verdict::Insufficient }
}

impl Force {
    fn of(position: &Position, side: Player) -> Force {
        let law = position.laws.promotion.get(&side).filter(|law| !law.ranks().is_empty());
        let choices = law.map_or(Vec::new(), |law| law.choices().to_vec());
        let mut force = Force { choices, ..Force::default() };
        for placed in position.pieces.iter().filter(|placed| placed.piece.player == side) {
            match placed.piece.kind {
                PieceKind::Obstacle | PieceKind::Void => {}
                PieceKind::Bishop => {
                    let (_, colour) = (&placed.square.x + &placed.square.y).div_rem_euclid(&Coord::from(2));
                    force.bishops[usize::from(!colour.is_zero())] += 1;
                }
                PieceKind::Pawn if !force.choices.is_empty() => force.pawns += 1,
                kind => force.pieces.push(kind),
            }
        }
        force
    }

    /// Whether another force has at least its pieces.
    fn is_within(&self, other: &Force, colours: [usize; 2]) -> bool {
        let number = |force: &Force, kind: PieceKind| force.pieces.iter().filter(|own| **own == kind).count();
        colours.iter().zip(self.bishops).all(|(colour, own)| own <= other.bishops[*colour])
            && self.pieces.iter().all(|kind| number(self, *kind) <= number(other, *kind))
    }

    /// Whether it has nothing but kings and royal centaurs.
    fn is_royal(&self) -> bool {
        self.bishops == [0, 0] && self.pieces.iter().all(|kind| matches!(kind, K | RC))
    }
}

impl Edges {
    fn of(border: &Border) -> Self {
        let near = |side: &Option<Coord>| side.as_ref().is_some_and(|side| side.abs() < Coord::from(NEAR));
        let narrow = |low: &Option<Coord>, high: &Option<Coord>| matches!((low, high), (Some(low), Some(high)) if high - low < Coord::from(ROOM - 1));
        let Border { left, right, bottom, top } = border;
        let (across, along) = (near(left) || near(right), near(bottom) || near(top));
        if narrow(left, right) || narrow(bottom, top) {
            Edges::Small
        } else if across && along {
            Edges::Corner
        } else if across || along {
            Edges::One
        } else {
            Edges::None
        }
    }
}

impl Mate {
    fn parse(line: &str) -> Option<Self> {
        let (edges, pieces) = match line.split_once(' ') {
            Some(("edge", pieces)) => (Edges::One, pieces),
            Some(("corner", pieces)) => (Edges::Corner, pieces),
            _ => (Edges::None, line),
        };
        let mut forces = [Force::default(), Force::default()];
        for piece in pieces.split(',') {
            let code = piece.trim_end_matches('\'');
            let force = &mut forces[usize::from(code.starts_with(|c: char| c.is_ascii_lowercase()))];
            match PieceKind::from_code(&code.to_ascii_lowercase())? {
                PieceKind::Bishop => force.bishops[piece.len() - code.len()] += 1,
                kind => force.pieces.push(kind),
            }
        }
        Some(Mate { edges, forces })
    }
}

/// Whether a mate is known that takes no more pieces than these.
fn can_mate(forces: &[Force; 2], edges: Edges) -> bool {
    let royals = |force: &Force| force.pieces.iter().filter(|kind| kind.is_royal()).count();
    // Several royals of a side, or other ones than kings, may change what a mate is.
    let only_kings = forces
        .iter()
        .all(|force| royals(force) <= 1 && force.pieces.iter().all(|kind| *kind == K || !kind.is_royal()));
    only_kings
        && edges != Edges::Small
        && KNOWN_MATES.iter().any(|mate| {
            let [winner, loser] = &mate.forces;
            let [a, b] = forces;
            mate.edges <= edges
                && [[a, b], [b, a]].into_iter().any(|[first, second]| {
                    let fits = |colours| winner.is_within(first, colours) && loser.is_within(second, colours);
                    fits([0, 1]) || fits([1, 0])
                })
        })
}

/// Whether something holds whatever the pawns become; each may also stay a pawn.
fn every_promotion(forces: &[Force; 2], holds: &impl Fn(&[Force; 2]) -> bool) -> bool {
    let Some(side) = forces.iter().position(|force| force.pawns > 0) else { return holds(forces) };
    let mut become_pieces = forces[side].choices.clone();
    become_pieces.push(P);
    become_pieces.iter().all(|choice| {
        let colours: &[usize] = if *choice == PieceKind::Bishop { &[0, 1] } else { &[0] };
        colours.iter().all(|colour| {
            let mut forces = forces.clone();
            forces[side].pawns -= 1;
            match choice {
                PieceKind::Bishop => forces[side].bishops[*colour] += 1,
                kind => forces[side].pieces.push(*kind),
            }
            every_promotion(&forces, holds)
        })
    })
}

/// Whether a row of the table has at least these pieces.
fn is_in_table(forces: &[Force; 2], is_edged: bool) -> bool {
    if forces.iter().all(Force::is_royal) {
        return true;
    }
    let has = |rows: &[Row]| rows.iter().any(|row| holds(row, forces));
    if is_edged { has(&EDGED) } else { has(&OPEN) || has(&WITHOUT_KING) }
}

/// Whether a row has at least these pieces, with the sides and the colours of squares either way round.
fn holds(row: &Row, [a, b]: &[Force; 2]) -> bool {
    [[a, b], [b, a]].into_iter().any(|[first, second]| {
        [[0, 1], [1, 0]]
            .into_iter()
            .any(|colours| row[0].holds(first, colours) && row[1].holds(second, colours))
    })
}

impl Most {
    fn holds(&self, force: &Force, colours: [usize; 2]) -> bool {
        let allowed =
            |kind: PieceKind| self.pieces.iter().find(|(own, _)| *own == kind).map_or(0, |(_, n)| *n);
        let number = |kind: PieceKind| force.pieces.iter().filter(|own| **own == kind).count();
        colours.iter().zip(self.bishops).all(|(colour, most)| force.bishops[*colour] <= most)
            && force.pieces.iter().all(|kind| number(*kind) <= allowed(*kind) as usize)
    }
}

fn is_edged(border: &Border) -> bool {
    let sides = [&border.left, &border.right, &border.bottom, &border.top];
    sides.into_iter().flatten().any(|side| side.abs() < Coord::from(NEAR))
}
