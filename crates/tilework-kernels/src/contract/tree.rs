//! A contraction as steps of one or two operands, and where their results lie.

use super::fold::Term;
use super::order::order;
use super::pair::Pair;
use super::spec::{Extents, Spec};
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::call::Call;
use crate::matmul::element::{Destination, Element, Sum};
use crate::matmul::operand::convert;
use std::fmt::Write;
use tilework::{Layout, Leaf};

/// The steps of a contraction. Each has an operand or the result of an earlier step on both sides.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    operands: usize,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    /// Numbers below the count of operands, or that count and more for results of steps. A single operand is contracted
    /// with the number 1.
    from: [Option<usize>; 2],
    pair: Pair,
    /// Elements of the result; the last one is the output.
    len: usize,
    title: String,
}

/// An operand while a tree is made: what it is contracted from, and its letters.
struct Node {
    from: [Option<usize>; 2],
    term: Term,
}

impl Tree {
    /// The cheapest tree.
    pub(crate) fn new<T: Element>(
        spec: &Spec,
        extents: &Extents,
        layouts: &[Layout],
        output: &Layout,
        isa: Isa,
    ) -> Result<Tree, Error> {
        let count = layouts.len();
        let mut nodes: Vec<Node> = spec
            .operands
            .iter()
            .zip(layouts)
            .map(|(letters, &layout)| Node {
                from: [None; 2],
                term: Term { letters: letters.clone(), layout },
            })
            .collect();
        let mut open: Vec<usize> = (0..count).collect();
        let mut place: Vec<usize> = (0..count).collect();
        for i in 0..if count > 1 { count } else { 0 } {
            // Letters of one operand alone are summed first, where that makes a product smaller.
            let kept = kept(&nodes, &open, &[i], spec);
            let others =
                open.iter().filter(|&&other| other != i).flat_map(|&other| &nodes[other].term.letters);
            let widened = others.copied().any(|c| extents.of(c) > 1 && !nodes[i].term.letters.contains(&c));
            let summed = nodes[i].term.letters.iter().any(|c| extents.of(*c) > 1 && !kept.contains(c));
            if summed && (widened || count > 2) {
                place[i] = nodes.len();
                open[i] = nodes.len();
                nodes.push(Node { from: [Some(i), None], term: unplaced(kept) });
            }
        }
        let joins = if count == 1 { Vec::new() } else { order(spec, extents) };
        for join in &joins {
            let pair = join.map(|i| place[i]);
            let letters = kept(&nodes, &open, &pair, spec);
            open.retain(|node| !pair.contains(node));
            open.push(nodes.len());
            place.push(nodes.len());
            nodes.push(Node { from: pair.map(Some), term: unplaced(letters) });
        }
        if count == 1 {
            nodes.push(Node { from: [Some(0), None], term: unplaced(Vec::new()) });
        }
        let last = nodes.len() - 1;
        nodes[last].term = Term { letters: spec.output.clone(), layout: *output };
        // From the output back: where a result lies is what the step that reads it likes best.
        for parent in (count..=last).rev() {
            let [left, right] = nodes[parent].from;
            for (own, partner) in [(left, right), (right, left)] {
                if let Some(own) = own.filter(|&own| own >= count) {
                    let letters = arranged(&nodes, own, partner, parent, count);
                    let layout = compact(&letters, extents)?;
                    nodes[own].term = Term { letters, layout };
                }
            }
        }
        let one = Term { letters: Vec::new(), layout: Layout::UNIT };
        let mut steps = Vec::new();
        for (i, node) in nodes.iter().enumerate().skip(count) {
            let [first, second] = node.from.map(|from| from.map_or(&one, |from| &nodes[from].term));
            let terms = [first, second, &node.term];
            let pair = if last == count {
                Pair::new::<T>(terms, extents, isa)?
            } else {
                Pair::new::<T::Work>(terms, extents, isa)?
            };
            let len = if i == last { 0 } else { node.term.layout.size() as usize };
            let named = |node: Option<usize>| match node {
                None => "1".to_string(),
                Some(node) => {
                    format!("{}[{}]", label(node, count), String::from_iter(&nodes[node].term.letters))
                }
            };
            let output = if i == last { "output" } else { &label(i, count) };
            let letters = String::from_iter(&node.term.letters);
            let title =
                format!("{output}[{letters}] from {} and {}", named(node.from[0]), named(node.from[1]));
            steps.push(Step { from: node.from, pair, len, title });
        }
        Ok(Tree { operands: count, steps })
    }

    /// Whether there are intermediate results.
    pub(crate) fn has_results(&self) -> bool {
        self.steps.len() > 1
    }

    /// Runs the steps.
    ///
    /// # Safety
    /// Each source has all offsets of its layout, and `output` is the pointer of offset 0: all offsets of the output's
    /// layout are valid for reads and writes, by this call alone.
    pub(crate) unsafe fn run<T, U, D>(
        &self,
        alpha: U,
        operands: &[Source<T>],
        beta: U,
        output: *mut D,
        execution: &Execution,
    ) -> Result<(), Error>
    where
        T: Element,
        U: Sum,
        D: Destination<U>,
    {
        let one = [T::from(1i8)];
        let (total, mut done) = (self.operations() as f64, 0.0);
        let mut results: Vec<Vec<T::Sum>> = Vec::new();
        for step in &self.steps {
            let (before, share) = (done, step.pair.operations() as f64 / total);
            let report = |part: f64| execution.report(before + share * part);
            let execution = &execution.reporting_through(&report);
            done += share;
            let [a, b] = step.from.map(|from| match from {
                None => one.as_ptr(),
                Some(i) if i < self.operands => operands[i].pointer,
                // A result is an operand of the next step only in a tree whose elements are their own sums.
                Some(i) => results[i - self.operands].as_ptr().cast(),
            });
            if step.len == 0 {
                let call = Call { alpha: convert(alpha), a, b, beta: convert(beta), c: output };
                // SAFETY: the contract of `run` covers the operands; results have the compact layouts that the step
                // was planned for.
                return unsafe { step.pair.run::<T, U, D>(call, execution) };
            }
            let mut result: Vec<T::Sum> = Vec::new();
            let bytes = step.len as u128 * size_of::<T::Sum>() as u128;
            result.try_reserve_exact(step.len).map_err(|_| Error::Memory { bytes })?;
            result.resize(step.len, T::Sum::ZERO);
            let call = Call { alpha: T::Sum::ONE, a, b, beta: T::Sum::ZERO, c: result.as_mut_ptr() };
            // SAFETY: as above, and the result is as long as its compact layout.
            unsafe { step.pair.run::<T, T::Sum, T::Sum>(call, execution)? };
            for i in step.from.into_iter().flatten().filter(|&i| i >= self.operands) {
                results[i - self.operands] = Vec::new();
            }
            results.push(result);
        }
        Ok(())
    }

    /// The multiply-adds of all steps.
    pub(crate) fn operations(&self) -> u128 {
        self.steps.iter().map(|step| step.pair.operations()).sum()
    }

    /// Rows, columns, steps and the number of products of each step.
    pub(crate) fn sizes(&self) -> Vec<[usize; 4]> {
        self.steps.iter().map(|step| step.pair.sizes).collect()
    }

    /// The steps in words.
    pub(crate) fn explain(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let _ = writeln!(text, "{}", step.title);
            step.pair.explain().lines().for_each(|line| text += &format!("  {line}\n"));
        }
        text
    }
}

/// Where an operand's offset 0 lies.
pub(crate) struct Source<T> {
    pointer: *const T,
}

impl<T> Source<T> {
    pub(crate) fn new(data: &[T], start: i64) -> Source<T> {
        Source { pointer: data.as_ptr().wrapping_offset(start as isize) }
    }
}

/// The compact layout of letters, the first fastest.
pub(crate) fn compact(letters: &[char], extents: &Extents) -> Result<Layout, Error> {
    let mut stride = 1i64;
    let mut modes = Vec::new();
    for &letter in letters {
        let extent = extents.of(letter);
        modes.push(Layout::of(extent, if extent == 1 { 0 } else { stride })?);
        stride = stride.checked_mul(extent).ok_or(Error::Memory { bytes: u128::MAX })?;
    }
    Ok(Layout::concatenate(&modes)?)
}

/// A node whose layout is chosen later.
fn unplaced(letters: Vec<char>) -> Term {
    Term { letters, layout: Layout::UNIT }
}

/// The letters of some open nodes that another one or the output has.
fn kept(nodes: &[Node], open: &[usize], of: &[usize], spec: &Spec) -> Vec<char> {
    let mut letters: Vec<char> = Vec::new();
    for &letter in of.iter().flat_map(|&node| &nodes[node].term.letters) {
        let mut others = open.iter().filter(|node| !of.contains(node));
        let wanted =
            spec.output.contains(&letter) || others.any(|&other| nodes[other].term.letters.contains(&letter));
        if wanted && !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    letters
}

/// The letters of a result, the first fastest: those of its own in the order of the output, then those that are summed in
/// the partner's order, then those of the batch.
fn arranged(nodes: &[Node], own: usize, partner: Option<usize>, parent: usize, count: usize) -> Vec<char> {
    let output = &nodes[parent].term;
    let partner = partner.map(|partner| (partner < count, &nodes[partner].term));
    let mut letters = nodes[own].term.letters.clone();
    letters.sort_by_cached_key(|letter| {
        let shared = partner.filter(|(_, term)| term.letters.contains(letter));
        match (stride(output, *letter), shared) {
            (Some(stride), None) => (0, stride, *letter),
            (None, Some((true, partner))) => (1, stride_of(partner, *letter), *letter),
            (None, _) => (1, 0, *letter),
            (Some(stride), Some(_)) => (2, stride, *letter),
        }
    });
    letters
}

fn stride_of(term: &Term, letter: char) -> u64 {
    stride(term, letter).unwrap_or(0)
}

/// The smallest distance along a letter, if a term has it.
fn stride(term: &Term, letter: char) -> Option<u64> {
    let mode = term.letters.iter().position(|c| *c == letter)?;
    let mode = term.layout.mode(mode).ok()?;
    let distance = |leaf: &Leaf| leaf.stride.as_integer().unwrap_or(0).unsigned_abs();
    Some(mode.leaves().iter().filter(|leaf| leaf.extent > 1).map(distance).min().unwrap_or(0))
}

fn label(node: usize, count: usize) -> String {
    if node < count { format!("operand {}", node + 1) } else { format!("result {}", node - count + 1) }
}
