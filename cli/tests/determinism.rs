//! The same input gives the same bytes, whatever the machine is set to.

mod common;

use std::process::Command;

use common::{feed, file, program};

#[test]
fn output_depends_on_nothing_but_the_input() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus");
    let (games, bad) = (format!("{corpus}/games"), format!("{corpus}/icn"));
    let (_folder, dated) = file(
        "dated.icn",
        "[Variant \"Classical\"]\n[UTCDate \"2024.02.29\"]\n[UTCTime \"23:59:59\"]\n5,2>5,4\n",
    );
    let dated = dated.to_str().expect("UTF-8");
    for arguments in [
        ["canon", &games].as_slice(),
        &["canon", "--json", &games, &bad],
        &["canon", dated],
        &["hash", "--ply", "all", &games],
        &["hash", "--of", "game", &games, &bad],
        &["convert", "--to", "json", &games],
        &["convert", "--to", "icn", "--style", "readable", &games],
        &["show", &games],
        &["variants"],
    ] {
        let with = |settings: &[(&str, &str)]| {
            let mut command = Command::new(program());
            let command = command.args(arguments).envs(settings.iter().copied());
            let outcome = feed(command, std::iter::empty());
            (outcome.results, outcome.errors, outcome.status)
        };
        let wanted = with(&[("LC_ALL", "C"), ("TZ", "UTC"), ("RAYON_NUM_THREADS", "1")]);
        assert!(!wanted.0.is_empty(), "{arguments:?}");
        for settings in [
            [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("RAYON_NUM_THREADS", "2")],
            [("LC_ALL", "de_DE.ISO-8859-1"), ("TZ", "America/St_Johns"), ("RAYON_NUM_THREADS", "8")],
        ] {
            assert_eq!(with(&settings), wanted, "{arguments:?} with {settings:?}");
        }
    }
}
