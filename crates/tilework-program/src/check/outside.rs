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
//!
//! What is known only where another coordinate is inside is kept with that coordinate, and a fold that relies on it is right where
//! the results are stored at that coordinate, as what is outside of it is masked.

use super::along::{Along, Known, Stored, overlap};
use super::interval::{Range, range, ranges, whole};
use super::masks::Compared;
use super::report::{Certainty, Report};
use super::site::{Site, in_two_steps, is_at_least};
use super::value::{Samples, UNKNOWN, Unless, Value, join, samples};
use crate::access::Access;
use crate::arithmetic::apply;
use crate::element::Element;
use crate::form::{Digit, Form, Index, Indices};
use crate::instruction::Instruction;
use crate::prelude::*;
use crate::program::{Expr, Function, Program, Space, View};
use crate::sizes::Addresses;
use crate::verify::{Type, typed};
use alloc::collections::BTreeSet;
use tilework_symbolic::{Number, Verdict};

/// What a shared tensor or a register holds.
#[derive(Default)]
struct Held<'a> {
    parts: Vec<Part<'a>>,
    /// The loops in which it was last written without what it had.
    loops: Vec<usize>,
}

/// What a statement has left in a tensor.
struct Part<'a> {
    value: Value<Stored>,
    site: &'a Site<'a>,
    forms: Vec<Form>,
    /// The addresses that still have it, where they are the same in all blocks and steps.
    region: Option<Vec<usize>>,
}

/// Checks every fold, with what each shared tensor and register may hold.
pub fn check<'a>(program: &'a Program, sites: &'a [Site<'a>], report: &mut Report) -> Result<(), Error> {
    let addresses = program.local_addresses()?;
    let ranges = ranges(program, sites)?;
    let mut held: Vec<Held<'a>> = program.tensors.iter().map(|_| Held::default()).collect();
    for (site, _) in in_two_steps(sites) {
        let (place, forms, old) =
            (site.to.tensor, program.forms(site.to), range_of(program, &ranges, site.to.tensor));
        let mut statement =
            Statement { site, held: &held, addresses: &addresses, ranges: &ranges, old, forms };
        let (value, is_fold) = statement.check(report).map_err(|error| error.at(site.line))?;
        if !program.tensor(site.to).space.is_global() {
            let part = statement.part(value);
            held[place].store(program, part, is_fold);
        }
    }
    Ok(())
}

/// What a tensor may hold; all where nothing is written.
fn range_of(program: &Program, ranges: &[Option<Range>], tensor: usize) -> Range {
    ranges[tensor].unwrap_or(whole(program.tensors[tensor].element))
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
            other.loops.iter().any(|(own, _)| own == name) || is_at_least(&program.scope, count, &1.into())
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
    site: &'a Site<'a>,
    held: &'s [Held<'a>],
    addresses: &'s [Option<Addresses>],
    ranges: &'s [Option<Range>],
    /// What may be replaced by it.
    old: Range,
    /// Of the destination.
    forms: Vec<Form>,
}

impl<'a> Statement<'_, 'a> {
    /// What it computes, and whether it folds.
    fn check(&mut self, report: &mut Report) -> Result<(Value, bool), Error> {
        let (site, place) = (self.site, self.site.to.tensor);
        let mut value = self.computed()?;
        let mut wrong = |line: usize, text: String| report.push(Some(line), Certainty::Wrong, text);
        let carried = value.from.get(&place).map(|(_, carried)| carried.clone());
        let Some(carried) = carried.filter(|own| self.is_fold(own)) else {
            if let Some(extent) = self.mixed(&value) {
                wrong(site.line, self.sentence(extent, "changes it"));
            }
            self.unmasked(&value).into_iter().for_each(|(line, text)| wrong(line, text));
            return Ok((value, false));
        };
        let mut fault = self.fault(&value, &carried)?;
        if let (Some(_), Some(old)) = (&fault, self.after_first(&value, &carried)?) {
            self.old = old;
            value = self.computed()?;
            fault = self.fault(&value, &carried)?;
        }
        if let Some((extent, what)) = fault {
            wrong(site.line, self.sentence(&extent, &what));
        }
        // Along what is folded, it has seen something inside.
        let mut left = self.evaluate(site.value, None)?;
        let is_folded = |extent: &String| self.is_folded(&value, &carried, extent);
        left.exchanged.clone_from(&value.exchanged);
        left.cases.outside.retain(|extent, _| !is_folded(extent));
        left.along.retain(|extent, _| !is_folded(extent));
        let folded: Vec<String> = value.cases.outside.keys().filter(|own| is_folded(own)).cloned().collect();
        folded.iter().for_each(|extent| self.rely(&mut left, extent));
        left.from.clear();
        self.unmasked(&left).into_iter().for_each(|(line, text)| wrong(line, text));
        Ok((left, true))
    }

    fn sentence(&self, extent: &str, what: &str) -> String {
        let name = &self.site.program.tensor(self.site.to).name;
        format!(
            "{name} folds what is outside of [0,{extent}), which {what}: give an `else` that changes nothing, or select by \
             coordinate(.., ..) < {extent}"
        )
    }

    /// What it computes, with what it replaces.
    fn computed(&self) -> Result<Value, Error> {
        let (site, place) = (self.site, self.site.to.tensor);
        let mut value = self.evaluate(site.value, Some(0))?;
        self.exchange(&mut value)?;
        // What it replaces it has itself, or something that was computed from it.
        if self.is_read() {
            value.from.insert(place, (self.old(0).cases, self.held[place].carried(site)));
        }
        Ok(value)
    }

    /// Whether it reads what it replaces.
    fn is_read(&self) -> bool {
        let mut is_read = false;
        self.site.value.visit(&mut |view, _| is_read |= self.is_old(view));
        is_read
    }

    /// Whether elements along an extent are folded.
    fn is_folded(&self, value: &Value, carried: &[usize], extent: &String) -> bool {
        // Lanes of a matrix instruction share what both factors are outside of.
        let factors = match self.site.by {
            Some(Instruction::Multiply(_)) => self.site.value.factors(self.site.to),
            _ => None,
        };
        let is_outside = |view: &View| {
            self.held[view.tensor].parts.iter().any(|own| own.value.cases.outside.contains_key(extent))
        };
        let mut all = value.along(extent).iter().filter(|own| !own.is_inside);
        factors.is_some_and(|factors| factors.into_iter().all(is_outside))
            || all.any(|own| own.digits().any(|digit| self.runs(&digit, carried)))
    }

    /// An extent of which what is outside changes a fold, and to what.
    fn fault(&self, value: &Value, carried: &[usize]) -> Result<Option<(String, String)>, Error> {
        let Some((old, _)) = value.from.get(&self.site.to.tensor) else { return Ok(None) };
        // The largest numbers may have no product with 0.
        let differ = |(new, old): (&f64, &f64)| new != old && !new.is_nan();
        let found = value.cases.outside.iter().find(|(extent, new)| {
            (new.iter().zip(old.at(extent)).any(differ) || new.iter().all(|sample| sample.is_nan()))
                && self.is_folded(value, carried, extent)
        });
        if let Some((extent, new)) = found {
            let is_known = new.iter().all(|sample| *sample == new[0]);
            let what = if is_known { format!("turns it into {}", new[0] + 0.0) } else { "changes it".into() };
            return Ok(Some((extent.clone(), what)));
        }
        // With each sample of what it replaces beside each of the others: a large one would hide a small one.
        let turns = if self.is_read() { old.inside.len() } else { 1 };
        for turn in 1..turns {
            let old = self.old(turn).cases;
            let turned = self.evaluate(self.site.value, Some(turn))?.cases.outside;
            let found = turned.iter().find(|(extent, new)| {
                new.iter().zip(old.at(extent)).any(differ) && self.is_folded(value, carried, extent)
            });
            if let Some((extent, _)) = found {
                return Ok(Some((extent.clone(), "changes it".into())));
            }
        }
        Ok(None)
    }

    /// What an element may be once something inside was folded into it, where that comes first and is all that is written to it.
    fn after_first(&self, value: &Value, carried: &[usize]) -> Result<Option<Range>, Error> {
        let site = self.site;
        let is_before = |part: &Part<'_>| {
            core::ptr::eq(part.site, site) || !part.site.loops.iter().any(|(name, _)| carried.contains(name))
        };
        let is_alone = self.held[site.to.tensor].parts.iter().all(is_before);
        if !self.is_read() || !is_alone || !site.whens.is_empty() || site.by.is_some() {
            return Ok(None);
        }
        for (extent, all) in value.along.iter().filter(|(extent, _)| self.is_folded(value, carried, extent)) {
            for own in all.iter().filter(|own| !own.is_inside) {
                let mut first = own.clone();
                for (step, digit) in first.form.terms.extract_if(.., |(_, own)| self.runs(own, carried)) {
                    first.form.constant =
                        first.form.constant.saturating_add(step.saturating_mul(digit.value(0)));
                }
                if !self.is_inside(extent, &first)? {
                    return Ok(None);
                }
            }
        }
        range(site.program, self.ranges, site.value, self.element())
    }

    /// Notes that it relies on what is said of it outside of an extent.
    fn rely(&self, value: &mut Value, extent: &str) {
        for own in value.unless.iter_mut().filter(|own| own.of == extent && own.used.is_none()) {
            own.used = Some((self.site.line, self.sentence(extent, "changes it")));
        }
    }

    /// The folds that rely on a coordinate inside, where the result is stored for others as well.
    fn unmasked(&self, value: &Value) -> Vec<(usize, String)> {
        let is_global = self.site.program.tensor(self.site.to).space.is_global();
        let is_masked = |own: &&Unless<Along>| {
            let mut all = self.written(&own.extent);
            all.any(|to| own.at.is_at_most(&to, [self.site.active, self.site.values]))
        };
        let wrong = value.unless.iter().filter(|own| is_global && !is_masked(own));
        wrong.filter_map(|own| own.used.clone()).collect()
    }

    /// The coordinates along an extent at which it writes.
    fn written(&self, extent: &str) -> impl Iterator<Item = Along> {
        let seen = self.site.views[0].bounds.iter().zip(&self.forms);
        seen.filter(move |(bound, _)| bound.extent == extent).map(|(_, form)| {
            let (origin, form) = (self.site.to.tensor, form.clone());
            Along { origin, form, known: Known::Here, is_inside: false }
        })
    }

    /// An extent along which a result has elements at several coordinates, and is not near them.
    fn mixed<'v>(&self, value: &'v Value) -> Option<&'v String> {
        let is_global = self.site.program.tensor(self.site.to).space.is_global();
        let extents = value.cases.outside.keys().filter(|extent| value.exchanged.contains(*extent));
        extents.filter(|_| is_global).find(|extent| {
            let all = value.along(extent);
            all.iter().any(|one| {
                let is_far = |other: &Along| {
                    other.origin == one.origin && self.distance(one, other).is_some_and(|far| far > 0)
                };
                all.iter().any(is_far) && !self.written(extent).any(|own| self.distance(&own, one).is_some())
            })
        })
    }

    /// Notes along which extents a fold has elements: those that can be exchanged, perhaps with others, and the result is the
    /// same. A difference or a weighted sum is none.
    fn exchange(&self, value: &mut Value) -> Result<(), Error> {
        if value.cases.outside.is_empty() {
            return Ok(());
        }
        let forms = |view: &View| (view.tensor, self.site.program.forms(view));
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
                let (of, each) = typed(self.site.program, *function, arguments, around)?;
                let operands = each.map(|(argument, around)| self.sampled(argument, at, around));
                let operands: Vec<f64> = operands.collect::<Result<_, _>>()?;
                apply(*function, of, &operands).unwrap_or(f64::NAN)
            }
        })
    }

    /// What it leaves in its destination.
    fn part(&self, value: Value) -> Part<'a> {
        let (site, tensor) = (self.site, self.site.program.tensor(self.site.to));
        let is_spread = matches!(site.by, Some(Instruction::Multiply(_) | Instruction::LoadMatrix(_)));
        let is_own = tensor.space == Space::Registers;
        let mut value = value.at(|own| own.stored(&self.forms, is_own, is_spread));
        value.cases.inside = self.inside(site.to.tensor);
        let cases = &mut value.cases;
        if !cases.outside.is_empty() || cases.other.iter().any(|sample| *sample != cases.other[0]) {
            cases.other = cases.inside;
        }
        Part { value, site, forms: self.forms.clone(), region: self.region(site.to) }
    }

    /// The addresses of a view, where they are the same in all blocks and steps.
    fn region(&self, view: &View) -> Option<Vec<usize>> {
        let (site, addresses) = (self.site, self.addresses[view.tensor].as_ref()?);
        let forms = self.site.program.forms(view);
        let is_moving = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_) | Index::Loop(_));
        let is_fragment = matches!(site.by, Some(Instruction::Multiply(_) | Instruction::LoadMatrix(_)));
        if is_fragment || forms.iter().flat_map(|form| &form.terms).any(is_moving) {
            return None;
        }
        let threads = if self.site.program.tensor(view).space == Space::Registers { 1 } else { site.active };
        let access = Access::new(self.site.program, view, threads, site.values);
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

    /// Whether a view has the elements that the statement replaces.
    fn is_old(&self, view: &View) -> bool {
        view.tensor == self.site.to.tensor && self.site.program.forms(view) == self.forms
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
        self.within(tensor, range_of(self.site.program, self.ranges, tensor))
    }

    fn within(&self, tensor: usize, [low, high]: Range) -> Samples {
        let element = self.site.program.tensors[tensor].element;
        samples(element, tensor).map(|own| own.max(low).min(high))
    }

    /// What a fold replaces; the turn moves its samples against those of other values.
    fn old(&self, turn: usize) -> Value {
        let mut own = self.within(self.site.to.tensor, self.old);
        own.rotate_left(turn);
        Value::inside(own)
    }

    /// The value of an expression; with a turn where what is folded into has seen something inside, or will.
    fn evaluate(&self, expr: &Expr, folding: Option<usize>) -> Result<Value, Error> {
        self.evaluate_in(expr, folding, self.element())
    }

    /// The type of what the statement computes.
    fn element(&self) -> Option<Type> {
        Some(Type::Element(self.site.program.tensor(self.site.to).element))
    }

    fn evaluate_in(&self, expr: &Expr, folding: Option<usize>, around: Option<Type>) -> Result<Value, Error> {
        let (program, site) = (self.site.program, self.site);
        match expr {
            Expr::View(view) if program.tensor(view).space.is_global() => self.global(view),
            Expr::View(view) => {
                let carried = self.held[view.tensor].carried(site);
                let forms = program.forms(view);
                let mut value = match folding {
                    Some(turn) if self.is_old(view) && self.is_fold(&carried) => self.old(turn),
                    _ => self.read(view, &forms, &carried)?,
                };
                if folding.is_some() && !carried.is_empty() {
                    value.cases.other = value.cases.inside;
                }
                value.from.insert(view.tensor, (value.cases.clone(), carried));
                Ok(value)
            }
            Expr::Coordinate(view, mode) => {
                let place = view.tensor + (1 + mode) * program.tensors.len();
                Ok(Value::inside(samples(Element::U32, place)))
            }
            Expr::Size(name) => {
                let place = program.scope.names().position(|own| own == name).unwrap_or(0);
                Ok(Value::inside(samples(Element::U32, 9 * program.tensors.len() + place)))
            }
            Expr::Scalar(scalar) => Ok(Value::inside(samples(program.scalars[*scalar].element, *scalar))),
            Expr::Literal(literal) => Ok(Value::inside([*literal; 5])),
            Expr::Call(function, arguments) => {
                if let Some(chosen) = self.site.chosen(*function, arguments)? {
                    return self.evaluate_in(chosen, folding, around);
                }
                let (of, each) = typed(program, *function, arguments, around)?;
                let values = each.map(|(argument, around)| self.evaluate_in(argument, folding, around));
                self.call(*function, of, arguments, &values.collect::<Result<Vec<_>, _>>()?)
            }
        }
    }

    /// An element of a global tensor. One whose coordinate is read may be outside whatever the indices are, and it is another element
    /// where what is read is outside.
    fn global(&self, view: &View) -> Result<Value, Error> {
        let (program, tensor) = (self.site.program, self.site.program.tensor(view));
        let mut value = Value::inside(samples(tensor.element, view.tensor));
        let bounds = self.site.bounds(view)?;
        for (mode, (bound, form)) in bounds.into_iter().zip(program.forms(view)).enumerate() {
            let rows = view.gathers().find(|(_, own)| *own == mode).map(|(rows, _)| rows);
            let is_inside = rows.is_none() && matches!(bound.verdict, Verdict::Always);
            let own = match rows {
                None => Along { origin: view.tensor, form, known: Known::Here, is_inside },
                Some(rows) => self.site.row(view, rows),
            };
            value.along.entry(bound.extent.clone()).or_default().push(own);
            if let (Some(fill), false) = (view.outside, is_inside) {
                value.cases.outside.insert(bound.extent, [fill; 5]);
            }
        }
        for (rows, mode) in view.gathers() {
            let read = self.global(rows)?;
            let mut scope = program.scope.clone();
            let extent = tensor.extent(&scope, mode)?;
            let (low, _) = self.site.range(&mut scope, &program.form(view, mode))?;
            for (name, row) in read.cases.outside {
                // The largest number is outside of every extent.
                let row = row[0] as i64;
                let is_beyond = is_at_least(&scope, &low, &0.into())
                    && (row >= u32::MAX.into() || is_at_least(&scope, &row.into(), &extent));
                let found = view.outside.filter(|_| is_beyond).map_or(UNKNOWN, |fill| [fill; 5]);
                let known = value.cases.outside.entry(name).or_insert(found);
                if *known != found {
                    *known = UNKNOWN;
                }
            }
            for (name, all) in &read.along {
                join(value.along.entry(name.clone()).or_default(), all);
            }
        }
        Ok(value)
    }

    /// An element of what the statements before have left in a tensor.
    fn read(&self, view: &View, forms: &[Form], carried: &[usize]) -> Result<Value, Error> {
        let mut value = Value::inside(self.inside(view.tensor));
        let region = self.region(view);
        let meets = |part: &&Part<'_>| match (&region, &part.region) {
            (Some(own), Some(other)) => other.iter().any(|at| own.binary_search(at).is_ok()),
            _ => true,
        };
        let parts: Vec<&Part<'_>> = self.held[view.tensor].parts.iter().filter(meets).collect();
        if let [first, others @ ..] = &parts[..]
            && others.iter().all(|own| own.value.cases.other == first.value.cases.other)
        {
            value.cases.other = first.value.cases.other;
        }
        for part in parts {
            for (extent, samples) in &part.value.cases.outside {
                let known = value.cases.outside.entry(extent.clone()).or_insert(*samples);
                if known != samples {
                    *known = UNKNOWN;
                }
            }
            value.join(&part.value.at(|stored| stored.read(forms)));
        }
        for (extent, all) in &mut value.along {
            for own in all.iter_mut() {
                own.is_inside = self.is_inside(extent, own)?;
            }
            if all.iter().all(|own| own.is_inside) {
                value.cases.outside.remove(extent);
            }
        }
        // Only the steps of these loops are those at which it was stored.
        let is_here =
            |name: &usize| self.site.loops.iter().any(|(own, _)| own == name) && !carried.contains(name);
        let is_other = |digit: Digit| matches!(digit.index, Index::Loop(name) if !is_here(&name));
        for own in value.unless.iter_mut().filter(|own| own.at.digits().any(is_other)) {
            own.at.known = Known::Digits;
        }
        Ok(value)
    }

    /// Whether a coordinate is inside of its extent at all sizes.
    fn is_inside(&self, name: &str, own: &Along) -> Result<bool, Error> {
        let (mut scope, tensor) = (self.site.program.scope.clone(), &self.site.program.tensors[own.origin]);
        if matches!(own.known, Known::Digits | Known::Read(_))
            || own.digits().any(|digit| matches!(digit.index, Index::Loop(_)))
        {
            return Ok(false);
        }
        let (low, reach) = self.site.range(&mut scope, &own.form)?;
        for mode in 0..tensor.rank() {
            let extent = tensor.extent(&scope, mode)?;
            let is_inside = is_at_least(&scope, &extent, &reach) && is_at_least(&scope, &low, &0.into());
            if scope.number_text(&extent) == name && is_inside {
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
        values.iter().for_each(|value| result.join(value));
        result.is_computed = true;
        if let (Function::And | Function::Or, [one, other]) = (function, values) {
            let decides = if function == Function::And { 0.0 } else { 1.0 };
            let extents: BTreeSet<&String> = one.masks.keys().chain(other.masks.keys()).collect();
            for extent in extents {
                let of = |value: &Value| value.masks.get(extent).cloned().unwrap_or_default();
                let alone = |value: &&Value| value.cases.at(extent)[0] == decides;
                let mut all: Vec<Vec<Along>> = Vec::new();
                [one, other].into_iter().filter(alone).for_each(|value| all.extend(of(value)));
                for mask in of(one) {
                    all.extend(of(other).iter().map(|other| [&mask[..], &other[..]].concat()));
                }
                result.masks.insert(extent.clone(), all);
                // One decides, and the other one where a coordinate is outside on which the first one relies.
                let pairs = [(one, other), (other, one)].into_iter().filter(|(one, _)| alone(one));
                let left = pairs.map(|(one, other)| self.site.left_open(one, other, extent, decides));
                if let Some(left) = left.min_by_key(Vec::len) {
                    result.unless.retain(|own| own.of != *extent);
                    result.unless.extend(left);
                }
            }
        }
        let extents: BTreeSet<&String> = values.iter().flat_map(|value| value.cases.outside.keys()).collect();
        for extent in extents {
            let outside = match (function, values) {
                (Function::Select, [condition, one, other]) => {
                    let known = condition.cases.at(extent);
                    let is_known = known.iter().all(|own| *own == known[0]);
                    let [x, y] = [one, other].map(|value| *value.cases.at(extent));
                    // A condition of another coordinate is not known where this one is outside.
                    let covered = self.site.covers(condition, &[one, other], extent).filter(|_| is_known);
                    let mut others = Some(Vec::new());
                    let chosen = match covered {
                        Some(unless) => Some((known[0] != 0.0, unless)),
                        None => self.site.decided(&arguments[0], &mut others)?.map(|holds| {
                            let others = others.into_iter().flatten();
                            (holds, others.map(|(other, at)| Unless::new(extent, other, at)).collect())
                        }),
                    };
                    let is_own = |own: &Unless<Along>| {
                        let mut others = [one, other].into_iter();
                        own.of == *extent && !others.any(|other| other.unless.contains(own))
                    };
                    match chosen {
                        Some((holds, unless)) if x != y => {
                            join(&mut result.unless, &unless);
                            if holds { x } else { y }
                        }
                        // Either, as it may be.
                        _ => {
                            result.unless.retain(|own| !is_own(own));
                            if x == y { x } else { UNKNOWN }
                        }
                    }
                }
                _ => with(&|value| *value.cases.at(extent)),
            };
            result.cases.outside.insert(extent.clone(), outside);
            self.mix(extent, (function, of), values, &mut result);
        }
        if let (Function::Less | Function::LessEqual | Function::Equal, [left, right]) = (function, arguments)
            && let Some(Compared { extent, at, outside, unless }) =
                self.site.compared(function, left, right)?
        {
            result.masks.insert(extent.clone(), vec![vec![at]]);
            result.unless.extend(unless);
            result.cases.outside.insert(extent, [outside; 5]);
        }
        Ok(result)
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
                self.rely(result, extent);
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
