//! A copy of the games, at any time. Only what was appended since the last copy is copied.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::{Error, Result};
use super::head::{Head, sync_folder};
use super::home::{Found, look};
use super::lock::{Holder, Lock, LockMode};
use super::log::{Address, GAMES, Log, SEGMENT_HEAD, Storage, segment_name};
use super::place::Place;

/// What a backup did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackupReport {
    /// How many games the copy holds.
    pub games: u64,
    /// How many bytes were copied now.
    pub copied: u64,
    /// How many bytes the copy has.
    pub bytes: u64,
}

/// The end of what is there already is compared.
const COMPARED: u64 = 64 << 10;

/// Copies the games of a database, as far as they are acknowledged, into another folder. The database may be
/// in use, also by an import. The copy has no index until [`super::reindex`] builds one.
///
/// # Errors
///
/// If there is no database, if games that are to be copied are damaged, if the other folder holds something
/// other than an earlier copy of it, or if the disk fails.
pub fn backup(from: &Path, to: &Path) -> Result<BackupReport> {
    let from = Place::of(from)?;
    let to = Place::folder(to)?;
    let Found::Head(head) = from.look()? else { return Err(Error::NoDatabase { path: from.name() }) };
    // Nothing is put into a folder of somebody else, not even a lock.
    earlier(to, &head)?;
    fs::create_dir_all(to).map_err(Error::io("create", to))?;
    let _lock = Lock::take(to, LockMode::Exclusive, &Holder::this("backup", None), Duration::ZERO)?;
    let games = to.join(GAMES);
    fs::create_dir_all(&games).map_err(Error::io("create", &games))?;
    let source = from.storage(false);
    let target = Storage::files(games.clone(), false);
    let log = Arc::new(Log::new(from.storage(false), head.id, Log::SEGMENT_BYTES));
    let mut report = BackupReport { games: head.games, ..BackupReport::default() };
    // Read under the lock: another backup may have ended just before.
    let before = if let Some(before) = earlier(to, &head)? {
        before
    } else {
        // A copy of nothing yet: if this is interrupted, the next backup goes on from here.
        let first = Log::first();
        check_segment(&source, first.segment(), &head)?;
        report.copied = copy(&source, first.segment(), 0, first.offset(), &games)?;
        sync_folder(&games).map_err(Error::io("sync", &games))?;
        let begun = Head { index: 0, log: first, games: 0, ..head.clone() };
        begun.write(to)?;
        begun
    };
    for segment in 1..=head.log.segment() {
        check_segment(&source, segment, &head)?;
        let end = if segment == head.log.segment() { head.log.offset() } else { source.len(segment)? };
        // What an interrupted backup left beyond the copy's HEAD is copied again.
        let there = match segment.cmp(&before.log.segment()) {
            std::cmp::Ordering::Less => end,
            std::cmp::Ordering::Equal => before.log.offset(),
            std::cmp::Ordering::Greater => 0,
        };
        if there > end && segment < head.log.segment() {
            return Err(strayed(&target, segment));
        }
        if there > 0 {
            compare(&source, &target, segment, there.min(end))?;
        }
        if there < end {
            check(&log, segment, there, end)?;
            report.copied += copy(&source, segment, there, end, &games)?;
        }
        report.bytes += end;
    }
    sync_folder(&games).map_err(Error::io("sync", &games))?;
    if before.log < head.log {
        Head { index: 0, ..head }.write(to)?;
    }
    Ok(report)
}

/// How far an earlier copy of a database went.
fn earlier(to: &Path, head: &Head) -> Result<Option<Head>> {
    match look(to)? {
        Found::Head(before) if before.id != head.id => Err(Error::OtherDatabase {
            path: to.to_owned(),
            found: before.id.to_string(),
            wanted: head.id.to_string(),
        }),
        Found::Head(before) => Ok(Some(before)),
        Found::Nothing => Ok(None),
    }
}

fn check_segment(source: &Storage, segment: u32, head: &Head) -> Result<()> {
    if Log::segment_id(source, segment)? == Some(head.id) {
        return Ok(());
    }
    let address = Address::new(segment, 0).unwrap_or_default();
    Err(Error::DamagedLog { address, what: "the head of the segment is not what was written" })
}

/// Whether the frames of a part of a segment are what was written: a copy of damage is no backup.
fn check(log: &Arc<Log>, segment: u32, from: u64, to: u64) -> Result<()> {
    let at = |offset| Address::new(segment, offset).unwrap_or_default();
    log.frames(at(from.max(SEGMENT_HEAD as u64)), at(to)).try_for_each(|placed| placed.map(drop))
}

/// Whether the copy's end is that of the database there: it may have got games of its own.
fn compare(source: &Storage, target: &Storage, segment: u32, end: u64) -> Result<()> {
    let from = end.saturating_sub(COMPARED);
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    source.read(segment, from, usize::try_from(end - from).unwrap_or(0), &mut mine)?;
    target.read(segment, from, usize::try_from(end - from).unwrap_or(0), &mut theirs)?;
    if mine == theirs { Ok(()) } else { Err(strayed(target, segment)) }
}

/// What was a copy got games of its own.
fn strayed(target: &Storage, segment: u32) -> Error {
    let cause = std::io::Error::other("it is not a copy of this database any more");
    Error::Io { action: "go on with", path: target.path(segment), cause }
}

fn copy(source: &Storage, segment: u32, from: u64, to: u64, games: &Path) -> Result<u64> {
    const PIECE: u64 = 4 << 20;
    let path = games.join(segment_name(segment));
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(Error::io("create", &path))?;
    file.set_len(from).map_err(Error::io("write", &path))?;
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(from)).map_err(Error::io("write", &path))?;
    let (mut at, mut piece) = (from, Vec::new());
    while at < to {
        source.read(segment, at, usize::try_from(PIECE.min(to - at)).unwrap_or(0), &mut piece)?;
        if piece.is_empty() {
            let acknowledged = Address::new(segment, to).unwrap_or_default();
            return Err(Error::LostGames { acknowledged, found: at });
        }
        file.write_all(&piece).map_err(Error::io("write", &path))?;
        at += piece.len() as u64;
    }
    file.sync_all().map_err(Error::io("sync", &path))?;
    Ok(to - from)
}
