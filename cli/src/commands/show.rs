//! `boardprint show`: a board in the terminal, or pictures.

mod page;
mod picture;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use boardprint_games::{Content, Reading, Record};
use boardprint_render::{self as render, Diagram, DiagramBuilder, DiagramError, Rect, TextOptions, text};
use boardprint_rules::findings::inspect;
use boardprint_rules::pieces::PieceTable;
use serde::Serialize;

use self::picture::PictureArgs;
use crate::args::{InputArgs, Ply};
use crate::output::Output;
use crate::problem::Problem;
use crate::report::{RecordObject, Report, Status, Usage};
use crate::source::{for_each_content, position};
use crate::visible::visible_line;

/// Draw a board in the terminal, as SVG or PNG, or a page of a whole game
///
/// Runs of empty rows and columns are folded, so pieces any distance apart are on one picture.
#[derive(clap::Args)]
#[command(
    visible_alias = "draw",
    after_help = "Examples:\n  \
    boardprint show -e 'K0,0|k1000000000000000,3|Q2,2'\n  \
    boardprint show game.icn --ply 10 --svg board.svg\n  \
    boardprint show game.pgn --png board.png --size 40 --theme dark --arrow e2e4\n  \
    boardprint show game.pgn --html game.html\n  \
    boardprint show game.icn --window 1,1,8,8 --flip"
)]
pub(crate) struct Args {
    /// Draw the picture as SVG into this file; `-` is standard output; further pictures are called `NAME-2`,
    /// `NAME-3`
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw the picture as PNG into this file, likewise
    #[cfg(feature = "png")]
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Write a page of the whole game into this file, likewise: one HTML file with a board, the moves and
    /// arrow keys
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Show this part of the board
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    window: Option<Rect>,

    /// Show the position after this many half-moves: a number, -1 for the last, `last` or `all`
    #[arg(long, value_name = "PLY", default_value = "last", allow_negative_numbers = true)]
    ply: Ply,

    /// Put black at the bottom
    #[arg(long)]
    flip: bool,

    /// Use letters instead of chess symbols
    #[arg(long)]
    ascii: bool,

    #[command(flatten)]
    picture: PictureArgs,

    #[command(flatten)]
    input: InputArgs,

    /// Print one JSON object per board, with `record`, `ply`, `plies`, `legal`, and `board` or `files`
    #[arg(long)]
    json: bool,
}

/// A board as an object of the output.
#[derive(Serialize)]
struct Shown {
    record: RecordObject,
    ply: Option<usize>,
    plies: usize,
    /// Whether the moves up to here are legal; `null` where there are none or nobody can tell.
    legal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
}

/// What has been drawn so far.
struct Drawing<'a> {
    args: &'a Args,
    table: PieceTable,
    /// How many boards, and how many pages.
    boards: usize,
    pages: usize,
    /// The first board: alone it needs no name.
    first: Option<(String, String)>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    args.check()?;
    let mut report = Report::new(args.json);
    let table = args.input.reading.piece_table()?;
    let mut drawing = Drawing { args, table, boards: 0, pages: 0, first: None };
    for_each_content(&args.input, &mut report, |record, reading, report| {
        drawing.record(record, &reading, report)
    })?;
    if let Some((_, board)) = drawing.first {
        report.line(board)?;
    }
    report.finish()
}

impl Args {
    /// The files that are asked for.
    fn files(&self) -> Vec<&Path> {
        let files = [
            &self.svg,
            &self.html,
            #[cfg(feature = "png")]
            &self.png,
        ];
        files.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn check(&self) -> Result<(), Usage> {
        let files = self.files();
        let inputs: Vec<&Path> = self.input.paths().collect();
        crate::output::check(&files, &inputs)?;
        let to_stdout = files.iter().any(|file| file.as_os_str() == Output::STDOUT);
        if self.json && to_stdout {
            return Err(Usage("--json prints to standard output: name a file for the picture".to_owned()));
        }
        Ok(())
    }

    /// Whether boards are drawn into files and not on the terminal.
    fn draws_files(&self) -> bool {
        !self.files().is_empty()
    }

    /// Everything that is to be seen on a board.
    fn builder(&self, board: DiagramBuilder) -> DiagramBuilder {
        let board = self.picture.apply(board.flip(self.flip));
        match &self.window {
            Some(window) => board.window(window.clone()),
            None => board,
        }
    }
}

impl Drawing<'_> {
    fn record(
        &mut self,
        record: &Record,
        reading: &Reading<'_>,
        report: &mut Report,
    ) -> Result<Result<(), Problem>> {
        let content = &reading.content;
        let mut files = Vec::new();
        if let Some(path) = &self.args.html {
            let page = match page::write(self.args, record, content) {
                Ok(page) => page,
                Err(problem) => return Ok(Err(problem)),
            };
            self.pages += 1;
            files.push(save(path, self.pages, page.as_bytes())?);
        }
        if self.args.html.is_some() && self.args.files().len() == 1 {
            return self.say(record, content, None, None, files, report).map(Ok);
        }
        if self.args.ply != Ply::All {
            let diagram = match self.diagram(record, content) {
                Ok(diagram) => diagram,
                Err(problem) => return Ok(Err(problem)),
            };
            let ply = self.args.ply.of(content.plies());
            return self.draw(record, content, ply, &diagram, files, report);
        }
        let (mut drawn, mut moves) = (Ok(Ok(())), content.moves());
        let outcome = content.each_position(|ply, position| {
            let last = if ply == 0 { None } else { moves.next() };
            let last = last.filter(|_| self.args.picture.marks_last_move());
            if matches!(drawn, Ok(Ok(()))) {
                let board = render::diagram(position, last.as_ref())
                    .and_then(|board| self.args.builder(board).build());
                let diagram = board.map_err(|error| unseen(record, &error))?;
                drawn = self.draw(record, content, Some(ply), &diagram, std::mem::take(&mut files), report);
            }
            Ok::<(), Problem>(())
        });
        match drawn? {
            Ok(()) => Ok(outcome),
            Err(problem) => Ok(Err(problem)),
        }
    }

    fn diagram(&self, record: &Record, content: &Content<'_>) -> Result<Diagram, Problem> {
        let shown = position(record, content, self.args.ply)?;
        let last = self.args.ply.of(content.plies()).and_then(|ply| content.moves().nth(ply.checked_sub(1)?));
        let last = last.filter(|_| self.args.picture.marks_last_move());
        let board = render::diagram(&shown, last.as_ref()).map_err(|error| unseen(record, &error))?;
        self.args.builder(board).build().map_err(|error| unseen(record, &error))
    }

    /// Draws a board where it was asked for.
    fn draw(
        &mut self,
        record: &Record,
        content: &Content<'_>,
        ply: Option<usize>,
        diagram: &Diagram,
        mut files: Vec<String>,
        report: &mut Report,
    ) -> Result<Result<(), Problem>> {
        self.boards += 1;
        if let Some(path) = &self.args.svg {
            let picture = self.args.picture.svg(diagram);
            files.push(save(path, self.boards, picture.as_bytes())?);
        }
        #[cfg(feature = "png")]
        if let Some(path) = &self.args.png {
            let picture = match self.args.picture.png(diagram) {
                Ok(picture) => picture,
                Err(error) => {
                    let mut problem = Problem::of_record(record, error.to_string());
                    problem.hint = error.hint();
                    return Ok(Err(problem));
                }
            };
            files.push(save(path, self.boards, &picture)?);
        }
        self.say(record, content, ply, Some(diagram), files, report).map(Ok)
    }

    /// Prints a board or what was written, and says so if the moves that led there are illegal.
    fn say(
        &mut self,
        record: &Record,
        content: &Content<'_>,
        ply: Option<usize>,
        diagram: Option<&Diagram>,
        files: Vec<String>,
        report: &mut Report,
    ) -> Result<()> {
        let upto = ply.unwrap_or(content.plies());
        let first_illegal = self.first_illegal(content, upto);
        let legal = (upto > 0 && !matches!(content, Content::Board(_))).then_some(first_illegal.is_none());
        let board = diagram.filter(|_| !self.args.draws_files()).map(|diagram| {
            // Programs get the whole board, however wide the terminal.
            let options = if self.args.json { TextOptions::default() } else { Report::text_options() };
            let options = if self.args.ascii { options.ascii() } else { options };
            text::write(diagram, options).trim_end().to_owned()
        });
        if self.args.json {
            let board = board.map(|board| board.lines().map(str::to_owned).collect());
            let (record, plies) = (RecordObject::of(record), content.plies());
            return report.object(&Shown { record, ply, plies, legal, board, files });
        }
        if let Some(board) = board {
            self.print(record, ply, board, report)?;
        }
        if let Some(illegal) = first_illegal {
            let name = record.name();
            let name = visible_line(&name);
            report.talk(&format!(
                "warning: {name}: half-move {illegal} is illegal; `boardprint check` says why"
            ));
        }
        Ok(())
    }

    /// Prints a board, under its name if there are several.
    fn print(
        &mut self,
        record: &Record,
        ply: Option<usize>,
        board: String,
        report: &mut Report,
    ) -> Result<()> {
        let mut name = visible_line(&record.name()).into_owned();
        if let (Ply::All, Some(ply)) = (self.args.ply, ply) {
            name = format!("{name}, after half-move {ply}");
        }
        if self.boards == 1 {
            self.first = Some((name, board));
            return Ok(());
        }
        if let Some((name, board)) = self.first.take() {
            report.line(format!("{name}\n{board}"))?;
        }
        report.line(format!("\n{name}\n{board}"))
    }

    /// The first half-move that is illegal, if it is not after the one that is shown.
    fn first_illegal(&self, content: &Content<'_>, ply: usize) -> Option<usize> {
        // Finite games with illegal moves are not read.
        let Content::Infinite(game) = content else { return None };
        if ply == 0 {
            return None;
        }
        let table = boardprint_games::piece_table(game).unwrap_or(&self.table);
        inspect(table, game).first_illegal_ply.filter(|illegal| *illegal <= ply)
    }
}

fn unseen(record: &Record, error: &DiagramError) -> Problem {
    let mut problem = Problem::of_record(record, error.to_string());
    problem.hint = error.hint();
    problem
}

/// Writes a picture; its name is the answer. `board.svg` is followed by `board-2.svg`.
fn save(path: &Path, number: usize, bytes: &[u8]) -> Result<String> {
    let path = if number == 1 || path.as_os_str() == Output::STDOUT {
        path.to_owned()
    } else {
        numbered(path, number)
    };
    let mut output = Output::create(&path)?;
    output.write_all(bytes)?;
    output.finish()?;
    Ok(path.display().to_string())
}

/// `board.svg` → `board-2.svg`, `board.svg.gz` → `board-2.svg.gz`
fn numbered(path: &Path, number: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, endings) = match name.char_indices().skip(1).find(|(_, c)| *c == '.') {
        Some((dot, _)) => name.split_at(dot),
        None => (&*name, ""),
    };
    path.with_file_name(format!("{stem}-{number}{endings}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_the_endings() {
        let of = |name: &str| numbered(Path::new(name), 2).display().to_string();
        assert_eq!(of("a/board.svg"), "a/board-2.svg");
        assert_eq!(of("board.svg.gz"), "board-2.svg.gz");
        assert_eq!(of("board"), "board-2");
        assert_eq!(of(".board.svg"), ".board-2.svg");
    }
}
