//! `boardprint serve`: the database in a browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use crate::args::ReadingArgs;
use crate::database::DbArg;
use crate::report::Status;
use crate::serve::{Limits, Options, run as answer};

/// Show the database in a browser, and answer programs over HTTP
///
/// The page is at the address that is printed. No request writes anything. The server ends with Ctrl-C or
/// SIGTERM.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint serve --db chess.db\n  \
    boardprint serve --port 9000 --watch incoming/\n  \
    boardprint serve --listen 0.0.0.0 --host chess.example.org\n  \
    curl 'http://127.0.0.1:8723/api/v1/explore?play=e2e4,e7e5'")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Listen on this port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8723)]
    port: u16,

    /// Listen on this address; any but this machine's own needs --host
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// Answer requests for this name too; may be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// Let pages of this origin read answers
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<String>,

    /// Import these files and folders while answering
    #[arg(long, value_name = "FILE", num_args = 1..)]
    import: Vec<PathBuf>,

    /// Import what appears in this folder
    #[arg(long, value_name = "DIR")]
    watch: Option<PathBuf>,

    /// Keep the text of each imported record, comments and all
    #[arg(long)]
    keep_text: bool,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Give up an answer after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,

    /// Wait this many seconds for a slow client
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,

    /// Wait this many seconds for answers and an import under way before ending
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=600))]
    drain: u64,

    /// Refuse requests of more than this many bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_body: usize,

    /// Refuse positions of more than this many pieces
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    max_pieces: usize,

    /// Serve at most this many connections at a time
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    connections: usize,

    /// Answer at most this many requests per second from one remote address; 0 for any number
    #[arg(long, value_name = "N", default_value_t = 50)]
    rate: u32,

    /// Use about this much memory: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = super::import::parse_size)]
    memory: u64,
}

pub(crate) fn run(args: Args) -> Result<Status> {
    answer(Options {
        db: args.db,
        listen: (args.listen, args.port).into(),
        hosts: args.host,
        cors: args.cors,
        files: args.import,
        watch: args.watch,
        keep_text: args.keep_text,
        memory: args.memory,
        reading: args.reading,
        limits: Limits {
            body: args.max_body,
            address: 8 << 10,
            pieces: args.max_pieces,
            time: Duration::from_secs(args.timeout),
            patience: Duration::from_secs(args.patience),
            connections: args.connections,
            rate: args.rate,
            drain: Duration::from_secs(args.drain),
        },
    })?;
    Ok(Status::Good)
}
