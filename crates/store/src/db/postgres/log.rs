//! The log in a table: rows that follow each other without a gap, one per frame.

use std::sync::Arc;

use super::server::{Server, Work};
use crate::db::error::{Error, Result};
use crate::db::log::{Address, FrameHead};

/// Longer rows are cut.
const ROW: usize = 16 << 20;
/// So much is asked for at once.
const PIECE: usize = 64 << 20;

/// The segments of a log, in a table.
#[derive(Clone, Debug)]
pub(crate) struct LogTable {
    server: Arc<Server>,
    /// Whether only what was acknowledged is read, without waiting for the writer of this process.
    reads: bool,
}

const READ: &str = "select at, substr(bytes, (greatest($2 - at, 0) + 1)::int, $3) from log where segment = $1 \
    and at >= coalesce((select max(at) from log where segment = $1 and at <= $2), $2) and at < $2 + $3 order by at";

impl LogTable {
    pub(crate) fn new(server: Arc<Server>) -> Self {
        LogTable { server, reads: false }
    }

    /// The same for readers.
    pub(crate) fn reading(&self) -> Self {
        LogTable { server: Arc::clone(&self.server), reads: true }
    }

    fn ask<T>(&self, work: Work<'_, T>) -> Result<T> {
        if self.reads { self.server.node(0)?.read(work) } else { self.server.read(0, work) }
    }

    pub(crate) fn segments(&self) -> Result<Vec<u32>> {
        let sql = "select segment from log where at = 0 order by segment";
        let numbers: Vec<i32> =
            self.ask(&|conn| conn.query(sql, &[])?.iter().map(|row| row.try_get(0)).collect())?;
        Ok(numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect())
    }

    pub(crate) fn len(&self, segment: u32) -> Result<u64> {
        let sql = "select at + octet_length(bytes) from log where segment = $1 order by at desc limit 1";
        let len: Option<i64> = self.ask(&|conn| conn.value(sql, &[&number(segment)]))?;
        Ok(len.map_or(0, |len| u64::try_from(len).unwrap_or(0)))
    }

    /// Up to `len` bytes from an offset; fewer only where the segment ends, or a row is missing.
    pub(crate) fn read(&self, segment: u32, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<()> {
        while out.len() < len {
            let from = offset + out.len() as u64;
            let want = (len - out.len()).min(PIECE);
            let (at, most) = (place(from)?, i32::try_from(want).unwrap_or(i32::MAX));
            let rows: Vec<(i64, Vec<u8>)> = self.ask(&|conn| {
                let rows = conn.query(READ, &[&number(segment), &at, &most])?;
                rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
            })?;
            let before = out.len();
            for (row, bytes) in rows {
                if row.max(at) != place(offset + out.len() as u64)? || bytes.is_empty() {
                    break;
                }
                out.extend_from_slice(&bytes);
            }
            out.truncate(len);
            if out.len() - before < want {
                break;
            }
        }
        Ok(())
    }

    /// Appends at an offset, which is the end of the segment. HEAD decides whether it counts.
    pub(crate) fn append(&self, segment: u32, offset: u64, bytes: &[u8]) -> Result<()> {
        const TOGETHER: usize = 8 << 20;
        self.server.await_head();
        let mut at = 0;
        while at < bytes.len() {
            let (mut places, mut rows, begin) = (Vec::new(), Vec::new(), at);
            while at < bytes.len() && at - begin < TOGETHER {
                let len = row_len(segment, offset + at as u64, &bytes[at..]);
                places.push(place(offset + at as u64)?);
                rows.push(&bytes[at..at + len]);
                at += len;
            }
            let sql = "insert into log select $1, * from unnest($2::bigint[], $3::bytea[])";
            self.server.write(0, &|conn| conn.execute(sql, &[&number(segment), &places, &rows]).map(drop))?;
        }
        Ok(())
    }

    pub(crate) fn truncate(&self, segment: u32, len: u64) -> Result<()> {
        let (segment, len) = (number(segment), place(len)?);
        self.server.write(0, &|conn| {
            conn.execute("delete from log where segment = $1 and at >= $2", &[&segment, &len])?;
            let cut = "update log set bytes = substr(bytes, 1, ($2 - at)::int) where segment = $1 \
                and at = (select max(at) from log where segment = $1) and at + octet_length(bytes) > $2";
            conn.execute(cut, &[&segment, &len]).map(drop)
        })
    }

    /// Makes what was appended count without HEAD.
    pub(crate) fn commit(&self) -> Result<()> {
        self.server.commit()
    }

    pub(crate) fn path(&self, segment: u32) -> std::path::PathBuf {
        self.server.name().join(format!("segment {segment}"))
    }
}

/// How long the row at a place gets: a frame, or what there is.
fn row_len(segment: u32, offset: u64, bytes: &[u8]) -> usize {
    let head = bytes.first_chunk().and_then(|head| FrameHead::read(head, Address::new(segment, offset)?));
    let frame = head.and_then(|head| usize::try_from(head.total()).ok());
    frame.unwrap_or(bytes.len()).min(bytes.len()).min(ROW)
}

fn number(segment: u32) -> i32 {
    i32::try_from(segment).unwrap_or(i32::MAX)
}

fn place(offset: u64) -> Result<i64> {
    i64::try_from(offset).map_err(|_| Error::TooLarge { what: "the length of a segment", limit: 1 << 40 })
}
