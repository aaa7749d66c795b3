//! A position in the notations of its board.

use boardprint_base::Side;
use boardprint_bridge::Lost;
use boardprint_cpn::Revision;
use boardprint_games::check::End;
use boardprint_games::{Content, Start, WriteOptions};
use boardprint_icn::canonical_position;
use serde::Serialize;

use crate::problem::Problem;

/// What the identity of a position leaves out on purpose, in every game alike.
const LEFT_OUT: [Lost; 4] = [Lost::CLOCK, Lost::MOVE_NUMBER, Lost::LAWS, Lost::DEAD_MARKS];

/// One position. The names are those of the server's answers.
#[derive(Serialize)]
pub(crate) struct PositionObject {
    hash: String,
    game: &'static str,
    turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    icn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sfen: Option<String>,
    cpn: String,
    lost: Vec<&'static str>,
    conclusion: Option<EndObject>,
}

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct EndObject {
    condition: &'static str,
    winner: Option<String>,
}

impl From<End> for EndObject {
    fn from(end: End) -> Self {
        EndObject { condition: end.condition, winner: end.winner.map(|player| player.to_string()) }
    }
}

impl PositionObject {
    /// The start of a content.
    pub(crate) fn of(content: &Content<'_>, rights: bool) -> Result<Self, Problem> {
        let options = WriteOptions::default().rights(rights).revision(Revision::Y2015);
        let (cpn, lost) = content.to_cpn(&options)?;
        // The notations of its own board, as the server answers; `convert` takes Western chess to the other
        // one.
        let (icn, fen, sfen) = match content {
            Content::Infinite(game) => (Some(canonical_position(&game.start)), None, None),
            Content::Finite(game) => {
                let fen = game.start().fen();
                (None, Some(fen.to_string()), fen.to_sfen())
            }
            _ => (None, None, None),
        };
        let lost = LEFT_OUT.into_iter().fold(lost, Lost::without);
        Ok(PositionObject {
            hash: cpn.cph().to_string(),
            game: game_name(content),
            turn: turn(content),
            icn,
            fen,
            sfen,
            cpn: cpn.to_string(),
            lost: lost.names().collect(),
            conclusion: content.check(&[]).conclusion.map(Into::into),
        })
    }
}

/// `infinite`, the name of a finite game, or `other`.
pub(crate) fn game_name(content: &Content<'_>) -> &'static str {
    match content {
        Content::Infinite(_) => "infinite",
        Content::Finite(game) => game.game().name(),
        _ => "other",
    }
}

/// Who is to move; the lower side of a finite board is called white.
fn turn(content: &Content<'_>) -> String {
    let side = match content {
        Content::Infinite(game) => return game.start.turn.to_move().to_string(),
        Content::Finite(game) => match game.start() {
            Start::Board(board) => board.side(),
            Start::Fen(fen) => fen.side(),
        },
        Content::Board(cpn) => cpn.side(),
        _ => Side::Bottom,
    };
    if side == Side::Bottom { "white".to_owned() } else { "black".to_owned() }
}
