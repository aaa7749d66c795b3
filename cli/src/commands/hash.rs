//! `boardprint hash`: names of positions and games.

use anyhow::Result;
use boardprint_base::replay::Replay;
use boardprint_base::{Digest, Game};
use boardprint_bridge::fen::{Fen, FenExt as _};
use boardprint_bridge::{Lossy, Namer, Trail, exact_hash, game_hash};
use boardprint_cpn::Cpn;
use boardprint_store::read::Record;
use clap::ValueEnum;
use serde_json::json;

use crate::args::{CpnArgs, InputArgs, Ply};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::source::{Content, Parser, for_each_record, position, unplayable};
use crate::visible::visible_line;

/// The name of a position or game: SHA-1, as sha1sum prints it
///
/// The position hash (CPH) is the SHA-1 of what `boardprint convert --to cpn` prints, without its newline. Positions of hostile origin
/// can be made to share one: compare the CPN.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint hash -e 'K0,0|k1000000000000000,3'\n  \
    boardprint hash games.icn --of game\n  \
    boardprint hash game.icn --ply all\n  \
    boardprint hash --from fen -e 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// What to name
    #[arg(long, value_enum, default_value_t = Of::Position)]
    of: Of,

    /// The position after so many half-moves: a number, `last` or `all`
    #[arg(long, value_name = "PLY", default_value = "last")]
    ply: Ply,

    #[command(flatten)]
    cpn: CpnArgs,

    /// One JSON object a line, with `record`, `ply` and `hash`
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

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let parser = Parser::new(&args.input.reading)?;
    let mut namer = Namer::with_marks(args.cpn.marks());
    for_each_record(&args.input, &mut report, |record, report| {
        let content = match parser.content(record) {
            Ok((content, warnings)) => {
                report.warnings(record, &warnings);
                content
            }
            Err(problem) => return Ok(Err(problem)),
        };
        match content {
            Content::Infinite(game) => infinite(args, record, &game, &mut namer, report),
            Content::Board(cpn) => board(args, record, &cpn, report),
            Content::Finite(fen) => board(args, record, &finite(args, &fen), report),
        }
    })?;
    report.finish()
}

fn infinite(
    args: &Args,
    record: &Record,
    game: &Game,
    namer: &mut Namer,
    report: &mut Report,
) -> Result<Result<(), Problem>> {
    if args.of == Of::Game {
        write(report, record, None, game_hash(game))?;
        return Ok(Ok(()));
    }
    let mut name = |position: &boardprint_base::Position| match (args.of, args.cpn.revision) {
        (Of::Position, None) => namer.cph(position).digest(),
        (Of::Position, Some(revision)) => {
            let text = String::from_utf8_lossy(namer.cpn(position)).into_owned();
            let cpn: Cpn = text.parse().expect("the namer writes CPN");
            cpn.in_revision(revision).cph().digest()
        }
        _ => exact_hash(position),
    };
    if args.ply != Ply::All {
        return match position(record, game, args.ply) {
            Ok(position) => write(report, record, None, name(&position)).map(Ok),
            Err(problem) => Ok(Err(problem)),
        };
    }
    let mut replay = Replay::new(game);
    // Names by identity follow the moves; other names are made anew for every position.
    let mut trail = (args.of == Of::Position && args.cpn.is_plain()).then(Trail::new);
    let mut hash = trail
        .as_mut()
        .map_or_else(|| name(replay.position()), |trail| trail.start(replay.position()).digest());
    loop {
        write(report, record, Some(replay.ply()), hash)?;
        hash = match (replay.step(), &mut trail) {
            (Ok(Some(played)), Some(trail)) => trail.step(replay.position(), &played).digest(),
            (Ok(Some(_)), None) => name(replay.position()),
            (Ok(None), _) => return Ok(Ok(())),
            (Err(error), _) => return Ok(Err(unplayable(record, &error))),
        };
    }
}

/// The CPN of a finite game; what it does not carry is said by `convert`.
fn finite(args: &Args, fen: &Fen) -> Cpn {
    Lossy::parts(fen.to_cpn(args.cpn.finite_marks())).0
}

fn board(args: &Args, record: &Record, cpn: &Cpn, report: &mut Report) -> Result<Result<(), Problem>> {
    if args.of != Of::Position {
        return Ok(Err(Problem::of_record(record, "only positions of the infinite board have this hash")));
    }
    if !matches!(args.ply, Ply::Last | Ply::At(0)) {
        return Ok(Err(Problem::of_record(record, "a position has no moves")));
    }
    let cph = args.cpn.revision.map_or_else(|| cpn.cph(), |revision| cpn.in_revision(revision).cph());
    write(report, record, None, cph.digest()).map(Ok)
}

fn write(report: &mut Report, record: &Record, ply: Option<usize>, hash: Digest) -> Result<()> {
    if report.is_json() {
        return report.object(&json!({ "record": record.name(), "ply": ply, "hash": hash }));
    }
    let name = record.name();
    let name = visible_line(&name);
    match ply {
        Some(ply) => report.line(format!("{hash}  {name}:{ply}")),
        None => report.line(format!("{hash}  {name}")),
    }
}
