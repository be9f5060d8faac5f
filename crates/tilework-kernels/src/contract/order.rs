//! The order in which the operands are contracted: the cheapest tree of pairs.
//!
//! The cost of a pair is its multiplications plus ten times the elements of its result. For up to [`EXACT`] operands
//! every tree is examined, by dynamic programming over their subsets; more are joined greedily.

use super::spec::{Einsum, Extents};

/// The most operands that are ordered exactly.
const EXACT: usize = 10;

/// A pair of operands to contract: numbers below the count of operands, or that count and more for results of steps.
pub(crate) type Join = [usize; 2];

/// The steps of the cheapest tree.
pub(crate) fn order(spec: &Einsum, extents: &Extents) -> Vec<Join> {
    let count = spec.operands.len();
    let costs = Costs::new(spec, extents);
    if count <= EXACT { exact(&costs, count) } else { greedy(&costs, count) }
}

/// Labels as bits, with their extents.
struct Costs {
    extents: Vec<f64>,
    operands: Vec<u64>,
    output: u64,
}

impl Costs {
    fn new(spec: &Einsum, extents: &Extents) -> Costs {
        let all: Vec<char> = extents.labels().collect();
        let bits = |labels: &[char]| {
            labels
                .iter()
                .filter_map(|c| all.iter().position(|d| c == d))
                .fold(0, |set, bit| set | 1u64 << bit)
        };
        Costs {
            extents: all.iter().map(|&label| extents.of(label) as f64).collect(),
            operands: spec.operands.iter().map(|labels| bits(labels)).collect(),
            output: bits(&spec.output),
        }
    }

    fn size(&self, labels: u64) -> f64 {
        (0..self.extents.len()).filter(|bit| labels >> bit & 1 == 1).map(|bit| self.extents[bit]).product()
    }
}

/// Dynamic programming over the subsets of the operands, the smaller ones first.
fn exact(costs: &Costs, count: usize) -> Vec<Join> {
    let all = (1usize << count) - 1;
    let labels = |set: usize| (0..count).filter(|i| set >> i & 1 == 1).fold(0, |l, i| l | costs.operands[i]);
    let result: Vec<u64> = (0..=all).map(|set| labels(set) & (labels(all & !set) | costs.output)).collect();
    let mut best = vec![(f64::INFINITY, 0); all + 1];
    for set in 1..=all {
        if set.is_power_of_two() {
            best[set] = (0.0, 0);
            continue;
        }
        // Each division into two is seen once: the first part has the lowest operand.
        let lowest = set & set.wrapping_neg();
        let mut part = (set - 1) & set;
        while part > 0 {
            if part & lowest != 0 {
                let rest = set & !part;
                let cost = best[part].0
                    + best[rest].0
                    + costs.size(result[part] | result[rest])
                    + 10.0 * costs.size(result[set]);
                if cost < best[set].0 {
                    best[set] = (cost, part);
                }
            }
            part = (part - 1) & set;
        }
    }
    let mut joins = Vec::new();
    collect(&best, all, count, &mut joins);
    joins
}

/// Appends the steps for a subset, and returns the number of its result. The depth is at most the number of operands.
fn collect(best: &[(f64, usize)], set: usize, count: usize, joins: &mut Vec<Join>) -> usize {
    if set.is_power_of_two() {
        return set.trailing_zeros() as usize;
    }
    let part = if best[set].1 == 0 { set & set.wrapping_neg() } else { best[set].1 };
    let pair = [collect(best, part, count, joins), collect(best, set & !part, count, joins)];
    joins.push(pair);
    count + joins.len() - 1
}

/// Joins the pair whose result is smallest compared with its operands, until one is left.
fn greedy(costs: &Costs, count: usize) -> Vec<Join> {
    let mut open: Vec<(usize, u64)> = costs.operands.iter().copied().enumerate().collect();
    let mut joins = Vec::new();
    while open.len() > 1 {
        let mut best = (f64::INFINITY, f64::INFINITY, 0, 1, 0);
        for j in 1..open.len() {
            for i in 0..j {
                let both = open[i].1 | open[j].1;
                let others = open.iter().enumerate().filter(|(o, _)| ![i, j].contains(o));
                let result = both & others.fold(costs.output, |set, (_, other)| set | other.1);
                let grown = costs.size(result) - costs.size(open[i].1) - costs.size(open[j].1);
                if (grown, costs.size(both)) < (best.0, best.1) {
                    best = (grown, costs.size(both), i, j, result);
                }
            }
        }
        let (.., i, j, result) = best;
        joins.push([open[i].0, open[j].0]);
        open.remove(j);
        open[i] = (count + joins.len() - 1, result);
    }
    joins
}
