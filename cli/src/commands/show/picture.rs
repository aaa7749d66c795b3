//! What pictures look like.

use boardprint_base::Square;
use boardprint_render::{Diagram, DiagramBuilder, SvgOptions, Theme, svg};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

/// What pictures look like.
#[derive(clap::Args)]
pub(super) struct PictureArgs {
    /// Make squares this many pixels wide
    #[arg(help_heading = "Picture options", long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with = "width")]
    size: Option<u32>,

    /// Make the whole picture this many pixels wide
    #[arg(help_heading = "Picture options", long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    width: Option<u32>,

    /// Choose the colours
    #[arg(help_heading = "Picture options", long, value_name = "THEME", default_value = "light", hide_default_value = true, value_parser = theme_parser())]
    theme: Theme,

    /// Choose what is marked: the last move, castling rights and en passant, both or nothing
    #[arg(help_heading = "Picture options", long, value_name = "WHAT", value_enum)]
    marks: Option<MarksArg>,

    /// Highlight squares: `e4`, or `5,4` with `|` between several; may be given several times
    #[arg(help_heading = "Picture options", long, value_name = "SQUARES", value_parser = parse_squares, allow_hyphen_values = true)]
    highlight: Vec<Squares>,

    /// Draw an arrow: `e2e4` or `5,2>5,4`; may be given several times
    #[arg(help_heading = "Picture options", long, value_name = "ARROW", value_parser = parse_arrow, allow_hyphen_values = true)]
    arrow: Vec<(Square, Square)>,

    /// Leave out the names of rows and columns
    #[arg(help_heading = "Picture options", long)]
    no_coordinates: bool,

    /// Leave out whose turn it is
    #[arg(help_heading = "Picture options", long)]
    no_legend: bool,
}

/// What is marked.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MarksArg {
    /// The last move, rights and en passant
    All,
    /// The last move
    Move,
    /// Castling rights and en passant
    Rights,
    /// Nothing
    None,
}

/// Squares of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Squares(Vec<Square>);

impl PictureArgs {
    /// Whether the last move is marked.
    pub(super) fn marks_last_move(&self) -> bool {
        !matches!(self.marks, Some(MarksArg::Rights | MarksArg::None))
    }

    pub(super) fn apply(&self, board: DiagramBuilder) -> DiagramBuilder {
        let mut board = board.coordinates(!self.no_coordinates).legend(!self.no_legend);
        if let Some(marks) = self.marks {
            board = board.rights(matches!(marks, MarksArg::All | MarksArg::Rights));
        }
        for Squares(squares) in &self.highlight {
            board = board.highlight(squares.iter().cloned());
        }
        self.arrow.iter().fold(board, |board, (from, to)| board.arrow(from.clone(), to.clone()))
    }

    pub(super) fn svg(&self, diagram: &Diagram) -> String {
        let options = SvgOptions::default().theme(self.theme);
        let options = match (self.size, self.width) {
            (Some(pixels), _) => options.square(pixels),
            (None, Some(pixels)) => options.width(pixels),
            (None, None) => options,
        };
        svg::write(diagram, &options)
    }

    #[cfg(feature = "png")]
    pub(super) fn png(&self, diagram: &Diagram) -> Result<Vec<u8>, boardprint_render::PngError> {
        let options = boardprint_render::PngOptions::default().theme(self.theme);
        let options = match (self.size, self.width) {
            (Some(pixels), _) => options.square(pixels),
            (None, Some(pixels)) => options.width(pixels),
            (None, None) => options,
        };
        boardprint_render::png::write(diagram, &options)
    }
}

fn theme_parser() -> impl clap::builder::TypedValueParser<Value = Theme> {
    PossibleValuesParser::new(Theme::ALL.map(Theme::name))
        .map(|name| name.parse::<Theme>().expect("only names of themes are possible"))
}

/// `e4` and `12,-3`; files of letters count from 1.
fn parse_square(text: &str) -> Result<Square, String> {
    let text = text.trim();
    let mut bytes = text.bytes();
    if let (Some(file @ b'a'..=b'z'), Ok(rank @ 0..)) =
        (bytes.next(), text.get(1..).unwrap_or("").parse::<i64>())
    {
        return Ok(Square::new(i64::from(file - b'a') + 1, rank));
    }
    text.parse().map_err(|_| format!("`{text}` is not a square: write `e4` or `5,4`"))
}

fn parse_squares(text: &str) -> Result<Squares, String> {
    text.split(['|', ' '])
        .filter(|part| !part.is_empty())
        .map(parse_square)
        .collect::<Result<_, _>>()
        .map(Squares)
}

fn parse_arrow(text: &str) -> Result<(Square, Square), String> {
    if let Some((from, to)) = text.split_once('>') {
        return Ok((parse_square(from)?, parse_square(to)?));
    }
    let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase());
    let (at, _) = second.ok_or_else(|| format!("`{text}` is not an arrow: write `e2e4` or `5,2>5,4`"))?;
    let (from, to) = text.split_at(at);
    Ok((parse_square(from.trim_end_matches('-'))?, parse_square(to)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_two_spellings() {
        let square = |x: i64, y: i64| Square::new(x, y);
        assert_eq!(parse_square("e4"), Ok(square(5, 4)));
        assert_eq!(parse_square("-5,12"), Ok(square(-5, 12)));
        assert_eq!(parse_squares("e4|5,-1"), Ok(Squares(vec![square(5, 4), square(5, -1)])));
        assert_eq!(parse_arrow("e2e4"), Ok((square(5, 2), square(5, 4))));
        assert_eq!(parse_arrow("e2-e4"), Ok((square(5, 2), square(5, 4))));
        assert_eq!(parse_arrow("-5,2>-5,4"), Ok((square(-5, 2), square(-5, 4))));
        for wrong in ["", "e", "4", "e2", "é2e4", "5,2", "5,2>"] {
            assert!(parse_arrow(wrong).is_err(), "{wrong}");
        }
    }
}
