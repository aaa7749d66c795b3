//! The pipeline of an import: cut records (one thread), parse, replay and hash them, sort and encode (all
//! threads), write (one thread).
//!
//! The channels between are short, so that memory stays bounded however large the input. Each batch carries
//! how far its source files were read, so that an import that is run again goes on where the last
//! acknowledged batch ended, and every record is taken exactly once.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::SystemTime;

use boardprint_games::{Record, RecordError};
use boardprint_records::{ReadError, Reader};
use rayon::prelude::*;

use super::error::{Error, Result};
use super::log::RejectNote;
use super::manifest::Source;
use super::numberer::{Judge, Numberer};
use super::replay::Replay;
use super::writer::{Batch, Committer, Encoded, NewGame, OnDuplicate};
use super::{Db, Origin};

/// Turns records into games. It is called from many threads at once.
pub trait Prepare: Replay {
    /// Parses, replays and hashes a record. The database fills in `game.source`.
    ///
    /// # Errors
    ///
    /// If the record cannot be read.
    fn prepare(&self, record: &Record) -> std::result::Result<NewGame, RecordError>;
}

/// Hears what happens during an import.
pub trait Observer: Sync {
    /// A record could not be read. Said before its batch is acknowledged: after a crash it may be said again.
    ///
    /// # Errors
    ///
    /// If it cannot be noted down; the import then stops.
    fn rejected(&self, rejected: &Rejected<'_>) -> io::Result<()> {
        let _ = rejected;
        Ok(())
    }

    /// Makes what was said of rejected records safe. Called before the batch that they belong to counts, so
    /// that none is lost.
    ///
    /// # Errors
    ///
    /// If it cannot be made safe; the import then stops, and the batch does not count.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    /// A batch was acknowledged; the sums so far.
    fn acknowledged(&self, report: &IngestReport) {
        let _ = report;
    }
}

/// An observer that does not care.
impl Observer for () {}

/// A record that could not be read, or a file that could not be read on.
#[derive(Clone, Debug)]
pub struct Rejected<'a> {
    /// The file.
    pub path: &'a str,
    /// The number of the record, from 1.
    pub record: u64,
    /// The byte at which it begins.
    pub offset: u64,
    /// The line where something is wrong, from 1.
    pub line: u64,
    /// The character of that line, from 1.
    pub column: u64,
    /// Why.
    pub reason: RejectReason<'a>,
}

/// Why there is no game.
#[derive(Clone, Debug)]
pub enum RejectReason<'a> {
    /// The record could not even be cut out, or the file could not be read on.
    Unread(&'a ReadError),
    /// The record is not a game.
    Refused(&'a Record, RecordError),
}

impl fmt::Display for RejectReason<'_> {
    /// What the log keeps: what is wrong, and what to do about it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectReason::Unread(error) if error.is_fatal_to_source() => {
                write!(f, "the file cannot be read on: {error}")
            }
            RejectReason::Unread(error) => error.kind().fmt(f),
            RejectReason::Refused(_, error) => match error.hint() {
                Some(hint) => write!(f, "{error}; {hint}"),
                None => error.fmt(f),
            },
        }
    }
}

/// How an import is done.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    threads: usize,
    memory: u64,
    batch_games: usize,
    on_duplicate: OnDuplicate,
    paranoid: bool,
    bulk: Option<bool>,
    dry_run: bool,
}

impl Default for IngestOptions {
    /// As many threads as cores, 512 MB, 50,000 games per batch, tags of duplicates merged, in bulk if the
    /// database is empty.
    fn default() -> Self {
        IngestOptions {
            threads: 0,
            memory: 512 << 20,
            batch_games: 50_000,
            on_duplicate: OnDuplicate::Merge,
            paranoid: false,
            bulk: None,
            dry_run: false,
        }
    }
}

impl IngestOptions {
    /// How many threads parse and encode; 0 for as many as there are cores.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// About how much memory to use, in bytes, the engine's cache included.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// How many games a batch has at most.
    #[must_use]
    pub fn batch_games(mut self, games: usize) -> Self {
        self.batch_games = games.max(1);
        self
    }

    /// What to do with games that the database holds already.
    #[must_use]
    pub fn on_duplicate(mut self, on_duplicate: OnDuplicate) -> Self {
        self.on_duplicate = on_duplicate;
        self
    }

    /// Whether a duplicate must be the same text, not only have the same hash, to be left out. Whoever wants
    /// to can make different games of one SHA-1. Nothing is compared or counted if duplicates are kept.
    #[must_use]
    pub fn paranoid(mut self, paranoid: bool) -> Self {
        self.paranoid = paranoid;
        self
    }

    /// Whether to load in bulk: lookups are faster afterwards, but readers see the games only at the end.
    #[must_use]
    pub fn bulk(mut self, bulk: bool) -> Self {
        self.bulk = Some(bulk);
        self
    }

    /// Whether only to find out what would become of every record: everything is decided as in a real import,
    /// and nothing is written.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// How many bytes of text a batch has at most. A game takes about six times its text while it is parsed
    /// and encoded, and three batches are on their way at a time.
    fn batch_bytes(&self) -> u64 {
        (self.memory / 32).max(1 << 16)
    }
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngestReport {
    /// New games.
    pub games: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// How many of these gave tags to the stored game.
    pub merged: u64,
    /// New games that share their hash with another game; looked for by [`IngestOptions::paranoid`].
    pub collisions: u64,
    /// Records that could not be read, and files that could not be read on.
    pub rejects: u64,
    /// Positions of the new games.
    pub postings: u64,
    /// Bytes of records read.
    pub bytes: u64,
    /// Records of these files that an earlier import took, so that they were passed over.
    pub known: u64,
    /// Whether the import was asked to stop before the end.
    pub stopped: bool,
}

/// Records on their way, with how far the files were read. A batch comes in pieces: they are read while the
/// next one is cut, and no more than a few have their text in memory.
#[derive(Default)]
struct Cut {
    /// The place of the file in `sources`, and the record or why there is none.
    records: Vec<(u32, std::result::Result<Record, ReadError>)>,
    /// The files of the batch so far.
    sources: Vec<Source>,
    bytes: u64,
    /// Whether the batch ends with this piece.
    ends: bool,
}

/// So many records, and so many bytes of text, are a piece.
const PIECE_RECORDS: usize = 1024;
const PIECE_BYTES: u64 = 1 << 20;

impl Cut {
    /// Sends the piece on and begins the next one, of the same batch unless that ends; whether anybody still
    /// listens.
    fn send(&mut self, ends: bool, out: &SyncSender<Cut>) -> bool {
        let sources = if ends { Vec::new() } else { self.sources.clone() };
        let piece = std::mem::replace(self, Cut { sources, ..Cut::default() });
        out.send(Cut { ends, ..piece }).is_ok()
    }
}

/// A batch on its way to the writer.
struct Ready {
    encoded: Encoded,
    /// Whether its postings wait for those of other batches.
    bulk: bool,
    rejects: u64,
    bytes: u64,
}

/// Imports what a reader reads into a database. Files that were read before are read on from where that
/// ended: a file is the same as before if its path, size, time of change and first 64 KB are. A file that has
/// changed is read from its beginning; games that the database holds already are duplicates. Standard input
/// is always new. When `stop` is set, the batch under way is finished, and the rest can be imported later.
/// `judge` decides which games with the same moves are one; without it all are.
///
/// # Errors
///
/// If the database fails, threads cannot be started, or the observer cannot note a rejected record. What was
/// acknowledged stays.
pub fn ingest(
    db: &Db,
    reader: Reader,
    prepare: &dyn Prepare,
    judge: Option<&dyn Judge>,
    options: &IngestOptions,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<IngestReport> {
    let pool = pool(options.threads)?;
    let bulk = options.bulk.unwrap_or_else(|| db.snapshot().next_game() == 0);
    let replay: &dyn Replay = prepare;
    // What an interrupted import left is indexed first, on all threads; the lock is then taken by this one.
    if !options.dry_run {
        pool.install(|| db.committer(replay).map(drop))?;
    }
    let (numberer, committer) = db.way_in(replay, options.dry_run)?;
    let numberer = numberer.judge(judge);
    let numberer = if options.paranoid { numberer.paranoid(replay) } else { numberer };
    let (cut_sender, cut_receiver) = sync_channel(1);
    let (ready_sender, ready_receiver) = sync_channel(1);
    thread::scope(|scope| {
        let cutter = move || cut(db, reader, options, stop, cut_sender);
        let cutter = thread::Builder::new().name("cut".to_owned()).spawn_scoped(scope, cutter);
        let on_duplicate = options.on_duplicate;
        let pool = &pool;
        let parse = move || {
            pool.install(move || {
                encode(numberer, prepare, (on_duplicate, bulk), observer, cut_receiver, ready_sender)
            })
        };
        let parser = thread::Builder::new().name("parse".to_owned()).spawn_scoped(scope, parse);
        // A thread that could not be started has dropped its ends of the channels, so that the other one ends
        // too.
        let (Ok(cutter), Ok(parser)) = (cutter, parser) else {
            return Err(Error::Threads("an import needs three".to_owned()));
        };
        // The committer holds a lock that must be given back by the thread that took it: this one.
        let written = write(committer, observer, ready_receiver);
        let parsed = parser.join().map_err(|_| Error::Engine("a parser panicked".to_owned()));
        let cut = cutter.join().map_err(|_| Error::Engine("a reader panicked".to_owned()));
        let mut report = written?;
        parsed??;
        report.known = cut?;
        report.stopped = stop.load(Ordering::Relaxed);
        Ok(report)
    })
}

/// The threads that parse and encode, all of them running.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads(error.to_string()))
}

/// Cuts the files into batches of records; how many records of them were taken before. A failed send means
/// that the import failed further on.
#[expect(clippy::needless_pass_by_value, reason = "dropping the sender ends the channel")]
fn cut(db: &Db, reader: Reader, options: &IngestOptions, stop: &AtomicBool, out: SyncSender<Cut>) -> u64 {
    let mut piece = Cut::default();
    // What the batch has had before this piece.
    let (mut games, mut bytes) = (0, 0);
    let mut known = 0;
    // Tells one standard input from another, in whichever database that one came in: once databases are merged,
    // records in one place of one source are one record.
    let stdin = RandomState::new().hash_one(SystemTime::now());
    for mut reader in reader.split() {
        let (path, stamp) = reader.next_name_and_stamp(stdin);
        let mut progress = db.source(&path, &stamp).unwrap_or(Source { path, stamp, offset: 0, records: 0 });
        known += progress.records;
        let mut failed = match progress.records {
            0 => None,
            records => reader.resume(records, progress.offset).err(),
        };
        piece.sources.push(progress.clone());
        let mut is_named = progress.records > 0;
        let is_stopped = loop {
            if stop.load(Ordering::Relaxed) {
                break true;
            }
            let Some(item) = failed.take().map(Err).or_else(|| reader.next()) else { break false };
            let file = u32::try_from(piece.sources.len() - 1).unwrap_or(u32::MAX);
            let ends = item.as_ref().is_err_and(ReadError::is_fatal_to_source);
            match &item {
                Ok(record) => {
                    (progress.offset, progress.records) = (record.end(), record.number);
                    piece.bytes += record.text.len() as u64;
                }
                Err(error) if !ends => progress.records = error.number().unwrap_or(progress.records + 1),
                Err(_) => {}
            }
            let source = piece.sources.last_mut().expect("the file was pushed");
            (source.offset, source.records) = (progress.offset, progress.records);
            piece.records.push((file, item));
            is_named = true;
            if ends {
                // The file cannot be read on. The records before are taken; the next import tries again from
                // here.
                break false;
            }
            let is_full = games + piece.records.len() >= options.batch_games
                || bytes + piece.bytes >= options.batch_bytes();
            if is_full || piece.records.len() >= PIECE_RECORDS || piece.bytes >= PIECE_BYTES {
                (games, bytes) = (games + piece.records.len(), bytes + piece.bytes);
                if !piece.send(is_full, &out) {
                    return known;
                }
                if is_full {
                    (games, bytes) = (0, 0);
                    piece.sources.push(progress.clone());
                }
            }
        };
        if !is_named {
            // Nothing was found in it, so that nothing has to be remembered.
            piece.sources.pop();
        }
        if is_stopped {
            break;
        }
    }
    piece.send(true, &out);
    known
}

/// Parses, numbers and encodes batches.
#[expect(clippy::needless_pass_by_value, reason = "dropping the sender ends the channel")]
fn encode(
    mut numberer: Numberer<'_>,
    prepare: &dyn Prepare,
    (duplicates, bulk): (OnDuplicate, bool),
    observer: &dyn Observer,
    pieces: Receiver<Cut>,
    out: SyncSender<Ready>,
) -> Result<()> {
    let mut pieces = pieces.into_iter().peekable();
    let mut others = false;
    let (mut batch, mut bytes) = (Batch { duplicates, ..Batch::default() }, 0);
    while let Some(cut) = pieces.next() {
        let prepared: Vec<_> = cut.records.par_iter().map(|(_, record)| prepared(prepare, record)).collect();
        batch.sources = cut.sources;
        bytes += cut.bytes;
        for ((file, _), prepared) in cut.records.iter().zip(prepared) {
            match prepared {
                Ok((record, mut game)) => {
                    game.game.source = Origin { file: *file, offset: record.offset, record: record.number };
                    batch.games.push(game);
                }
                Err(reason) => {
                    let source = &batch.sources[*file as usize];
                    let rejected = Rejected::new(source, reason);
                    let noted = observer.rejected(&rejected);
                    noted.map_err(Error::io("note a rejected record of", &*source.path))?;
                    let place = Origin { file: *file, offset: rejected.offset, record: rejected.record };
                    let (line, reason) = (rejected.line, rejected.reason.to_string().into());
                    batch.rejects.push(RejectNote { place, line, reason });
                }
            }
        }
        if !cut.ends {
            continue;
        }
        // A batch that is the whole import is packed at once: there is nothing to merge it with.
        let bulk = bulk && (others || pieces.peek().is_some());
        others = true;
        let batch = std::mem::replace(&mut batch, Batch { duplicates, ..Batch::default() });
        let (rejects, bytes) = (batch.rejects.len() as u64, std::mem::take(&mut bytes));
        if batch.games.is_empty() && rejects == 0 && bytes == 0 {
            continue;
        }
        drop(cut.records);
        let encoded = numberer.number(batch)?.encode(prepare, !bulk)?;
        if out.send(Ready { encoded, bulk, rejects, bytes }).is_err() {
            // The writer failed; its error is the one to report.
            return Ok(());
        }
    }
    Ok(())
}

/// The game of a record, with the record.
fn prepared<'a>(
    prepare: &dyn Prepare,
    item: &'a std::result::Result<Record, ReadError>,
) -> std::result::Result<(&'a Record, NewGame), RejectReason<'a>> {
    let record = item.as_ref().map_err(RejectReason::Unread)?;
    match prepare.prepare(record) {
        Ok(game) => Ok((record, game)),
        Err(error) => Err(RejectReason::Refused(record, error)),
    }
}

impl<'a> Rejected<'a> {
    /// A reason with its place in the file.
    fn new(source: &'a Source, reason: RejectReason<'a>) -> Self {
        let path = &*source.path;
        match &reason {
            RejectReason::Unread(error) => Rejected {
                path,
                record: error.number().unwrap_or(source.records + 1),
                offset: error.offset().unwrap_or(source.offset),
                line: error.line().unwrap_or(1),
                column: 1,
                reason,
            },
            RejectReason::Refused(record, error) => {
                let place = record.line_column(error.span().start);
                Rejected {
                    path,
                    record: record.number,
                    offset: record.offset,
                    line: place.line as u64,
                    column: place.column as u64,
                    reason,
                }
            }
        }
    }
}

/// Writes batches in order; without a committer they are only counted.
fn write(
    mut committer: Option<Committer<'_>>,
    observer: &dyn Observer,
    batches: Receiver<Ready>,
) -> Result<IngestReport> {
    let mut report = IngestReport::default();
    let mut bulk = false;
    let flush = || observer.flush().map_err(Error::io("note rejected records in", "the list of them"));
    for ready in batches {
        // Before the log: from there on the batch may count, whatever happens.
        if ready.rejects > 0 {
            flush()?;
        }
        bulk |= ready.bulk;
        let ingested = match &mut committer {
            None => ready.encoded.ingested(),
            Some(committer) if ready.bulk => committer.guarded(|committer| {
                let ingested = ready.encoded.ingested();
                let index = committer.append(ready.encoded)?;
                committer.index_bulk(index)?;
                Ok(ingested)
            })?,
            Some(committer) => committer.commit(ready.encoded)?,
        };
        report.games += ingested.games;
        report.duplicates += ingested.duplicates;
        report.merged += ingested.merged;
        report.collisions += ingested.collisions;
        report.postings += ingested.postings;
        report.rejects += ready.rejects;
        report.bytes += ready.bytes;
        observer.acknowledged(&report);
    }
    if let Some(committer) = &mut committer
        && bulk
    {
        committer.guarded(Committer::finish_bulk)?;
    }
    Ok(report)
}
