//! What is wrong with a record, whatever its format.

use boardprint_base::{Condition, Game, GameResult, Player, Side, Span, Square};
use boardprint_finite::{Board, Conclusion, Game as FiniteKind, History, Move, MoveError, Notation};
use boardprint_icn::variants;
use boardprint_rules::findings::{self, Kind, inspect};
use boardprint_rules::pieces::PieceTable;

use crate::finite::Mark;
use crate::{
    Content, FiniteGame, GameErrorKind, Reading, RecordError, RecordErrorKind, Warning, piece_table,
};

/// The kind of finding of a record that cannot be read.
pub const SYNTAX: &str = "syntax";
/// The kind of finding of a start taken from a variant whose laws the text leaves out.
pub const VARIANT_LAWS: &str = "variant-laws";
/// The kind of finding of a position that cannot be played from.
pub const POSITION: &str = "position";

/// What was found out about a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether all moves are legal; `None` where nothing decides.
    pub legal: Option<bool>,
    /// The first illegal half-move, from 1.
    pub first_illegal_ply: Option<usize>,
    /// How the game stands ended.
    pub conclusion: Option<End>,
    /// What is wrong: warnings of the reader first, then the game in its order.
    pub findings: Vec<Finding>,
}

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won; nobody in a draw.
    pub winner: Option<Player>,
    /// By what, such as `checkmate`.
    pub condition: &'static str,
}

/// Something that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of its kind, such as `illegal-move`.
    pub kind: &'static str,
    /// The half-move it is about, from 1.
    pub ply: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// Where in the text it is.
    pub span: Option<Span>,
    /// Where on the board it is.
    pub square: Option<Square>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Reading<'_> {
    /// What is wrong with a record that was read. The marks of a finite game are looked at if
    /// [`ReadOptions::keep_marks`](crate::ReadOptions::keep_marks) kept them.
    ///
    /// ```
    /// use boardprint_games::{Format, ReadOptions};
    /// let reading = ReadOptions::default().read_text(Format::Icn, "K5,1|R8,1|P8,2|k5,8 8,1>8,9")?;
    /// let verdict = reading.check();
    /// assert_eq!(verdict.first_illegal_ply, Some(1));
    /// assert_eq!(verdict.findings[0].kind, "illegal-move");
    /// # Ok::<(), boardprint_games::RecordError>(())
    /// ```
    #[must_use]
    pub fn check(&self) -> Verdict {
        self.content.check(&self.warnings)
    }
}

impl Content<'_> {
    /// What is wrong with a content; the warnings of its reader are findings, too.
    #[must_use]
    pub fn check(&self, warnings: &[Warning]) -> Verdict {
        self.check_wanted(warnings, PieceTable::built_in(), &mut |_| true)
    }

    /// The same with other pieces, unless the game brings its own, and with the findings only that are
    /// wanted. `wants` is asked about the kind of each, in order: a record can be made that has a finding in
    /// every byte.
    #[must_use]
    pub fn check_wanted(
        &self,
        warnings: &[Warning],
        pieces: &PieceTable,
        wants: &mut dyn FnMut(&'static str) -> bool,
    ) -> Verdict {
        let of_text: Vec<Finding> = warnings
            .iter()
            .filter(|warning| warning.kind().is_finding() && wants(warning.kind().name()))
            .map(Into::into)
            .collect();
        let mut verdict = match self {
            Content::Infinite(game) => of_infinite(game, pieces, wants),
            Content::Finite(game) => of_finite(game, wants),
            // What reads is all that can be said about other boards.
            Content::Board(_) => Verdict::default(),
        };
        verdict.findings.splice(..0, of_text);
        verdict
    }
}

impl RecordError {
    /// The verdict on a record that breaks off here.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let (kind, plies) = match self.kind() {
            RecordErrorKind::Game(game) => {
                let kind = match game.kind() {
                    GameErrorKind::Move(MoveError::Illegal, _) => Kind::IllegalMove.name(),
                    GameErrorKind::Start(_) => POSITION,
                    GameErrorKind::AfterResult => Kind::MovesAfterEnd.name(),
                    _ => SYNTAX,
                };
                (kind, game.plies())
            }
            _ => (SYNTAX, 0),
        };
        let illegal = (kind == Kind::IllegalMove.name()).then_some(plies + 1);
        let finding = Finding {
            ply: illegal,
            span: Some(self.span()),
            hint: self.hint(),
            ..Finding::new(kind, self.to_string())
        };
        Verdict {
            legal: illegal.map(|_| false),
            first_illegal_ply: illegal,
            conclusion: None,
            findings: vec![finding],
        }
    }
}

impl Finding {
    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Finding { kind, ply: None, message: message.into(), span: None, square: None, hint: None }
    }
}

fn of_infinite(game: &Game, pieces: &PieceTable, wants: &mut dyn FnMut(&'static str) -> bool) -> Verdict {
    let inspection = inspect(piece_table(game).unwrap_or(pieces), game);
    let laws = variant_laws(game).filter(|finding| wants(finding.kind));
    let of_game = inspection.findings.into_iter().filter(|finding| wants(finding.kind.name()));
    Verdict {
        legal: inspection.legal,
        first_illegal_ply: inspection.first_illegal_ply,
        conclusion: inspection
            .conclusion
            .map(|end| End { winner: end.victor, condition: end.condition.name() }),
        findings: laws.into_iter().chain(of_game.map(Into::into)).collect(),
    }
}

/// Says which laws of its variant a text leaves out: a variant gives only the pieces.
fn variant_laws(game: &Game) -> Option<Finding> {
    if !game.start_from_variant {
        return None;
    }
    let variant = variants::find(game.tag("Variant")?)?;
    let time =
        variants::start_time(game.tag("UTCDate"), game.tag("UTCTime"), game.tag("Date")).ok().flatten();
    let usual = boardprint_icn::parse(variant.at(time)?.icn()).ok()?.game.start;
    let (own, laws) = (&game.start, &game.start.laws);
    let missing = [
        ("its turn order", own.turn != usual.turn),
        ("its move rule", own.move_rule.is_none() && usual.move_rule.is_some()),
        ("its promotion", laws.promotion.is_empty() && !usual.laws.promotion.is_empty()),
        ("its border", laws.border.is_open() && !usual.laws.border.is_open()),
        ("its win conditions", laws.wins.is_default() && !usual.laws.wins.is_default()),
    ];
    let missing: Vec<&str> =
        missing.iter().filter(|(_, is_missing)| *is_missing).map(|(what, _)| *what).collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "the `Variant` tag gives only the pieces of {}; the text leaves out {}",
        variant.name(),
        missing.join(", ")
    );
    Some(Finding::new(VARIANT_LAWS, message))
}

fn of_finite(game: &FiniteGame<'_>, wants: &mut dyn FnMut(&'static str) -> bool) -> Verdict {
    let start = match game.start().board() {
        Ok(start) => start,
        Err(why) => {
            let finding = Finding::new(POSITION, format!("no game leads to this position: {why}"));
            let findings = wants(finding.kind).then_some(finding).into_iter().collect();
            return Verdict { legal: Some(false), findings, ..Verdict::default() };
        }
    };
    let (conclusion, mut findings) = play(&start, game);
    findings.extend(result_findings(game, conclusion));
    findings.retain(|finding| wants(finding.kind));
    Verdict { legal: Some(true), conclusion: conclusion.map(Into::into), findings, ..Verdict::default() }
}

/// How the game ended on the board, if it did, and what the moves say against the board.
fn play(start: &Board, game: &FiniteGame<'_>) -> (Option<Conclusion>, Vec<Finding>) {
    let mut findings = Vec::new();
    let marks = Marks::of(game);
    let mut board = start.clone();
    let mut history = History::new(&board);
    let mut end = board.end();
    let mut has_ended = false;
    // A start with bare material is there to be played with.
    let bare = end.filter(|end| end.condition == Condition::InsufficientMaterial);
    for (ply, played) in (1..).zip(game.moves()) {
        if let Some(end) = end.filter(|_| !has_ended && end != bare) {
            has_ended = true;
            let message = format!("the game has ended before this move: {}", in_words(game.game(), end));
            findings.push(Finding { ply: Some(ply), ..Finding::new(Kind::MovesAfterEnd.name(), message) });
        }
        let before = marks.has_checks.then(|| board.clone());
        if board.play(*played).is_err() {
            return (None, findings);
        }
        end = history.push(&board);
        if let Some((kind, what)) = marks.fault(ply, &board, end) {
            let name = before.as_ref().map_or_else(String::new, |before| bare_name(before, *played));
            findings.push(Finding { ply: Some(ply), ..Finding::new(kind.name(), format!("{name} {what}")) });
        }
    }
    (end, findings)
}

/// The marks of a game, and whether its writer marks checks at all. What is never marked is not missing.
struct Marks<'a> {
    all: &'a [Mark],
    has_checks: bool,
}

impl<'a> Marks<'a> {
    fn of(game: &'a FiniteGame<'_>) -> Self {
        let has_checks = game.marks.iter().any(|mark| matches!(mark, Mark::Check | Mark::Mate));
        Marks { all: &game.marks, has_checks }
    }

    /// What is wrong with the mark of a move, with the position after it and how the game stands ended.
    fn fault(&self, ply: usize, after: &Board, end: Option<Conclusion>) -> Option<(Kind, &'static str)> {
        if !self.has_checks {
            return None;
        }
        let is_mate = end.is_some_and(|end| end.condition == Condition::Checkmate);
        match *self.all.get(ply - 1)? {
            // A mark may stand on any move that ends the game.
            Mark::Mate if end.is_some() => None,
            Mark::Mate if after.is_check() => Some((Kind::WrongMate, "has `#` and gives check and no mate")),
            Mark::Mate => Some((Kind::WrongMate, "has `#` and gives no mate")),
            Mark::Check if !after.is_check() => Some((Kind::WrongCheck, "has `+` and gives no check")),
            Mark::None | Mark::Check if is_mate => Some((Kind::MissingMate, "gives mate and has no `#`")),
            Mark::None if after.is_check() => Some((Kind::MissingCheck, "gives check and has no `+`")),
            Mark::None | Mark::Check | Mark::Unknown => None,
        }
    }
}

/// A move without a mark.
fn bare_name(board: &Board, played: Move) -> String {
    let notation = if board.game() == FiniteKind::Shogi { Notation::Algebraic } else { Notation::San };
    board.write(notation, played).unwrap_or_default().trim_end_matches(['+', '#']).to_owned()
}

/// How a game ended.
fn in_words(game: FiniteKind, end: Conclusion) -> String {
    let outcome = match end.victor {
        Some(victor) => format!("{} has won", player(game, victor)),
        None if end.condition == Condition::Points => return "points decide".to_owned(),
        None => "it is a draw".to_owned(),
    };
    format!("{outcome} by {}", end.condition)
}

/// What the result says against the board or against itself.
fn result_findings(game: &FiniteGame<'_>, conclusion: Option<Conclusion>) -> Vec<Finding> {
    let tag = game.tag("Result");
    let tag = tag.and_then(|tag| GameResult::ALL.into_iter().find(|result| result.as_str() == tag));
    let mut findings = Vec::new();
    if let (Some(tag), Some(written)) = (tag, game.result)
        && tag != written
    {
        let message = format!("the `Result` tag says {tag}, the result after the moves {written}");
        findings.push(Finding::new(Kind::WrongResult.name(), message));
    }
    if let (Some(end), Some(said)) = (conclusion, tag.or(game.result))
        && end.contradicts(said)
    {
        let message = format!("the result is {said}, and on the board {}", in_words(game.game(), end));
        findings.push(Finding::new(Kind::WrongResult.name(), message));
    }
    findings
}

/// What a side is called in a game.
const fn player(game: FiniteKind, side: Side) -> &'static str {
    match (game, side) {
        (FiniteKind::Western | FiniteKind::Makruk, Side::Bottom) => "white",
        (FiniteKind::Xiangqi, Side::Bottom) => "red",
        (FiniteKind::Western | FiniteKind::Makruk | FiniteKind::Xiangqi, Side::Top) => "black",
        (_, Side::Bottom) => "the first player",
        (_, Side::Top) => "the second player",
    }
}

impl From<&Warning> for Finding {
    fn from(warning: &Warning) -> Self {
        let span = Some(warning.span());
        Finding { span, ..Finding::new(warning.kind().name(), warning.to_string()) }
    }
}

impl From<findings::Finding> for Finding {
    fn from(finding: findings::Finding) -> Self {
        Finding {
            ply: finding.ply,
            square: finding.square,
            ..Finding::new(finding.kind.name(), finding.message)
        }
    }
}

impl From<Conclusion> for End {
    fn from(end: Conclusion) -> Self {
        let winner = end.victor.map(|side| match side {
            Side::Bottom => Player::WHITE,
            Side::Top => Player::BLACK,
        });
        End { winner, condition: end.condition.name() }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Format, ReadOptions};

    /// The kinds of findings and their plies.
    fn found(format: Format, text: &str) -> Vec<(&'static str, usize)> {
        let options = ReadOptions::default().keep_marks(true);
        let reading = options.read_text(format, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let findings = reading.check().findings;
        findings.into_iter().map(|finding| (finding.kind, finding.ply.unwrap_or_default())).collect()
    }

    fn pgn(text: &str) -> Vec<(&'static str, usize)> {
        found(Format::Pgn, text)
    }

    #[test]
    fn marks_are_compared_with_the_board() {
        let wrong = "[Result \"1-0\"]\n\n1. e4# e5+ 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7+ 1-0";
        assert_eq!(pgn(wrong), [("wrong-mate", 1), ("wrong-check", 2), ("missing-mate", 7)]);
        let missing = "1. e4 f5 2. Qh5 g6 3. Qxg6+ hxg6 4. Bb5 Nc6 5. Bxc6 *";
        assert_eq!(pgn(missing), [("missing-check", 3)]);
        // Who never marks a check has not forgotten it.
        assert_eq!(pgn(&missing.replace('+', "")), []);
        let right = "[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
        assert_eq!(pgn(right), []);
        let message = &ReadOptions::default()
            .keep_marks(true)
            .read_text(Format::Pgn, wrong)
            .map(|reading| reading.check().findings.remove(2).message);
        assert_eq!(message.as_deref(), Ok("Qxf7 gives mate and has no `#`"));
        // Nobody asked for them.
        let reading = ReadOptions::default().read_text(Format::Pgn, wrong);
        assert_eq!(reading.map(|reading| reading.check().findings.len()), Ok(0));
    }

    #[test]
    fn marks_of_every_game_are_looked_at() {
        let xiangqi =
            "[Variant \"Xiangqi\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1\"]\n\n1. Ra9+ Kf10 2. Ra10 *";
        assert_eq!(pgn(xiangqi), [("wrong-check", 1), ("missing-check", 3)]);
        let janggi = "[Variant \"Janggi\"]\n\n1. P77-76# *";
        assert_eq!(pgn(janggi), [("wrong-mate", 1)]);
        let shogi = "[Variant \"Shogi\"]\n\n1. Pc4 Pg6 2. Bxh8=H+ Sxh8 *";
        assert_eq!(pgn(shogi), [("wrong-check", 3)]);
        // There `+` promotes.
        assert_eq!(pgn("[Variant \"Shogi\"]\n\n1. P-76 P-34 2. Bx22+ Sx22 *"), []);
    }

    #[test]
    fn moves_after_the_end_are_found() {
        let circle = ["g1f3 g8f6 f3g1 f6g8"; 4].join(" ");
        let western = format!("position startpos moves {circle}");
        assert_eq!(found(Format::Uci, &western), []);
        assert_eq!(found(Format::Uci, &format!("{western} e2e4 e7e5")), [("moves-after-end", 17)]);
        // Three times is for the players to claim.
        let thrice = &western[..western.len() - 20];
        assert_eq!(found(Format::Uci, &format!("{thrice} e2e4 e7e5")), []);
        let janggi = "[Variant \"Janggi\"]\n\n1. Ke2 Ke9 2. Pab4 *";
        assert_eq!(pgn(janggi), [("moves-after-end", 3)]);
        let reading = ReadOptions::default().read_text(Format::Pgn, janggi).map(|reading| reading.check());
        let verdict = reading.unwrap_or_default();
        assert_eq!((verdict.legal, verdict.conclusion), (Some(true), None));
        assert_eq!(verdict.findings[0].message, "the game has ended before this move: points decide");
        let bare = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1.";
        assert_eq!(pgn(&format!("{bare} Kxe2 1/2-1/2")), []);
        assert_eq!(pgn(&format!("{bare} Kxe2 Kd7 2. Kd2 1/2-1/2")), [("moves-after-end", 2)]);
        // A start with bare material is there to be played with.
        assert_eq!(pgn(&format!("{} Kd2 Kd7 1/2-1/2", bare.replace('p', "n"))), []);
    }
}
