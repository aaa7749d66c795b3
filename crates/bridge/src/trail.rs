//! Naming every position of a game, writing only what a move changed.

use std::fmt;

use boardprint_base::replay::Played;
use boardprint_base::{PieceKind, Placed, Position, Square};
use boardprint_cpn::Cph;

use crate::identity::{Marks, can_capture_en_passant};
use crate::namer::{Namer, Text};
use crate::rights::DeadRights;

/// Names the positions of a game one after another. Gives what [`Namer`] gives, in less time.
///
/// A move changes the cells between its two squares in reading order, and nothing else unless it touches a
/// right to castle or an en passant square. Those moves are rare and are written in full.
///
/// ```
/// use boardprint_bridge::{Namer, Trail};
/// use boardprint_base::replay::Replay;
/// let game = boardprint_icn::parse("K1,1|k1,9|P3,2+|p4,4 3,2>3,4|4,4>3,3")?.game;
/// let mut replay = Replay::new(&game);
/// let mut trail = Trail::new();
/// assert_eq!(trail.start(replay.position()), Namer::new().cph(replay.position()));
/// while let Some(played) = replay.step()? {
///     assert_eq!(trail.step(replay.position(), &played), Namer::new().cph(replay.position()));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Trail {
    namer: Namer,
    rights: DeadRights,
    /// Cells that are written again.
    changed: Text,
    /// Room for side and shape, then the cells, each with a comma after it.
    text: Vec<u8>,
    /// Where each cell starts in `text`.
    starts: Vec<usize>,
    /// Whether `text` is the board of the last position, with one cell per piece.
    follows: bool,
    /// Whether the last comma of `text` has given way to the end of a CPN.
    closed: bool,
}

/// Room for `B--18446744073709551615--`.
const ROOM: usize = 32;

impl Trail {
    /// A trail that has not started. Marks that nothing can use do not count.
    #[must_use]
    pub fn new() -> Self {
        Trail {
            namer: Namer::with_marks(Marks::Usable),
            rights: DeadRights::default(),
            changed: Text::new(),
            text: Vec::new(),
            starts: Vec::new(),
            follows: false,
            closed: false,
        }
    }

    /// The hash of the position that a game starts with.
    pub fn start(&mut self, position: &Position) -> Cph {
        Cph::of(self.start_cpn(position))
    }

    /// The hash of the position that a move led to. The moves must follow each other without a gap.
    pub fn step(&mut self, position: &Position, played: &Played) -> Cph {
        Cph::of(self.step_cpn(position, played))
    }

    /// The CPN of the position that a game starts with. It is ASCII.
    pub fn start_cpn(&mut self, position: &Position) -> &[u8] {
        self.closed = false;
        let cpn = self.namer.cpn(position);
        let has_en_passant =
            position.en_passant.as_ref().is_some_and(|square| can_capture_en_passant(position, square));
        self.follows = !has_en_passant && position.turn.is_white_and_black() && !position.pieces.is_empty();
        if self.follows {
            let mut signs = memchr::memchr_iter(b'-', &cpn[3..]);
            let end = signs.find(|end| cpn.get(end + 4) == Some(&b'-'));
            let board = end.map_or(cpn.len(), |end| end + 5);
            self.text.resize(ROOM, 0);
            self.text.extend_from_slice(&cpn[board..cpn.len() - 2]);
            self.text.push(b',');
            self.starts.clear();
            self.starts.push(ROOM);
            self.starts.extend(memchr::memchr_iter(b',', &self.text[ROOM..]).map(|comma| ROOM + comma + 1));
            self.starts.pop();
        }
        cpn
    }

    /// The CPN of the position that a move led to. The moves must follow each other without a gap.
    pub fn step_cpn(&mut self, position: &Position, played: &Played) -> &[u8] {
        let en_passant =
            position.en_passant.as_ref().is_some_and(|square| can_capture_en_passant(position, square));
        if !self.follows || en_passant || touches_castling(played) {
            return self.start_cpn(position);
        }
        self.reopen();
        let captured = played.captured().map(|captured| &captured.square);
        self.rewrite(position, [Some(played.from()), Some(played.to()), captured]);
        self.close(position)
    }

    /// Writes the cells between the touched squares again.
    fn rewrite(&mut self, position: &Position, touched: [Option<&Square>; 3]) {
        let pieces = position.pieces.as_slice();
        let (mut first, mut end) = (pieces.len(), 0);
        for square in touched.into_iter().flatten() {
            let (at, after) =
                position.pieces.find(square).map_or_else(|free| (free, free), |at| (at, at + 1));
            (first, end) = (first.min(at), end.max(after));
        }
        let dead = self.rights.find(pieces);
        let mut dead = &dead[dead.partition_point(|index| *index < first)..];
        self.changed.clear();
        self.changed.pieces(pieces, first..end, &mut dead);

        let old_end = self.starts.len() + end - pieces.len();
        let from = self.starts.get(first).copied().unwrap_or(self.text.len());
        let to = self.starts.get(old_end).copied().unwrap_or(self.text.len());
        let bytes = self.changed.as_bytes();
        let grown = from + bytes.len();
        replace(&mut self.text, from, to, bytes);
        for start in &mut self.starts[old_end..] {
            *start = *start - to + grown;
        }
        let fresh =
            std::iter::once(from).chain(memchr::memchr_iter(b',', bytes).map(|comma| from + comma + 1));
        self.starts.splice(first..old_end, fresh.take(end - first));
    }

    /// Puts side and shape before the cells, and the end of the board after them.
    fn close(&mut self, position: &Position) -> &[u8] {
        let mut count = itoa::Buffer::new();
        let count = count.format(self.starts.len()).as_bytes();
        let start = ROOM - count.len() - 5;
        self.text[start] =
            if position.turn.to_move() == boardprint_base::Player::WHITE { b'B' } else { b't' };
        self.text[start + 1..start + 3].copy_from_slice(b"--");
        self.text[start + 3..ROOM - 2].copy_from_slice(count);
        self.text[ROOM - 2..ROOM].copy_from_slice(b"--");
        // The last comma gives way to the end of the board until the next move.
        let last = self.text.len() - 1;
        self.text[last] = b'-';
        self.text.push(b'-');
        self.closed = true;
        &self.text[start..]
    }

    /// Takes the end of the board away.
    fn reopen(&mut self) {
        if std::mem::take(&mut self.closed) {
            self.text.pop();
            let last = self.text.len() - 1;
            self.text[last] = b',';
        }
    }
}

impl Default for Trail {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trail").field("follows", &self.follows).finish_non_exhaustive()
    }
}

/// Whether a move may change what a right to castle is worth.
fn touches_castling(played: &Played) -> bool {
    let is_castler = |placed: &Placed| placed.right && placed.piece.kind != PieceKind::Pawn;
    played.castling().is_some()
        || played.had_right() && played.piece().kind != PieceKind::Pawn
        || played.captured().is_some_and(is_castler)
}

/// Puts `bytes` where `text[from..to]` was.
fn replace(text: &mut Vec<u8>, from: usize, to: usize, bytes: &[u8]) {
    let old_len = text.len();
    let new_len = old_len - (to - from) + bytes.len();
    if new_len > old_len {
        text.resize(new_len, 0);
    }
    text.copy_within(to..old_len, from + bytes.len());
    text.truncate(new_len);
    text[from..from + bytes.len()].copy_from_slice(bytes);
}
