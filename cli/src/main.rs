//! The `boardprint` program: arguments, output, exit status.
//!
//! Results go to standard output, everything else to standard error. The exit status is 0 if all is well, 1
//! if some records were bad or the answer is no, 2 on wrong usage, 3 if the machine failed, 130 after Ctrl-C.

mod answers;
mod args;
mod asked;
mod commands;
mod database;
mod filters;
mod interrupt;
mod meter;
mod nearest;
mod output;
mod problem;
mod report;
mod serve;
mod source;
mod table;
mod terminal;
mod visible;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::FromArgMatches as _;

use crate::args::{Cli, command};
use crate::report::Status;
use crate::terminal::When;

fn main() -> ExitCode {
    let cli = match read_command_line() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    cli.talk.keep();
    match commands::run(cli) {
        Ok(status) => status.into(),
        // The reader of our output has seen enough.
        Err(error) if report::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let message = visible::visible_line(&format!("{error:#}")).into_owned();
            // Nothing can be said about an error on the channel for saying it.
            let _ = writeln!(anstream::stderr(), "{}", terminal::wrapped(&format!("error: {message}"), 0));
            Status::of_failure(&error).into()
        }
    }
}

/// What was asked. Help, the version and complaints about the command line are printed here.
fn read_command_line() -> Result<Cli, ExitCode> {
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let command = command().color(When::of_arguments(arguments).for_help());
    let read = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    read.map_err(|message| {
        let printed = message.print().and_then(|()| io::stdout().flush());
        match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Status::MachineFailed.into(),
            _ => ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2)),
        }
    })
}
