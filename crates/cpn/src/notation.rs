//! Chess Position Notation: a checked text and its fields.

use std::fmt;
use std::str::FromStr;

use boardprint_base::{Coord, Side, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cph::Cph;
use crate::error::CpnError;
use crate::gan::Actor;
use crate::parse::Options;
use crate::revision::Revision;

/// A position in Chess Position Notation, checked.
///
/// It keeps the text and where its fields are, so a board of a million cells takes no more memory than its
/// text.
///
/// ```
/// use boardprint_cpn::{Cpn, Side};
/// let cpn = Cpn::new(Side::Top, &[2, 2], ["s:^k", "", "", "S:^K"], ["s:p", "S:P", "s:b"])?;
/// assert_eq!(cpn.to_string(), "t--2,2--s:^k,,,S:^K--S:P,s:b,s:p");
/// # Ok::<(), boardprint_cpn::CpnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cpn {
    text: Box<str>,
    side: Side,
    shape: Box<[Coord]>,
    len: usize,
    board: Span,
    hand: Span,
    revision: Option<Revision>,
}

impl Cpn {
    /// A position from its parts: sizes, cells (an empty text is an empty cell) and the hand in any order.
    ///
    /// # Errors
    ///
    /// [`CpnError`] if a cell or a piece in hand is not an actor, or if the cells do not fill the shape. Its
    /// span is that of the text that would have been written.
    pub fn new<'a>(
        side: Side,
        shape: &[usize],
        cells: impl IntoIterator<Item = &'a str>,
        hand: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, CpnError> {
        let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
        let mut text = format!("{side}--{}--", sizes.join(","));
        let start = text.len();
        let mut given = 0;
        for cell in cells {
            text.push_str(if given == 0 { "" } else { "," });
            text.push_str(cell);
            given += 1;
        }
        let board = Span::new(start, text.len());
        text.push_str("--");
        push_hand(&mut text, hand.into_iter().collect());
        let cpn: Cpn = text.parse()?;
        // A comma inside a cell would have made two of it.
        if cpn.len == given { Ok(cpn) } else { Err(CpnError::cell_count(given, Some(cpn.len), board)) }
    }

    pub(crate) fn from_checked(
        text: &str,
        side: Side,
        shape: Vec<Coord>,
        len: usize,
        board: Span,
        hand: Span,
        revision: Option<Revision>,
    ) -> Self {
        Cpn { text: text.into(), side, shape: shape.into(), len, board, hand, revision }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Who moves next.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The sizes of the board, slowest dimension first. They are never negative; without any there is no cell.
    #[must_use]
    pub fn shape(&self) -> &[Coord] {
        &self.shape
    }

    /// How many cells the board has, empty ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the board has no cell at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells in order; an empty text is an empty cell.
    #[must_use]
    pub fn cells(&self) -> Items<'_> {
        Items::new(&self.text, self.board, self.len == 0)
    }

    /// The pieces in hand, in ASCII order.
    #[must_use]
    pub fn hand(&self) -> Items<'_> {
        Items::new(&self.text, self.hand, self.hand.start == self.hand.end)
    }

    /// The revision of its royal prefixes; `None` without a royal actor.
    #[must_use]
    pub const fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// The same position written in a revision: other royal prefixes, the hand in its new order. Another text
    /// has another hash.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a checked text stays one with other prefixes")]
    pub fn in_revision(&self, revision: Revision) -> Self {
        if self.revision.is_none_or(|own| own == revision) {
            return self.clone();
        }
        let mut text = String::with_capacity(self.text.len());
        text.push_str(&self.text[..self.board.start]);
        for (index, cell) in self.cells().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            push_actor(&mut text, cell, revision);
        }
        text.push_str("--");
        let hand: Vec<String> = self
            .hand()
            .map(|piece| {
                let mut text = String::with_capacity(piece.len());
                push_actor(&mut text, piece, revision);
                text
            })
            .collect();
        push_hand(&mut text, hand.iter().map(String::as_str).collect());
        Options::default()
            .free_names(true)
            .read(&text)
            .expect("only prefixes changed and the hand was sorted")
    }

    /// The hash that names the position.
    #[must_use]
    pub fn cph(&self) -> Cph {
        Cph::of(self.text.as_bytes())
    }
}

fn push_actor(out: &mut String, text: &str, revision: Revision) {
    match Actor::parse(text) {
        Ok(actor) => actor.write_to(revision, out),
        Err(_) => out.push_str(text),
    }
}

fn push_hand(out: &mut String, mut hand: Vec<&str>) {
    hand.sort_unstable();
    out.push_str(&hand.join(","));
}

impl FromStr for Cpn {
    type Err = CpnError;
    /// Reads strictly, in any one revision.
    fn from_str(text: &str) -> Result<Self, CpnError> {
        Options::default().read(text)
    }
}

impl fmt::Display for Cpn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Cpn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpn({})", self.text)
    }
}

impl Serialize for Cpn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cpn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The cells of a board or the pieces in hand, one after another.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    text: &'a str,
    next: Option<usize>,
    end: usize,
}

impl<'a> Items<'a> {
    fn new(text: &'a str, field: Span, none: bool) -> Self {
        Items { text, next: (!none).then_some(field.start), end: field.end }
    }

    /// The same with the bytes of the text they stand in.
    pub fn with_spans(mut self) -> impl Iterator<Item = (Span, &'a str)> {
        std::iter::from_fn(move || self.next_span().map(|span| (span, &self.text[span.start..span.end])))
    }

    fn next_span(&mut self) -> Option<Span> {
        let start = self.next?;
        let len = self.text.as_bytes()[start..self.end].iter().position(|b| *b == b',');
        let end = len.map_or(self.end, |len| start + len);
        self.next = len.map(|_| end + 1);
        Some(Span::new(start, end))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        self.next_span().map(|span| &self.text[span.start..span.end])
    }
}
