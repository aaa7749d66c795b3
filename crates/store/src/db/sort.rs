//! Sorting postings of a batch.
//!
//! Their keys begin with hashes, which are random: a byte of the hash divides them into parts of about the
//! same size. Each pass goes over the postings once and puts them into their part in place; parts that are
//! small are sorted by comparing. A batch of a million is sorted in about half the time that comparing alone
//! takes.

use rayon::prelude::*;

use super::posting::Posting;

/// Parts of this size are sorted by comparing.
const SMALL: usize = 48;
const PARTS: usize = 256;

/// Sorts postings on the threads of the current rayon pool.
pub(crate) fn by_position(postings: &mut [Posting]) {
    let parts = divide(postings, 0);
    parts.into_par_iter().for_each(|part| sort(part, 1));
}

/// Sorts postings whose hashes agree in the bytes before this one.
fn sort(postings: &mut [Posting], byte: usize) {
    // Two bytes of the hash leave little to compare, unless a position is frequent: then more bytes would not
    // divide it either.
    if postings.len() <= SMALL || byte == 2 {
        postings.sort_unstable();
        return;
    }
    for part in divide(postings, byte) {
        sort(part, byte + 1);
    }
}

/// Moves postings into parts by a byte of the hash; the parts in order.
fn divide(postings: &mut [Posting], byte: usize) -> Vec<&mut [Posting]> {
    let part_of = |posting: &Posting| usize::from(posting.hash_byte(byte));
    let mut sizes = [0_usize; PARTS];
    for posting in postings.iter() {
        sizes[part_of(posting)] += 1;
    }
    let mut free = [0_usize; PARTS];
    let mut sum = 0;
    for (free, size) in free.iter_mut().zip(sizes) {
        *free = sum;
        sum += size;
    }
    let mut end = 0;
    for part in 0..PARTS {
        end += sizes[part];
        while free[part] < end {
            let wanted = part_of(&postings[free[part]]);
            if wanted != part {
                postings.swap(free[part], free[wanted]);
            }
            free[wanted] += 1;
        }
    }
    let mut rest = postings;
    let mut parts = Vec::with_capacity(PARTS);
    for size in sizes {
        let part;
        (part, rest) = rest.split_at_mut(size);
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::posting::Prefix;
    use boardprint_base::Digest;

    #[test]
    fn postings_are_sorted_as_by_comparing() {
        for count in [0, 1, 5, 300, 40_000] {
            let posting = |n: u64| {
                // Some positions are frequent, some hashes differ late.
                let mut prefix = Prefix::of(&Digest::of(&(n % 20_011).to_le_bytes()));
                if n.is_multiple_of(3) {
                    prefix = Prefix([7, 7, (n % 5) as u8, 0, 0, 0, 0, 0, 0, (n % 7) as u8]);
                }
                Posting::new(prefix, n * 7919 % 40_009, (n % 90) as u32).unwrap()
            };
            let mut sorted: Vec<Posting> = (0..count).map(posting).collect();
            let mut expected = sorted.clone();
            expected.sort_unstable();
            by_position(&mut sorted);
            assert_eq!(sorted, expected);
        }
    }
}
