//! Reading and writing.

use proptest::prelude::*;

use super::expr;
use crate::fairy::{Expr, MovementError, MovementErrorKind, ReadOptions, notes};

fn read(text: &str) -> Result<Expr, MovementError> {
    text.parse()
}

fn canonical(text: &str) -> String {
    read(text).unwrap().to_string()
}

#[test]
fn canonical_text_sorts_and_flattens_options() {
    assert_eq!(canonical("{ [2,0] , {[1,0],[2,0]} }"), "{[1,0],[2,0]}");
    assert_eq!(canonical("{{[1,0]}}"), "[1,0]");
    assert_eq!(canonical("{[1,0]*[0,1]}^2"), "([1,0]*[0,1])^2");
}

#[test]
fn canonical_text_uses_the_short_forms() {
    assert_eq!(canonical("[1,0]^[0..1]"), "[1,0]?");
    assert_eq!(canonical("[1,0]^[1..*]"), "[1,0]^*");
    assert_eq!(canonical("[1,0]^[3..3]"), "[1,0]^3");
    assert_eq!(canonical("[-0,007]^[02..*]"), "[0,7]^[2..*]");
}

#[test]
fn a_sequence_under_a_mark_keeps_its_parentheses() {
    assert_eq!(canonical("([1,0]*[0,1])^2"), "([1,0]*[0,1])^2");
    assert_eq!(canonical("(([1,0])*([0,1]|))"), "[1,0]*[0,1]|");
    assert_eq!(canonical("([1,0]^2)|"), "[1,0]^2|");
}

#[test]
fn extensions_are_read_and_written() {
    for text in ["{[0,1]^2~$,[0,1]~,[1,1]|!}", "[1,0]@prime|/", "{[1,0]^*~,[1,0]^[0..*]*[1,0]#*[1,0]^*!}|-/"]
    {
        let once = canonical(text);
        assert_eq!(canonical(&once), once);
    }
    assert_eq!(canonical("[1,0] @prime"), "[1,0]@prime");
    assert_eq!(read("[1,0]@prune").unwrap_err().span().start, 8);
    assert_eq!(read("[1,0]|#").unwrap_err().span().start, 6);
}

#[test]
fn no_move_is_read_only_where_asked_for() {
    assert_eq!(read("{}").unwrap_err().span().start, 1);
    let empty = ReadOptions::default().empty(true);
    assert_eq!(empty.parse("{ }").unwrap().to_string(), "{}");
    assert!(empty.parse("{[1,0],}").is_err());
}

#[test]
fn a_missing_star_behind_an_endless_repeat_gets_a_hint() {
    let error = read("[1,0]^*[0,1]").unwrap_err();
    assert_eq!(error.span().start, 7);
    assert!(error.hint().unwrap().contains("^* *"));
}

#[test]
fn limits_are_errors_at_their_place() {
    let long = format!("[1,0]{}", "|".repeat(4092));
    let error = read(&long).unwrap_err();
    assert_eq!(error.span().start, 4096);
    assert!(read(&long[..4096]).is_ok());
    let deep = |levels: usize| format!("{}[1,0]{}", "(".repeat(levels), ")".repeat(levels));
    assert!(read(&deep(64)).is_ok());
    assert_eq!(read(&deep(65)).unwrap_err().span().start, 64);
    for (text, place) in
        [("[1,9223372036854775808]", 3), ("[1,-9223372036854775808]", 3), ("[1,0]^9223372036854775808", 6)]
    {
        assert_eq!(read(text).unwrap_err().span().start, place, "{text}");
    }
    assert!(read("[9223372036854775807,-9223372036854775807]^9223372036854775807").is_ok());
}

/// Whether more characters can make a movement of a text, trying those that close things first.
fn can_be_completed(text: &str) -> bool {
    let mut text = text.to_owned();
    for _ in 0..200 {
        if read(&text).is_ok() {
            return true;
        }
        let next = ["]", "}", ")", ",", ".", "0", "*", "[", "p", "r", "i", "m", "e"].iter().find(|next| {
            let longer = format!("{text}{next}");
            read(&longer).map_or_else(|error| error.span().start == longer.len(), |_| true)
        });
        match next {
            Some(next) => text.push_str(next),
            None => return false,
        }
    }
    false
}

proptest! {
    #[test]
    fn printing_and_reading_gives_the_canonical_movement(expr in expr(3, 4)) {
        let text = expr.to_string();
        let back = read(&text).unwrap();
        prop_assert_eq!(&back, &expr.canonical());
        prop_assert_eq!(back.to_string(), text);
    }

    #[test]
    fn everything_in_front_of_an_error_can_be_completed(
        expr in expr(3, 4), place in any::<prop::sample::Index>(), noise in "[]\\[{}(),.^*?|/~!$#@prime 0-9é-]{0,3}"
    ) {
        let mut text = expr.to_string();
        text.insert_str(place.index(text.len() + 1), &noise);
        if let Err(error) = read(&text) {
            let start = error.span().start;
            prop_assert!(start <= text.len());
            let by_value = matches!(
                error.kind(),
                MovementErrorKind::ReversedRange | MovementErrorKind::NumberOutOfRange
            );
            if !by_value {
                prop_assert!(can_be_completed(&text[..start]), "{:?} up to {}", text, start);
                let through: String = text[..start].chars().chain(text[start..].chars().next()).collect();
                prop_assert_eq!(read(&through).unwrap_err().span().start, start);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        if let Err(error) = read(&text) {
            prop_assert!(error.span().start <= error.span().end && error.span().end <= text.len());
            prop_assert!(text.is_char_boundary(error.span().start));
        }
    }
}

#[test]
fn a_point_between_movements_is_told_to_be_a_star() {
    for (text, place) in
        [("[1,2].[0,1]", 5), ("{[1,2].[0,1]}", 6), ("([1,2] .[0,1])", 7), ("[1,0]^2.[0,1]", 7)]
    {
        let error = read(text).unwrap_err();
        assert_eq!((error.kind(), error.span().start), (&MovementErrorKind::PointForStar, place), "{text}");
        assert!(error.hint().unwrap().contains("`*`"));
    }
    let range = read("[1,0]^[1.2]").unwrap_err();
    assert!(matches!(range.kind(), MovementErrorKind::Expected { what: "`..`", .. }));
}

#[test]
fn doubled_options_and_idle_mirrors_are_noted() {
    let noted =
        |text: &str| -> Vec<String> { notes(&read(text).unwrap()).iter().map(ToString::to_string).collect() };
    assert_eq!(noted("{[1,0],[0,1],[1,0],[1,0]}"), ["option `[1,0]` is given twice"]);
    assert_eq!(noted("[1,0]^*|-/"), ["mirror `-` adds nothing to `[1,0]^*|`"]);
    assert_eq!(
        noted("([1,1]|)*{[1,0]--,[0,1]}"),
        ["mirror `-` adds nothing to `[1,0]`", "mirror `-` adds nothing to `[1,0]-`"]
    );
    for definition in crate::pieces::PieceTable::built_in().iter() {
        assert_eq!(notes(definition.expr()), [], "{}", definition.name());
    }
}
