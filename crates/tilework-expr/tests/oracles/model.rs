//! Layouts as the paper defines them, on plain trees: numbers, offsets, nesting, evaluation (equations 4 and 6).

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    pub over: i128,
    pub under: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Rational {
    pub const ZERO: Rational = Rational::int(0);

    pub const fn int(value: i128) -> Rational {
        Rational { over: value, under: 1 }
    }

    pub fn new(over: i128, under: i128) -> Rational {
        let shared = gcd(over, under).max(1) * under.signum();
        Rational { over: over / shared, under: under / shared }
    }

    pub fn plus(self, other: Rational) -> Rational {
        match (self.under, other.under) {
            (1, 1) => Rational::int(self.over + other.over),
            (a, b) => Rational::new(self.over * b + other.over * a, a * b),
        }
    }

    pub fn times(self, count: i128) -> Rational {
        if self.under == 1 {
            Rational::int(self.over * count)
        } else {
            Rational::new(self.over * count, self.under)
        }
    }

    pub fn integer(self) -> Option<i128> {
        (self.under == 1).then_some(self.over)
    }

    pub fn below(self, other: Rational) -> bool {
        self.over * other.under < other.over * self.under
    }
}

/// The product of polynomials over F2 whose coefficients are the bits.
pub fn carryless(a: i128, b: i128) -> i128 {
    (0..64).filter(|bit| a >> bit & 1 == 1).fold(0, |sum, bit| sum ^ b << bit)
}

/// Where a basis element points, the outermost index first; the empty path is the number 1.
pub type Path = Vec<usize>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    Basis(Path),
    /// Several components in their order, each with its integer; the count of such a stride is 1.
    Sum(Vec<(Path, i128)>),
    Xor,
}

/// A stride: a count of units. A stride 0 has the unit 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    pub count: Rational,
    pub unit: Unit,
}

impl Step {
    pub fn new(count: Rational, unit: Unit) -> Step {
        let unit = if count == Rational::ZERO { Unit::Basis(vec![]) } else { unit };
        Step { count, unit }
    }

    pub fn int(value: i128) -> Step {
        Step::new(Rational::int(value), Unit::Basis(vec![]))
    }

    pub fn xor(value: i128) -> Step {
        Step::new(Rational::int(value), Unit::Xor)
    }

    /// A sum of components that a stride can hold.
    pub fn sum(components: impl IntoIterator<Item = (Path, i128)>) -> Step {
        let components = components.into_iter().map(|(path, value)| (path, Rational::int(value))).collect();
        Offset::coordinate(components).as_step().expect("a stride")
    }

    /// Its components that are not 0; a number has one at the empty path.
    pub fn components(&self) -> Vec<(Path, Rational)> {
        match &self.unit {
            _ if self.is_zero() => vec![],
            Unit::Basis(path) => vec![(path.clone(), self.count)],
            Unit::Sum(components) => {
                components.iter().map(|(path, value)| (path.clone(), Rational::int(*value))).collect()
            }
            Unit::Xor => vec![],
        }
    }

    /// The size of the count, of a sum that of its first component.
    pub fn magnitude(&self) -> Rational {
        let count = self.components().first().map_or(self.count, |(_, first)| *first);
        Rational::new(count.over.abs(), count.under)
    }

    pub fn component(&self, path: &Path) -> Rational {
        self.components().iter().find(|(own, _)| own == path).map_or(Rational::ZERO, |(_, value)| *value)
    }

    pub fn is_zero(&self) -> bool {
        self.count == Rational::ZERO
    }

    /// The integer that this is.
    pub fn integer(&self) -> Option<i128> {
        (self.unit == Unit::Basis(vec![])).then_some(self.count.integer()?)
    }
}

/// An element of a codomain. The zeros of all codomains are one, `Number(0)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Offset {
    Number(Rational),
    Xor(i128),
    /// The components that are not 0, by their paths.
    Coordinate(Vec<(Path, Rational)>),
}

impl Offset {
    pub const ZERO: Offset = Offset::Number(Rational::ZERO);

    pub fn int(value: i128) -> Offset {
        Offset::Number(Rational::int(value))
    }

    pub fn xor(value: i128) -> Offset {
        if value == 0 { Offset::ZERO } else { Offset::Xor(value) }
    }

    fn coordinate(mut components: Vec<(Path, Rational)>) -> Offset {
        components.retain(|(_, value)| *value != Rational::ZERO);
        components.sort_by(|(a, _), (b, _)| a.cmp(b));
        if components.is_empty() { Offset::ZERO } else { Offset::Coordinate(components) }
    }

    /// What a printed number or tuple means in a codomain.
    pub fn of_tree(tree: &Tree<Rational>, xor: bool) -> Offset {
        match tree {
            Tree::Leaf(value) if xor => Offset::xor(value.over),
            Tree::Leaf(value) => Offset::Number(*value),
            Tree::Node(_) => {
                let mut components = Vec::new();
                tree.visit(&mut vec![], &mut |path, value| components.push((path.clone(), *value)));
                Offset::coordinate(components)
            }
        }
    }

    /// `step` taken `count` times; nothing for an XOR stride taken a negative number of times.
    pub fn steps(step: &Step, count: i128) -> Option<Offset> {
        match &step.unit {
            Unit::Xor if count < 0 => None,
            Unit::Xor => Some(Offset::xor(carryless(count, step.count.over))),
            Unit::Basis(path) if path.is_empty() => Some(Offset::Number(step.count.times(count))),
            Unit::Basis(path) => Some(Offset::coordinate(vec![(path.clone(), step.count.times(count))])),
            Unit::Sum(components) => {
                let times = |(path, value): &(Path, i128)| (path.clone(), step.count.times(value * count));
                Some(Offset::coordinate(components.iter().map(times).collect()))
            }
        }
    }

    /// The sum in the codomain; nothing across codomains.
    pub fn plus(&self, other: &Offset) -> Option<Offset> {
        Some(match (self, other) {
            (Offset::Number(a), Offset::Number(b)) => Offset::Number(a.plus(*b)),
            (zero, sum) | (sum, zero) if *zero == Offset::ZERO => sum.clone(),
            (Offset::Xor(a), Offset::Xor(b)) => Offset::xor(a ^ b),
            (Offset::Coordinate(a), Offset::Coordinate(b)) => {
                let mut sum = a.clone();
                for (path, value) in b {
                    match sum.iter_mut().find(|(other, _)| other == path) {
                        Some((_, old)) => *old = old.plus(*value),
                        None => sum.push((path.clone(), *value)),
                    }
                }
                Offset::coordinate(sum)
            }
            _ => return None,
        })
    }

    /// The stride that this is, if there is one: a sum has up to five components, which share 64 bits.
    pub fn as_step(&self) -> Option<Step> {
        match self {
            Offset::Number(value) => Some(Step::new(*value, Unit::Basis(vec![]))),
            Offset::Xor(value) => Some(Step::xor(*value)),
            Offset::Coordinate(components) => match &components[..] {
                [(path, value)] => Some(Step::new(*value, Unit::Basis(path.clone()))),
                several => {
                    let limit = [1 << 31, 1 << 20, 1 << 15, 1 << 11].get(several.len() - 2)?;
                    let integer =
                        |value: &Rational| value.integer().filter(|own| (-limit..*limit).contains(own));
                    let components =
                        several.iter().map(|(path, value)| Some((path.clone(), integer(value)?)));
                    Some(Step::new(Rational::int(1), Unit::Sum(components.collect::<Option<_>>()?)))
                }
            },
        }
    }

    /// The integer that this is, as a number or as bits.
    pub fn integer(&self) -> Option<i128> {
        match self {
            Offset::Number(value) => value.integer(),
            Offset::Xor(value) => Some(*value),
            Offset::Coordinate(_) => None,
        }
    }

    /// Whether this is the same number (numbers and bits are one) or coordinate.
    pub fn same(&self, other: &Offset) -> bool {
        match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => a == b,
            _ => self == other,
        }
    }
}

/// A hierarchical tuple.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tree<T> {
    Leaf(T),
    Node(Vec<Tree<T>>),
}

impl<T: Clone> Tree<T> {
    pub fn leaves(&self) -> Vec<&T> {
        match self {
            Tree::Leaf(leaf) => vec![leaf],
            Tree::Node(modes) => modes.iter().flat_map(Tree::leaves).collect(),
        }
    }

    pub fn visit<'a>(&'a self, path: &mut Path, f: &mut impl FnMut(&Path, &'a T)) {
        match self {
            Tree::Leaf(leaf) => f(path, leaf),
            Tree::Node(modes) => {
                for (index, mode) in modes.iter().enumerate() {
                    path.push(index);
                    mode.visit(path, f);
                    path.pop();
                }
            }
        }
    }

    pub fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Tree<U> {
        match self {
            Tree::Leaf(leaf) => Tree::Leaf(f(leaf)),
            Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| mode.map(f)).collect()),
        }
    }

    pub fn profile(&self) -> Tree<()> {
        self.map(&mut |_| ())
    }

    /// A value is its own only mode.
    pub fn modes(&self) -> &[Tree<T>] {
        match self {
            Tree::Leaf(_) => std::slice::from_ref(self),
            Tree::Node(modes) => modes,
        }
    }

    pub fn get(&self, path: &[usize]) -> Option<&Tree<T>> {
        path.iter().try_fold(self, |tree, index| tree.modes().get(*index))
    }

    pub fn depth(&self) -> usize {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Node(modes) => 1 + modes.iter().map(Tree::depth).max().unwrap_or(0),
        }
    }

    /// One tree is itself, several are a tuple.
    pub fn of(mut modes: Vec<Tree<T>>) -> Tree<T> {
        if modes.len() == 1 { modes.remove(0) } else { Tree::Node(modes) }
    }

    /// The other's nesting refines this one: this one's leaves stand where the other has subtrees.
    pub fn coarsens<U: Clone>(&self, other: &Tree<U>) -> bool {
        match (self, other) {
            (Tree::Leaf(_), _) => true,
            (Tree::Node(a), Tree::Node(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.coarsens(b))
            }
            _ => false,
        }
    }
}

pub type Shape = Tree<i128>;
pub type Coord = Tree<i128>;

/// An extent and its stride.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    pub extent: i128,
    pub step: Step,
}

pub type Layout = Tree<Leaf>;

pub fn leaf(extent: i128, step: Step) -> Layout {
    Tree::Leaf(Leaf { extent, step })
}

pub fn shape(layout: &Layout) -> Shape {
    layout.map(&mut |leaf| leaf.extent)
}

pub fn product(shape: &Shape) -> i128 {
    shape.leaves().into_iter().product()
}

pub fn size(layout: &Layout) -> i128 {
    layout.leaves().iter().map(|leaf| leaf.extent).product()
}

/// Which set the strides are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Codomain {
    Integer,
    Rational,
    Coordinate,
    Xor,
    Mixed,
}

pub fn codomain(layout: &Layout) -> Codomain {
    let steps = layout.leaves().into_iter().map(|leaf| &leaf.step).filter(|step| !step.is_zero());
    let each = steps.map(|step| match &step.unit {
        Unit::Xor => Codomain::Xor,
        Unit::Sum(_) => Codomain::Coordinate,
        Unit::Basis(path) if !path.is_empty() => Codomain::Coordinate,
        _ if step.count.under > 1 => Codomain::Rational,
        _ => Codomain::Integer,
    });
    let both = each.reduce(|a, b| match (a, b) {
        _ if a == b => a,
        (Codomain::Integer | Codomain::Rational, Codomain::Integer | Codomain::Rational) => {
            Codomain::Rational
        }
        _ => Codomain::Mixed,
    });
    both.unwrap_or(Codomain::Integer)
}

/// One codomain, extents of 1 or more, and no basis element within a component that another addresses.
pub fn is_layout(layout: &Layout) -> bool {
    let paths = paths(layout);
    codomain(layout) != Codomain::Mixed
        && layout.leaves().iter().all(|leaf| leaf.extent >= 1)
        && paths.iter().all(|a| paths.iter().all(|b| a == b || !b.starts_with(a)))
}

/// The components that the strides address.
pub fn paths(layout: &Layout) -> Vec<Path> {
    let components = layout.leaves().into_iter().flat_map(|leaf| leaf.step.components());
    let mut paths: Vec<Path> = components.map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// The nesting of coordinates with these components, each leaf with its path.
pub fn coordinate_profile(paths: &[Path], above: &Path) -> Tree<Path> {
    let below = paths.iter().filter(|path| path.len() > above.len() && path.starts_with(above));
    match below.map(|path| path[above.len()]).max() {
        None => Tree::Leaf(above.clone()),
        Some(last) => Tree::Node(
            (0..=last)
                .map(|index| {
                    let mut path = above.clone();
                    path.push(index);
                    coordinate_profile(paths, &path)
                })
                .collect(),
        ),
    }
}

/// Equation 4 for one integer: the last leaf is not reduced.
pub fn digits(index: i128, extents: &[i128]) -> Vec<i128> {
    let mut rest = index;
    let mut digits = Vec::with_capacity(extents.len());
    for (position, extent) in extents.iter().enumerate() {
        if position + 1 == extents.len() {
            digits.push(rest);
        } else {
            digits.push(rest.rem_euclid(*extent));
            rest = rest.div_euclid(*extent);
        }
    }
    digits
}

/// The natural coordinate, of any that is weakly congruent.
pub fn natural(shape: &Shape, coord: &Coord) -> Option<Coord> {
    match (shape, coord) {
        (Tree::Leaf(_), Tree::Leaf(_)) => Some(coord.clone()),
        (Tree::Node(_), Tree::Leaf(index)) => {
            let extents: Vec<i128> = shape.leaves().into_iter().copied().collect();
            let mut digits = digits(*index, &extents).into_iter();
            Some(shape.map(&mut |_| digits.next().unwrap()))
        }
        (Tree::Node(shapes), Tree::Node(coords)) if shapes.len() == coords.len() => {
            Some(Tree::Node(shapes.iter().zip(coords).map(|(s, c)| natural(s, c)).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Equation 5.
pub fn integral(shape: &Shape, coord: &Coord) -> Option<i128> {
    let natural = natural(shape, coord)?;
    let mut stride = 1;
    let mut index = 0;
    for (extent, digit) in shape.leaves().into_iter().zip(natural.leaves()) {
        index += digit * stride;
        stride *= extent;
    }
    Some(index)
}

/// Equation 6.
pub fn evaluate(layout: &Layout, coord: &Coord) -> Option<Offset> {
    let natural = natural(&shape(layout), coord)?;
    let mut sum = Offset::ZERO;
    for (leaf, digit) in layout.leaves().into_iter().zip(natural.leaves()) {
        sum = sum.plus(&Offset::steps(&leaf.step, *digit)?)?;
    }
    Some(sum)
}

/// A layout made ready for many indices.
pub struct Function<'a> {
    leaves: Vec<&'a Leaf>,
}

impl Function<'_> {
    pub fn of(layout: &Layout) -> Function<'_> {
        Function { leaves: layout.leaves() }
    }

    pub fn at(&self, index: i128) -> Option<Offset> {
        let mut rest = index;
        let mut sum = Offset::ZERO;
        for (position, leaf) in self.leaves.iter().enumerate() {
            let digit = if position + 1 == self.leaves.len() { rest } else { rest.rem_euclid(leaf.extent) };
            rest = rest.div_euclid(leaf.extent);
            if digit != 0 {
                sum = sum.plus(&Offset::steps(&leaf.step, digit)?)?;
            }
        }
        Some(sum)
    }
}

/// The offsets of all indices.
pub fn table(layout: &Layout) -> Vec<Offset> {
    let function = Function::of(layout);
    (0..size(layout)).map(|index| function.at(index).unwrap()).collect()
}

/// The offset at what another layout gives: an integer, bits, or a coordinate whose components go to the modes that they
/// address. Nothing for a fraction, for an XOR layout before its begin, and where there is no such mode.
pub fn at_offset(layout: &Layout, place: &Offset) -> Option<Offset> {
    match place {
        Offset::Coordinate(components) => components.iter().try_fold(Offset::ZERO, |sum, (path, value)| {
            let mut part = layout;
            for index in path {
                match part {
                    Tree::Leaf(_) => return None,
                    Tree::Node(modes) => part = modes.get(*index)?,
                }
            }
            sum.plus(&Function::of(part).at(value.integer()?)?)
        }),
        number => Function::of(layout).at(number.integer()?),
    }
}

/// With stride 0 where the extent is 1.
pub fn still(layout: &Layout) -> Layout {
    layout.map(&mut |leaf| match leaf.extent {
        1 => Leaf { extent: 1, step: Step::int(0) },
        _ => leaf.clone(),
    })
}

/// Both are the same text but for the strides of extents 1.
pub fn alike(a: &Layout, b: &Layout) -> bool {
    still(a) == still(b)
}
