//! A game.

use std::sync::{Arc, Mutex, PoisonError};

use boardprint_base::{Game as OpenGame, LineColumn};
use boardprint_games::{
    Content, FiniteGame, Format, LegalMoves, NextMove, Profile, Record, RecordError, Start, Warning,
    WriteOptions,
};
use boardprint_icn::Style;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PySlice, PyType};

use crate::errors::{of_game, of_writing, ply_of, wrong_word};
use crate::inputs::profile;
use crate::position::Position;

/// Something that had to be interpreted.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    kind: &'static str,
    message: &'static str,
    line: u64,
    column: u64,
}

impl Note {
    pub(crate) fn new(warning: &Warning, text: &str) -> Self {
        let LineColumn { line, column, .. } = warning.line_column(text);
        let (kind, message) = (warning.kind().name(), warning.kind().message());
        Note { kind, message, line: line as u64, column: column as u64 }
    }
}

static WARNING: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The notes as instances of `boardprint.Warning`.
pub(crate) fn note_objects<'py>(py: Python<'py>, notes: &[Note]) -> PyResult<Bound<'py, PyList>> {
    let class = WARNING.import(py, "boardprint._results", "Warning")?;
    let list = PyList::empty(py);
    for note in notes {
        list.append(class.call1((note.kind, note.message, note.line, note.column))?)?;
    }
    Ok(list)
}

/// A game, or a position with nothing played yet.
///
/// ``game[n]`` is the :class:`Position` after ``n`` half-moves, ``game[0]`` the start and
/// ``game[-1]`` the last one; ``len(game)`` is the number of positions. Iterating over a
/// game gives its positions.
///
/// >>> import boardprint as bp
/// >>> game = bp.read('[White "Ann"]\n[Black "Bo"]\n\n1. e4 e5 2. Nf3 1-0')
/// >>> game.tags["White"], game.result, game.plies
/// ('Ann', '1-0', 3)
/// >>> len(game), len(game.moves)
/// (4, 3)
/// >>> game
/// <Game western 3 half-moves 1-0, Ann - Bo>
/// >>> [position.hash[:6] for position in game][-1] == game[-1].hash[:6]
/// True
#[pyclass(frozen, module = "boardprint")]
pub(crate) struct Game {
    pub(crate) content: Arc<Content<'static>>,
    notes: Vec<Note>,
    format: Option<Format>,
    place: Option<Place>,
}

/// Where a game stands in a collection.
struct Place {
    source: Arc<str>,
    record: u64,
    line: Option<u64>,
    text: Option<String>,
}

impl Game {
    pub(crate) fn new(content: Content<'static>, notes: Vec<Note>, format: Format) -> Self {
        Game { content: Arc::new(content), notes, format: Some(format), place: None }
    }

    /// A game of a collection.
    pub(crate) fn of_record(content: Content<'static>, warnings: &[Warning], record: Record) -> Self {
        let notes = warnings.iter().map(|warning| Note::new(warning, &record.text)).collect();
        let place = Place {
            source: record.source,
            record: record.number,
            line: Some(record.line),
            text: Some(record.text),
        };
        Game { content: Arc::new(content), notes, format: Some(record.format), place: Some(place) }
    }

    /// A game of a database.
    pub(crate) fn of_database(content: Content<'static>, source: Arc<str>, record: u64) -> Self {
        let place = Place { source, record, line: None, text: None };
        Game { content: Arc::new(content), notes: Vec::new(), format: None, place: Some(place) }
    }

    fn position(&self, py: Python<'_>, ply: usize) -> PyResult<Position> {
        let content = &self.content;
        let at = py.detach(|| content.at(ply)).map_err(|error| of_game(py, &error))?;
        let last = ply.checked_sub(1).and_then(|index| moves_from(content, index, 1).pop());
        Ok(Position::new(at, last, ply))
    }
}

#[pymethods]
impl Game {
    /// The tags as a dict, in order. Of a tag given twice the first counts.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in self.content.tags() {
            if !tags.contains(name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(tags)
    }

    /// The moves as a list of texts: ``e2e4`` in a finite game, ``1,2>1,4`` on the open board.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.content.moves().map(|step| step.to_string()).collect()
    }

    /// How it ended: ``1-0``, ``0-1``, ``1/2-1/2``, ``*``, or None if the record does not say.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.content.result().map(boardprint_base::GameResult::as_str)
    }

    /// The hash that equal games share, whatever their tags, comments and spelling: 40 hex digits.
    ///
    /// A record without moves is a position; its hash is that of the position.
    ///
    /// >>> import boardprint as bp
    /// >>> bp.read("1. e4 {best by test} e5!?").hash == bp.read("1.e4 e5 *").hash
    /// True
    #[getter]
    fn hash(&self, py: Python<'_>) -> String {
        py.detach(|| self.content.key(Profile::Plain).digest().to_string())
    }

    /// The number of half-moves.
    #[getter]
    fn plies(&self) -> usize {
        self.content.plies()
    }

    /// Which game it is: ``infinite``, ``western``, ``makruk``, ``shogi``, ``xiangqi``, ``janggi``, or
    /// ``board``.
    #[getter]
    fn kind(&self) -> &'static str {
        kind_of(&self.content)
    }

    /// The laws in the spelling of canonical ICN, empty for the usual ones; None where there is no open board.
    #[getter]
    fn laws(&self) -> Option<String> {
        self.content.laws()
    }

    /// The format in which it was read; None if it comes from a database.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.format.map(Format::name)
    }

    /// What had to be interpreted to read it: a list of :class:`Warning`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        note_objects(py, &self.notes)
    }

    /// The file it was read from, or None.
    #[getter]
    fn source(&self) -> Option<&str> {
        self.place.as_ref().map(|place| &*place.source)
    }

    /// Its number in that file, from 1, or None.
    #[getter]
    fn record(&self) -> Option<u64> {
        self.place.as_ref().map(|place| place.record)
    }

    /// The line on which it begins, from 1, or None.
    #[getter]
    fn line(&self) -> Option<u64> {
        self.place.as_ref().and_then(|place| place.line)
    }

    /// The text of its record as it stands in the file, or None.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.place.as_ref().and_then(|place| place.text.as_deref())
    }

    /// Iterate over the positions, the start first. Only some of them are in memory at a time.
    ///
    /// >>> import boardprint as bp
    /// >>> [position.ply for position in bp.read("1. e4 e5").positions()]
    /// [0, 1, 2]
    fn positions(&self) -> Positions {
        let walk = Walk { at: 0, from: None, ready: Vec::new().into_iter() };
        Positions { content: Arc::clone(&self.content), walk: Mutex::new(walk) }
    }

    fn __iter__(&self) -> Positions {
        self.positions()
    }

    /// Return the hashes of all positions, the start first, as a list of 40 hex digits each.
    ///
    /// >>> import boardprint as bp
    /// >>> len(bp.read("1. e4 e5").hashes())
    /// 3
    #[pyo3(signature = (*, rights=false))]
    fn hashes(&self, py: Python<'_>, rights: bool) -> PyResult<Vec<String>> {
        let hashes =
            py.detach(|| self.content.hashes(profile(rights))).map_err(|error| of_game(py, &error))?;
        Ok(hashes.iter().map(ToString::to_string).collect())
    }

    /// Return the legal moves after ``ply`` half-moves; the last position unless said otherwise.
    ///
    /// They are spelled as in ``moves``. Endless rays of the open board are a step and how
    /// often it is taken at least and at most: ``0,0>(1,0)*1..``.
    ///
    /// >>> import boardprint as bp
    /// >>> len(bp.read("1. e4 e5").legal_moves(0))
    /// 20
    #[pyo3(signature = (ply=-1))]
    fn legal_moves(&self, py: Python<'_>, ply: isize) -> PyResult<Vec<String>> {
        let ply = ply_of(&self.content, ply)?;
        legal_moves_of(py, &self.position(py, ply)?.content)
    }

    /// Return the game as text, whole where the format has games. Others, such as ``fen`` and ``cpn``, have
    /// the last position; ``game[0].convert("fen")`` is the start.
    ///
    /// ``style`` of ICN is ``canonical``, ``compact`` or ``readable``. Raises :class:`boardprint.SyntaxError`
    /// of kind ``no-such-form`` where the game has no such form.
    ///
    /// >>> import boardprint as bp
    /// >>> print(bp.read("K5,1|k5,8 5,1>5,2").convert("icn"))
    /// k5,8|K5,1 5,1>5,2
    #[pyo3(signature = (format, *, style="canonical", rights=false))]
    fn convert(&self, py: Python<'_>, format: &str, style: &str, rights: bool) -> PyResult<String> {
        match format.parse() {
            Ok(to) if !self.content.is_whole_in(to) => {
                let last = self.position(py, self.content.plies())?;
                convert(py, &last.content, format, style, rights)
            }
            _ => convert(py, &self.content, format, style, rights),
        }
    }

    fn __len__(&self) -> usize {
        self.content.plies() + 1
    }

    fn __getitem__(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(slice) = at.cast::<PySlice>() {
            let positions = isize::try_from(self.content.plies() + 1).unwrap_or(isize::MAX);
            let indices = slice.indices(positions)?;
            let list = PyList::empty(py);
            let mut place = indices.start;
            for _ in 0..indices.slicelength {
                list.append(Py::new(py, self.position(py, place.unsigned_abs())?)?)?;
                place += indices.step;
            }
            return Ok(list.into_any().unbind());
        }
        let ply = ply_of(&self.content, at.extract()?)?;
        Ok(Py::new(py, self.position(py, ply)?)?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let key = |game: &Game| game.content.key(Profile::Plain).text;
        other.cast::<Game>().is_ok_and(|other| key(self) == key(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let digest = self.content.key(Profile::Plain).digest();
        u64::from_le_bytes(digest.0[..8].try_into().expect("eight bytes"))
    }

    fn __repr__(&self) -> String {
        let plies = self.content.plies();
        let mut text =
            format!("<Game {} {plies} half-move{}", self.kind(), if plies == 1 { "" } else { "s" });
        if let Some(result) = self.result() {
            text += " ";
            text += result;
        }
        if let (Some(white), Some(black)) = (self.content.tag("White"), self.content.tag("Black")) {
            for part in [", ", white, " - ", black] {
                text += part;
            }
        }
        text + ">"
    }

    /// The last position as SVG: notebooks show it.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.position(py, self.content.plies())?.picture(py)
    }
}

/// The name of the game.
pub(crate) fn kind_of(content: &Content<'_>) -> &'static str {
    match content {
        Content::Infinite(_) => "infinite",
        Content::Finite(game) => game.game().name(),
        _ => "board",
    }
}

/// The legal moves of a position as texts.
pub(crate) fn legal_moves_of(py: Python<'_>, content: &Content<'_>) -> PyResult<Vec<String>> {
    let moves = py.detach(|| content.legal_moves()).map_err(|error| of_game(py, &error))?;
    Ok(match &moves {
        LegalMoves::Finite(board, moves) => {
            moves.iter().map(|step| step.uci(board.game()).to_string()).collect()
        }
        other => other.to_string().split_ascii_whitespace().map(str::to_owned).collect(),
    })
}

/// A content as text.
pub(crate) fn convert(
    py: Python<'_>,
    content: &Content<'_>,
    format: &str,
    style: &str,
    rights: bool,
) -> PyResult<String> {
    let Ok(to) = format.parse::<Format>() else {
        return Err(wrong_word("format", format, &Format::ALL.map(Format::name)));
    };
    let style = match style {
        "canonical" => Style::Canonical,
        "compact" => Style::Compact,
        "readable" => Style::Readable,
        other => return Err(wrong_word("style", other, &["canonical", "compact", "readable"])),
    };
    let options = WriteOptions::default().style(style).rights(rights);
    py.detach(|| content.write(to, &options))
        .map(|written| written.text)
        .map_err(|error| of_writing(py, &error))
}

/// The positions of a game, one after another.
#[pyclass(frozen, module = "boardprint")]
pub(crate) struct Positions {
    content: Arc<Content<'static>>,
    walk: Mutex<Walk>,
}

/// How far the positions have been handed on.
struct Walk {
    /// The half-move of the next position that is not ready.
    at: usize,
    /// The position before it.
    from: Option<Content<'static>>,
    ready: std::vec::IntoIter<Position>,
}

/// How many positions are made at a time: replaying from the start for each would take quadratic time.
const STRIDE: usize = 32;

impl Positions {
    fn fill(&self, walk: &mut Walk) -> Result<(), RecordError> {
        let (plies, first) = (self.content.plies(), walk.at);
        if first > plies {
            return Ok(());
        }
        // If something fails, that was the end.
        walk.at = plies + 1;
        let moves = moves_from(&self.content, first.saturating_sub(1), STRIDE);
        let start = match walk.from.take() {
            Some(from) => from,
            None => self.content.at(0)?,
        };
        let mut ready = Vec::with_capacity(STRIDE + 1);
        let before = first.saturating_sub(1);
        with_moves(&start, &moves).each_position(|step, position| {
            let ply = before + step;
            if ply >= first {
                let last = step.checked_sub(1).map(|index| moves[index].clone());
                ready.push(Position::new(position.clone(), last, ply));
            }
            Ok::<(), RecordError>(())
        })?;
        walk.at = before + moves.len() + 1;
        walk.from = ready.last().map(|last| (*last.content).clone());
        walk.ready = ready.into_iter();
        Ok(())
    }
}

/// Some moves of a game, without going through those before.
fn moves_from(content: &Content<'_>, first: usize, count: usize) -> Vec<NextMove> {
    fn part<T>(all: &[T], first: usize, count: usize) -> &[T] {
        let first = first.min(all.len());
        &all[first..first.saturating_add(count).min(all.len())]
    }
    match content {
        Content::Infinite(game) => {
            let moves = part(&game.moves, first, count).iter();
            moves.map(|step| NextMove::Infinite(step.clone())).collect()
        }
        Content::Finite(game) => {
            let kind = game.game();
            part(game.moves(), first, count).iter().map(|step| NextMove::Finite(kind, *step)).collect()
        }
        _ => Vec::new(),
    }
}

/// A position, and how it goes on.
fn with_moves(start: &Content<'static>, moves: &[NextMove]) -> Content<'static> {
    match start {
        Content::Infinite(game) => {
            let open = moves.iter().filter_map(|step| match step {
                NextMove::Infinite(step) => Some(step.clone()),
                NextMove::Finite(..) => None,
            });
            Content::Infinite(OpenGame { moves: open.collect(), ..game.clone() })
        }
        Content::Finite(game) => match game.start() {
            Start::Board(board) => {
                let finite = moves.iter().filter_map(|step| match step {
                    NextMove::Finite(_, step) => Some(*step),
                    NextMove::Infinite(_) => None,
                });
                let mut played = FiniteGame::unchecked(board.clone(), finite.collect());
                played.tags.clone_from(&game.tags);
                Content::Finite(played)
            }
            Start::Fen(_) => start.clone(),
        },
        other => other.clone(),
    }
}

#[pymethods]
impl Positions {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Position>> {
        py.detach(|| {
            let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(position) = walk.ready.next() {
                return Ok(Some(position));
            }
            self.fill(&mut walk)?;
            Ok(walk.ready.next())
        })
        .map_err(|error| of_game(py, &error))
    }
}
