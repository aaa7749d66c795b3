//! A position.

use std::sync::Arc;

use boardprint_base::Digest;
use boardprint_games::{Content, Format, NextMove, PositionNamer, WriteOptions};
use boardprint_render::{DiagramBuilder, Rect, SvgOptions, TextOptions, Theme, diagram, svg, text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{raised, whole, wrong_word};
use crate::game::{convert, kind_of, legal_moves_of};
use crate::inputs::profile;

/// A position. Notebooks draw it; ``print`` shows it as text.
///
/// Positions are equal if their hashes are: pieces and the side to move count, move
/// counters and the notation do not.
///
/// >>> import boardprint as bp
/// >>> position = bp.read("1. e4 e5 2. Nf3")[2]
/// >>> position.fen
/// 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
/// >>> position.svg()[:4]
/// '<svg'
/// >>> position == bp.read(position.fen)[0]
/// True
#[pyclass(frozen, module = "boardprint")]
pub(crate) struct Position {
    pub(crate) content: Arc<Content<'static>>,
    last: Option<NextMove>,
    ply: usize,
}

impl Position {
    pub(crate) fn new(content: Content<'static>, last: Option<NextMove>, ply: usize) -> Self {
        Position { content: Arc::new(content), last, ply }
    }

    fn digest(&self, rights: bool) -> Digest {
        let mut digest = Digest([0; 20]);
        // The start is handed on before anything is played.
        let _ = PositionNamer::new(profile(rights)).each_cpn(&self.content, |cpn| digest = Digest::of(cpn));
        digest
    }

    fn write(&self, py: Python<'_>, format: Format) -> Option<String> {
        py.detach(|| self.content.write(format, &WriteOptions::default())).ok().map(|written| written.text)
    }

    /// The picture that notebooks show.
    pub(crate) fn picture(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None, "light", false, true, None)
    }
}

#[pymethods]
impl Position {
    /// How many half-moves were played before it.
    #[getter]
    fn ply(&self) -> usize {
        self.ply
    }

    /// Which game it is of, as :attr:`Game.kind`.
    #[getter]
    fn kind(&self) -> &'static str {
        kind_of(&self.content)
    }

    /// The Chess Position Hash (CPH): the SHA-1 of ``cpn``, 40 hex digits.
    ///
    /// >>> import boardprint as bp, hashlib
    /// >>> position = bp.read("K5,1|k5,8")[0]
    /// >>> position.hash == hashlib.sha1(position.cpn.encode()).hexdigest()
    /// True
    #[getter]
    fn hash(&self, py: Python<'_>) -> String {
        py.detach(|| self.digest(false).to_string())
    }

    /// Return the hash; with ``rights=True`` castling rights and a usable en passant square of finite games
    /// count too.
    #[pyo3(signature = (*, rights=false))]
    fn cph(&self, py: Python<'_>, rights: bool) -> String {
        py.detach(|| self.digest(rights).to_string())
    }

    /// The FEN, or None where there is none: of most positions of the open board.
    #[getter]
    fn fen(&self, py: Python<'_>) -> Option<String> {
        self.write(py, Format::Fen)
    }

    /// The SFEN of a position of Shogi, else None.
    #[getter]
    fn sfen(&self, py: Python<'_>) -> Option<String> {
        self.write(py, Format::Sfen)
    }

    /// The canonical ICN of a position of the open board or of Western chess, else None.
    ///
    /// >>> import boardprint as bp
    /// >>> bp.read("k5,8|K05,1")[0].icn
    /// 'k5,8|K5,1'
    #[getter]
    fn icn(&self, py: Python<'_>) -> Option<String> {
        self.write(py, Format::Icn)
    }

    /// The Chess Position Notation.
    ///
    /// >>> import boardprint as bp
    /// >>> bp.read("K5,1|k5,8")[0].cpn
    /// 'B--2--infinite:^k_5_8,INFINITE:^K_5_1--'
    #[getter]
    fn cpn(&self, py: Python<'_>) -> Option<String> {
        self.write(py, Format::Cpn)
    }

    /// The move that led here, or None at the start.
    #[getter]
    fn last_move(&self) -> Option<String> {
        self.last.as_ref().map(ToString::to_string)
    }

    /// Return the legal moves, spelled as in :attr:`Game.moves`.
    fn legal_moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        legal_moves_of(py, &self.content)
    }

    /// Return the position as text of a format; see :meth:`Game.convert`.
    #[pyo3(signature = (format, *, style="canonical", rights=false))]
    fn convert(&self, py: Python<'_>, format: &str, style: &str, rights: bool) -> PyResult<String> {
        convert(py, &self.content, format, style, rights)
    }

    /// Return a picture as SVG.
    ///
    /// ``width`` is in pixels; ``theme`` is ``light``, ``dark``, ``plain``, ``print`` or ``page``; ``window``
    /// is the part of the open board to show, as ``"x0,y0,x1,y1"``. The last move is marked.
    #[pyo3(signature = (*, width=None, theme="light", flip=false, coordinates=true, window=None))]
    fn svg(
        &self,
        py: Python<'_>,
        width: Option<u32>,
        theme: &str,
        flip: bool,
        coordinates: bool,
        window: Option<&str>,
    ) -> PyResult<String> {
        let Ok(theme) = theme.parse::<Theme>() else {
            return Err(wrong_word("theme", theme, &Theme::ALL.map(Theme::name)));
        };
        let window = match window.map(str::parse::<Rect>) {
            None => None,
            Some(Ok(window)) => Some(window),
            Some(Err(error)) => return Err(PyValueError::new_err(format!("window: {error}"))),
        };
        let options = SvgOptions::default().theme(theme);
        let options = width.map_or(options.clone(), |pixels| options.width(pixels));
        let drawn = py.detach(|| {
            let builder = diagram(&self.content, self.last.as_ref())?.flip(flip).coordinates(coordinates);
            let builder = match window {
                Some(window) => builder.window(window),
                None => builder,
            };
            builder.build().map(|diagram| svg::write(&diagram, &options))
        });
        drawn.map_err(|error| raised(py, &whole("diagram", error.to_string(), None)))
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.picture(py)
    }

    fn __str__(&self, py: Python<'_>) -> String {
        let drawn = py.detach(|| {
            let diagram = diagram(&self.content, self.last.as_ref()).and_then(DiagramBuilder::build).ok()?;
            Some(text::write(&diagram, TextOptions::default()).trim_end().to_owned())
        });
        drawn.unwrap_or_else(|| self.__repr__(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (kind, ply) = (self.kind(), self.ply);
        let text = match &*self.content {
            Content::Infinite(_) => self.icn(py),
            _ => self.fen(py).or_else(|| self.cpn(py)),
        };
        let text = text.unwrap_or_default();
        let text =
            if text.chars().count() > 80 { text.chars().take(79).collect::<String>() + "…" } else { text };
        format!("<Position {kind} ply {ply}: {text}>")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| self.digest(false) == other.get().digest(false))
    }

    fn __hash__(&self) -> u64 {
        u64::from_le_bytes(self.digest(false).0[..8].try_into().expect("eight bytes"))
    }
}
