//! Where the records of a text begin and end.

use boardprint_base::Span;
use boardprint_games::cut::{Step, cutter};
use serde::Serialize;

use crate::answer::{format_of, json};
use crate::options::Options;
use crate::problem::{Place, Places, Problem};

#[derive(Serialize)]
struct PartObject<'a> {
    format: &'static str,
    text: &'a str,
    #[serde(flatten)]
    place: Place,
}

/// The records of a text, each with its format and place.
pub(crate) fn split(text: &str, options: &str) -> Result<String, Problem> {
    let options = Options::of(options, &[&["from", "limit"]])?;
    let limit = options.parse("limit", |text| text.parse().ok())?.unwrap_or(usize::MAX);
    let format = format_of(text, &options)?;
    let mut cutter = cutter(format);
    let mut places = Places::new(text);
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < text.len() && parts.len() < limit {
        let rest = &text.as_bytes()[at..];
        let (length, is_record) = match cutter.step(rest, true) {
            Step::More => (rest.len(), true),
            Step::Record(length) | Step::Bad(length, _) => (length, true),
            Step::Skip(length) => (length, false),
        };
        // A cutter that does not move on would never end.
        let end = text.len().min(at + length.max(1));
        let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        let part = &text[at..end];
        let record = part.trim();
        if is_record && !record.is_empty() {
            let start = at + (part.len() - part.trim_start().len());
            let place = places.of(Span::new(start, start + record.len()));
            parts.push(PartObject { format: format.name(), text: record, place });
        }
        at = end;
    }
    json(&parts)
}
