//! One snapshot for every text in `corpus/icn/valid` and `corpus/icn/invalid`: what it is read as, or its
//! error.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use boardprint_base::{LineColumn, Span};
use boardprint_icn::{canonical, parse};
use boardprint_tests::corpus;

/// The texts of a folder by name.
fn texts(folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(corpus(folder)).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 12, "{folder} has only {} files", paths.len());
    let name = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("a text"))).collect()
}

/// The line of a span with carets under it.
fn drawn(text: &str, span: Span, message: &str) -> String {
    let LineColumn { line, column } = LineColumn::of(text, span.start);
    let source = text.lines().nth(line - 1).unwrap_or("");
    let wide = text[span.start..span.end].lines().next().unwrap_or("").chars().count().max(1);
    format!("{line}:{column} {message}\n  {source}\n  {}{}\n", " ".repeat(column - 1), "^".repeat(wide))
}

fn snapshot(folder: &str, name: &str, text: &str, result: &str) {
    insta::with_settings!({ snapshot_path => format!("../../snapshots/{folder}"), prepend_module_to_snapshot => false, omit_expression => true, description => text }, {
        insta::assert_snapshot!(name, result);
    });
}

#[test]
fn valid_texts_are_read_as_they_were() {
    for (name, text) in texts("icn/valid") {
        let reading = parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut result = canonical(&reading.game) + "\n";
        for warning in &reading.warnings {
            let message = format!("{}: {warning}", warning.kind().name());
            result += &drawn(&text, warning.span(), &message);
        }
        snapshot("valid", &name, &text, &result);
    }
}

#[test]
fn invalid_texts_are_refused_as_they_were() {
    for (name, text) in texts("icn/invalid") {
        let error = parse(&text).expect_err(&name);
        let mut result = drawn(&text, error.span(), &error.to_string());
        if let Some(first) = error.first() {
            result += &drawn(&text, first, "first here");
        }
        if let Some(hint) = error.hint() {
            writeln!(result, "help: {hint}").expect("strings take everything");
        }
        snapshot("invalid", &name, &text, &result);
    }
}
