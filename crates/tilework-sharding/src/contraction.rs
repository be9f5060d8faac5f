//! Products of sharded tensors with communication: the search for the cheapest choice.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::einsum::checked;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::redistribution::Redistribution;
use crate::sharding::{Digit, Owner, Reduction, Sharding};

/// The most divisions of the labels that are compared. Those that tensors already have come first.
const CHOICES: usize = 1 << 14;

/// The most plans of single tensors.
const PLANS: usize = 1 << 12;

/// The most axes for which blocks are tried in every order.
const ORDERED: usize = 3;

/// The most digits or optional axes for which all combinations are tried.
const FREE: usize = 6;

/// The number of choices that are kept, the best first.
const SHOWN: usize = 4;

/// An einsum of tensors on one mesh: the communication before it, the local products, and the communication after it.
///
/// Each axis of the mesh divides one label or none. The search compares the divisions of the operands and of the
/// result, with or without each of the axes, and blocks along any axes. The cost is the number of elements that the
/// most loaded device receives, by the plans of [`Redistribution`], weighted by width if tensors have
/// [several](Self::with_bits); ties are broken by the number of products per device.
///
/// ```
/// use tilework_sharding::{Contraction, Mesh, Sharding};
/// let mesh = Mesh::parse("x=2,y=4")?;
/// let a = Sharding::from_partition_spec(&mesh, &[64, 32], "P(x, y)")?;
/// let b = Sharding::from_partition_spec(&mesh, &[32, 16], "P(y, x)")?;
/// let plan = Contraction::new(&[(&['i', 'j'], &a), (&['j', 'k'], &b)], &['i', 'k'], Some(&a_times_b(&mesh)?))?;
/// assert_eq!((plan.received(), plan.products()), (448, 4096));
/// assert!(plan.to_string().starts_with("operand 0 stays\n"));
/// # fn a_times_b(mesh: &Mesh) -> Result<Sharding, tilework_sharding::Error> {
/// #     Sharding::from_partition_spec(mesh, &[64, 16], "P(x, y)")
/// # }
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contraction {
    labels: Vec<(char, i64)>,
    /// The chosen one, and the next best that divide the labels differently.
    choices: Vec<Choice>,
    compared: usize,
    /// The bits of an element of each operand and of the result, if these differ.
    bits: Option<Vec<i64>>,
}

/// One choice.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Choice {
    operands: Vec<Redistribution>,
    result: Redistribution,
    /// For each label, the axes that divide it, and the extent on a device.
    divided: Vec<(String, i64)>,
    received: i64,
    /// The bits that are received, or the elements if all tensors have the same width.
    cost: i128,
    products: i64,
}

impl Contraction {
    /// Plans a product. `operands` are labels, one per dimension, with their shardings. Without a sharding for the
    /// result, the cheapest one without pending sums is used; if whole axes divide all operands into even blocks, as
    /// JAX holds arrays, they also divide the result so.
    ///
    /// # Errors
    /// [`Error::Label`], [`Error::Rank`] and [`Error::Different`] if the operands do not fit together or the result has
    /// another shape; [`Error::Inexpressible`] if no choice can be planned, because blocks do not divide each other and
    /// are too many.
    pub fn new(
        operands: &[(&[char], &Sharding)],
        output: &[char],
        result: Option<&Sharding>,
    ) -> Result<Contraction, Error> {
        Contraction::weighed(operands, output, result, None)
    }

    /// Plans a product of tensors with different element widths: `bits` of each operand, and of the result.
    ///
    /// ```
    /// use tilework_sharding::{Contraction, Mesh, Sharding};
    /// let mesh = Mesh::parse("x=4")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[64, 64], text);
    /// let (a, b, out) = (spec("P(x)")?, spec("P(None, x)")?, spec("P(x)")?);
    /// let plan = |bits| Contraction::with_bits(&[(&['i', 'j'], &a), (&['j', 'k'], &b)], &['i', 'k'], Some(&out), bits);
    /// // As many elements of a move as of the result; what is narrower moves.
    /// assert!(plan(&[8, 8, 32])?.result().steps().unwrap().is_empty());
    /// assert!(!plan(&[32, 32, 8])?.result().steps().unwrap().is_empty());
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`Error::Rank`] for a wrong number of widths, [`Error::Extent`] for one below 1.
    pub fn with_bits(
        operands: &[(&[char], &Sharding)],
        output: &[char],
        result: Option<&Sharding>,
        bits: &[i64],
    ) -> Result<Contraction, Error> {
        let (found, expected) = (bits.len(), operands.len() + 1);
        if found != expected {
            return Err(Error::Rank { what: "the widths of operands and result", found, expected });
        }
        if let Some(&extent) = bits.iter().find(|&&bits| bits < 1) {
            return Err(Error::Extent { what: "the bits of an element", extent });
        }
        let several = bits.iter().any(|own| *own != bits[0]);
        Contraction::weighed(operands, output, result, several.then(|| bits.to_vec()))
    }

    fn weighed(
        operands: &[(&[char], &Sharding)],
        output: &[char],
        result: Option<&Sharding>,
        bits: Option<Vec<i64>>,
    ) -> Result<Contraction, Error> {
        let first = checked(operands, output)?;
        if let Some(result) = result {
            checked(&[operands, &[(output, result)]].concat(), output)?;
        }
        let mut search = Search::new(first.mesh(), operands, output, result);
        if let Some(bits) = &bits {
            search.bits.clone_from(bits);
        }
        search.run();
        let mut found: Vec<&Found> = search.found.values().collect();
        found.sort_by_key(|found| (found.cost, found.products));
        let choices =
            found.iter().take(SHOWN).map(|found| search.choice(found)).collect::<Result<Vec<_>, _>>()?;
        if choices.is_empty() {
            return Err(Error::Inexpressible {
                form: "a plan of collectives",
                mode: String::from("the product"),
                why: String::from("blocks do not divide each other, and are too many to be compared"),
            });
        }
        let labels = search.labels.iter().map(|label| (label.name, label.extent)).collect();
        Ok(Contraction { labels, choices, compared: search.compared, bits })
    }

    /// The redistribution of each operand before the product.
    #[must_use]
    pub fn operands(&self) -> &[Redistribution] {
        &self.choices[0].operands
    }

    /// The redistribution of the local products to the result.
    #[must_use]
    pub fn result(&self) -> &Redistribution {
        &self.choices[0].result
    }

    /// The most elements that a device receives, in total.
    #[must_use]
    pub fn received(&self) -> i64 {
        self.choices[0].received
    }

    /// The number of products that each device computes.
    #[must_use]
    pub fn products(&self) -> i64 {
        self.choices[0].products
    }
}

impl fmt::Display for Contraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((chosen, others)) = self.choices.split_first() else { return Ok(()) };
        for (number, plan) in chosen.operands.iter().enumerate() {
            write_plan(f, &format!("operand {number}"), plan)?;
        }
        let parts = self.labels.iter().zip(&chosen.divided).map(|(&(name, extent), (_, own))| {
            if *own == extent {
                format!("{extent} of {name}")
            } else {
                format!("{own} of {extent} of {name}")
            }
        });
        let parts: Vec<String> = parts.collect();
        writeln!(f, "a device multiplies {}: {} products", parts.join(", "), chosen.products)?;
        write_plan(f, "result", &chosen.result)?;
        let (unit, bits) = if self.bits.is_some() { ("bytes", 8) } else { ("elements", 1) };
        let cost = |choice: &Choice| (choice.cost - 1).div_euclid(bits) + 1;
        write!(f, "{} {unit} to a device, the least of {} choices", cost(chosen), self.compared)?;
        for other in others {
            write!(f, "\n{} and {} products with {}", cost(other), other.products, self.divided(other))?;
        }
        Ok(())
    }
}

impl Contraction {
    fn divided(&self, choice: &Choice) -> String {
        let by = |(label, (axes, _)): (&(char, i64), &(String, i64))| {
            (!axes.is_empty()).then(|| format!("{} by {axes}", label.0))
        };
        let divided: Vec<String> = self.labels.iter().zip(&choice.divided).filter_map(by).collect();
        if divided.is_empty() { String::from("nothing divided") } else { divided.join(", ") }
    }
}

fn write_plan(f: &mut fmt::Formatter<'_>, what: &str, plan: &Redistribution) -> fmt::Result {
    if plan.from() == plan.to() {
        return writeln!(f, "{what} stays");
    }
    for step in plan.steps().or(plan.settling().and_then(Redistribution::steps)).unwrap_or_default() {
        writeln!(f, "{what}: {step}; {} elements to a device", step.received())?;
    }
    if plan.steps().is_none() { writeln!(f, "{what}: messages") } else { Ok(()) }
}

/// The most elements that a device receives; none if no plan exists.
fn received(plan: &Redistribution) -> Option<i64> {
    match plan.steps() {
        _ if plan.from() == plan.to() => Some(0),
        Some(steps) => Some(steps.iter().map(crate::Step::received).fold(0, i64::saturating_add)),
        None => plan.most_received(),
    }
}

/// One division of a label, and its axes as bits.
struct Division {
    digits: Vec<Digit>,
    axes: u64,
}

struct Label {
    name: char,
    extent: i64,
    divisions: Vec<Division>,
}

impl Label {
    /// Adds a division, if it is valid.
    fn add(&mut self, mesh: &Mesh, digits: Vec<Digit>) {
        let Ok(own) = Sharding::from_digits(mesh, &[self.extent], vec![digits]) else { return };
        let digits = own.digits()[0].clone();
        if self.divisions.iter().all(|division| division.digits != digits) {
            let axes = digits.iter().filter_map(axis_of).fold(0, |axes, axis| axes | 1 << axis);
            self.divisions.push(Division { digits, axes });
        }
    }

    /// Adds the division of a tensor, and those with fewer axes, whose digits are then local.
    fn add_with_fewer(&mut self, mesh: &Mesh, digits: &[Digit]) {
        self.add(mesh, digits.to_vec());
        let divided: Vec<usize> = (0..digits.len()).filter(|&i| !digits[i].is_local()).collect();
        for kept in (0..subsets(divided.len())).rev().skip(1) {
            let mut own = digits.to_vec();
            for (bit, &digit) in divided.iter().enumerate() {
                if kept >> bit & 1 == 0 {
                    own[digit].owner = Owner::Local { weight: 1 };
                }
            }
            let mut weight = 1;
            for digit in own.iter_mut().filter(|digit| digit.is_local()) {
                digit.owner = Owner::Local { weight };
                weight *= digit.extent;
            }
            self.add(mesh, own);
        }
    }

    /// Adds blocks along some of the axes, if they are even: along up to [`ORDERED`] axes in every order, otherwise
    /// with the first the slowest.
    fn add_blocks(&mut self, mesh: &Mesh) {
        let axes = mesh.axes();
        for kept in 0..subsets(axes.len()) {
            let own: Vec<usize> = (0..axes.len()).filter(|&axis| kept >> axis & 1 == 1).collect();
            let devices = own.iter().try_fold(1i64, |all, &axis| all.checked_mul(axes[axis].extent()));
            let Some(devices) = devices.filter(|devices| self.extent % devices == 0) else { continue };
            for order in orders(&own) {
                let mut stride = self.extent / devices;
                let mut digits = vec![Digit { extent: stride, stride: 1, owner: Owner::Local { weight: 1 } }];
                for &axis in order.iter().rev() {
                    let extent = axes[axis].extent();
                    digits.push(Digit { extent, stride, owner: Owner::Axis { axis, weight: 1 } });
                    stride *= extent;
                }
                self.add(mesh, digits);
            }
        }
    }
}

/// The orders of some axes that are tried, the given one first.
fn orders(axes: &[usize]) -> Vec<Vec<usize>> {
    if axes.len() > ORDERED {
        return vec![axes.to_vec()];
    }
    let mut orders = vec![Vec::new()];
    for _ in axes {
        let longer = |order: &Vec<usize>| {
            let left = axes.iter().filter(|axis| !order.contains(axis));
            left.map(|&axis| [&order[..], &[axis]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// The number of subsets that are tried: beyond [`FREE`] only the empty one.
fn subsets(of: usize) -> usize {
    if of > FREE { 1 } else { 1 << of }
}

fn axis_of(digit: &Digit) -> Option<usize> {
    match digit.owner {
        Owner::Axis { axis, .. } => Some(axis),
        Owner::Local { .. } => None,
    }
}

/// A choice by numbers: the division of each label, and the axes along which the sum of each operand stays pending.
struct Found {
    divisions: Vec<usize>,
    kept: Vec<u64>,
    received: i64,
    cost: i128,
    products: i64,
}

/// The costs of redistributions, by the divisions of the labels and by the pending sums.
type Costs = BTreeMap<(Vec<usize>, u64), Option<i64>>;

struct Search<'s> {
    mesh: &'s Mesh,
    labels: Vec<Label>,
    /// The labels of each operand, and its sharding.
    operands: Vec<(Vec<usize>, &'s Sharding)>,
    output: Vec<usize>,
    result: Option<&'s Sharding>,
    costs: Vec<Costs>,
    /// The weight of an element of each operand and of the result.
    bits: Vec<i64>,
    compared: usize,
    /// The best of those that divide the labels by the same axes.
    found: BTreeMap<Vec<u64>, Found>,
}

impl<'s> Search<'s> {
    fn new(
        mesh: &'s Mesh,
        operands: &[(&[char], &'s Sharding)],
        output: &[char],
        result: Option<&'s Sharding>,
    ) -> Search<'s> {
        let mut labels: Vec<Label> = Vec::new();
        for (names, sharding) in operands.iter().copied().chain(result.map(|result| (output, result))) {
            for ((&name, &extent), digits) in names.iter().zip(sharding.shape()).zip(sharding.digits()) {
                let at = labels.iter().position(|label| label.name == name).unwrap_or_else(|| {
                    labels.push(Label { name, extent, divisions: Vec::new() });
                    labels.len() - 1
                });
                labels[at].add_with_fewer(mesh, digits);
            }
        }
        for label in &mut labels {
            label.add_blocks(mesh);
        }
        let number = |names: &[char]| -> Vec<usize> {
            names.iter().filter_map(|name| labels.iter().position(|label| label.name == *name)).collect()
        };
        let output = number(output);
        let operands: Vec<_> = operands.iter().map(|&(names, sharding)| (number(names), sharding)).collect();
        let (costs, bits) = (vec![Costs::new(); operands.len() + 1], vec![1; operands.len() + 1]);
        Search { mesh, labels, operands, output, result, costs, bits, compared: 0, found: BTreeMap::new() }
    }

    /// Searches the divisions of all labels in which no axis divides two.
    fn run(&mut self) {
        let (mut chosen, mut used, mut next) = (Vec::new(), vec![0u64], 0);
        while self.compared < CHOICES {
            let (level, taken) = (chosen.len(), used[chosen.len()]);
            match self.labels.get(level) {
                None => self.compare(&chosen, taken),
                Some(label) => {
                    let free = |&i: &usize| label.divisions[i].axes & taken == 0;
                    if let Some(own) = (next..label.divisions.len()).find(free) {
                        used.push(taken | label.divisions[own].axes);
                        chosen.push(own);
                        next = 0;
                        continue;
                    }
                }
            }
            let Some(last) = chosen.pop() else { break };
            used.pop();
            next = last + 1;
        }
    }

    /// Compares the choices with one division of the labels: each pending sum of an operand may be reduced before or
    /// after the product.
    fn compare(&mut self, divisions: &[usize], used: u64) {
        let mut open = Vec::new();
        for (operand, (_, sharding)) in self.operands.iter().enumerate() {
            let free = |axis: &usize| sharding.owed()[*axis] == Some(Reduction::Sum) && used >> axis & 1 == 0;
            open.extend((0..self.mesh.axes().len()).filter(free).map(|axis| (operand, axis)));
        }
        for subset in 0..subsets(open.len()) {
            let (mut kept, mut all, mut twice) = (vec![0u64; self.operands.len()], 0u64, false);
            for (bit, &(operand, axis)) in open.iter().enumerate() {
                if subset >> bit & 1 == 1 {
                    twice |= all >> axis & 1 == 1;
                    all |= 1 << axis;
                    kept[operand] |= 1 << axis;
                }
            }
            if !twice {
                self.compared += 1;
                self.rate(divisions, kept, all);
            }
        }
    }

    fn rate(&mut self, divisions: &[usize], kept: Vec<u64>, owed: u64) {
        let summed = (0..divisions.len()).filter(|label| !self.output.contains(label));
        let owed =
            summed.fold(owed, |owed, label| owed | self.labels[label].divisions[divisions[label]].axes);
        let result = (self.operands.len(), owed);
        let (mut received, mut cost) = (0i64, 0i128);
        for (number, owed) in kept.iter().copied().enumerate().chain([result]) {
            let Some(own) = self.cost(number, divisions, owed) else { return };
            received = received.saturating_add(own);
            cost += i128::from(own) * i128::from(self.bits[number]);
        }
        let local = |(label, &division): (&Label, &usize)| local(&label.divisions[division].digits);
        let products = self.labels.iter().zip(divisions).map(local).fold(1, i64::saturating_mul);
        let axes = |(label, &division): (&Label, &usize)| label.divisions[division].axes;
        let by_axes: Vec<u64> = self.labels.iter().zip(divisions).map(axes).collect();
        let better = |other: &Found| (other.cost, other.products) <= (cost, products);
        if !self.found.get(&by_axes).is_some_and(better) {
            self.found
                .insert(by_axes, Found { divisions: divisions.to_vec(), kept, received, cost, products });
        }
    }

    /// The cost of preparing an operand or, after the last one, of finishing the result; none if there is no plan.
    fn cost(&mut self, number: usize, divisions: &[usize], owed: u64) -> Option<i64> {
        let labels = self.operands.get(number).map_or(&self.output, |(labels, _)| labels);
        let key = (labels.iter().map(|&label| divisions[label]).collect(), owed);
        if let Some(&cost) = self.costs[number].get(&key) {
            return cost;
        }
        if self.costs.iter().map(BTreeMap::len).sum::<usize>() >= PLANS {
            return None;
        }
        let plan = match number < self.operands.len() {
            true => self.prepare(number, divisions, owed),
            false => self.finish(divisions, owed),
        };
        let cost = plan.ok().and_then(|plan| received(&plan));
        self.costs[number].insert(key, cost);
        cost
    }

    /// A tensor of some labels with their divisions, with sums pending along some axes.
    fn divided(&self, labels: &[usize], divisions: &[usize], owed: u64) -> Result<Sharding, Error> {
        let shape: Vec<i64> = labels.iter().map(|&label| self.labels[label].extent).collect();
        let digits =
            labels.iter().map(|&label| self.labels[label].divisions[divisions[label]].digits.clone());
        let owed = |axis: usize| (owed >> axis & 1 == 1).then_some(Reduction::Sum);
        let owed: Vec<_> = (0..self.mesh.axes().len()).map(owed).collect();
        Sharding::from_digits(self.mesh, &shape, digits.collect())?.owing(&owed)
    }

    fn prepare(&self, number: usize, divisions: &[usize], owed: u64) -> Result<Redistribution, Error> {
        let (labels, sharding) = &self.operands[number];
        Redistribution::new(sharding, &self.divided(labels, divisions, owed)?)
    }

    fn finish(&self, divisions: &[usize], owed: u64) -> Result<Redistribution, Error> {
        let product = self.divided(&self.output, divisions, owed)?;
        match self.result {
            Some(result) => Redistribution::new(&product, result),
            None => {
                let whole = product.reduced(&vec![None; product.owed().len()])?;
                let regular = self.operands.iter().all(|(_, sharding)| sharding.is_regular());
                let mut target = whole.divided_along(&product, !regular)?;
                if regular && !target.is_regular() {
                    target = Sharding::of_blocks(self.mesh, product.shape(), &[])?;
                }
                Redistribution::new(&product, &target)
            }
        }
    }

    fn choice(&self, found: &Found) -> Result<Choice, Error> {
        let number = |number| self.prepare(number, &found.divisions, found.kept[number]);
        let operands = (0..self.operands.len()).map(number).collect::<Result<Vec<_>, _>>()?;
        let own = || self.labels.iter().zip(&found.divisions).map(|(label, &own)| &label.divisions[own]);
        let summed = own().enumerate().filter(|(label, _)| !self.output.contains(label));
        let owed = summed.fold(0, |owed, (_, division)| owed | division.axes);
        let owed = found.kept.iter().fold(owed, |owed, kept| owed | kept);
        let divided = own().map(|division| {
            let axes = division.digits.iter().rev().filter_map(axis_of);
            let names: Vec<&str> = axes.map(|axis| self.mesh.axes()[axis].name()).collect();
            (names.join(", "), local(&division.digits))
        });
        Ok(Choice {
            operands,
            result: self.finish(&found.divisions, owed)?,
            divided: divided.collect(),
            received: found.received,
            cost: found.cost,
            products: found.products,
        })
    }
}

/// The extent of a label on a device.
fn local(digits: &[Digit]) -> i64 {
    digits.iter().filter(|digit| digit.is_local()).map(|digit| digit.extent).product()
}
