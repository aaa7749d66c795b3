//! The little XML that a picture needs.

use std::fmt::{self, Write};

/// Text that shows as it is inside an element or an attribute.
pub(crate) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                // XML has no way to write these.
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Several lines of text, each as [`Escaped`] shows it.
pub(crate) struct Lined<'a>(pub(crate) &'a str);

impl fmt::Display for Lined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.lines().try_for_each(|line| writeln!(f, "{}", Escaped(line)))
    }
}

/// A length in tenths of a unit, so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tenths(pub(super) i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, tenth) = (self.0 / 10, (self.0 % 10).abs());
        if self.0 < 0 && whole == 0 {
            f.write_char('-')?;
        }
        if tenth == 0 { write!(f, "{whole}") } else { write!(f, "{whole}.{tenth}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_written_short() {
        for (tenths, text) in [(0, "0"), (225, "22.5"), (450, "45"), (-5, "-0.5"), (-15, "-1.5")] {
            assert_eq!(Tenths(tenths).to_string(), text);
        }
    }

    #[test]
    fn markup_and_control_characters_are_escaped() {
        assert_eq!(Escaped("<a b='\"'>&\0\n").to_string(), "&lt;a b=&#39;&quot;&#39;&gt;&amp;\u{fffd} ");
    }
}
