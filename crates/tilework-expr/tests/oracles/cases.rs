//! Cases: calls of a function with random arguments or with those of a list, and their shrinking.

use crate::model::*;
use crate::text::*;
pub use testkit::Random;

/// A call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    pub function: &'static str,
    pub indices: Vec<i128>,
    /// The indices are written behind the arguments, `get(L, 0, 1)`.
    pub behind: bool,
    pub arguments: Vec<Value>,
}

impl Case {
    pub fn text(&self) -> String {
        let mut arguments: Vec<String> = self.arguments.iter().map(Value::to_string).collect();
        let indices: Vec<String> = self.indices.iter().map(i128::to_string).collect();
        if let (true, "replace") = (self.behind, self.function) {
            arguments.insert(1, indices[0].clone());
        } else if self.behind {
            arguments.extend(indices.clone());
        }
        let path = if self.behind || indices.is_empty() {
            String::new()
        } else {
            format!("<{}>", indices.join(","))
        };
        format!("{}{path}({})", self.function, arguments.join(", "))
    }

    pub fn layout(&self, index: usize) -> &Layout {
        self.arguments[index].domain().expect("a layout")
    }
}

/// Where the layouts of a case come from.
pub struct Source<'a> {
    pub rng: Random,
    /// The layouts of a sweep, and the place in them.
    pub list: Option<(&'a [Layout], usize)>,
}

impl Source<'_> {
    pub fn codomain(&mut self) -> Codomain {
        self.rng.choose(&[
            Codomain::Integer,
            Codomain::Integer,
            Codomain::Integer,
            Codomain::Xor,
            Codomain::Xor,
            Codomain::Coordinate,
            Codomain::Coordinate,
            Codomain::Rational,
        ])
    }

    /// A layout of any codomain.
    pub fn any(&mut self) -> Layout {
        let codomain = self.codomain();
        self.layout(codomain)
    }

    /// In a sweep the next layout of the list, whatever its codomain.
    pub fn layout(&mut self, codomain: Codomain) -> Layout {
        if let Some((list, at)) = &mut self.list {
            let layout = list[*at % list.len()].clone();
            // The second layout of a case wanders through the list as the cases go on.
            *at = at.wrapping_mul(7919).wrapping_add(4241);
            return layout;
        }
        let limit = if self.rng.once_in(40) { 600 } else { 64 };
        let leaves = self.leaves(codomain, limit);
        self.nest(leaves)
    }

    /// A function: a layout, one with an offset, or a swizzled one.
    pub fn function(&mut self) -> Value {
        let layout = self.any();
        self.wrap(layout)
    }

    pub fn wrap(&mut self, layout: Layout) -> Value {
        let found = codomain(&layout);
        let plain = matches!(found, Codomain::Integer | Codomain::Xor);
        if self.rng.once_in(6) {
            let offset = match found {
                Codomain::Xor => Offset::of_tree(&Tree::Leaf(Rational::int(self.rng.range(0, 20))), true),
                Codomain::Coordinate => {
                    let path = self.rng.choose(&paths(&layout));
                    Offset::steps(&Step::new(Rational::int(1), Unit::Basis(path)), self.rng.range(-3, 9))
                        .unwrap()
                }
                Codomain::Rational => Offset::Number(Rational::new(self.rng.range(-9, 20), 6)),
                _ => Offset::int(self.rng.range(-9, 20)),
            };
            return Value::View(offset, layout);
        }
        if plain && self.rng.once_in(6) { self.swizzled(layout) } else { Value::Layout(layout) }
    }

    /// A layout, now and then a swizzled one.
    pub fn plain_or_swizzled(&mut self, layout: Layout) -> Value {
        let plain = matches!(codomain(&layout), Codomain::Integer | Codomain::Xor);
        if plain && self.rng.once_in(4) { self.swizzled(layout) } else { Value::Layout(layout) }
    }

    fn swizzled(&mut self, layout: Layout) -> Value {
        let bits = self.rng.range(0, 3);
        let shift = (bits + self.rng.range(0, 1)) * self.rng.choose(&[1, 1, -1]);
        let swizzle = Swizzle { bits, base: self.rng.range(0, 2), shift };
        let offset = if self.rng.once_in(3) { self.rng.range(0, 9) } else { 0 };
        Value::Swizzled(swizzle, offset, layout)
    }

    /// Leaves whose sizes multiply to `limit` at most.
    pub fn leaves(&mut self, codomain: Codomain, limit: i128) -> Vec<Leaf> {
        let rng = &mut self.rng;
        let style = rng.range(0, 5);
        let count = rng.range(1, if style == 3 { 2 } else { 4 });
        let mut left = limit;
        let mut leaves: Vec<(i128, i128)> = Vec::new();
        for _ in 0..count {
            let extent = match style {
                3 => rng.range(1, 24),
                4 => rng.choose(&[1, 2, 2, 4, 4, 8]),
                _ => rng.choose(&[1, 2, 2, 2, 3, 3, 4, 5, 6]),
            };
            let extent = extent.min(left);
            left /= extent;
            leaves.push((extent, 1));
        }
        let negative = rng.once_in(4);
        match style {
            // Compact in some order, with gaps now and then, or with a broadcast.
            1 | 2 | 4 => {
                let mut order: Vec<usize> = (0..leaves.len()).collect();
                rng.shuffle(&mut order);
                let mut stride = 1;
                for index in order {
                    leaves[index].1 = stride;
                    stride *= leaves[index].0 * if rng.once_in(6) { rng.range(2, 3) } else { 1 };
                    if style == 2 && rng.once_in(5) {
                        leaves[index].1 = 0;
                    }
                }
            }
            // Strides that overlap, repeat and do not divide.
            _ => {
                for leaf in &mut leaves {
                    leaf.1 = match rng.range(0, 3) {
                        0 => rng.range(0, 2),
                        1 => rng.range(0, 24),
                        _ => rng.choose(&[0, 1, 1, 2, 3, 4, 5, 6, 8, 12]),
                    };
                }
            }
        }
        if negative {
            for leaf in &mut leaves {
                leaf.1 *= rng.choose(&[1, -1]);
            }
        }
        let (family, sums) = (rng.range(0, 2), rng.once_in(2));
        let under = rng.choose(&[2, 2, 3, 4, 6]);
        let step = |rng: &mut Random, stride: i128| match codomain {
            Codomain::Xor => Step::xor(stride.abs()),
            Codomain::Rational => Step::new(Rational::new(stride, under), Unit::Basis(vec![])),
            Codomain::Coordinate => {
                let paths: &[Path] = match family {
                    0 => &[vec![0], vec![1]],
                    1 => &[vec![0], vec![1], vec![2]],
                    _ => &[vec![0], vec![1, 0], vec![1, 1]],
                };
                let stride = if stride.abs() > 1 && rng.once_in(2) { stride.signum() } else { stride };
                if sums && rng.once_in(2) {
                    let counts = paths.iter().map(|_| rng.choose(&[0, stride, stride, 1, -1, 2, 3]));
                    return Step::sum(paths.iter().cloned().zip(counts));
                }
                Step::new(Rational::int(stride), Unit::Basis(rng.choose(paths)))
            }
            _ => Step::int(stride),
        };
        leaves.into_iter().map(|(extent, stride)| Leaf { extent, step: step(rng, stride) }).collect()
    }

    /// The leaves in some nesting.
    pub fn nest(&mut self, leaves: Vec<Leaf>) -> Layout {
        let mut modes: Vec<Layout> = leaves.into_iter().map(Tree::Leaf).collect();
        while modes.len() > 1 && self.rng.once_in(3) {
            let begin = self.rng.range(0, modes.len() as i128 - 1) as usize;
            let end = self.rng.range(begin as i128 + 1, modes.len() as i128) as usize;
            let group = Tree::Node(modes.splice(begin..end, []).collect());
            modes.insert(begin, group);
        }
        if modes.len() == 1 && !self.rng.once_in(8) { modes.remove(0) } else { Tree::Node(modes) }
    }

    /// A nested shape of a size of at most `limit`.
    pub fn shape(&mut self, limit: i128) -> Shape {
        let leaves = self.leaves(Codomain::Integer, limit);
        shape(&self.nest(leaves))
    }

    /// The extent with other extents in place of it.
    pub fn split(&mut self, extent: i128) -> Shape {
        let divisors: Vec<i128> = (1..=extent).filter(|d| extent % d == 0).collect();
        if !self.rng.once_in(3) {
            return Tree::Leaf(extent);
        }
        let first = self.rng.choose(&divisors);
        Tree::Node(vec![Tree::Leaf(first), self.split(extent / first)])
    }

    /// A coordinate of any admissible kind.
    pub fn coord(&mut self, shape: &Shape, low: i128, high: i128) -> Coord {
        match shape {
            Tree::Node(modes) if !modes.is_empty() && !self.rng.once_in(4) => {
                Tree::Node(modes.iter().map(|mode| self.coord(mode, low, high)).collect())
            }
            _ => {
                let size = product(shape);
                Tree::Leaf(if self.rng.once_in(5) {
                    self.rng.range(low, high)
                } else {
                    self.rng.range(0, size - 1)
                })
            }
        }
    }

    /// A coordinate with `_`.
    pub fn pattern(&mut self, shape: &Shape) -> Tree<Atom> {
        match shape {
            Tree::Node(modes) if !modes.is_empty() && !self.rng.once_in(5) => {
                Tree::Node(modes.iter().map(|mode| self.pattern(mode)).collect())
            }
            _ if self.rng.once_in(2) => Tree::Leaf(None),
            _ => Tree::Leaf(Some(Step::int(self.rng.range(0, product(shape) - 1)))),
        }
    }

    /// A tile for a layout of a size: often one that divides it.
    pub fn tile(&mut self, size: i128) -> Layout {
        if self.list.is_some() {
            return self.layout(Codomain::Integer);
        }
        let divisors: Vec<i128> = (1..=size).filter(|d| size % d == 0).collect();
        match self.rng.range(0, 3) {
            0 => {
                let leaves = self.leaves(Codomain::Integer, 24);
                self.nest(leaves)
            }
            1 => leaf(self.rng.range(1, size.min(12)), Step::int(1)),
            2 => {
                let stride = self.rng.choose(&divisors);
                let rest: Vec<i128> = divisors.iter().copied().filter(|d| (size / stride) % d == 0).collect();
                leaf(self.rng.choose(&rest), Step::int(stride))
            }
            // Several modes of a chain through the size.
            _ => {
                let mut stride = 1;
                let mut leaves = Vec::new();
                for _ in 0..self.rng.range(1, 3) {
                    let rest: Vec<i128> =
                        divisors.iter().copied().filter(|d| (size / stride) % d == 0).collect();
                    let extent = self.rng.choose(&rest);
                    leaves.push(Leaf { extent, step: Step::int(stride) });
                    stride *= extent;
                    let rest: Vec<i128> =
                        divisors.iter().copied().filter(|d| (size / stride) % d == 0).collect();
                    stride *= self.rng.choose(&rest);
                }
                self.rng.shuffle(&mut leaves);
                self.nest(leaves)
            }
        }
    }

    /// A tiler for a layout: a layout, or one for each of the leading modes.
    pub fn tiler(&mut self, layout: &Layout, depth: usize) -> Tiler {
        if depth < 2 && self.list.is_none() && !self.rng.once_in(2) {
            let modes = layout.modes();
            let more = i128::from(self.rng.once_in(12));
            let rank = self.rng.range(1, modes.len().max(1) as i128 + more) as usize;
            let own = leaf(4, Step::int(1));
            let tiles = (0..rank).map(|index| self.mode_tiler(modes.get(index).unwrap_or(&own), depth + 1));
            return Tiler::ByMode(tiles.collect());
        }
        Tiler::Layout(self.tile(size(layout)))
    }

    fn mode_tiler(&mut self, mode: &Layout, depth: usize) -> Tiler {
        if self.rng.once_in(5) {
            return Tiler::Hole;
        }
        match mode {
            Tree::Node(modes) if !modes.is_empty() => self.tiler(mode, depth),
            _ => Tiler::Layout(self.tile(size(mode))),
        }
    }
}

/// All layouts of a number of modes with these extents and strides, each nesting of three modes in turn.
pub fn all_layouts(modes: usize, extents: &[i128], steps: &[Step]) -> Vec<Layout> {
    let base = extents.len() * steps.len();
    (0..base.pow(modes as u32))
        .map(|number| {
            let mut rest = number;
            let mut leaves: Vec<Layout> = (0..modes)
                .map(|_| {
                    let own = rest % base;
                    rest /= base;
                    leaf(extents[own % extents.len()], steps[own / extents.len()].clone())
                })
                .collect();
            if modes == 3 {
                match number % 3 {
                    1 => leaves = vec![leaves.remove(0), Tree::Node(leaves)],
                    2 => {
                        let last = leaves.remove(2);
                        leaves = vec![Tree::Node(leaves), last];
                    }
                    _ => {}
                }
            }
            Tree::of(leaves)
        })
        .collect()
}

/// Cases that are smaller in one place.
pub fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (index, argument) in case.arguments.iter().enumerate() {
        for value in smaller_values(argument) {
            let mut next = case.clone();
            next.arguments[index] = value;
            all.push(next);
        }
    }
    if case.arguments.len() > 1 {
        for (index, number) in case.indices.iter().enumerate().filter(|(_, number)| **number > 0) {
            let mut next = case.clone();
            next.indices[index] = number - 1;
            all.push(next);
        }
    }
    all
}

fn smaller_values(value: &Value) -> Vec<Value> {
    let mut all: Vec<Value> = match value {
        Value::View(_, layout) | Value::Swizzled(_, _, layout) => vec![Value::Layout(layout.clone())],
        _ => vec![],
    };
    if let Some(layout) = value.domain() {
        all.extend(smaller_layouts(layout).into_iter().map(|layout| value.with_domain(layout)));
    }
    match value {
        Value::View(Offset::Number(offset), layout) if offset.over > 0 => {
            all.push(Value::View(
                Offset::Number(Rational::new(offset.over - 1, offset.under)),
                layout.clone(),
            ));
        }
        Value::Swizzled(swizzle, offset, layout) if *offset > 0 => {
            all.push(Value::Swizzled(swizzle.clone(), offset - 1, layout.clone()));
        }
        Value::Tuple(tree) => {
            all.extend(
                smaller_trees(tree, &|atom: &Atom| match atom.as_ref().and_then(Step::integer) {
                    Some(value) if value > 1 => vec![Some(Step::int(value - 1)), Some(Step::int(1))],
                    Some(value) if value < 0 => vec![Some(Step::int(value + 1)), Some(Step::int(-value))],
                    _ => vec![],
                })
                .into_iter()
                .map(Value::Tuple),
            );
        }
        Value::Tiler(tiler) => all.extend(smaller_tilers(tiler).into_iter().map(Value::Tiler)),
        _ => {}
    }
    all
}

fn smaller_tilers(tiler: &Tiler) -> Vec<Tiler> {
    match tiler {
        Tiler::Hole => vec![],
        Tiler::Layout(layout) => smaller_layouts(layout).into_iter().map(Tiler::Layout).collect(),
        Tiler::ByMode(tiles) => {
            let smaller = smaller_lists(tiles, smaller_tilers).into_iter().map(Tiler::ByMode);
            tiles.iter().cloned().chain(smaller).collect()
        }
    }
}

fn smaller_layouts(layout: &Layout) -> Vec<Layout> {
    smaller_trees(layout, &|leaf: &Leaf| {
        let mut all = Vec::new();
        for extent in [1, 2, leaf.extent / 2, leaf.extent - 1] {
            if extent >= 1 && extent < leaf.extent {
                all.push(Leaf { extent, ..leaf.clone() });
            }
        }
        if let Unit::Sum(components) = &leaf.step.unit {
            for (index, (_, value)) in components.iter().enumerate() {
                for less in [0, value.signum()].into_iter().filter(|less| less != value) {
                    let mut components = components.clone();
                    components[index].1 = less;
                    all.push(Leaf { step: Step::sum(components), ..leaf.clone() });
                }
            }
            return all;
        }
        let (over, under) = (leaf.step.count.over, leaf.step.count.under);
        for (count, below) in
            [(0, 1), (1, 1), (over, 1), (over / 2, under), (over - over.signum(), under), (-over, under)]
        {
            let step = Step::new(Rational::new(count, below), leaf.step.unit.clone());
            let less = |r: &Rational| (r.under, r.over.abs(), r.over < 0);
            if less(&step.count) < less(&leaf.step.count) && !(step.unit == Unit::Xor && count < 0) {
                all.push(Leaf { step, ..leaf.clone() });
            }
        }
        all
    })
}

fn smaller_trees<T: Clone>(tree: &Tree<T>, leaf: &impl Fn(&T) -> Vec<T>) -> Vec<Tree<T>> {
    match tree {
        Tree::Leaf(value) => leaf(value).into_iter().map(Tree::Leaf).collect(),
        Tree::Node(modes) => {
            let smaller = smaller_lists(modes, |mode| smaller_trees(mode, leaf)).into_iter().map(Tree::Node);
            modes.iter().cloned().chain(smaller).collect()
        }
    }
}

/// One item less, or one smaller.
fn smaller_lists<T: Clone>(items: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    for index in 0..items.len() {
        if items.len() > 1 {
            all.push([&items[..index], &items[index + 1..]].concat());
        }
        for item in smaller(&items[index]) {
            let mut next = items.to_vec();
            next[index] = item;
            all.push(next);
        }
    }
    all
}
