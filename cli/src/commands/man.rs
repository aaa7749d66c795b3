//! `boardprint man`: man pages.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::args::command;
use crate::report::Status;

/// Print the man page, or write all man pages into a folder
#[derive(clap::Args)]
#[command(
    display_order = 901,
    after_help = "Examples:\n  \
    boardprint man | man -l -\n  \
    boardprint man --dir /usr/local/share/man/man1"
)]
pub(crate) struct Args {
    /// Write one page per command into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    if let Some(dir) = &args.dir {
        std::fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
        clap_mangen::generate_to(command(), dir).with_context(|| dir.display().to_string())?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command()).render(&mut page)?;
        let mut stdout = io::stdout();
        stdout.write_all(&page).and_then(|()| stdout.flush()).context("cannot write standard output")?;
    }
    Ok(Status::Good)
}
