//! Texts in plain spelling, skimmed: what they say is taken from the text itself, and no game is made of it.
//!
//! Nearly every text in use is plain: tags in quotes, then a start, then moves that name two squares each,
//! with or without piece, promotion, marks and a comment. Such a text has been understood when it is known
//! where its parts are. The start is read as ever, and remembered: most games of a collection begin as others
//! did.
//!
//! **Accepts** what [`ReadOptions::parse`] reads, and nothing but that, with no warning before the first move.
//! **Leaves** everything else to it: whatever is unusual, and whatever is wrong.

mod moves;
mod tags;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::ptr;

use boardprint_base::{Game, Json, Piece, Player};

use crate::options::ReadOptions;
use crate::parse::plain_start;
use crate::variants::Revision;
use moves::{begins_moves, is_blank};

/// Skims texts, one after the other.
///
/// ```
/// use boardprint_icn::{ReadOptions, Skimmer};
/// let mut skimmer = Skimmer::new(ReadOptions::default());
/// let skimmed = skimmer.skim(r#"[White "Tom"] K5,1|k5,8 K5,1>5,2 {hm}|k5,8x5,7"#).expect("it is plain");
/// assert_eq!(skimmed.tags().next(), Some(("White", "Tom")));
/// let mut moves = Vec::new();
/// skimmed.write_moves_to(&mut moves);
/// assert_eq!(moves, b"5,1>5,2|5,8>5,7");
/// assert!(skimmer.skim("K05,1|k5,8").is_none());
/// ```
#[derive(Debug)]
pub struct Skimmer {
    options: ReadOptions,
    starts: Vec<KnownStart>,
    /// How many starts were learnt, ever.
    learnt: u32,
    parts: Parts,
}

/// A start that was read before.
#[derive(Debug)]
struct KnownStart {
    text: Box<str>,
    /// Where the pieces come from, unless they are in the text.
    variant: Option<&'static Revision>,
    number: u32,
    game: Game,
}

/// Where the parts of a text are. Kept from text to text for its memory.
#[derive(Debug, Default)]
struct Parts {
    tags: Vec<PlainTag>,
    moves: Vec<PlainMove>,
    extras: Vec<Extra>,
    has_letters: bool,
    has_warnings: bool,
}

#[derive(Debug)]
struct PlainTag {
    name: Range<usize>,
    value: Range<usize>,
}

/// Where a move is in its text. Small, since there are many.
#[derive(Clone, Copy, Debug)]
struct PlainMove {
    /// The first square, without the piece in front.
    start: usize,
    /// The end of the first square.
    arrow: usize,
    /// The second square.
    to: usize,
    end: usize,
    /// One more than the place of what else there is to say, or 0.
    extra: usize,
}

/// What else there is to say about a move.
#[derive(Clone, Debug, Default)]
struct Extra {
    promotion: Option<Piece>,
    marks: Range<usize>,
    comment: Range<usize>,
}

/// A text that was skimmed.
#[derive(Clone, Copy, Debug)]
pub struct Skimmed<'a> {
    text: &'a str,
    parts: &'a Parts,
    slot: usize,
    start: &'a KnownStart,
}

/// A move of a text that was skimmed.
#[derive(Clone, Copy, Debug)]
pub struct SkimmedMove<'a> {
    text: &'a str,
    squares: &'a PlainMove,
    extra: Option<&'a Extra>,
}

/// How many starts are remembered.
const STARTS: usize = 64;
/// The longest start that is remembered, in bytes.
const LONGEST_START: usize = 1 << 12;

impl Skimmer {
    /// A skimmer that has seen nothing yet.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        Skimmer { options, starts: Vec::new(), learnt: 0, parts: Parts::default() }
    }

    /// Skims a text; `None` if it is not plain.
    pub fn skim<'a>(&'a mut self, text: &'a str) -> Option<Skimmed<'a>> {
        if !self.options.allows_plain() || self.options.strict {
            return None;
        }
        let at = self.parts.skim_tags(text, self.options.max_tags)?;
        let slot = self.start(text, at)?;
        let start = &self.starts[slot];
        self.parts.skim_moves(text, at + start.text.len(), &self.options, &start.game.start)?;
        Some(Skimmed { text, parts: &self.parts, slot, start })
    }

    /// The start in a slot, and its number.
    #[must_use]
    pub fn start_in(&self, slot: usize) -> Option<(u32, &Game)> {
        self.starts.get(slot).map(|start| (start.number, &start.game))
    }

    /// The slot of the start at a byte, after the tags; one that is not known is learnt.
    fn start(&mut self, text: &str, at: usize) -> Option<usize> {
        let bytes = &text.as_bytes()[at..];
        let known = self.starts.iter().position(|start| {
            begins_with(bytes, start.text.as_bytes())
                && start.variant.is_none_or(|variant| {
                    self.parts.variant(text).is_some_and(|named| ptr::eq(named, variant))
                })
        });
        known.or_else(|| self.learn(text, at))
    }

    fn learn(&mut self, text: &str, at: usize) -> Option<usize> {
        // Whoever reads a start that is not remembered reads it again with the game.
        let (bytes, longest) = (text.as_bytes(), at + LONGEST_START);
        if bytes.get(at..longest).is_some_and(|start| !start.iter().any(|byte| matches!(byte, b'>' | b'x'))) {
            return None;
        }
        let (game, end) = plain_start(&self.options, text, self.parts.tags.len())?;
        if end > longest || !begins_moves(bytes, end) {
            return None;
        }
        let start = text[at..end].trim_end_matches(|letter| u8::try_from(letter).is_ok_and(is_blank));
        let variant = if game.start_from_variant { Some(self.parts.variant(text)?) } else { None };
        self.learnt = self.learnt.wrapping_add(1);
        let known = KnownStart { text: start.into(), variant, number: self.learnt, game };
        if self.starts.len() < STARTS {
            self.starts.push(known);
            return Some(self.starts.len() - 1);
        }
        let slot = self.learnt as usize % STARTS;
        self.starts[slot] = known;
        Some(slot)
    }
}

/// Whether a text begins with a start, and the start ends there: a move follows, or nothing.
#[inline]
fn begins_with(text: &[u8], start: &[u8]) -> bool {
    // Most starts differ at their end.
    let tail = start.len().saturating_sub(8);
    let ends_there = start.is_empty() || start.ends_with(b"}");
    (ends_there || text.get(start.len()).is_none_or(|byte| is_blank(*byte)))
        && text.get(tail..start.len()) == Some(&start[tail..])
        && text[..tail] == start[..tail]
        && begins_moves(text, start.len())
}

impl<'a> Skimmed<'a> {
    /// Names and values of the tags.
    pub fn tags(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let text = self.text;
        self.parts.tags.iter().map(move |tag| (&text[tag.name.clone()], &text[tag.value.clone()]))
    }

    /// The slot in which the start is remembered, and the number that no other start has.
    #[must_use]
    pub fn start(&self) -> (usize, u32) {
        (self.slot, self.start.number)
    }

    /// How many moves there are.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.parts.moves.len()
    }

    /// The moves.
    pub fn moves(&self) -> impl Iterator<Item = SkimmedMove<'a>> + use<'a> {
        let Skimmed { text, parts, .. } = *self;
        parts.moves.iter().map(move |squares| {
            let extra = squares.extra.checked_sub(1).and_then(|place| parts.extras.get(place));
            SkimmedMove { text, squares, extra }
        })
    }

    /// Whether moves have letters in front, which were not compared with the board.
    #[must_use]
    pub fn has_letters(&self) -> bool {
        self.parts.has_letters
    }

    /// Whether [`ReadOptions::parse`] has warnings, those about letters in front of moves aside.
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        self.parts.has_warnings
    }

    /// Appends the moves in the universal format, joined by `|`.
    pub fn write_moves_to(&self, out: &mut Vec<u8>) {
        let bytes = self.text.as_bytes();
        // Moves that are joined and bare in the text are copied together.
        let mut run = 0..0;
        for (ply, mv) in self.moves().enumerate() {
            let squares = mv.squares;
            let is_bare = mv.is_bare();
            if is_bare && ply > 0 && run.end + 1 == squares.start && bytes[run.end] == b'|' {
                run.end = squares.end;
            } else {
                copy(bytes, &run, out);
                if ply > 0 {
                    out.push(b'|');
                }
                run = squares.start..squares.end;
                if !is_bare {
                    copy(bytes, &(squares.start..squares.arrow), out);
                    out.push(b'>');
                    run.start = squares.to;
                }
            }
            if let Some(promoted) = mv.promotion() {
                copy(bytes, &run, out);
                // As in `Move::write_universal_to`.
                if !matches!(promoted.player, Player::WHITE | Player::BLACK) {
                    out.push(b'=');
                }
                promoted.write_to(out);
                run = run.end..run.end;
            }
        }
        copy(bytes, &run, out);
    }

    /// Appends the tags as a JSON object.
    pub fn write_tags_to(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        for (index, (name, value)) in self.tags().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            Json::write_text_to(name, out);
            out.push(b':');
            Json::write_text_to(value, out);
        }
        out.push(b'}');
    }
}

impl<'a> SkimmedMove<'a> {
    /// Whether its squares are `x,y>x,y` in the text.
    fn is_bare(&self) -> bool {
        self.squares.arrow + 1 == self.squares.to && self.text.as_bytes()[self.squares.arrow] == b'>'
    }

    /// Appends the squares: `x,y>x,y`.
    pub fn write_squares_to(&self, out: &mut Vec<u8>) {
        let PlainMove { start, arrow, to, end, .. } = *self.squares;
        let bytes = self.text.as_bytes();
        if self.is_bare() {
            copy(bytes, &(start..end), out);
            return;
        }
        copy(bytes, &(start..arrow), out);
        out.push(b'>');
        copy(bytes, &(to..end), out);
    }

    /// Whether it has marks or a comment.
    #[must_use]
    pub fn is_noted(&self) -> bool {
        self.extra.is_some_and(|extra| !extra.marks.is_empty() || !extra.comment.is_empty())
    }

    /// What a pawn became.
    #[must_use]
    pub fn promotion(&self) -> Option<Piece> {
        self.extra.and_then(|extra| extra.promotion)
    }

    /// The run of `+`, `#`, `!` and `?` after it.
    #[must_use]
    pub fn marks(&self) -> &'a str {
        self.extra.map_or("", |extra| &self.text[extra.marks.clone()])
    }

    /// The comment after it, if it says something.
    #[must_use]
    pub fn comment(&self) -> Option<&'a str> {
        self.extra.map(|extra| &self.text[extra.comment.clone()]).filter(|comment| !comment.is_empty())
    }
}

/// Appends a part of a text. Short ones are copied as a whole of fixed length, which is cut then: that takes
/// no call.
#[inline]
fn copy(bytes: &[u8], part: &Range<usize>, out: &mut Vec<u8>) {
    const USUAL: usize = 16;
    let length = part.len();
    match bytes.get(part.start..part.start + USUAL) {
        Some(usual) if length <= USUAL => {
            out.extend_from_slice(usual);
            out.truncate(out.len() - (USUAL - length));
        }
        _ => out.extend_from_slice(&bytes[part.clone()]),
    }
}
