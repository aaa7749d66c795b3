//! Files that appear whole or not at all, and records in them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use boardprint_games::{Format, Record};
use tempfile::NamedTempFile;

use crate::report::Usage;

/// Where some results go.
pub(super) struct Output {
    writer: BufWriter<Target>,
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

/// Files that have not taken their names yet.
static WAITING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Lets Ctrl-C take away what is not finished.
pub(super) fn clean_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        // What has taken its name since is not found under the old one.
        for path in &*WAITING.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = fs::remove_file(path);
        }
        std::process::exit(130);
    })
    .context("cannot listen for Ctrl-C")
}

impl Output {
    pub(super) fn stdout() -> Self {
        Self::of(Target::Stdout(io::stdout()))
    }

    /// The file at `path`; `-` is standard output.
    pub(super) fn create(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::stdout());
        }
        let failed = |error: io::Error| -> anyhow::Error {
            let message = format!("cannot write {}: {error}", path.display());
            match error.kind() {
                io::ErrorKind::NotFound => Usage(message).into(),
                _ => anyhow::Error::new(error).context(format!("cannot write {}", path.display())),
            }
        };
        // What a link leads to is written, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.is_dir() {
            return Err(Usage(format!("{} is a folder", path.display())).into());
        }
        if path.exists() && !path.is_file() {
            let device = File::options().write(true).open(&path).map_err(failed)?;
            return Ok(Self::of(Target::Device(device)));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let temporary = builder().tempfile_in(folder).map_err(failed)?;
        waiting.push(temporary.path().to_owned());
        Ok(Self::of(Target::File { temporary, path }))
    }

    fn of(target: Target) -> Self {
        Output { writer: BufWriter::with_capacity(1 << 16, target) }
    }

    /// Everything is written: the file takes its name.
    pub(super) fn finish(self) -> Result<()> {
        let target = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        match target {
            Target::Stdout(mut stdout) => Ok(stdout.flush()?),
            Target::Device(mut device) => Ok(device.flush()?),
            Target::File { temporary, path } => {
                temporary.as_file().sync_all()?;
                let persisted = temporary.persist(&path);
                persisted.map(|_| ()).with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
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
pub(super) fn check(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Usage> {
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

/// Records one after another, so that a reader finds the same records.
pub(super) struct Records {
    output: Output,
    /// Whether the record before takes several lines; `None` before the first.
    several_lines: Option<bool>,
    formats: Vec<Format>,
}

impl Records {
    pub(super) fn new(output: Output) -> Self {
        Records { output, several_lines: None, formats: Vec::new() }
    }

    /// Writes a record of some text. Records of several lines stand between blank ones.
    pub(super) fn write(&mut self, format: Format, text: &str) -> io::Result<()> {
        let text = text.trim_ascii();
        let several_lines = format == Format::Pgn || text.contains('\n');
        let end: &[u8] = if text.contains("\r\n") { b"\r\n" } else { b"\n" };
        if self.several_lines.is_some_and(|before| before || several_lines) {
            self.output.write_all(end)?;
        }
        // CSA has a line of its own between games.
        if format == Format::Csa && self.several_lines.is_some() {
            self.output.write_all(b"/")?;
            self.output.write_all(end)?;
        }
        self.several_lines = Some(several_lines);
        if !self.formats.contains(&format) {
            self.formats.push(format);
        }
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(end)
    }

    /// The formats of the records so far.
    pub(super) fn formats(&self) -> &[Format] {
        &self.formats
    }

    pub(super) fn write_own(&mut self, record: &Record) -> io::Result<()> {
        self.write(record.format, &record.text)
    }

    pub(super) fn finish(self) -> Result<()> {
        self.output.finish()
    }
}
