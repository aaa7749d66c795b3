//! What is odd about a movement, though it can be read.

use std::fmt;

use super::Limits;
use super::equality::{Comparison, same_words};
use super::expr::{Expr, Modifier};

/// Something in a movement that adds nothing and is probably a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// An option stands twice.
    DoubledOption {
        /// The option.
        option: String,
    },
    /// A mirror adds nothing, because the movement has its image already.
    IdleMirror {
        /// The mark.
        mark: char,
        /// What it stands after.
        movement: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::DoubledOption { option } => write!(f, "option `{option}` is given twice"),
            Note::IdleMirror { mark, movement } => write!(f, "mirror `{mark}` adds nothing to `{movement}`"),
        }
    }
}

/// What a comparison of mirrors may cost: an answer is not worth more.
const LIMITS: Limits = Limits { steps: 20_000, stops: 0 };
/// This many notes are enough.
const MOST: usize = 16;

/// What is odd about a movement as it is written.
///
/// ```
/// use boardprint_rules::fairy::notes;
/// let slip = "{[1,1]^*,[-1,1]^*,[1,-1]^*,[1,-1]^*}".parse()?;
/// assert_eq!(notes(&slip)[0].to_string(), "option `[1,-1]^*` is given twice");
/// let sideways = "[1,0]^*|-".parse()?;
/// assert_eq!(notes(&sideways)[0].to_string(), "mirror `-` adds nothing to `[1,0]^*|`");
/// # Ok::<(), boardprint_rules::fairy::MovementError>(())
/// ```
#[must_use]
pub fn notes(expr: &Expr) -> Vec<Note> {
    let mut notes = Vec::new();
    // The reader limits how deep movements nest, but an expression can be built by hand: a stack has no such
    // limit.
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if notes.len() >= MOST {
            break;
        }
        match expr {
            Expr::Jump(_) | Expr::Hurdle(_) | Expr::Prime(_) => {}
            Expr::Options(parts) => {
                doubled(parts, &mut notes);
                stack.extend(parts.iter().rev());
            }
            Expr::Sequence(parts) => stack.extend(parts.iter().rev()),
            Expr::Modified(object, modifiers) => {
                idle(object, modifiers, &mut notes);
                stack.push(object);
            }
        }
    }
    notes
}

fn doubled(options: &[Expr], notes: &mut Vec<Note>) {
    let mut texts: Vec<String> = options.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    let mut last: Option<&String> = None;
    for (text, next) in texts.iter().zip(texts.iter().skip(1)) {
        if text == next && last != Some(text) {
            notes.push(Note::DoubledOption { option: text.clone() });
            last = Some(text);
        }
    }
}

fn idle(object: &Expr, modifiers: &[Modifier], notes: &mut Vec<Note>) {
    let mut so_far = object.clone();
    for modifier in modifiers.iter().take(MOST) {
        let longer = so_far.clone().modified(*modifier);
        if let Modifier::Mirror(mirror) = modifier
            && same_words(&so_far, &longer, &LIMITS) == Comparison::Same
        {
            notes.push(Note::IdleMirror { mark: mirror.mark(), movement: so_far.to_string() });
        }
        so_far = longer;
    }
}
