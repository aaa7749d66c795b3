//! `boardprint export --to parquet`: the games of the database as tables.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, Result};
use boardprint_games::{Format, Profile};
use boardprint_store::db::{ExportedGame, Filter};
use boardprint_store::games::{Form, Rules};
use boardprint_tables::{Options, Table, parquet, stored};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde_json::json;

use super::Args;
use crate::meter::Meter;
use crate::report::{Report, Usage};

/// What `--to` names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Text(Format),
    Parquet,
}

const PARQUET: &str = "parquet";

pub(super) fn to_parser() -> impl clap::builder::TypedValueParser<Value = To> {
    let names = Format::ALL.map(Format::name).into_iter().chain([PARQUET]);
    PossibleValuesParser::new(names).map(|name| match name.parse::<Format>() {
        Ok(format) => To::Text(format),
        Err(_) => To::Parquet,
    })
}

/// Games that are asked for.
pub(super) struct Picked {
    pub(super) filter: Filter,
    pub(super) ids: BTreeSet<u64>,
    pub(super) form: Option<Form>,
    pub(super) rules: Rules,
}

impl Picked {
    fn admits(&self, exported: &ExportedGame, source: &str) -> bool {
        let game = &exported.game;
        if !self.ids.is_empty() && !self.ids.contains(&exported.id) {
            return false;
        }
        if self.form.is_some_and(|form| form != self.rules.form(game)) {
            return false;
        }
        let laws = if self.filter.laws.is_some() { self.rules.laws(game) } else { None };
        self.filter.is_empty() || self.filter.admits(game, source, laws.as_deref())
    }
}

/// Writes the three tables into the folder that `-o` names.
pub(super) fn write(
    args: &Args,
    picked: Picked,
    total: u64,
    profile: Profile,
    report: &mut Report,
) -> Result<()> {
    let Some(folder) = &args.output else {
        return Err(Usage("name the folder for the tables: --to parquet -o FOLDER".to_owned()).into());
    };
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let memory = usize::try_from(args.memory << 20).unwrap_or(usize::MAX);
    let options = Options::default().profile(profile).memory(memory);
    let (rules, picked) = (Arc::new(picked.rules.clone()), Arc::new(picked));
    let mut meter = Meter::visible_if(true);
    for table in [Table::Games, Table::SortedPostings, Table::Positions { cpn: false }] {
        let (log, _) = args.db.games()?;
        let picked = Arc::clone(&picked);
        let counted = meter.count(&format!("writing {}", table.name()), Some(total));
        let games = stored(log, Arc::clone(&rules), move |game, source| {
            counted.fetch_add(1, Ordering::Relaxed);
            picked.admits(game, source)
        })?;
        let path = folder.join(format!("{}.parquet", table.name()));
        let written = parquet::write(table, options.read(table, games), &path)?;
        meter.end();
        if report.is_json() {
            report.object(&json!({
                "table": table.name(), "path": path, "rows": written.rows, "bytes": written.bytes,
            }))?;
        } else {
            report.line(format!("{}: {} rows, {} bytes", path.display(), written.rows, written.bytes))?;
        }
    }
    Ok(())
}
