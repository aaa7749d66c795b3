//! `boardprint completions`: completions for shells.

use std::io;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::report::Status;

/// Completions for a shell, to standard output
#[derive(clap::Args)]
#[command(display_order = 900, after_help = "Examples:\n  \
    boardprint completions bash > /etc/bash_completion.d/boardprint\n  \
    boardprint completions fish > ~/.config/fish/completions/boardprint.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    clap_complete::generate(args.shell, &mut Cli::command(), "boardprint", &mut io::stdout());
    Ok(Status::Good)
}
