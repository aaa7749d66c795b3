//! Which special rights can be used.

use boardprint_base::{Coord, PieceKind, Placed};

/// Finds the pieces whose special right nothing can use. Reused, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeadRights {
    /// Indexes of the pieces, ascending.
    dead: Vec<usize>,
    /// Indexes of the pieces of one rank that have a right and are not pawns.
    rank: Vec<usize>,
}

impl DeadRights {
    /// The indexes, ascending, of the pieces whose right is dead: no pawn, and no castling partner.
    ///
    /// Castling needs a king or royal centaur and another piece that is neither of these nor a pawn: both
    /// with their right, of one player, on one rank, at least three squares apart.
    #[inline]
    pub(crate) fn find(&mut self, pieces: &[Placed]) -> &[usize] {
        self.dead.clear();
        let mut run: Option<Run> = None;
        for (index, placed) in pieces.iter().enumerate() {
            if !is_castler(placed) {
                continue;
            }
            match &mut run {
                // Reading order keeps a rank together.
                Some(run) if pieces[run.last].square.y == placed.square.y => run.add(index, pieces),
                run => {
                    if let Some(done) = run.replace(Run::new(index, placed)) {
                        self.judge(&done, pieces);
                    }
                }
            }
        }
        if let Some(run) = run {
            self.judge(&run, pieces);
        }
        &self.dead
    }

    #[inline]
    fn judge(&mut self, run: &Run, pieces: &[Placed]) {
        if !run.is_usual() {
            self.judge_rank(run, pieces);
        }
    }

    /// Judges the rights of one rank.
    #[inline(never)]
    fn judge_rank(&mut self, run: &Run, pieces: &[Placed]) {
        self.rank.clear();
        self.rank.extend((run.first..=run.last).filter(|index| is_castler(&pieces[*index])));
        let player = |index: &usize| pieces[*index].piece.player;
        if self.rank.windows(2).all(|pair| player(&pair[0]) == player(&pair[1])) {
            judge_player(&self.rank, pieces, &mut self.dead);
        } else {
            // Players one after the other; within a player the columns still ascend.
            self.rank.sort_unstable_by_key(|index| (player(index), *index));
            let start = self.dead.len();
            for own in self.rank.chunk_by(|a, b| player(a) == player(b)) {
                judge_player(own, pieces, &mut self.dead);
            }
            self.dead[start..].sort_unstable();
        }
    }
}

/// Whether a piece has a right that needs a partner.
#[inline]
fn is_castler(placed: &Placed) -> bool {
    placed.right && !matches!(placed.piece.kind, PieceKind::Pawn)
}

/// The pieces of one rank that have a right and are not pawns, as far as the usual case needs it.
struct Run {
    first: usize,
    last: usize,
    /// How many of them are kings or royal centaurs.
    leaders: usize,
    /// Whether there are several players, or neighbours that are too near to castle.
    unusual: bool,
}

impl Run {
    #[inline]
    fn new(index: usize, placed: &Placed) -> Self {
        let leaders = usize::from(placed.piece.kind.leads_castling());
        Run { first: index, last: index, leaders, unusual: false }
    }

    #[inline]
    fn add(&mut self, index: usize, pieces: &[Placed]) {
        let (last, this) = (&pieces[self.last], &pieces[index]);
        let leads = this.piece.kind.leads_castling();
        let near = (leads || last.piece.kind.leads_castling()) && !far_apart(&last.square.x, &this.square.x);
        self.unusual |= near || last.piece.player != this.piece.player;
        self.leaders += usize::from(leads);
        self.last = index;
    }

    /// Whether there is one leader, partners, and none of them too near: the usual case, in which no right is
    /// dead.
    #[inline]
    fn is_usual(&self) -> bool {
        self.leaders == 1 && self.last > self.first && !self.unusual
    }
}

/// Judges the rights of a player's pieces on one rank, given from left to right.
fn judge_player(own: &[usize], pieces: &[Placed], dead: &mut Vec<usize>) {
    let (mut leaders, mut partners) = (None, None);
    for index in own {
        let Placed { piece, square, .. } = &pieces[*index];
        let reach = if piece.kind.leads_castling() { &mut leaders } else { &mut partners };
        reach.get_or_insert(Reach { left: &square.x, right: &square.x }).right = &square.x;
    }
    for index in own {
        let Placed { piece, square, .. } = &pieces[*index];
        let others = if piece.kind.leads_castling() { &partners } else { &leaders };
        if !others.as_ref().is_some_and(|others| others.is_far_from(&square.x)) {
            dead.push(*index);
        }
    }
}

/// The outermost columns of some pieces of a rank: if any of the pieces is far from a column, one of these is.
struct Reach<'a> {
    left: &'a Coord,
    right: &'a Coord,
}

impl Reach<'_> {
    #[inline]
    fn is_far_from(&self, column: &Coord) -> bool {
        far_apart(self.left, column) || far_apart(column, self.right)
    }
}

/// Whether `right` lies three columns or more to the right of `left`.
#[inline]
fn far_apart(left: &Coord, right: &Coord) -> bool {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => right.saturating_sub(left) >= 3,
        _ => right - left >= Coord::from(3_i64),
    }
}
