//! Rows by key in bounded memory: sorted runs go to temporary files and are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, Write};

use crate::rows::{Block, NONE, Packed, Row, result_of};

/// Collects rows.
pub(crate) struct Sorter {
    memory: usize,
    block: Block,
    runs: Vec<File>,
}

/// Rows by key, then game and half-move.
pub(crate) struct Sorted {
    heap: BinaryHeap<Reverse<(Order, usize)>>,
    runs: Vec<Run>,
}

type Order = ([u8; 20], i64, i32);

/// A run that is being read.
enum Run {
    Memory { block: Block, next: usize },
    File { file: BufReader<File>, row: Packed, text: Vec<u8> },
}

/// Beyond this many runs, files are merged before more are made.
const MAX_RUNS: usize = 256;
const FILE_BUFFER: usize = 64 << 10;

impl Sorter {
    pub(crate) fn new(memory: usize) -> Self {
        Sorter { memory, block: Block::default(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, block: &Block) -> io::Result<()> {
        self.block.append(block);
        if self.block.bytes() >= self.memory {
            self.spill()?;
        }
        Ok(())
    }

    /// Takes rows as [`write_row`] writes them.
    pub(crate) fn push_written(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some((head, rest)) = bytes.split_first_chunk::<HEAD_BYTES>() {
            let mut row = row_of(head);
            let length = if row.length == NONE { 0 } else { row.length as usize };
            let (text, rest) = rest.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
            row.text = self.block.texts.len();
            self.block.rows.push(row);
            self.block.texts.extend_from_slice(text);
            bytes = rest;
        }
        if !bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if self.block.bytes() >= self.memory {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut block = std::mem::take(&mut self.block);
        block.rows.sort_unstable_by_key(Packed::order);
        let mut out = BufWriter::with_capacity(FILE_BUFFER, tempfile::tempfile()?);
        for row in &block.rows {
            write_row(&mut out, row, block.text(row))?;
        }
        self.runs.push(rewound(out)?);
        if self.runs.len() >= MAX_RUNS {
            self.merge_runs()?;
        }
        Ok(())
    }

    /// Makes one run of all.
    fn merge_runs(&mut self) -> io::Result<()> {
        let mut sorted = Sorted::of(std::mem::take(&mut self.runs), Block::default())?;
        let mut out = BufWriter::with_capacity(FILE_BUFFER, tempfile::tempfile()?);
        while sorted.next_row(|row, text| write_row(&mut out, row, text))?.is_some() {}
        self.runs.push(rewound(out)?);
        Ok(())
    }

    pub(crate) fn sorted(mut self) -> io::Result<Sorted> {
        self.block.rows.sort_unstable_by_key(Packed::order);
        Sorted::of(self.runs, self.block)
    }
}

fn rewound(out: BufWriter<File>) -> io::Result<File> {
    let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// Writes a row and its text.
pub(crate) fn write_row(out: &mut impl Write, row: &Packed, text: &[u8]) -> io::Result<()> {
    out.write_all(&row.key)?;
    out.write_all(&row.game.to_le_bytes())?;
    out.write_all(&row.ply.to_le_bytes())?;
    out.write_all(&[row.result])?;
    out.write_all(&row.length.to_le_bytes())?;
    out.write_all(text)
}

const HEAD_BYTES: usize = 20 + 8 + 4 + 1 + 4;

/// A row as [`write_row`] writes it, without its text.
fn row_of(head: &[u8; HEAD_BYTES]) -> Packed {
    let part = |at: usize, bytes: usize| &head[at..at + bytes];
    Packed {
        key: part(0, 20).try_into().expect("twenty bytes"),
        game: i64::from_le_bytes(part(20, 8).try_into().expect("eight bytes")),
        ply: i32::from_le_bytes(part(28, 4).try_into().expect("four bytes")),
        result: head[32],
        length: u32::from_le_bytes(part(33, 4).try_into().expect("four bytes")),
        text: 0,
    }
}

/// The next row of a file; false at its end.
fn read_row(file: &mut BufReader<File>, row: &mut Packed, text: &mut Vec<u8>) -> io::Result<bool> {
    let mut head = [0; HEAD_BYTES];
    let mut filled = 0;
    while filled < HEAD_BYTES {
        match file.read(&mut head[filled..])? {
            0 if filled == 0 => return Ok(false),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    *row = row_of(&head);
    text.clear();
    if row.length != NONE {
        text.resize(row.length as usize, 0);
        file.read_exact(text)?;
    }
    Ok(true)
}

impl Sorted {
    fn of(files: Vec<File>, block: Block) -> io::Result<Self> {
        let mut sorted = Sorted { heap: BinaryHeap::new(), runs: Vec::new() };
        for file in files {
            let row = Packed { key: [0; 20], ply: 0, game: 0, text: 0, length: NONE, result: 0 };
            let mut file = BufReader::with_capacity(FILE_BUFFER, file);
            let (mut row, mut text) = (row, Vec::new());
            if read_row(&mut file, &mut row, &mut text)? {
                sorted.add(Run::File { file, row, text }, row.order());
            }
        }
        if let Some(first) = block.rows.first().map(Packed::order) {
            sorted.add(Run::Memory { block, next: 0 }, first);
        }
        Ok(sorted)
    }

    fn add(&mut self, run: Run, first: Order) {
        self.heap.push(Reverse((first, self.runs.len())));
        self.runs.push(run);
    }

    /// Hands on the next row, if there is one.
    fn next_row<T>(&mut self, each: impl FnOnce(&Packed, &[u8]) -> io::Result<T>) -> io::Result<Option<T>> {
        let Some(Reverse((_, number))) = self.heap.pop() else { return Ok(None) };
        let (out, next) = match &mut self.runs[number] {
            Run::Memory { block, next } => {
                let row = &block.rows[*next];
                let out = each(row, block.text(row))?;
                *next += 1;
                (out, block.rows.get(*next).map(Packed::order))
            }
            Run::File { file, row, text } => {
                let out = each(row, text)?;
                (out, read_row(file, row, text)?.then(|| row.order()))
            }
        };
        if let Some(next) = next {
            self.heap.push(Reverse((next, number)));
        }
        Ok(Some(out))
    }

    /// Hands on the next row, if there is one.
    pub(crate) fn next<T>(&mut self, each: impl FnOnce(&Row<'_>) -> T) -> io::Result<Option<T>> {
        self.next_row(|row, text| {
            let text = std::str::from_utf8(text).map_err(io::Error::other)?;
            Ok(each(&Row {
                key: row.key,
                game: row.game,
                ply: row.ply,
                result: result_of(row.result),
                text: (row.length != NONE).then_some(text),
            }))
        })
    }
}
