//! Writing and hashing positions, many times.

use std::fmt;
use std::ops::Range;

use boardprint_base::{Placed, Player, Position, Square};
use boardprint_cpn::Cph;

use crate::identity::{Identity, Marks};
use crate::rights::DeadRights;
use crate::words::{self, CELL, Words};

/// Writes positions as CPN lists and hashes them. Its buffer is reused: naming a position allocates nothing.
///
/// ```
/// use boardprint_base::Position;
/// use boardprint_bridge::Namer;
/// let mut namer = Namer::new();
/// let empty = Position::default();
/// assert_eq!(namer.cpn(&empty), b"B--0----");
/// assert_eq!(namer.cph(&empty).to_string(), "35569efaee5861cca840e7d527ecf97d7fc5788c");
/// ```
#[derive(Clone)]
pub struct Namer {
    marks: Marks,
    rights: DeadRights,
    text: Text,
}

impl Namer {
    /// Names positions by their identity: marks that nothing can use do not count.
    #[must_use]
    pub fn new() -> Self {
        Self::with_marks(Marks::Usable)
    }

    /// Names positions with the marks that should count.
    #[must_use]
    pub fn with_marks(marks: Marks) -> Self {
        Namer { marks, rights: DeadRights::default(), text: Text::new() }
    }

    /// The hash of a position.
    pub fn cph(&mut self, position: &Position) -> Cph {
        Cph::of(self.cpn(position))
    }

    /// The CPN of a position. It is ASCII.
    pub fn cpn(&mut self, position: &Position) -> &[u8] {
        let identity = Identity::of(position, self.marks, &mut self.rights);
        let pieces = position.pieces.as_slice();
        let text = &mut self.text;
        text.begin(position.turn.to_move(), pieces.len() + usize::from(identity.en_passant.is_some()));
        let mut dead = identity.dead_rights;
        if let Some(square) = identity.en_passant {
            // As given, it may share its square with a piece: then it follows it.
            let place = position.pieces.find(square).map_or_else(|free| free, |taken| taken + 1);
            text.pieces(pieces, 0..place, &mut dead);
            text.en_passant(square);
            text.pieces(pieces, place..pieces.len(), &mut dead);
        } else {
            text.pieces(pieces, 0..pieces.len(), &mut dead);
        }
        text.end_board();
        if !position.turn.is_white_and_black() {
            text.turn(position.turn.cycle());
        }
        text.as_bytes()
    }
}

impl Default for Namer {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Namer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Namer").field("marks", &self.marks).finish_non_exhaustive()
    }
}

/// A CPN being written. The buffer is longer than the text, so that words are copied whole.
#[derive(Clone)]
pub(crate) struct Text {
    words: &'static Words,
    buffer: Vec<u8>,
    len: usize,
    scratch: Vec<u8>,
}

impl Text {
    pub(crate) fn new() -> Self {
        Text { words: Words::get(), buffer: vec![0; 1024], len: 0, scratch: Vec::new() }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    fn begin(&mut self, to_move: Player, cells: usize) {
        self.clear();
        self.push(if to_move == Player::WHITE { b"B--" } else { b"t--" });
        self.push(itoa::Buffer::new().format(cells).as_bytes());
        self.push(b"--");
    }

    /// The cells of some pieces, a comma after each; rights that are dead are not written.
    pub(crate) fn pieces(&mut self, pieces: &[Placed], mut range: Range<usize>, dead: &mut &[usize]) {
        while !range.is_empty() {
            // All pieces up to the next dead right, or the one that has it.
            let (end, rights) = match **dead {
                [next, ref rest @ ..] if next == range.start => {
                    *dead = rest;
                    (next + 1, false)
                }
                [next, ..] => (next.min(range.end), true),
                [] => (range.end, true),
            };
            self.cells(&pieces[range.start..end], rights);
            range.start = end;
        }
    }

    fn cells(&mut self, mut pieces: &[Placed], rights: bool) {
        while let Some(placed) = pieces.first() {
            self.reserve(CELL);
            let (cells, bytes) = self.words.put_cells(pieces, rights, &mut self.buffer[self.len..]);
            self.len += bytes;
            if cells == 0 {
                self.any_piece(placed, placed.right && rights);
            }
            pieces = &pieces[cells.max(1)..];
        }
    }

    /// The cell of a piece that is not in the tables, and a comma.
    fn any_piece(&mut self, placed: &Placed, right: bool) {
        self.cell(|out| {
            words::write_actor(out, placed.piece, right);
            words::write_square(out, &placed.square, placed.piece.player);
        });
    }

    fn en_passant(&mut self, square: &Square) {
        self.cell(|out| {
            out.extend_from_slice(words::EN_PASSANT);
            words::write_square(out, square, Player::NEUTRAL);
        });
    }

    fn end_board(&mut self) {
        // A shape and `--` stand before the first cell, so there is always a byte; a comma ends the last cell.
        if self.buffer[self.len - 1] == b',' {
            self.len -= 1;
        }
        self.push(b"--");
    }

    fn turn(&mut self, cycle: &[Player]) {
        self.push(words::TURN);
        for Player(number) in cycle {
            self.push(b"_");
            self.push(itoa::Buffer::new().format(*number).as_bytes());
        }
    }

    /// A cell of any length, and a comma.
    fn cell(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        write(&mut scratch);
        scratch.push(b',');
        self.push(&scratch);
        self.scratch = scratch;
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.buffer[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.buffer.len() - self.len < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        self.buffer.resize((2 * self.buffer.len()).max(self.len + more), 0);
    }
}
