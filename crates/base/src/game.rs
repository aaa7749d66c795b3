//! Games: tags, start, moves and what was said about them.

use std::fmt;
use std::str::FromStr;

use crate::coord::ParseCoordError;
use crate::piece::{CustomCode, Piece, PieceKind};
use crate::player::Player;
use crate::position::Position;
use crate::short::Short;
use crate::square::Square;

/// A game, or a position with nothing played yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Game {
    /// What is known about the game, in order; no name twice.
    pub tags: Vec<Tag>,
    /// The position before the first move.
    pub start: Position,
    /// Whether the pieces come from the `Variant` tag rather than from the text.
    pub start_from_variant: bool,
    /// Marks that the site draws on the board.
    pub presets: Presets,
    /// What was said before the first move.
    pub opening_comments: Vec<Box<str>>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The result written after the moves.
    pub result: Option<GameResult>,
    /// What was said after the result.
    pub closing_comments: Vec<Box<str>>,
}

/// One thing known about a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Such as `White`.
    pub name: Box<str>,
    /// Such as `Tom`; may be empty.
    pub value: Box<str>,
}

/// Squares and rays that the site draws on the board. Not part of the game state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Presets {
    /// Highlighted squares.
    pub squares: Vec<Square>,
    /// Rays: where they start, and their direction.
    pub rays: Vec<(Square, Square)>,
}

/// A move and what its writer noted about it.
///
/// `Eq` compares the notes too; [`Move::same_move`] does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it went.
    pub to: Square,
    /// What a pawn became; it belongs to the mover.
    pub promotion: Option<PieceKind>,
    /// What the writer noted.
    pub notes: Notes,
}

/// What a writer noted about a move. None of it is part of the canonical text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes {
    /// The piece written in front.
    pub piece: Option<Piece>,
    /// Whether the move was written with `x`.
    pub capture: bool,
    /// The run of `+`, `#`, `!`, `?` and `=` after it.
    pub marks: Box<str>,
    /// The comments after it, clock stamps included.
    pub comments: Vec<Box<str>>,
}

/// How a game ended, as games of two players write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl Game {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| &*tag.name == name).map(|tag| &*tag.value)
    }
}

impl Move {
    /// A move without promotion and notes.
    #[must_use]
    #[inline]
    pub fn new(from: Square, to: Square) -> Self {
        Move { from, to, promotion: None, notes: Notes::default() }
    }

    /// Appends the two squares: `x,y>x,y`.
    #[inline]
    pub fn write_squares_to(&self, out: &mut Vec<u8>) {
        let mut short = Short::new();
        if self.from.put(&mut short) {
            short.push(b'>');
            if self.to.put(&mut short) {
                short.append_to(out);
                return;
            }
        }
        self.from.write_to(out);
        out.push(b'>');
        self.to.write_to(out);
    }

    /// Appends the universal format of the original text, `a,b>c,dX`: the promoted piece in its mover's case,
    /// without `=`. A piece of a player who is called by number keeps the `=`, because the number would run
    /// into the coordinate.
    #[inline]
    pub fn write_universal_to(&self, mover: Player, out: &mut Vec<u8>) {
        self.write_squares_to(out);
        if let Some(kind) = self.promotion {
            if !matches!(mover, Player::WHITE | Player::BLACK) {
                out.push(b'=');
            }
            Piece::new(kind, mover).write_to(out);
        }
    }

    /// The universal format as a text of its own.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "coordinates are ASCII")]
    pub fn in_universal_form(&self, mover: Player) -> String {
        let mut out = Vec::new();
        self.write_universal_to(mover, &mut out);
        String::from_utf8(out).expect("coordinates and codes are ASCII")
    }

    /// Whether both move the same piece to the same square with the same promotion, notes aside.
    #[must_use]
    pub fn same_move(&self, other: &Move) -> bool {
        self.from == other.from && self.to == other.to && self.promotion == other.promotion
    }
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// The result as it is written after the moves.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

/// The text is not a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseResultError;

impl fmt::Display for ParseResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of `1-0`, `0-1`, `1/2-1/2`, `*`")
    }
}

impl std::error::Error for ParseResultError {}

impl FromStr for GameResult {
    type Err = ParseResultError;
    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        GameResult::ALL.into_iter().find(|result| result.as_str() == text).ok_or(ParseResultError)
    }
}

/// The text is not a move `x,y>x,y` with or without a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a move like `5,2>5,4` or `1,7>1,8=q`")
    }
}

impl std::error::Error for ParseMoveError {}

/// The bare move: `5,2>5,4`, `1,7>1,8=q`. A move does not know whose it is, so a promotion is in lower case;
/// canonical text, which knows, has the mover's case.
///
/// ```
/// use boardprint_base::Move;
/// let mv: Move = "1,7>1,8Q".parse()?;
/// assert_eq!(mv.to_string(), "1,7>1,8=q");
/// # Ok::<(), boardprint_base::ParseMoveError>(())
/// ```
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "={}", kind.code()))
    }
}

/// Reads `x,y>x,y` with the promoted piece after it: with or without `=`, in any case, with or without a
/// player number after `=`. Only the kind of the piece counts: a promotion is always the mover's.
impl FromStr for Move {
    type Err = ParseMoveError;
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let (from, rest) = text.split_once('>').ok_or(ParseMoveError)?;
        let (x, after) = rest.split_once(',').ok_or(ParseMoveError)?;
        let end = after.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(after.len());
        let (y, code) = after.split_at(end);
        let square = |x: &str, y: &str| -> Result<Square, ParseCoordError> {
            Ok(Square { x: x.parse()?, y: y.parse()? })
        };
        let mut mv =
            Move::new(from.parse().map_err(|_| ParseMoveError)?, square(x, y).map_err(|_| ParseMoveError)?);
        let code = match code.strip_prefix('=') {
            Some(code) if !code.is_empty() => code.trim_start_matches(|c: char| c.is_ascii_digit()),
            Some(_) => return Err(ParseMoveError),
            None if code.is_empty() => return Ok(mv),
            None => code,
        };
        let lower = code.to_ascii_lowercase();
        let kind = PieceKind::from_code(&lower).or_else(|| CustomCode::new(&lower).map(PieceKind::Custom));
        mv.promotion = Some(kind.filter(|kind| !kind.is_neutral()).ok_or(ParseMoveError)?);
        Ok(mv)
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_read_in_every_compact_spelling() {
        for (text, written) in [
            ("5,2>5,4", "5,2>5,4"),
            ("-2,4>-2,3n", "-2,4>-2,3=n"),
            ("2,-3>2,-4ha", "2,-3>2,-4=ha"),
            ("1,7>1,8=AM", "1,7>1,8=am"),
            ("1,7>1,8=3q", "1,7>1,8=q"),
            ("1,7>1,8=zzz", "1,7>1,8=zzz"),
            ("123456789012345678901,7>1,8", "123456789012345678901,7>1,8"),
        ] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.to_string(), written);
            assert_eq!(written.parse::<Move>().unwrap(), mv);
        }
        for text in [
            "",
            "5,2",
            "5,2>",
            "5,2>5",
            "5,2>5,4=",
            "5,2>5,4ob",
            "5,2>5,4 q",
            "05,2>5,4",
            "5,2>5,4=Q+",
            "5,2-5,4",
        ] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }

    #[test]
    fn results_come_back() {
        for result in GameResult::ALL {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert_eq!("1:0".parse::<GameResult>(), Err(ParseResultError));
    }
}
