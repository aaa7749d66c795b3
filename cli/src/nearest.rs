//! The word that was probably meant.

/// How many slips a word may have.
const SLIPS: usize = 2;

/// The known word that differs least from a mistyped one, if it is near; case and blanks around do not matter.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let near = known.into_iter().map(|name| (slips(&word, &name.to_lowercase()), name));
    let allowed = SLIPS.min(word.chars().count() / 3);
    near.filter(|(slips, _)| *slips <= allowed).min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

/// How many letters must be added, removed or changed to get from one word to the other.
fn slips(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_proposed() {
        let known = ["knight", "knightrider", "king", "rook"];
        assert_eq!(nearest("knigth", known), Some("knight"));
        assert_eq!(nearest("Rook ", known), Some("rook"));
        assert_eq!(nearest("ro", known), None);
        assert_eq!(nearest("nonsense", known), None);
        assert_eq!(slips("kitten", "sitting"), 3);
    }
}
