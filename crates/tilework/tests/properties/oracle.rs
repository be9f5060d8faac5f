//! Truth by plain evaluation, in `i128` over `Vec`: written from the paper, independent of the crate.

use std::collections::BTreeMap;
use tilework::{HTuple, Layout, Leaf, Rational, Stride, Unit};

/// What a stride is: a count and what it counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub count: (i128, i128),
    pub unit: Axis,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Axis {
    One,
    Xor,
    Basis(Vec<usize>),
    /// The sum of multiples of several basis elements, in their order; the count is 1.
    Sum(Vec<(i128, Vec<usize>)>),
}

/// A layout as a tree.
#[derive(Clone, PartialEq, Debug)]
pub enum Nest {
    Leaf(i128, Step),
    Tuple(Vec<Nest>),
}

/// Modes of a flat layout, the first fastest: extent and stride.
pub type Flat<V = i128> = Vec<(i128, V)>;

impl Step {
    pub fn integer(value: i128) -> Step {
        Step { count: (value, 1), unit: Axis::One }
    }

    pub fn xor(value: i128) -> Step {
        Step { count: (value, 1), unit: if value == 0 { Axis::One } else { Axis::Xor } }
    }

    pub fn basis(value: i128, path: &[usize]) -> Step {
        Step { count: (value, 1), unit: if value == 0 { Axis::One } else { Axis::Basis(path.to_vec()) } }
    }

    pub fn of(stride: Stride) -> Step {
        let count = (stride.count().numerator() as i128, stride.count().denominator() as i128);
        let unit = stride.unit();
        let unit = if stride.is_sum() {
            let terms = (0..).map_while(|k| stride.term(k)).map(|term| {
                let (path, depth) = term.unit().path();
                (term.count().numerator() as i128, path[..depth].to_vec())
            });
            Axis::Sum(terms.collect())
        } else if count.0 == 0 || unit.is_one() {
            Axis::One
        } else if unit.is_xor() {
            Axis::Xor
        } else {
            Axis::Basis(unit.path().0[..unit.depth()].to_vec())
        };
        Step { count, unit }
    }

    /// The sum of multiples of different basis elements.
    pub fn sum(mut terms: Vec<(i128, Vec<usize>)>) -> Step {
        terms.retain(|(count, _)| *count != 0);
        terms.sort_by(|(_, left), (_, right)| left.cmp(right));
        match &terms[..] {
            [] => Step::integer(0),
            [(count, path)] => Step::basis(*count, path),
            _ => Step { count: (1, 1), unit: Axis::Sum(terms) },
        }
    }

    /// The multiples of basis elements in this step.
    pub fn terms(&self) -> Vec<(i128, Vec<usize>)> {
        match &self.unit {
            Axis::Basis(path) => vec![(self.count.0, path.clone())],
            Axis::Sum(terms) => terms.clone(),
            Axis::One | Axis::Xor => Vec::new(),
        }
    }

    pub fn stride(&self) -> Option<Stride> {
        if let Axis::Sum(terms) = &self.unit {
            return terms.iter().try_fold(Stride::ZERO, |sum, (count, path)| {
                sum.add(Stride::basis(i64::try_from(*count).ok()?, path).ok()?).ok()
            });
        }
        let count =
            Rational::new(i64::try_from(self.count.0).ok()?, i64::try_from(self.count.1).ok()?).ok()?;
        let unit = match &self.unit {
            Axis::One => Unit::ONE,
            Axis::Xor => Unit::XOR,
            Axis::Basis(path) => Unit::basis(path).ok()?,
            Axis::Sum(_) => Unit::SUM,
        };
        Stride::new(count, unit).ok()
    }
}

impl Nest {
    pub fn leaf(extent: i128, stride: i128) -> Nest {
        Nest::Leaf(extent, Step::integer(stride))
    }

    pub fn tuple_of(modes: &[(i128, i128)]) -> Nest {
        Nest::Tuple(modes.iter().map(|&(s, d)| Nest::leaf(s, d)).collect())
    }

    /// A leaf for one mode, a flat tuple for several.
    pub fn of_flat(modes: &[(i128, i128)]) -> Nest {
        if let [(s, d)] = modes { Nest::leaf(*s, *d) } else { Nest::tuple_of(modes) }
    }

    pub fn of(layout: &Layout) -> Nest {
        Nest::of_tuple(layout.as_tuple())
    }

    fn of_tuple(tuple: &HTuple<Leaf>) -> Nest {
        if tuple.is_leaf() {
            let Leaf { extent, stride } = tuple.leaves()[0];
            return Nest::Leaf(extent as i128, Step::of(stride));
        }
        Nest::Tuple((0..tuple.rank()).map(|i| Nest::of_tuple(&tuple.mode(i).unwrap())).collect())
    }

    pub fn htuple(&self) -> Option<HTuple<Leaf>> {
        match self {
            Nest::Leaf(extent, step) => {
                Some(HTuple::leaf(Leaf { extent: i64::try_from(*extent).ok()?, stride: step.stride()? }))
            }
            Nest::Tuple(modes) if modes.is_empty() => Some(HTuple::empty(Leaf::new(1, 0))),
            Nest::Tuple(modes) => {
                let modes: Option<Vec<_>> = modes.iter().map(Nest::htuple).collect();
                HTuple::tuple(&modes?).ok()
            }
        }
    }

    /// The layout, if the crate accepts it as one.
    pub fn layout(&self) -> Option<Layout> {
        Layout::new(self.htuple()?).ok()
    }

    pub fn rank(&self) -> usize {
        if let Nest::Tuple(modes) = self { modes.len() } else { 1 }
    }

    pub fn mode(&self, index: usize) -> &Nest {
        match self {
            Nest::Tuple(modes) => &modes[index],
            leaf => leaf,
        }
    }

    pub fn get(&self, path: &[usize]) -> &Nest {
        path.iter().fold(self, |nest, &index| nest.mode(index))
    }

    pub fn leaves(&self) -> Vec<(i128, Step)> {
        match self {
            Nest::Leaf(extent, step) => vec![(*extent, step.clone())],
            Nest::Tuple(modes) => modes.iter().flat_map(Nest::leaves).collect(),
        }
    }

    /// The leaves of a layout with integer strides.
    pub fn flat(&self) -> Flat {
        self.scaled(1)
    }

    /// The leaves of a layout with integer or rational strides, all strides multiplied by `denominator`.
    pub fn scaled(&self, denominator: i128) -> Flat {
        let leaves = self.leaves().into_iter();
        leaves
            .map(|(s, d)| {
                assert!(
                    d.unit == Axis::One && denominator * d.count.0 % d.count.1 == 0,
                    "not an integer: {d:?}"
                );
                (s, denominator * d.count.0 / d.count.1)
            })
            .collect()
    }

    /// The common denominator of the strides.
    pub fn denominator(&self) -> i128 {
        self.leaves().iter().fold(1, |all, (_, step)| all / gcd(all, step.count.1) * step.count.1)
    }

    pub fn size(&self) -> i128 {
        self.leaves().iter().map(|(s, _)| s).product()
    }

    /// This nest with every leaf replaced, in order.
    pub fn replace_leaves(&self, next: &mut impl FnMut() -> Nest) -> Nest {
        match self {
            Nest::Leaf(..) => next(),
            Nest::Tuple(modes) => Nest::Tuple(modes.iter().map(|mode| mode.replace_leaves(next)).collect()),
        }
    }

    /// `self ⪯ finer` on shapes (paper, definition 2.7).
    pub fn compatible(&self, finer: &Nest) -> bool {
        match (self, finer) {
            (Nest::Leaf(extent, _), finer) => *extent == finer.size(),
            (Nest::Tuple(a), Nest::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.compatible(b))
            }
            _ => false,
        }
    }

    pub fn text(&self) -> String {
        fn write(nest: &Nest, out: &mut String, leaf: &impl Fn(&i128, &Step) -> String) {
            match nest {
                Nest::Leaf(extent, step) => out.push_str(&leaf(extent, step)),
                Nest::Tuple(modes) => {
                    out.push('(');
                    for (i, mode) in modes.iter().enumerate() {
                        if i > 0 {
                            out.push(',');
                        }
                        write(mode, out, leaf);
                    }
                    out.push(')');
                }
            }
        }
        let mut out = String::new();
        write(self, &mut out, &|extent, _| extent.to_string());
        out.push(':');
        write(self, &mut out, &|_, step| {
            let (n, d) = step.count;
            let count = if d == 1 { n.to_string() } else { format!("{n}/{d}") };
            match &step.unit {
                Axis::One => count,
                Axis::Xor => format!("^{count}"),
                Axis::Basis(path) => multiple(count, path),
                Axis::Sum(terms) => {
                    let terms: Vec<_> = terms.iter().map(|(n, path)| multiple(n.to_string(), path)).collect();
                    format!("({})", terms.join("+").replace("+-", "-"))
                }
            }
        });
        out
    }
}

fn multiple(count: String, path: &[usize]) -> String {
    path.iter().rev().fold(count, |text, index| format!("{text}@{index}"))
}

pub fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

pub fn size<V>(flat: &[(i128, V)]) -> i128 {
    flat.iter().map(|(s, _)| s).product()
}

/// What strides are added and multiplied in: the integers, or coordinates of up to eight components.
pub trait Module: Clone + PartialEq + std::fmt::Debug {
    const ZERO: Self;
    fn add_scaled(&mut self, count: i128, step: &Self);
}

impl Module for i128 {
    const ZERO: i128 = 0;
    fn add_scaled(&mut self, count: i128, step: &i128) {
        *self += count * step;
    }
}

pub const AXES: usize = 8;

impl Module for [i128; AXES] {
    const ZERO: Self = [0; AXES];
    fn add_scaled(&mut self, count: i128, step: &Self) {
        for (sum, step) in self.iter_mut().zip(step) {
            *sum += count * step;
        }
    }
}

/// `L(x)` for any integer `x` (paper, equations 4 and 6): floor division, the last mode is not reduced.
pub fn at<V: Module>(flat: &[(i128, V)], x: i128) -> V {
    let (mut rest, mut sum) = (x, V::ZERO);
    for (i, (extent, stride)) in flat.iter().enumerate() {
        if i + 1 == flat.len() {
            sum.add_scaled(rest, stride);
        } else {
            sum.add_scaled(rest.rem_euclid(*extent), stride);
            rest = rest.div_euclid(*extent);
        }
    }
    sum
}

/// `L` on `[0, |L|)`.
pub fn values<V: Module>(flat: &[(i128, V)]) -> Vec<V> {
    let mut all = vec![V::ZERO];
    for (extent, stride) in flat {
        let block = all.len();
        for c in 1..*extent {
            for k in 0..block {
                let mut value = all[k].clone();
                value.add_scaled(c, stride);
                all.push(value);
            }
        }
    }
    all
}

/// The layout of minimal rank with these values, or `None` where no layout has them (EXACT.md, theorem 1).
pub fn reconstruct<V: Module>(all: &[V]) -> Option<Flat<V>> {
    if all[0] != V::ZERO {
        return None;
    }
    let mut modes: Flat<V> = Vec::new();
    let mut rest: Vec<V> = all.to_vec();
    while rest.len() > 1 {
        let stride = rest[1].clone();
        let mut extent = 1;
        while extent < rest.len() {
            let mut next = rest[extent - 1].clone();
            next.add_scaled(1, &stride);
            if rest[extent] != next {
                break;
            }
            extent += 1;
        }
        if !rest.len().is_multiple_of(extent) {
            return None;
        }
        rest = rest.into_iter().step_by(extent).collect();
        modes.push((extent as i128, stride));
    }
    if modes.is_empty() {
        modes.push((1, V::ZERO));
    }
    (values(&modes) == all).then_some(modes)
}

/// The canonical form of every leaf of `A o B`, or `None` where no layout `R` with `B ⪯ R` and `R(c) = A(B(c))` exists.
///
/// Each leaf on its own has to give a layout, and the whole has to be the sum over the leaves: setting all other
/// coordinates to 0 forces the parts.
pub fn compose<V: Module>(a: &[(i128, V)], b: &[(i128, i128)]) -> Option<Vec<Flat<V>>> {
    let mut parts = Vec::new();
    let mut tables: Vec<Vec<V>> = Vec::new();
    for &(s, d) in b {
        let table: Vec<V> = (0..s).map(|c| at(a, d * c)).collect();
        parts.push(reconstruct(&table)?);
        tables.push(table);
    }
    let mut coord = vec![0usize; b.len()];
    loop {
        let offset: i128 = coord.iter().zip(b).map(|(&c, &(_, d))| c as i128 * d).sum();
        let mut sum = V::ZERO;
        for (&c, table) in coord.iter().zip(&tables) {
            sum.add_scaled(1, &table[c]);
        }
        if sum != at(a, offset) {
            return None;
        }
        let mut i = 0;
        loop {
            if i == b.len() {
                return Some(parts);
            }
            coord[i] += 1;
            if (coord[i] as i128) < b[i].0 {
                break;
            }
            coord[i] = 0;
            i += 1;
        }
    }
}

/// The components that the strides of a coordinate layout have, as columns of one matrix.
pub struct Axes(pub Vec<Vec<usize>>);

impl Axes {
    pub fn of(nests: &[&Nest]) -> Axes {
        let mut paths = Vec::new();
        for (_, path) in nests.iter().flat_map(|nest| nest.leaves()).flat_map(|(_, step)| step.terms()) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        assert!(paths.len() <= AXES);
        Axes(paths)
    }

    pub fn column(&self, step: &Step) -> [i128; AXES] {
        let mut column = [0; AXES];
        assert!(step.count.0 == 0 || !step.terms().is_empty(), "mixed strides");
        for (count, path) in step.terms() {
            column[self.0.iter().position(|p| *p == path).unwrap()] = count;
        }
        assert_eq!(step.count.1, 1);
        column
    }

    pub fn flat(&self, nest: &Nest) -> Flat<[i128; AXES]> {
        nest.leaves().iter().map(|(s, step)| (*s, self.column(step))).collect()
    }

    /// The stride with this column; `None` where it does not fit.
    pub fn step(&self, column: &[i128; AXES]) -> Option<Step> {
        let step = Step::sum(self.0.iter().zip(column).map(|(path, count)| (*count, path.clone())).collect());
        step.stride().is_some().then_some(step)
    }
}

/// The product of polynomials over F2.
pub fn carryless(a: i128, b: i128) -> i128 {
    let (mut sum, mut rest, mut shifted) = (0, a, b);
    while rest > 0 {
        sum ^= if rest & 1 == 1 { shifted } else { 0 };
        rest >>= 1;
        shifted <<= 1;
    }
    sum
}

/// The XOR layout's value at `x >= 0`; strides scale carry-lessly.
pub fn xor_at(flat: &[(i128, i128)], x: i128) -> i128 {
    let (mut rest, mut sum) = (x, 0);
    for (i, (extent, stride)) in flat.iter().enumerate() {
        let digit = if i + 1 == flat.len() { rest } else { rest % extent };
        rest /= extent;
        sum ^= carryless(digit, *stride);
    }
    sum
}

/// The counts of XOR strides (and zeros).
pub fn xor_flat(nest: &Nest) -> Flat {
    nest.leaves().iter().map(|(s, step)| (*s, step.count.0)).collect()
}

/// The value at `x >= 0` of a layout with integer or with XOR strides.
pub fn number_at(nest: &Nest, x: i128) -> i128 {
    let xor = nest.leaves().iter().any(|(_, step)| step.unit == Axis::Xor);
    if xor { xor_at(&xor_flat(nest), x) } else { at(&nest.flat(), x) }
}

// ---- images, inverses, complements, by enumeration ----

/// For each value its coordinates.
pub fn preimages(all: &[i128]) -> BTreeMap<i128, Vec<i128>> {
    let mut map: BTreeMap<i128, Vec<i128>> = BTreeMap::new();
    for (c, value) in all.iter().enumerate() {
        map.entry(*value).or_default().push(c as i128);
    }
    map
}

/// The largest `n` such that the layout takes all of `0..n`.
pub fn mex(all: &[i128]) -> i128 {
    let map = preimages(all);
    (0..).find(|value| !map.contains_key(value)).unwrap()
}

/// The size of the largest layout `R` with `L(R(k)) = k` and `R(k)` in `[0, |L|)`, by exhaustive search over all
/// layouts in canonical form; `None` past the budget.
pub fn largest_right_inverse(all: &[i128], budget: usize) -> Option<i128> {
    struct Search<'a> {
        all: &'a [i128],
        map: BTreeMap<i128, Vec<i128>>,
        bound: i128,
        best: i128,
        left: usize,
    }
    impl Search<'_> {
        fn run(&mut self, table: &[i128]) -> bool {
            let done = table.len() as i128;
            self.best = self.best.max(done);
            if self.best == self.bound {
                return true;
            }
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            // The next stride is a coordinate of the value `done`; every multiple of it that still fits is tried.
            for stride in self.map.get(&done).cloned().unwrap_or_default() {
                let mut longer = table.to_vec();
                for step in 1.. {
                    let fits = table.iter().enumerate().all(|(k, c)| {
                        let at = c + step * stride;
                        at < self.all.len() as i128 && self.all[at as usize] == k as i128 + step * done
                    });
                    if !fits {
                        break;
                    }
                    longer.extend(table.iter().map(|c| c + step * stride));
                    if !self.run(&longer) {
                        return false;
                    }
                    if self.best == self.bound {
                        return true;
                    }
                }
            }
            true
        }
    }
    let mut search = Search { all, map: preimages(all), bound: mex(all), best: 0, left: budget };
    search.run(&[0]).then_some(search.best)
}

/// An integer solution of `rows * x = right`, by column echelon form.
pub fn integer_solution(rows: &[Vec<i128>], right: &[i128]) -> bool {
    let (m, n) = (rows.len(), rows[0].len());
    let mut columns: Vec<Vec<i128>> = (0..n).map(|j| (0..m).map(|i| rows[i][j]).collect()).collect();
    let mut residue = right.to_vec();
    let mut done = 0;
    for r in 0..m {
        loop {
            let mut live: Vec<usize> = (done..n).filter(|&j| columns[j][r] != 0).collect();
            if live.len() < 2 {
                break;
            }
            live.sort_by_key(|&j| columns[j][r].abs());
            let pivot = columns[live[0]].clone();
            for &j in &live[1..] {
                let quotient = columns[j][r].div_euclid(pivot[r]);
                columns[j].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= quotient * y);
            }
        }
        if let Some(j) = (done..n).find(|&j| columns[j][r] != 0) {
            columns.swap(done, j);
            if residue[r] % columns[done][r] != 0 {
                return false;
            }
            let quotient = residue[r] / columns[done][r];
            residue.iter_mut().zip(&columns[done]).for_each(|(x, y)| *x -= quotient * y);
            done += 1;
        } else if residue[r] != 0 {
            return false;
        }
    }
    true
}

/// The modes that a complement has to avoid, by ascending stride; `None` where they are not segregated or not positive.
pub fn segregated(flat: &[(i128, i128)]) -> Option<Vec<(i128, i128)>> {
    let mut modes: Vec<_> = flat.iter().copied().filter(|&(s, d)| s > 1 && d != 0).collect();
    modes.sort_by_key(|&(s, d)| (d, s));
    let fits = modes.windows(2).all(|pair| pair[0].0 * pair[0].1 <= pair[1].1);
    (modes.iter().all(|&(_, d)| d > 0) && fits).then_some(modes)
}

/// Whether every stride continues or divides evenly what lies below it: then the complement leaves nothing out.
pub fn divides_evenly(modes: &[(i128, i128)]) -> bool {
    modes.windows(2).all(|pair| pair[1].1 % (pair[0].0 * pair[0].1) == 0)
}

/// The gaps of segregated modes as a layout; the last mode has the given extent for a reach of `last`.
pub fn gaps(modes: &[(i128, i128)], extent_above: impl Fn(i128) -> i128) -> Flat {
    let mut below = 1;
    let mut out = Vec::new();
    for &(s, d) in modes {
        if d / below > 1 {
            out.push((d / below, below));
        }
        below = s * d;
    }
    out.push((extent_above(below), below));
    out
}
