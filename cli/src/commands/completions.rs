//! `boardprint completions`: completions for shells.

use std::io::{self, Write};

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::report::Status;

/// Completions for a shell, to standard output
#[derive(clap::Args)]
#[command(
    display_order = 900,
    after_help = "Examples:\n  \
    boardprint completions bash > /etc/bash_completion.d/boardprint\n  \
    boardprint completions fish > ~/.config/fish/completions/boardprint.fish"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "boardprint", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Good)
}
