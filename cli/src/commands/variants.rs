//! `boardprint variants`: the built-in variants.

use anyhow::Result;
use boardprint_icn::variants::{self, Revision, Variant};
use serde_json::json;

use crate::nearest::nearest;
use crate::report::{Report, Status, Usage};
use crate::table::table;

/// List the built-in variants: start positions and laws by name
///
/// A game that names its variant and gives no pieces takes them from here.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint variants\n  \
    boardprint variants show Classical\n  \
    boardprint variants show 'Chess on an Infinite Plane' --all")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Show>,

    /// Print one JSON object per line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Show {
    /// Print the start position and laws of a variant, as canonical ICN
    Show {
        /// Print this variant: its name or code
        name: String,
        /// Print every revision, oldest first
        #[arg(long)]
        all: bool,
    },
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    match &args.command {
        None => list(&mut report)?,
        Some(Show::Show { name, all }) => show(&mut report, name, *all)?,
    }
    report.finish()
}

fn list(report: &mut Report) -> Result<()> {
    let mut rows = Vec::new();
    for variant in variants::all() {
        let pieces = variant.at(None).map(|revision| revision.placement().split('|').count());
        if report.is_json() {
            report.object(&json!({
                "code": variant.code(), "name": variant.name(), "pieces": pieces,
                "revisions": variant.revisions().len(), "own_movement": variant.has_own_movement(),
            }))?;
            continue;
        }
        let size = pieces.map_or_else(|| "pieces unknown".to_owned(), |count| format!("{count} pieces"));
        let revisions = match variant.revisions().len() {
            0 | 1 => String::new(),
            many => format!(", {many} revisions"),
        };
        let own = if variant.has_own_movement() { ", pieces move by rules of their own" } else { "" };
        let about = format!("{size}{revisions}{own}");
        rows.push(vec![variant.code().to_owned(), variant.name().to_owned(), about]);
    }
    if rows.is_empty() { Ok(()) } else { report.line(table(&rows, 0)) }
}

fn show(report: &mut Report, name: &str, all: bool) -> Result<()> {
    let variant = variants::find(name).ok_or_else(|| unknown(name))?;
    let latest = variant.revisions().len().saturating_sub(if all { usize::MAX } else { 1 });
    let revisions = &variant.revisions()[latest..];
    if revisions.is_empty() {
        return Err(Usage(format!("the pieces of `{name}` are too many to be built in")).into());
    }
    for revision in revisions {
        write(report, variant, revision, all)?;
    }
    Ok(())
}

fn unknown(name: &str) -> Usage {
    let known = variants::all().iter().flat_map(|variant| [variant.name(), variant.code()]);
    let hint = nearest(name, known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    Usage(format!("no variant is called `{name}`; {hint}`boardprint variants` lists them"))
}

fn write(report: &mut Report, variant: &Variant, revision: &Revision, all: bool) -> Result<()> {
    if report.is_json() {
        return report
            .object(&json!({ "code": variant.code(), "since": revision.since(), "icn": revision.icn() }));
    }
    if all {
        report.talk(&format!("{} since {}", variant.code(), revision.since().unwrap_or("the beginning")));
    }
    report.line(revision.icn())
}
