//! Files that appear whole or not at all, and records in them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use boardprint_games::{Format, Record};
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use crate::interrupt;
use crate::report::Usage;

/// Where some results go. A name that ends in `.gz` or `.zst` is compressed.
pub(crate) struct Output {
    writer: Writer,
    /// What errors call it.
    name: String,
}

enum Writer {
    Plain(BufWriter<Target>),
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstd(zstd::Encoder<'static, BufWriter<Target>>),
    /// Nothing is written.
    Nowhere,
}

enum Target {
    Stdout(Stdout),
    /// A device or pipe.
    Device(File),
    /// A file beside the one that it becomes in the end.
    File {
        temporary: NamedTempFile,
        path: PathBuf,
    },
}

impl Output {
    /// The name of standard output on the command line.
    pub(crate) const STDOUT: &'static str = "-";

    pub(crate) fn stdout() -> Self {
        let writer = Writer::Plain(BufWriter::with_capacity(BUFFER, Target::Stdout(io::stdout())));
        Output { writer, name: "standard output".to_owned() }
    }

    /// Takes everything and writes nothing, to see what would happen.
    pub(crate) fn nowhere() -> Self {
        Output { writer: Writer::Nowhere, name: "nowhere".to_owned() }
    }

    /// The file at `path`; `-` is standard output.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        if path.as_os_str() == Self::STDOUT {
            return Ok(Self::stdout());
        }
        let name = path.display().to_string();
        // The name of the temporary file would only confuse.
        let failed = |error: io::Error| -> anyhow::Error {
            let plain =
                error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error);
            anyhow::Error::new(plain).context(format!("cannot write {name}"))
        };
        // What a link leads to is written, not the link.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real.is_dir() {
            return Err(Usage(format!("{name} is a folder")).into());
        }
        let target = if real.exists() && !real.is_file() {
            Target::Device(File::options().write(true).open(&real).map_err(failed)?)
        } else {
            let folder =
                real.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !folder.is_dir() {
                return Err(Usage(format!("cannot write {name}: there is no such folder")).into());
            }
            let temporary = interrupt::waiting(|| {
                let temporary = builder().tempfile_in(folder)?;
                let path = temporary.path().to_owned();
                Ok((temporary, path))
            });
            Target::File { temporary: temporary.map_err(failed)?, path: real }
        };
        let buffered = BufWriter::with_capacity(BUFFER, target);
        let writer = match path.extension().and_then(OsStr::to_str) {
            Some("gz") => Writer::Gzip(GzEncoder::new(buffered, flate2::Compression::default())),
            Some("zst") => Writer::Zstd(zstd::Encoder::new(buffered, ZSTD_LEVEL).map_err(failed)?),
            _ => Writer::Plain(buffered),
        };
        Ok(Output { writer, name })
    }

    /// Everything is written: the file takes its name.
    pub(crate) fn finish(self) -> Result<()> {
        let Output { writer, name } = self;
        Self::complete(writer).with_context(|| format!("cannot write {name}"))
    }

    fn complete(writer: Writer) -> io::Result<()> {
        let buffered = match writer {
            Writer::Plain(buffered) => buffered,
            Writer::Gzip(encoder) => encoder.finish()?,
            Writer::Zstd(encoder) => encoder.finish()?,
            Writer::Nowhere => return Ok(()),
        };
        match buffered.into_inner().map_err(io::IntoInnerError::into_error)? {
            Target::Stdout(mut stdout) => stdout.flush(),
            Target::Device(mut device) => device.flush(),
            Target::File { temporary, path } => {
                temporary.as_file().sync_all()?;
                let old = temporary.path().to_owned();
                temporary.persist(&path)?;
                interrupt::settled(&old);
                Ok(())
            }
        }
    }

    /// An error with the name of what could not be written. Its kind stays.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.name))
    }
}

/// How much is written at a time.
const BUFFER: usize = 1 << 16;
/// The level that `zstd` itself takes.
const ZSTD_LEVEL: i32 = 3;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.writer {
            Writer::Plain(writer) => writer.write(bytes),
            Writer::Gzip(writer) => writer.write(bytes),
            Writer::Zstd(writer) => writer.write(bytes),
            Writer::Nowhere => Ok(bytes.len()),
        };
        written.map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.writer {
            Writer::Plain(writer) => writer.flush(),
            Writer::Gzip(writer) => writer.flush(),
            Writer::Zstd(writer) => writer.flush(),
            Writer::Nowhere => Ok(()),
        };
        flushed.map_err(|error| self.named(&error))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(stdout) => stdout.write(bytes),
            Target::Device(device) => device.write(bytes),
            Target::File { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hidden files, so that a folder that is being read does not show them, with the rights of ordinary ones.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".boardprint-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Refuses outputs that are inputs, and two outputs that are one.
pub(crate) fn check(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Usage> {
    for (index, output) in outputs.iter().enumerate() {
        if outputs[..index].contains(output) {
            return Err(Usage(format!("{} is given for two outputs", output.display())));
        }
        let Ok(real) = fs::canonicalize(output) else { continue };
        let is_input = |input: &&Path| fs::canonicalize(input).is_ok_and(|input| real.starts_with(input));
        if real.is_file() && inputs.iter().any(is_input) {
            return Err(Usage(format!("{} is one of the inputs; write to another file", output.display())));
        }
    }
    Ok(())
}

/// What stands between records that are written one after another, so that a reader finds the same records.
#[derive(Debug, Default)]
pub(crate) struct Separator {
    /// Whether the record before takes several lines; `None` before the first.
    several_lines: Option<bool>,
}

impl Separator {
    /// Writes a record after those before it. Records of several lines stand between blank ones.
    pub(crate) fn write(&mut self, output: &mut impl Write, format: Format, text: &str) -> io::Result<()> {
        let text = text.trim_ascii();
        let several_lines = format == Format::Pgn || text.contains('\n');
        let end: &[u8] = if text.contains("\r\n") { b"\r\n" } else { b"\n" };
        if self.several_lines.is_some_and(|before| before || several_lines) {
            output.write_all(end)?;
        }
        // CSA has a line of its own between games.
        if format == Format::Csa && self.several_lines.is_some() {
            output.write_all(b"/")?;
            output.write_all(end)?;
        }
        self.several_lines = Some(several_lines);
        output.write_all(text.as_bytes())?;
        output.write_all(end)
    }
}

/// Records one after another, so that a reader finds the same records.
pub(crate) struct Records {
    output: Output,
    separator: Separator,
    formats: Vec<Format>,
}

impl Records {
    pub(crate) fn new(output: Output) -> Self {
        Records { output, separator: Separator::default(), formats: Vec::new() }
    }

    /// Writes a record of some text.
    pub(crate) fn write(&mut self, format: Format, text: &str) -> io::Result<()> {
        if !self.formats.contains(&format) {
            self.formats.push(format);
        }
        self.separator.write(&mut self.output, format, text)
    }

    /// Writes a line that is no record.
    pub(crate) fn write_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    /// The formats of the records so far.
    pub(crate) fn formats(&self) -> &[Format] {
        &self.formats
    }

    pub(crate) fn write_own(&mut self, record: &Record) -> io::Result<()> {
        self.write(record.format, &record.text)
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.output.finish()
    }
}
