//! The legal move that an incomplete description means.

use super::generate::Promotion;
use super::{Mailbox, bits};
use crate::error::{Illegal, Refusal};
use crate::man::Man;
use crate::moves::Move;

/// What a text says of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sketch {
    /// The kinds it may be of, promoted ones eight places further, as bits.
    pub(crate) kinds: u16,
    /// The squares it may come from, as bits.
    pub(crate) from: u128,
    pub(crate) to: usize,
    pub(crate) promotes: bool,
}

impl Sketch {
    /// A piece of one kind, from anywhere, without promotion.
    pub(crate) const fn new(kind: usize, promoted: bool, to: usize) -> Self {
        let kinds = 1 << (kind + if promoted { 8 } else { 0 });
        Sketch { kinds, from: u128::MAX, to, promotes: false }
    }

    const fn fits(self, man: Man) -> bool {
        self.kinds >> (man.code() & 15) & 1 == 1
    }
}

impl Mailbox {
    /// The one legal move that fits. A promotion that is forced need not be said.
    pub(crate) fn find(&self, sketch: Sketch) -> Result<Move, Refusal> {
        let mut found = None;
        for played in self.fitting(sketch) {
            if self.judge(played).is_ok() {
                if found.is_some() {
                    return Err(Refusal::Ambiguous);
                }
                found = Some(played);
            }
        }
        found.ok_or_else(|| Refusal::Illegal(self.nearest_reason(sketch)))
    }

    /// Why no piece that fits can make a move.
    #[cold]
    fn nearest_reason(&self, sketch: Sketch) -> Illegal {
        let own = bits(self.men[self.side as usize] & sketch.from);
        let fitting = own.filter(|from| self.cells[*from].is_some_and(|man| sketch.fits(man)));
        let reasons =
            fitting.filter_map(|from| self.judge(Move::other(from, sketch.to, sketch.promotes)).err());
        reasons.max_by_key(|reason| reason.nearness()).unwrap_or(Illegal::NoPiece)
    }

    /// The squares of other pieces of the same kind that can legally go to the same square.
    pub(crate) fn rivals(&self, from: usize, to: usize) -> Vec<usize> {
        let Some(man) = self.cells[from] else { return Vec::new() };
        self.origins_of(man, to).into_iter().filter(|square| *square != from).collect()
    }

    /// The squares from which a piece can legally go to a square.
    pub(crate) fn origins_of(&self, man: Man, to: usize) -> Vec<usize> {
        let sketch = Sketch::new(man.kind(), man.is_promoted(), to);
        let legal = |played: &Move| self.judge(*played).is_ok();
        self.fitting(sketch).filter(legal).map(|played| played.other_parts().0).collect()
    }

    fn fitting(&self, sketch: Sketch) -> impl Iterator<Item = Move> + '_ {
        bits(self.men[self.side as usize] & sketch.from).filter_map(move |from| {
            let man = self.cells[from].filter(|man| sketch.fits(*man))?;
            (self.tables.goals(man, from) >> sketch.to & 1 == 1).then(|| {
                let forced = self.promotion(from, sketch.to, man) == Promotion::Must;
                Move::other(from, sketch.to, sketch.promotes || forced)
            })
        })
    }

    /// The pass of Janggi, named after the square of the general.
    pub(crate) fn pass(&self) -> Option<Move> {
        self.king(self.side).map(|king| Move::other(king, king, false))
    }

    /// Whether a piece could promote with this move.
    pub(crate) fn may_promote(&self, from: usize, to: usize) -> bool {
        self.cells[from].is_some_and(|man| self.promotion(from, to, man) != Promotion::Never)
    }

    /// The mark of a move: `+` if it gives check, `#` if it mates, nothing else.
    pub(crate) fn mark_after(&self, played: Move) -> &'static str {
        let mut next = self.clone();
        next.make(played);
        if !next.in_check(next.side) {
            ""
        } else if next.has_legal_move() {
            "+"
        } else {
            "#"
        }
    }

    /// The squares of the pieces of a kind of the side to move, unpromoted.
    pub(crate) fn squares_of(&self, kind: usize) -> Vec<usize> {
        let man = Some(Man::new(kind, self.side, false));
        bits(self.men[self.side as usize]).filter(|square| self.cells[*square] == man).collect()
    }
}
