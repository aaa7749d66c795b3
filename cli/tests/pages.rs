//! The program from the outside: every command that the pages and `cmd/` show is run, and must print what
//! they say.
//!
//! `TRYCMD=overwrite cargo test -p boardprint-cli --test pages` writes the outputs again,
//! `BOARDPRINT_BLESS=1` the pictures. Look at the difference before you commit it.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The two commands that the README begins with.
const RUN: &str = "cargo run --release -- ";
const TEST: &str = "cargo test --workspace";

/// Pages outside `docs/` with commands on them.
const PAGES: [&str; 2] = ["README.md", "CONTRIBUTING.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn the_program_does_what_the_pages_show() {
    let clone = Clone::new();
    env::set_current_dir(clone.path()).unwrap();
    // The README goes on from its first command.
    assert!(first_command(clone.path()).1.status.success());
    let cases = trycmd::TestCases::new();
    for page in PAGES {
        cases.case(root().join(page));
    }
    for folder in ["docs/*.md", "docs/decisions/*.md", "cli/tests/cmd/*.trycmd"] {
        cases.case(root().join(folder));
    }
    cases.run();
    pictures_are_current(clone.path());
}

/// Pictures in `docs/img` are drawn by commands on the pages, so they were just drawn again. Those of a
/// browser are not.
fn pictures_are_current(clone: &Path) {
    let names = |folder: &Path| -> BTreeSet<String> {
        names(folder).into_iter().filter(|name| !name.starts_with("explorer-")).collect()
    };
    let (drawn, kept) = (clone.join("docs/img"), root().join("docs/img"));
    if env::var_os("BOARDPRINT_BLESS").is_some() {
        for name in names(&drawn) {
            fs::copy(drawn.join(&name), kept.join(&name)).unwrap();
        }
    }
    assert_eq!(names(&kept), names(&drawn), "pictures that are kept, and pictures that a page draws");
    for name in names(&kept) {
        let same = fs::read(kept.join(&name)).unwrap() == fs::read(drawn.join(&name)).unwrap();
        assert!(same, "{name} is not what the program draws; BOARDPRINT_BLESS=1 writes it again");
    }
}

/// What the README shows for its first command, and what it does in a folder.
fn first_command(folder: &Path) -> (String, Output) {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, shown) = readme.split_once(&format!("$ {RUN}")).unwrap();
    let (block, rest) = shown.split_once("```").unwrap();
    assert!(rest.contains(&format!("$ {TEST}\n")));
    let (arguments, expected) = block.split_once('\n').unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardprint"));
    let output = command.args(arguments.split(' ')).current_dir(folder).output().unwrap();
    (expected.to_owned(), output)
}

#[test]
fn the_first_command_of_the_readme_prints_what_it_shows() {
    let clone = Clone::new();
    let (expected, output) = first_command(clone.path());
    let printed = [output.stdout, output.stderr].concat();
    assert_eq!(String::from_utf8(printed).unwrap(), expected);
    assert!(output.status.success());
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_boardprint")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let help = run(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let starts = list.lines().filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = starts.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"canon") && commands.contains(&"man"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    run(&["man", "--dir", folder.path().to_str().unwrap()]);
    let pages = names(folder.path());
    assert!(pages.contains("boardprint.1"));
    for command in commands {
        assert!(pages.contains(&format!("boardprint-{command}.1")), "{command}");
    }
}

/// Whoever looks for an option finds it on a page.
#[test]
fn every_option_is_on_a_page() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_boardprint")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut pages = fs::read_to_string(root().join("README.md")).unwrap();
    for name in names(&root().join("docs"))
        .iter()
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
    {
        pages += &fs::read_to_string(root().join("docs").join(name)).unwrap();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let named: BTreeSet<&str> = pages.split(|c| !is_part(c)).filter(|word| word.starts_with("--")).collect();
    let commands = run(&["help"]);
    let commands = commands.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let (mut seen, mut missing) = (0, BTreeSet::new());
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        for line in run(&["help", command]).lines().filter(|line| line.trim_start().starts_with('-')) {
            let words = line.split(|c| !is_part(c)).filter(|word| word.starts_with("--"));
            for option in words.take(1).filter(|option| !["--help", "--version"].contains(option)) {
                seen += 1;
                if !named.contains(option) {
                    missing.insert(format!("{command} {option}"));
                }
            }
        }
    }
    assert!(seen > 200, "options are found: {seen}");
    assert!(missing.is_empty(), "options on no page: {missing:?}");
}

/// CI runs the two commands as they stand in the README.
#[test]
fn the_two_commands_of_the_readme_are_run_before_a_change_lands() {
    let script = fs::read_to_string(root().join(".ci/run")).unwrap();
    let plain = script.replace(" --locked", "");
    for command in [format!("{RUN}import corpus/games"), TEST.to_owned()] {
        assert!(plain.contains(&command), "{command}");
    }
}

/// A copy of what a user has after cloning, so that what examples write stays out of the real folder.
struct Clone(tempfile::TempDir);

impl Clone {
    fn new() -> Self {
        let clone = tempfile::tempdir().unwrap();
        copy(&root().join("corpus"), &clone.path().join("corpus"));
        fs::create_dir_all(clone.path().join("docs/img")).unwrap();
        Clone(clone)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// The files in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}
