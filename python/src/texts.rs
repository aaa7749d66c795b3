//! Functions of single texts.

use boardprint_games::{Content, Format, ReadOptions, Warning};
use boardprint_icn::canonical;
use boardprint_tables::Failure;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors::{of_game, of_text, ply_of, raised, whole};
use crate::game::{Game, Note, note_objects};
use crate::inputs::{Reading, profile};

/// What a text of any format means, with its warnings.
pub(crate) fn content_of(
    text: &str,
    reading: &Reading,
) -> Result<(Content<'static>, Vec<Note>, Format), Failure> {
    let Some(format) = reading.format.or_else(|| Format::detect(text.as_bytes())) else {
        let hint = "a position in ICN looks like `K5,1|k5,8`; other formats can be named: format=\"fen\"";
        return Err(whole("unknown-format", "cannot tell the format of this text", Some(hint.to_owned())));
    };
    let options: &ReadOptions = &reading.options;
    let read = options.read_text(format, text).map_err(|error| of_text(text, &error))?;
    let notes = read.warnings.iter().map(|warning: &Warning| Note::new(warning, text)).collect();
    Ok((read.content.into_owned(), notes, format))
}

/// Return the canonical ICN of a game or position of the open board.
///
/// Two texts of the same game give the same canonical text, whoever wrote them down.
/// With ``warnings=True`` the answer is a tuple: the text, and the list that
/// :func:`warnings` gives.
///
/// >>> import boardprint as bp
/// >>> bp.canon("K05,1|k5,8 1. K5,1 > 5,2")
/// 'k5,8|K5,1 5,1>5,2'
/// >>> text, notes = bp.canon("K05,1|k5,8", warnings=True)
/// >>> notes[0].kind
/// 'leading-zero'
#[pyfunction]
#[pyo3(signature = (text, *, warnings=false, format=None))]
pub(crate) fn canon(py: Python<'_>, text: &str, warnings: bool, format: Option<&str>) -> PyResult<Py<PyAny>> {
    let reading = Reading::new(format, None)?;
    let (canonical, notes) = py
        .detach(|| match content_of(text, &reading)? {
            (Content::Infinite(game), notes, _) => Ok((canonical(&game), notes)),
            _ => Err(whole(
                "no-such-form",
                "this is not a position of the open board",
                Some("finite games have a CPN and a FEN: read(text)[-1].fen".to_owned()),
            )),
        })
        .map_err(|failure: Failure| raised(py, &failure))?;
    if !warnings {
        return Ok(canonical.into_pyobject(py)?.into_any().unbind());
    }
    let notes = note_objects(py, &notes)?;
    Ok(PyTuple::new(py, [canonical.into_pyobject(py)?.into_any(), notes.into_any()])?.into_any().unbind())
}

/// Return what had to be interpreted to read a text, as a list of :class:`Warning`.
///
/// >>> import boardprint as bp
/// >>> [(note.kind, note.line, note.column) for note in bp.warnings("K05,1|k5,8")]
/// [('leading-zero', 1, 2)]
/// >>> bp.warnings("K5,1|k5,8")
/// []
#[pyfunction]
#[pyo3(signature = (text, *, format=None))]
pub(crate) fn warnings<'py>(
    py: Python<'py>,
    text: &str,
    format: Option<&str>,
) -> PyResult<Bound<'py, PyList>> {
    let reading = Reading::new(format, None)?;
    let (_, notes, _) = py.detach(|| content_of(text, &reading)).map_err(|failure| raised(py, &failure))?;
    note_objects(py, &notes)
}

/// Return the Chess Position Hash (CPH) of a position in any notation: 40 hex digits.
///
/// Of a game it is the last position, or the one after ``ply`` half-moves; negative
/// numbers count from the end. ``rights=True`` lets castling rights and a usable en
/// passant square of finite games count as well. ``game`` says which game a FEN is of
/// where its shape and letters leave it open.
///
/// >>> import boardprint as bp
/// >>> bp.cph("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
/// '5693c349961f8bc345c6c11418aa00be3a038d8f'
/// >>> bp.cph("1. e4 e5 2. Nf3") == bp.cph("1. Nf3 e5 2. e4")
/// True
/// >>> bp.cph("1. e4 e5", ply=0) == bp.cph("1. d4", ply=0)
/// True
#[pyfunction]
#[pyo3(signature = (text, *, ply=None, rights=false, format=None, game=None))]
pub(crate) fn cph(
    py: Python<'_>,
    text: &str,
    ply: Option<isize>,
    rights: bool,
    format: Option<&str>,
    game: Option<&str>,
) -> PyResult<String> {
    let reading = Reading::new(format, game)?;
    let (content, _, _) = py.detach(|| content_of(text, &reading)).map_err(|failure| raised(py, &failure))?;
    let ply = ply_of(&content, ply.unwrap_or(-1))?;
    // Moves after it do not matter, even if they cannot be played.
    let hashes =
        py.detach(|| content.at(ply)?.hashes(profile(rights))).map_err(|error| of_game(py, &error))?;
    Ok(hashes.first().map(ToString::to_string).unwrap_or_default())
}

/// Read a game or position from text of any format.
///
/// ICN, its JSON long form, PGN, FEN, SFEN and CPN are told apart by their content;
/// ``format`` names one, ``game`` says which game a FEN is of where it leaves that open.
/// Raises :class:`boardprint.SyntaxError` if the text cannot be read.
///
/// >>> import boardprint as bp
/// >>> game = bp.read("1. e4 c5 2. Nf3 d6 *")
/// >>> game.moves
/// ['e2e4', 'c7c5', 'g1f3', 'd7d6']
/// >>> game[2].fen
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
#[pyfunction]
#[pyo3(signature = (text, *, format=None, game=None))]
pub(crate) fn read(py: Python<'_>, text: &str, format: Option<&str>, game: Option<&str>) -> PyResult<Game> {
    let reading = Reading::new(format, game)?;
    let (content, notes, format) =
        py.detach(|| content_of(text, &reading)).map_err(|failure| raised(py, &failure))?;
    Ok(Game::new(content, notes, format))
}
