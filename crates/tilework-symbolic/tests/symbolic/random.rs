//! Random facts, layouts, witnesses and values, and the count of what became of them.

use std::collections::BTreeMap;
pub use testkit::Random as Rng;
use tilework::{Layout, Rational, Stride, Unit};
use tilework_symbolic::{Scope, SymbolicLayout, Values};

/// A name, and what is known of it.
#[derive(Clone)]
pub struct Known {
    pub name: &'static str,
    divisor: i64,
    low: i64,
    at_least: Option<usize>,
}

/// A scope with random facts.
#[derive(Clone)]
pub struct Problem {
    pub scope: Scope,
    pub names: Vec<Known>,
}

/// An extent and a stride as text.
pub type Mode = (String, String);

impl Problem {
    pub fn random(rng: &mut Rng) -> Problem {
        Problem::of(rng, ["M", "N", "K", "ld"])
    }

    /// With these names, the last of which has another as its lower bound.
    pub fn of(rng: &mut Rng, [first, second, third, bounded]: [&'static str; 4]) -> Problem {
        let mut names = Vec::new();
        for name in [first, second, third].into_iter().take(rng.range(1, 3) as usize) {
            let (divisor, low) = (*rng.pick(&[1, 1, 1, 2, 3, 4]), *rng.pick(&[1, 1, 2, 2, 3]));
            names.push(Known { name, divisor, low, at_least: None });
        }
        if rng.chance(40) {
            let bound = rng.range(0, names.len() as i64 - 1) as usize;
            names.push(Known { name: bounded, divisor: 1, low: 1, at_least: Some(bound) });
        }
        let mut scope = Scope::new();
        for known in &names {
            scope.declare(known.name).unwrap();
            let fact = match known.at_least {
                Some(bound) => format!("{} >= {}", known.name, names[bound].name),
                None => format!("{0} % {1} == 0, {0} >= {2}", known.name, known.divisor, known.low),
            };
            scope.assume(&fact).unwrap();
        }
        Problem { scope, names }
    }

    /// Admissible values of the names, in their order.
    pub fn values(&self, rng: &mut Rng, small: bool) -> Vec<i64> {
        let mut values: Vec<i64> = Vec::new();
        for known in &self.names {
            let steps = if small { *rng.pick(&[0, 0, 1, 1, 2, 3, 4, 5, 7, 9]) } else { rng.range(0, 200) };
            let base = match known.at_least {
                Some(bound) => values[bound],
                None => (known.low + known.divisor - 1) / known.divisor * known.divisor,
            };
            values.push(base + known.divisor * steps);
        }
        values
    }

    pub fn given(&self, values: &[i64]) -> Values {
        let given: Vec<(&str, i64)> =
            self.names.iter().zip(values).map(|(known, &value)| (known.name, value)).collect();
        self.scope.values(&given).unwrap()
    }

    /// Half of the time a random witness.
    /// One with a layout, where that has room.
    pub fn with_layout(rng: &mut Rng) -> Option<(Problem, Nest, SymbolicLayout)> {
        let mut problem = Problem::random(rng);
        let modes = problem.modes(rng);
        let nest = Nest::random(rng, modes);
        let layout = problem.layout(&nest)?;
        Some((problem, nest, layout))
    }

    pub fn hint(&mut self, rng: &mut Rng) {
        if rng.chance(50) {
            let values = self.values(rng, true);
            for (known, value) in self.names.iter().zip(values) {
                self.scope.hint(known.name, Some(value)).unwrap();
            }
        }
    }

    pub fn name(&self, rng: &mut Rng) -> String {
        rng.pick(&self.names).name.to_owned()
    }

    pub fn number(&self, rng: &mut Rng, numbers: &[i64]) -> String {
        let name = self.name(rng);
        match rng.range(1, 100) {
            ..=50 => rng.pick(numbers).to_string(),
            51..=85 => format!("{}*{name}", rng.pick(&[1, 1, 1, 2, 3, 4])),
            86..=93 => format!("{name}*{}", self.name(rng)),
            _ => format!("1*({name} + {})", rng.pick(&[0, 1, 2])),
        }
    }

    /// Compact, padded, shuffled or arbitrary.
    pub fn modes(&self, rng: &mut Rng) -> Vec<Mode> {
        let rank = rng.range(1, 4);
        let extents: Vec<String> = (0..rank).map(|_| self.number(rng, &[1, 2, 2, 3, 4, 4, 6, 8])).collect();
        let (padded, shuffled) = (rng.chance(50), rng.chance(65));
        let (mut strides, mut current) = (Vec::new(), rng.pick(&["1", "1", "1", "2"]).to_string());
        for extent in &extents {
            strides.push(current.clone());
            current = format!("{current}*{extent}*{}", if padded { *rng.pick(&[1, 1, 2]) } else { 1 });
        }
        if shuffled {
            rng.shuffle(&mut strides);
        }
        extents
            .into_iter()
            .zip(strides)
            .map(|(extent, stride)| {
                let own = rng.chance(25);
                (extent, if own { self.number(rng, &[0, 1, 2, 3, 4, 5, 8, -1]) } else { stride })
            })
            .collect()
    }

    /// The same modes, whose strides are sums of one to three multiples of components.
    pub fn sums(&self, rng: &mut Rng) -> Vec<Mode> {
        let sum = |(extent, stride): Mode, rng: &mut Rng| {
            let mut components = [0, 1, 2];
            rng.shuffle(&mut components);
            let mut terms = vec![format!("({stride})@{}", components[0])];
            for component in &components[1..rng.range(1, 3) as usize] {
                terms.push(format!("({})@{component}", self.number(rng, &[1, 1, -1, 2, -2, 3, 4])));
            }
            let text = terms.join("+");
            (extent, if terms.len() > 1 { format!("({text})") } else { text })
        };
        self.modes(rng).into_iter().map(|mode| sum(mode, rng)).collect()
    }

    /// Leaves that are aimed at the bounds of a left operand.
    pub fn right(&self, rng: &mut Rng, left: &[Mode], most: i64) -> Vec<Mode> {
        let mut bounds = vec![String::from("1")];
        for (extent, _) in left {
            bounds.push(format!("{}*{extent}", bounds.last().unwrap()));
        }
        let (mut out, mut current) = (Vec::new(), String::from("1"));
        for _ in 0..rng.range(1, most) {
            let stride = match rng.range(1, 100) {
                ..=35 => format!("{}*{}", rng.pick(&bounds), rng.pick(&[1, 1, 1, 2, 3])),
                36..=70 => format!("{current}*{}", rng.pick(&[1, 1, 1, 2])),
                _ => self.number(rng, &[1, 1, 2, 2, 3, 4, 6, 0, 8]),
            };
            let mut extent = match rng.range(1, 100) {
                ..=40 => rng.pick(&[2, 2, 3, 4, 4, 8, 1]).to_string(),
                41..=70 => format!("{}*{}", rng.pick(left).0, rng.pick(&[1, 1, 2])),
                _ => self.number(rng, &[2, 3, 4]),
            };
            let known = rng.pick(&self.names);
            if known.divisor > 1 && rng.chance(20) {
                extent = format!("{}/{}", known.name, known.divisor);
            }
            current = format!("({stride})*({extent})");
            out.push((extent, stride));
        }
        out
    }

    /// `None` for numbers that do not fit.
    pub fn layout(&mut self, nest: &Nest) -> Option<SymbolicLayout> {
        match self.scope.layout(&nest.text()) {
            Ok(layout) => Some(layout),
            Err(tilework::Error::Capacity { .. } | tilework::Error::Overflow { .. }) => None,
            Err(error) => panic!("{}: {error}", nest.text()),
        }
    }
}

/// Modes of one or more leaves: the profile of an operand.
#[derive(Clone, Debug)]
pub struct Nest(pub Vec<Vec<Mode>>);

impl Nest {
    /// Leaves in a random nesting; a single one may stand alone.
    pub fn random(rng: &mut Rng, leaves: Vec<Mode>) -> Nest {
        let mut modes: Vec<Vec<Mode>> = Vec::new();
        for leaf in leaves {
            match modes.last_mut() {
                Some(last) if rng.chance(25) => last.push(leaf),
                _ => modes.push(vec![leaf]),
            }
        }
        Nest(modes)
    }

    pub fn text(&self) -> String {
        format!("{}:{}", self.side(|mode| &mode.0), self.side(|mode| &mode.1))
    }

    fn side(&self, of: impl Fn(&Mode) -> &String) -> String {
        let tuple = |parts: Vec<String>| {
            if parts.len() == 1 { parts[0].clone() } else { format!("({})", parts.join(",")) }
        };
        tuple(self.0.iter().map(|mode| tuple(mode.iter().map(|leaf| of(leaf).clone()).collect())).collect())
    }

    /// The path of each leaf.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        let mut paths = Vec::new();
        for (i, mode) in self.0.iter().enumerate() {
            for j in 0..mode.len() {
                let mut path = if self.0.len() == 1 { vec![] } else { vec![i] };
                if mode.len() > 1 {
                    path.push(j);
                }
                paths.push(path);
            }
        }
        paths
    }
}

/// The offset of an integral coordinate by the definition, in 128 bits; the last mode is not wrapped.
pub fn offset(layout: &Layout, index: i128) -> i128 {
    along(layout, index, |stride| stride.count())
}

/// The component of the element of an index by the definition.
pub fn component(layout: &Layout, component: usize, index: i128) -> i128 {
    let unit = Unit::basis(&[component]).unwrap();
    along(layout, index, |stride| stride.coefficient(unit))
}

fn along(layout: &Layout, index: i128, count: impl Fn(&Stride) -> Rational) -> i128 {
    let (leaves, mut rest, mut sum) = (layout.leaves(), index, 0);
    for (i, leaf) in leaves.iter().enumerate() {
        let extent = leaf.extent as i128;
        let digit = if i + 1 < leaves.len() { rest.rem_euclid(extent) } else { rest };
        sum += digit * count(&leaf.stride).numerator() as i128;
        rest = rest.div_euclid(extent);
    }
    sum
}

/// How many cases to run where `count` are due in release.
pub fn cases(count: usize) -> usize {
    testkit::scaled(count, 0.02).max(20)
}

pub fn rng(name: &str) -> Rng {
    Rng::named(name)
}

/// What became of the instances of one operation.
#[derive(Default)]
pub struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    pub fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn of(&self, what: &str) -> usize {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Judges an instance: where the guard holds the result is right; where it fails it is wrong, but for exceptions that
    /// are counted.
    pub fn judge(&mut self, holds: bool, same: bool, exists: bool, case: impl Fn() -> String) {
        if holds {
            self.add("guard holds");
            assert!(same, "wrong where the guard holds: {}", case());
        } else if same {
            self.add("guard fails, yet right");
        } else {
            self.add(if exists { "guard fails, another layout" } else { "guard fails, no layout" });
        }
    }

    /// Prints the counts, and checks how often a guard that fails is too strong.
    pub fn finish(&self, name: &str, exceptions: f64) {
        for (what, count) in &self.0 {
            println!("{name}: {count:8}  {what}");
        }
        let loose = self.of("guard fails, yet right");
        let failing = loose + self.of("guard fails, another layout") + self.of("guard fails, no layout");
        assert!(self.of("guard holds") > 0, "{name}: no instance was judged");
        if failing >= 500 {
            let share = loose as f64 / failing as f64;
            assert!(share <= exceptions, "{name}: {share} of the guards that fail are too strong");
        }
    }
}
