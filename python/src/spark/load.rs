//! Tables that a cluster built, into a database.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use boardprint_base::{Digest, GameResult, Move as OpenMove};
use boardprint_finite::{Game as FiniteKind, Move};
use boardprint_games::{Format, Profile};
use boardprint_store::db::{
    Access, BuiltGame, BuiltNotes, BuiltPostings, Db, Error, LoadTarget, Options, Origin, Posting, Prefix,
    RunPart, Source, StoredMove, load_part, make_shards,
};
use boardprint_store::games::Rules;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator};

use super::group::{column, other};
use super::stream::{bad, batches};
use crate::inputs::{Reading, profile};

type Built<T> = Result<T, Error>;

fn failed(error: &Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// A database that is being filled, on the driver. It is held for writing as long as this lives.
#[pyclass(frozen, module = "boardprint", name = "_Loading")]
pub(super) struct Loading {
    db: Mutex<Option<Db>>,
    rules: Rules,
    target: LoadTarget,
    first_game: u64,
}

#[pymethods]
impl Loading {
    /// Opens a database, or makes one, with shards if some are named.
    #[new]
    fn new(py: Python<'_>, url: &str, shards: Vec<String>, about: &Bound<'_, PyDict>) -> PyResult<Self> {
        let get = |name: &str| Ok::<_, PyErr>(about.get_item(name)?.filter(|value| !value.is_none()));
        let rights = get("rights")?.map_or(Ok(false), |value| value.extract())?;
        let max_ply: Option<u32> = get("max_ply")?.map(|value| value.extract()).transpose()?;
        let word = |name: &str| get(name)?.map(|value| value.extract::<String>()).transpose();
        let reading = Reading::new(word("format")?.as_deref(), word("game")?.as_deref())?;
        let profile: Profile = profile(rights);
        let rules = Rules::new(profile).reading(reading.options);
        py.detach(|| {
            if !shards.is_empty() {
                make_shards(Path::new(url), &shards).map_err(|error| failed(&error))?;
            }
            let options = Options::default()
                .profile(profile.name())
                .max_ply(max_ply)
                .access(Access::Write)
                .create(true)
                .purpose("boardprint.spark.load");
            let db = Db::open(Path::new(url), options).map_err(|error| failed(&error))?;
            let first_game = db.snapshot().next_game();
            let target = db.load_target(&rules).map_err(|error| failed(&error))?;
            Ok(Loading { db: Mutex::new(Some(db)), rules, target, first_game })
        })
    }

    /// What workers need to know: where parts go, and the number of the first game.
    fn target(&self) -> (String, u64) {
        (self.target.to_text(), self.first_game)
    }

    /// Takes the games in order, as rows of records in Arrow IPC, and lets everything count.
    ///
    /// `sources` are paths and how many records each has; `parts` is what the workers put in.
    fn finish<'py>(
        &self,
        py: Python<'py>,
        records: &Bound<'py, PyIterator>,
        sources: Vec<(String, u64)>,
        parts: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner).take();
        let db = db.ok_or_else(|| PyValueError::new_err("the load has ended"))?;
        let parts: Built<Vec<RunPart>> = parts.iter().map(|part| RunPart::from_bytes(part)).collect();
        let parts = parts.map_err(|error| failed(&error))?;
        let files: HashMap<&str, u32> = sources.iter().map(|(path, _)| &**path).zip(0..).collect();
        let notes = BuiltNotes {
            // Whoever imports these files later reads them from the beginning and finds the games there.
            sources: sources
                .iter()
                .map(|(path, records)| Source {
                    path: path.as_str().into(),
                    stamp: Digest::of(path.as_bytes()),
                    offset: 0,
                    records: *records,
                })
                .collect(),
            ..BuiltNotes::default()
        };
        let raised = RefCell::new(None);
        let mut games = Rows::new(records, &raised, |batch: &RecordBatch| self.games(&files, batch));
        let postings = BuiltPostings::Parts(self.target, parts);
        let done = db.load_built(&mut games, postings, notes, &self.rules);
        if let Some(error) = raised.take() {
            return Err(error);
        }
        let done = done.map_err(|error| failed(&error))?;
        py.detach(|| db.close()).map_err(|error| failed(&error))?;
        let object = PyDict::new(py);
        object.set_item("games", done.games)?;
        object.set_item("postings", done.postings)?;
        Ok(object)
    }
}

impl Loading {
    /// The games of some records.
    fn games(&self, files: &HashMap<&str, u32>, batch: &RecordBatch) -> PyResult<Vec<BuiltGame>> {
        let text =
            |name: &'static str| column(batch, name)?.as_string_opt::<i32>().ok_or_else(|| other(name));
        let long = |name: &'static str| {
            column(batch, name)?.as_primitive_opt::<Int64Type>().ok_or_else(|| other(name))
        };
        let (paths, formats, texts) = (text("path")?, text("format")?, text("text")?);
        let (records, offsets) = (long("record")?, long("offset")?);
        let game = |row: usize| {
            let format: Format = formats.value(row).parse().map_err(|_| other("format"))?;
            let made = self.rules.game(format, texts.value(row)).map_err(|error| bad(&error))?;
            let mut game = made.game;
            game.source = Origin {
                file: *files.get(paths.value(row)).ok_or_else(|| other("path"))?,
                offset: offsets.value(row).cast_unsigned(),
                record: records.value(row).cast_unsigned(),
            };
            Ok(BuiltGame { game, hash: made.hash, laws: made.laws })
        };
        (0..batch.num_rows()).map(game).collect()
    }
}

/// Puts sorted postings into a database that the driver fills: rows come as Arrow IPC. Returns what the
/// driver needs to know of each part, by its place.
#[pyfunction]
#[pyo3(name = "_load_parts")]
pub(super) fn load_parts<'py>(
    py: Python<'py>,
    url: &str,
    target: (String, u64),
    parts: u64,
    kind: Option<&str>,
    postings: &Bound<'py, PyIterator>,
) -> PyResult<Vec<(u64, Bound<'py, PyBytes>)>> {
    let (text, first_game) = target;
    let target = LoadTarget::parse(&text).ok_or_else(|| PyValueError::new_err("not a target of a load"))?;
    let raised = RefCell::new(None);
    let mut words = Words::new(kind)?;
    let mut postings =
        Rows::new(postings, &raised, |batch: &RecordBatch| postings_of(batch, first_game, &mut words))
            .peekable();
    let mut done = Vec::new();
    while let Some(next) = postings.peek() {
        let part = match next {
            Ok(posting) => part_of(posting, parts),
            Err(error) => return Err(raised.take().unwrap_or_else(|| failed(error))),
        };
        let mut of_part = std::iter::from_fn(|| {
            postings.next_if(|next| next.as_ref().is_ok_and(|posting| part_of(posting, parts) == part))
        });
        let range = (border(part, parts), (part + 1 < parts).then(|| border(part + 1, parts)));
        let made = load_part(Path::new(url), &target, range, &mut of_part);
        let made = made.map_err(|error| raised.take().unwrap_or_else(|| failed(&error)))?;
        done.push((part, PyBytes::new(py, &made.to_bytes())));
    }
    Ok(done)
}

/// The part of the hashes that a posting belongs to.
fn part_of(posting: &Posting, parts: u64) -> u64 {
    let Prefix(bytes) = posting.prefix();
    let top = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    (u64::from(top) * parts) >> 32
}

/// The first prefix of a part.
fn border(part: u64, parts: u64) -> Prefix {
    let top = u32::try_from((part << 32).div_ceil(parts)).unwrap_or(u32::MAX);
    let mut bytes = [0; 10];
    bytes[..4].copy_from_slice(&top.to_be_bytes());
    Prefix(bytes)
}

fn postings_of(batch: &RecordBatch, first_game: u64, words: &mut Words) -> PyResult<Vec<Posting>> {
    let keys = column(batch, "key")?.as_binary_opt::<i32>().ok_or_else(|| other("key"))?;
    let games = column(batch, "game")?.as_primitive_opt::<Int64Type>().ok_or_else(|| other("game"))?;
    let plies = column(batch, "ply")?.as_primitive_opt::<Int32Type>().ok_or_else(|| other("ply"))?;
    let text = |name: &'static str| column(batch, name)?.as_string_opt::<i32>().ok_or_else(|| other(name));
    let (moves, results) = (text("move")?, text("result")?);
    let kinds = batch.column_by_name("kind").and_then(|kinds| kinds.as_string_opt::<i32>());
    let posting = |row: usize| {
        let key = keys.value(row).first_chunk::<10>().ok_or_else(|| other("key"))?;
        let next = if moves.is_valid(row) {
            Some(words.read(kinds.map(|kinds| kinds.value(row)), moves.value(row))?)
        } else {
            None
        };
        let result = results.value(row).parse().unwrap_or(GameResult::Unknown);
        let game = first_game + games.value(row).cast_unsigned();
        let posting = Posting::new(Prefix(*key), game, plies.value(row).cast_unsigned());
        Ok(posting.map_err(|error| failed(&error))?.followed_by(next.as_ref(), result))
    };
    (0..batch.num_rows()).map(posting).collect()
}

/// Texts of moves as the database keeps them.
struct Words {
    kind: Option<FiniteKind>,
    /// Every move that a game can have, by its text: the two are told apart by nothing else.
    tables: HashMap<FiniteKind, HashMap<String, u16>>,
}

impl Words {
    fn new(kind: Option<&str>) -> PyResult<Self> {
        Ok(Words { kind: kind.map(finite_kind).transpose()?, tables: HashMap::new() })
    }

    fn read(&mut self, kind: Option<&str>, text: &str) -> PyResult<StoredMove> {
        if text.contains('>') {
            let step: OpenMove = text.parse().map_err(|_| unknown(text))?;
            return Ok(StoredMove::Infinite { from: step.from, to: step.to, promotion: step.promotion });
        }
        let kind = match kind {
            Some(kind) => finite_kind(kind)?,
            None => self.kind.ok_or_else(|| unknown(text))?,
        };
        let table = self.tables.entry(kind).or_insert_with(|| {
            let moves = (0..=u16::MAX).filter_map(|bits| Move::from_bits(kind, bits));
            moves.map(|step| (step.uci(kind).to_string(), step.bits())).collect()
        });
        table.get(text).map(|bits| StoredMove::Finite(*bits)).ok_or_else(|| unknown(text))
    }
}

fn finite_kind(name: &str) -> PyResult<FiniteKind> {
    let known = FiniteKind::ALL.into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| PyValueError::new_err(format!("`{name}` is not a finite game")))
}

fn unknown(text: &str) -> PyErr {
    PyValueError::new_err(format!("`{text}` is not a move"))
}

/// What the batches of a Python iterator of Arrow IPC hold, one after another. What Python raises is kept
/// aside.
struct Rows<'a, 'py, T, F> {
    batches: &'a Bound<'py, PyIterator>,
    raised: &'a RefCell<Option<PyErr>>,
    read: F,
    ready: std::vec::IntoIter<T>,
}

impl<'a, 'py, T, F: FnMut(&RecordBatch) -> PyResult<Vec<T>>> Rows<'a, 'py, T, F> {
    fn new(batches: &'a Bound<'py, PyIterator>, raised: &'a RefCell<Option<PyErr>>, read: F) -> Self {
        Rows { batches, raised, read, ready: Vec::new().into_iter() }
    }

    fn fill(&mut self) -> PyResult<bool> {
        let Some(next) = self.batches.clone().next() else { return Ok(false) };
        let mut rows = Vec::new();
        for batch in batches(next?.cast::<PyBytes>()?.as_bytes())? {
            rows.extend((self.read)(&batch)?);
        }
        self.ready = rows.into_iter();
        Ok(true)
    }
}

impl<T, F: FnMut(&RecordBatch) -> PyResult<Vec<T>>> Iterator for Rows<'_, '_, T, F> {
    type Item = Built<T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.ready.next() {
                return Some(Ok(row));
            }
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    let why = error.to_string();
                    self.raised.replace(Some(error));
                    return Some(Err(Error::Engine(why)));
                }
            }
        }
    }
}
