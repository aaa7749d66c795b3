//! Positions that can be played.

use std::sync::LazyLock;

use boardprint_base::{Digest, Side};
use cozy_chess::{Board as Western, Color, Piece};

use boardprint_base::Condition;

use crate::ends::Conclusion;
use crate::error::{Illegal, MoveError, Unplayable};
use crate::fen::Fen;
use crate::game::Game;
use crate::mailbox::{self, Mailbox};
use crate::man::Man;
use crate::moves::Move;
use crate::western;

/// A position of one of the games, playable. Copies are cheap.
///
/// ```
/// use boardprint_finite::{Board, Game, Illegal, Notation};
/// let mut board = Board::start(Game::Xiangqi);
/// assert_eq!(board.legal_moves().len(), 44);
/// let cannon = board.read(Notation::Ucci, "h2e2")?;
/// assert_eq!(cannon.uci(Game::Xiangqi).to_string(), "h3e3");
/// board.play(cannon).expect("a legal move");
/// assert_eq!(board.judge(cannon), Err(Illegal::NoPiece));
/// assert!(board.end().is_none());
/// # Ok::<(), boardprint_finite::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    pub(crate) inner: Inner,
    /// Half-moves without progress.
    clock: u32,
    /// Half-moves since the start of the game.
    plies: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Inner {
    Western(Western),
    Other(Mailbox),
}

/// The most cells a board has.
pub const MOST_CELLS: usize = 90;

/// The usual starts.
static STARTS: LazyLock<[Board; Game::ALL.len()]> = LazyLock::new(|| {
    Game::ALL.map(|game| {
        let fen = Fen::read(game, game.start()).expect("the usual start is a FEN");
        Board::from_fen(&fen).expect("the usual start is playable")
    })
});

/// The usual start of Western chess on its own: most collections need no other, and the tables of the other
/// games cost milliseconds.
static WESTERN_START: LazyLock<Western> = LazyLock::new(Western::default);

/// [`Board::write_identity`] of the usual start of Western chess.
const WESTERN_IDENTITY: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Making boards.
impl Board {
    /// The usual start of a game.
    #[must_use]
    pub fn start(game: Game) -> Self {
        if game == Game::Western {
            return Board { inner: Inner::Western(WESTERN_START.clone()), clock: 0, plies: 0 };
        }
        STARTS[usize::from(game.code()) - 1].clone()
    }

    /// A start of Chess960 by its number, below 960; 518 is the usual start.
    #[must_use]
    pub fn chess960(number: u32) -> Option<Self> {
        let start = (number < 960).then(|| Western::chess960_startpos(number))?;
        Some(Board { inner: Inner::Western(start), clock: 0, plies: 0 })
    }

    /// The position of a FEN. Western chess needs what every game can reach: a king for each side, nobody in
    /// check who is not to move. The other games take problems as they are, even without a king, but not with
    /// two for one side.
    ///
    /// # Errors
    ///
    /// [`Unplayable`].
    pub fn from_fen(fen: &Fen) -> Result<Self, Unplayable> {
        let inner = match fen.game() {
            Game::Western => Inner::Western(western::board_of_parts(fen)?),
            _ => Inner::Other(Mailbox::from_fen(fen)?),
        };
        let counter = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(Board { inner, clock: counter(fen.clock()), plies: counter(fen.plies()) })
    }

    /// The Western position of a `FEN` tag: with or without counters, castling in the usual letters (X-FEN:
    /// the outermost rook) or by files. Rights without king and rook, and en passant squares without a pawn,
    /// mean nothing and are dropped.
    #[must_use]
    pub fn of_western_tag(text: &str) -> Option<Self> {
        let board = western::board_of_fen(text)?;
        let mut counters = text.split_ascii_whitespace().skip(4).map(|field| field.parse::<u32>().ok());
        let clock = counters.next().flatten().unwrap_or(0);
        let number = counters.next().flatten().unwrap_or(1).max(1);
        let plies =
            (number - 1).saturating_mul(2).saturating_add(u32::from(board.side_to_move() == Color::Black));
        Some(Board { inner: Inner::Western(board), clock, plies })
    }
}

/// Looking at boards.
impl Board {
    /// The game it is of.
    #[must_use]
    #[inline]
    pub const fn game(&self) -> Game {
        match &self.inner {
            Inner::Western(_) => Game::Western,
            Inner::Other(board) => board.game(),
        }
    }

    /// Who moves next.
    #[must_use]
    #[inline]
    pub fn side(&self) -> Side {
        match &self.inner {
            Inner::Western(board) if board.side_to_move() == Color::White => Side::Bottom,
            Inner::Western(_) => Side::Top,
            Inner::Other(board) => board.side(),
        }
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> Fen {
        let (clock, plies) = (u64::from(self.clock), u64::from(self.plies));
        match &self.inner {
            Inner::Western(board) => western::fen_of(board, clock, plies),
            Inner::Other(board) => {
                let mut fen = board.to_fen();
                fen.set_counters(clock, plies);
                fen.set_limit(board.limit());
                fen
            }
        }
    }

    /// The number of the move, counted as FEN does.
    #[must_use]
    pub const fn move_number(&self) -> u32 {
        self.plies / 2 + 1
    }

    /// Half-moves without progress: in Western chess and Makruk pawn moves and captures, in Xiangqi and
    /// Janggi captures, in Shogi captures, drops and promotions. Where a FEN of Makruk has begun a count up to
    /// a limit it is that count, which goes on through captures.
    #[must_use]
    pub const fn clock(&self) -> u32 {
        self.clock
    }

    /// Half-moves since the start of the game.
    #[must_use]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// The piece on a square, numbered from `a1` rank by rank upwards.
    #[must_use]
    pub fn man(&self, square: usize) -> Option<Man> {
        match &self.inner {
            Inner::Western(board) => western::man(board, square),
            Inner::Other(board) => (square < self.game().squares()).then(|| board.man(square)).flatten(),
        }
    }

    /// How many of each kind a side has in hand, by the place of the kind in [`Game::kinds`].
    #[must_use]
    pub const fn hand(&self, side: Side) -> &[u16; 8] {
        match &self.inner {
            Inner::Western(_) => &[0; 8],
            Inner::Other(board) => board.hand(side),
        }
    }

    /// Whether two positions have the same pieces, side to move, rights and en passant square; counters do
    /// not count.
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        match (&self.inner, &other.inner) {
            (Inner::Western(one), Inner::Western(two)) => western::same_position(one, two),
            (Inner::Other(one), Inner::Other(two)) => one.same_position(two),
            _ => false,
        }
    }

    /// Whether it is the usual start of its game.
    #[must_use]
    pub fn is_usual_start(&self) -> bool {
        if let Inner::Western(board) = &self.inner {
            return western::same_position(board, &WESTERN_START);
        }
        self.same_position(&STARTS[usize::from(self.game().code()) - 1])
    }

    /// Fills in the pieces, cell by cell in reading order, and returns how many cells the board has. The
    /// cells given must be empty.
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
            Inner::Other(board) => board.fill_cells(cells),
        }
        self.game().squares()
    }

    /// Calls a function with the cells, in reading order, of every rook that may castle and of its king.
    pub fn each_castling(&self, mut each: impl FnMut(usize, usize)) {
        if let Inner::Western(board) = &self.inner {
            western::each_castling(board, &mut each);
        }
    }

    /// The cell of the en passant square, if a pawn of the side to move could step onto it.
    #[must_use]
    pub fn usable_en_passant(&self) -> Option<usize> {
        match &self.inner {
            Inner::Western(board) => western::usable_en_passant(board).map(western::cell_of),
            Inner::Other(_) => None,
        }
    }

    /// Appends the position as FEN without counters; in games other than Western chess after the name of the
    /// game and a space.
    ///
    /// In Western chess, castling rights are `KQkq` if king and rooks stand as in the usual start, else the
    /// files of the rooks; an en passant square is written only if a capture is legal.
    pub fn write_identity(&self, out: &mut Vec<u8>) {
        match &self.inner {
            // Nearly every game starts so.
            Inner::Western(board) if *board == *WESTERN_START => out.extend_from_slice(WESTERN_IDENTITY),
            Inner::Western(board) => western::write_fen(board, out),
            Inner::Other(board) => {
                out.extend_from_slice(board.game().name().as_bytes());
                out.push(b' ');
                let fen = board.to_fen().to_string();
                // Board with hand, side, and two fields that are always `-`.
                let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(at, _)| at);
                out.extend_from_slice(&fen.as_bytes()[..end]);
            }
        }
    }
}

/// Moves and ends.
impl Board {
    /// Calls a function with every legal move until it returns `false`.
    pub fn each_legal_move(&self, mut each: impl FnMut(Move) -> bool) {
        match &self.inner {
            Inner::Western(board) => western::each_legal(board, &mut each),
            Inner::Other(board) => board.each_legal(&mut each),
        }
    }

    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.each_legal_move(|played| {
            moves.push(played);
            true
        });
        moves
    }

    /// Whether a move is legal, and if not, why. A turn without a move is allowed in Western chess unless the
    /// king is in check.
    ///
    /// # Errors
    ///
    /// [`Illegal`], the reason.
    #[inline]
    pub fn judge(&self, played: Move) -> Result<(), Illegal> {
        match &self.inner {
            Inner::Western(board) if western::is_legal(board, played) => Ok(()),
            Inner::Western(_) => Err(mailbox::explain_western(&self.fen(), played)),
            Inner::Other(board) => board.judge(played),
        }
    }

    /// Plays a move. An illegal one is refused and leaves the board as it was.
    ///
    /// # Errors
    ///
    /// [`Illegal`], the reason.
    #[inline]
    pub fn play(&mut self, played: Move) -> Result<(), Illegal> {
        self.judge(played)?;
        self.play_known(played);
        Ok(())
    }

    /// Plays a move that is known to be legal: one that was read from this position, or played from it
    /// before. Another move leaves a position that makes no sense.
    ///
    /// # Panics
    ///
    /// In Western chess an illegal move may panic. Moves from elsewhere are for [`Board::play`].
    #[inline]
    pub fn play_known(&mut self, played: Move) {
        let progress = match &mut self.inner {
            Inner::Western(board) if played == Move::NULL => {
                western::play(board, played);
                board.halfmove_clock() == 0
            }
            Inner::Western(board) => {
                let generated = western::generated(board, played);
                board.play_unchecked(generated);
                board.halfmove_clock() == 0
            }
            Inner::Other(board) => {
                let again = board.make(played);
                self.clock = again.unwrap_or_else(|| self.clock.saturating_add(1));
                self.plies = self.plies.saturating_add(1);
                return;
            }
        };
        self.count(progress);
    }

    #[inline]
    pub(crate) fn count(&mut self, progress: bool) {
        self.clock = if progress { 0 } else { self.clock.saturating_add(1) };
        self.plies = self.plies.saturating_add(1);
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        match &self.inner {
            Inner::Western(board) => !board.checkers().is_empty(),
            Inner::Other(board) => board.in_check(board.side()),
        }
    }

    /// How the game is over in this position, if it is: by mate, stalemate, or because nobody can win. What
    /// came before is not looked at: see [`History`](crate::History).
    #[must_use]
    pub fn end(&self) -> Option<Conclusion> {
        let mut any = false;
        self.each_legal_move(|_| {
            any = true;
            false
        });
        if any {
            let dead = matches!(&self.inner, Inner::Western(board) if western::is_dead(board));
            return dead.then_some(Conclusion::draw(Condition::InsufficientMaterial));
        }
        let winner = self.side().opponent();
        Some(match (self.is_check(), self.game()) {
            (true, _) => Conclusion::win(winner, Condition::Checkmate),
            (false, Game::Western | Game::Makruk) => Conclusion::draw(Condition::Stalemate),
            (false, _) => Conclusion::win(winner, Condition::Stalemate),
        })
    }

    /// Whether the way to the next position was a pass of Janggi while the generals faced each other.
    pub(crate) fn passed_while_facing(&self, next: &Board) -> bool {
        match (&self.inner, &next.inner) {
            (Inner::Other(before), Inner::Other(after)) => before.facing() && before.has_pieces_of(after),
            _ => false,
        }
    }
}

/// Appends the identity text of a game: the start as [`Board::write_identity`] has it, then the moves as UCI,
/// one space between.
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

/// SAN, the fast way.
impl Board {
    /// Reads a move of Western chess in SAN and plays it, as [`Board::read`] and [`Board::play`] would, in
    /// one go; of other games too.
    ///
    /// # Errors
    ///
    /// [`MoveError`] if it is not a legal move.
    #[inline]
    pub fn play_san(&mut self, word: &[u8]) -> Result<Move, MoveError> {
        if let Inner::Western(board) = &mut self.inner {
            let played = western::resolve(board, word)?;
            if played.named == Move::NULL {
                western::play(board, Move::NULL);
            } else {
                board.play_unchecked(played.generated);
            }
            let progress = board.halfmove_clock() == 0;
            self.count(progress);
            return Ok(played.named);
        }
        let played = self.read_san(word)?;
        self.play_known(played);
        Ok(played)
    }
}
