//! Positions that can be played.

use std::sync::LazyLock;

use boardprint_base::{Digest, Side};
use cozy_chess::{Board as Western, Color, Piece};

use crate::error::MoveError;
use crate::fen::Fen;
use crate::game::Game;
use crate::man::Man;
use crate::moves::Move;
use crate::western;

/// The usual start of Western chess.
static WESTERN_START: LazyLock<Western> = LazyLock::new(Western::default);

/// A position of one of the games, playable. Copies are cheap.
///
/// ```
/// use boardprint_finite::Board;
/// let mut board = Board::chess960(518).expect("there are 960 starts");
/// let played = board.play_san(b"Nf3")?;
/// assert_eq!(played.uci(board.game()).to_string(), "g1f3");
/// assert_eq!(board.fen().to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    inner: Inner,
    /// Half-moves without progress.
    clock: u32,
    /// Half-moves since the start of the game.
    plies: u32,
}

#[derive(Clone, Debug)]
enum Inner {
    Western(Western),
}

/// The most cells a board has.
pub const MOST_CELLS: usize = 90;

impl Board {
    /// The usual start of Western chess.
    #[must_use]
    pub fn western() -> Self {
        Board { inner: Inner::Western(WESTERN_START.clone()), clock: 0, plies: 0 }
    }

    /// A start of Chess960 by its number, below 960; 518 is the usual start.
    #[must_use]
    pub fn chess960(number: u32) -> Option<Self> {
        let start = (number < 960).then(|| Western::chess960_startpos(number))?;
        Some(Board { inner: Inner::Western(start), clock: 0, plies: 0 })
    }

    /// The Western position of a `FEN` tag: with or without counters, castling in the usual letters (X-FEN: the outermost rook) or by
    /// files. Rights without king and rook, and en passant squares without a pawn, mean nothing and are dropped.
    #[must_use]
    pub fn of_western_tag(text: &str) -> Option<Self> {
        let board = western::board_of_fen(text)?;
        let mut counters = text.split_ascii_whitespace().skip(4).map(|field| field.parse::<u32>().ok());
        let clock = counters.next().flatten().unwrap_or(0);
        let number = counters.next().flatten().unwrap_or(1).max(1);
        let plies = (number - 1).saturating_mul(2) + u32::from(board.side_to_move() == Color::Black);
        Some(Board { inner: Inner::Western(board), clock, plies })
    }

    /// The game it is of.
    #[must_use]
    pub const fn game(&self) -> Game {
        match self.inner {
            Inner::Western(_) => Game::Western,
        }
    }

    /// Who moves next.
    #[must_use]
    #[inline]
    pub fn side(&self) -> Side {
        match &self.inner {
            Inner::Western(board) if board.side_to_move() == Color::White => Side::Bottom,
            Inner::Western(_) => Side::Top,
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> Fen {
        match &self.inner {
            Inner::Western(board) => western::fen_of(board, u64::from(self.clock), u64::from(self.plies)),
        }
    }

    /// The number of the move, counted as FEN does.
    #[must_use]
    pub const fn move_number(&self) -> u32 {
        self.plies / 2 + 1
    }

    /// Half-moves without progress.
    #[must_use]
    pub const fn clock(&self) -> u32 {
        self.clock
    }

    /// Whether two positions have the same pieces, side to move, rights and en passant square; counters do not count.
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        match (&self.inner, &other.inner) {
            (Inner::Western(one), Inner::Western(two)) => one.same_position(two),
        }
    }

    /// Whether it is the usual start of its game.
    #[must_use]
    pub fn is_usual_start(&self) -> bool {
        match &self.inner {
            Inner::Western(board) => board.same_position(&WESTERN_START),
        }
    }

    /// Fills in the pieces, cell by cell in reading order, and returns how many cells the board has. Cells that are empty are left as
    /// they are.
    #[inline]
    pub fn fill_cells(&self, cells: &mut [Option<Man>; MOST_CELLS]) -> usize {
        match &self.inner {
            Inner::Western(board) => {
                for (color, side) in [(Color::White, Side::Bottom), (Color::Black, Side::Top)] {
                    for piece in Piece::ALL {
                        for square in board.colored_pieces(color, piece) {
                            cells[western::cell_of(square)] = Some(Man::new(piece as usize, side, false));
                        }
                    }
                }
            }
        }
        self.game().squares()
    }

    /// The cells of the rooks that may castle with the cells of their kings, in reading order.
    pub fn each_castling(&self, mut each: impl FnMut(usize, usize)) {
        match &self.inner {
            Inner::Western(board) => western::each_castling(board, &mut each),
        }
    }

    /// The cell of the en passant square, if a pawn of the side to move could step onto it.
    #[must_use]
    pub fn usable_en_passant(&self) -> Option<usize> {
        match &self.inner {
            Inner::Western(board) => western::usable_en_passant(board).map(western::cell_of),
        }
    }

    /// Plays a move. An illegal one is refused and leaves the board as it was.
    ///
    /// # Errors
    ///
    /// [`MoveError::Illegal`].
    pub fn play(&mut self, played: Move) -> Result<(), MoveError> {
        match &mut self.inner {
            Inner::Western(board) => {
                if !western::play(board, played) {
                    return Err(MoveError::Illegal);
                }
                let progress = board.halfmove_clock() == 0;
                self.count(progress);
            }
        }
        Ok(())
    }

    /// Plays a move that is known to be legal: one that was read from this position, or played from it before. Another move leaves a
    /// position that makes no sense.
    #[inline]
    pub fn play_known(&mut self, played: Move) {
        match &mut self.inner {
            Inner::Western(board) if played != Move::NULL => {
                let generated = western::generated(board, played);
                board.play_unchecked(generated);
                let progress = board.halfmove_clock() == 0;
                self.count(progress);
            }
            Inner::Western(_) => drop(self.play(played)),
        }
    }

    /// Reads a move in SAN and plays it.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move.
    #[inline]
    pub fn play_san(&mut self, word: &[u8]) -> Result<Move, MoveError> {
        match &mut self.inner {
            Inner::Western(board) => {
                let played = western::resolve(board, word)?;
                board.play_unchecked(played.generated);
                let progress = board.halfmove_clock() == 0;
                self.count(progress);
                Ok(played.named)
            }
        }
    }

    /// Reads a move in SAN.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move.
    pub fn read_san(&self, word: &[u8]) -> Result<Move, MoveError> {
        match &self.inner {
            Inner::Western(board) => western::resolve(board, word).map(|played| played.named),
        }
    }

    /// A move in SAN; `None` if it is illegal.
    #[must_use]
    pub fn san(&self, played: Move) -> Option<String> {
        match &self.inner {
            Inner::Western(board) => western::san(board, played),
        }
    }

    /// Appends the position as FEN without counters. Castling rights are `KQkq` if king and rooks stand as in the usual start, else the
    /// files of the rooks; an en passant square is written only if a capture is legal.
    pub fn write_identity(&self, out: &mut Vec<u8>) {
        match &self.inner {
            Inner::Western(board) => western::write_fen(board, out),
        }
    }

    #[inline]
    fn count(&mut self, progress: bool) {
        self.clock = if progress { 0 } else { self.clock.saturating_add(1) };
        self.plies = self.plies.saturating_add(1);
    }
}

/// Appends the identity text of a game: the start as [`Board::write_identity`] has it, then the moves, one space between.
pub fn write_game(start: &Board, moves: impl IntoIterator<Item = Move>, out: &mut Vec<u8>) {
    start.write_identity(out);
    for played in moves {
        out.push(b' ');
        played.write_uci(start.game(), out);
    }
}

/// The game hash: SHA-1 of the identity text.
#[must_use]
pub fn game_digest(start: &Board, moves: impl IntoIterator<Item = Move>) -> Digest {
    let mut text = Vec::with_capacity(512);
    write_game(start, moves, &mut text);
    Digest::of(&text)
}
