//! `boardprint completions`: completions for shells.

use std::io::{self, Write};

use anyhow::{Context as _, Result};
use clap_complete::Shell;

use crate::args::command;
use crate::report::Status;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(
    display_order = 900,
    after_help = "Examples:\n  \
    boardprint completions bash > /etc/bash_completion.d/boardprint\n  \
    boardprint completions fish > ~/.config/fish/completions/boardprint.fish"
)]
pub(crate) struct Args {
    /// Print completions for this shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "boardprint", &mut script);
    let mut stdout = io::stdout();
    stdout.write_all(&script).and_then(|()| stdout.flush()).context("cannot write standard output")?;
    Ok(Status::Good)
}
