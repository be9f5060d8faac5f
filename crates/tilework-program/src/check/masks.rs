//! What a comparison of coordinates says where an element is outside: a mask.
//!
//! Both sides are sums of a coordinate, of its quotients by numbers, and of what is bounded. The remainder of a coordinate is
//! `x % n = x - n * (x / n)`, so that `n * (x / n) + x % n` is the coordinate; it is 0 or more, so that `n * (x / n)` is at most
//! the coordinate. A difference that grows with the coordinate and its quotients is known from the first coordinate outside on.
//! If it is known where another coordinate is inside, as in `n <= m` for a square, that is noted: what is stored at the other
//! coordinate has to be masked.

use super::along::{Along, Known, overlap};
use super::interval::Integers;
use super::site::{Site, is_at_least};
use super::value::{Unless, Value};
use crate::element::Element;
use crate::form::{Digit, Form};
use crate::prelude::*;
use crate::program::{Expr, Function, View};
use crate::verify::{Type, type_of};
use alloc::collections::BTreeMap;
use tilework_symbolic::{Number, Scope};

/// A comparison that is known wherever a coordinate is outside of an extent.
pub struct Compared {
    pub extent: String,
    pub at: Along,
    /// What it is there.
    pub outside: f64,
    pub unless: Vec<Unless<Along>>,
}

/// The coordinates that are taken to be inside of their extents, where some are.
pub type Others = Option<Vec<(String, Along)>>;

/// How often a sum has a coordinate and its quotients, by what is divided by, and the least and the largest value of the rest.
#[derive(Clone)]
struct Sum {
    times: BTreeMap<i64, i64>,
    rest: [Number; 2],
}

impl Sum {
    fn of(divisor: i64) -> Sum {
        Sum { times: [(divisor, 1)].into(), rest: [0.into(), 0.into()] }
    }

    /// What it is a quotient of the coordinate by, if it is one.
    fn quotient(&self) -> Option<i64> {
        let is_zero = self.rest.iter().all(|end| end.as_integer() == Some(0));
        match self.times.first_key_value() {
            Some((divisor, 1)) if is_zero && self.times.len() == 1 => Some(*divisor),
            _ => None,
        }
    }

    /// Whether it is a part of the coordinate: never above it, so that it does not wrap where the coordinate does.
    fn is_part(&self) -> bool {
        let mut times = self.times.iter().filter(|(_, count)| **count != 0);
        let is_zero = self.rest.iter().all(|end| end.as_integer() == Some(0));
        let is_below = |(divisor, count): (&i64, &i64)| (1..=*divisor).contains(count);
        is_zero && times.next().is_some_and(is_below) && times.next().is_none()
    }

    /// The number that it is.
    fn number(&self) -> Option<i64> {
        self.rest[0]
            .as_integer()
            .filter(|own| self.times.is_empty() && self.rest[1].as_integer() == Some(*own))
    }

    fn add(&mut self, divisor: i64, count: i64) {
        let own = self.times.entry(divisor).or_default();
        *own = own.saturating_add(count);
    }

    /// This one less another one.
    fn less(mut self, other: &Sum) -> Result<Sum, Error> {
        other.times.iter().for_each(|(divisor, count)| self.add(*divisor, count.saturating_neg()));
        self.rest = [self.rest[0].sub(&other.rest[1])?, self.rest[1].sub(&other.rest[0])?];
        Ok(self)
    }

    /// A sum of quotients that is never more and grows with each of them, if there is one.
    fn growing(&self) -> Option<BTreeMap<i64, i64>> {
        let mut times = self.times.clone();
        for divisor in self.times.keys().rev() {
            let missing = times[divisor].saturating_neg();
            if missing > 0 {
                // A quotient less the multiple of the next one is a remainder, which is 0 or more.
                let (smaller, own) = times.iter_mut().rev().find(|(own, count)| {
                    **count > 0
                        && divisor % **own == 0
                        && missing % (divisor / **own) == 0
                        && missing / (divisor / **own) <= **count
                })?;
                *own -= missing / (divisor / smaller);
                times.remove(divisor);
            }
        }
        times.retain(|_, count| *count != 0);
        Some(times)
    }
}

/// What a comparison is true or false by, where it is 0 or more with what is added: the difference of its sides, in both directions.
fn differences(function: Function, left: &Sum, right: &Sum) -> Result<[(Sum, i64, bool); 2], Error> {
    let least = i64::from(function == Function::LessEqual);
    Ok([(left.clone().less(right)?, -least, false), (right.clone().less(left)?, least - 1, true)])
}

impl Site<'_> {
    /// The coordinates that have to be inside so that a condition is known where other values are outside: coordinates by which they
    /// are outside are outside there, as its own are never smaller; of others, it has the digits.
    pub fn covers(
        &self,
        condition: &Value,
        others: &[&Value],
        extent: &String,
    ) -> Option<Vec<Unless<Along>>> {
        let whole = [condition.along(extent).to_vec()];
        let masks = condition.masks.get(extent).map_or(&whole[..], |masks| masks);
        let own = || condition.along(extent).iter().chain(masks.iter().flatten());
        let has = |digit: Digit| own().flat_map(Along::digits).any(|own| overlap(&own, &digit));
        let elements = [self.active, self.values];
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
        let mut unless = Vec::new();
        for one in others.iter().flat_map(|other| other.along(extent)).filter(|one| !one.is_inside) {
            if !(one.digits().all(has) && is_below(one)) {
                let is_stored =
                    matches!(one.known, Known::Here | Known::Stored) && !condition.masks.is_empty();
                unless.push(is_stored.then(|| Unless::new(extent, extent.clone(), one.clone()))?);
            }
        }
        Some(unless)
    }

    /// Of what one condition relies on, what is left where another one decides as well.
    pub fn left_open(&self, one: &Value, other: &Value, extent: &String, decides: f64) -> Vec<Unless<Along>> {
        let elements = [self.active, self.values];
        let is_closed = |own: &&Unless<Along>| {
            let mut masks = other.masks.get(&own.extent).into_iter().flatten();
            other.cases.at(&own.extent)[0] == decides
                && !other.unless.iter().any(|other| other.of == own.extent)
                && masks.any(|mask| mask.iter().all(|mask| own.at.is_at_most(mask, elements)))
        };
        one.unless.iter().filter(|own| own.of == *extent && !is_closed(own)).cloned().collect()
    }

    /// The operand that is the result, where conditions are the same for all elements.
    pub fn chosen<'e>(&self, function: Function, operands: &'e [Expr]) -> Result<Option<&'e Expr>, Error> {
        let neutral = Some(function == Function::And);
        Ok(match (function, operands) {
            (Function::Select, [condition, yes, no]) => {
                self.decided(condition, &mut None)?.map(|holds| if holds { yes } else { no })
            }
            (Function::And | Function::Or, [one, other]) if self.decided(one, &mut None)? == neutral => {
                Some(other)
            }
            (Function::And | Function::Or, [one, other]) if self.decided(other, &mut None)? == neutral => {
                Some(one)
            }
            _ => None,
        })
    }

    /// Whether a condition holds, where that is the same for all elements, perhaps where their coordinates are inside.
    pub fn decided(&self, condition: &Expr, others: &mut Others) -> Result<Option<bool>, Error> {
        let Expr::Call(function, arguments) = condition else { return Ok(None) };
        let [left, right] = &arguments[..] else { return Ok(None) };
        if let Function::And | Function::Or = function {
            let both = [self.decided(left, others)?, self.decided(right, others)?];
            let decides = *function == Function::Or;
            return Ok(if both.contains(&Some(decides)) { Some(decides) } else { both[0].and(both[1]) });
        }
        let mut scope = self.program.scope.clone();
        let [left, right] = [left, right].map(|side| self.sum(side, None, &mut scope, others));
        let (Some(left), Some(right)) = (left?, right?) else { return Ok(None) };
        let is_known = |own: &(Sum, i64, bool)| {
            own.0.rest[0].plus(own.1).is_ok_and(|more| is_at_least(&scope, &more, &0.into()))
        };
        Ok(match function {
            Function::Less | Function::LessEqual => {
                differences(*function, &left, &right)?.into_iter().find(is_known).map(|own| own.2)
            }
            // It is false where one side is larger.
            Function::Equal => {
                let [one, _] = differences(Function::LessEqual, &left, &right)?;
                let [other, _] = differences(Function::LessEqual, &right, &left)?;
                (is_known(&one) || is_known(&other)).then_some(false)
            }
            _ => None,
        })
    }

    fn is_unsigned(&self, side: &Expr) -> bool {
        matches!(type_of(self.program, side), Ok(None | Some(Type::Element(Element::U32))))
    }

    /// The extent of a coordinate in a comparison that is known wherever this is outside, and what it is there.
    pub fn compared(&self, function: Function, left: &Expr, right: &Expr) -> Result<Option<Compared>, Error> {
        if function == Function::Equal {
            // It is false where one side is larger.
            let known = [
                self.compared(Function::LessEqual, left, right)?,
                self.compared(Function::LessEqual, right, left)?,
            ];
            return Ok(known.into_iter().flatten().find(|own| own.outside == 0.0));
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
                let found = self.compared(function, left, right)?;
                if let Some(found) = found.filter(|own| own.outside == decided) {
                    return Ok(Some(found));
                }
            }
        }
        let (is_rounded, sides) = match (left, right) {
            (Expr::Call(Function::Cast(one), left), Expr::Call(Function::Cast(other), right))
                if one == other && one.is_float() =>
            {
                (true, [&left[0], &right[0]])
            }
            _ => (false, [left, right]),
        };
        let mut places = Vec::new();
        sides.into_iter().for_each(|side| self.places(side, &mut places));
        // What is rounded may be equal, but never in another order.
        let is_known = |own: &Compared| !is_rounded || (function == Function::Less) == (own.outside == 0.0);
        let mut found = Vec::new();
        for (is_inside, place) in
            [false, true].into_iter().flat_map(|own| places.iter().map(move |at| (own, *at)))
        {
            found.extend(self.compared_at(function, sides, place, is_inside)?.filter(is_known));
        }
        // Of several coordinates, one outside of which it is false: a mask.
        let mask = found.iter().position(|own| own.outside == 0.0).unwrap_or(0);
        Ok(found.into_iter().nth(mask))
    }

    /// The same of one of the coordinates, perhaps where the others are inside.
    fn compared_at(
        &self,
        function: Function,
        sides: [&Expr; 2],
        place: (&View, usize),
        is_inside: bool,
    ) -> Result<Option<Compared>, Error> {
        let (program, (view, mode)) = (self.program, place);
        let (mut scope, tensor) = (program.scope.clone(), program.tensor(view));
        let mut others = is_inside.then(Vec::new);
        let [left, right] = sides.map(|side| self.sum(side, Some(place), &mut scope, &mut others));
        let (Some(left), Some(right)) = (left?, right?) else { return Ok(None) };
        let extent = tensor.extent(&scope, mode)?;
        let mut form = program.form(view, mode);
        let rows = view.gathers().find(|(_, own)| *own == mode).map(|(rows, _)| rows);
        let is_alone = left.is_part() && right.times.is_empty() || right.is_part() && left.times.is_empty();
        // A sum with what is below 0, or is any number, wraps.
        let (low, reach) = self.range(&mut scope, &form)?;
        let is_above = rows.is_none() && is_at_least(&scope, &low, &0.into());
        let mut firsts = vec![extent.clone()];
        // What begins below 0 and ends inside is outside only from 2^32 less that on.
        if !is_above && rows.is_none() && is_at_least(&scope, &extent, &reach) {
            firsts.extend(low.as_integer().map(|low| low.saturating_add(1 << 32).into()));
        }
        for (sum, least, holds) in differences(function, &left, &right)? {
            let Some(times) = sum.growing().filter(|times| !times.is_empty()) else { continue };
            // The difference at the first coordinate outside, less what it has to be; it grows from there on.
            let mut known = None;
            for first in firsts.iter().filter(|_| is_alone || is_above) {
                let mut more = sum.rest[0].plus(least)?;
                for (divisor, count) in &times {
                    more = more.add(&scope.floor_div(first, &(*divisor).into())?.mul(&(*count).into())?)?;
                }
                known = known.or(Some(more).filter(|more| is_at_least(&scope, more, &0.into())));
            }
            let Some(more) = known else { continue };
            let at = match (rows, &times.into_iter().collect::<Vec<_>>()[..]) {
                (Some(rows), _) => self.row(view, rows),
                (None, times) => {
                    // It is known as far before the extent.
                    let count = match times {
                        [(1, count)] if is_above => *count,
                        _ => i64::MAX,
                    };
                    form.constant = form.constant.saturating_add(more.as_integer().unwrap_or(0) / count);
                    Along { origin: view.tensor, form, known: Known::Here, is_inside: false }
                }
            };
            let extent = self.bounds(view)?.swap_remove(mode).extent;
            let others = others.into_iter().flatten();
            let unless = others.map(|(other, at)| Unless::new(&extent, other, at)).collect();
            return Ok(Some(Compared { extent, at, outside: f64::from(u8::from(holds)), unless }));
        }
        Ok(None)
    }

    /// The coordinate of an element that a view of `rows` gives.
    pub fn row(&self, view: &View, rows: &View) -> Along {
        let forms = self.program.forms(view).into_iter();
        let terms = forms.chain(self.program.forms(rows)).flat_map(|form| form.terms);
        let form = Form { constant: 0, terms: terms.collect() };
        let mut all = Vec::new();
        self.value.visit(&mut |view, _| all.extend(view.gathers().map(|(rows, _)| rows)));
        let place = all.iter().position(|own| *own == rows);
        Along { origin: view.tensor, form, known: Known::Read(place), is_inside: false }
    }

    /// The view and the mode whose coordinate an expression is.
    fn place<'e>(&'e self, expr: &'e Expr) -> Option<(&'e View, usize)> {
        let mut found = None;
        match expr {
            Expr::Coordinate(view, mode) => found = Some((view, *mode)),
            // Where it alone is a coordinate of another view.
            Expr::View(rows) => self.value.visit(&mut |view, _| {
                let own = view
                    .gathers()
                    .find(|(own, mode)| *own == rows && self.program.form(view, *mode) == Form::default());
                found = found.or(own.map(|(_, mode)| (view, mode)));
            }),
            _ => {}
        }
        found
    }

    /// The coordinates in a sum.
    fn places<'e>(&'e self, expr: &'e Expr, found: &mut Vec<(&'e View, usize)>) {
        use Function::{Add, Div, Mul, Rem, Sub};
        match expr {
            Expr::Call(Add | Sub | Mul | Div | Rem, terms) => {
                terms.iter().for_each(|term| self.places(term, found))
            }
            _ => found.extend(self.place(expr)),
        }
    }

    /// An expression as a sum of a coordinate and what is bounded: by the extent, where other coordinates are taken to be inside. A
    /// difference has to be 0 or more, as those of `u32` wrap.
    fn sum(
        &self,
        expr: &Expr,
        place: Option<(&View, usize)>,
        scope: &mut Scope,
        others: &mut Others,
    ) -> Result<Option<Sum>, Error> {
        let program = self.program;
        if place.is_some() && self.place(expr) == place {
            return Ok(Some(Sum::of(1)));
        }
        if !self.is_unsigned(expr) {
            return Ok(None);
        }
        let within = |rest: [Number; 2]| Sum { times: BTreeMap::new(), rest };
        let [low, high] = Integers { site: self, scope, divided: None }.of(expr)?;
        let bounded = low.clone().zip(high).map(|(low, high)| within([low, high]));
        if let (Expr::Coordinate(view, mode), Some(others), Some(low)) = (expr, &mut *others, low)
            && let bound = self.bounds(view)?.swap_remove(*mode)
            && bound.is_needed
        {
            if view.gathers().next().is_some() || !is_at_least(scope, &low, &0.into()) {
                return Ok(None);
            }
            let form = program.form(view, *mode);
            others.push((
                bound.extent,
                Along { origin: view.tensor, form, known: Known::Here, is_inside: false },
            ));
            return Ok(Some(within([low, program.tensor(view).extent(scope, *mode)?.plus(-1)?])));
        }
        let (function, terms) = match expr {
            Expr::Call(function, terms) if terms.len() == 2 => (*function, terms),
            _ => return Ok(bounded),
        };
        let [one, other] = [&terms[0], &terms[1]].map(|term| self.sum(term, place, scope, others));
        let (Some(mut one), Some(mut other)) = (one?, other?) else { return Ok(bounded) };
        if one.number().is_some() && function == Function::Mul {
            core::mem::swap(&mut one, &mut other);
        }
        let by = other.number().filter(|number| *number > 0);
        let whole = by.and_then(|by| one.quotient()?.checked_mul(by));
        Ok(match (function, by, whole) {
            (Function::Add, ..) => {
                other.times.iter().for_each(|(divisor, count)| one.add(*divisor, *count));
                one.rest = [one.rest[0].add(&other.rest[0])?, one.rest[1].add(&other.rest[1])?];
                Some(one)
            }
            (Function::Sub, ..) => {
                let own = one.less(&other)?;
                (own.growing().is_some() && is_at_least(scope, &own.rest[0], &0.into())).then_some(own)
            }
            (Function::Mul, Some(by), _) => {
                one.times.values_mut().for_each(|count| *count = count.saturating_mul(by));
                one.rest = [one.rest[0].mul(&by.into())?, one.rest[1].mul(&by.into())?];
                Some(one)
            }
            (Function::Div, _, Some(whole)) => Some(Sum::of(whole)),
            (Function::Rem, Some(by), Some(whole)) => {
                one.add(whole, by.saturating_neg());
                Some(one)
            }
            _ => bounded,
        })
    }
}
