//! What is found out about stored games in the background, and kept: what `check` says of each, which
//! variants there are, how many positions differ.
//!
//! Findings are kept in a file beside the games, one JSON object per line, so that a server that is started
//! again goes on where the last one stopped. The file may be thrown away at any time. Of each game with
//! findings only the place in the file is held in memory.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use boardprint_games::{Encoding, Record};
use boardprint_store::db::{self, Budget, Db, GameKind, Snapshot, StoredGame};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::app::{App, Context, Question, Reply};
use super::fault::{Fault, Outcome, for_http};
use super::position::Reading;
use crate::answers::Paths;
use crate::commands::check;

/// The file of findings in the folder of a database.
const FILE: &str = "findings.jsonl";
/// How many games are looked at between two marks in the file.
const MARK: u64 = 1_000;
/// How many findings of a kind are kept per game.
const PER_KIND: u64 = 20;
/// How long the database must be still before its positions are counted.
const STILL: Duration = Duration::from_secs(2);
/// How often the background looks for new games.
const PAUSE: Duration = Duration::from_millis(100);

/// How long the background steps aside before a game while somebody waits.
const GIVE_WAY: Duration = Duration::from_millis(5);

/// What is known so far.
pub(super) struct Keeper {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The games below this number were looked at.
    next: u64,
    /// How many of them there were.
    checked: u64,
    kinds: BTreeMap<String, u64>,
    variants: BTreeMap<String, u64>,
    /// Games with findings, by number.
    found: Vec<Found>,
    /// How many positions differ, in which state of the database.
    distinct: Option<(u64, u64)>,
    /// Grows with every change.
    changes: u64,
    file: Option<File>,
    /// Where the file ends.
    end: u64,
}

/// A game with findings.
#[derive(Clone)]
struct Found {
    game: u64,
    offset: u64,
    length: u32,
    kinds: Box<[Box<str>]>,
}

/// The first line of the file: what its findings are of.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    findings: u32,
    database: String,
    program: String,
    /// How texts are read, and which pieces there are.
    reading: String,
    forgotten: u64,
}

/// A mark: everything before it is whole.
#[derive(Serialize, Deserialize)]
struct Mark {
    next: u64,
    checked: u64,
    variants: BTreeMap<String, u64>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Game(Game),
    Mark(Mark),
}

/// What was found in a game.
#[derive(Serialize, Deserialize)]
struct Game {
    id: u64,
    ok: bool,
    legal: bool,
    first_illegal_ply: Option<u64>,
    conclusion: Option<Value>,
    findings: Vec<Value>,
    /// How many findings of a kind there are.
    counts: BTreeMap<String, u64>,
}

impl Keeper {
    /// What an earlier server found out. Without a folder nothing outlasts the server.
    pub(super) fn open(folder: &Path, db: &Db, reading: &Reading) -> Self {
        let path = folder.join(FILE);
        let forgotten = db.snapshot().stats().map_or(0, |stats| stats.forgotten);
        let header = Header {
            findings: 1,
            database: db.id().to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            reading: reading.key().to_string(),
            forgotten,
        };
        let state = load(&path, &header, db.snapshot().next_game()).unwrap_or_else(|| fresh(&path, &header));
        Keeper { path, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that changes when something new is known.
    pub(super) fn progress(&self) -> u64 {
        self.state().changes
    }

    /// How many games each variant has, as far as they were counted.
    pub(super) fn variants(&self) -> BTreeMap<String, u64> {
        self.state().variants.clone()
    }

    /// How many positions differ, if that was counted in this state of the database.
    pub(super) fn distinct(&self, generation: u64) -> Option<u64> {
        self.state().distinct.filter(|(counted, _)| *counted == generation).map(|(_, positions)| positions)
    }

    /// Looks at new games until the server ends.
    pub(super) fn work(&self, app: &App) {
        let mut seen = (0, Instant::now());
        while !app.ending.load(Ordering::Relaxed) {
            let snapshot = app.db.snapshot();
            let generation = snapshot.generation();
            if seen.0 != generation {
                seen = (generation, Instant::now());
            }
            app.views.rest();
            // What cannot be read is found by whoever asks for it.
            let _ = app.db.keep_orders();
            let is_behind = self.state().next < snapshot.next_game();
            let worked = if is_behind {
                self.look_at(app, &snapshot)
            } else if self.distinct(generation).is_none() && seen.1.elapsed() >= STILL {
                // What could not be counted is not tried again at once.
                seen.1 = Instant::now();
                self.count(app, snapshot)
            } else {
                false
            };
            if !worked {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Looks at the games up to the next mark; `false` if the server that keeps them does not answer.
    fn look_at(&self, app: &App, snapshot: &Snapshot) -> bool {
        let from = self.state().next;
        for id in from..snapshot.next_game().min(from.saturating_add(MARK)) {
            if app.ending.load(Ordering::Relaxed) {
                break;
            }
            // Whoever asks comes first.
            if app.is_busy() {
                std::thread::sleep(GIVE_WAY);
            }
            // A game that was forgotten or cannot be read is passed over; `verify` has more to say.
            let judged = match snapshot.game(id) {
                Ok(game) => Some((judge(app, id, &game), variant(&game))),
                Err(db::Error::Server { .. }) => return false,
                Err(_) => None,
            };
            let mut state = self.state();
            state.next = id + 1;
            state.changes += 1;
            if let Some((game, variant)) = judged {
                state.checked += 1;
                *state.variants.entry(variant).or_default() += 1;
                if let Some(game) = game {
                    state.put(&game);
                }
            }
        }
        self.state().mark();
        true
    }

    /// Counts the positions that differ, unless a change makes that pointless; `false` if they cannot be read.
    fn count(&self, app: &App, snapshot: Snapshot) -> bool {
        let generation = snapshot.generation();
        if let Some(positions) = snapshot.distinct_positions() {
            let mut state = self.state();
            state.distinct = Some((generation, positions));
            state.changes += 1;
            return true;
        }
        let budget = Arc::new(Budget::default());
        let mut positions = 0_u64;
        for position in snapshot.within(Arc::clone(&budget)).export_positions() {
            if position.is_err() {
                return false;
            }
            positions += 1;
            let stale = || app.db.snapshot().generation() != generation;
            if app.ending.load(Ordering::Relaxed) || positions.is_multiple_of(4096) && stale() {
                return true;
            }
        }
        let mut state = self.state();
        state.distinct = Some((generation, positions));
        state.changes += 1;
        true
    }

    /// The line of a game.
    fn line(&self, found: &Found) -> Outcome<Game> {
        let read = || -> std::io::Result<Game> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(found.offset))?;
            let mut line = Vec::new();
            file.take(found.length.into()).read_to_end(&mut line)?;
            Ok(serde_json::from_slice(&line)?)
        };
        read().map_err(|error| Fault::internal(&format!("{}: {error}", self.path.display())))
    }
}

impl State {
    /// Keeps what was found in a game.
    fn put(&mut self, game: &Game) {
        let Ok(mut line) = serde_json::to_vec(game) else { return };
        line.push(b'\n');
        let offset = self.end;
        if self.append(&line) {
            self.add(game, offset, line.len());
        }
    }

    /// Whether it could be written; a disk without room ends the keeping, not the server.
    fn append(&mut self, line: &[u8]) -> bool {
        let Some(file) = &mut self.file else { return false };
        if let Err(error) = file.write_all(line) {
            anstream::eprintln!("warning: findings cannot be kept: {error}");
            self.file = None;
            return false;
        }
        self.end += line.len() as u64;
        true
    }

    fn add(&mut self, game: &Game, offset: u64, length: usize) {
        for (kind, count) in &game.counts {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
        let kinds = game.counts.keys().map(|kind| kind.as_str().into()).collect();
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.found.push(Found { game: game.id, offset, length, kinds });
    }

    fn mark(&mut self) {
        let mark = Mark { next: self.next, checked: self.checked, variants: self.variants.clone() };
        if let Ok(mut line) = serde_json::to_vec(&mark) {
            line.push(b'\n');
            self.append(&line);
        }
    }
}

/// What the file holds up to its last mark, if it is of this database as it is.
fn load(path: &Path, header: &Header, next_game: u64) -> Option<State> {
    let mut lines = BufReader::new(File::open(path).ok()?);
    let mut line = Vec::new();
    let mut end = lines.read_until(b'\n', &mut line).ok()? as u64;
    if serde_json::from_slice::<Header>(&line).ok()? != *header {
        return None;
    }
    let mut state = State::default();
    let mut pending: Vec<(Game, u64, usize)> = Vec::new();
    let mut at = end;
    loop {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).ok()?;
        // A line that is not whole was written by a server that broke off.
        if length == 0 || line.last() != Some(&b'\n') {
            break;
        }
        match serde_json::from_slice(&line).ok()? {
            Line::Game(game) => pending.push((game, at, length)),
            Line::Mark(mark) => {
                for (game, offset, length) in pending.drain(..) {
                    state.add(&game, offset, length);
                }
                (state.next, state.checked, state.variants) = (mark.next, mark.checked, mark.variants);
                end = at + length as u64;
            }
        }
        at += length as u64;
    }
    if state.next > next_game {
        return None;
    }
    let file = OpenOptions::new().write(true).open(path).ok()?;
    file.set_len(end).ok()?;
    let mut file = file;
    file.seek(SeekFrom::End(0)).ok()?;
    (state.file, state.end) = (Some(file), end);
    Some(state)
}

/// An empty file.
fn fresh(path: &Path, header: &Header) -> State {
    let mut state = State::default();
    match File::create(path) {
        Ok(file) => state.file = Some(file),
        Err(error) => anstream::eprintln!("warning: findings cannot be kept: {error}"),
    }
    if let Ok(mut line) = serde_json::to_vec(header) {
        line.push(b'\n');
        state.append(&line);
    }
    state
}

/// What `check` says of a stored game; of the text of its record, if that was kept.
fn judge(app: &App, id: u64, game: &StoredGame) -> Option<Game> {
    let text = app.rules.text(game).ok()?;
    let record = Record {
        source: "".into(),
        number: game.source.record,
        line: 1,
        column: 1,
        offset: 0,
        format: app.rules.form(game).format(),
        byte_order_mark: false,
        encoding: Encoding::Utf8,
        size: text.len() as u64,
        text,
    };
    let judged = check::judge_record(&record, &app.reading.stored, &app.reading.pieces, PER_KIND);
    if judged.counts.is_empty() {
        return None;
    }
    let verdict = serde_json::to_value(judged.object).ok()?;
    // Places in a text that was not kept say nothing.
    let is_kept = !game.extra.is_empty();
    let finding = |finding: &Value| {
        let place = |name: &str| if is_kept { finding[name].clone() } else { Value::Null };
        json!({
            "kind": finding["kind"], "ply": finding["ply"], "message": finding["message"].as_str().map(for_http),
            "line": place("line"), "column": place("column"),
        })
    };
    Some(Game {
        id,
        ok: false,
        legal: verdict["legal"] != false,
        first_illegal_ply: verdict["first_illegal_ply"].as_u64(),
        conclusion: Some(verdict["conclusion"].clone()).filter(|value| !value.is_null()),
        findings: verdict["findings"].as_array().into_iter().flatten().map(finding).collect(),
        counts: judged.counts.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect(),
    })
}

/// The variant that a game names, or its game.
fn variant(game: &StoredGame) -> String {
    let named = game.tag("Variant").filter(|variant| !variant.is_empty());
    let other = match game.kind {
        GameKind::Infinite => "no variant named",
        other => other.name(),
    };
    named.unwrap_or(other).to_owned()
}

/// A page of games with findings.
pub(super) fn list(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&["kind", "limit", "cursor"]])?;
    let limit = query.number("limit", 20, 200)?;
    let after = query.parsed::<u64>("cursor", "the `nextCursor` of an earlier answer")?;
    let (keeper, snapshot) = (&view.app.keeper, &view.snapshot);
    let (mut found, checked, kinds) = {
        let state = keeper.state();
        let first = after.map_or(0, |after| state.found.partition_point(|found| found.game <= after));
        let wanted = |found: &&Found| {
            query.get("kind").is_none_or(|kind| found.kinds.iter().any(|own| **own == *kind))
        };
        let found: Vec<Found> = state.found[first..].iter().filter(wanted).take(limit + 1).cloned().collect();
        (found, state.checked, state.kinds.clone())
    };
    let more = found.len() > limit;
    found.truncate(limit);
    let mut games = Vec::with_capacity(found.len());
    for found in &found {
        view.budget.check()?;
        let game = keeper.line(found)?;
        let stored = match snapshot.game(found.game) {
            Err(boardprint_store::db::Error::Missing { .. }) => continue,
            other => other?,
        };
        let row = snapshot.row(found.game)?;
        games.push(json!({
            "id": game.id,
            "record": Paths::Names.place(snapshot, stored.source.file, stored.source.record),
            "white": snapshot.word(row.white)?, "black": snapshot.word(row.black)?,
            "ok": game.ok, "legal": game.legal, "first_illegal_ply": game.first_illegal_ply,
            "conclusion": game.conclusion, "findings": game.findings,
        }));
    }
    let next = found.last().filter(|_| more).map(|found| found.game.to_string());
    Reply::json(&json!({
        "generation": snapshot.generation(), "checked": checked.min(snapshot.games()),
        "total": snapshot.games(), "kinds": kinds, "games": games, "nextCursor": next,
    }))
}

#[cfg(test)]
mod tests {
    use boardprint_base::Digest;

    use super::*;

    /// What tells a state from others.
    fn print(state: &State) -> Digest {
        let games: Vec<(u64, u64)> = state.found.iter().map(|found| (found.game, found.offset)).collect();
        let text =
            format!("{} {} {:?} {:?} {games:?}", state.next, state.checked, state.kinds, state.variants);
        Digest::of(text.as_bytes())
    }

    fn header() -> Header {
        let [database, program, reading] = ["x", "p", "r"].map(str::to_owned);
        Header { findings: 1, database, program, reading, forgotten: 0 }
    }

    fn game(id: u64) -> Game {
        let counts = BTreeMap::from([("illegal-move".to_owned(), 2)]);
        Game {
            id,
            ok: false,
            legal: false,
            first_illegal_ply: Some(3),
            conclusion: None,
            findings: vec![],
            counts,
        }
    }

    #[test]
    fn what_was_kept_comes_back_up_to_the_last_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert!(load(&path, &header(), 9).is_none());
        let mut state = fresh(&path, &header());
        state.put(&game(2));
        (state.next, state.checked) = (5, 5);
        state.variants.insert("western".to_owned(), 5);
        state.mark();
        let kept = print(&state);
        state.put(&game(6));
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"id\": 7, \"ok").unwrap();
        let mut again = load(&path, &header(), 9).unwrap();
        assert_eq!(print(&again), kept);
        assert_eq!(again.kinds["illegal-move"], 2);
        // It goes on where the mark is.
        again.put(&game(6));
        again.mark();
        let last = load(&path, &header(), 9).unwrap();
        assert_eq!(last.found.iter().map(|found| found.game).collect::<Vec<_>>(), [2, 6]);
        // Of another database, or one with fewer games, nothing counts.
        assert!(load(&path, &Header { database: "y".to_owned(), ..header() }, 9).is_none());
        assert!(load(&path, &header(), 3).is_none());
    }
}
