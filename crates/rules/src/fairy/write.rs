//! Writes movements as canonical text.

use std::fmt;

use super::expr::{Expr, Jump, Modifier, Repeat};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(&self.canonical(), f)
    }
}

/// Recursion is as deep as the brackets of the text, which the reader limits.
fn write_expr(expr: &Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match expr {
        Expr::Jump(jump) => write!(f, "{jump}"),
        Expr::Hurdle(jump) => write!(f, "{jump}#"),
        Expr::Prime(jump) => write!(f, "{jump}@prime"),
        Expr::Options(options) => {
            f.write_str("{")?;
            write_list(options, ",", f)?;
            f.write_str("}")
        }
        Expr::Sequence(steps) => write_list(steps, "*", f),
        Expr::Modified(object, modifiers) => {
            if matches!(**object, Expr::Sequence(_)) {
                f.write_str("(")?;
                write_expr(object, f)?;
                f.write_str(")")?;
            } else {
                write_expr(object, f)?;
            }
            modifiers.iter().try_for_each(|modifier| write!(f, "{modifier}"))
        }
    }
}

fn write_list(list: &[Expr], separator: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, expr) in list.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        write_expr(expr, f)?;
    }
    Ok(())
}

impl fmt::Display for Jump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}]", self.x, self.y)
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Mirror(mirror) => write!(f, "{}", mirror.mark()),
            Modifier::Repeat(repeat) => write!(f, "{repeat}"),
            Modifier::Quiet => f.write_str("~"),
            Modifier::Capture => f.write_str("!"),
            Modifier::Right => f.write_str("$"),
        }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (0, Some(1)) => f.write_str("?"),
            (1, None) => f.write_str("^*"),
            (least, None) => write!(f, "^[{least}..*]"),
            (least, Some(most)) if least == most => write!(f, "^{least}"),
            (least, Some(most)) => write!(f, "^[{least}..{most}]"),
        }
    }
}
