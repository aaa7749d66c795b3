//! `boardprint help`: help about a command.

use std::io::{self, Write};

use anyhow::{Context as _, Result};

use crate::args::command;
use crate::nearest::nearest;
use crate::report::{Status, Usage};
use crate::terminal;

/// Show help about a command
#[derive(clap::Args)]
#[command(
    display_order = 902,
    after_help = "Examples:\n  \
    boardprint help\n  \
    boardprint help dedup\n  \
    boardprint help variants show"
)]
pub(crate) struct Args {
    /// Show help about this command, or about its own subcommand
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut whole = command();
    whole.build();
    let mut command = &mut whole;
    for name in &args.command {
        let known: Vec<String> = command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
        command = command.find_subcommand_mut(name).ok_or_else(|| unknown(name, &known))?;
    }
    let help = command.render_long_help();
    let help = if terminal::colours_results() { help.ansi().to_string() } else { help.to_string() };
    let mut stdout = io::stdout();
    stdout
        .write_all(help.as_bytes())
        .and_then(|()| stdout.flush())
        .context("cannot write standard output")?;
    Ok(Status::Good)
}

fn unknown(name: &str, known: &[String]) -> Usage {
    let near = nearest(name, known.iter().map(String::as_str));
    let hint = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    Usage(format!("there is no command `{name}`; {hint}`boardprint help` lists them"))
}
