//! PGN games of Western chess: tags, start, moves as squares.
//!
//! **Accepts** one record: tags with `\"` and `\\`, SAN in any usual spelling (long algebraic, `e7e8q`, `0-0`, no or wrong marks, more or less
//! disambiguation than needed), comments, nested variations (passed over), glyphs, `%` lines, move numbers or none, results, null
//! moves (`--`, `Z0`), the tags `FEN` (X-FEN and Shredder-FEN too) and `SetUp`. Western chess and Chess960 only.
//!
//! **Writes** the identity text of a game ([`WesternGame::write_identity`]): the start as FEN without counters, then the moves, one space
//! between. Castling rights are `KQkq` if king and rooks stand as in the usual start, else the files of the rooks; an en passant square is
//! written only if a capture is legal. A castling move is the king's (`e1g1`) if the king stands on the e file and the rook on the a or h
//! file, else the king takes the rook (`f1h1`), since the king's own move may be ambiguous. A null move is `0000`.
//!
//! **Refuses** a start that no generator can play, other variants, and a move that is illegal, ambiguous or no move: the game
//! keeps what came before and says where it broke off ([`WesternGame::broken`]).

mod identity;
mod parse;
mod replay;
mod san;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use boardprint_base::{GameResult, Span, SyntaxError, SyntaxErrorKind};
use cozy_chess::{Board, Piece, Square};

pub use identity::{board_of_fen, game_digest, write_fen, write_game};
pub(crate) use replay::{generator_move, play};
pub use write::write_pgn;

/// A game of Western chess, or of Chess960. It borrows the text of its record.
#[derive(Clone, Debug)]
pub struct WesternGame<'a> {
    /// The tags in order.
    pub tags: Vec<Tag<'a>>,
    /// The position before the first move.
    pub start: Board,
    /// The position after the last move.
    pub last: Board,
    /// The moves.
    pub moves: Vec<WesternMove>,
    /// The result behind the moves.
    pub result: Option<GameResult>,
    /// What else the record holds.
    pub extras: Extras,
    /// Why the moves end before the record does.
    pub broken: Option<Broken>,
    /// No tag says otherwise.
    usual_start: bool,
}

/// A tag of a PGN game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// Such as `White`.
    pub name: &'a str,
    /// The value between its quotes, escapes and all.
    pub raw: &'a str,
}

/// What a record holds beside tags and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Comments.
    pub comments: u32,
    /// Comments with a clock stamp.
    pub clocks: u32,
    /// Variations of the main line.
    pub variations: u32,
    /// Numeric glyphs, `!` and `?`.
    pub glyphs: u32,
}

/// A move as squares, in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WesternMove(u16);

/// Where a game broke off and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// How many moves were good.
    pub ply: usize,
    /// The bytes of the record that cannot be followed.
    pub span: Span,
    /// What is wrong with them.
    pub trouble: Trouble,
}

/// What can be wrong with a PGN game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// The start cannot be played from.
    Start,
    /// The tags name another game than chess.
    Variant,
    /// The move is illegal.
    Illegal,
    /// Two pieces can make the move.
    Ambiguous,
    /// This is no move at all.
    NotAMove,
    /// Moves follow the result.
    AfterResult,
    /// A tag, comment or variation is never closed.
    Unclosed(char),
}

/// The tags of a record, without its moves.
#[must_use]
pub fn tags(text: &str) -> Vec<Tag<'_>> {
    parse::tag_section(text).0
}

/// The record with some tags added behind its own; one that it has already gets the new value.
///
/// ```
/// let text = "[Event \"?\"]\n\n1. e4 *";
/// let tags = [("Event".to_owned(), "Open".to_owned()), ("ECO".to_owned(), "B00".to_owned())];
/// assert_eq!(boardprint_store::pgn::with_tags(text, &tags), "[Event \"Open\"]\n[ECO \"B00\"]\n\n1. e4 *");
/// ```
#[must_use]
pub fn with_tags(text: &str, tags: &[(String, String)]) -> String {
    let own = parse::tag_section(text).0;
    let place = |tag: &Tag<'_>| tag.raw.as_ptr() as usize - text.as_ptr() as usize;
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for tag in &own {
        if let Some((_, value)) = tags.iter().find(|(name, _)| name == tag.name) {
            out.push_str(&text[done..place(tag)]);
            out.push_str(&escaped(value));
            done = place(tag) + tag.raw.len();
        }
    }
    // Behind the bracket of the last tag.
    let end = own.last().map_or(0, |tag| {
        let value_end = place(tag) + tag.raw.len();
        value_end + text[value_end..].find(']').map_or(0, |at| at + 1)
    });
    out.push_str(&text[done..end]);
    for (name, value) in tags.iter().filter(|(name, _)| own.iter().all(|tag| tag.name != name)) {
        if !out.is_empty() {
            out.push('\n');
        }
        for part in ["[", name, " \"", &escaped(value), "\"]"] {
            out.push_str(part);
        }
    }
    if end == 0 && !out.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(&text[end..]);
    out
}

impl<'a> WesternGame<'a> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<Cow<'a, str>> {
        self.tags.iter().find(|tag| tag.name == name).map(Tag::value)
    }
}

impl<'a> Tag<'a> {
    /// The value without escapes.
    #[must_use]
    pub fn value(&self) -> Cow<'a, str> {
        if !self.raw.contains('\\') {
            return Cow::Borrowed(self.raw);
        }
        let mut value = String::with_capacity(self.raw.len());
        let mut chars = self.raw.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
            value.push(escaped.unwrap_or(c));
        }
        Cow::Owned(value)
    }
}

impl WesternMove {
    /// A turn without a move.
    pub const NULL: WesternMove = WesternMove(0);

    /// A move between two squares. Castling is the king's move, see the module.
    #[must_use]
    pub fn new(from: Square, to: Square, promotion: Option<Piece>) -> Self {
        let promotion = promotion.map_or(0, |piece| piece as u16);
        WesternMove(from as u16 | (to as u16) << 6 | promotion << 12)
    }

    /// The move of two bytes, if they are one.
    #[must_use]
    pub fn from_bits(bits: u16) -> Option<Self> {
        (bits >> 12 <= Piece::Queen as u16).then_some(WesternMove(bits))
    }

    /// The two bytes.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Where the piece stood.
    #[must_use]
    pub fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// Where it went.
    #[must_use]
    pub fn to(self) -> Square {
        Square::index(usize::from(self.0 >> 6 & 63))
    }

    /// What a pawn became.
    #[must_use]
    pub fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            0 => None,
            piece => Piece::try_index(usize::from(piece)),
        }
    }

    /// Appends `e2e4`, `e7e8q` or `0000` to `out`.
    #[inline]
    pub fn write_to(self, out: &mut Vec<u8>) {
        if self == Self::NULL {
            out.extend_from_slice(b"0000");
            return;
        }
        let name = |square: u16| [b'a' + (square & 7) as u8, b'1' + (square >> 3 & 7) as u8];
        let ([a, b], [c, d]) = (name(self.0), name(self.0 >> 6));
        out.extend_from_slice(&[a, b, c, d]);
        if let Some(piece) = self.promotion() {
            out.push(b"pnbrqk"[piece as usize]);
        }
    }
}

impl std::fmt::Display for WesternMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::with_capacity(5);
        self.write_to(&mut text);
        f.write_str(std::str::from_utf8(&text).expect("squares are ASCII"))
    }
}

impl std::fmt::Debug for WesternMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl From<Broken> for SyntaxError {
    fn from(broken: Broken) -> Self {
        let rule = |rule, hint| SyntaxErrorKind::Broken { rule, hint };
        let kind = match broken.trouble {
            Trouble::Start => {
                rule("no game can start from this position", "check pieces, side to move and castling")
            }
            Trouble::Variant => {
                rule("this is not Western chess", "only Western chess and Chess960 are read from PGN")
            }
            Trouble::Illegal => rule("illegal move", "check the moves before it, too"),
            Trouble::Ambiguous => rule("two pieces can make this move", "add the file or rank it comes from"),
            Trouble::NotAMove => rule("this is no move", "put remarks into `{}`"),
            Trouble::AfterResult => rule("moves after the result", "begin another game with its tags"),
            Trouble::Unclosed(open) => SyntaxErrorKind::Unclosed(open),
        };
        SyntaxError::new(kind, broken.span)
    }
}
