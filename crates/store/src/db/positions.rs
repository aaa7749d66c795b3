//! Every distinct position of the games with its text, by hash, in bounded memory: one replay of the log and
//! an external sort.
//!
//! Positions are collected until they fill the memory that was granted, sorted, counted, and written to a
//! temporary file, compressed. The files have no names, so that nothing is left of them however this ends.
//! They are merged at the end; when there are many, some of them before.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use boardprint_base::Digest;
use rayon::prelude::*;

use super::error::{Error, Result};
use super::export::{ExportedGame, LogReader};
use super::ingest::pool;
use super::replay::Replay;

/// A position with how often it occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedPosition {
    /// The SHA-1 of the text.
    pub hash: Digest,
    /// How often it occurred.
    pub count: u64,
    /// What tells it from others: its CPN.
    pub text: Box<[u8]>,
}

/// How positions are sorted.
#[derive(Clone, Debug)]
pub struct PositionOptions {
    /// About how many bytes of positions are held in memory.
    pub memory: u64,
    /// Where temporary files are made; by default where the system has them.
    pub folder: Option<PathBuf>,
    /// How many threads replay games; 0 for as many as there are cores.
    pub threads: usize,
}

impl Default for PositionOptions {
    fn default() -> Self {
        PositionOptions { memory: 256 << 20, folder: None, threads: 0 }
    }
}

/// What a position takes in memory beside its text.
const OVERHEAD: u64 = 64;
/// Games are replayed together until they have this many positions.
const TOGETHER_PLIES: usize = 1 << 14;
/// This many files of a size are merged into one, so that few are open at a time.
const FAN_IN: usize = 16;
/// Speed counts for more than size.
const ZSTD_LEVEL: i32 = 1;

impl LogReader {
    /// Every distinct position of the games that are wanted, by hash.
    ///
    /// # Errors
    ///
    /// If the log is damaged, a game cannot be replayed, or a temporary file cannot be written.
    pub fn positions(
        &self,
        replay: &dyn Replay,
        wanted: &(dyn Fn(&ExportedGame) -> bool + Sync),
        options: &PositionOptions,
    ) -> Result<CountedPositions> {
        let pool = pool(options.threads)?;
        let folder = options.folder.clone().unwrap_or_else(std::env::temp_dir);
        let mut sorter =
            Sorter { folder, room: options.memory, held: Vec::new(), bytes: 0, files: Vec::new() };
        let (mut games, mut plies) = (Vec::new(), 0);
        for game in self.games() {
            let game = game?;
            if !wanted(&game) {
                continue;
            }
            plies += game.game.moves.len() + 1;
            games.push(game);
            if plies >= TOGETHER_PLIES {
                plies = 0;
                pool.install(|| sorter.add(&games, replay))?;
                games.clear();
            }
        }
        pool.install(|| sorter.add(&games, replay))?;
        sorter.finish(&pool)
    }
}

/// Positions on their way.
struct Sorter {
    folder: PathBuf,
    room: u64,
    held: Vec<CountedPosition>,
    bytes: u64,
    /// Sorted files, from the largest to the smallest, with how often their entries were merged.
    files: Vec<(File, u32)>,
}

impl Sorter {
    fn add(&mut self, games: &[ExportedGame], replay: &dyn Replay) -> Result<()> {
        let positions = games.par_iter().map(|exported| {
            let mut positions = Vec::with_capacity(exported.game.moves.len() + 1);
            let replayed = replay.positions(&exported.game, &mut |text| {
                positions.push(CountedPosition { hash: replay.hash(text), count: 1, text: text.into() });
            });
            replayed.map_err(|why| Error::Replay { id: exported.id, why })?;
            Ok(positions)
        });
        let positions: Vec<Vec<CountedPosition>> = positions.collect::<Result<_>>()?;
        for position in positions.into_iter().flatten() {
            self.bytes += OVERHEAD + position.text.len() as u64;
            self.held.push(position);
        }
        // What occurs often takes room once.
        if self.bytes >= self.room {
            self.settle();
            if self.bytes >= self.room / 2 {
                self.spill()?;
            }
        }
        Ok(())
    }

    /// Sorts what is held, and counts what is equal.
    fn settle(&mut self) {
        self.held.par_sort_unstable_by_key(|position| position.hash);
        self.held.dedup_by(|later, first| {
            let same = later.hash == first.hash;
            first.count += if same { later.count } else { 0 };
            same
        });
        self.bytes = self.held.iter().map(|position| OVERHEAD + position.text.len() as u64).sum();
    }

    fn spill(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.bytes = 0;
        let file = write(&self.folder, held.into_iter().map(Ok))?;
        self.files.push((file, 0));
        while let Some(first) = self.files.len().checked_sub(FAN_IN)
            && let level = self.files[first].1
            && self.files.last().is_some_and(|(_, last)| *last == level)
        {
            let files = self.files.split_off(first);
            let streams = files.into_iter().map(|(file, _)| Source::of_file(file, &self.folder));
            let merged = CountedPositions::new(streams.collect::<Result<_>>()?)?;
            self.files.push((write(&self.folder, merged)?, level + 1));
        }
        Ok(())
    }

    fn finish(mut self, pool: &rayon::ThreadPool) -> Result<CountedPositions> {
        pool.install(|| self.settle());
        let mut sources = vec![Source::Held(std::mem::take(&mut self.held).into_iter())];
        for (file, _) in self.files {
            sources.push(Source::of_file(file, &self.folder)?);
        }
        CountedPositions::new(sources)
    }
}

/// Writes sorted positions to a file without a name, ready to be read.
fn write(folder: &Path, positions: impl Iterator<Item = Result<CountedPosition>>) -> Result<File> {
    let failed = || Error::io("keep positions in a temporary file in", folder);
    let file = tempfile::tempfile_in(folder).map_err(failed())?;
    let mut out = zstd::Encoder::new(BufWriter::new(file), ZSTD_LEVEL).map_err(failed())?;
    for position in positions {
        let CountedPosition { hash, count, text } = position?;
        let length = u32::try_from(text.len())
            .map_err(|_| Error::TooLarge { what: "the text of a position", limit: u32::MAX.into() })?;
        let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(failed());
        put(&hash.0)?;
        put(&count.to_le_bytes())?;
        put(&length.to_le_bytes())?;
        put(&text)?;
    }
    let file = out.finish().and_then(|out| out.into_inner().map_err(std::io::IntoInnerError::into_error));
    let mut file = file.map_err(failed())?;
    file.rewind().map_err(failed())?;
    Ok(file)
}

type Unpacked = zstd::Decoder<'static, BufReader<File>>;

/// Sorted positions.
enum Source {
    Held(std::vec::IntoIter<CountedPosition>),
    File(Box<Unpacked>, PathBuf),
}

impl Source {
    fn of_file(file: File, folder: &Path) -> Result<Self> {
        let decoder = zstd::Decoder::new(file).map_err(Error::io("read positions again from", folder))?;
        Ok(Source::File(Box::new(decoder), folder.to_owned()))
    }

    fn next(&mut self) -> Result<Option<CountedPosition>> {
        match self {
            Source::Held(held) => Ok(held.next()),
            Source::File(file, folder) => {
                let failed = Error::io("read positions again from", &**folder);
                read(file).map_err(failed)
            }
        }
    }
}

fn read(file: &mut Unpacked) -> std::io::Result<Option<CountedPosition>> {
    let mut head = [0; 20 + 8 + 4];
    // The end of the file is where a position would begin, and nowhere else.
    if file.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    file.read_exact(&mut head[1..])?;
    let (hash, rest) = head.split_at(20);
    let (count, length) = rest.split_at(8);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let mut text = vec![0; usize::try_from(number(length)).unwrap_or(usize::MAX)];
    file.read_exact(&mut text)?;
    let hash = Digest(hash.try_into().unwrap_or_default());
    Ok(Some(CountedPosition { hash, count: number(count), text: text.into() }))
}

/// Distinct positions, by hash. An error ends it.
pub struct CountedPositions {
    sources: Vec<Source>,
    /// The next position of each source that has one.
    next: BinaryHeap<Reverse<(Digest, usize)>>,
    waiting: Vec<Option<CountedPosition>>,
}

impl CountedPositions {
    fn new(sources: Vec<Source>) -> Result<Self> {
        let waiting = sources.iter().map(|_| None).collect();
        let mut merge = CountedPositions { sources, next: BinaryHeap::new(), waiting };
        (0..merge.sources.len()).try_for_each(|source| merge.fill(source))?;
        Ok(merge)
    }

    fn fill(&mut self, source: usize) -> Result<()> {
        let position = self.sources[source].next()?;
        if let Some(position) = &position {
            self.next.push(Reverse((position.hash, source)));
        }
        self.waiting[source] = position;
        Ok(())
    }

    /// The next position of any source.
    fn take(&mut self) -> Result<Option<CountedPosition>> {
        let Some(Reverse((_, source))) = self.next.pop() else { return Ok(None) };
        let position = self.waiting[source].take();
        self.fill(source)?;
        Ok(position)
    }
}

impl Iterator for CountedPositions {
    type Item = Result<CountedPosition>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut first = match self.take().transpose()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        while self.next.peek().is_some_and(|Reverse((hash, _))| *hash == first.hash) {
            match self.take() {
                Ok(same) => first.count += same.map_or(0, |same| same.count),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(first))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The same positions in many small files, in few, and in memory.
    #[test]
    fn counts_do_not_depend_on_the_memory() {
        let texts: Vec<String> = (0..3000_u32).map(|n| format!("position {}", n * n % 701)).collect();
        let mut expected: BTreeMap<Digest, u64> = BTreeMap::new();
        for text in &texts {
            *expected.entry(Digest::of(text.as_bytes())).or_default() += 1;
        }
        for room in [u64::MAX, 20_000, 900] {
            let mut sorter =
                Sorter { folder: std::env::temp_dir(), room, held: Vec::new(), bytes: 0, files: Vec::new() };
            for text in &texts {
                let text = text.as_bytes();
                sorter.held.push(CountedPosition { hash: Digest::of(text), count: 1, text: text.into() });
                sorter.bytes += OVERHEAD + text.len() as u64;
                if sorter.bytes >= room {
                    sorter.settle();
                    sorter.spill().unwrap();
                }
            }
            assert!(sorter.files.len() <= 3 * FAN_IN);
            let found: Vec<CountedPosition> =
                sorter.finish(&pool(1).unwrap()).unwrap().map(Result::unwrap).collect();
            assert!(found.iter().all(|position| Digest::of(&position.text) == position.hash));
            let found: Vec<(Digest, u64)> =
                found.iter().map(|position| (position.hash, position.count)).collect();
            assert_eq!(found, expected.clone().into_iter().collect::<Vec<_>>(), "{room}");
        }
    }
}
