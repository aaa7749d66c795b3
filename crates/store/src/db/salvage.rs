//! What can be read of a damaged log, as a new database.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::error::{Error, Result};
use super::game::StoredGame;
use super::home::Found;
use super::log::{
    Address, BatchEnd, Block, Forget, FrameHead, FrameKind, HEAD_BYTES, Log, MARK, Placed, Retagged,
    SEGMENT_HEAD,
};
use super::manifest::Source;
use super::merge::{MergeOptions, batch_of};
use super::place::Place;
use super::recover::{Forgotten, put_source};
use super::replay::Replay;
use super::writer::OnDuplicate;
use super::{DatabaseId, Db, Options};

/// What was saved, and what was not.
#[derive(Clone, Debug, Default)]
pub struct SalvageReport {
    /// How many games were saved.
    pub games: u64,
    /// How many games are known to be missing: numbers between those that were read, and what HEAD counts.
    pub missing_games: u64,
    /// Games that were read and cannot be replayed.
    pub unplayable: u64,
    /// Parts of the log that cannot be read.
    pub missing: Vec<Missing>,
}

/// A part of the log that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Where it begins.
    pub from: Address,
    /// How many bytes it has.
    pub bytes: u64,
    /// The number of the next game that could be read.
    pub before_game: Option<u64>,
}

/// Reads every frame that checks, whatever stands between them, and makes a database of the games. Games get
/// new numbers. If anything is missing, an import of the same sources reads them from their beginnings, so
/// that what they still have of it comes back.
///
/// # Errors
///
/// If there are no segments, or the new database cannot be written. Damage is not an error: it is what this
/// is for.
pub fn salvage(from: &Path, to: &Path, options: &Options, replay: &dyn Replay) -> Result<SalvageReport> {
    let from = Place::of(from)?;
    let storage = from.storage(false);
    let head = match from.look() {
        Ok(Found::Head(head)) => Some(head),
        Err(error @ (Error::OtherFormat { .. } | Error::OtherSpecification { .. })) => return Err(error),
        _ => None,
    };
    let segments = storage.segments();
    let segments = match (segments, &head) {
        (Ok(segments), _) if !segments.is_empty() => segments,
        (Err(error), _) => return Err(error),
        (Ok(_), Some(head)) => {
            // Whoever has no file says why.
            storage.len(head.log.segment())?;
            return Err(Error::LostGames { acknowledged: head.log, found: 0 });
        }
        (Ok(_), None) => return Err(Error::NoDatabase { path: from.name() }),
    };
    let log = Arc::new(Log::new(storage, DatabaseId([0; 16]), Log::SEGMENT_BYTES));
    let mut report = SalvageReport::default();
    // Tags and sources first: they may stand after the games that they are of.
    let (mut tags, mut sources) = (HashMap::new(), Vec::new());
    let mut places = Vec::new();
    let (mut forgotten, mut seen) = (Forgotten::default(), 0);
    for segment in segments {
        scan(&log, segment, &mut report, |placed| match placed.kind {
            FrameKind::Games => {
                places.push(placed.at);
                seen = Block::end_of(placed).unwrap_or(seen);
            }
            FrameKind::Forget => {
                if let Ok(forget) = Forget::read(placed) {
                    forgotten.note(forget, seen);
                }
            }
            FrameKind::Tags => {
                if let Ok(retagged) = Retagged::read(placed) {
                    tags.insert(retagged.game, retagged.tags);
                }
            }
            FrameKind::BatchEnd => {
                if let Ok(end) = BatchEnd::read(placed) {
                    note_sources(&mut sources, end);
                }
            }
            FrameKind::Rejects | FrameKind::Copies => {}
        })?;
    }
    let db = Db::open(to, options.clone())?;
    let (mut next, mut games) = (0, Vec::new());
    let keep = MergeOptions::default().on_duplicate(OnDuplicate::Keep);
    let mut add = |games: Vec<(StoredGame, u64)>, whole: bool, report: &mut SalvageReport| -> Result<()> {
        let total = games.len();
        let playable: Vec<_> = games.into_iter().filter(|(game, _)| replay.replay(game).is_ok()).collect();
        report.unplayable += (total - playable.len()) as u64;
        report.games += playable.len() as u64;
        if let Some(last) = playable.iter().map(|(game, _)| game.source.file).max() {
            name_sources(&mut sources, last as usize + 1);
        }
        db.ingest(batch_of(playable, &sources, whole, &keep, replay)?, replay, None).map(drop)
    };
    for at in places {
        let Ok(block) = log.frame(at).and_then(|placed| Block::read(&placed)) else { continue };
        report.missing_games += block.first.saturating_sub(next);
        for missing in
            report.missing.iter_mut().filter(|missing| missing.from < at && missing.before_game.is_none())
        {
            missing.before_game = Some(block.first);
        }
        next = next.max(block.first + block.games.len() as u64);
        for (id, logged) in (block.first..).zip(block.games) {
            if forgotten.is(id, logged.game.source.file) {
                continue;
            }
            let mut game = Arc::unwrap_or_clone(logged.game);
            if let Some(tags) = tags.get(&id) {
                game.tags.clone_from(tags);
            }
            games.push((game, id));
        }
        if games.len() >= 4096 {
            add(std::mem::take(&mut games), false, &mut report)?;
        }
    }
    add(games, false, &mut report)?;
    if let Some(head) = head {
        let missing = head.games.saturating_sub(report.games + report.unplayable);
        report.missing_games = report.missing_games.max(missing);
    }
    // How far the sources were read is said only if all of that is here: else an import begins again.
    if report.missing_games == 0 && report.unplayable == 0 && report.missing.is_empty() {
        add(Vec::new(), true, &mut report)?;
    }
    db.close()?;
    Ok(report)
}

fn note_sources(sources: &mut Vec<Source>, end: BatchEnd) {
    for mark in end.sources {
        // A batch end that is missing may have named sources before this one.
        name_sources(sources, mark.number as usize);
        let _ = put_source(sources, mark.number, mark.source);
    }
}

/// Gives a name to sources that nothing names any more, until there are this many.
fn name_sources(sources: &mut Vec<Source>, count: usize) {
    while sources.len() < count {
        let unknown = format!("unknown-{}", sources.len());
        let stamp = boardprint_base::Digest::of(unknown.as_bytes());
        sources.push(Source { path: unknown.into(), stamp, offset: 0, records: 0 });
    }
}

/// Calls with every frame of a segment that checks; what lies between is reported. A frame says itself where
/// it stands, so that none is taken for another.
fn scan(log: &Log, segment: u32, report: &mut SalvageReport, mut each: impl FnMut(&Placed)) -> Result<()> {
    const PIECE: usize = 1 << 20;
    let len = log.storage().len(segment)?;
    let mut at = SEGMENT_HEAD as u64;
    let mut lost: Option<u64> = None;
    let mut piece = Vec::new();
    while at + HEAD_BYTES as u64 <= len {
        let Some(address) = Address::new(segment, at) else { break };
        if let Ok(placed) = log.frame(address) {
            if let Some(from) = lost.take() {
                report.missing.extend(Address::new(segment, from).map(|address| Missing {
                    from: address,
                    bytes: at - from,
                    before_game: None,
                }));
            }
            at += (HEAD_BYTES + placed.payload.len()) as u64;
            each(&placed);
            continue;
        }
        lost.get_or_insert(at);
        // If the head is good, the frame is whole but damaged; else the next mark is looked for.
        log.storage().read(segment, at, PIECE, &mut piece)?;
        let skipped =
            piece.first_chunk().and_then(|head| FrameHead::read(head, address)).map(|head| head.total());
        let next =
            piece.windows(MARK.len()).skip(1).position(|bytes| bytes == MARK).map(|place| place as u64 + 1);
        at += match (skipped, next) {
            (Some(total), _) if at + total <= len => total,
            (_, Some(next)) => next,
            (_, None) => (piece.len().saturating_sub(MARK.len() - 1)).max(1) as u64,
        };
    }
    let from = lost.unwrap_or(at);
    if from < len {
        report.missing.extend(Address::new(segment, from).map(|address| Missing {
            from: address,
            bytes: len - from,
            before_game: None,
        }));
    }
    Ok(())
}
