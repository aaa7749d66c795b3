//! How a diagram is written as SVG.

use crate::theme::Theme;

/// How a diagram is written as SVG: in the light theme, 45 pixels per square, with tooltips, unless set
/// otherwise.
///
/// ```
/// use boardprint_render::{SvgOptions, Theme};
/// let options = SvgOptions::default().theme(Theme::Print).width(300);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    pub(crate) tooltips: bool,
    pub(crate) prefix: String,
}

/// How large the picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Pixels per square.
    Square(u32),
    /// Pixels across the whole picture.
    Width(u32),
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions {
            theme: Theme::default(),
            size: Size::Square(45),
            tooltips: true,
            prefix: "bp-".to_owned(),
        }
    }
}

impl SvgOptions {
    /// Chooses the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the size by the side of a square, in pixels (1 to 1000).
    #[must_use]
    pub fn square(mut self, pixels: u32) -> Self {
        self.size = Size::Square(pixels.clamp(1, 1000));
        self
    }

    /// Sets the size by the width of the whole picture, in pixels (1 to 100,000).
    #[must_use]
    pub fn width(mut self, pixels: u32) -> Self {
        self.size = Size::Width(pixels.clamp(1, 100_000));
        self
    }

    /// Writes or leaves out the name and square of each piece, which programs show as a tooltip.
    #[must_use]
    pub fn tooltips(mut self, shown: bool) -> Self {
        self.tooltips = shown;
        self
    }

    /// Begins every id with this text instead of `bp-`, for pictures of different themes inside one page.
    /// Only letters, digits, `-` and `_` are kept, at most 40 of them.
    #[must_use]
    pub fn id_prefix(mut self, prefix: &str) -> Self {
        let allowed = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        self.prefix = prefix.chars().filter(allowed).take(40).collect();
        // An id begins with a letter in every dialect of XML.
        if !self.prefix.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.prefix.insert(0, 'b');
        }
        self
    }
}
