//! Naming every position of a finite game, writing only what a move changed.

use boardprint_base::{Digest, DigestBatch, DigestChain, Side};
use boardprint_cpn::Cph;
use boardprint_finite::{Action, Board, Game, MOST_CELLS, Man, Move};

use crate::board_namer::{cells, push_hands, write_head};

/// Names the positions of a game one after another, without rights. Gives what
/// [`BoardNamer`](crate::BoardNamer) gives, in less time.
///
/// It follows the moves by itself: what a move does to the cells needs no rules. They must be legal, which is
/// for others to know; after another move the names mean nothing.
///
/// ```
/// use boardprint_bridge::{BoardNamer, BoardTrail};
/// use boardprint_finite::{Board, Game, Notation};
/// let mut board = Board::start(Game::Western);
/// let mut trail = BoardTrail::new();
/// trail.start(&board);
/// for word in ["e2e4", "g8f6"] {
///     let played = board.read(Notation::Uci, word)?;
///     board.play_known(played);
///     trail.step(played);
///     assert_eq!(trail.cph(), BoardNamer::new(false).cph(&board));
/// }
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardTrail {
    game: Game,
    side: Side,
    /// The codes of the cells in reading order, as [`Man::byte_of`] has them.
    codes: [u8; MOST_CELLS],
    /// Where the text of each cell starts; after the cells, where the board ends.
    starts: [u16; MOST_CELLS + 1],
    /// The pieces in hand of each side, by kind.
    hands: [[u16; 8]; 2],
    text: Vec<u8>,
    /// Where the name ends.
    end: usize,
    /// The end after which stands what SHA-1 adds; 0 if it does not. Most moves leave it in its place.
    padded: usize,
    /// One for each side to move: the side is the first byte of a name.
    chains: [DigestChain; 2],
}

/// Bits of the codes.
const SIDE: u8 = 16;
const PROMOTED: u8 = 8;
const KIND: u8 = 7;
/// Places of kinds in Western chess.
const PAWN: u8 = 0;
const KING: u8 = 5;

impl BoardTrail {
    /// A trail that has not started.
    #[must_use]
    pub fn new() -> Self {
        BoardTrail {
            game: Game::Western,
            side: Side::Bottom,
            codes: [0; MOST_CELLS],
            starts: [0; MOST_CELLS + 1],
            hands: [[0; 8]; 2],
            text: Vec::new(),
            end: 0,
            padded: 0,
            chains: [DigestChain::new(), DigestChain::new()],
        }
    }

    /// Starts a game.
    pub fn start(&mut self, board: &Board) {
        let mut men = [None; MOST_CELLS];
        let squares = board.fill_cells(&mut men);
        self.codes = men.map(Man::byte_of);
        (self.game, self.side) = (board.game(), board.side());
        self.hands = Side::ALL.map(|side| *board.hand(side));
        // Room for eight bytes for each cell, which most do not fill, and for what SHA-1 adds.
        self.text.resize(16 + MOST_CELLS * 8 + DigestChain::ROOM, 0);
        let mut len = write_head(self.game, self.side, &mut self.text);
        let table = cells(self.game);
        for (code, start) in self.codes[..squares].iter().zip(&mut self.starts) {
            let (text, length) = &table[usize::from(*code)];
            self.text[len..len + 8].copy_from_slice(text);
            *start = place(len);
            len += usize::from(*length);
        }
        // The comma of the last cell gives way.
        self.text[len - 1..=len].copy_from_slice(b"--");
        self.starts[squares] = place(len + 1);
        self.padded = 0;
        self.changed(0);
        self.close();
    }

    /// Follows a move.
    pub fn step(&mut self, played: Move) {
        let (game, mover) = (self.game, self.side);
        self.side = mover.opponent();
        // Long before it is hashed: a processor waits for a byte that it wrote just now and reads with others.
        self.text[0] = if self.side == Side::Bottom { b'B' } else { b't' };
        match played.action(game) {
            Action::Go { from, to, promotion } => {
                let (from, to) = (self.cell_of(from), self.cell_of(to));
                match game {
                    Game::Western => self.go_western(from, to, promotion),
                    _ => self.go(from, to, promotion),
                }
            }
            Action::Drop { kind, to } => {
                let hand = &mut self.hands[mover as usize][kind & usize::from(KIND)];
                *hand = hand.saturating_sub(1);
                self.put(self.cell_of(to), Man::byte_of(Some(Man::new(kind, mover, false))));
            }
            // A pass, or a turn without a move.
            _ => {}
        }
        self.close();
    }

    /// The CPN of the position. It is ASCII.
    #[inline]
    #[must_use]
    pub fn cpn(&self) -> &[u8] {
        &self.text[..self.end]
    }

    /// The hash of the position.
    #[inline]
    pub fn digest(&mut self) -> Digest {
        self.pad();
        self.chains[self.side as usize].digest_padded(&self.text, self.end)
    }

    /// Has the position hashed with others.
    #[inline]
    pub fn add_to(&mut self, batch: &mut DigestBatch) {
        self.pad();
        batch.push_padded(&self.text, self.end);
    }

    #[inline]
    fn pad(&mut self) {
        if self.padded != self.end {
            DigestChain::pad(&mut self.text, self.end);
            self.padded = self.end;
        }
    }

    /// The hash of the position.
    pub fn cph(&mut self) -> Cph {
        Cph::from(self.digest())
    }

    /// The cell of a square numbered from `a1` upwards.
    #[inline]
    fn cell_of(&self, square: usize) -> usize {
        let (rank, file) = (square / self.game.files(), square % self.game.files());
        (self.game.ranks() - 1 - rank) * self.game.files() + file
    }

    /// A move in games other than Western chess.
    fn go(&mut self, from: usize, to: usize, promotion: Option<usize>) {
        let (mut code, taken) = (self.codes[from], self.codes[to]);
        match promotion {
            Some(_) if self.game == Game::Shogi => code |= PROMOTED,
            Some(kind) => code = code & !KIND | kind_bits(kind),
            None => {}
        }
        if self.game == Game::Shogi && taken != 0 {
            let hand = &mut self.hands[self.side.opponent() as usize][usize::from(taken & KIND)];
            *hand = hand.saturating_add(1);
        }
        self.carry(from, to, code);
    }

    /// A move in Western chess. [`Move`] says how castling is named.
    fn go_western(&mut self, from: usize, to: usize, promotion: Option<usize>) {
        let (mut code, taken) = (self.codes[from], self.codes[to]);
        let onto_own = taken != 0 && (taken ^ code) & SIDE == 0;
        if code & KIND == KING && (onto_own || from.abs_diff(to) == 2) {
            let (row, short) = (from & !7, from < to);
            let rook = match (onto_own, short) {
                (true, _) => to,
                (false, true) => row + 7,
                (false, false) => row,
            };
            let (king_to, rook_to) = if short { (row + 6, row + 5) } else { (row + 2, row + 3) };
            let rook_code = self.codes[rook];
            self.put(from, 0);
            self.put(rook, 0);
            self.put(king_to, code);
            return self.put(rook_to, rook_code);
        }
        if code & KIND == PAWN && taken == 0 && from & 7 != to & 7 {
            // En passant: the pawn stands beside where the other came from.
            self.put(from & !7 | to & 7, 0);
        }
        if let Some(kind) = promotion {
            code = code & !KIND | kind_bits(kind);
        }
        self.carry(from, to, code);
    }

    /// Empties a cell and writes a piece into another. If that one was empty, only what stands between the
    /// two moves.
    #[inline]
    fn carry(&mut self, from: usize, to: usize, code: u8) {
        let lengths = cells(self.game);
        let length = lengths[usize::from(code)].1 - 1;
        if self.codes[to] != 0 || length != lengths[usize::from(self.codes[from])].1 - 1 {
            self.put(to, code);
            return self.put(from, 0);
        }
        let (start, end) = (usize::from(self.starts[from]), usize::from(self.starts[to]));
        let (bytes, length) = (usize::from(length), u16::from(length));
        if from < to {
            self.text.copy_within(start + bytes..end, start);
            self.starts[from + 1..=to].iter_mut().for_each(|start| *start -= length);
        } else {
            self.text.copy_within(end..start, end + bytes);
            self.starts[to + 1..=from].iter_mut().for_each(|start| *start += length);
        }
        self.codes[from] = 0;
        self.codes[to] = code;
        self.write(usize::from(self.starts[to]), code);
        self.changed(start.min(end));
    }

    /// Writes a cell without its comma over what stands there. A whole word is read and written: there is
    /// room after the board.
    #[inline]
    fn write(&mut self, at: usize, code: u8) {
        let (text, length) = cells(self.game)[usize::from(code)];
        let mask = (1_u64 << (8 * (length - 1))) - 1;
        if let Some(word) = self.text[at..].first_chunk_mut::<8>() {
            let kept = u64::from_le_bytes(*word) & !mask;
            *word = (kept | u64::from_le_bytes(text) & mask).to_le_bytes();
        }
    }

    /// Writes a cell, and moves what comes after it on the board.
    #[inline]
    fn put(&mut self, cell: usize, code: u8) {
        let table = cells(self.game);
        // A cell is written without its comma.
        let length_of = |code: u8| table[usize::from(code)].1 - 1;
        let (start, squares) = (usize::from(self.starts[cell]), self.game.squares());
        let (old, new) = (length_of(self.codes[cell]), length_of(code));
        self.codes[cell] = code;
        let (old_end, new_end) = (start + usize::from(old), start + usize::from(new));
        if old != new {
            self.padded = 0;
            self.text.copy_within(old_end..usize::from(self.starts[squares]), new_end);
            for later in &mut self.starts[cell + 1..=squares] {
                *later = *later + u16::from(new) - u16::from(old);
            }
        }
        self.write(start, code);
        self.changed(start);
    }

    #[inline]
    fn changed(&mut self, byte: usize) {
        self.chains.iter_mut().for_each(|chain| chain.changed_from(byte));
    }

    /// Ends the name after the board; in Shogi the pieces in hand come next.
    #[inline]
    fn close(&mut self) {
        self.end = usize::from(self.starts[self.game.squares()]);
        if self.game == Game::Shogi {
            self.padded = 0;
            self.end = push_hands(self.hands.each_ref(), self.end, &mut self.text);
            // Hands may be as full as the moves say, whatever these are.
            if self.text.len() < self.end + DigestChain::ROOM {
                self.text.resize(self.end + DigestChain::ROOM, 0);
            }
        }
    }
}

impl Default for BoardTrail {
    fn default() -> Self {
        Self::new()
    }
}

fn place(at: usize) -> u16 {
    u16::try_from(at).expect("a board has at most 90 cells of eight bytes")
}

fn kind_bits(kind: usize) -> u8 {
    u8::try_from(kind).unwrap_or(0) & KIND
}
