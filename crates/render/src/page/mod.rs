//! A page of a whole game: one HTML file with everything in it.
//!
//! **Writes** a page that works offline: a board that follows the arrow keys, the move list with comments,
//! the tags, the board as text for those who cannot see it. It is light or dark as its reader wants, and
//! without scripts it still shows the last position and the moves. Everything from a file is only ever text:
//! it is escaped, and the page's own security policy forbids any script and style but the page's own, and
//! every connection.
//!
//! # Size
//!
//! Pictures are written by [`svg::write`], one element per line, and kept as a table of distinct lines and,
//! for each position, the lines that changed. A move changes a handful of lines, so a game of Western chess
//! takes about half a kilobyte per half-move; and what is shown is what the program draws, with no second
//! renderer in the page. So that lines stay the same, every position shows the squares of the whole game,
//! unless that would be too many.
//!
//! ```
//! use boardprint_base::{Piece, PieceKind, Player, Square};
//! use boardprint_render::{Diagram, page::{self, Frame, Page, PageOptions}};
//!
//! let king = |x: i64| Diagram::builder().piece(Square::new(x, 1), Piece::new(PieceKind::King, Player::WHITE));
//! let page = Page::new("A walk")
//!     .tag("White", "<b>Anna</b>")
//!     .frame(Frame::new(king(5)))
//!     .frame(Frame::new(king(6)).played("Kf1").number("1.").comment("and so on"));
//! let html = page::write(page, &PageOptions::default())?;
//! assert!(html.contains("&lt;b&gt;Anna&lt;/b&gt;"));
//! # Ok::<(), boardprint_render::page::PageError>(())
//! ```

mod lines;

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use boardprint_base::Square;

use self::lines::Lines;
use crate::builder::DiagramBuilder;
use crate::diagram::Diagram;
use crate::error::DiagramError;
use crate::svg::{self, SvgOptions};
use crate::text::{self, TextOptions};
use crate::theme::Theme;
use crate::xml::{Escaped, Lined};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What the page may do: its own style and script, known by their hashes, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'sha256-NI9kDfGvflCZMauCq4DdOoJGd+hU7FvpQb9wsMCa2sQ='; script-src 'sha256-1OaueEW7BCIcqlNEpRS/ZznL9IO01vwYXE352GyiPkw='; base-uri 'none'; form-action 'none'";

/// How many characters a line of the board as text has.
const TEXT: usize = 72;

/// A whole game, as far as a page needs to know it.
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: String,
    tags: Vec<(String, String)>,
    frames: Vec<Frame>,
}

/// One position of a game, and the move that led to it.
#[derive(Clone, Debug)]
pub struct Frame {
    diagram: DiagramBuilder,
    number: String,
    played: String,
    comment: String,
}

/// How a page is written: with tooltips and at most 64 MiB, unless set otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOptions {
    tooltips: bool,
    max_bytes: usize,
}

/// Why a page is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageError {
    /// A position cannot be drawn.
    Frame {
        /// Which one, counted from 0.
        index: usize,
        /// Why.
        error: DiagramError,
    },
    /// There is no position.
    Empty,
    /// The page would be larger than the limit allows.
    TooLarge {
        /// How many bytes are allowed.
        limit: usize,
    },
}

impl Page {
    /// A page without positions.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Page { title: title.into(), ..Page::default() }
    }

    /// Adds a tag, such as a player's name.
    #[must_use]
    pub fn tag(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.tags.push((name.into(), value.into()));
        self
    }

    /// Adds the next position. The first one is where the game starts.
    #[must_use]
    pub fn frame(mut self, frame: Frame) -> Self {
        self.frames.push(frame);
        self
    }
}

impl Extend<Frame> for Page {
    fn extend<T: IntoIterator<Item = Frame>>(&mut self, frames: T) {
        self.frames.extend(frames);
    }
}

impl Frame {
    /// A position.
    #[must_use]
    pub fn new(diagram: DiagramBuilder) -> Self {
        Frame { diagram, number: String::new(), played: String::new(), comment: String::new() }
    }

    /// The move that led here, as it is written in the game.
    #[must_use]
    pub fn played(mut self, text: impl Into<String>) -> Self {
        self.played = text.into();
        self
    }

    /// What stands before the move, such as `12.`.
    #[must_use]
    pub fn number(mut self, text: impl Into<String>) -> Self {
        self.number = text.into();
        self
    }

    /// What somebody wrote about the move or the position.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.comment = text.into();
        self
    }

    /// The move in words: `12. e4`, or that the game starts here.
    fn words(&self) -> String {
        match (self.number.is_empty(), self.played.is_empty()) {
            (_, true) => "Start".to_owned(),
            (true, false) => self.played.clone(),
            (false, false) => format!("{} {}", self.number, self.played),
        }
    }
}

impl Default for PageOptions {
    fn default() -> Self {
        PageOptions { tooltips: true, max_bytes: 1 << 26 }
    }
}

impl PageOptions {
    /// Writes or leaves out the name and square of each piece as a tooltip; without, a page is about a third
    /// smaller.
    #[must_use]
    pub fn tooltips(mut self, shown: bool) -> Self {
        self.tooltips = shown;
        self
    }

    /// How many bytes a page may have.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }
}

impl PageError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            PageError::Frame { error, .. } => error.hint(),
            PageError::Empty => None,
            PageError::TooLarge { .. } => Some("choose a window, or raise the limit".to_owned()),
        }
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Frame { index, error } => write!(f, "position {index} cannot be drawn: {error}"),
            PageError::Empty => f.write_str("a page needs at least one position"),
            PageError::TooLarge { limit } => write!(f, "the page would have more than {limit} bytes"),
        }
    }
}

impl std::error::Error for PageError {}

/// Writes a page.
///
/// # Errors
///
/// [`PageError`] if there is no position, if one cannot be drawn, or if the page would be too large.
pub fn write(page: Page, options: &PageOptions) -> Result<String, PageError> {
    let Page { title, tags, frames } = page;
    let kept = shared_squares(&frames);
    let drawing = SvgOptions::default().theme(Theme::Page).tooltips(options.tooltips);
    let (mut pictures, mut boards) = (Lines::default(), Lines::default());
    let mut table = lines::Table::new(options.max_bytes);
    let (mut moves, mut said) = (String::new(), Vec::new());
    let (mut shown, mut board) = (String::new(), String::new());
    for (index, frame) in frames.into_iter().enumerate() {
        let words = frame.words();
        list_move(&mut moves, index, &frame);
        let diagram = build(frame.diagram, &kept).map_err(|error| PageError::Frame { index, error })?;
        said.push(match diagram.turn_words() {
            Some(turn) => format!("{words}, {turn}"),
            None => words,
        });
        shown = svg::write(&diagram, &drawing);
        // In blocks, a move changes short lines of a wide board.
        board = text::write(&diagram, TextOptions::default().width(TEXT));
        let fits = pictures.push(&mut table, &shown) && boards.push(&mut table, &board);
        if !fits || moves.len() > options.max_bytes {
            return Err(PageError::TooLarge { limit: options.max_bytes });
        }
    }
    if shown.is_empty() {
        return Err(PageError::Empty);
    }
    let mut data = String::from("{\"svg\":");
    pictures.write(&mut data);
    data.push_str(",\"text\":");
    boards.write(&mut data);
    data.push_str(",\"say\":");
    lines::write_strings(&mut data, said.iter());
    data.push_str(",\"lines\":");
    table.write(&mut data);
    data.push('}');
    let html = assemble(&title, &tags, [&shown, &board, &moves], &data);
    if html.len() > options.max_bytes {
        Err(PageError::TooLarge { limit: options.max_bytes })
    } else {
        Ok(html)
    }
}

/// Every square of the game, if one picture can show them all.
fn shared_squares(frames: &[Frame]) -> Vec<Square> {
    let all: BTreeSet<&Square> = frames.iter().flat_map(|frame| frame.diagram.squares()).collect();
    let all: Vec<Square> = all.into_iter().cloned().collect();
    let fits = frames.first().is_some_and(|first| build(first.diagram.clone(), &all).is_ok());
    if fits { all } else { Vec::new() }
}

fn build(diagram: DiagramBuilder, kept: &[Square]) -> Result<Diagram, DiagramError> {
    let alone = (!kept.is_empty()).then(|| diagram.clone());
    match (diagram.keep(kept.iter().cloned()).build(), alone) {
        (Err(DiagramError::TooLarge { .. }), Some(alone)) => alone.build(),
        (built, _) => built,
    }
}

/// An entry of the move list.
fn list_move(out: &mut String, index: usize, frame: &Frame) {
    out.push_str(r#"<span class="p">"#);
    if !frame.number.is_empty() {
        let _ = write!(out, r#"<span class="n">{}</span> "#, Escaped(&frame.number));
    }
    let name = if frame.played.is_empty() { "Start" } else { &frame.played };
    let _ = write!(
        out,
        r#"<button type="button" data-ply="{index}"><bdi>{}</bdi></button></span> "#,
        Escaped(name)
    );
    if !frame.comment.is_empty() {
        let _ = write!(out, r#"<span class="c"><bdi>{}</bdi></span> "#, Escaped(&frame.comment));
    }
    out.push('\n');
}

fn assemble(
    title: &str,
    tags: &[(String, String)],
    [picture, board, moves]: [&str; 3],
    data: &str,
) -> String {
    let mut out = String::with_capacity(data.len() + moves.len() + picture.len() + 12_000);
    let title = Escaped(if title.is_empty() { "A game" } else { title });
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"boardprint\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1><bdi>{title}</bdi></h1>\n"
    );
    if !tags.is_empty() {
        out.push_str("<dl>\n");
        for (name, value) in tags {
            let (name, value) = (Escaped(name), Escaped(value));
            let _ = writeln!(out, "<div><dt><bdi>{name}</bdi></dt><dd><bdi>{value}</bdi></dd></div>");
        }
        out.push_str("</dl>\n");
    }
    out.push_str("</header>\n");
    let _ = write!(
        out,
        "<main>\n<section aria-label=\"Board\">\n<div id=\"board\">\n{picture}</div>\n\
         <p id=\"say\" role=\"status\"></p>\n<nav id=\"nav\" aria-label=\"Moves\" hidden>\n\
         <button type=\"button\" id=\"first\" aria-label=\"Start\">«</button>\n\
         <button type=\"button\" id=\"back\" aria-label=\"Back\">‹</button>\n\
         <button type=\"button\" id=\"next\" aria-label=\"Next\">›</button>\n\
         <button type=\"button\" id=\"last\" aria-label=\"End\">»</button>\n</nav>\n\
         <details>\n<summary>Board as text</summary>\n<pre id=\"text\" tabindex=\"0\">{}</pre>\n</details>\n</section>\n\
         <section aria-label=\"Game\">\n<div id=\"moves\" tabindex=\"0\">\n{moves}</div>\n</section>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        Lined(board)
    );
    out
}

#[cfg(test)]
mod tests;
