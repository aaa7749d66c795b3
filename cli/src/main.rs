//! The `boardprint` program: arguments, output, exit status.
//!
//! Results go to standard output, everything else to standard error. The exit status is 0 if all is well, 1 if some
//! records were bad, 2 on wrong usage, 3 if the machine failed.

mod args;
mod commands;
mod database;
mod nearest;
mod problem;
mod report;
mod serve;
mod source;
mod visible;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::report::Status;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match commands::run(cli) {
        Ok(status) => status.into(),
        // The reader of our output has seen enough.
        Err(error) if report::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {}", visible::visible_line(&format!("{error:#}")));
            Status::of_failure(&error).into()
        }
    }
}
