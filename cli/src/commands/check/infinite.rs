//! Games of the infinite board.

use boardprint_base::replay::position_at;
use boardprint_base::{Game, Square};
use boardprint_games::check::variant_laws;
use boardprint_games::{Warning, piece_table};
use boardprint_render::{Diagram, Rect};
use boardprint_rules::findings::{self, inspect};
use boardprint_rules::pieces::PieceTable;

use super::filter::Sieve;
use super::verdict::{Finding, VARIANT_LAWS, Verdict};
use crate::problem::Problem;

/// How many squares are drawn around a place.
const AROUND: i64 = 4;

/// What is wrong with a game, as far as it is wanted.
pub(super) fn judge(table: &PieceTable, game: &Game, warnings: &[Warning], sieve: &mut Sieve<'_>) -> Verdict {
    let inspection = inspect(piece_table(game).unwrap_or(table), game);
    let mut findings = Vec::new();
    for warning in warnings.iter().filter(|warning| sieve.takes(warning.kind().name())) {
        let (kind, message) = (warning.kind().name(), warning.to_string());
        let problem = Problem { kind, message, span: warning.span(), also: None, hint: None };
        findings.push(Finding::in_text(warning.kind().name(), problem));
    }
    let laws = variant_laws(game).filter(|_| sieve.takes(VARIANT_LAWS));
    findings.extend(laws.map(|finding| Finding::new(VARIANT_LAWS, finding.message)));
    for finding in inspection.findings.into_iter().filter(|finding| sieve.takes(finding.kind.name())) {
        let picture = picture(game, &finding);
        findings.push(Finding { picture, ..finding.into() });
    }
    Verdict {
        legal: inspection.legal,
        first_illegal_ply: inspection.first_illegal_ply,
        conclusion: inspection.conclusion.map(Into::into),
        findings,
    }
}

/// The board around the place of a finding, before the move it is about.
fn picture(game: &Game, finding: &findings::Finding) -> Option<Diagram> {
    let square = finding.square.as_ref()?;
    let before = finding.ply.map_or(0, |ply| ply - 1);
    let position = position_at(game, before).ok()?;
    let mut scene = Diagram::builder().position(&position);
    let mut corners = vec![square];
    if let Some(mv) = finding.ply.and_then(|ply| game.moves.get(ply - 1)) {
        scene = scene.last_move(mv);
        corners.extend([&mv.from, &mv.to]);
    }
    scene.window(around(&corners)?).build().ok()
}

fn around(squares: &[&Square]) -> Option<Rect> {
    let xs = || squares.iter().map(|square| &square.x);
    let ys = || squares.iter().map(|square| &square.y);
    let low = Square { x: xs().min()? - AROUND, y: ys().min()? - AROUND };
    let high = Square { x: xs().max()? + AROUND, y: ys().max()? + AROUND };
    Some(Rect::new(low, high))
}
