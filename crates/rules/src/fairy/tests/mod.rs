//! Tests of the language: stored vectors, an independent walker, and hostile texts.

mod agreement;
mod difference;
mod grammar;
mod hostile;
mod vectors;
mod walker;

use boardprint_base::Square;
use proptest::prelude::*;

use super::{Expr, Jump, Mirror, Modifier, Repeat};

/// A small random number, the same for the same seed.
fn jump(reach: i64) -> impl Strategy<Value = Jump> {
    (-reach..=reach, -reach..=reach).prop_map(|(x, y)| Jump { x, y })
}

fn mirror() -> impl Strategy<Value = Modifier> {
    prop_oneof![Just(Mirror::FlipY), Just(Mirror::FlipX), Just(Mirror::Swap)].prop_map(Modifier::Mirror)
}

fn repeat(most: u64) -> impl Strategy<Value = Modifier> {
    prop_oneof![
        4 => (0..=most, 0..=most).prop_map(|(a, b)| Repeat { least: a.min(b), most: Some(a.max(b)) }),
        1 => (0..=most).prop_map(|least| Repeat { least, most: None }),
    ]
    .prop_map(Modifier::Repeat)
}

fn mark() -> impl Strategy<Value = Modifier> {
    prop_oneof![Just(Modifier::Quiet), Just(Modifier::Capture), Just(Modifier::Right)]
}

/// Any movement, extensions included.
fn expr(reach: i64, most: u64) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        12 => jump(reach).prop_map(Expr::Jump),
        1 => jump(reach).prop_map(Expr::Hurdle),
        1 => jump(reach).prop_map(Expr::Prime),
    ];
    leaf.prop_recursive(3, 8, 3, move |inner| {
        let modifier = prop_oneof![3 => mirror(), 4 => repeat(most), 1 => mark()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..=3).prop_map(Expr::Options),
            prop::collection::vec(inner.clone(), 2..=3).prop_map(Expr::Sequence),
            (inner, modifier).prop_map(|(expr, modifier)| expr.modified(modifier)),
        ]
    })
}

/// Squares of a small board, each at most once.
fn squares(from: i64, to: i64, most: usize) -> impl Strategy<Value = Vec<Square>> {
    prop::collection::btree_set((from..=to, from..=to), 0..=most)
        .prop_map(|set| set.into_iter().map(|(x, y)| Square::new(x, y)).collect())
}
