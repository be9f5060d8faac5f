//! Values from outside of a tensor: what `else` gives may be stored, but may be folded only where it changes nothing.
//!
//! Every expression is evaluated at samples of what is inside, and once more for each extent that an element of it may be
//! outside of, with the value of `else` there. A result that the samples share is known whatever is inside. A value carries
//! the coordinates that decide whether it is outside, through registers and shared memory, and the tensors that it was
//! computed from.
//!
//! There are two ways to fold. A statement computes an element from what it replaces, while a digit runs that the
//! destination does not have. Or elements of one tensor at a constant distance are operands of one function, as in a tree:
//! then the one may be outside while the other is inside, and has to leave it as it is; else what comes of both is no
//! result but that of a stencil, which is near them. Operands of a fold can be exchanged: a difference is none.

use super::along::{Along, Known, Stored, overlap};
use super::ranges::{Range, ranges};
use super::report::{Certainty, Report};
use super::site::{Site, always, extent, in_two_steps};
use crate::access::Access;
use crate::arithmetic::apply;
use crate::element::Element;
use crate::error::Error;
use crate::form::{Digit, Form, Index, Indices};
use crate::instruction::Instruction;
use crate::program::{Expr, Function, Program, Space, Storage, View};
use crate::sizes::Addresses;
use crate::verify::{Type, typed};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tilework_symbolic::{Number, Scope, Verdict};

type Samples = [f64; 5];

/// 2^127, a large number of f32 and bf16.
const MANY: f64 = (1u128 << 127) as f64;

/// What an element may be that statements have left different values in.
const UNKNOWN: Samples = [MANY, -MANY, -7.0, 11.0, 0.5];

/// Inside, and where an element is outside of one extent.
#[derive(Clone, Debug)]
struct Cases {
    inside: Samples,
    outside: BTreeMap<String, Samples>,
    /// Where others are outside of an extent, and it has no element along it: a constant is itself.
    other: Samples,
}

impl Cases {
    fn at(&self, extent: &str) -> &Samples {
        self.outside.get(extent).unwrap_or(&self.other)
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
struct Value {
    cases: Cases,
    /// By extent, the coordinates along it.
    along: BTreeMap<String, Vec<Along>>,
    /// Where an element is outside of an extent, and those at smaller coordinates are inside.
    between: Vec<(String, Along, Samples)>,
    /// By extent, sets of coordinates: a condition is false where all of one set are outside.
    masks: BTreeMap<String, Vec<Vec<Along>>>,
    /// The shared tensors and registers that it was computed from, with the loops whose steps before may have written them.
    from: BTreeMap<usize, (Cases, Vec<usize>)>,
    /// The extents along which elements were exchangeable operands of a function.
    exchanged: BTreeSet<String>,
    /// Whether it is the result of a function, and no element itself.
    is_computed: bool,
}

impl Value {
    fn inside(samples: Samples) -> Value {
        let cases = Cases { inside: samples, outside: BTreeMap::new(), other: samples };
        let (along, from) = (BTreeMap::new(), BTreeMap::new());
        Value {
            cases,
            along,
            between: Vec::new(),
            masks: BTreeMap::new(),
            from,
            exchanged: BTreeSet::new(),
            is_computed: false,
        }
    }

    fn along(&self, extent: &str) -> &[Along] {
        self.along.get(extent).map_or(&[], |own| own)
    }

    /// What it is where the elements from a coordinate on are outside.
    fn from(&self, extent: &String, first: &Along, elements: [i64; 2]) -> &Samples {
        if let Some((.., own)) = self.between.iter().find(|(own, at, _)| own == extent && at == first) {
            return own;
        }
        let is_before = |own: &Along| {
            !own.is_inside
                && own.origin == first.origin
                && own.distance(first, elements).is_some_and(|far| far > 0)
        };
        let is_outside = |own: &Along| first.distance(own, elements).is_some_and(|far| far >= 0);
        if self.along(extent).contains(first) && self.along(extent).iter().any(is_before) {
            return &UNKNOWN;
        }
        let mut masks = self.masks.get(extent).into_iter().flatten();
        match self.along(extent).iter().any(is_outside) || masks.any(|own| own.iter().all(is_outside)) {
            true => self.cases.at(extent),
            false => &self.cases.inside,
        }
    }
}

/// What a shared tensor or a register holds.
#[derive(Default)]
struct Held<'a> {
    parts: Vec<Part<'a>>,
    /// The loops in which it was last written without what it had.
    loops: Vec<usize>,
}

/// What a statement has left in a tensor.
struct Part<'a> {
    cases: Cases,
    along: BTreeMap<String, Vec<Stored>>,
    from: BTreeMap<usize, (Cases, Vec<usize>)>,
    exchanged: BTreeSet<String>,
    is_computed: bool,
    site: &'a Site<'a>,
    forms: Vec<Form>,
    /// The addresses that still have it, where they are the same in all blocks and steps.
    region: Option<Vec<usize>>,
}

/// Checks every fold, with what each shared tensor and register may hold.
pub fn check<'a>(program: &'a Program, sites: &'a [Site<'a>], report: &mut Report) -> Result<(), Error> {
    let addresses = program.tensors.iter().map(|tensor| match &tensor.storage {
        Storage::Global(_) => Ok(None),
        Storage::Local(layout) => Addresses::new(layout).map(Some),
    });
    let addresses: Vec<_> = addresses.collect::<Result<_, _>>()?;
    let ranges = ranges(program, sites)?;
    let mut held: Vec<Held<'a>> = program.tensors.iter().map(|_| Held::default()).collect();
    for (site, _) in in_two_steps(program, sites) {
        let (forms, mut rows) = (site.to.forms(program.tensor(site.to).rank()), Vec::new());
        site.value.visit(&mut |view, _| rows.extend(view.gathers().map(|(rows, _)| rows)));
        let statement =
            Statement { program, site, held: &held, addresses: &addresses, ranges: &ranges, rows, forms };
        let (value, is_fold) = statement.check(report)?;
        if !program.tensor(site.to).space.is_global() {
            let part = statement.part(value);
            held[site.to.tensor].store(program, part, is_fold);
        }
    }
    Ok(())
}

impl<'a> Held<'a> {
    /// The loops around a statement that do not write it anew in each step before.
    fn carried(&self, site: &Site<'_>) -> Vec<usize> {
        site.loops.iter().map(|(name, _)| *name).filter(|name| !self.loops.contains(name)).collect()
    }

    /// Keeps what a statement leaves, and what it does not surely replace.
    fn store(&mut self, program: &Program, part: Part<'a>, is_fold: bool) {
        let site = part.site;
        let is_repeated = |other: &Site<'_>, (name, count): &(usize, &Number)| {
            other.loops.iter().any(|(own, _)| own == name)
                || matches!(program.scope.is_at_least(count, &1.into()), Ok(Verdict::Always))
        };
        let is_same = |other: &Site<'_>, (form, below): &(&Form, &Number)| {
            other.whens.iter().any(|own| core::ptr::eq(own.0, *form) && core::ptr::eq(own.1, *below))
        };
        // Wherever the other one was executed, this one is.
        let follows = |other: &Site<'_>| {
            site.loops.iter().all(|own| is_repeated(other, own))
                && site.whens.iter().all(|own| is_same(other, own))
        };
        self.parts.retain_mut(|other| {
            if !follows(other.site) {
                return true;
            }
            match (&part.region, &mut other.region) {
                (Some(own), Some(other)) => {
                    other.retain(|at| own.binary_search(at).is_err());
                    !other.is_empty()
                }
                _ => {
                    let [own, other] =
                        [&part, other].map(|part| (&part.forms, part.site.active, part.site.values));
                    own != other
                }
            }
        });
        if !is_fold && (self.parts.is_empty() || site.whens.is_empty()) {
            self.loops = site.loops.iter().map(|(name, _)| *name).collect();
        }
        self.parts.push(part);
    }
}

/// A statement, and what it finds in memory.
struct Statement<'s, 'a> {
    program: &'a Program,
    site: &'a Site<'a>,
    held: &'s [Held<'a>],
    addresses: &'s [Option<Addresses>],
    ranges: &'s [Range],
    /// The views of this statement that are read for coordinates of others.
    rows: Vec<&'a View>,
    /// Of the destination.
    forms: Vec<Form>,
}

impl<'a> Statement<'_, 'a> {
    /// What it computes, and whether it folds.
    fn check(&self, report: &mut Report) -> Result<(Value, bool), Error> {
        let (site, place, tensor) = (self.site, self.site.to.tensor, self.program.tensor(self.site.to));
        let mut value = self.evaluate(site.value, Some(0))?;
        self.exchange(&mut value)?;
        // What it replaces it has itself, or something that was computed from it.
        let mut is_read = false;
        site.value.visit(&mut |view, _| is_read |= self.is_old(view));
        if is_read {
            value.from.insert(place, (self.old(0).cases, self.held[place].carried(site)));
        }
        let name = &tensor.name;
        let mut fold = |extent: &String, what: &str| {
            let text = format!(
                "{name} folds what is outside of [0,{extent}), which {what}: give an `else` that changes nothing, or \
                 select by coordinate(.., ..) < {extent}"
            );
            report.push(Some(site.line), Certainty::Wrong, text);
        };
        let found = value.from.get(&place).filter(|(_, carried)| self.is_fold(carried));
        let Some((old, carried)) = found else {
            if let Some(extent) = self.mixed(&value) {
                fold(extent, "changes it");
            }
            return Ok((value, false));
        };
        // The largest numbers may have no product with 0.
        let differ = |(new, old): (&f64, &f64)| new != old && !new.is_nan();
        // Lanes of a matrix instruction share what both factors are outside of.
        let factors = match site.by {
            Some(Instruction::Multiply(_)) => site.value.factors(site.to),
            _ => None,
        };
        let is_outside = |view: &View, extent: &String| {
            self.held[view.tensor].parts.iter().any(|own| own.cases.outside.contains_key(extent))
        };
        let is_folded = |extent: &String| {
            factors.is_some_and(|factors| factors.iter().all(|view| is_outside(view, extent)))
                || value.along(extent).iter().flat_map(Along::digits).any(|digit| self.runs(&digit, carried))
        };
        let is_wrong = |(extent, new): &(&String, &Samples)| {
            (new.iter().zip(old.at(extent)).any(differ) || new.iter().all(|sample| sample.is_nan()))
                && is_folded(extent)
        };
        if let Some((extent, new)) = value.cases.outside.iter().find(is_wrong) {
            let is_known = new.iter().all(|sample| *sample == new[0]);
            fold(
                extent,
                &if is_known { format!("turns it into {}", new[0] + 0.0) } else { "changes it".into() },
            );
        } else if is_read {
            // With each sample of what it replaces beside each of the others: a large one would hide a small one.
            for turn in 1..old.inside.len() {
                let (old, turned) =
                    (self.old(turn).cases, self.evaluate(site.value, Some(turn))?.cases.outside);
                let is_wrong = |(extent, new): &(&String, &Samples)| {
                    new.iter().zip(old.at(extent)).any(differ) && is_folded(extent)
                };
                if let Some((extent, _)) = turned.iter().find(is_wrong) {
                    fold(extent, "changes it");
                    break;
                }
            }
        }
        // Along what is folded, it has seen something inside.
        let mut left = self.evaluate(site.value, None)?;
        left.exchanged.clone_from(&value.exchanged);
        left.cases.outside.retain(|extent, _| !is_folded(extent));
        left.along.retain(|extent, _| !is_folded(extent));
        left.from.clear();
        Ok((left, true))
    }

    /// An extent along which a result has elements at several coordinates, and is not near them.
    fn mixed<'v>(&self, value: &'v Value) -> Option<&'v String> {
        let seen = self.site.views.first().filter(|_| self.program.tensor(self.site.to).space.is_global())?;
        value.cases.outside.keys().filter(|extent| value.exchanged.contains(*extent)).find(|extent| {
            let all = value.along(extent);
            let own = seen.bounds.iter().zip(&self.forms).filter(|(bound, _)| bound.extent == **extent);
            let own: Vec<Along> = own
                .map(|(_, form)| Along {
                    origin: self.site.to.tensor,
                    form: form.clone(),
                    known: Known::Here,
                    is_inside: false,
                })
                .collect();
            all.iter().any(|one| {
                let is_far = |other: &Along| {
                    other.origin == one.origin && self.distance(one, other).is_some_and(|far| far > 0)
                };
                all.iter().any(is_far) && !own.iter().any(|own| self.distance(own, one).is_some())
            })
        })
    }

    /// Notes along which extents a fold has elements: those that can be exchanged, perhaps with others, and the result is the
    /// same. A difference or a weighted sum is none.
    fn exchange(&self, value: &mut Value) -> Result<(), Error> {
        if value.cases.outside.is_empty() {
            return Ok(());
        }
        let forms = |view: &View| (view.tensor, view.forms(self.program.tensor(view).rank()));
        let (mut views, mut found) = (Vec::new(), Vec::new());
        self.site.value.visit(&mut |view, is_read| {
            if is_read && !views.contains(&forms(view)) {
                views.push(forms(view));
                found.push(self.evaluate(&Expr::View(view.clone()), None));
            }
        });
        let found: Vec<Value> = found.into_iter().collect::<Result<_, _>>()?;
        let count = views.len();
        let sampled = |order: &[usize], sample: &[f64; MOST_EXCHANGED]| {
            let at = |view: &View| {
                let place = views.iter().position(|own| *own == forms(view));
                place.map_or(0.0, |place| sample[order[place]])
            };
            self.sampled(self.site.value, &at, self.element())
        };
        let own: Vec<usize> = (0..count).collect();
        let mut pairs = BTreeSet::new();
        if count > MOST_EXCHANGED {
            pairs.extend((0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))));
        } else {
            for order in exchanges(count) {
                let mut is_same = true;
                for sample in &EXCHANGED {
                    let (one, other) = (sampled(&own, sample)?, sampled(&order, sample)?);
                    // Within the rounding of any type.
                    let is_other = (one - other).abs() > 0.01 * one.abs();
                    is_same &= !is_other;
                }
                if is_same {
                    pairs.extend(order.into_iter().enumerate().filter(|(one, other)| one < other));
                }
            }
        }
        // What has been computed may be a part of the fold with another sign or scale.
        let computed = (0..count).filter(|one| found[*one].is_computed);
        let with_others = |one| (0..count).filter(move |other| *other != one).map(move |other| (one, other));
        pairs.extend(computed.flat_map(with_others));
        for (one, other) in pairs {
            let is_far = |extent: &&String| {
                let mut all = found[one].along(extent).iter();
                all.any(|own| {
                    let mut others = found[other].along(extent).iter();
                    others.any(|other| {
                        own.origin == other.origin && self.distance(own, other).is_some_and(|far| far != 0)
                    })
                })
            };
            value.exchanged.extend(found[one].along.keys().filter(is_far).cloned());
        }
        Ok(())
    }

    /// The expression where its elements have these numbers.
    fn sampled(&self, expr: &Expr, at: &dyn Fn(&View) -> f64, around: Option<Type>) -> Result<f64, Error> {
        Ok(match expr {
            Expr::View(view) => at(view),
            Expr::Coordinate(..) | Expr::Size(_) | Expr::Scalar(_) => 5.0,
            Expr::Literal(literal) => *literal,
            Expr::Call(function, arguments) => {
                let (of, each) = typed(self.program, *function, arguments, around)?;
                let operands = each.map(|(argument, around)| self.sampled(argument, at, around));
                let operands: Vec<f64> = operands.collect::<Result<_, _>>()?;
                apply(*function, of, &operands).unwrap_or(f64::NAN)
            }
        })
    }

    /// What it leaves in its destination.
    fn part(&self, value: Value) -> Part<'a> {
        let (site, tensor) = (self.site, self.program.tensor(self.site.to));
        let is_spread = matches!(site.by, Some(Instruction::Multiply(_) | Instruction::LoadMatrix(_)));
        let is_own = tensor.space == Space::Registers;
        let stored = |own: &Along| own.stored(&self.forms, is_own, is_spread);
        let along =
            value.along.iter().map(|(extent, all)| (extent.clone(), all.iter().map(stored).collect()));
        let along = along.collect();
        let mut cases = value.cases;
        cases.inside = self.inside(site.to.tensor);
        if !cases.outside.is_empty() || cases.other.iter().any(|sample| *sample != cases.other[0]) {
            cases.other = cases.inside;
        }
        let (from, exchanged, is_computed) = (value.from, value.exchanged, value.is_computed);
        Part {
            cases,
            along,
            from,
            exchanged,
            is_computed,
            site,
            forms: self.forms.clone(),
            region: self.region(site.to),
        }
    }

    /// The addresses of a view, where they are the same in all blocks and steps.
    fn region(&self, view: &View) -> Option<Vec<usize>> {
        let (site, addresses) = (self.site, self.addresses[view.tensor].as_ref()?);
        let forms = view.forms(addresses.extents.len());
        let is_moving = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_) | Index::Loop(_));
        let is_fragment = matches!(site.by, Some(Instruction::Multiply(_) | Instruction::LoadMatrix(_)));
        if is_fragment || forms.iter().flat_map(|form| &form.terms).any(is_moving) {
            return None;
        }
        let threads = if self.program.tensor(view).space == Space::Registers { 1 } else { site.active };
        let access = Access::new(self.program, view, threads, site.values);
        let start = access.start(&Indices::default());
        let elements = 0..(threads * site.values) as usize;
        let mut region: Vec<usize> =
            elements.filter_map(|element| addresses.of(access.coordinate(&start, element))).collect();
        region.sort_unstable();
        region.dedup();
        Some(region)
    }

    fn distance(&self, one: &Along, other: &Along) -> Option<i64> {
        one.distance(other, [self.site.active, self.site.values])
    }

    /// Whether a condition is known where another value is outside: all coordinates by which it is are outside there, as its own
    /// are never smaller; of others, it has the digits.
    fn covers(&self, condition: &Value, other: &Value, extent: &String) -> bool {
        let whole = [condition.along(extent).to_vec()];
        let masks = condition.masks.get(extent).map_or(&whole[..], |masks| masks);
        let own = || condition.along(extent).iter().chain(masks.iter().flatten());
        let has = |digit: Digit| own().flat_map(Along::digits).any(|own| overlap(&own, &digit));
        let elements = [self.site.active, self.site.values];
        let is_known = |one: &Along| {
            masks.iter().any(|mask| {
                mask.iter().all(|mask| match one.known {
                    Known::Read(row) => row.is_some() && mask.origin == one.origin && mask.known == one.known,
                    // What may be below 0 is outside there too, and a mask of another coordinate inside.
                    _ => {
                        one.is_at_most(mask, elements) && (!one.is_signed() || mask.is_at_most(one, elements))
                    }
                })
            })
        };
        let is_below = |one: &Along| one.known == Known::Digits && !one.is_signed() || is_known(one);
        let mut all = other.along(extent).iter().filter(|one| !one.is_inside);
        all.all(|one| one.digits().all(has) && is_below(one))
    }

    /// Whether a view has the elements that the statement replaces.
    fn is_old(&self, view: &View) -> bool {
        view.tensor == self.site.to.tensor && view.forms(self.forms.len()) == self.forms
    }

    /// Whether a digit takes several values while one element of the destination is computed.
    fn runs(&self, digit: &Digit, carried: &[usize]) -> bool {
        let digits = || self.forms.iter().flat_map(|form| &form.terms);
        let is_free = || !digits().any(|(_, own)| overlap(own, digit));
        match digit.index {
            Index::Loop(name) => carried.contains(&name) && is_free(),
            Index::Value => is_free(),
            Index::Block(_) | Index::Thread => false,
        }
    }

    /// Whether an element is computed from what it was: in one statement or instruction, or in steps of loops.
    fn is_fold(&self, carried: &[usize]) -> bool {
        let site = self.site;
        let digits = self.forms.iter().flat_map(|form| &form.terms).map(|(_, digit)| digit);
        let of_values = digits.filter(|digit| digit.index == Index::Value);
        let reached = of_values
            .map(|digit| digit.modulus.unwrap_or(site.values / digit.divisor))
            .fold(1, i64::saturating_mul);
        !carried.is_empty() || reached < site.values || matches!(site.by, Some(Instruction::Multiply(_)))
    }

    /// What a tensor may hold.
    fn inside(&self, tensor: usize) -> Samples {
        let [low, high] = self.ranges[tensor];
        samples(Some(self.program.tensors[tensor].element), tensor).map(|own| own.max(low).min(high))
    }

    /// What a fold replaces; the turn moves its samples against those of other values.
    fn old(&self, turn: usize) -> Value {
        let mut own = self.inside(self.site.to.tensor);
        own.rotate_left(turn);
        Value::inside(own)
    }

    /// The value of an expression; with a turn where what is folded into has seen something inside, or will.
    fn evaluate(&self, expr: &Expr, folding: Option<usize>) -> Result<Value, Error> {
        self.evaluate_in(expr, folding, self.element())
    }

    /// The type of what the statement computes.
    fn element(&self) -> Option<Type> {
        Some(Type::Element(self.program.tensor(self.site.to).element))
    }

    fn evaluate_in(&self, expr: &Expr, folding: Option<usize>, around: Option<Type>) -> Result<Value, Error> {
        let (program, site) = (self.program, self.site);
        match expr {
            Expr::View(view) if program.tensor(view).space.is_global() => self.global(view),
            Expr::View(view) => {
                let carried = self.held[view.tensor].carried(site);
                let forms = view.forms(program.tensor(view).rank());
                let mut value = match folding {
                    Some(turn) if self.is_old(view) && self.is_fold(&carried) => self.old(turn),
                    _ => self.read(view, &forms)?,
                };
                if folding.is_some() && !carried.is_empty() {
                    value.cases.other = value.cases.inside;
                }
                value.from.insert(view.tensor, (value.cases.clone(), carried));
                Ok(value)
            }
            Expr::Coordinate(view, mode) => {
                let place = view.tensor + (1 + mode) * program.tensors.len();
                Ok(Value::inside(samples(Some(Element::U32), place)))
            }
            Expr::Size(name) => {
                let place = program.scope.names().position(|own| own == name).unwrap_or(0);
                Ok(Value::inside(samples(Some(Element::U32), 9 * program.tensors.len() + place)))
            }
            Expr::Scalar(scalar) => {
                Ok(Value::inside(samples(Some(program.scalars[*scalar].element), *scalar)))
            }
            Expr::Literal(literal) => Ok(Value::inside([*literal; 5])),
            Expr::Call(function, arguments) => {
                let (of, each) = typed(program, *function, arguments, around)?;
                let values = each.map(|(argument, around)| self.evaluate_in(argument, folding, around));
                self.call(*function, of, arguments, &values.collect::<Result<Vec<_>, _>>()?)
            }
        }
    }

    /// An element of a global tensor. One whose coordinate is read may be outside whatever the indices are, and it is another element
    /// where what is read is outside.
    fn global(&self, view: &View) -> Result<Value, Error> {
        let (program, tensor) = (self.program, self.program.tensor(view));
        let mut value = Value::inside(samples(Some(tensor.element), view.tensor));
        let bounds = self.site.bounds(program, view)?;
        for (mode, (bound, form)) in bounds.into_iter().zip(view.forms(tensor.rank())).enumerate() {
            let rows = view.gathers().find(|(_, own)| *own == mode).map(|(rows, _)| rows);
            let is_inside = rows.is_none() && matches!(bound.verdict, Verdict::Always);
            let own = match rows {
                None => Along { origin: view.tensor, form, known: Known::Here, is_inside },
                Some(rows) => self.row(view, rows),
            };
            value.along.entry(bound.extent.clone()).or_default().push(own);
            if let (Some(fill), false) = (view.outside, is_inside) {
                value.cases.outside.insert(bound.extent, [fill; 5]);
            }
        }
        for (rows, mode) in view.gathers() {
            let read = self.global(rows)?;
            let mut scope = program.scope.clone();
            let (extent, low) = (
                extent(&mut scope, &tensor.storage, mode)?,
                self.site.range(program, &mut scope, &view.forms(tensor.rank())[mode])?.0,
            );
            for (name, row) in read.cases.outside {
                // The largest number is outside of every extent.
                let row = row[0] as i64;
                let is_beyond = matches!(scope.is_at_least(&low, &0.into())?, Verdict::Always)
                    && (row >= u32::MAX.into()
                        || matches!(scope.is_at_least(&row.into(), &extent)?, Verdict::Always));
                let found = view.outside.filter(|_| is_beyond).map_or(UNKNOWN, |fill| [fill; 5]);
                let known = value.cases.outside.entry(name).or_insert(found);
                if *known != found {
                    *known = UNKNOWN;
                }
            }
            for (name, all) in read.along {
                join(value.along.entry(name).or_default(), all.into_iter());
            }
        }
        Ok(value)
    }

    /// The coordinate of an element that a view of `rows` gives.
    fn row(&self, view: &View, rows: &View) -> Along {
        let forms = view.forms(self.program.tensor(view).rank()).into_iter();
        let terms = forms.chain(rows.forms(self.program.tensor(rows).rank())).flat_map(|form| form.terms);
        let form = Form { constant: 0, terms: terms.collect() };
        let place = self.rows.iter().position(|own| *own == rows);
        Along { origin: view.tensor, form, known: Known::Read(place), is_inside: false }
    }

    /// An element of what the statements before have left in a tensor.
    fn read(&self, view: &View, forms: &[Form]) -> Result<Value, Error> {
        let mut value = Value::inside(self.inside(view.tensor));
        let region = self.region(view);
        let meets = |part: &&Part<'_>| match (&region, &part.region) {
            (Some(own), Some(other)) => other.iter().any(|at| own.binary_search(at).is_ok()),
            _ => true,
        };
        let parts: Vec<&Part<'_>> = self.held[view.tensor].parts.iter().filter(meets).collect();
        if let [first, others @ ..] = &parts[..]
            && others.iter().all(|own| own.cases.other == first.cases.other)
        {
            value.cases.other = first.cases.other;
        }
        for part in parts {
            for (extent, samples) in &part.cases.outside {
                let known = value.cases.outside.entry(extent.clone()).or_insert(*samples);
                if known != samples {
                    *known = UNKNOWN;
                }
            }
            for (extent, all) in &part.along {
                let own = value.along.entry(extent.clone()).or_default();
                join(own, all.iter().map(|stored| stored.read(forms)));
            }
            value.from.extend(part.from.clone());
            value.exchanged.extend(part.exchanged.iter().cloned());
            value.is_computed |= part.is_computed;
        }
        for (extent, all) in &mut value.along {
            for own in all.iter_mut() {
                own.is_inside = self.is_inside(extent, own)?;
            }
            if all.iter().all(|own| own.is_inside) {
                value.cases.outside.remove(extent);
            }
        }
        Ok(value)
    }

    /// Whether a coordinate is inside of its extent at all sizes.
    fn is_inside(&self, name: &str, own: &Along) -> Result<bool, Error> {
        let (mut scope, tensor) = (self.program.scope.clone(), &self.program.tensors[own.origin]);
        if matches!(own.known, Known::Digits | Known::Read(_))
            || own.digits().any(|digit| matches!(digit.index, Index::Loop(_)))
        {
            return Ok(false);
        }
        let (low, reach) = self.site.range(self.program, &mut scope, &own.form)?;
        for mode in 0..tensor.rank() {
            let extent = extent(&mut scope, &tensor.storage, mode)?;
            let is_above = scope.is_at_least(&extent, &reach)?;
            let are_inside = [is_above, scope.is_at_least(&low, &0.into())?];
            if scope.number_text(&extent) == name
                && are_inside.iter().all(|own| matches!(own, Verdict::Always))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn call(
        &self,
        function: Function,
        of: Type,
        arguments: &[Expr],
        values: &[Value],
    ) -> Result<Value, Error> {
        let with = |case: &dyn Fn(&Value) -> Samples| applied(function, of, values, case);
        let mut result = Value::inside(with(&|value| value.cases.inside));
        result.cases.other = with(&|value| value.cases.other);
        for value in values {
            for (extent, all) in &value.along {
                join(result.along.entry(extent.clone()).or_default(), all.iter().cloned());
            }
            result.from.extend(value.from.clone());
            result.exchanged.extend(value.exchanged.iter().cloned());
        }
        result.is_computed = true;
        if let (Function::And | Function::Or, [one, other]) = (function, values) {
            let decides = if function == Function::And { 0.0 } else { 1.0 };
            for extent in one.masks.keys().chain(other.masks.keys()) {
                let of = |value: &Value| value.masks.get(extent).cloned().unwrap_or_default();
                let alone = |value: &Value| value.cases.at(extent)[0] == decides;
                let mut all: Vec<Vec<Along>> = Vec::new();
                [one, other].into_iter().filter(|value| alone(value)).for_each(|value| all.extend(of(value)));
                for mask in of(one) {
                    all.extend(of(other).iter().map(|other| [&mask[..], &other[..]].concat()));
                }
                result.masks.insert(extent.clone(), all);
            }
        }
        let extents: BTreeSet<&String> = values.iter().flat_map(|value| value.cases.outside.keys()).collect();
        for extent in extents {
            // A condition of another coordinate is not known where this one is outside.
            let is_asked =
                |condition: &Value| values[1..].iter().all(|other| self.covers(condition, other, extent));
            let outside = match (function, values) {
                (Function::Select, [condition, one, other]) => {
                    let known = condition.cases.at(extent);
                    let [one, other] = [one, other].map(|value| *value.cases.at(extent));
                    match is_asked(condition) && known.iter().all(|own| *own == known[0]) {
                        true if known[0] == 0.0 => other,
                        true => one,
                        // Either, as it may be.
                        false if one == other => one,
                        false => UNKNOWN,
                    }
                }
                _ => with(&|value| *value.cases.at(extent)),
            };
            result.cases.outside.insert(extent.clone(), outside);
            self.mix(extent, (function, of), values, &mut result);
        }
        if let (Function::Less | Function::LessEqual | Function::Equal, [left, right]) = (function, arguments)
            && let Some((extent, own, outside)) = self.compared(function, left, right)?
        {
            result.masks.insert(extent.clone(), vec![vec![own]]);
            result.cases.outside.insert(extent, [outside; 5]);
        }
        Ok(result)
    }

    /// The extent of a coordinate in a comparison that is known wherever this is outside, and what it is there.
    fn compared(
        &self,
        function: Function,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<(String, Along, f64)>, Error> {
        if function == Function::Equal {
            // It is false where one side is larger.
            let known = [
                self.compared(Function::LessEqual, left, right)?,
                self.compared(Function::LessEqual, right, left)?,
            ];
            return Ok(known.into_iter().flatten().find(|(.., outside)| *outside == 0.0));
        }
        for is_left in [true, false] {
            let Expr::Call(bound @ (Function::Min | Function::Max), all) =
                (if is_left { left } else { right })
            else {
                continue;
            };
            // One of both decides: the smaller one, where this is the left side, that it holds.
            let decided = f64::from(u8::from((*bound == Function::Min) == is_left));
            for own in all {
                let [left, right] = if is_left { [own, right] } else { [left, own] };
                if let Some(found) =
                    self.compared(function, left, right)?.filter(|(.., outside)| *outside == decided)
                {
                    return Ok(Some(found));
                }
            }
        }
        let (is_rounded, [left, right]) = match (left, right) {
            (Expr::Call(Function::Cast(one), left), Expr::Call(Function::Cast(other), right))
                if one == other && one.is_float() =>
            {
                (true, [&left[0], &right[0]])
            }
            _ => (false, [left, right]),
        };
        let mut places = Vec::new();
        [left, right].into_iter().for_each(|side| self.places(side, &mut places));
        for place in places {
            let found = self.compared_at(function, [left, right], place)?;
            // What is rounded may be equal, but never in another order.
            let is_known = |outside| !is_rounded || (function == Function::Less) == (outside == 0.0);
            if let Some(found) = found.filter(|(.., outside)| is_known(*outside)) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The same of one of the coordinates.
    fn compared_at(
        &self,
        function: Function,
        sides: [&Expr; 2],
        place: (&View, usize),
    ) -> Result<Option<(String, Along, f64)>, Error> {
        let (program, (view, mode)) = (self.program, place);
        let (mut scope, tensor) = (program.scope.clone(), program.tensor(view));
        let [left, right] = sides.map(|side| self.linear(side, place, &mut scope));
        let (Some((of_left, left)), Some((of_right, right))) = (left?, right?) else { return Ok(None) };
        let times = of_left - of_right;
        let first = extent(&mut scope, &tensor.storage, mode)?.mul(&times.into())?;
        let least = i64::from(function == Function::LessEqual);
        // The difference at the first coordinate outside, less what it has to be; it grows from there on, or falls.
        let (more, outside) = match times {
            1.. => (first.add(&left[0])?.sub(&right[1])?.plus(-least)?, 0.0),
            0 => return Ok(None),
            _ => (right[0].sub(&left[1])?.sub(&first)?.plus(least - 1)?, 1.0),
        };
        let mut form = view.forms(tensor.rank()).swap_remove(mode);
        let rows = view.gathers().find(|(_, own)| *own == mode).map(|(rows, _)| rows);
        let is_alone = sides.iter().any(|side| self.place(side) == Some(place));
        // A sum with what is below 0, or is any number, wraps.
        let is_above = rows.is_none()
            && always(scope.is_at_least(&self.site.range(program, &mut scope.clone(), &form)?.0, &0.into()))?;
        if !always(scope.is_at_least(&more, &0.into()))? || !is_alone && !is_above {
            return Ok(None);
        }
        let own = match rows {
            Some(rows) => self.row(view, rows),
            None => {
                // It is known as far before the extent.
                let before = more.as_integer().filter(|_| is_above).unwrap_or(0) / times.abs();
                form.constant = form.constant.saturating_add(before);
                Along { origin: view.tensor, form, known: Known::Here, is_inside: false }
            }
        };
        let name = self.site.bounds(program, view)?.swap_remove(mode).extent;
        Ok(Some((name, own, outside)))
    }

    /// The view and the mode whose coordinate an expression is.
    fn place<'e>(&self, expr: &'e Expr) -> Option<(&'e View, usize)>
    where
        'a: 'e,
    {
        let mut found = None;
        match expr {
            Expr::Coordinate(view, mode) => found = Some((view, *mode)),
            // Where it alone is a coordinate of another view.
            Expr::View(rows) => self.site.value.visit(&mut |view, _| {
                let own = view.gathers().find(|(own, mode)| {
                    *own == rows && view.forms(self.program.tensor(view).rank())[*mode] == Form::default()
                });
                found = found.or(own.map(|(_, mode)| (view, mode)));
            }),
            _ => {}
        }
        found
    }

    /// The coordinates in a sum.
    fn places<'e>(&self, expr: &'e Expr, found: &mut Vec<(&'e View, usize)>)
    where
        'a: 'e,
    {
        match expr {
            Expr::Call(Function::Add | Function::Sub, terms) => {
                terms.iter().for_each(|term| self.places(term, found))
            }
            _ => found.extend(self.place(expr)),
        }
    }

    /// A sum of sizes, numbers and coordinates: how often it has one of these, and the least and the largest value of the rest. A
    /// difference has to be 0 or more, as those of `u32` wrap.
    fn linear(
        &self,
        expr: &Expr,
        place: (&View, usize),
        scope: &mut Scope,
    ) -> Result<Option<(i64, [Number; 2])>, Error> {
        let exactly = |number: Number| (0, [number.clone(), number]);
        Ok(match expr {
            Expr::Coordinate(..) | Expr::View(_) if self.place(expr) == Some(place) => {
                Some((1, [0.into(), 0.into()]))
            }
            Expr::Coordinate(view, mode) => {
                let form = view.forms(self.program.tensor(view).rank()).swap_remove(*mode);
                let (low, reach) = self.site.range(self.program, scope, &form)?;
                always(scope.is_at_least(&low, &0.into()))?.then_some((0, [low, reach.plus(-1)?]))
            }
            Expr::Size(name) => scope.find(name).map(exactly),
            Expr::Literal(number) if f64::from(*number as u32) == *number => {
                Some(exactly((*number as i64).into()))
            }
            Expr::Call(function @ (Function::Add | Function::Sub), terms) => {
                let [one, other] = [&terms[0], &terms[1]].map(|term| self.linear(term, place, scope));
                let (Some((times, [low, high])), Some((of_other, [other_low, other_high]))) = (one?, other?)
                else {
                    return Ok(None);
                };
                if *function == Function::Add {
                    Some((times + of_other, [low.add(&other_low)?, high.add(&other_high)?]))
                } else {
                    let rest = [low.sub(&other_high)?, high.sub(&other_low)?];
                    let fits = always(scope.is_at_least(&rest[0], &0.into()))?;
                    (fits && of_other == 0).then_some((times, rest))
                }
            }
            _ => None,
        })
    }

    /// Of elements at several coordinates, those that change nothing where they are outside are no part of the result.
    fn mix(&self, extent: &String, (function, of): (Function, Type), values: &[Value], result: &mut Value) {
        let all = result.along(extent).to_vec();
        let is_before = |one: &Along, other: &Along| {
            one.origin == other.origin && self.distance(one, other).is_some_and(|far| far > 0)
        };
        for last in all.iter().filter(|last| all.iter().any(|one| is_before(one, last))) {
            let elements = [self.site.active, self.site.values];
            let case = |value: &Value| *value.from(extent, last, elements);
            let between = applied(function, of, values, &case);
            let is_same = |value: &Value| case(value) == value.cases.inside && between == value.cases.inside;
            if values.iter().any(is_same) {
                let own = result.along.entry(extent.clone()).or_default();
                own.retain(|own| own != last);
            }
            result.between.push((extent.clone(), last.clone(), between));
        }
    }
}

/// A function of values in one of their cases.
fn applied(function: Function, of: Type, values: &[Value], case: &dyn Fn(&Value) -> Samples) -> Samples {
    let samples: Vec<Samples> = values.iter().map(case).collect();
    core::array::from_fn(|i| {
        let operands: Vec<f64> = samples.iter().map(|own| own[i]).collect();
        apply(function, of, &operands).unwrap_or(f64::NAN)
    })
}

/// Where a function has more elements, all are taken to be exchangeable.
const MOST_EXCHANGED: usize = 6;

/// Numbers of the elements.
const EXCHANGED: [[f64; MOST_EXCHANGED]; 3] =
    [[3.0, 8.0, 5.0, 2.0, 6.0, 4.0], [-3.0, 8.0, -5.0, 2.0, -6.0, 4.0], [7.0, -2.0, 3.0, -4.0, 1.0, -9.0]];

/// All ways to exchange elements in pairs.
fn exchanges(count: usize) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![(0..count).collect()];
    for one in 0..count {
        for at in 0..orders.len() {
            for other in one + 1..count {
                let mut order = orders[at].clone();
                if order[one] == one && order[other] == other {
                    order.swap(one, other);
                    orders.push(order);
                }
            }
        }
    }
    orders
}

/// Adds what is not there.
fn join(all: &mut Vec<Along>, others: impl Iterator<Item = Along>) {
    for other in others {
        if !all.contains(&other) {
            all.push(other);
        }
    }
}

/// What is inside: small values that differ between tensors, and the extreme ones.
fn samples(element: Option<Element>, place: usize) -> Samples {
    let scale = (place + 1) as f64;
    let (low, high) = match element {
        Some(Element::U32) => (0.0, f64::from(u32::MAX)),
        Some(Element::U8) => (0.0, 255.0),
        Some(Element::I32) => (f64::from(i32::MIN), f64::from(i32::MAX)),
        Some(Element::I8) => (-128.0, 127.0),
        Some(Element::F16) => (-65504.0, 65504.0),
        Some(Element::F32 | Element::Bf16) | None => (-MANY, MANY),
    };
    // Of two that are compared, one is the smaller of third samples, and the other one of last samples.
    [low, high, scale, 3.0 * scale, if low < 0.0 { -2.0 * scale } else { high - 2.0 * scale }]
        .map(|sample| element.map_or(sample, |element| element.round(sample)))
}
