//! A contraction as steps of one or two operands, and the layouts of their results.

use super::fold::Term;
use super::free_output;
use super::moved::Moved;
use super::order::order;
use super::pair::Pair;
use super::spec::{Einsum, Extents, compact};
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::run::operand::Call;
use crate::matmul::tile::element::{Destination, Element, Format, Sum};
use crate::matmul::tile::put::convert;
use std::any::TypeId;
use std::fmt::Write;
use tilework::__private::sort_by_key;
use tilework::Layout;

/// The steps of a contraction. Each has an operand or the result of an earlier step on both sides.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    operands: usize,
    steps: Vec<Step>,
    /// The remark of `explain` about an output whose layout was chosen.
    note: String,
}

#[derive(Clone, Debug)]
struct Step {
    /// Numbers below the count of operands, or that count and more for results of steps. A single operand is multiplied
    /// by 1.
    from: [Option<usize>; 2],
    pair: Pair,
    /// The copy that does the step if nothing is scaled or added: one operand, with the labels of the output.
    moved: Option<Moved>,
    /// The number of elements of the result; the last one is the output.
    len: usize,
    title: String,
}

/// An operand while a tree is built: the nodes that it is contracted from, and its labels.
struct Node {
    from: [Option<usize>; 2],
    term: Term,
}

impl Tree {
    /// The cheapest tree, for operands of the first format, or, if there are intermediate results, of the second.
    pub(crate) fn new(
        spec: &Einsum,
        extents: &Extents,
        layouts: &[Layout],
        output: Layout,
        [own, work]: [&Format; 2],
    ) -> Result<Tree, Error> {
        let operands = layouts.len();
        let mut nodes = nodes(spec, extents, layouts);
        let last = nodes.len() - 1;
        nodes[last].term = Term { labels: spec.output.clone(), layout: output };
        // From the output back: a result gets the layout that suits the step that reads it.
        for parent in (operands..=last).rev() {
            let [left, right] = nodes[parent].from;
            for (own, partner) in [(left, right), (right, left)] {
                if let Some(own) = own.filter(|&own| own >= operands) {
                    let labels = arranged(&nodes, own, partner, parent, operands);
                    let layout = compact(&labels, &labels, extents)?;
                    nodes[own].term = Term { labels, layout };
                }
            }
        }
        let format = if last == operands { own } else { work };
        let step = |i| Step::new(&nodes, i, operands, extents, format);
        let steps = (operands..=last).map(step).collect::<Result<_, _>>()?;
        Ok(Tree { operands, steps, note: String::new() })
    }

    /// The same with the layout of the output that is written fastest, see [`free_output`].
    pub(crate) fn with_free_output(
        spec: &Einsum,
        extents: &Extents,
        layouts: &[Layout],
        formats: [&Format; 2],
    ) -> Result<(Tree, Layout), Error> {
        let nodes = nodes(spec, extents, layouts);
        let sides = nodes[nodes.len() - 1].from.map(|from| operands_of(&nodes, from, layouts.len()));
        let order = free_output::order(&spec.output, sides, extents);
        let output = compact(&spec.output, &order, extents)?;
        let mut tree = Tree::new(spec, extents, layouts, output, formats)?;
        let labels = String::from_iter(order);
        tree.note = format!("the output's layout was left open: \"{labels}\", the first label fastest\n");
        Ok((tree, output))
    }

    /// Whether there are intermediate results.
    pub(crate) fn has_results(&self) -> bool {
        self.steps.len() > 1
    }

    /// Runs the steps.
    ///
    /// # Safety
    /// The pointers are those of offset 0. All offsets of the operands' layouts are valid for reads, and all offsets of the output's
    /// layout are valid for reads and writes, by this call alone.
    pub(crate) unsafe fn run<T, U, D>(
        &self,
        alpha: U,
        operands: &[*const T],
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
                Some(i) if i < self.operands => operands[i],
                // A result is an operand of a later step only in a tree whose elements have the type of their sums.
                Some(i) => results[i - self.operands].as_ptr().cast(),
            });
            if step.len == 0 {
                let plain = alpha == U::ONE && beta == U::ZERO && TypeId::of::<T>() == TypeId::of::<D>();
                if let (Some(moved), true) = (&step.moved, plain) {
                    // SAFETY: the contract of `run` covers the operand and the output, whose elements are of one type.
                    return unsafe { moved.run(a.cast(), output.cast(), execution) };
                }
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

    /// Describes the steps.
    pub(crate) fn explain(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let _ = writeln!(text, "{}", step.title);
            if step.moved.is_some() {
                text += "  by COPY, where nothing is scaled or added; otherwise\n";
            }
            step.pair.explain().lines().for_each(|line| text += &format!("  {line}\n"));
        }
        text + &self.note
    }
}

impl Step {
    /// The step whose result is node `i`.
    fn new(
        nodes: &[Node],
        i: usize,
        operands: usize,
        extents: &Extents,
        format: &Format,
    ) -> Result<Step, Error> {
        let (node, is_output) = (&nodes[i], i + 1 == nodes.len());
        let one = Term { labels: Vec::new(), layout: Layout::UNIT };
        let [first, second] = node.from.map(|from| from.map_or(&one, |from| &nodes[from].term));
        // Intermediate results are sums.
        let mut format = *format;
        format.same_type |= !is_output;
        let pair = Pair::new([first, second, &node.term], extents, &format)?;
        let named = |node: Option<usize>| match node {
            None => "1".to_string(),
            Some(node) => {
                format!("{}[{}]", node_name(node, operands), String::from_iter(&nodes[node].term.labels))
            }
        };
        let result = if is_output { "output" } else { &node_name(i, operands) };
        let labels = String::from_iter(&node.term.labels);
        let title = format!("{result}[{labels}] from {} and {}", named(node.from[0]), named(node.from[1]));
        let len = if is_output { 0 } else { node.term.layout.size() as usize };
        let alone = is_output && node.from[1].is_none() && format.is_sum;
        let moved = if alone { permutation(first, &node.term, format.bytes) } else { None };
        Ok(Step { from: node.from, pair, moved, len, title })
    }
}

/// The copy from a term to another one of the same labels.
fn permutation(from: &Term, to: &Term, bytes: usize) -> Option<Moved> {
    let place = |label| from.labels.iter().position(|own| own == label);
    let modes = to.labels.iter().map(place).collect::<Option<Vec<usize>>>()?;
    let same = !modes.is_empty() && modes.len() == from.labels.len();
    same.then(|| Moved::new(bytes, &from.layout.select(&modes).ok()?, &to.layout))?
}

/// The operands, and the results of the cheapest steps in their order; results do not have layouts yet.
fn nodes(spec: &Einsum, extents: &Extents, layouts: &[Layout]) -> Vec<Node> {
    let count = layouts.len();
    let operand = |(labels, &layout): (&Vec<char>, _)| Node {
        from: [None; 2],
        term: Term { labels: labels.clone(), layout },
    };
    let mut nodes: Vec<Node> = spec.operands.iter().zip(layouts).map(operand).collect();
    if count == 1 {
        nodes.push(Node { from: [Some(0), None], term: unplaced(Vec::new()) });
        return nodes;
    }
    let mut open: Vec<usize> = (0..count).collect();
    let mut place: Vec<usize> = (0..count).collect();
    for i in 0..count {
        // Labels of one operand alone are summed first, if that makes a product smaller.
        let kept = kept(&nodes, &open, &[i], spec);
        let others = open.iter().filter(|&&other| other != i).flat_map(|&other| &nodes[other].term.labels);
        let widened = others.copied().any(|c| extents.of(c) > 1 && !nodes[i].term.labels.contains(&c));
        let summed = nodes[i].term.labels.iter().any(|c| extents.of(*c) > 1 && !kept.contains(c));
        if summed && (widened || count > 2) {
            place[i] = nodes.len();
            open[i] = nodes.len();
            nodes.push(Node { from: [Some(i), None], term: unplaced(kept) });
        }
    }
    for join in order(spec, extents) {
        let pair = join.map(|i| place[i]);
        let labels = kept(&nodes, &open, &pair, spec);
        open.retain(|node| !pair.contains(node));
        open.push(nodes.len());
        place.push(nodes.len());
        nodes.push(Node { from: pair.map(Some), term: unplaced(labels) });
    }
    nodes
}

/// The operands that a node is contracted from; none without a node.
fn operands_of(nodes: &[Node], node: Option<usize>, operands: usize) -> Vec<&Term> {
    let mut open: Vec<usize> = node.into_iter().collect();
    let mut terms = Vec::new();
    while let Some(node) = open.pop() {
        if node < operands {
            terms.push(&nodes[node].term);
        }
        open.extend(nodes[node].from.into_iter().flatten());
    }
    terms
}

/// A node whose layout is chosen later.
fn unplaced(labels: Vec<char>) -> Term {
    Term { labels, layout: Layout::UNIT }
}

/// The labels of some open nodes that another one or the output has.
fn kept(nodes: &[Node], open: &[usize], of: &[usize], spec: &Einsum) -> Vec<char> {
    let mut labels: Vec<char> = Vec::new();
    for &label in of.iter().flat_map(|&node| &nodes[node].term.labels) {
        let mut others = open.iter().filter(|node| !of.contains(node));
        let wanted =
            spec.output.contains(&label) || others.any(|&other| nodes[other].term.labels.contains(&label));
        if wanted && !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// The labels of a result, the first fastest: its own in the order of the output, then the summed ones in the
/// partner's order, then those of the batch.
fn arranged(nodes: &[Node], own: usize, partner: Option<usize>, parent: usize, count: usize) -> Vec<char> {
    let output = &nodes[parent].term;
    let partner = partner.map(|partner| (partner < count, &nodes[partner].term));
    let mut labels = nodes[own].term.labels.clone();
    sort_by_key(&mut labels, |label| {
        let shared = partner.filter(|(_, term)| term.labels.contains(label));
        match (output.stride(*label), shared) {
            (Some(stride), None) => (0, stride, *label),
            (None, Some((true, partner))) => (1, stride_of(partner, *label), *label),
            (None, _) => (1, 0, *label),
            (Some(stride), Some(_)) => (2, stride, *label),
        }
    });
    labels
}

fn stride_of(term: &Term, label: char) -> u64 {
    term.stride(label).unwrap_or(0)
}

fn node_name(node: usize, count: usize) -> String {
    if node < count { format!("operand {}", node + 1) } else { format!("result {}", node - count + 1) }
}
