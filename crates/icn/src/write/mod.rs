//! Writing ICN.
//!
//! **Writes** one canonical text ([`canonical`]): one line, fields in fixed order, a field at its default
//! left out, pieces in reading order, nothing that is not part of the game. More styles are for people and
//! other programs ([`Style`]).

mod canonical;
mod styles;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use boardprint_base::{Game, Move, Player, Position, Presets, TurnOrder};

use crate::options::UnknownName;

pub use canonical::{
    canonical, canonical_position, write_canonical, write_canonical_position, write_canonical_start_and_moves,
};

/// How to write a game.
///
/// | style | a move | the original's `compact_moves` |
/// |---|---|---|
/// | [`Canonical`](Style::Canonical) | `2,7>1,8=Q` | |
/// | [`Compact`](Style::Compact) | `2,7>1,8=Q+` | |
/// | [`Readable`](Style::Readable) | `5. P2,7 x 1,8 =Q+` | 0 |
/// | [`Moderate`](Style::Moderate) | `P2,7x1,8=Q+` | 1 |
/// | [`Universal`](Style::Universal) | `2,7>1,8Q` | 2 |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// One line, nothing but the game: the text that hashes are made of.
    #[default]
    Canonical,
    /// Tags, fields that are not at their default, pieces, and moves without pieces; marks and comments kept.
    Compact,
    /// Everything written out, moves numbered and decorated, as the original text shows its long version.
    Readable,
    /// Everything written out, moves with their pieces, captures and marks, joined by `|`.
    Moderate,
    /// As compact, with moves in the universal format `a,b>c,dX`, which has no marks, comments and result.
    Universal,
}

impl Style {
    /// Every style.
    pub const ALL: [Style; 5] =
        [Style::Canonical, Style::Compact, Style::Readable, Style::Moderate, Style::Universal];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Style::Canonical => "canonical",
            Style::Compact => "compact",
            Style::Readable => "readable",
            Style::Moderate => "moderate",
            Style::Universal => "universal",
        }
    }

    /// Writes a game in this style. [`WriteOptions`] has more choices, and says what a style cannot carry.
    #[must_use]
    pub fn write(self, game: &Game) -> String {
        WriteOptions::new(self).write(game)
    }

    /// Whether fields at their default are written too.
    const fn spells_out(self) -> bool {
        matches!(self, Style::Readable | Style::Moderate)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Style::ALL.into_iter().find(|style| style.name() == text);
        known.ok_or(UnknownName { what: "style" })
    }
}

/// One move as a style writes it; `position` is the one before the move. Comments are left out.
///
/// ```
/// use boardprint_base::Position;
/// use boardprint_icn::{Icn, Style, write::move_in};
///
/// let Icn(position): Icn<Position> = "P2,7|r1,8|K1,1|k9,9".parse()?;
/// let mv = "2,7>1,8Q".parse()?;
/// let texts = Style::ALL.map(|style| move_in(style, &mv, &position));
/// assert_eq!(texts, ["2,7>1,8=Q", "2,7>1,8=Q", "P2,7 x 1,8 =Q", "P2,7x1,8=Q", "2,7>1,8Q"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn move_in(style: Style, mv: &Move, position: &Position) -> String {
    styles::one_move(style, mv, position)
}

/// How to write a game, in every respect.
///
/// ```
/// use boardprint_icn::{Style, WriteOptions, parse};
///
/// let game = parse("[White: Tom] K5,1|k5,8 1. K5,1 > 5,2 !? {hm}")?.game;
/// let options = WriteOptions::new(Style::Readable).one_line(true);
/// let text = "[White \"Tom\"] w 1 checkmate K5,1|k5,8 1. K5,1 > 5,2 !? {hm}";
/// assert_eq!(options.write(&game), text);
/// let lost = WriteOptions::new(Style::Universal).lost(&game);
/// assert_eq!(lost.to_string(), "1 comment and the marks of 1 move are left out");
/// # Ok::<(), boardprint_icn::IcnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    style: Style,
    one_line: bool,
    colon_tags: bool,
}

impl WriteOptions {
    /// A style with its usual lines and tags in quotes.
    #[must_use]
    pub fn new(style: Style) -> Self {
        WriteOptions { style, ..WriteOptions::default() }
    }

    /// Whether everything stands on one line. Line feeds in comments and tags become spaces.
    #[must_use]
    pub fn one_line(mut self, one_line: bool) -> Self {
        self.one_line = one_line;
        self
    }

    /// Whether tags are written as the first texts have them, `[White: Tom]`, where they read back.
    #[must_use]
    pub fn colon_tags(mut self, colon_tags: bool) -> Self {
        self.colon_tags = colon_tags;
        self
    }

    /// Writes a game.
    #[must_use]
    pub fn write(&self, game: &Game) -> String {
        match self.style {
            Style::Canonical => canonical(game),
            _ => styles::text(game, self),
        }
    }

    /// A text of the game's own on one line, if that is wanted.
    fn free<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.one_line && text.contains(['\n', '\r']) {
            Cow::Owned(text.replace(['\n', '\r'], " "))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// What the style cannot carry of a game.
    #[must_use]
    pub fn lost(&self, game: &Game) -> Lost {
        let is_canonical = self.style == Style::Canonical;
        let is_bare = is_canonical || self.style == Style::Universal;
        let of_moves = || game.moves.iter().map(|mv| mv.notes.comments.len()).sum::<usize>();
        let comments = || game.opening_comments.len() + of_moves() + game.closing_comments.len();
        let quoted = || game.tags.iter().filter(|tag| styles::breaks_tag(&self.free(&tag.value))).count();
        let marked = || game.moves.iter().filter(|mv| !mv.notes.marks.is_empty()).count();
        Lost {
            tags: if is_canonical { game.tags.len() } else { 0 },
            presets: is_canonical && game.presets != Presets::default(),
            comments: match game.result {
                _ if is_bare => comments(),
                // They stand after it.
                None => game.closing_comments.len(),
                Some(_) => 0,
            },
            marked_moves: if is_bare { marked() } else { 0 },
            result: is_bare && game.result.is_some(),
            quoted_tags: if is_canonical { 0 } else { quoted() },
        }
    }
}

/// What a style leaves out of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost {
    /// How many tags.
    pub tags: usize,
    /// Whether squares and rays that the site draws.
    pub presets: bool,
    /// How many comments.
    pub comments: usize,
    /// How many moves lose their marks.
    pub marked_moves: usize,
    /// Whether the result after the moves.
    pub result: bool,
    /// How many tags have `'` for their quotes, one of which would end the tag.
    pub quoted_tags: usize,
}

impl Lost {
    /// Whether nothing is left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Lost::default()
    }
}

/// Such as `2 comments and the marks of 1 move are left out`.
impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count =
            |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let mut parts = Vec::new();
        let mut add = |is_lost: bool, text: String| {
            if is_lost {
                parts.push(text);
            }
        };
        add(self.tags > 0, count(self.tags, "tag"));
        add(self.presets, "the squares and rays drawn on the board".to_owned());
        add(self.comments > 0, count(self.comments, "comment"));
        add(self.marked_moves > 0, format!("the marks of {}", count(self.marked_moves, "move")));
        add(self.result, "the result".to_owned());
        add(self.quoted_tags > 0, format!("the quotes of {}", count(self.quoted_tags, "tag")));
        let is_one = self.tags + self.comments + usize::from(self.result) == 1 && parts.len() == 1;
        match parts.split_last() {
            None => f.write_str("nothing is left out"),
            Some((last, [])) => write!(f, "{last} {} left out", if is_one { "is" } else { "are" }),
            Some((last, first)) => write!(f, "{} and {last} are left out", first.join(", ")),
        }
    }
}

/// The text of bytes that were written as UTF-8.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("only text was written")
}

/// Appends items with something between them.
#[inline]
pub(crate) fn join<T>(
    out: &mut Vec<u8>,
    between: &[u8],
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(between);
        }
        write(out, item);
    }
}

/// Appends a turn order by its codes, of players beyond green by their numbers. `w` and `b` alone are the
/// cycle of both, and a number alone is that of a move, so where one of these moves alone it stands twice.
fn write_turn(out: &mut Vec<u8>, turn: &TurnOrder) {
    let cycle = match *turn.cycle() {
        [player @ Player::WHITE, Player::BLACK] | [player @ Player::BLACK, Player::WHITE] => &[player][..],
        ref cycle => cycle,
    };
    join(out, b":", cycle, |out, player| match player.code() {
        Some(code) => out.extend_from_slice(code.as_bytes()),
        None => out.extend_from_slice(player.0.to_string().as_bytes()),
    });
}
