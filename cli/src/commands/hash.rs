//! `boardprint hash`: names of positions and games.

use anyhow::Result;
use boardprint_base::Digest;
use boardprint_bridge::{Lost, exact_hash};
use boardprint_finite::Game as FiniteKind;
use boardprint_games::{Content, PositionNamer, Profile, Reading, Record, WriteOptions};
use clap::ValueEnum;
use serde::Serialize;

use crate::args::{CpnArgs, InputArgs, Ply};
use crate::problem::Problem;
use crate::report::{RecordObject, Report, Status};
use crate::source::{for_each_content, position};
use crate::visible::visible_line;

/// Print the name of a position or game: its SHA-1, as sha1sum prints it
///
/// The position hash (CPH) is the SHA-1 of what `boardprint convert --to cpn` prints, without its newline.
/// The hash of a finite game's position leaves out castling rights and en passant, so that it equals everyone
/// else's; --rights puts them in. Positions of hostile origin can be made to share a hash: compare the CPN.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint hash -e 'K0,0|k1000000000000000,3'\n  \
    boardprint hash games.icn --of game\n  \
    boardprint hash game.pgn --ply all\n  \
    cat game.icn | boardprint hash --ply -2\n  \
    boardprint hash -e 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Choose what to name
    #[arg(long, value_enum, default_value_t = Of::Position)]
    of: Of,

    /// Name the position after this many half-moves: a number, -1 for the last, `last` or `all`
    #[arg(long, value_name = "PLY", default_value = "last", allow_negative_numbers = true)]
    ply: Ply,

    #[command(flatten)]
    cpn: CpnArgs,

    /// Print one JSON object per line, with `record`, `ply` and `hash`
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    /// What decides which moves can be played: side to move, pieces, usable rights and en passant
    Position,
    /// Everything in the canonical ICN of the position: laws, counters and unusable marks too
    Exact,
    /// The whole game: laws, start and moves
    Game,
}

/// A name as an object of the output.
#[derive(Serialize)]
struct Line {
    record: RecordObject,
    ply: Option<usize>,
    hash: Digest,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let mut namer = PositionNamer::new(args.cpn.profile());
    let mut leaves_out = false;
    for_each_content(&args.input, &mut report, |record, reading, report| {
        let Reading { content, revision, .. } = reading;
        // A CPN stays in its revision.
        let options = args.cpn.write_options().revision(args.cpn.revision.or(revision));
        leaves_out |= args.of == Of::Position && args.cpn.profile() == Profile::Plain && has_rights(&content);
        if args.of == Of::Game {
            return write(report, record, None, content.game_text().digest()).map(Ok);
        }
        if args.ply != Ply::All {
            let hash = position(record, &content, args.ply)
                .and_then(|content| name(args.of, &options, record, &content));
            return match hash {
                Ok(hash) => write(report, record, None, hash).map(Ok),
                Err(problem) => Ok(Err(problem)),
            };
        }
        if args.of == Of::Position && args.cpn.is_plain() && revision.is_none() {
            follow_moves(record, &content, &mut namer, report)
        } else {
            every_position(args.of, &options, record, &content, report)
        }
    })?;
    if leaves_out {
        report.talk(LEFT_OUT);
    }
    report.finish()
}

/// Printed once per run: a name that leaves out what decides moves should not surprise anybody.
const LEFT_OUT: &str =
    "note: hashes of Western positions leave out castling rights and en passant; --rights puts them in";

/// Whether the game that a content is of has rights that decide moves and that a plain name leaves out.
fn has_rights(content: &Content<'_>) -> bool {
    let Content::Finite(game) = content else { return false };
    if content.plies() > 0 {
        // Some position of a game from the usual start has them.
        return game.game() == FiniteKind::Western;
    }
    // Counters decide nothing.
    let rights = [Lost::CASTLING, Lost::EN_PASSANT];
    content
        .to_cpn(&WriteOptions::default())
        .is_ok_and(|(_, lost)| rights.into_iter().any(|right| lost.contains(right)))
}

/// Names by identity follow the moves.
fn follow_moves(
    record: &Record,
    content: &Content<'_>,
    namer: &mut PositionNamer,
    report: &mut Report,
) -> Result<Result<(), Problem>> {
    let (mut ply, mut written) = (0, Ok(()));
    let outcome = namer.each_cpn(content, |cpn| {
        if written.is_ok() {
            written = write(report, record, Some(ply), Digest::of(cpn));
        }
        ply += 1;
    });
    written?;
    Ok(outcome.map_err(Problem::from))
}

/// Other names are made for every position on its own.
fn every_position(
    of: Of,
    options: &WriteOptions,
    record: &Record,
    content: &Content<'_>,
    report: &mut Report,
) -> Result<Result<(), Problem>> {
    let mut written = Ok(());
    let named = content.each_position(|ply, position| {
        let hash = name(of, options, record, position)?;
        if written.is_ok() {
            written = write(report, record, Some(ply), hash);
        }
        Ok(())
    });
    written?;
    Ok(named)
}

/// The name of a position.
fn name(of: Of, options: &WriteOptions, record: &Record, position: &Content<'_>) -> Result<Digest, Problem> {
    match (of, position) {
        (Of::Exact, Content::Infinite(game)) => Ok(exact_hash(&game.start)),
        (Of::Exact, _) => Err(Problem::of_record(record, "only positions of the open board have this hash")),
        _ => Ok(position.to_cpn(options)?.0.cph().digest()),
    }
}

fn write(report: &mut Report, record: &Record, ply: Option<usize>, hash: Digest) -> Result<()> {
    if report.is_json() {
        return report.object(&Line { record: RecordObject::of(record), ply, hash });
    }
    let name = record.name();
    let name = visible_line(&name);
    match ply {
        Some(ply) => report.line(format!("{hash}  {name}:{ply}")),
        None => report.line(format!("{hash}  {name}")),
    }
}
