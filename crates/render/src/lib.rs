//! Pictures of boards: a window of squares as SVG, PNG or terminal text, and a page of a whole game.
//!
//! A [`DiagramBuilder`] collects what is to be seen; [`DiagramBuilder::build`] lays it out and is the only
//! step that can refuse. A [`Diagram`] can then be written, always as the same bytes for the same diagram:
//!
//! | form | by | options |
//! |---|---|---|
//! | SVG | [`svg::write`] | [`SvgOptions`]: theme, size, tooltips, ids |
//! | text | [`text::write`] | [`TextOptions`]: ASCII, colour, width of the terminal |
//! | PNG, with the feature `png` | `png::write` | `PngOptions`: theme, size, limit on pixels |
//! | HTML | [`page::write`], from many diagrams | [`page::PageOptions`]: tooltips, limit on bytes |
//!
//! The board has no edges, so a diagram shows only where something is: every line (row or column) with a
//! piece or a mark, a margin around it, and what lies between when that is little. Longer runs of empty lines
//! are **folded** into a band that says how many there are. A king at 10^15 is one band away from the rest.
//!
//! ```
//! use boardprint_base::{Piece, PieceKind, Player, Square};
//! use boardprint_render::{Diagram, SvgOptions, TextOptions, svg, text};
//!
//! let king = |player| Piece::new(PieceKind::King, player);
//! let diagram = Diagram::builder()
//!     .piece(Square::new(4, 4), king(Player::WHITE))
//!     .piece(Square::new(10_i64.pow(15), 5), king(Player::BLACK))
//!     .build()?;
//! assert!(svg::write(&diagram, &SvgOptions::default()).starts_with("<svg"));
//! assert!(text::write(&diagram, TextOptions::default().ascii()).contains("columns 6 to 10^15-2"));
//! # Ok::<(), boardprint_render::DiagramError>(())
//! ```
//!
//! # Movement diagrams
//!
//! Where a movement goes is a diagram too: the piece (or [`Glyph::Origin`]), what stands in its way
//! ([`Glyph::Friend`], [`Glyph::Enemy`]), [`Mark::Target`], [`Mark::Capture`], and an arrow for each movement
//! that never ends.
//!
//! ```
//! use boardprint_base::Square;
//! use boardprint_render::{Diagram, Glyph, Mark, TextOptions, text};
//!
//! let diagram = Diagram::builder()
//!     .window("0,0,3,1".parse()?)
//!     .piece(Square::new(1, 0), Glyph::Origin)
//!     .piece(Square::new(1, 1), Glyph::Enemy)
//!     .mark(Square::new(1, 1), Mark::Capture)
//!     .marks([Square::new(2, 0), Square::new(3, 0)], Mark::Target)
//!     .ray(Square::new(1, 0), 1, 0)
//!     .coordinates(false)
//!     .build()?;
//! assert_eq!(text::write(&diagram, TextOptions::default()), " · (■ )·  ·\n ·  ★  •  →\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`DiagramBuilder::mover`] draws a piece by its name, so that a knight's moves start at a knight.
//!
//! Finite games (Western, Makruk, Shogi, Xiangqi, Janggi) come from their actors: [`finite::board`]. Boards
//! of three and more dimensions are drawn in [`Layers`].
//!
//! # Limits
//!
//! A picture has at most 16,384 squares unless [`DiagramBuilder::limit`] allows more; a larger one is refused
//! before anything is laid out, and the error proposes a window.

mod axis;
mod builder;
mod content;
mod diagram;
mod error;
pub mod finite;
mod glyph;
mod label;
mod layers;
pub mod page;
mod palette;
#[cfg(feature = "png")]
pub mod png;
mod signs;
pub mod svg;
pub mod text;
mod theme;
mod xml;

pub use boardprint_base::{ParseRectError, Rect};
pub use builder::DiagramBuilder;
pub use content::diagram;
pub use diagram::{Diagram, Labels, Mark, Surface};
pub use error::DiagramError;
pub use glyph::{Form, Glyph, Makruk, Tile};
pub use layers::Layers;
#[cfg(feature = "png")]
pub use png::{PngError, PngOptions};
pub use svg::SvgOptions;
pub use text::TextOptions;
pub use theme::{ParseThemeError, Theme};

/// The page of the crate: its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
