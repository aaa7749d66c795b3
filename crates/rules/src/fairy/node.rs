//! The meaning of a movement as a regular expression: mirrors multiplied out, equal parts shared.
//!
//! Nodes are interned, so equal parts have equal ids, and the constructors simplify: options are flat, sorted
//! and without doubles, sequences are flat, neighbouring and nested repeats of one thing are merged where
//! that is exact.

use std::collections::HashMap;

use super::TooComplex;
use super::expr::{Expr, Jump, Modifier, Repeat};
use super::symmetry::Symmetry;

/// A node, by number.
pub(crate) type Id = u32;

/// A set of words. Letters are jumps, hurdles, prime rays and the demand of a capture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// No word.
    Nothing,
    /// One jump.
    Jump(Jump),
    /// A jump onto an occupied square.
    Hurdle(Jump),
    /// The prime multiples of a jump in turn; the jump is not zero.
    Prime(Jump),
    /// No jump; the piece has just captured.
    Capture,
    /// One after the other; none is the empty word. Never a single one.
    Sequence(Box<[Id]>),
    /// Either of these, at least two.
    Options(Box<[Id]>),
    /// Again and again.
    Repeat(Id, Repeat),
}

const MAX_DEPTH: u16 = 256;
const MAX_WEIGHT: usize = 1 << 20;

/// All nodes of some movements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    depths: Vec<u16>,
    /// Whether the empty word is among the words of a node.
    nullable: Vec<bool>,
    ids: HashMap<Node, Id>,
    weight: usize,
}

const ONCE: Repeat = Repeat { least: 1, most: Some(1) };

impl Nodes {
    pub(crate) fn get(&self, id: Id) -> &Node {
        &self.list[id as usize]
    }

    /// Whether the empty word is among the words of a node.
    pub(crate) fn is_nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    /// The images of a movement under all symmetries, for a piece with or without its special right.
    pub(crate) fn compile(&mut self, expr: &Expr, right: bool) -> Result<[Id; 8], TooComplex> {
        match expr {
            Expr::Jump(jump) => self.images(Node::Jump, *jump),
            Expr::Hurdle(jump) => self.images(Node::Hurdle, *jump),
            Expr::Prime(Jump { x: 0, y: 0 }) => self.images(Node::Jump, Jump { x: 0, y: 0 }),
            Expr::Prime(jump) => self.images(Node::Prime, *jump),
            Expr::Options(parts) => {
                let parts = self.compile_all(parts, right)?;
                self.each(|nodes, g| nodes.options(parts.iter().map(|part| part[g])))
            }
            Expr::Sequence(parts) => {
                let parts = self.compile_all(parts, right)?;
                self.each(|nodes, g| nodes.sequence(parts.iter().map(|part| part[g])))
            }
            Expr::Modified(object, modifiers) => {
                let mut images = self.compile(object, right)?;
                let mut rest = modifiers.as_slice();
                while let Some((first, tail)) = rest.split_first() {
                    rest = tail;
                    images = match first {
                        Modifier::Mirror(_) => {
                            // A run of mirrors is one set of symmetries, so that a long run costs no more
                            // than a short one.
                            let length = modifiers.len() - rest.len() - 1;
                            let (set, tail) = mirrors(&modifiers[length..]);
                            rest = tail;
                            self.each(|nodes, g| {
                                nodes.options(
                                    set.iter().map(|h| images[Symmetry::ALL[g].after(Symmetry::ALL[*h])]),
                                )
                            })?
                        }
                        Modifier::Repeat(repeat) => self.each(|nodes, g| nodes.repeat(images[g], *repeat))?,
                        Modifier::Quiet => {
                            let zero = self.add(Node::Jump(Jump { x: 0, y: 0 }))?;
                            self.each(|nodes, g| nodes.sequence([images[g], zero]))?
                        }
                        Modifier::Capture => {
                            let capture = self.add(Node::Capture)?;
                            self.each(|nodes, g| nodes.sequence([images[g], capture]))?
                        }
                        Modifier::Right if right => images,
                        Modifier::Right => [self.add(Node::Nothing)?; 8],
                    };
                }
                Ok(images)
            }
        }
    }

    fn compile_all(&mut self, parts: &[Expr], right: bool) -> Result<Vec<[Id; 8]>, TooComplex> {
        parts.iter().map(|part| self.compile(part, right)).collect()
    }

    fn images(&mut self, node: impl Fn(Jump) -> Node, jump: Jump) -> Result<[Id; 8], TooComplex> {
        self.each(|nodes, g| nodes.add(node(Symmetry::ALL[g].apply(jump))))
    }

    fn each(
        &mut self,
        mut image: impl FnMut(&mut Self, usize) -> Result<Id, TooComplex>,
    ) -> Result<[Id; 8], TooComplex> {
        let mut images = [0; 8];
        for (g, slot) in images.iter_mut().enumerate() {
            *slot = image(self, g)?;
        }
        Ok(images)
    }

    fn add(&mut self, node: Node) -> Result<Id, TooComplex> {
        if let Some(id) = self.ids.get(&node) {
            return Ok(*id);
        }
        let deepest = |ids: &[Id]| ids.iter().map(|id| self.depths[*id as usize]).max().unwrap_or(0);
        let (depth, weight) = match &node {
            Node::Sequence(parts) | Node::Options(parts) => (deepest(parts) + 1, parts.len() + 1),
            Node::Repeat(body, _) => (deepest(&[*body]) + 1, 1),
            _ => (1, 1),
        };
        self.weight += weight;
        if depth > MAX_DEPTH {
            return Err(TooComplex { what: "levels of marks and brackets", limit: MAX_DEPTH.into() });
        }
        if self.weight > MAX_WEIGHT {
            return Err(TooComplex { what: "parts", limit: MAX_WEIGHT });
        }
        let nullable = match &node {
            Node::Sequence(parts) => parts.iter().all(|part| self.is_nullable(*part)),
            Node::Options(parts) => parts.iter().any(|part| self.is_nullable(*part)),
            Node::Repeat(body, times) => times.least == 0 || self.is_nullable(*body),
            _ => false,
        };
        self.nullable.push(nullable);
        let id = Id::try_from(self.list.len()).expect("the weight is limited");
        self.list.push(node.clone());
        self.depths.push(depth);
        self.ids.insert(node, id);
        Ok(id)
    }

    pub(crate) fn nothing(&mut self) -> Result<Id, TooComplex> {
        self.add(Node::Nothing)
    }

    pub(crate) fn empty_word(&mut self) -> Result<Id, TooComplex> {
        self.add(Node::Sequence(Box::default()))
    }

    pub(crate) fn options(&mut self, parts: impl IntoIterator<Item = Id>) -> Result<Id, TooComplex> {
        let mut flat = Vec::new();
        for part in parts {
            match self.get(part) {
                Node::Nothing => {}
                Node::Options(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match *flat {
            [] => self.nothing(),
            [only] => Ok(only),
            _ => self.add(Node::Options(flat.into())),
        }
    }

    pub(crate) fn sequence(&mut self, parts: impl IntoIterator<Item = Id>) -> Result<Id, TooComplex> {
        let mut flat: Vec<Id> = Vec::new();
        for part in parts {
            match self.get(part).clone() {
                Node::Nothing => return Ok(part),
                Node::Sequence(inner) => {
                    for part in inner {
                        self.append(&mut flat, part)?;
                    }
                }
                _ => self.append(&mut flat, part)?,
            }
        }
        match *flat {
            [only] => Ok(only),
            _ => self.add(Node::Sequence(flat.into())),
        }
    }

    /// Puts a part after a sequence: `a^m * a^n` is `a^(m+n)`.
    fn append(&mut self, flat: &mut Vec<Id>, part: Id) -> Result<(), TooComplex> {
        let Some(last) = flat.last().copied() else {
            flat.push(part);
            return Ok(());
        };
        if last == part && *self.get(part) == Node::Capture {
            return Ok(());
        }
        let ((body, first), (other, second)) = (self.as_repeat(last), self.as_repeat(part));
        if body == other
            && let Some(repeat) = sum(first, second)
        {
            flat.pop();
            flat.push(self.repeat(body, repeat)?);
        } else {
            flat.push(part);
        }
        Ok(())
    }

    fn as_repeat(&self, id: Id) -> (Id, Repeat) {
        match self.get(id) {
            Node::Repeat(body, repeat) => (*body, *repeat),
            _ => (id, ONCE),
        }
    }

    pub(crate) fn repeat(&mut self, body: Id, repeat: Repeat) -> Result<Id, TooComplex> {
        match self.get(body) {
            _ if repeat == ONCE => return Ok(body),
            _ if repeat.most == Some(0) => return self.empty_word(),
            Node::Nothing if repeat.least > 0 => return Ok(body),
            Node::Nothing => return self.empty_word(),
            Node::Sequence(parts) if parts.is_empty() => return Ok(body),
            Node::Repeat(inner, times) => {
                let inner = *inner;
                if let Some(merged) = product(*times, repeat) {
                    return self.repeat(inner, merged);
                }
            }
            _ => {}
        }
        self.add(Node::Repeat(body, repeat))
    }
}

/// The set of symmetries that a run of mirrors at the front stands for, and what follows the run.
fn mirrors(modifiers: &[Modifier]) -> (Vec<usize>, &[Modifier]) {
    let mut set = vec![Symmetry::IDENTITY];
    let mut rest = modifiers;
    while let [Modifier::Mirror(mirror), tail @ ..] = rest {
        let outer = Symmetry::ALL[Symmetry::of(*mirror)];
        for index in 0..set.len() {
            let image = outer.after(Symmetry::ALL[set[index]]);
            if !set.contains(&image) {
                set.push(image);
            }
        }
        rest = tail;
    }
    (set, rest)
}

/// `a^first * a^second` as one repeat, if the counts fit.
pub(crate) fn sum(a: Repeat, b: Repeat) -> Option<Repeat> {
    let most = match (a.most, b.most) {
        (Some(a), Some(b)) => Some(a.checked_add(b)?),
        _ => None,
    };
    Some(Repeat { least: a.least.checked_add(b.least)?, most })
}

/// `(a^inner)^outer` as one repeat, if the counts have no gaps.
fn product(inner: Repeat, outer: Repeat) -> Option<Repeat> {
    // Between n and n+1 rounds there is no gap if (n+1)·least ≤ n·most + 1; once true it stays true as n grows.
    let n = u128::from(outer.least);
    let gapless = match inner.most {
        _ if outer.most == Some(outer.least) => true,
        Some(most) => (n + 1) * u128::from(inner.least) <= n * u128::from(most) + 1,
        None => n > 0 || inner.least <= 1,
    };
    if !gapless {
        return None;
    }
    let least = inner.least.checked_mul(outer.least)?;
    let most = match (inner.most, outer.most) {
        (Some(inner), Some(outer)) => Some(inner.checked_mul(outer)?),
        (Some(0), _) | (_, Some(0)) => Some(0),
        _ => None,
    };
    Some(Repeat { least, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(repeat: Repeat, limit: u64) -> Vec<u64> {
        (repeat.least..=repeat.most.unwrap_or(limit).min(limit)).collect()
    }

    #[test]
    fn merged_repeats_have_the_same_counts() {
        let ranges: Vec<Repeat> = (0..5)
            .flat_map(|least| (least..5).map(Some).chain([None]).map(move |most| Repeat { least, most }))
            .collect();
        for inner in &ranges {
            for outer in &ranges {
                let limit = 24;
                let mut expected = Vec::new();
                let mut sums = vec![0];
                for round in 0..=limit {
                    if round >= outer.least && outer.most.is_none_or(|most| round <= most) {
                        expected.extend_from_slice(&sums);
                    }
                    sums = sums
                        .iter()
                        .flat_map(|sum| counts(*inner, limit).into_iter().map(move |n| sum + n))
                        .filter(|sum| *sum <= limit)
                        .collect();
                    sums.sort_unstable();
                    sums.dedup();
                }
                expected.sort_unstable();
                expected.dedup();
                if let Some(merged) = product(*inner, *outer) {
                    assert_eq!(counts(merged, limit), expected, "{inner:?} {outer:?}");
                } else {
                    let gap = expected.windows(2).any(|pair| pair[1] > pair[0] + 1);
                    assert!(gap, "{inner:?} {outer:?} could be merged");
                }
            }
        }
    }
}
