//! KIF: records of Shogi as people exchange them.
//!
//! **Accepts** headers (`手合割` with its handicaps, players, dates, …), a board diagram (BOD) with hands and
//! the side to move, which beats `手合割`, moves (`７六歩(77)`, `同　銀成(67)`, `２四歩打`, `不成`), times, comments (`*`),
//! bookmarks (`&`), end words (`投了` and the others) and the sentence `まで…`. Variations (`変化：`) are passed
//! over. UTF-8 or `Shift_JIS`.
//!
//! **Writes** headers, a handicap or a diagram, moves with the squares they come from, the end word and the
//! sentence. Times are left out.
//!
//! **Refuses** a handicap that is not known without a diagram, a diagram that is not whole, moves that are
//! illegal or not moves, moves after the end, and KI2, which does not say where pieces come from.

mod diagram;
mod handicap;
mod parse;
#[cfg(test)]
mod tests;
mod write;

pub use parse::read;
pub(crate) use parse::{draft, is_free_key};
pub(crate) use write::write;

/// Blanks, the wide one too.
const BLANKS: [char; 3] = [' ', '\t', '\u{3000}'];

/// Whether a line is a header that may begin a record: not a move, comment, variation or sentence.
pub(crate) fn begins_record(line: &str) -> bool {
    let line = line.trim_start_matches(BLANKS);
    let is_header = |line: &str| {
        line.split_once('：')
            .is_some_and(|(key, _)| !key.is_empty() && !key.starts_with(['*', '&', '+', '|']))
    };
    line.starts_with('#') || is_header(line) && !line.starts_with("変化")
}

/// Whether a line is a move or an end: a number and a word.
pub(crate) fn is_move_line(line: &str) -> bool {
    let line = line.trim_start_matches(BLANKS);
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len()
        && rest.starts_with(BLANKS)
        && rest.trim_start_matches(BLANKS).starts_with(|c: char| !c.is_ascii())
}

/// Whether a text begins as KIF does.
pub(crate) fn is_kif(line: &str) -> bool {
    let trimmed = line.trim_start_matches(BLANKS);
    let keys = [
        "手合割",
        "先手",
        "後手",
        "下手",
        "上手",
        "開始日時",
        "終了日時",
        "対局日",
        "棋戦",
        "表題",
        "場所",
        "持ち時間",
        "戦型",
        "手数",
        "備考",
        "秒読み",
    ];
    trimmed.starts_with("#KIF") || keys.iter().any(|key| trimmed.starts_with(key)) || is_move_line(line)
}
