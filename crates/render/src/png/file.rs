//! PNG files.

/// A file of RGBA pixels.
pub(super) fn write(width: usize, height: usize, pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut rows = Vec::with_capacity(pixels.len() * 4 + height);
    let mut above = vec![0; width * 4];
    for row in pixels.chunks(width.max(1)) {
        let bytes = row.as_flattened();
        filter(&mut rows, bytes, &above);
        above.copy_from_slice(bytes);
    }
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    let mut header = Vec::from(side(width));
    header.extend(side(height));
    // Eight bits, red green blue alpha, the only compression, the only filters, not interlaced.
    header.extend([8, 6, 0, 0, 0]);
    let mut out = Vec::from(*b"\x89PNG\r\n\x1a\n");
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&rows, 8));
    chunk(&mut out, *b"IEND", &[]);
    out
}

/// A row as differences to its neighbours: of the filters, the one whose bytes are nearest to 0.
fn filter(out: &mut Vec<u8>, row: &[u8], above: &[u8]) {
    let before = |bytes: &[u8], index: usize| index.checked_sub(4).map_or(0, |index| bytes[index]);
    let filtered = |kind: u8| -> Vec<u8> {
        let guess = |index: usize| match kind {
            0 => 0,
            1 => before(row, index),
            2 => above[index],
            _ => paeth(before(row, index), above[index], before(above, index)),
        };
        row.iter().enumerate().map(|(index, byte)| byte.wrapping_sub(guess(index))).collect()
    };
    let weight =
        |bytes: &[u8]| bytes.iter().map(|byte| u64::from(byte.cast_signed().unsigned_abs())).sum::<u64>();
    let all = [0, 1, 2, 4].map(|kind| (kind, filtered(kind)));
    if let Some((kind, bytes)) = all.iter().min_by_key(|(_, bytes)| weight(bytes)) {
        out.push(*kind);
        out.extend(bytes);
    }
}

/// The neighbour nearest to left + above - upper left.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(above) - i16::from(corner);
    let distance = |byte: u8| (guess - i16::from(byte)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(corner) {
        left
    } else if distance(above) <= distance(corner) {
        above
    } else {
        corner
    }
}

fn chunk(out: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend(name);
    out.extend(data);
    out.extend(checksum(name.iter().chain(data)).to_be_bytes());
}

/// CRC-32 bit by bit: files are small.
fn checksum<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    !bytes.fold(u32::MAX, |mut sum, byte| {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(checksum(b"123456789".iter()), 0xcbf4_3926);
        assert_eq!(checksum(b"IEND".iter()), 0xae42_6082);
    }
}
