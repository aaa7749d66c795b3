//! The database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use boardprint_base::{Digest, DigestPrefix, GameResult};
use boardprint_dedup::DedupOptions;
use boardprint_games::{Profile, RecordError};
use boardprint_store::db::{
    self, Access, Answer, Counts, Cursor, Db, EngineKind, Filter, GameKind, IngestOptions, Observer,
    OnDuplicate, Options, Order, Question, RejectReason, Rejected, Replay as _, Side, Snapshot, StoredGame,
};
use boardprint_store::games::{Rules, judge};
use boardprint_tables::{Failure, Games, stored};
use pyo3::exceptions::{PyFileNotFoundError, PyIndexError, PyLookupError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{error_object, of_game, raised, wrong_word};
use crate::game::Game;
use crate::inputs::{Inputs, Reading, profile};
use crate::table::Table;
use crate::texts::content_of;

/// An open database; `boardprint.Database` wraps it.
#[pyclass(frozen, module = "boardprint", name = "_Database")]
pub(crate) struct NativeDatabase {
    db: Mutex<Option<Arc<Db>>>,
    rules: Arc<Rules>,
    profile: Profile,
}

/// A view of a database that can be read from anywhere.
#[derive(Clone)]
pub(crate) struct Stored {
    snapshot: Snapshot,
    rules: Arc<Rules>,
    profile: Profile,
    /// Keeps the folder locked while somebody reads.
    db: Arc<Db>,
}

/// A failure of the database as an exception.
fn failed(error: db::Error) -> PyErr {
    match error {
        db::Error::NoDatabase { .. } => PyFileNotFoundError::new_err(error.to_string()),
        other => PyOSError::new_err(other.to_string()),
    }
}

#[pymethods]
impl NativeDatabase {
    #[new]
    #[pyo3(signature = (path, *, mode="r", rights=false, engine="sled"))]
    fn new(py: Python<'_>, path: PathBuf, mode: &str, rights: bool, engine: &str) -> PyResult<Self> {
        let (access, create) = match mode {
            "r" => (Access::Read, false),
            "w" => (Access::Write, true),
            other => return Err(wrong_word("mode", other, &["r", "w"])),
        };
        let engine = match engine {
            "sled" => EngineKind::Sled,
            "redb" => EngineKind::Redb,
            other => return Err(wrong_word("engine", other, &["sled", "redb"])),
        };
        let options = Options::default()
            .profile(profile(rights).name())
            .any_profile(true)
            .access(access)
            .create(create)
            .engine(engine)
            .purpose("boardprint for Python");
        let db = py.detach(|| Db::open(&path, options)).map_err(failed)?;
        let name = db.snapshot().profile().to_owned();
        let Some(profile) = Profile::of_name(&name) else {
            return Err(PyOSError::new_err(format!(
                "the database holds hashes of the unknown profile `{name}`"
            )));
        };
        let rules = Arc::new(Rules::new(profile));
        Ok(NativeDatabase { db: Mutex::new(Some(Arc::new(db))), rules, profile })
    }

    /// Closes the database.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let db = py.detach(|| self.db.lock().unwrap_or_else(PoisonError::into_inner).take());
        match db.and_then(Arc::into_inner) {
            Some(db) => py.detach(|| db.close()).map_err(failed),
            None => Ok(()),
        }
    }

    /// What it holds.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stored = self.stored()?;
        let stats = py.detach(|| stored.snapshot.stats()).map_err(failed)?;
        let object = PyDict::new(py);
        object.set_item("games", stats.games)?;
        object.set_item("positions", stats.postings)?;
        object.set_item("duplicates", stats.duplicates)?;
        object.set_item("rejected", stats.rejects)?;
        object.set_item("results", counts(py, &stats.results)?)?;
        let sources: Vec<&str> = stats.sources.iter().map(|source| &*source.path).collect();
        object.set_item("sources", sources)?;
        object.set_item("rights", self.profile == Profile::Rights)?;
        Ok(object)
    }

    /// How many games.
    fn games(&self) -> PyResult<u64> {
        Ok(self.stored()?.snapshot.games())
    }

    /// A game by its number.
    fn game(&self, py: Python<'_>, number: u64) -> PyResult<Game> {
        let stored = self.stored()?;
        py.detach(|| {
            let game = match stored.snapshot.game(number) {
                Ok(game) => game,
                Err(db::Error::Missing { .. }) => {
                    return Err(PyIndexError::new_err(format!("the database has no game {number}")));
                }
                Err(error) => return Err(failed(error)),
            };
            let content = stored.rules.content(&game).map_err(PyOSError::new_err)?;
            let source = stored.source(&game);
            Ok(Game::of_database(content, source, game.source.record))
        })
    }

    /// Adds the games of some files.
    #[pyo3(signature = (sources, *, duplicates="merge", format=None, game=None, threads=0))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'_, PyAny>,
        duplicates: &str,
        format: Option<&str>,
        game: Option<&str>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let inputs = Inputs::new(sources, Reading::new(format, game)?)?;
        let on_duplicate = match duplicates {
            "merge" => OnDuplicate::Merge,
            "skip" => OnDuplicate::Skip,
            "keep" => OnDuplicate::Keep,
            other => return Err(wrong_word("duplicates", other, &["merge", "skip", "keep"])),
        };
        let stored = self.stored()?;
        let rules = Rules::new(self.profile).reading(inputs.reading.options.clone());
        let watch = Watch::default();
        let stop = AtomicBool::new(false);
        let (report, interrupted) = py.detach(|| {
            let reader = inputs.reader();
            let options = IngestOptions::default().threads(threads).on_duplicate(on_duplicate);
            // As the program decides.
            let judge = judge(DedupOptions::default());
            std::thread::scope(|scope| {
                let work = || db::ingest(&stored.db, reader, &rules, Some(&judge), &options, &watch, &stop);
                let worker = scope.spawn(work);
                let mut interrupted = None;
                while !worker.is_finished() {
                    std::thread::sleep(Duration::from_millis(20));
                    // Ctrl-C ends the import after the batch under way; it can go on from there later.
                    if let Err(error) = interrupted_by_user() {
                        stop.store(true, Ordering::Relaxed);
                        interrupted = Some(error);
                    }
                }
                match worker.join() {
                    Ok(report) => (report, interrupted),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        });
        interrupted.map_or(Ok(()), Err)?;
        let report = report.map_err(failed)?;
        let object = PyDict::new(py);
        object.set_item("games", report.games)?;
        object.set_item("positions", report.postings)?;
        object.set_item("duplicates", report.duplicates)?;
        object.set_item("rejected", report.rejects)?;
        let list = PyList::empty(py);
        for failure in &*watch.0.lock().unwrap_or_else(PoisonError::into_inner) {
            list.append(error_object(py, failure)?)?;
        }
        object.set_item("errors", list)?;
        Ok(object)
    }

    /// Everything about a position.
    fn lookup<'py>(
        &self,
        py: Python<'py>,
        position: &str,
        about: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let stored = self.stored()?;
        let hash = stored.hash_of(py, position)?;
        let question = question(hash, about)?;
        let answer = py.detach(|| stored.snapshot.answer(&question, &*stored.rules)).map_err(failed)?;
        stored.answer_object(py, &answer)
    }

    /// The positions whose hashes begin with some digits, and how often they occurred.
    fn candidates(&self, py: Python<'_>, digits: &str, limit: usize) -> PyResult<Vec<(String, u64)>> {
        let stored = self.stored()?;
        let prefix = parse_prefix(digits)?;
        let found = py.detach(|| stored.candidates(&prefix, limit))?;
        Ok(found.into_iter().map(|(hash, count)| (hash.to_string(), count)).collect())
    }

    /// A table of its games.
    fn table(&self, about: &Bound<'_, PyDict>) -> PyResult<Table> {
        Table::of_database(about, self.stored()?)
    }
}

fn parse_prefix(digits: &str) -> PyResult<DigestPrefix> {
    let wrong =
        || PyValueError::new_err(format!("a beginning of a hash is 6 to 40 hex digits, not '{digits}'"));
    let prefix: DigestPrefix = digits.trim().parse().map_err(|_| wrong())?;
    if prefix.digits() < 6 { Err(wrong()) } else { Ok(prefix) }
}

impl NativeDatabase {
    fn stored(&self) -> PyResult<Stored> {
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let db = db.ok_or_else(|| PyValueError::new_err("the database is closed"))?;
        Ok(Stored { snapshot: db.snapshot(), rules: Arc::clone(&self.rules), profile: self.profile, db })
    }
}

impl Stored {
    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    fn source(&self, game: &StoredGame) -> Arc<str> {
        let source = self.snapshot.sources().get(game.source.file as usize);
        source.map_or_else(|| "?".into(), |source| (&*source.path).into())
    }

    /// All games in order.
    pub(crate) fn games(&self) -> Result<Games, String> {
        let log = self.snapshot.export().map_err(|error| error.to_string())?;
        stored(log, Arc::clone(&self.rules), |_, _| true).map_err(|error| error.to_string())
    }

    /// The hash that is asked for: a hash, its beginning, or a position in any notation.
    fn hash_of(&self, py: Python<'_>, position: &str) -> PyResult<Digest> {
        let text = position.trim();
        if let Ok(prefix) = text.parse::<DigestPrefix>() {
            if let Some(hash) = prefix.whole() {
                return Ok(hash);
            }
            let prefix = parse_prefix(text)?;
            let found = py.detach(|| self.candidates(&prefix, 2))?;
            return match &found[..] {
                [(hash, _)] => Ok(*hash),
                [] => Err(PyLookupError::new_err(format!("no position begins with {text}"))),
                _ => Err(PyLookupError::new_err(format!(
                    "several positions begin with {text}: see candidates()"
                ))),
            };
        }
        let (content, _, _) =
            py.detach(|| content_of(text, &Reading::default())).map_err(|failure| raised(py, &failure))?;
        let hashes =
            py.detach(|| content.hashes(self.profile)).map_err(|error: RecordError| of_game(py, &error))?;
        Ok(hashes[hashes.len() - 1])
    }

    fn candidates(&self, digits: &DigestPrefix, limit: usize) -> PyResult<Vec<(Digest, u64)>> {
        let mut found = Vec::new();
        let mut current = None;
        for posting in self.snapshot.lookup_prefix(digits).map_err(failed)? {
            let posting = posting.map_err(failed)?;
            if current == Some(posting.prefix()) {
                if let Some((_, count)) = found.last_mut() {
                    *count += 1;
                }
                continue;
            }
            if found.len() == limit {
                break;
            }
            current = Some(posting.prefix());
            // The database keeps the first half; the rest comes from playing to it.
            let game = self.snapshot.game(posting.game()).map_err(failed)?;
            let replayed = self.rules.replay(&game).map_err(PyOSError::new_err)?;
            let at = replayed.positions.iter().find(|(_, ply)| *ply == posting.ply());
            let Some((hash, _)) = at else {
                return Err(PyOSError::new_err(format!(
                    "game {} is shorter than its positions say",
                    posting.game()
                )));
            };
            found.push((*hash, 1));
        }
        found.retain(|(hash, _)| hash.starts_with(digits));
        Ok(found)
    }

    fn answer_object<'py>(&self, py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
        let object = PyDict::new(py);
        object.set_item("hash", answer.hash.to_string())?;
        let cpn = answer.witness.as_ref().map(|witness| String::from_utf8_lossy(&witness.text).into_owned());
        object.set_item("cpn", cpn)?;
        object.set_item("games", answer.games)?;
        object.set_item("occurrences", answer.occurrences)?;
        object.set_item("results", counts(py, &answer.results)?)?;
        object.set_item("mean_rating", answer.mean_rating)?;
        let moves = PyList::empty(py);
        for line in &answer.moves {
            let step = PyDict::new(py);
            let kind = self.snapshot.row(line.first.0).map_or(GameKind::Board, |row| row.kind);
            step.set_item("move", line.next.as_ref().map(|next| self.rules.move_text(kind, next)))?;
            step.set_item("count", line.count())?;
            step.set_item("results", counts(py, &line.results)?)?;
            step.set_item("mean_rating", line.mean_rating)?;
            moves.append(step)?;
        }
        object.set_item("moves", moves)?;
        let list = PyList::empty(py);
        for line in &answer.list {
            let game = PyDict::new(py);
            game.set_item("game", line.game)?;
            game.set_item("plies", &line.plies)?;
            game.set_item("white", line.white.as_deref())?;
            game.set_item("black", line.black.as_deref())?;
            game.set_item("result", line.row.result.as_str())?;
            game.set_item("date", (line.row.date > 0).then_some(line.row.date))?;
            game.set_item("white_rating", (line.row.white_rating > 0).then_some(line.row.white_rating))?;
            game.set_item("black_rating", (line.row.black_rating > 0).then_some(line.row.black_rating))?;
            game.set_item("laws", line.laws.as_deref())?;
            game.set_item("source", &*line.source)?;
            list.append(game)?;
        }
        object.set_item("list", list)?;
        object.set_item("next", answer.next.map(|cursor| cursor.to_string()))?;
        Ok(object)
    }
}

/// What is asked, as Python says it.
fn question(hash: Digest, about: &Bound<'_, PyDict>) -> PyResult<Question> {
    let text = |name: &str| -> PyResult<Option<String>> {
        about.get_item(name)?.map_or(Ok(None), |value| value.extract())
    };
    let number = |name: &str| -> PyResult<Option<u32>> {
        about.get_item(name)?.map_or(Ok(None), |value| value.extract())
    };
    let day = |name: &str| -> PyResult<Option<u32>> {
        let Some(value) = text(name)? else { return Ok(None) };
        match db::date(&value) {
            0 => Err(PyValueError::new_err(format!(
                "{name} must be a date such as 2024.05 or 2024-05-06, not '{value}'"
            ))),
            day => Ok(Some(day)),
        }
    };
    let side = match text("side")?.as_deref() {
        None => None,
        Some("white") => Some(Side::White),
        Some("black") => Some(Side::Black),
        Some(other) => return Err(wrong_word("side", other, &["white", "black"])),
    };
    let result = match text("result")? {
        None => None,
        Some(text) => Some(
            text.parse::<GameResult>()
                .map_err(|_| wrong_word("result", &text, &GameResult::ALL.map(GameResult::as_str)))?,
        ),
    };
    let order = match text("order")?.as_deref() {
        None | Some("number") => Order::Number,
        Some("rating") => Order::Rating,
        Some("date") => Order::Date,
        Some(other) => return Err(wrong_word("order", other, &["number", "rating", "date"])),
    };
    let after = match text("after")? {
        None => None,
        Some(text) => Some(text.parse::<Cursor>().map_err(PyValueError::new_err)?),
    };
    let min_rating = number("min_rating")?.map(|rating| u16::try_from(rating).unwrap_or(u16::MAX));
    let filter = Filter {
        player: text("player")?,
        side,
        since: day("since")?,
        until: day("until")?,
        result,
        min_rating,
        source: text("source")?,
        laws: text("laws")?,
        ..Filter::default()
    };
    let ratings = about.get_item("ratings")?.map_or(Ok(false), |value| value.extract())?;
    let limit = number("limit")?.unwrap_or(20);
    Ok(Question::new(hash).filter(filter).order(order).games(limit as usize).after(after).ratings(ratings))
}

fn counts<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyDict>> {
    let object = PyDict::new(py);
    for result in GameResult::ALL {
        object.set_item(result.as_str(), counts.of(result))?;
    }
    Ok(object)
}

/// Whether somebody pressed Ctrl-C: what Python raises then.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough in its lifetime"
)]
fn interrupted_by_user() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Notes bad records.
#[derive(Default)]
struct Watch(Mutex<Vec<Failure>>);

impl Observer for Watch {
    fn rejected(&self, rejected: &Rejected<'_>) -> std::io::Result<()> {
        let failure = match &rejected.reason {
            RejectReason::Unread(error) => Failure::of_reading(error),
            RejectReason::Refused(record, error) => Failure::of_record(record, error),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
        Ok(())
    }
}
