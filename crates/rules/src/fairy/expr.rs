//! The syntax tree of a movement.

/// A displacement of a piece: `[x,y]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Jump {
    /// Columns to the right; never `i64::MIN`.
    pub x: i64,
    /// Rows forward; never `i64::MIN`.
    pub y: i64,
}

/// A movement as it is written; mirrors stay what they are.
///
/// `FromStr` reads it, `Display` writes the canonical text.
///
/// ```
/// use boardprint_rules::fairy::Expr;
/// let king: Expr = "{ {[1,1], [1,0]}, [1,0] } | - /".parse()?;
/// assert_eq!(king.to_string(), "{[1,0],[1,1]}|-/");
/// # Ok::<(), boardprint_rules::fairy::MovementError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// `[x,y]`: one jump.
    Jump(Jump),
    /// `[x,y]#`: a jump onto an occupied square that takes nothing and must go on.
    Hurdle(Jump),
    /// `[x,y]@prime`: stops at the prime multiples of a jump, in turn.
    Prime(Jump),
    /// `{a,b}`: either of these; without any, no move at all.
    Options(Vec<Expr>),
    /// `a*b`: one after another.
    Sequence(Vec<Expr>),
    /// `a-^2`: marks after a movement, applied from left to right; at least one. Their object is not itself
    /// modified.
    Modified(Box<Expr>, Vec<Modifier>),
}

/// A mark after a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modifier {
    /// `-`, `|` or `/`: the movement or its image.
    Mirror(Mirror),
    /// `^` or `?`: the movement again and again.
    Repeat(Repeat),
    /// `~`: must not capture.
    Quiet,
    /// `!`: must end on an enemy.
    Capture,
    /// `$`: only while the piece has its special right.
    Right,
}

/// Which image a mirror adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mirror {
    /// `-` flips y.
    FlipY,
    /// `|` flips x.
    FlipX,
    /// `/` swaps x and y.
    Swap,
}

impl Mirror {
    /// The mark that it is written with.
    #[must_use]
    pub const fn mark(self) -> char {
        match self {
            Mirror::FlipY => '-',
            Mirror::FlipX => '|',
            Mirror::Swap => '/',
        }
    }
}

/// How often a movement is repeated: `least` to `most` times, both included. `most` is not below `least`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repeat {
    /// At least so often.
    pub least: u64,
    /// At most so often; `None` is without end.
    pub most: Option<u64>,
}

impl Expr {
    /// Puts a mark after the movement.
    #[must_use]
    pub fn modified(self, modifier: Modifier) -> Self {
        match self {
            Expr::Modified(object, mut modifiers) => {
                modifiers.push(modifier);
                Expr::Modified(object, modifiers)
            }
            object => Expr::Modified(Box::new(object), vec![modifier]),
        }
    }

    /// The same movement in canonical form: options flat, sorted and without doubles, sequences flat.
    #[must_use]
    pub fn canonical(&self) -> Self {
        match self {
            Expr::Jump(_) | Expr::Hurdle(_) | Expr::Prime(_) => self.clone(),
            Expr::Options(options) => {
                let mut flat = Vec::with_capacity(options.len());
                for option in options {
                    match option.canonical() {
                        Expr::Options(inner) => flat.extend(inner),
                        other => flat.push(other),
                    }
                }
                flat.sort_unstable();
                flat.dedup();
                if flat.len() == 1 { flat.remove(0) } else { Expr::Options(flat) }
            }
            Expr::Sequence(steps) => {
                let mut flat = Vec::with_capacity(steps.len());
                for step in steps {
                    match step.canonical() {
                        Expr::Sequence(inner) => flat.extend(inner),
                        other => flat.push(other),
                    }
                }
                Expr::Sequence(flat)
            }
            Expr::Modified(object, modifiers) => {
                modifiers.iter().fold(object.canonical(), |object, modifier| object.modified(*modifier))
            }
        }
    }

    /// Whether `$` occurs, so that the special right matters.
    #[must_use]
    pub fn uses_right(&self) -> bool {
        match self {
            Expr::Jump(_) | Expr::Hurdle(_) | Expr::Prime(_) => false,
            Expr::Options(parts) | Expr::Sequence(parts) => parts.iter().any(Expr::uses_right),
            Expr::Modified(object, modifiers) => modifiers.contains(&Modifier::Right) || object.uses_right(),
        }
    }
}
