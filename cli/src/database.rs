//! The database of the command line: where it is, how it is opened, what its errors mean.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use boardprint_games::Profile;
use boardprint_store::db::{self, Counts, Db, Options};
use boardprint_store::games::Rules;
use clap::Args;
use serde_json::{Map, Value};

use crate::args::ReadingArgs;
use crate::report::Usage;
pub(crate) use crate::table::table;

/// Which database.
#[derive(Args, Clone)]
pub(crate) struct DbArg {
    /// The folder of the database
    #[arg(long, value_name = "DIR", env = "BOARDPRINT_DB", default_value = "boardprint.db")]
    pub(crate) db: PathBuf,
}

impl DbArg {
    /// Opens a database that exists, whatever its profile.
    pub(crate) fn open(&self) -> Result<(Db, Profile)> {
        self.open_with(Options::default().create(false).any_profile(true))
    }

    pub(crate) fn open_with(&self, options: Options) -> Result<(Db, Profile)> {
        let db = Db::open(&self.db, options).map_err(failure)?;
        let snapshot = db.snapshot();
        let profile = Profile::of_name(snapshot.profile()).ok_or_else(|| {
            anyhow!(
                "the database holds hashes of the profile `{}`, which this program does not know",
                snapshot.profile()
            )
        })?;
        Ok((db, profile))
    }
}

/// What records and stored games mean, as the command line says.
pub(crate) fn rules(reading: &ReadingArgs, profile: Profile) -> Result<Rules> {
    Ok(Rules::new(profile).reading(reading.read_options()?))
}

/// A failure of the database in words, with what to do about it.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(crate) fn failure(error: db::Error) -> anyhow::Error {
    let advice = match &error {
        db::Error::NoDatabase { .. } => {
            return Usage(format!("{error}; make one with `boardprint import`, or name it with --db")).into();
        }
        db::Error::NotADatabase { .. } => {
            return Usage(format!("{error}; name another folder with --db")).into();
        }
        db::Error::InUse { .. } => "; wait until it has ended",
        db::Error::OtherFormat { found, known } if found > known => "; use the newer program that wrote it",
        db::Error::OtherFormat { .. } => "; import the games again",
        db::Error::OtherProfile { .. } => "; a database has one profile for good: use another one",
        error if error.is_damage() => "; `boardprint verify` names what is damaged",
        _ => "",
    };
    anyhow!("{error}{advice}")
}

/// Counts by result as an object.
pub(crate) fn results_object(counts: &Counts) -> Value {
    let entries =
        boardprint_base::GameResult::ALL.map(|result| (result.to_string(), counts.of(result).into()));
    Value::Object(entries.into_iter().collect::<Map<_, _>>())
}

/// A warning that counts games which share a hash with another one and differ from it.
pub(crate) fn collisions(count: u64, games: &str, outcome: &str) -> String {
    let (s, share, differ) = if count == 1 { ("", "shares", "differs") } else { ("s", "share", "differ") };
    let count = number(count);
    format!("warning: {count} {games}{s} {share} a hash with another game and {differ} from it: {outcome}")
}

/// A number with its thousands apart.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
