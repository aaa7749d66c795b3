//! The picture of a position.

use boardprint_render::{Rect, SvgOptions, diagram, svg};

use super::app::{Context, Question, Reply};
use super::fault::{Fault, Outcome};
use super::position::POSITION;

pub(super) fn board(view: &Context<'_>, question: &Question) -> Outcome<Reply> {
    let query = &question.query;
    query.only(&[&POSITION, &["flip", "window"]])?;
    let asked = view.asked(query)?;
    let last = asked.whole.moves().last();
    let too_large = |error: boardprint_render::DiagramError| Fault::too_large(error.to_string());
    let mut builder = diagram(&asked.now, last.as_ref()).map_err(too_large)?.flip(query.flag("flip")?);
    if let Some(window) = query.parsed::<Rect>("window", "four numbers: `x0,y0,x1,y1`")? {
        builder = builder.window(window);
    }
    let picture = svg::write(&builder.build().map_err(too_large)?, &SvgOptions::default());
    Ok(Reply::text("image/svg+xml", picture))
}
