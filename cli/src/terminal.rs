//! What the user wants to hear, and what the terminal can show.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use anstream::ColorChoice;
use clap::{Args, ValueEnum};

/// How much is said, and in which colours. Every command has these.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct TalkArgs {
    /// Print no warnings, notes, summaries or progress; errors are still shown
    #[arg(help_heading = "Messages", short, long, global = true)]
    quiet: bool,

    /// Use colours: on a terminal, always or never
    #[arg(help_heading = "Messages", long, global = true, value_name = "WHEN", value_enum, default_value_t = When::Auto, hide_default_value = true)]
    color: When,

    /// Show every error, not only the first three of a kind
    #[arg(help_heading = "Messages", long, global = true)]
    all_errors: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Even into files and pipes
    Always,
    /// Nowhere
    Never,
}

static WANTED: OnceLock<TalkArgs> = OnceLock::new();

impl TalkArgs {
    /// Keeps the wishes for the rest of the run.
    pub(crate) fn keep(self) {
        self.color.choice().write_global();
        // There is one command line, so the first wish is the only one.
        let _ = WANTED.set(self);
    }
}

impl When {
    fn choice(self) -> ColorChoice {
        match self {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
    }

    /// What an unread command line says about colours: help is printed before it has been read.
    pub(crate) fn of_arguments(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
        let mut when = When::Auto;
        while let Some(argument) = arguments.next() {
            let value = match argument.strip_prefix("--color") {
                Some("") => arguments.next(),
                Some(value) => value.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            when = value.and_then(|value| When::from_str(&value, false).ok()).unwrap_or(when);
        }
        when
    }

    /// The same for the parser of the command line.
    pub(crate) fn for_help(self) -> clap::ColorChoice {
        match self {
            When::Auto => clap::ColorChoice::Auto,
            When::Always => clap::ColorChoice::Always,
            When::Never => clap::ColorChoice::Never,
        }
    }
}

fn wanted() -> TalkArgs {
    WANTED.get().copied().unwrap_or_default()
}

/// Whether only errors are printed.
pub(crate) fn is_quiet() -> bool {
    wanted().quiet
}

/// Whether errors are never merely counted.
pub(crate) fn shows_all_errors() -> bool {
    wanted().all_errors
}

/// Whether results are coloured.
pub(crate) fn colours_results() -> bool {
    match wanted().color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stdout().is_terminal() && allows_colour(),
    }
}

/// Whether messages are coloured.
pub(crate) fn colours_messages() -> bool {
    match wanted().color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stderr().is_terminal() && allows_colour(),
    }
}

/// What the environment says: see <https://no-color.org>.
fn allows_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// How many columns standard output has, if it is a terminal.
pub(crate) fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0).max(20))
}

/// How many columns standard error has, if it is a terminal.
pub(crate) fn message_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stderr())?;
    Some(usize::from(width.0).max(20))
}

/// A message broken at blanks, so that no line is wider than standard error: `before` columns are taken on
/// each line. As it is where no terminal is.
pub(crate) fn wrapped(text: &str, before: usize) -> Cow<'_, str> {
    match message_width() {
        Some(width) => Cow::Owned(broken(text, width.saturating_sub(before).max(20))),
        None => Cow::Borrowed(text),
    }
}

/// A sentence of the results broken at blanks, so that no line is wider than standard output. As it is where
/// no terminal is.
pub(crate) fn wrapped_result(text: &str) -> Cow<'_, str> {
    width().map_or(Cow::Borrowed(text), |width| Cow::Owned(broken(text, width)))
}

/// Breaks lines at blanks. What a line is indented by, its parts are.
fn broken(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let words = line.trim_start_matches(' ');
        let indent = &line[..line.len() - words.len()];
        let mut column = 0;
        for word in words.split(' ') {
            let long = word.chars().count();
            if column > 0 && column + 1 + long > width {
                out.push('\n');
                column = 0;
            }
            let before = if column == 0 { indent } else { " " };
            out.push_str(before);
            out.push_str(word);
            column += before.len() + long;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_broken_at_blanks() {
        assert_eq!(broken("one two three", 7), "one two\nthree");
        assert_eq!(broken("one two three", 6), "one\ntwo\nthree");
        assert_eq!(broken("a_word_that_is_too_long for it", 5), "a_word_that_is_too_long\nfor\nit");
        assert_eq!(broken("two\nlines here", 9), "two\nlines\nhere");
        assert_eq!(broken("  and more words", 9), "  and\n  more\n  words");
        assert_eq!(broken("", 9), "");
    }

    #[test]
    fn colours_are_known_before_the_command_line_is_read() {
        let of = |line: &str| When::of_arguments(line.split(' ').map(str::to_owned));
        assert_eq!(of("boardprint --color never --help"), When::Never);
        assert_eq!(of("boardprint check --color=always"), When::Always);
        assert_eq!(of("boardprint check --colour=always"), When::Auto);
        assert_eq!(of("boardprint -- --color never"), When::Auto);
        assert_eq!(of("boardprint --color"), When::Auto);
    }
}
