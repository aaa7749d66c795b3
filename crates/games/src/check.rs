//! What is wrong with a record, whatever its format.

use boardprint_base::{Game, GameResult, Player, Side, Span, Square};
use boardprint_finite::{Board, Conclusion, Game as FiniteKind, History, MoveError};
use boardprint_icn::variants;
use boardprint_rules::findings::{self, Kind, inspect};
use boardprint_rules::pieces::PieceTable;

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
    /// What is wrong with a record that was read.
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
    let conclusion = last_end(&start, game);
    let mut findings = result_findings(game, conclusion);
    findings.retain(|finding| wants(finding.kind));
    Verdict { legal: Some(true), conclusion: conclusion.map(Into::into), findings, ..Verdict::default() }
}

/// How the game ended on the board, if it did.
fn last_end(start: &Board, game: &FiniteGame<'_>) -> Option<Conclusion> {
    let mut board = start.clone();
    let mut history = History::new(&board);
    let mut end = board.end();
    for played in game.moves() {
        if board.play(*played).is_err() {
            return None;
        }
        end = history.push(&board);
    }
    end
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
        let outcome = match end.victor {
            Some(victor) => format!("{} has won", player(game.game(), victor)),
            None => "it is a draw".to_owned(),
        };
        let message = format!("the result is {said}, and on the board {outcome} by {}", end.condition);
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
