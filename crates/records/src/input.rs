//! Files, folders, standard input and texts, one after another.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::decode::{Progress, decode};
use super::part::Part;
use super::stream::{Stream, Watch};
use boardprint_games::{Encoding, Format, Record};

use super::{ReadError, ReadErrorKind, ReaderOptions};

/// Something to read records from.
#[derive(Clone, Debug)]
pub struct Input(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Path(PathBuf),
    Copy(Copied),
    Stdin,
    Text(String),
    Bytes { name: Arc<str>, bytes: Arc<[u8]>, offset: u64 },
    Part { path: PathBuf, range: Range<u64> },
}

/// A stream that was copied to a file without a name, so that nothing of it stays behind. It is read by one
/// reader at a time.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    file: Arc<File>,
    name: Arc<str>,
}

/// The records of some inputs, one input after another.
pub struct Reader {
    sources: std::vec::IntoIter<Source>,
    current: Option<Stream>,
    /// Whether that is a file of a folder, which nobody named.
    found: bool,
    options: ReaderOptions,
    progress: Progress,
}

/// An input after folders have been walked.
pub(super) enum Source {
    File(PathBuf),
    /// A file of a folder, which nobody named: it is passed over if it does not look like games.
    Found(PathBuf),
    Copy(Copied),
    Stdin,
    Text(String),
    Bytes {
        name: Arc<str>,
        bytes: Arc<[u8]>,
        offset: u64,
    },
    Part {
        path: PathBuf,
        range: Range<u64>,
    },
    Failed(ReadError),
}

impl Input {
    const STDIN_NAME: &'static str = "-";

    /// A file or a folder.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input(Kind::Path(path.into()))
    }

    /// Standard input.
    #[must_use]
    pub const fn stdin() -> Self {
        Input(Kind::Stdin)
    }

    /// A text: one record, unless [`ReaderOptions::cut_text`] says otherwise.
    pub fn text(text: impl Into<String>) -> Self {
        Input(Kind::Text(text.into()))
    }

    /// Bytes that are cut into records like a file. `offset` is where they stand in what they were taken
    /// from: the offsets of the records count from there, their numbers and lines from 1.
    pub fn bytes(name: impl Into<Arc<str>>, bytes: impl Into<Arc<[u8]>>, offset: u64) -> Self {
        Input(Kind::Bytes { name: name.into(), bytes: bytes.into(), offset })
    }

    /// The records of a file that begin in a range of its bytes, so that several workers can share one large
    /// file: the parts of a file hold each of its records once. Numbers and lines count from 1 in each part,
    /// offsets from the beginning of the file.
    ///
    /// A part begins with the first record in its range that begins for certain, whatever stands before it:
    /// in PGN at an `[Event` after a blank line, in ICN at tags after moves or at a line after a record of
    /// one line, in JSON at a line after a whole object, in lists at every line. Records before that belong
    /// to the part before. KIF, JSON arrays and compressed files are one part: the one that begins at 0 has
    /// all records.
    pub fn part(path: impl Into<PathBuf>, range: Range<u64>) -> Self {
        Input(Kind::Part { path: path.into(), range })
    }

    /// An argument of the command line: `-` is standard input, anything else a path.
    pub fn argument(argument: impl Into<PathBuf>) -> Self {
        let path = argument.into();
        if path.as_os_str() == Self::STDIN_NAME { Self::stdin() } else { Self::path(path) }
    }

    /// The files that a path stands for, in the order in which they are read: the path itself, or what a
    /// folder holds. `true` says that a file was found in a folder, so that it is passed over if it does not
    /// look like games.
    ///
    /// # Errors
    ///
    /// A folder cannot be read, or contains itself by way of links.
    pub fn files(path: impl Into<PathBuf>) -> Result<Vec<(PathBuf, bool)>, ReadError> {
        let mut sources = Vec::new();
        walk(path.into(), &mut sources);
        let files = sources.into_iter().filter_map(|source| match source {
            Source::File(path) => Some(Ok((path, false))),
            Source::Found(path) => Some(Ok((path, true))),
            Source::Failed(error) => Some(Err(error)),
            _ => None,
        });
        files.collect()
    }

    /// The same inputs in a form that can be read several times: standard input, pipes and devices are copied
    /// to temporary files.
    ///
    /// # Errors
    ///
    /// One of them cannot be read, or a file cannot be written.
    pub fn spooled(inputs: &[Input]) -> io::Result<Vec<Input>> {
        let mut stdin: Option<Copied> = None;
        let spooled = |input: &Input| {
            Ok(Input(match &input.0 {
                Kind::Stdin => {
                    // It can be read only once.
                    let copy = match stdin.take() {
                        Some(copy) => copy,
                        None => Copied::of(&mut io::stdin().lock(), Self::STDIN_NAME)?,
                    };
                    Kind::Copy(stdin.insert(copy).clone())
                }
                Kind::Path(path) if is_stream(path) => {
                    Kind::Copy(Copied::of(&mut File::open(path)?, &path.to_string_lossy())?)
                }
                other => other.clone(),
            }))
        };
        inputs.iter().map(spooled).collect()
    }
}

/// Whether a path names a pipe or a device.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
}

impl Copied {
    fn of(stream: &mut impl Read, name: &str) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        io::copy(stream, &mut file)?;
        Ok(Copied { file: Arc::new(file), name: name.into() })
    }

    /// The copy from its beginning.
    fn open(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(file)
    }
}

impl Reader {
    /// A reader of some inputs. Folders are walked here, files are opened when their turn comes.
    pub fn new(inputs: impl IntoIterator<Item = Input>, options: ReaderOptions) -> Self {
        let mut sources = Vec::new();
        let (mut total, mut skipped) = (Some(0_u64), 0);
        for Input(kind) in inputs {
            match kind {
                Kind::Path(path) => skipped += walk(path, &mut sources),
                Kind::Copy(copy) => sources.push(Source::Copy(copy)),
                Kind::Stdin => {
                    total = None;
                    sources.push(Source::Stdin);
                }
                Kind::Text(text) => sources.push(Source::Text(text)),
                Kind::Bytes { name, bytes, offset } => sources.push(Source::Bytes { name, bytes, offset }),
                Kind::Part { path, range } => sources.push(Source::Part { path, range }),
            }
        }
        for source in &sources {
            let length = match source {
                Source::File(path) | Source::Found(path) => fs::metadata(path).map_or(0, |data| data.len()),
                Source::Copy(copy) => copy.file.metadata().map_or(0, |data| data.len()),
                Source::Text(text) => text.len() as u64,
                Source::Bytes { bytes, .. } => bytes.len() as u64,
                Source::Part { range, .. } => range.end.saturating_sub(range.start),
                Source::Stdin | Source::Failed(_) => 0,
            };
            total = total.map(|total| total + length);
        }
        let progress = Progress::of(total);
        (0..skipped).for_each(|_| progress.skip());
        Reader { sources: sources.into_iter(), current: None, found: false, options, progress }
    }

    /// A reader of one file or folder.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        Self::new([Input::path(path)], ReaderOptions::default())
    }

    /// A watcher of how much has been read.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// A reader for each file, with one progress for all.
    pub fn split(self) -> impl Iterator<Item = Reader> + Send {
        let Reader { sources, options, progress, .. } = self;
        sources.map(move |source| Reader {
            sources: vec![source].into_iter(),
            current: None,
            found: false,
            options: options.clone(),
            progress: progress.clone(),
        })
    }

    /// Goes on after a record that was read before: the one with a number, which ended before byte `end`. For
    /// a reader of one source, as [`Reader::split`] gives them.
    ///
    /// # Errors
    ///
    /// The source cannot be read up to there, or it is no longer the same.
    pub fn resume(&mut self, number: u64, end: u64) -> Result<(), ReadError> {
        let source: Arc<str> = self.next_name_and_stamp(0).0.into();
        // Cutting is cheap, and only so lines and the state of the cutter are right.
        let mut last = (0, 0);
        while last.0 < number {
            match self.next() {
                Some(Ok(record)) => last = (record.number, record.end()),
                Some(Err(error)) if error.is_fatal_to_source() => return Err(error),
                Some(Err(error)) => last.0 = error.number().unwrap_or(last.0 + 1),
                None => break,
            }
        }
        if last == (number, end) {
            return Ok(());
        }
        Err(ReadError::of_source(&source, ReadErrorKind::OtherEnd { number }))
    }

    /// The file, text or stream that is read next.
    pub(super) fn next_source(&self) -> Option<&Source> {
        self.sources.as_slice().first()
    }

    fn stream(
        &self,
        name: Arc<str>,
        input: impl Read + Send + 'static,
        watch: Option<Watch>,
    ) -> Result<Stream, ReadError> {
        match decode(input, &self.progress) {
            Ok(input) => Ok(Stream::new(name, input, watch, &self.options)),
            Err(error) => Err(ReadError::of_source(&name, error)),
        }
    }

    fn file(&self, path: &Path) -> Result<Stream, ReadError> {
        let name = path.to_string_lossy().into();
        match File::open(path) {
            Ok(file) => {
                let watch = Watch::new(&file);
                self.stream(name, file, watch)
            }
            Err(error) => Err(ReadError::of_source(&name, error)),
        }
    }

    /// The records of a file that begin in a range.
    fn part(&self, path: &Path, range: &Range<u64>) -> Result<Stream, ReadError> {
        let name: Arc<str> = path.to_string_lossy().into();
        let opened = Part::open(path, range, self.options.format, &name);
        let Part { file, start, end, format } = match opened {
            Ok(part) => part,
            Err(error) => return Err(ReadError::of_source(&name, error)),
        };
        // The last record may tell its end only by what follows it.
        let stream = self.stream(name, file, None)?;
        Ok(stream.at(start).until(end).format(format))
    }

    fn copy(&self, copy: &Copied) -> Result<Stream, ReadError> {
        match copy.open() {
            Ok(file) => self.stream(copy.name.clone(), file, None),
            Err(error) => Err(ReadError::of_source(&copy.name, error)),
        }
    }

    /// Opens a source, or answers at once if it is a whole record or a failure.
    fn start(&self, source: Source) -> Result<Stream, Result<Record, ReadError>> {
        let opened = match source {
            Source::File(path) | Source::Found(path) => self.file(&path),

            Source::Copy(copy) => self.copy(&copy),
            Source::Stdin => self.stream(Input::STDIN_NAME.into(), io::stdin(), None),
            Source::Text(text) if self.options.cut_text => {
                self.stream(Record::TEXT_SOURCE.into(), Cursor::new(text.into_bytes()), None)
            }
            Source::Text(text) => return Err(self.whole(text)),
            Source::Bytes { name, bytes, offset } => {
                self.stream(name, Cursor::new(bytes), None).map(|stream| stream.at(offset))
            }
            Source::Part { path, range } => self.part(&path, &range),
            Source::Failed(error) => Err(error),
        };
        opened.map_err(Err)
    }

    /// A text as one record, blanks and all.
    fn whole(&self, text: String) -> Result<Record, ReadError> {
        let source: Arc<str> = Record::TEXT_SOURCE.into();
        let Some(format) = self.options.format.or_else(|| Format::detect(text.as_bytes())) else {
            return Err(ReadError::of_record(&source, 1, 1, 0, ReadErrorKind::UnknownFormat));
        };
        Ok(Record {
            source,
            number: 1,
            line: 1,
            column: 1,
            offset: 0,
            format,
            byte_order_mark: false,
            encoding: Encoding::Utf8,
            size: text.len() as u64,
            text,
        })
    }
}

impl Iterator for Reader {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(stream) = &mut self.current {
                match stream.next() {
                    Some(Err(error)) if self.found && error.is_about_something_else() => {
                        self.progress.skip();
                    }
                    Some(item) => return Some(item),
                    None => {}
                }
                self.current = None;
            }
            let source = self.sources.next()?;
            self.found = matches!(source, Source::Found(_));
            match self.start(source) {
                Ok(stream) => self.current = Some(stream),
                Err(item) => return Some(item),
            }
        }
    }
}

/// The files at and below a path, in name order. Hidden files of folders are left out; so is what cannot hold
/// games by its name, and the number of these is the answer.
fn walk(path: PathBuf, sources: &mut Vec<Source>) -> u64 {
    /// A path still to visit, or the end of a folder that is being visited.
    enum Visit {
        Path { path: PathBuf, named: bool },
        Leave,
    }
    let mut ancestors: Vec<PathBuf> = Vec::new();
    let mut skipped = 0;
    let mut visits = vec![Visit::Path { path, named: true }];
    while let Some(visit) = visits.pop() {
        let Visit::Path { path, named } = visit else {
            ancestors.pop();
            continue;
        };
        let failed =
            |kind: ReadErrorKind| Source::Failed(ReadError::of_source(&path.to_string_lossy().into(), kind));
        if !path.is_dir() {
            // Pipes and devices are read only where somebody named them; a link to nothing is an error of its
            // own.
            if named || !path.exists() {
                sources.push(Source::File(path));
            } else if path.is_file() && is_other(&path) {
                skipped += 1;
            } else if path.is_file() {
                sources.push(Source::Found(path));
            }
            continue;
        }
        let entries = fs::canonicalize(&path).and_then(|real| Ok((real, children(&path)?)));
        match entries {
            Ok((real, _)) if ancestors.contains(&real) => sources.push(failed(ReadErrorKind::LinkLoop)),
            Ok((real, entries)) => {
                ancestors.push(real);
                visits.push(Visit::Leave);
                visits.extend(entries.into_iter().rev().map(|path| Visit::Path { path, named: false }));
            }
            Err(error) => sources.push(failed(error.into())),
        }
    }
    skipped
}

/// Whether the name alone says that a file is a picture, a program, a page about the games and the like.
fn is_other(path: &Path) -> bool {
    /// Endings of files that hold no games.
    const ENDINGS: [&str; 41] = [
        "avif", "bmp", "c", "css", "csv", "db", "dll", "doc", "docx", "exe", "gif", "htm", "html", "ico",
        "ini", "jpeg", "jpg", "js", "lock", "log", "md", "mp3", "mp4", "ods", "odt", "parquet", "pdf", "png",
        "ps", "py", "rs", "rst", "sh", "so", "svg", "tex", "toml", "webp", "xml", "yaml", "yml",
    ];
    /// Pages that go along with collections.
    const PAGES: [&str; 8] =
        ["authors", "changelog", "copying", "license", "licence", "makefile", "notice", "readme"];
    let lower = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().to_lowercase();
    let (stem, ending) = (lower(path.file_stem()), lower(path.extension()));
    ENDINGS.contains(&&*ending) || (matches!(&*ending, "" | "txt") && PAGES.contains(&&*stem))
}

/// The entries of a folder in name order, hidden ones aside.
fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable();
    Ok(paths)
}
