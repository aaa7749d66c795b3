//! Cut in one thread, work in many, decide in one, in input order and with bounded memory.

use std::sync::mpsc::sync_channel;

use rayon::prelude::*;

use boardprint_games::Record;
use boardprint_records::ReadError;

/// How many records, and how many bytes of text, go through together.
const BATCH_RECORDS: usize = 512;
const BATCH_BYTES: usize = 4 << 20;

pub(super) type Item = Result<Record, ReadError>;

/// What goes through: this many bytes of memory.
pub(super) trait Weight {
    fn bytes(&self) -> usize;
}

impl Weight for Record {
    fn bytes(&self) -> usize {
        self.text.len()
    }
}

/// Reads everything, works on each good item with its number of the whole input, and hands both on in input
/// order.
pub(super) fn run<T: Weight + Send + Sync, X: Send + Sync, R: Send, E>(
    items: impl Iterator<Item = Result<T, X>> + Send,
    threads: usize,
    work: impl Fn(u32, &T) -> R + Sync,
    mut take: impl FnMut(u32, Result<T, X>, Option<R>) -> Result<(), E>,
) -> Result<(), E> {
    if threads == 1 {
        for (number, item) in (0..).zip(items) {
            let done = item.as_ref().ok().map(|item| work(number, item));
            take(number, item, done)?;
        }
        return Ok(());
    }
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
        return run(items, 1, work, take);
    };
    std::thread::scope(|scope| {
        let (cut, batches) = sync_channel::<Vec<Result<T, X>>>(2);
        let (worked, results) = sync_channel::<(Vec<Result<T, X>>, Vec<Option<R>>)>(2);
        scope.spawn(move || {
            let mut items = items;
            loop {
                let batch = batch(&mut items);
                if batch.is_empty() || cut.send(batch).is_err() {
                    return;
                }
            }
        });
        let work = &work;
        scope.spawn(move || {
            let mut first = 0_u32;
            for batch in batches {
                let done = pool.install(|| {
                    let numbered = batch.par_iter().with_min_len(16).enumerate();
                    let one = |(index, item): (usize, &Result<T, X>)| {
                        let number = first + u32::try_from(index).expect("batches are small");
                        item.as_ref().ok().map(|item| work(number, item))
                    };
                    numbered.map(one).collect()
                });
                first += u32::try_from(batch.len()).expect("batches are small");
                if worked.send((batch, done)).is_err() {
                    return;
                }
            }
        });
        let mut number = 0_u32;
        for (batch, done) in results {
            for (item, done) in batch.into_iter().zip(done) {
                take(number, item, done)?;
                number += 1;
            }
        }
        Ok(())
    })
}

fn batch<T: Weight, X>(items: &mut impl Iterator<Item = Result<T, X>>) -> Vec<Result<T, X>> {
    let mut batch = Vec::with_capacity(BATCH_RECORDS);
    let mut bytes = 0;
    for item in items {
        bytes += item.as_ref().map_or(0, Weight::bytes);
        batch.push(item);
        if batch.len() == BATCH_RECORDS || bytes > BATCH_BYTES {
            break;
        }
    }
    batch
}
