//! Moves, packed.
//!
//! A finite game takes two bytes per move; what they mean is up to its rules. On the unbounded board a move
//! is four distances: from the square the last move went to, and on from there; each is a varint, and a
//! coordinate beyond that is its decimal digits. Promotions are rare and stand in a list of their own in
//! front.

use std::fmt;

use boardprint_base::{Coord, CustomCode, Move, PieceKind, Square};

use super::GameKind;
use crate::db::codec::{Cursor, put_bytes, put_varint};

/// A move as the database keeps it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoredMove {
    /// In a finite game: sixteen bits, which the rules of the game explain.
    Finite(u16),
    /// On the unbounded board.
    Infinite {
        /// Where the piece stood.
        from: Square,
        /// Where it went.
        to: Square,
        /// What it became.
        promotion: Option<PieceKind>,
    },
}

/// How moves are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Packing {
    /// Two bytes each.
    Words,
    /// Squares of the unbounded board.
    Squares,
}

/// The moves of a game, packed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Moves {
    packing: Packing,
    count: u32,
    bytes: Box<[u8]>,
}

impl Moves {
    /// The bytes that they take.
    pub(crate) const fn size(&self) -> usize {
        self.bytes.len()
    }
}

impl fmt::Display for StoredMove {
    /// As in `1,2>1,4`, a promotion as `=q`; a move of a finite game as its bits in hex, `#0cdc`: only its
    /// rules can say more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredMove::Finite(bits) => write!(f, "#{bits:04x}"),
            StoredMove::Infinite { from, to, promotion } => {
                write!(f, "{from}>{to}")?;
                promotion.map_or(Ok(()), |kind| write!(f, "={}", kind.code()))
            }
        }
    }
}

impl StoredMove {
    /// The move by itself, as bytes that are equal only for equal moves.
    pub(crate) fn pack(&self) -> Box<[u8]> {
        match self {
            StoredMove::Finite(bits) => bits.to_le_bytes().into(),
            StoredMove::Infinite { from, to, promotion } => {
                let mut out = vec![0];
                put_square(&mut out, &Square::new(0, 0), from);
                put_square(&mut out, from, to);
                if let Some(kind) = promotion {
                    put_kind(&mut out, *kind);
                }
                out.into()
            }
        }
    }

    /// Reads what [`StoredMove::pack`] wrote.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Self> {
        if let [low, high] = *bytes {
            return Some(StoredMove::Finite(u16::from_le_bytes([low, high])));
        }
        let mut input = Cursor::new(bytes.strip_prefix(&[0])?);
        let from = square(&mut input, &Square::new(0, 0))?;
        let to = square(&mut input, &from)?;
        let promotion = if input.is_empty() { None } else { Some(kind(&mut input)?) };
        input.is_empty().then_some(StoredMove::Infinite { from, to, promotion })
    }
}

impl Moves {
    /// The moves of a game on the unbounded board; notes are left out.
    ///
    /// # Panics
    ///
    /// With 2³² moves or more.
    pub fn infinite<'a>(moves: impl ExactSizeIterator<Item = &'a Move> + Clone) -> Self {
        let count = u32::try_from(moves.len()).expect("a game has fewer than 2^32 moves");
        let mut bytes = Vec::with_capacity(moves.len() * 5 + 1);
        let promotions = || moves.clone().enumerate().filter_map(|(ply, step)| Some((ply, step.promotion?)));
        put_varint(&mut bytes, promotions().count() as u64);
        let mut last_ply = 0;
        for (ply, kind) in promotions() {
            put_varint(&mut bytes, (ply - last_ply) as u64);
            put_kind(&mut bytes, kind);
            last_ply = ply;
        }
        let origin = Square::new(0, 0);
        let mut here = &origin;
        for step in moves {
            put_square(&mut bytes, here, &step.from);
            put_square(&mut bytes, &step.from, &step.to);
            here = &step.to;
        }
        Moves { packing: Packing::Squares, count, bytes: bytes.into() }
    }

    /// The moves of a finite game.
    ///
    /// # Panics
    ///
    /// With 2³² moves or more.
    pub fn finite(moves: impl IntoIterator<Item = u16>) -> Self {
        let bytes: Vec<u8> = moves.into_iter().flat_map(u16::to_le_bytes).collect();
        let count = u32::try_from(bytes.len() / 2).expect("a game has fewer than 2^32 moves");
        Moves { packing: Packing::Words, count, bytes: bytes.into() }
    }

    /// No moves, for a position of any kind.
    #[must_use]
    pub fn none(kind: GameKind) -> Self {
        if kind == GameKind::Infinite { Self::infinite([].iter()) } else { Self::finite([]) }
    }

    /// Whether a game of this kind can have these moves.
    #[must_use]
    pub fn fit(&self, kind: GameKind) -> bool {
        match kind {
            GameKind::Infinite => self.packing == Packing::Squares,
            GameKind::Finite(_) => self.packing == Packing::Words,
            GameKind::Board => self.packing == Packing::Words && self.count == 0,
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The moves, one after another.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "packed moves are checked when they are read")]
    pub fn iter(&self) -> MovesIter<'_> {
        let promotions = match self.packing {
            Packing::Words => Cursor::new(&[]),
            Packing::Squares => Cursor::new(&self.bytes),
        };
        let mut iter = MovesIter {
            packing: self.packing,
            left: self.count,
            promotions,
            next_promotion: None,
            steps: Cursor::new(&self.bytes),
            here: Square::new(0, 0),
            ply: 0,
        };
        if self.packing == Packing::Squares {
            iter.begin().expect("packed moves were checked");
        }
        iter
    }

    /// The move at a ply, if the game goes on there.
    #[must_use]
    pub fn get(&self, ply: usize) -> Option<StoredMove> {
        match self.packing {
            Packing::Words => self.word(ply).map(StoredMove::Finite),
            Packing::Squares => self.iter().nth(ply),
        }
    }

    /// The sixteen bits of a move of a finite game.
    pub(crate) fn word(&self, ply: usize) -> Option<u16> {
        let bits = self.bytes.get(ply.checked_mul(2)?..)?.first_chunk()?;
        (self.packing == Packing::Words).then_some(u16::from_le_bytes(*bits))
    }

    /// The sixteen bits of each move of a finite game; `None` for moves of the open board.
    pub(crate) fn words(&self) -> Option<impl Iterator<Item = u16>> {
        let words = self.bytes.as_chunks().0.iter().take(self.len()).map(|bits| u16::from_le_bytes(*bits));
        self.are_words().then_some(words)
    }

    /// Whether moves have sixteen bits.
    pub(crate) fn are_words(&self) -> bool {
        self.packing == Packing::Words
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, self.count.into());
        put_bytes(out, &self.bytes);
    }

    /// Reads and checks what [`Moves::put`] wrote.
    pub(crate) fn take(kind: GameKind, input: &mut Cursor<'_>) -> Option<Self> {
        let count = u32::try_from(input.varint()?).ok()?;
        let packing = if kind == GameKind::Infinite { Packing::Squares } else { Packing::Words };
        let moves = Moves { packing, count, bytes: input.bytes()?.into() };
        (moves.is_whole() && moves.fit(kind)).then_some(moves)
    }

    /// Whether the bytes are exactly `count` moves.
    fn is_whole(&self) -> bool {
        match self.packing {
            Packing::Words => self.bytes.len() == self.len() * 2,
            Packing::Squares => self.check_infinite().is_some(),
        }
    }

    fn check_infinite(&self) -> Option<()> {
        let mut input = Cursor::new(&self.bytes);
        let mut last = 0_u64;
        for index in 0..input.count()? {
            let gap = input.varint()?;
            last = last.checked_add(gap)?;
            if (index > 0 && gap == 0) || last >= self.count.into() {
                return None;
            }
            kind(&mut input)?;
        }
        let mut here = Square::new(0, 0);
        for _ in 0..u64::from(self.count) * 2 {
            here = square(&mut input, &here)?;
        }
        input.is_empty().then_some(())
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|step| step.to_string())).finish()
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = StoredMove;
    type IntoIter = MovesIter<'a>;
    fn into_iter(self) -> MovesIter<'a> {
        self.iter()
    }
}

/// The moves of a game, one after another.
#[derive(Clone, Debug)]
pub struct MovesIter<'a> {
    packing: Packing,
    left: u32,
    promotions: Cursor<'a>,
    next_promotion: Option<(u64, PieceKind)>,
    steps: Cursor<'a>,
    here: Square,
    ply: u64,
}

impl MovesIter<'_> {
    /// Puts `promotions` at the list of promotions and `steps` after it.
    fn begin(&mut self) -> Option<()> {
        let count = self.promotions.count()?;
        let mut steps = self.promotions;
        for _ in 0..count {
            steps.varint()?;
            kind(&mut steps)?;
        }
        let list = self.promotions.rest().len() - steps.rest().len();
        self.promotions = Cursor::new(self.promotions.take(list)?);
        self.steps = steps;
        self.advance_promotion(0)
    }

    fn advance_promotion(&mut self, from: u64) -> Option<()> {
        self.next_promotion = None;
        if !self.promotions.is_empty() {
            self.next_promotion = Some((from + self.promotions.varint()?, kind(&mut self.promotions)?));
        }
        Some(())
    }

    fn step(&mut self) -> Option<StoredMove> {
        if self.packing == Packing::Words {
            return Some(StoredMove::Finite(u16::from_le_bytes(self.steps.array()?)));
        }
        let from = square(&mut self.steps, &self.here)?;
        let to = square(&mut self.steps, &from)?;
        self.here = to.clone();
        let promotion = self.next_promotion.filter(|(ply, _)| *ply == self.ply).map(|(_, kind)| kind);
        if promotion.is_some() {
            self.advance_promotion(self.ply)?;
        }
        self.ply += 1;
        Some(StoredMove::Infinite { from, to, promotion })
    }
}

impl Iterator for MovesIter<'_> {
    type Item = StoredMove;

    fn next(&mut self) -> Option<StoredMove> {
        self.left = self.left.checked_sub(1)?;
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for MovesIter<'_> {}

fn put_square(out: &mut Vec<u8>, here: &Square, there: &Square) {
    put_coord(out, &here.x, &there.x);
    put_coord(out, &here.y, &there.y);
}

fn square(input: &mut Cursor<'_>, here: &Square) -> Option<Square> {
    Some(Square { x: coord(input, &here.x)?, y: coord(input, &here.y)? })
}

/// The distance, folded to be positive, plus one; or 0 and the digits of a coordinate that is too far.
fn put_coord(out: &mut Vec<u8>, here: &Coord, there: &Coord) {
    let distance = match (here.as_i64(), there.as_i64()) {
        (Some(here), Some(there)) => there.checked_sub(here),
        _ => None,
    };
    let folded =
        distance.and_then(|distance| ((distance << 1) ^ (distance >> 63)).cast_unsigned().checked_add(1));
    if let Some(folded) = folded.filter(|folded| *folded != 0) {
        put_varint(out, folded);
    } else {
        out.push(0);
        let mut digits = Vec::new();
        there.write_to(&mut digits);
        put_bytes(out, &digits);
    }
}

fn coord(input: &mut Cursor<'_>, here: &Coord) -> Option<Coord> {
    let Some(folded) = input.varint()?.checked_sub(1) else { return input.text()?.parse().ok() };
    let distance = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
    Some(here.as_i64()?.checked_add(distance)?.into())
}

fn put_kind(out: &mut Vec<u8>, kind: PieceKind) {
    put_bytes(out, kind.code().as_bytes());
}

fn kind(input: &mut Cursor<'_>) -> Option<PieceKind> {
    let code = input.text()?;
    PieceKind::from_code(code).or_else(|| CustomCode::new(code).map(PieceKind::Custom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardprint_finite::Game;
    use proptest::prelude::*;

    fn any_coord() -> impl Strategy<Value = Coord> {
        prop_oneof![
            (-20_i64..20).prop_map(Coord::from),
            any::<i64>().prop_map(Coord::from),
            Just(Coord::from(i64::MIN)),
            Just(Coord::from(i64::MAX)),
            "-?[1-9][0-9]{18,60}".prop_map(|text| text.parse().unwrap()),
        ]
    }

    fn any_move() -> impl Strategy<Value = Move> {
        let kind = prop_oneof![
            (0..PieceKind::BUILT_IN.len()).prop_map(|index| PieceKind::BUILT_IN[index]),
            "[a-z]{3,4}".prop_map(|code| PieceKind::Custom(CustomCode::new(&code).unwrap())),
        ];
        let promotion = proptest::option::weighted(0.2, kind);
        (any_coord(), any_coord(), any_coord(), any_coord(), promotion).prop_map(|(a, b, c, d, promotion)| {
            Move { promotion, ..Move::new(Square::new(a, b), Square::new(c, d)) }
        })
    }

    fn stored(step: &Move) -> StoredMove {
        StoredMove::Infinite { from: step.from.clone(), to: step.to.clone(), promotion: step.promotion }
    }

    proptest! {
        #[test]
        fn infinite_moves_come_back(moves in proptest::collection::vec(any_move(), 0..40)) {
            let packed = Moves::infinite(moves.iter());
            let mut bytes = Vec::new();
            packed.put(&mut bytes);
            let read = Moves::take(GameKind::Infinite, &mut Cursor::new(&bytes)).unwrap();
            prop_assert_eq!(&read, &packed);
            let expected: Vec<StoredMove> = moves.iter().map(stored).collect();
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), expected.clone());
            for (ply, step) in expected.into_iter().enumerate() {
                prop_assert_eq!(read.get(ply), Some(step.clone()));
                prop_assert_eq!(StoredMove::unpack(&step.pack()), Some(step));
            }
            prop_assert_eq!(read.get(moves.len()), None);
        }

        #[test]
        fn finite_moves_come_back(words: Vec<u16>) {
            let packed = Moves::finite(words.iter().copied());
            let mut bytes = Vec::new();
            packed.put(&mut bytes);
            let kind = GameKind::Finite(Game::Shogi);
            let read = Moves::take(kind, &mut Cursor::new(&bytes)).unwrap();
            let expected: Vec<StoredMove> = words.iter().copied().map(StoredMove::Finite).collect();
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), expected.clone());
            for (ply, step) in expected.into_iter().enumerate() {
                prop_assert_eq!(read.get(ply), Some(step.clone()));
                prop_assert_eq!(StoredMove::unpack(&step.pack()), Some(step));
            }
            prop_assert_eq!(Moves::take(GameKind::Board, &mut Cursor::new(&bytes)).is_some(), words.is_empty());
        }

        #[test]
        fn any_bytes_are_moves_or_refused(count in 0_u64..20, body: Vec<u8>, finite: bool) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, count);
            put_bytes(&mut bytes, &body);
            let kind = if finite { GameKind::Finite(Game::Western) } else { GameKind::Infinite };
            if let Some(moves) = Moves::take(kind, &mut Cursor::new(&bytes)) {
                prop_assert_eq!(moves.iter().count() as u64, count);
            }
            let _ = StoredMove::unpack(&body);
        }
    }

    #[test]
    fn near_moves_take_four_bytes() {
        let steps = [
            Move::new(Square::new(4, 2), Square::new(4, 4)),
            Move::new(Square::new(4, 7), Square::new(4, 5)),
        ];
        assert_eq!(Moves::infinite(steps.iter()).bytes.len(), 1 + 2 * 4);
    }
}
