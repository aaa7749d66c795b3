//! PNG pictures, with the feature `png`.
//!
//! **Writes** the picture of [`svg::write`] as an 8-bit RGBA file. Shapes, letters and signs are drawn by
//! this crate, so the bytes depend on the diagram and the options alone: not on fonts, nor on the machine.
//! Letters beyond ASCII for which there is no drawing show as boxes; in a picture that happens only for names
//! that a file brings along.
//!
//! # Why not a library
//!
//! `resvg` would draw the SVG as it is, but it needs a font for every label and sign, and brings 62 crates.
//! `tiny-skia` alone brings 17 with its PNG writer, leaves letters and the reading of our shapes to us, and
//! uses the vector units of the machine. What our pictures need (filled polygons, lines with a width, arcs)
//! is small: this module needs one crate, `miniz_oxide` (which needs `adler2`), for compression. `flate2`
//! with `zlib-rs`, which the program has anyway, may compress to other bytes on another machine.

mod canvas;
mod element;
mod file;
mod geometry;
mod letters;
mod painter;
mod path;
mod stroke;

use std::fmt;

use crate::diagram::Diagram;
use crate::svg::{self, SvgOptions};
use crate::theme::Theme;

/// How a diagram is written as PNG: in the light theme, 60 pixels per square, at most 16 million pixels,
/// unless set otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PngOptions {
    svg: SvgOptions,
    max_pixels: usize,
}

/// Why a picture is not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PngError {
    /// The picture would have more pixels than the limit allows.
    TooLarge {
        /// Its width in pixels.
        width: usize,
        /// Its height in pixels.
        height: usize,
        /// How many pixels are allowed.
        limit: usize,
    },
}

impl Default for PngOptions {
    fn default() -> Self {
        // Tooltips would be left out anyway.
        PngOptions { svg: SvgOptions::default().square(60).tooltips(false), max_pixels: 1 << 24 }
    }
}

impl PngOptions {
    /// Chooses the colours. Themes without a frame have a transparent background; [`Theme::Page`] has black
    /// labels.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.svg = self.svg.theme(theme);
        self
    }

    /// Sets the size by the side of a square, in pixels (1 to 1000).
    #[must_use]
    pub fn square(mut self, pixels: u32) -> Self {
        self.svg = self.svg.square(pixels);
        self
    }

    /// Sets the size by the width of the whole picture, in pixels (1 to 100,000).
    #[must_use]
    pub fn width(mut self, pixels: u32) -> Self {
        self.svg = self.svg.width(pixels);
        self
    }

    /// How many pixels a picture may have; each takes four bytes of memory while it is drawn.
    #[must_use]
    pub fn max_pixels(mut self, pixels: usize) -> Self {
        self.max_pixels = pixels;
        self
    }
}

impl PngError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let PngError::TooLarge { .. } = self;
        Some("make the squares smaller, show a part of the board, or write SVG".to_owned())
    }
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PngError::TooLarge { width, height, limit } = self;
        write!(f, "the picture would be {width} by {height} pixels, more than {limit} altogether")
    }
}

impl std::error::Error for PngError {}

/// Writes a diagram as PNG.
///
/// # Errors
///
/// [`PngError::TooLarge`] if the picture would have more pixels than the options allow.
///
/// ```
/// use boardprint_render::{Diagram, PngOptions, png};
/// let picture = png::write(&Diagram::builder().build()?, &PngOptions::default().width(200))?;
/// assert!(picture.starts_with(b"\x89PNG\r\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(diagram: &Diagram, options: &PngOptions) -> Result<Vec<u8>, PngError> {
    draw(&svg::write(diagram, &options.svg), options.max_pixels)
}

/// Writes a sheet of every built-in kind as PNG.
///
/// # Errors
///
/// [`PngError::TooLarge`] if the picture would have more pixels than the options allow.
pub fn piece_sheet(options: &PngOptions) -> Result<Vec<u8>, PngError> {
    draw(&svg::piece_sheet(&options.svg), options.max_pixels)
}

/// Draws one of our own SVG pictures.
fn draw(picture: &str, limit: usize) -> Result<Vec<u8>, PngError> {
    let (width, height, scale) = painter::size(picture);
    if width.checked_mul(height).is_none_or(|pixels| pixels > limit) {
        return Err(PngError::TooLarge { width, height, limit });
    }
    let mut canvas = canvas::Canvas::new(width, height);
    painter::paint(picture, scale, &mut canvas);
    Ok(file::write(width, height, canvas.pixels()))
}

#[cfg(test)]
mod tests;
