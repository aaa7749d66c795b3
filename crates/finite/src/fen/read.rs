//! Reading FEN and SFEN.

use boardprint_base::{Side, Span, SyntaxError, SyntaxErrorKind};

use super::error::{FenError, FenErrorKind, FenRule, Part};
use super::warning::{FenWarning, FenWarningKind, Leniency};
use super::{Fen, RIGHT, fresh_plies};
use crate::game::Game;
use crate::man::Man;
use crate::moves::MET;

/// The most of one kind in hand.
const MAX_IN_HAND: usize = 999;

/// The largest number of a FEN: nine digits.
const MAX_NUMBER: u64 = 999_999_999;
/// The largest move number of an SFEN, which counts half-moves: that of the largest FEN.
const MAX_HALF_MOVES: u64 = 2 * MAX_NUMBER;

impl Fen {
    /// Reads a FEN by the book. Of Shogi it has the hand in brackets after the board, and `w` is the first
    /// player.
    ///
    /// # Errors
    ///
    /// [`FenError`] with the rank or field and the bytes that are wrong.
    pub fn read(game: Game, text: &str) -> Result<Self, FenError> {
        Fen::read_with(game, text, Leniency::Strict).map(|(fen, _)| fen)
    }

    /// Reads a FEN and says what had to be let pass.
    ///
    /// ```
    /// use boardprint_finite::{Fen, FenWarningKind, Game, Leniency};
    /// let epd = "4k3/8/8/8/8/8/8/4K2R w KQ - bm O-O; id \"castles\";";
    /// let (fen, warnings) = Fen::read_with(Game::Western, epd, Leniency::Usual)?;
    /// assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// let kinds: Vec<_> = warnings.iter().map(|warning| warning.kind).collect();
    /// assert_eq!(kinds, [FenWarningKind::StaleCastling, FenWarningKind::Operations]);
    /// # Ok::<(), boardprint_finite::FenError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FenError`] with the rank or field and the bytes that are wrong.
    pub fn read_with(
        game: Game,
        text: &str,
        leniency: Leniency,
    ) -> Result<(Self, Vec<FenWarning>), FenError> {
        let mut pardon = Pardon { leniency, warnings: Vec::new() };
        let mut fields = Fields::new(text, &mut pardon);
        let mut board = fields.next(Part::Board, "a board")?;
        let mut fen = Fen::empty(game);
        if game == Game::Shogi {
            let (squares, hand) = split_hand(board)?;
            fen.read_bracketed_hand(hand)?;
            board = squares;
        } else {
            board = without_pocket(game, board, &mut pardon)?;
        }
        fen.read_board(board)?;
        if fields.peek().is_none() && pardon.allows(FenWarningKind::BoardAlone) {
            pardon.warn(FenWarningKind::BoardAlone, board.span());
            return Ok((fen, pardon.warnings));
        }
        let turn = fields.next(Part::Turn, "whose turn it is")?;
        fen.side = read_turn(game, turn)?;
        fen.plies = fresh_plies(fen.side);
        // Fairy-Stockfish's start of Shogi has counters right after the turn.
        let counters_only = game == Game::Shogi && fields.peek().is_some_and(|field| field != "-");
        if !counters_only && (game == Game::Western || fields.peek().is_some()) {
            fen.read_rights(&mut fields, &mut pardon)?;
        }
        fen.read_counters(&mut fields, &mut pardon)?;
        fields.end().map(|()| (fen, pardon.warnings))
    }

    /// Castling rights and the en passant square.
    fn read_rights(&mut self, fields: &mut Fields<'_>, pardon: &mut Pardon) -> Result<(), FenError> {
        for part in [Part::Castling, Part::EnPassant] {
            if fields.peek().is_none() && pardon.allows(FenWarningKind::MissingFields) {
                pardon.warn(FenWarningKind::MissingFields, fields.here());
                return Ok(());
            }
            if part == Part::Castling {
                self.read_castling(fields.next(part, "castling rights or `-`")?, pardon)?;
            } else {
                self.read_en_passant(fields.next(part, "an en passant square or `-`")?, pardon)?;
            }
        }
        Ok(())
    }

    fn read_counters(&mut self, fields: &mut Fields<'_>, pardon: &mut Pardon) -> Result<(), FenError> {
        let Some(first) = fields.peek() else { return Ok(()) };
        let is_operation = first.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_operation && pardon.allows(FenWarningKind::Operations) {
            let rest = fields.take_rest();
            pardon.warn(FenWarningKind::Operations, rest.span());
            self.read_operations(rest.text);
            return Ok(());
        }
        self.clock = fields.next(Part::Clock, "half-moves")?.number(Part::Clock)?;
        if fields.peek().is_none() && pardon.allows(FenWarningKind::MissingCounters) {
            pardon.warn(FenWarningKind::MissingCounters, fields.here());
            return Ok(());
        }
        let field = fields.next(Part::MoveNumber, "a move number")?;
        let number = if field.text == "0" && pardon.allows(FenWarningKind::MoveNumberZero) {
            pardon.warn(FenWarningKind::MoveNumberZero, field.span());
            1
        } else {
            field.counting_number(MAX_NUMBER)?
        };
        self.plies = 2 * (number - 1) + fresh_plies(self.side);
        if fields.peek().is_some() && pardon.allows(FenWarningKind::Operations) {
            let rest = fields.take_rest();
            pardon.warn(FenWarningKind::Operations, rest.span());
        }
        Ok(())
    }

    /// The counters among the operations of an EPD.
    fn read_operations(&mut self, text: &str) {
        for operation in text.split(';') {
            let mut words = operation.split_ascii_whitespace();
            let (name, number) = (words.next(), words.next().and_then(|word| word.parse::<u64>().ok()));
            match (name, number.filter(|number| *number <= MAX_NUMBER)) {
                (Some("hmvc"), Some(clock)) => self.clock = clock,
                (Some("fmvn"), Some(number)) if number > 0 => {
                    self.plies = 2 * (number - 1) + fresh_plies(self.side);
                }
                _ => {}
            }
        }
    }

    /// Reads an SFEN of Shogi: board, turn (`b` is the first player), hand, and perhaps the number of the move.
    ///
    /// # Errors
    ///
    /// [`FenError`] with the rank or field and the bytes that are wrong.
    pub fn read_sfen(text: &str) -> Result<Self, FenError> {
        let mut pardon = Pardon { leniency: Leniency::Strict, warnings: Vec::new() };
        let mut fields = Fields::new(text, &mut pardon);
        let mut fen = Fen::empty(Game::Shogi);
        fen.read_board(fields.next(Part::Board, "a board")?)?;
        let turn = fields.next(Part::Turn, "whose turn it is")?;
        fen.side = match turn.text {
            "b" => Side::Bottom,
            "w" => Side::Top,
            _ => {
                return Err(turn.broken(Part::Turn, FenRule::SfenTurn));
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
                return Err(letters.expected(Part::Hand, "a piece after its count"));
            };
            rest = letters.split_at(letter.text.len()).1;
            self.add_letter_to_hand(letter, number)?;
        }
        Ok(())
    }

    fn add_letter_to_hand(&mut self, letter: Piece<'_>, count: usize) -> Result<(), FenError> {
        let (kind, side) = read_letter(self.game, letter, Part::Hand)?;
        if self.game.kinds()[kind].is_royal() {
            return Err(letter.broken(Part::Hand, FenRule::KingInHand));
        }
        let held = &mut self.hands[side as usize][kind];
        *held += count;
        if *held > MAX_IN_HAND {
            let kind = SyntaxErrorKind::TooMuch { what: "pieces of one kind in hand", limit: MAX_IN_HAND };
            return Err(letter.error(Part::Hand, kind));
        }
        Ok(())
    }

    fn read_castling(&mut self, field: Piece<'_>, pardon: &mut Pardon) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        if self.game != Game::Western {
            return Err(field.broken(Part::Castling, FenRule::NoCastling));
        }
        for letter in field.letters() {
            let byte = letter.text.as_bytes()[0];
            let side = if byte.is_ascii_uppercase() { Side::Bottom } else { Side::Top };
            let unbacked = || letter.broken(Part::Castling, FenRule::CastlingWithoutRook);
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
            let stale = pardon.allows(FenWarningKind::StaleCastling);
            let (Some(rook), Some(_)) = (rook, king) else {
                if stale {
                    pardon.warn(FenWarningKind::StaleCastling, letter.span());
                    continue;
                }
                return Err(unbacked());
            };
            let right = &mut self.castling.0[side as usize][wing];
            if right.is_some() && stale {
                pardon.warn(FenWarningKind::StaleCastling, letter.span());
                continue;
            }
            if right.replace(rook).is_some() {
                return Err(letter.broken(Part::Castling, FenRule::CastlingTwice));
            }
        }
        if field.text.is_empty() {
            Err(field.expected(Part::Castling, "castling rights or `-`"))
        } else {
            Ok(())
        }
    }

    fn read_en_passant(&mut self, field: Piece<'_>, pardon: &mut Pardon) -> Result<(), FenError> {
        if field.text == "-" {
            return Ok(());
        }
        let part = Part::EnPassant;
        match self.game {
            Game::Western => {
                let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = field.text.as_bytes() else {
                    return Err(field.broken(part, FenRule::NotASquare));
                };
                let cell = usize::from(b'8' - rank) * self.game.files() + usize::from(file - b'a');
                if let Some(rule) = self.en_passant_fault(cell) {
                    if pardon.allows(FenWarningKind::StaleEnPassant) {
                        pardon.warn(FenWarningKind::StaleEnPassant, field.span());
                        return Ok(());
                    }
                    return Err(field.broken(part, rule));
                }
                self.en_passant = Some(cell);
            }
            Game::Makruk => self.counting = Some(field.number(part)?),
            Game::Shogi | Game::Xiangqi | Game::Janggi => {
                return Err(field.broken(part, FenRule::NoEnPassant));
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
                return Err(letter.broken(part, FenRule::RunOfZero));
            }
            if after_run {
                return Err(letter.broken(part, FenRule::TwoRuns));
            }
            file += usize::from(byte - b'0');
            after_run = true;
            continue;
        }
        after_run = false;
        // A met that was a pawn, as some write it: `M~`.
        let met = file.checked_sub(1).and_then(|before| squares.get(before).copied().flatten());
        if byte == b'~' && game == Game::Makruk && met.is_some_and(|man| man.kind() == MET) {
            continue;
        }
        let promoted = byte == b'+';
        let letter = if promoted { letters.next().unwrap_or(letter) } else { letter };
        let (kind, side) = read_letter(game, letter, part)?;
        if promoted && !game.kinds()[kind].promotes() {
            return Err(letter.broken(part, FenRule::NeverPromotes));
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

/// The board and what stands in brackets after it.
fn split_hand(field: Piece<'_>) -> Result<(Piece<'_>, Piece<'_>), FenError> {
    let Some(open) = field.text.find('[') else {
        let (_, end) = field.split_at(field.text.len());
        return Err(end.expected(Part::Hand, "`[` and the hand after the board"));
    };
    let (board, bracket) = field.split_at(open);
    let (_, hand) = bracket.split_at(1);
    match hand.text.find(']') {
        Some(close) if close + 1 == hand.text.len() => Ok((board, hand.split_at(close).0)),
        Some(close) => Err(hand.split_at(close + 1).1.expected(Part::Hand, "a blank after the hand")),
        None => Err(bracket.error(Part::Hand, SyntaxErrorKind::Unclosed('['))),
    }
}

/// The board without a pocket of Crazyhouse: in brackets, or as one rank more.
fn without_pocket<'a>(game: Game, field: Piece<'a>, pardon: &mut Pardon) -> Result<Piece<'a>, FenError> {
    let slashes = field.text.bytes().filter(|b| *b == b'/').count();
    let as_rank =
        || (game == Game::Western && slashes == game.ranks()).then(|| field.text.rfind('/')).flatten();
    let Some(open) = field.text.find('[').or_else(as_rank) else { return Ok(field) };
    let (board, pocket) = field.split_at(open);
    if matches!(pocket.text, "[]" | "[-]" | "/" | "/-") && pardon.allows(FenWarningKind::EmptyPocket) {
        pardon.warn(FenWarningKind::EmptyPocket, pocket.span());
        return Ok(board);
    }
    let letters = pocket.text.trim_matches(['[', ']', '/']);
    let is_pocket =
        letters.bytes().all(|b| game.kinds().iter().any(|kind| kind.is_read_as(b.to_ascii_lowercase())));
    if !is_pocket {
        return Ok(field);
    }
    Err(pocket.broken(Part::Hand, FenRule::Crazyhouse))
}

fn read_turn(game: Game, turn: Piece<'_>) -> Result<Side, FenError> {
    match turn.text {
        "w" => Ok(Side::Bottom),
        "b" => Ok(Side::Top),
        "r" if game == Game::Xiangqi => Ok(Side::Bottom),
        _ => Err(turn.broken(Part::Turn, FenRule::Turn)),
    }
}

/// What is let pass, and what was.
struct Pardon {
    leniency: Leniency,
    warnings: Vec<FenWarning>,
}

impl Pardon {
    fn allows(&self, kind: FenWarningKind) -> bool {
        match self.leniency {
            Leniency::Strict => false,
            Leniency::Usual => kind.is_usual(),
            Leniency::Everything => true,
        }
    }

    fn warn(&mut self, kind: FenWarningKind, span: Span) {
        self.warnings.push(FenWarning { kind, span });
    }
}

/// The fields of a text, separated by single blanks, or by any.
struct Fields<'a> {
    rest: Option<Piece<'a>>,
    end: usize,
    any_blanks: bool,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str, pardon: &mut Pardon) -> Self {
        let any_blanks = pardon.allows(FenWarningKind::Blanks);
        let whole = Piece { text, start: 0 };
        if !any_blanks {
            return Fields { rest: Some(whole), end: text.len(), any_blanks };
        }
        let start = text.len() - text.trim_ascii_start().len();
        let inner = Piece { text: text.trim_ascii(), start };
        let odd = |pair: &[u8]| pair.iter().all(u8::is_ascii_whitespace);
        let odd_inside = inner.text.as_bytes().windows(2).any(odd)
            || inner.text.bytes().any(|b| b.is_ascii_whitespace() && b != b' ');
        if inner.text.len() != text.len() || odd_inside {
            pardon.warn(FenWarningKind::Blanks, whole.span());
        }
        Fields { rest: Some(inner), end: start + inner.text.len(), any_blanks }
    }

    fn blank(&self) -> impl Fn(char) -> bool + use<> {
        let any = self.any_blanks;
        move |c: char| c == ' ' || any && c.is_ascii_whitespace()
    }

    fn peek(&self) -> Option<&'a str> {
        self.rest.map(|rest| rest.text.split(self.blank()).next().unwrap_or_default())
    }

    fn next(&mut self, part: Part, what: &'static str) -> Result<Piece<'a>, FenError> {
        let rest = self.rest.unwrap_or(Piece { text: "", start: self.end });
        let (field, after) = rest.split_at(rest.text.find(self.blank()).unwrap_or(rest.text.len()));
        self.rest = (!after.text.is_empty()).then(|| {
            let blanks =
                if self.any_blanks { after.text.len() - after.text.trim_ascii_start().len() } else { 1 };
            after.split_at(blanks).1
        });
        if field.text.is_empty() { Err(rest.expected(part, what)) } else { Ok(field) }
    }

    /// Everything that is left.
    fn take_rest(&mut self) -> Piece<'a> {
        self.rest.take().unwrap_or(Piece { text: "", start: self.end })
    }

    /// The place after what was read.
    fn here(&self) -> Span {
        let start = self.rest.map_or(self.end, |rest| rest.start);
        Span::new(start, start)
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
            return Err(self.broken(part, FenRule::NotANumber));
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
            0 => Err(self.broken(Part::MoveNumber, FenRule::MoveNumberZero)),
            number => Ok(number),
        }
    }

    fn hand_count(self) -> Result<usize, FenError> {
        match self.number(Part::Hand)? {
            0 | 1 => Err(self.broken(Part::Hand, FenRule::CountBelowTwo)),
            number => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        }
    }

    fn expected(self, part: Part, what: &'static str) -> FenError {
        let found = self.text.chars().next();
        let end = self.start + found.map_or(0, char::len_utf8);
        let kind = SyntaxErrorKind::Expected { what, found };
        FenError::syntax(part, SyntaxError::new(kind, Span::new(self.start, end)))
    }

    fn broken(self, part: Part, rule: FenRule) -> FenError {
        FenError::new(part, FenErrorKind::Rule(rule), self.span())
    }

    fn error(self, part: Part, kind: SyntaxErrorKind) -> FenError {
        FenError::syntax(part, SyntaxError::new(kind, self.span()))
    }
}
