//! Moves, packed.
//!
//! A Western game takes two bytes a move. On the unbounded board a move is four distances: from the square the last move
//! went to, and on from there; each is a varint, and a coordinate beyond that is its decimal digits. Promotions are rare and
//! stand in a list of their own in front.

use std::fmt;

use boardprint_base::{Coord, CustomCode, Move, PieceKind, Square};

use crate::db::codec::{Cursor, put_bytes, put_varint};

/// A move of Western chess in sixteen bits: six of the square it leaves (a1 is 0, b1 is 1), six of the square it enters, three
/// of the promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WesternMove(u16);

/// A move as the database keeps it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoredMove {
    /// On the board of 64 squares.
    Western(WesternMove),
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

/// Which board a game is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum GameKind {
    /// The unbounded board; the start is canonical ICN.
    Infinite = 0,
    /// The board of 64 squares; the start is FEN.
    Western = 1,
}

/// The moves of a game, packed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Moves {
    kind: GameKind,
    count: u32,
    bytes: Box<[u8]>,
}

/// What a Western pawn can become, by number; 0 is no promotion.
const WESTERN_PROMOTIONS: [Option<PieceKind>; 5] =
    [None, Some(PieceKind::Queen), Some(PieceKind::Rook), Some(PieceKind::Bishop), Some(PieceKind::Knight)];

impl WesternMove {
    /// A move between squares 0 (a1) to 63 (h8), or `None` if there is no such square or promotion.
    #[must_use]
    pub fn new(from: u8, to: u8, promotion: Option<PieceKind>) -> Option<Self> {
        let promotion = WESTERN_PROMOTIONS.iter().position(|known| *known == promotion)?;
        Self::from_bits(u16::from(from) | u16::from(to) << 6 | u16::try_from(promotion).ok()? << 12)
            .filter(|_| from < 64 && to < 64)
    }

    /// The move of sixteen bits.
    #[must_use]
    pub fn from_bits(bits: u16) -> Option<Self> {
        (usize::from(bits >> 12) < WESTERN_PROMOTIONS.len()).then_some(WesternMove(bits))
    }

    /// The sixteen bits.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The square it leaves.
    #[must_use]
    pub const fn from(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// The square it enters.
    #[must_use]
    pub const fn to(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// What a pawn becomes.
    #[must_use]
    pub const fn promotion(self) -> Option<PieceKind> {
        WESTERN_PROMOTIONS[(self.0 >> 12) as usize]
    }
}

impl fmt::Display for WesternMove {
    /// As in `e2e4` and `e7e8q`; a turn without a move is `0000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0000");
        }
        for square in [self.from(), self.to()] {
            write!(f, "{}{}", char::from(b'a' + square % 8), square / 8 + 1)?;
        }
        self.promotion().map_or(Ok(()), |kind| f.write_str(kind.code()))
    }
}

impl fmt::Debug for WesternMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StoredMove {
    /// As in `e2e4` and `1,2>1,4`, a promotion as `=q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredMove::Western(step) => fmt::Display::fmt(step, f),
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
            StoredMove::Western(step) => step.0.to_le_bytes().into(),
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
            return WesternMove::from_bits(u16::from_le_bytes([low, high])).map(StoredMove::Western);
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
        Moves { kind: GameKind::Infinite, count, bytes: bytes.into() }
    }

    /// The moves of a game of Western chess.
    ///
    /// # Panics
    ///
    /// With 2³² moves or more.
    pub fn western(moves: impl IntoIterator<Item = WesternMove>) -> Self {
        let bytes: Vec<u8> = moves.into_iter().flat_map(|step| step.0.to_le_bytes()).collect();
        let count = u32::try_from(bytes.len() / 2).expect("a game has fewer than 2^32 moves");
        Moves { kind: GameKind::Western, count, bytes: bytes.into() }
    }

    /// Which board they are played on.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        self.kind
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
        let promotions = match self.kind {
            GameKind::Western => Cursor::new(&[]),
            GameKind::Infinite => Cursor::new(&self.bytes),
        };
        let mut iter = MovesIter {
            kind: self.kind,
            left: self.count,
            promotions,
            next_promotion: None,
            steps: Cursor::new(&self.bytes),
            here: Square::new(0, 0),
            ply: 0,
        };
        if self.kind == GameKind::Infinite {
            iter.begin().expect("packed moves were checked");
        }
        iter
    }

    /// The move at a ply, if the game goes on there.
    #[must_use]
    pub fn get(&self, ply: usize) -> Option<StoredMove> {
        match self.kind {
            GameKind::Western => {
                let bits = self.bytes.get(ply * 2..)?.first_chunk()?;
                WesternMove::from_bits(u16::from_le_bytes(*bits)).map(StoredMove::Western)
            }
            GameKind::Infinite => self.iter().nth(ply),
        }
    }

    /// The moves at some plies, as [`Moves::get`] gives them. For ascending plies the game is gone through once.
    pub(crate) fn at<'a>(
        &'a self,
        plies: impl IntoIterator<Item = u32> + 'a,
    ) -> impl Iterator<Item = Option<StoredMove>> + 'a {
        let (mut rest, mut next) = (self.iter(), 0);
        plies.into_iter().map(move |ply| {
            let ply = ply as usize;
            if self.kind == GameKind::Western {
                return self.get(ply);
            }
            if ply < next {
                (rest, next) = (self.iter(), 0);
            }
            let found = rest.nth(ply - next);
            next = ply + 1;
            found
        })
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, self.count.into());
        put_bytes(out, &self.bytes);
    }

    /// Reads and checks what [`Moves::put`] wrote.
    pub(crate) fn take(kind: GameKind, input: &mut Cursor<'_>) -> Option<Self> {
        let count = u32::try_from(input.varint()?).ok()?;
        let moves = Moves { kind, count, bytes: input.bytes()?.into() };
        moves.is_whole().then_some(moves)
    }

    /// Whether the bytes are exactly `count` moves.
    fn is_whole(&self) -> bool {
        match self.kind {
            GameKind::Western => {
                let (pairs, rest) = self.bytes.as_chunks::<2>();
                let valid = |pair: &[u8; 2]| WesternMove::from_bits(u16::from_le_bytes(*pair)).is_some();
                rest.is_empty() && pairs.len() == self.len() && pairs.iter().all(valid)
            }
            GameKind::Infinite => self.check_infinite().is_some(),
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
    kind: GameKind,
    left: u32,
    promotions: Cursor<'a>,
    next_promotion: Option<(u64, PieceKind)>,
    steps: Cursor<'a>,
    here: Square,
    ply: u64,
}

impl MovesIter<'_> {
    /// Puts `promotions` at the list of promotions and `steps` behind it.
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
        if self.kind == GameKind::Western {
            return WesternMove::from_bits(u16::from_le_bytes(self.steps.array()?)).map(StoredMove::Western);
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
        fn western_moves_come_back(moves in proptest::collection::vec((0_u8..64, 0_u8..64, 0_usize..5), 0..40)) {
            let moves: Vec<WesternMove> = moves
                .into_iter()
                .map(|(from, to, kind)| WesternMove::new(from, to, WESTERN_PROMOTIONS[kind]).unwrap())
                .collect();
            let packed = Moves::western(moves.iter().copied());
            let mut bytes = Vec::new();
            packed.put(&mut bytes);
            let read = Moves::take(GameKind::Western, &mut Cursor::new(&bytes)).unwrap();
            let expected: Vec<StoredMove> = moves.into_iter().map(StoredMove::Western).collect();
            prop_assert_eq!(read.iter().collect::<Vec<_>>(), expected.clone());
            for (ply, step) in expected.into_iter().enumerate() {
                prop_assert_eq!(read.get(ply), Some(step.clone()));
                prop_assert_eq!(StoredMove::unpack(&step.pack()), Some(step));
            }
        }

        #[test]
        fn any_bytes_are_moves_or_refused(count in 0_u64..20, body: Vec<u8>, western: bool) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, count);
            put_bytes(&mut bytes, &body);
            let kind = if western { GameKind::Western } else { GameKind::Infinite };
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

    #[test]
    fn western_text_is_from_to_promotion() {
        assert_eq!(WesternMove::new(12, 28, None).unwrap().to_string(), "e2e4");
        assert_eq!(WesternMove::new(52, 60, Some(PieceKind::Knight)).unwrap().to_string(), "e7e8n");
        assert_eq!(WesternMove::new(64, 0, None), None);
        assert_eq!(WesternMove::new(0, 0, Some(PieceKind::Pawn)), None);
    }
}
