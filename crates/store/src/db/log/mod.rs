//! The log: the games and everything that was ever said about them, in files that are only appended to.
//!
//! A segment is a head (what it is, the id of the database, its number, a checksum) and then frames. The
//! frames of a batch stand together in one segment, the last of them says that the batch is whole. What HEAD
//! acknowledged must check to the last bit; beyond that, whole batches count and anything else is what an
//! interrupted writer left.

mod block;
mod frame;
mod notes;
mod storage;

use std::sync::Arc;

pub(crate) use self::block::{BLOCK_GAMES, Block, LoggedGame, encode_block};
pub(crate) use self::frame::{Frame, FrameHead, FrameKind, HEAD_BYTES, MARK};
pub(crate) use self::notes::{BatchEnd, Copies, Forget, Rejects, Retagged, SourceMark};
pub use self::notes::{CopyNote, RejectNote};
pub(crate) use self::storage::{Storage, segment_name};
use super::error::{Error, Result};
use super::head::DatabaseId;

/// The folder of the segments.
pub(crate) const GAMES: &str = "games";

/// A place in the log: a segment and a byte of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub(crate) u64);

impl Address {
    const OFFSET_BITS: u32 = 40;

    /// A place; `None` if it is beyond what the format can hold.
    #[must_use]
    pub fn new(segment: u32, offset: u64) -> Option<Self> {
        let fits = segment < 1 << 24 && offset < 1 << Self::OFFSET_BITS;
        fits.then_some(Address(u64::from(segment) << Self::OFFSET_BITS | offset))
    }

    /// The number of the segment.
    #[must_use]
    pub const fn segment(self) -> u32 {
        (self.0 >> Self::OFFSET_BITS) as u32
    }

    /// The byte of the segment.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.0 & ((1 << Self::OFFSET_BITS) - 1)
    }

    /// The name of the segment's file.
    #[must_use]
    pub fn file_name(self) -> String {
        segment_name(self.segment())
    }

    /// The place some bytes on in the same segment.
    pub(crate) fn after(self, bytes: u64) -> Result<Self> {
        let next = self.offset().checked_add(bytes).and_then(|offset| Address::new(self.segment(), offset));
        next.ok_or(Error::TooLarge { what: "the length of a segment", limit: 1 << Self::OFFSET_BITS })
    }
}

/// The first bytes of a segment.
const SEGMENT_MARK: &[u8; 20] = b"boardprint games 2\n\0";
/// Mark, id, number, checksum.
pub(crate) const SEGMENT_HEAD: usize = 20 + 16 + 4 + 4;

/// The log of a database.
#[derive(Debug)]
pub(crate) struct Log {
    storage: Storage,
    id: DatabaseId,
    /// A segment that has this many bytes gets no further batch.
    segment_bytes: u64,
}

/// A frame with its place.
pub(crate) struct Placed {
    pub(crate) at: Address,
    pub(crate) kind: FrameKind,
    pub(crate) payload: Vec<u8>,
}

impl Placed {
    /// The place after the frame.
    pub(crate) fn end(&self) -> Result<Address> {
        self.at.after((HEAD_BYTES + self.payload.len()) as u64)
    }
}

impl Log {
    /// Segments end when they have this many bytes.
    pub(crate) const SEGMENT_BYTES: u64 = 1 << 30;

    pub(crate) const fn new(storage: Storage, id: DatabaseId, segment_bytes: u64) -> Self {
        Log { storage, id, segment_bytes }
    }

    pub(crate) const fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The same log for readers: they need not wait for the writer of this process.
    pub(crate) fn reading(self: &Arc<Self>) -> Arc<Self> {
        match self.storage.reading() {
            Some(storage) => Arc::new(Log { storage, id: self.id, segment_bytes: self.segment_bytes }),
            None => Arc::clone(self),
        }
    }

    pub(crate) const fn id(&self) -> DatabaseId {
        self.id
    }

    /// Where the first frame of a log stands.
    pub(crate) const fn first() -> Address {
        Address(1 << Address::OFFSET_BITS | SEGMENT_HEAD as u64)
    }

    /// Makes the first segment.
    pub(crate) fn create(&self) -> Result<Address> {
        self.begin_segment(1)?;
        Ok(Self::first())
    }

    /// Makes a segment with its head. What an interrupted attempt left there is written over.
    fn begin_segment(&self, segment: u32) -> Result<Address> {
        if segment >= 1 << 24 {
            return Err(Error::TooLarge { what: "the number of segments", limit: 1 << 24 });
        }
        self.storage.create(segment)?;
        self.storage.truncate(segment, 0)?;
        self.storage.append(segment, 0, &segment_head(self.id, segment))?;
        self.storage.sync(segment)?;
        self.storage.sync_folder()?;
        Ok(Address(u64::from(segment) << Address::OFFSET_BITS | SEGMENT_HEAD as u64))
    }

    /// Where a batch that comes after `end` stands: in the same segment, or in a new one.
    pub(crate) fn place_for_batch(&self, end: Address) -> Result<Address> {
        if end.offset() < self.segment_bytes { Ok(end) } else { self.begin_segment(end.segment() + 1) }
    }

    /// Appends frames at a place and makes them safe; the place after them.
    pub(crate) fn append(&self, at: Address, bytes: &[u8]) -> Result<Address> {
        let end = at.after(bytes.len() as u64)?;
        self.storage.append(at.segment(), at.offset(), bytes)?;
        self.storage.sync(at.segment())?;
        Ok(end)
    }

    /// The id of the database that a segment says it is of; `None` if its head is not right.
    pub(crate) fn segment_id(storage: &Storage, segment: u32) -> Result<Option<DatabaseId>> {
        let mut head = Vec::new();
        storage.read(segment, 0, SEGMENT_HEAD, &mut head)?;
        let id = head.get(20..36).and_then(|id| id.try_into().ok()).map(DatabaseId);
        Ok(id.filter(|id| head == segment_head(*id, segment)))
    }

    /// Checks that a segment belongs to this database.
    fn check_segment(&self, segment: u32) -> Result<()> {
        match Self::segment_id(&self.storage, segment)? {
            Some(id) if id == self.id => Ok(()),
            Some(id) => Err(Error::OtherDatabase {
                path: self.storage.path(segment),
                found: id.to_string(),
                wanted: self.id.to_string(),
            }),
            None => {
                let address = Address::new(segment, 0).unwrap_or_default();
                Err(Error::DamagedLog { address, what: "the head of the segment is not what was written" })
            }
        }
    }

    /// Checks that the log reaches as far as was acknowledged, without reading it.
    pub(crate) fn check_reach(&self, acknowledged: Address) -> Result<()> {
        self.check_segment(acknowledged.segment())?;
        let found = self.storage.len(acknowledged.segment())?;
        if found < acknowledged.offset() { Err(Error::LostGames { acknowledged, found }) } else { Ok(()) }
    }

    /// The frame at a place.
    pub(crate) fn frame(&self, at: Address) -> Result<Placed> {
        let mut bytes = Vec::new();
        // One read for most frames: a block of games has a few kilobytes.
        let guess = 8 << 10;
        self.storage.read(at.segment(), at.offset(), guess, &mut bytes)?;
        let damaged = |what| Error::DamagedLog { address: at, what };
        let head = bytes.first_chunk().and_then(|head| FrameHead::read(head, at));
        let head = head.ok_or_else(|| damaged("no frame begins there"))?;
        if bytes.len() < HEAD_BYTES + head.len {
            let offset = at.offset() + HEAD_BYTES as u64;
            self.storage.read(at.segment(), offset, head.len, &mut bytes)?;
        } else {
            bytes.drain(..HEAD_BYTES);
            bytes.truncate(head.len);
        }
        if bytes.len() != head.len || crc32fast::hash(&bytes) != head.payload_check {
            return Err(damaged("the frame's checksum does not match"));
        }
        Ok(Placed { at, kind: head.kind, payload: bytes })
    }

    /// Every frame from a place up to another.
    pub(crate) fn frames(self: &Arc<Self>, from: Address, to: Address) -> Frames {
        Frames {
            log: Arc::clone(self),
            next: from,
            end: to,
            ahead: Ahead::default(),
            done: false,
            skip: |_| false,
        }
    }

    /// As [`Log::frames`], without reading the payloads of kinds that are not wanted: those come empty and
    /// unchecked.
    pub(crate) fn frames_without(
        self: &Arc<Self>,
        from: Address,
        to: Address,
        skip: fn(FrameKind) -> bool,
    ) -> Frames {
        Frames { skip, ..self.frames(from, to) }
    }

    /// Where the next frame would be looked for if `at` is the end of a segment's batches: the head of the
    /// following segment, if there is one.
    pub(crate) fn next_segment(&self, at: Address) -> Result<Option<Address>> {
        let next = at.segment() + 1;
        if !self.storage.segments()?.contains(&next)
            || Self::segment_id(&self.storage, next)? != Some(self.id)
        {
            return Ok(None);
        }
        Ok(Address::new(next, SEGMENT_HEAD as u64))
    }

    /// The end of the last whole batch from an end that was acknowledged on.
    pub(crate) fn whole_end(self: &Arc<Self>, acknowledged: Address) -> Result<Address> {
        let mut end = acknowledged;
        loop {
            match self.whole_batch(end)? {
                Some(next) => end = next,
                None => return Ok(end),
            }
        }
    }

    /// The end of the batch after an end, if it is whole.
    fn whole_batch(self: &Arc<Self>, end: Address) -> Result<Option<Address>> {
        let mut begin = end;
        if self.storage.len(end.segment())? <= end.offset() {
            match self.next_segment(end)? {
                Some(next) => begin = next,
                None => return Ok(None),
            }
        }
        let mut at = begin;
        loop {
            let placed = match self.frame(at) {
                Ok(placed) => placed,
                Err(Error::DamagedLog { .. }) => return Ok(None),
                Err(error) => return Err(error),
            };
            let next = at.after((HEAD_BYTES + placed.payload.len()) as u64)?;
            if placed.kind == FrameKind::BatchEnd {
                let whole = BatchEnd::read(&placed)?;
                return Ok((whole.begin == begin && whole.previous == end).then_some(next));
            }
            at = next;
        }
    }

    /// Checks that nothing whole stands after an end: what is there is a torn end, not a batch after damage.
    pub(crate) fn check_tail(&self, end: Address) -> Result<()> {
        for segment in self.storage.segments()?.into_iter().filter(|segment| *segment >= end.segment()) {
            let from = if segment == end.segment() { end.offset() } else { SEGMENT_HEAD as u64 };
            let mut at = from;
            let mut bytes = Vec::new();
            loop {
                self.storage.read(segment, at, Ahead::BYTES, &mut bytes)?;
                for (place, _) in bytes.windows(MARK.len()).enumerate().filter(|(_, mark)| *mark == MARK) {
                    let Some(address) = Address::new(segment, at + place as u64) else { break };
                    if self.frame(address).is_ok_and(|placed| placed.kind == FrameKind::BatchEnd) {
                        return Err(Error::DamagedLog {
                            address: end,
                            what: "a batch after it is whole, this one is not",
                        });
                    }
                }
                if bytes.len() < Ahead::BYTES {
                    break;
                }
                at += (bytes.len() - (MARK.len() - 1)) as u64;
            }
        }
        Ok(())
    }

    /// Cuts everything after an end: what an interrupted writer left. Segments after it are emptied, never
    /// removed.
    pub(crate) fn cut(&self, end: Address) -> Result<()> {
        if self.storage.len(end.segment())? > end.offset() {
            self.storage.truncate(end.segment(), end.offset())?;
        }
        for segment in self.storage.segments()?.into_iter().filter(|segment| *segment > end.segment()) {
            if self.storage.len(segment)? > SEGMENT_HEAD as u64 {
                self.storage.truncate(segment, SEGMENT_HEAD as u64)?;
            }
        }
        Ok(())
    }

    /// The bytes of all segments.
    pub(crate) fn size(&self) -> Result<u64> {
        let mut sum = 0;
        for segment in self.storage.segments()? {
            sum += self.storage.len(segment)?;
        }
        Ok(sum)
    }
}

fn segment_head(id: DatabaseId, segment: u32) -> Vec<u8> {
    let mut head = SEGMENT_MARK.to_vec();
    head.extend_from_slice(&id.0);
    head.extend_from_slice(&segment.to_le_bytes());
    let check = crc32fast::hash(&head);
    head.extend_from_slice(&check.to_le_bytes());
    head
}

/// Bytes read ahead, so that walking the log takes few system calls.
#[derive(Default)]
struct Ahead {
    at: Address,
    bytes: Vec<u8>,
}

impl Ahead {
    const BYTES: usize = 256 << 10;

    /// `len` bytes from a place; fewer where the segment ends.
    fn get(&mut self, log: &Log, at: Address, len: usize) -> Result<&[u8]> {
        let begin = at.0.checked_sub(self.at.0).and_then(|begin| usize::try_from(begin).ok());
        let held = begin.filter(|begin| begin + len <= self.bytes.len());
        let begin = if let Some(begin) = held {
            begin
        } else {
            log.storage.read(at.segment(), at.offset(), len.max(Self::BYTES), &mut self.bytes)?;
            self.at = at;
            0
        };
        Ok(&self.bytes[begin..self.bytes.len().min(begin + len)])
    }
}

/// The frames of a stretch of the log. An error ends it.
pub(crate) struct Frames {
    log: Arc<Log>,
    next: Address,
    end: Address,
    ahead: Ahead,
    done: bool,
    skip: fn(FrameKind) -> bool,
}

impl Frames {
    fn step(&mut self) -> Result<Option<Placed>> {
        if self.next >= self.end {
            return Ok(None);
        }
        if self.next.segment() < self.end.segment()
            && self.log.storage.len(self.next.segment())? <= self.next.offset()
        {
            let next = self.next.segment() + 1;
            self.log.check_segment(next)?;
            self.next = Address::new(next, SEGMENT_HEAD as u64).unwrap_or_default();
            return self.step_within();
        }
        self.step_within()
    }

    fn step_within(&mut self) -> Result<Option<Placed>> {
        let at = self.next;
        if at >= self.end {
            return Ok(None);
        }
        let damaged = |what| Error::DamagedLog { address: at, what };
        let head = self.ahead.get(&self.log, at, HEAD_BYTES)?;
        let head = head.first_chunk().and_then(|head| FrameHead::read(head, at));
        let head = head.ok_or_else(|| damaged("no frame begins there"))?;
        let begin = at.after(HEAD_BYTES as u64)?;
        let payload = if (self.skip)(head.kind) {
            Vec::new()
        } else {
            let payload = self.ahead.get(&self.log, begin, head.len)?;
            if payload.len() != head.len || crc32fast::hash(payload) != head.payload_check {
                return Err(damaged("the frame's checksum does not match"));
            }
            payload.to_vec()
        };
        self.next = begin.after(head.len as u64)?;
        if self.next > self.end {
            return Err(damaged("the frame reaches beyond what was acknowledged"));
        }
        Ok(Some(Placed { at, kind: head.kind, payload }))
    }
}

impl Iterator for Frames {
    type Item = Result<Placed>;

    fn next(&mut self) -> Option<Result<Placed>> {
        if self.done {
            return None;
        }
        let item = self.step().transpose();
        self.done = !matches!(item, Some(Ok(_)));
        item
    }
}
