//! Reading FEN and SFEN.

use boardprint_base::{Side, Span, SyntaxError, SyntaxErrorKind};

use super::error::{FenError, FenErrorKind, Part};
use super::{Fen, RIGHT, fresh_plies};
use crate::game::Game;
use crate::man::Man;

/// The most of one kind in hand.
const MAX_IN_HAND: usize = 999;

/// The largest number of a FEN: nine digits.
const MAX_NUMBER: u64 = 999_999_999;
/// The largest move number of an SFEN, which counts half-moves: that of the largest FEN.
const MAX_HALF_MOVES: u64 = 2 * MAX_NUMBER;

impl Fen {
    /// Reads a FEN. Of Shogi it has the hand in brackets behind the board, and `w` is the first player.
    ///
    /// # Errors
    ///
    /// [`FenError`] with the rank or field and the bytes that are wrong.
    pub fn read(game: Game, text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text);
        let mut board = fields.next(Part::Board, "a board")?;
        let mut fen = Fen::empty(game);
        if game == Game::Shogi {
            let (squares, hand) = split_hand(board)?;
            fen.read_bracketed_hand(hand)?;
            board = squares;
        }
        fen.read_board(board)?;
        let turn = fields.next(Part::Turn, "whose turn it is")?;
        fen.side = match turn.text {
            "w" => Side::Bottom,
            "b" => Side::Top,
            "r" if game == Game::Xiangqi => Side::Bottom,
            _ => {
                return Err(turn.broken(
                    Part::Turn,
                    "neither `w` nor `b`",
                    "`w` is the first player, `b` the second",
                ));
            }
        };
        fen.plies = fresh_plies(fen.side);
        // Fairy-Stockfish's start of Shogi has counters right behind the turn.
        let counters_only = game == Game::Shogi && fields.peek().is_some_and(|field| field != "-");
        if !counters_only && (game == Game::Western || fields.peek().is_some()) {
            fen.read_castling(fields.next(Part::Castling, "castling rights or `-`")?)?;
            fen.read_en_passant(fields.next(Part::EnPassant, "an en passant square or `-`")?)?;
        }
        if fields.peek().is_some() {
            let clock = fields.next(Part::Clock, "half-moves")?;
            fen.clock = clock.number(Part::Clock)?;
            let number = fields.next(Part::MoveNumber, "a move number")?.counting_number(MAX_NUMBER)?;
            fen.plies = 2 * (number - 1) + fresh_plies(fen.side);
        }
        fields.end().map(|()| fen)
    }

    /// Reads an SFEN of Shogi: board, turn (`b` is the first player), hand, and perhaps the number of the move.
    ///
    /// # Errors
    ///
    /// [`FenError`] with the rank or field and the bytes that are wrong.
    pub fn read_sfen(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields::new(text);
        let mut fen = Fen::empty(Game::Shogi);
        fen.read_board(fields.next(Part::Board, "a board")?)?;
        let turn = fields.next(Part::Turn, "whose turn it is")?;
        fen.side = match turn.text {
            "b" => Side::Bottom,
            "w" => Side::Top,
            _ => {
                return Err(turn.broken(
                    Part::Turn,
                    "neither `b` nor `w`",
                    "`b` is the first player, `w` the second",
                ));
            }
        };
        fen.read_counted_hand(fields.next(Part::Hand, "pieces in hand or `-`")?)?;
        fen.plies = match fields.peek() {
            Some(_) => fields.next(Part::MoveNumber, "a move number")?.counting_number(MAX_HALF_MOVES)? - 1,
            None => fresh_plies(fen.side),
        };
        fields.end().map(|()| fen)
    }

    fn read_board(&mut self, field: Piece<'_>) -> Result<(), FenError> {
        let (ranks, files) = (self.game.ranks(), self.game.files());
        let found = field.text.split('/').count();
        if found != ranks {
            let kind = FenErrorKind::Ranks { found, wanted: ranks };
            return Err(FenError::new(Part::Board, kind, field.span()));
        }
        let mut start = field.start;
        for (index, text) in field.text.split('/').enumerate() {
            let rank = Piece { text, start };
            let squares = &mut self.board[index * files..][..files];
            read_rank(self.game, rank, Part::Rank(index + 1), squares)?;
            start += text.len() + 1;
        }
        Ok(())
    }

    fn read_bracketed_hand(&mut self, field: Piece<'_>) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        for letter in field.letters() {
            self.add_letter_to_hand(letter, 1)?;
        }
        Ok(())
    }

    fn read_counted_hand(&mut self, field: Piece<'_>) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        let mut rest = field;
        while !rest.text.is_empty() {
            let digits = rest.text.bytes().take_while(u8::is_ascii_digit).count();
            let (count, letters) = rest.split_at(digits);
            let number = if digits == 0 { 1 } else { count.hand_count()? };
            let Some(letter) = letters.letters().next() else {
                return Err(letters.expected(Part::Hand, "a piece behind its count"));
            };
            rest = letters.split_at(letter.text.len()).1;
            self.add_letter_to_hand(letter, number)?;
        }
        Ok(())
    }

    fn add_letter_to_hand(&mut self, letter: Piece<'_>, count: usize) -> Result<(), FenError> {
        let (kind, side) = read_letter(self.game, letter, Part::Hand)?;
        if self.game.kinds()[kind].is_royal() {
            return Err(letter.broken(Part::Hand, "a king is never in hand", "leave it out"));
        }
        let held = &mut self.hands[side as usize][kind];
        *held += count;
        if *held > MAX_IN_HAND {
            let kind = SyntaxErrorKind::TooMuch { what: "pieces of one kind in hand", limit: MAX_IN_HAND };
            return Err(letter.error(Part::Hand, kind));
        }
        Ok(())
    }

    fn read_castling(&mut self, field: Piece<'_>) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        if self.game != Game::Western {
            return Err(field.broken(Part::Castling, "this game has no castling", "write `-`"));
        }
        for letter in field.letters() {
            let byte = letter.text.as_bytes()[0];
            let side = if byte.is_ascii_uppercase() { Side::Bottom } else { Side::Top };
            let unbacked = || {
                let hint = "a king and that rook must stand on the back rank";
                letter.broken(Part::Castling, "a castling right without king and rook", hint)
            };
            let king = self.castling_king(side);
            let (rook, wing) = match byte.to_ascii_lowercase() {
                b'k' => (king.and_then(|king| self.outermost_rook(side, king, RIGHT)), RIGHT),
                b'q' => (king.and_then(|king| self.outermost_rook(side, king, 1 - RIGHT)), 1 - RIGHT),
                file @ b'a'..=b'h' => {
                    let cell = self.back_rank(side).start + usize::from(file - b'a');
                    let rook = Some(cell).filter(|cell| self.is_own(*cell, side, false, b'r'));
                    (rook, if king.is_some_and(|king| cell > king) { RIGHT } else { 1 - RIGHT })
                }
                _ => return Err(letter.expected(Part::Castling, "one of `KQkq` or the file of a rook")),
            };
            let (Some(rook), Some(_)) = (rook, king) else { return Err(unbacked()) };
            let right = &mut self.castling.0[side as usize][wing];
            if right.replace(rook).is_some() {
                let hint = "one right for each side of a king";
                return Err(letter.broken(Part::Castling, "castling right given twice", hint));
            }
        }
        if field.text.is_empty() {
            Err(field.expected(Part::Castling, "castling rights or `-`"))
        } else {
            Ok(())
        }
    }

    fn read_en_passant(&mut self, field: Piece<'_>) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        let part = Part::EnPassant;
        match self.game {
            Game::Western => {
                let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = field.text.as_bytes() else {
                    return Err(field.broken(part, "not a square", "write a square such as `e3`, or `-`"));
                };
                let cell = usize::from(b'8' - rank) * self.game.files() + usize::from(file - b'a');
                if let Some((rule, hint)) = self.en_passant_fault(cell) {
                    return Err(field.broken(part, rule, hint));
                }
                self.en_passant = Some(cell);
            }
            Game::Makruk => self.counting = Some(field.number(part)?),
            Game::Shogi | Game::Xiangqi | Game::Janggi => {
                return Err(field.broken(part, "this game has no en passant", "write `-`"));
            }
        }
        Ok(())
    }
}

/// Fills the squares of a rank.
fn read_rank(game: Game, rank: Piece<'_>, part: Part, squares: &mut [Option<Man>]) -> Result<(), FenError> {
    let mut file = 0;
    let mut letters = rank.letters();
    let mut after_run = false;
    while let Some(letter) = letters.next() {
        let byte = letter.text.as_bytes()[0];
        if byte.is_ascii_digit() {
            if byte == b'0' {
                return Err(letter.broken(part, "a run of empty squares begins with 0", "leave the 0 out"));
            }
            if after_run {
                return Err(letter.broken(part, "two runs of empty squares side by side", "write their sum"));
            }
            file += usize::from(byte - b'0');
            after_run = true;
            continue;
        }
        after_run = false;
        let promoted = byte == b'+';
        let letter = if promoted { letters.next().unwrap_or(letter) } else { letter };
        let (kind, side) = read_letter(game, letter, part)?;
        if promoted && !game.kinds()[kind].promotes() {
            return Err(letter.broken(part, "a piece that never promotes has a `+`", "leave the `+` out"));
        }
        if let Some(square) = squares.get_mut(file) {
            *square = Some(Man::new(kind, side, promoted));
        }
        file += 1;
    }
    if file == squares.len() {
        return Ok(());
    }
    Err(FenError::new(part, FenErrorKind::Squares { found: file, wanted: squares.len() }, rank.span()))
}

fn read_letter(game: Game, letter: Piece<'_>, part: Part) -> Result<(usize, Side), FenError> {
    let byte = letter.text.as_bytes()[0];
    let lower = byte.to_ascii_lowercase();
    let kind = game.kinds().iter().position(|kind| kind.is_read_as(lower));
    let side = if byte.is_ascii_uppercase() { Side::Bottom } else { Side::Top };
    kind.map(|kind| (kind, side)).ok_or_else(|| {
        letter.error(part, SyntaxErrorKind::Unknown { what: game.letter_words(), nearest: None })
    })
}

/// The board and what stands in brackets behind it.
fn split_hand(field: Piece<'_>) -> Result<(Piece<'_>, Piece<'_>), FenError> {
    let Some(open) = field.text.find('[') else {
        let (_, end) = field.split_at(field.text.len());
        return Err(end.expected(Part::Hand, "`[` and the hand behind the board"));
    };
    let (board, bracket) = field.split_at(open);
    let (_, hand) = bracket.split_at(1);
    match hand.text.find(']') {
        Some(close) if close + 1 == hand.text.len() => Ok((board, hand.split_at(close).0)),
        Some(close) => Err(hand.split_at(close + 1).1.expected(Part::Hand, "a blank behind the hand")),
        None => Err(bracket.error(Part::Hand, SyntaxErrorKind::Unclosed('['))),
    }
}

/// The fields of a text, separated by single blanks.
struct Fields<'a> {
    rest: Option<Piece<'a>>,
    end: usize,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Self {
        Fields { rest: Some(Piece { text, start: 0 }), end: text.len() }
    }

    fn peek(&self) -> Option<&'a str> {
        self.rest.map(|rest| rest.text.split(' ').next().unwrap_or_default())
    }

    fn next(&mut self, part: Part, what: &'static str) -> Result<Piece<'a>, FenError> {
        let rest = self.rest.unwrap_or(Piece { text: "", start: self.end });
        let (field, behind) = rest.split_at(rest.text.find(' ').unwrap_or(rest.text.len()));
        self.rest = (!behind.text.is_empty()).then(|| behind.split_at(1).1);
        if field.text.is_empty() { Err(rest.expected(part, what)) } else { Ok(field) }
    }

    fn end(self) -> Result<(), FenError> {
        self.rest.map_or(Ok(()), |rest| Err(rest.expected(Part::End, "the end of the text")))
    }
}

/// A piece of the text and where it starts.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> Piece<'a> {
    fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let (left, right) = self.text.split_at(at);
        (Piece { text: left, start: self.start }, Piece { text: right, start: self.start + at })
    }

    /// Its characters; none is empty.
    fn letters(self) -> impl Iterator<Item = Self> + use<'a> {
        self.text
            .char_indices()
            .map(move |(at, c)| Piece { text: &self.text[at..at + c.len_utf8()], start: self.start + at })
    }

    fn number(self, part: Part) -> Result<u64, FenError> {
        self.number_up_to(MAX_NUMBER, part)
    }

    fn number_up_to(self, most: u64, part: Part) -> Result<u64, FenError> {
        let digits = self.text.bytes().all(|b| b.is_ascii_digit());
        let canonical = digits && (self.text.len() == 1 || !self.text.starts_with('0'));
        if !canonical {
            return Err(self.broken(part, "not a number", "write digits without leading zeros"));
        }
        let too_much = || {
            let kind = match usize::try_from(most) {
                Ok(limit) if most > MAX_NUMBER => SyntaxErrorKind::TooMuch { what: "half-moves", limit },
                _ => SyntaxErrorKind::TooMuch { what: "digits", limit: 9 },
            };
            self.error(part, kind)
        };
        self.text.parse().ok().filter(|number| *number <= most).ok_or_else(too_much)
    }

    fn counting_number(self, most: u64) -> Result<u64, FenError> {
        match self.number_up_to(most, Part::MoveNumber)? {
            0 => Err(self.broken(Part::MoveNumber, "moves count from 1", "write `1`")),
            number => Ok(number),
        }
    }

    fn hand_count(self) -> Result<usize, FenError> {
        match self.number(Part::Hand)? {
            0 | 1 => Err(self.broken(Part::Hand, "a count below 2", "leave the count out")),
            number => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        }
    }

    fn expected(self, part: Part, what: &'static str) -> FenError {
        let found = self.text.chars().next();
        let end = self.start + found.map_or(0, char::len_utf8);
        let kind = SyntaxErrorKind::Expected { what, found };
        FenError::syntax(part, SyntaxError::new(kind, Span::new(self.start, end)))
    }

    fn broken(self, part: Part, rule: &'static str, hint: &'static str) -> FenError {
        self.error(part, SyntaxErrorKind::Broken { rule, hint })
    }

    fn error(self, part: Part, kind: SyntaxErrorKind) -> FenError {
        FenError::syntax(part, SyntaxError::new(kind, self.span()))
    }
}
