//! Frames: kind, length, two checksums, payload.
//!
//! The checksum of the head covers the place of the frame as well, so that a frame in the wrong place, or one
//! of an earlier life of the file, is as wrong as one with a flipped bit, and so that the length can be
//! trusted before the payload is read.

use super::Address;

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum FrameKind {
    /// A block of games.
    Games = 1,
    /// The end of a batch: how far each source was read, and counts.
    BatchEnd = 2,
    /// Records that could not be read.
    Rejects = 3,
    /// New tags of an earlier game.
    Tags = 4,
    /// Records that were games the database held already.
    Copies = 5,
    /// Games and sources to be forgotten.
    Forget = 6,
}

impl FrameKind {
    const fn of_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => FrameKind::Games,
            2 => FrameKind::BatchEnd,
            3 => FrameKind::Rejects,
            4 => FrameKind::Tags,
            5 => FrameKind::Copies,
            6 => FrameKind::Forget,
            _ => return None,
        })
    }
}

/// A frame starts with this, so that frames after a damaged one are found again.
pub(crate) const MARK: [u8; 4] = *b"\xb0\x0dBP";
/// Mark, kind, length, checksum of the payload, checksum of the head.
pub(crate) const HEAD_BYTES: usize = 4 + 1 + 4 + 4 + 4;
/// A payload that claims to be longer is damaged.
pub(crate) const MAX_PAYLOAD: usize = 1 << 30;

/// The head of a frame, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHead {
    pub(crate) kind: FrameKind,
    pub(crate) len: usize,
    pub(crate) payload_check: u32,
}

impl FrameHead {
    /// The bytes of the frame, head and payload.
    pub(crate) const fn total(&self) -> u64 {
        (HEAD_BYTES + self.len) as u64
    }

    pub(crate) fn read(bytes: &[u8; HEAD_BYTES], at: Address) -> Option<Self> {
        let (head, check) = bytes.split_last_chunk::<4>()?;
        if u32::from_le_bytes(*check) != head_check(head, at) {
            return None;
        }
        let rest = head.strip_prefix(&MARK)?;
        let kind = FrameKind::of_code(rest[0])?;
        let len = u32::from_le_bytes(*rest[1..].first_chunk()?) as usize;
        let payload_check = u32::from_le_bytes(*rest[5..].first_chunk()?);
        (len <= MAX_PAYLOAD).then_some(FrameHead { kind, len, payload_check })
    }

    fn write(&self, at: Address, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend_from_slice(&MARK);
        out.push(self.kind as u8);
        let len = u32::try_from(self.len).expect("a payload is below 2^30 bytes");
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(&self.payload_check.to_le_bytes());
        let check = head_check(&out[begin..], at);
        out.extend_from_slice(&check.to_le_bytes());
    }
}

fn head_check(head: &[u8], at: Address) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(&at.0.to_le_bytes());
    hasher.finalize()
}

/// A frame that has no place yet. Its checksum is made here, so that many threads can do it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    head: FrameHead,
    payload: Vec<u8>,
}

impl Frame {
    pub(crate) fn new(kind: FrameKind, payload: Vec<u8>) -> Self {
        let head = FrameHead { kind, len: payload.len(), payload_check: crc32fast::hash(&payload) };
        Frame { head, payload }
    }

    /// The bytes of the frame, head and payload.
    pub(crate) const fn total(&self) -> u64 {
        self.head.total()
    }

    /// Appends the frame, which will stand at `at`.
    pub(crate) fn write(&self, at: Address, out: &mut Vec<u8>) {
        self.head.write(at, out);
        out.extend_from_slice(&self.payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_or_another_place_is_noticed() {
        let at = Address::new(2, 700).unwrap();
        let mut bytes = Vec::new();
        Frame::new(FrameKind::Tags, b"payload".to_vec()).write(at, &mut bytes);
        let head = |bytes: &[u8], at| FrameHead::read(bytes.first_chunk().unwrap(), at);
        let read = head(&bytes, at).unwrap();
        assert_eq!((read.kind, read.len, read.total()), (FrameKind::Tags, 7, bytes.len() as u64));
        assert_eq!(head(&bytes, Address::new(2, 701).unwrap()), None);
        assert_eq!(head(&bytes, Address::new(1, 700).unwrap()), None);
        for bit in 0..HEAD_BYTES * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(head(&bad, at), None, "bit {bit}");
        }
    }
}
