//! Colours of the board, by theme.

use std::fmt;
use std::str::FromStr;

use boardprint_base::Player;

use crate::palette::{self, Colour, Ink};

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Theme {
    /// Warm squares on a light frame.
    #[default]
    Light,
    /// The same on a dark frame, with squares that do not dazzle.
    Dark,
    /// Greys without a frame, for a document that has a look of its own.
    Plain,
    /// Black on white, for paper: marks are outlines.
    Print,
    /// No frame, and labels in the colour of the text around the picture (`currentColor`), for a page that is
    /// light or dark as its reader wants.
    Page,
}

/// The text is not the name of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseThemeError;

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 5] = [Theme::Light, Theme::Dark, Theme::Plain, Theme::Print, Theme::Page];

    /// The name, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Plain => "plain",
            Theme::Print => "print",
            Theme::Page => "page",
        }
    }

    pub(crate) const fn palette(self) -> Palette {
        match self {
            Theme::Light => LIGHT,
            Theme::Dark => DARK,
            Theme::Plain => PLAIN,
            Theme::Print => PRINT,
            Theme::Page => Palette { frame: None, label: Paint::Current, ..LIGHT },
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Theme {
    type Err = ParseThemeError;
    fn from_str(text: &str) -> Result<Self, ParseThemeError> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(ParseThemeError)
    }
}

impl fmt::Display for ParseThemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a theme: `light`, `dark`, `plain`, `print` or `page`")
    }
}

impl std::error::Error for ParseThemeError {}

/// A colour, or the colour of the text around the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Colour(Colour),
    Current,
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Paint::Colour(colour) => colour.fmt(f),
            Paint::Current => f.write_str("currentColor"),
        }
    }
}

/// The colours of one theme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Around the board; nothing if what is below should be seen.
    pub(crate) frame: Option<Colour>,
    /// Names of rows and columns, counts and words.
    pub(crate) label: Paint,
    /// Light squares.
    pub(crate) light: Colour,
    /// Dark squares.
    pub(crate) dark: Colour,
    /// Boards of wood.
    pub(crate) wood: Colour,
    /// Tiles, lighter than the board under them.
    pub(crate) tile: Colour,
    /// Lines on wood and around tiles.
    pub(crate) line: Colour,
    /// Around the board.
    pub(crate) edge: Colour,
    /// Squares beyond the border.
    pub(crate) beyond: Colour,
    /// Folded rows and columns, and what is written there.
    pub(crate) fold: Colour,
    pub(crate) fold_text: Colour,
    /// Squares of the last move.
    pub(crate) moved: Colour,
    /// Squares somebody points at.
    pub(crate) highlight: Colour,
    /// Whether marked squares are outlined instead of filled.
    pub(crate) outlines: bool,
    /// Where a movement may end.
    pub(crate) target: Colour,
    /// Where a movement may capture.
    pub(crate) capture: Colour,
    /// Arrows.
    pub(crate) arrow: Colour,
    /// Whether pieces are pure black and white.
    pub(crate) stark: bool,
}

impl Palette {
    /// How a player's pieces are coloured.
    pub(crate) fn ink(&self, player: Player) -> Ink {
        const BLACK: Colour = Colour(0, 0, 0);
        const WHITE: Colour = Colour(255, 255, 255);
        match player {
            Player::WHITE if self.stark => Ink { fill: WHITE, stroke: BLACK, detail: BLACK },
            Player::BLACK if self.stark => Ink { fill: BLACK, stroke: BLACK, detail: WHITE },
            player => palette::ink(player),
        }
    }
}

const LIGHT: Palette = Palette {
    frame: Some(Colour(0xfa, 0xf8, 0xf4)),
    label: Paint::Colour(Colour(0x57, 0x53, 0x4a)),
    light: Colour(0xec, 0xe5, 0xd8),
    dark: Colour(0xb9, 0xad, 0x99),
    wood: Colour(0xec, 0xd3, 0x9f),
    tile: Colour(0xfb, 0xee, 0xcf),
    line: Colour(0x4a, 0x3b, 0x26),
    edge: Colour(0x6b, 0x63, 0x55),
    beyond: Colour(0x3b, 0x3d, 0x42),
    fold: Colour(0xfa, 0xf8, 0xf4),
    fold_text: Colour(0x57, 0x53, 0x4a),
    moved: Colour(0xe3, 0xc4, 0x4f),
    highlight: Colour(0x6f, 0xa8, 0xdc),
    outlines: false,
    target: Colour(0x2e, 0x7d, 0x4f),
    capture: Colour(0xc0, 0x39, 0x2b),
    arrow: Colour(0x1f, 0x6f, 0xb5),
    stark: false,
};

const DARK: Palette = Palette {
    frame: Some(Colour(0x24, 0x26, 0x2a)),
    label: Paint::Colour(Colour(0xc9, 0xc5, 0xbb)),
    light: Colour(0xb4, 0xac, 0x9d),
    dark: Colour(0x7d, 0x74, 0x66),
    wood: Colour(0xb8, 0x9d, 0x6b),
    tile: Colour(0xe6, 0xd5, 0xae),
    line: Colour(0x2e, 0x24, 0x15),
    edge: Colour(0x8d, 0x85, 0x76),
    beyond: Colour(0x14, 0x15, 0x18),
    fold: Colour(0x24, 0x26, 0x2a),
    fold_text: Colour(0xc9, 0xc5, 0xbb),
    moved: Colour(0xc9, 0xa8, 0x32),
    highlight: Colour(0x5b, 0x90, 0xc4),
    ..LIGHT
};

const PLAIN: Palette = Palette {
    frame: None,
    label: Paint::Colour(Colour(0x33, 0x33, 0x33)),
    light: Colour(0xff, 0xff, 0xff),
    dark: Colour(0xcf, 0xcf, 0xcf),
    wood: Colour(0xff, 0xff, 0xff),
    tile: Colour(0xff, 0xff, 0xff),
    line: Colour(0x33, 0x33, 0x33),
    edge: Colour(0x33, 0x33, 0x33),
    beyond: Colour(0x80, 0x80, 0x80),
    fold: Colour(0xff, 0xff, 0xff),
    fold_text: Colour(0x33, 0x33, 0x33),
    ..LIGHT
};

const PRINT: Palette = Palette {
    frame: Some(Colour(0xff, 0xff, 0xff)),
    label: Paint::Colour(Colour(0, 0, 0)),
    dark: Colour(0xc4, 0xc4, 0xc4),
    line: Colour(0, 0, 0),
    edge: Colour(0, 0, 0),
    fold_text: Colour(0, 0, 0),
    moved: Colour(0, 0, 0),
    highlight: Colour(0x60, 0x60, 0x60),
    outlines: true,
    target: Colour(0, 0, 0),
    capture: Colour(0, 0, 0),
    arrow: Colour(0x40, 0x40, 0x40),
    stark: true,
    ..PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for theme in Theme::ALL {
            assert_eq!(theme.to_string().parse(), Ok(theme));
        }
        assert_eq!("Light".parse::<Theme>(), Err(ParseThemeError));
    }
}
