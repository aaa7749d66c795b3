//! What the log holds beside games.

use boardprint_base::Digest;

use super::super::codec::{Cursor, put_bytes, put_varint};
use super::super::counts::Counts;
use super::super::error::{Error, Result};
use super::super::game::{Origin, Tags};
use super::super::manifest::Source;
use super::{Address, Frame, FrameKind, Placed};

fn read<T>(placed: &Placed, kind: FrameKind, take: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Result<T> {
    let mut input = Cursor::new(&placed.payload);
    let value = take(&mut input).filter(|_| input.is_empty() && placed.kind == kind);
    value.ok_or(Error::DamagedLog { address: placed.at, what: "the frame cannot be read" })
}

fn list<T>(input: &mut Cursor<'_>, mut take: impl FnMut(&mut Cursor<'_>) -> Option<T>) -> Option<Vec<T>> {
    let count = input.count()?;
    (0..count).map(|_| take(input)).collect()
}

fn number(input: &mut Cursor<'_>) -> Option<u64> {
    input.varint()
}

/// How far a source was read, with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceMark {
    pub(crate) number: u32,
    pub(crate) source: Source,
}

/// The end of a batch. Sums are over the whole log, so that the last end says them all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BatchEnd {
    /// Where the batch begins.
    pub(crate) begin: Address,
    /// Where the batch before it ends.
    pub(crate) previous: Address,
    /// The number that the next game gets.
    pub(crate) next_game: u64,
    pub(crate) duplicates: u64,
    pub(crate) rejects: u64,
    pub(crate) results: Counts,
    /// Sources of which this batch read something.
    pub(crate) sources: Vec<SourceMark>,
}

impl BatchEnd {
    pub(crate) fn frame(&self) -> Frame {
        let mut out = Vec::new();
        for number in [self.begin.0, self.previous.0, self.next_game, self.duplicates, self.rejects] {
            put_varint(&mut out, number);
        }
        self.results.put(&mut out);
        put_varint(&mut out, self.sources.len() as u64);
        for mark in &self.sources {
            put_varint(&mut out, mark.number.into());
            mark.source.put(&mut out);
        }
        Frame::new(FrameKind::BatchEnd, out)
    }

    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        read(placed, FrameKind::BatchEnd, |input| {
            Some(BatchEnd {
                begin: Address(input.varint()?),
                previous: Address(input.varint()?),
                next_game: input.varint()?,
                duplicates: input.varint()?,
                rejects: input.varint()?,
                results: Counts::take(input)?,
                sources: list(input, |input| {
                    let number = u32::try_from(input.varint()?).ok()?;
                    Some(SourceMark { number, source: Source::take(input)? })
                })?,
            })
        })
    }
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectNote {
    /// Where it stands; `file` is the number of the source.
    pub place: Origin,
    /// The line where something is wrong, from 1.
    pub line: u64,
    /// Why.
    pub reason: Box<str>,
}

/// Records that could not be read.
pub(crate) struct Rejects(pub(crate) Vec<RejectNote>);

impl Rejects {
    pub(crate) fn frame(&self) -> Frame {
        let mut out = Vec::new();
        put_varint(&mut out, self.0.len() as u64);
        for reject in &self.0 {
            reject.place.put(&mut out);
            put_varint(&mut out, reject.line);
            put_bytes(&mut out, reject.reason.as_bytes());
        }
        Frame::new(FrameKind::Rejects, out)
    }

    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        let take = |input: &mut Cursor<'_>| {
            Some(RejectNote {
                place: Origin::take(input)?,
                line: input.varint()?,
                reason: input.text()?.into(),
            })
        };
        read(placed, FrameKind::Rejects, |input| list(input, take)).map(Rejects)
    }
}

/// New tags of a game: all of them, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Retagged {
    pub(crate) game: u64,
    pub(crate) tags: Tags,
}

impl Retagged {
    pub(crate) fn frame(&self) -> Frame {
        let mut out = Vec::new();
        put_varint(&mut out, self.game);
        self.tags.put(&mut out);
        Frame::new(FrameKind::Tags, out)
    }

    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        read(placed, FrameKind::Tags, |input| {
            Some(Retagged { game: input.varint()?, tags: Tags::take(input)? })
        })
    }
}

/// A record that was a game the database held already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyNote {
    /// The number of the game.
    pub of: u64,
    /// Where the copy was read.
    pub place: Origin,
    /// How sure it is that the two are one game, as the caller's rule said: from 0 to 255.
    pub confidence: u8,
    /// Whether the stored game took tags from it.
    pub merged: bool,
}

/// Copies of one batch.
pub(crate) struct Copies(pub(crate) Vec<CopyNote>);

impl Copies {
    pub(crate) fn frame(&self) -> Frame {
        let mut out = Vec::new();
        put_varint(&mut out, self.0.len() as u64);
        for copy in &self.0 {
            put_varint(&mut out, copy.of);
            copy.place.put(&mut out);
            out.extend_from_slice(&[copy.confidence, copy.merged.into()]);
        }
        Frame::new(FrameKind::Copies, out)
    }

    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        let take = |input: &mut Cursor<'_>| {
            Some(CopyNote {
                of: input.varint()?,
                place: Origin::take(input)?,
                confidence: input.byte()?,
                merged: input.byte()? != 0,
            })
        };
        read(placed, FrameKind::Copies, |input| list(input, take)).map(Copies)
    }
}

/// Games to be forgotten, by number, and sources all of whose games are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forget {
    pub(crate) games: Vec<u64>,
    pub(crate) sources: Vec<u32>,
}

impl Forget {
    pub(crate) fn frame(&self) -> Frame {
        let mut out = Vec::new();
        put_varint(&mut out, self.games.len() as u64);
        self.games.iter().for_each(|game| put_varint(&mut out, *game));
        put_varint(&mut out, self.sources.len() as u64);
        self.sources.iter().for_each(|source| put_varint(&mut out, (*source).into()));
        Frame::new(FrameKind::Forget, out)
    }

    pub(crate) fn read(placed: &Placed) -> Result<Self> {
        read(placed, FrameKind::Forget, |input| {
            let games = list(input, number)?;
            Some(Forget { games, sources: list(input, |input| u32::try_from(input.varint()?).ok())? })
        })
    }
}

impl Source {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_bytes(out, self.path.as_bytes());
        out.extend_from_slice(&self.stamp.0);
        put_varint(out, self.offset);
        put_varint(out, self.records);
    }

    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        Some(Source {
            path: input.text()?.into(),
            stamp: Digest(input.array()?),
            offset: input.varint()?,
            records: input.varint()?,
        })
    }
}

impl Origin {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_varint(out, self.file.into());
        put_varint(out, self.offset);
        put_varint(out, self.record);
    }

    pub(crate) fn take(input: &mut Cursor<'_>) -> Option<Self> {
        Some(Origin {
            file: u32::try_from(input.varint()?).ok()?,
            offset: input.varint()?,
            record: input.varint()?,
        })
    }
}
