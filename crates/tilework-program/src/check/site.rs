//! A statement that computes, with the loops and conditions around it, and what is known of its views for all sizes: where
//! they are inside of their tensors, and how many values one access has.

use crate::access::Access;
use crate::form::{Form, Index};
use crate::instruction::Instruction;
use crate::prelude::*;
use crate::program::{Expr, Kind, Program, Statement, Tensor, View};
use tilework_symbolic::{Number, Scope, Verdict};

pub struct Site<'a> {
    pub program: &'a Program,
    pub line: usize,
    pub to: &'a View,
    pub value: &'a Expr,
    pub active: i64,
    pub values: i64,
    pub by: Option<&'a Instruction>,
    /// The loops around it, by the place of their names and the number of their steps.
    pub loops: Vec<(usize, &'a Number)>,
    /// The conditions around it.
    pub whens: Vec<(&'a Form, &'a Number)>,
    /// The views whose elements it accesses, the destination first.
    pub views: Vec<Seen<'a>>,
}

/// A view whose elements a statement accesses.
pub struct Seen<'a> {
    pub view: &'a View,
    pub tensor: &'a Tensor,
    pub is_written: bool,
    /// By mode.
    pub bounds: Vec<Bound>,
    pub width: Width,
}

/// The values of an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// A power of 2; with 1 it is an ordinary access.
    pub values: i64,
    /// The values that it would have under more facts, and these.
    pub missing: Option<(i64, String)>,
}

/// The coordinate of a view along one mode, against the extent there.
pub struct Bound {
    /// The extent of the mode.
    pub extent: String,
    /// One more than the largest coordinate.
    pub reach: String,
    /// Whether every coordinate is inside, or under which condition.
    pub verdict: Verdict,
    /// Whether the coordinates end at the extent or behind it.
    pub covers: Verdict,
    /// Whether an access needs a predicate.
    pub is_needed: bool,
}

/// The number of values of an index, or a bound of it.
pub struct Extent {
    pub number: Number,
    pub is_exact: bool,
}

/// All statements that compute, in their order, before anything is known of their views.
pub fn statements(program: &Program) -> Vec<Site<'_>> {
    let mut found = Vec::new();
    walk(program, &program.body, &mut Vec::new(), &mut Vec::new(), &mut found);
    found
}

/// The place of the statement that writes to a view of the program.
pub fn place_of(sites: &[Site<'_>], to: &View) -> Option<usize> {
    sites.iter().position(|site| core::ptr::eq(site.to, to))
}

fn walk<'a>(
    program: &'a Program,
    body: &'a [Statement],
    loops: &mut Vec<(usize, &'a Number)>,
    whens: &mut Vec<(&'a Form, &'a Number)>,
    found: &mut Vec<Site<'a>>,
) {
    for statement in body {
        match &statement.kind {
            Kind::Each { to, value, by } => found.push(Site {
                program,
                line: statement.line,
                to,
                value,
                active: program.active(to, value),
                values: program.values(to, value),
                by: by.as_ref(),
                loops: loops.clone(),
                whens: whens.clone(),
                views: Vec::new(),
            }),
            Kind::For { index, count, until, body } => {
                loops.push((*index, count));
                whens.extend(until.iter().map(|own| (&own.left, &own.below)));
                walk(program, body, loops, whens, found);
                whens.truncate(whens.len() - until.iter().count());
                loops.pop();
            }
            Kind::When { form, below, body } => {
                whens.push((form, below));
                walk(program, body, loops, whens, found);
                whens.pop();
            }
            Kind::Barrier | Kind::Commit | Kind::Wait(_) => {}
        }
    }
}

/// The statements in the order of a run, those of a loop of several steps twice: what a step leaves behind is read by the next
/// one. Of each, its outermost loop and the step of it.
pub fn in_two_steps<'s, 'a>(
    sites: &'s [Site<'a>],
) -> impl Iterator<Item = (&'s Site<'a>, Option<(usize, i64)>)> {
    let outermost = |site: &Site<'_>| site.loops.first().map(|(name, _)| *name);
    let groups = sites.chunk_by(move |a, b| outermost(a).is_some() && outermost(a) == outermost(b));
    groups.flat_map(move |group| {
        let scope = &group[0].program.scope;
        let has_several = |(_, count): &(usize, &Number)| !is_at_least(scope, &1.into(), count);
        let steps = 0..if group[0].loops.first().is_some_and(has_several) { 2 } else { 1 };
        steps.flat_map(move |step| {
            group.iter().map(move |site| (site, outermost(site).map(|name| (name, step))))
        })
    })
}

impl<'a> Site<'a> {
    /// A view for its threads and values.
    pub fn access<'v>(&self, view: &'v View) -> Access<'v> {
        Access::new(self.program, view, self.active, self.values)
    }

    /// What is known of a view of the program in this statement.
    pub fn seen(&self, view: &View) -> Option<&Seen<'a>> {
        self.views.iter().find(|own| core::ptr::eq(own.view, view))
    }

    /// The bounds of a view by mode.
    pub fn bounds(&self, view: &View) -> Result<Vec<Bound>, Error> {
        // The quotients that are asked about are not those of the program.
        let (mut scope, tensor) = (self.program.scope.clone(), self.program.tensor(view));
        let bound = |(mode, form): (usize, &Form)| -> Result<Bound, Error> {
            let extent = tensor.extent(&scope, mode)?;
            let (low, reach) = self.range(&mut scope, form)?;
            let below = scope.is_at_least(&extent, &reach)?;
            let verdict = match scope.is_at_least(&low, &0.into())? {
                Verdict::Always => below,
                _ => Verdict::Open,
            };
            let covers = scope.is_at_least(&reach, &extent)?;
            let [extent, reach] = [extent, reach].map(|number| scope.number_text(&number));
            let is_gathered = view.gathers().any(|(_, own)| own == mode);
            let is_needed = is_gathered || !matches!(verdict, Verdict::Always);
            Ok(Bound { extent, reach, verdict, covers, is_needed })
        };
        self.program.forms(view).iter().enumerate().map(bound).collect()
    }

    /// The smallest value of a form here and one more than the largest.
    pub fn range(&self, scope: &mut Scope, form: &Form) -> Result<(Number, Number), Error> {
        range(scope, form, |index| Ok(self.extent(index)?.number))
    }

    /// How many values an index takes here: conditions on it alone restrict it.
    pub fn extent(&self, index: Index) -> Result<Extent, Error> {
        let scope = &self.program.scope;
        let number = match index {
            Index::Thread => Number::integer(self.active),
            Index::Value => Number::integer(self.values),
            Index::Block(axis) => self.program.grid[axis].clone(),
            Index::Loop(name) => {
                let own = self.loops.iter().find(|(own, _)| *own == name);
                own.map_or(Number::integer(1), |(_, count)| (*count).clone())
            }
        };
        let mut extent = Extent { number, is_exact: true };
        let always = |high: &Number, low: &Number| always(scope.is_at_least(high, low));
        for (form, below) in &self.whens {
            let limit = below.plus(-form.constant)?;
            if form.terms.is_empty() {
                extent.is_exact &= always(&limit, &1.into())?;
            }
            if !form.has(index) {
                continue;
            }
            // Each term of a sum is below its limit; all of one below 1 are 0.
            let is_sum = form.terms.iter().all(|(step, digit)| *step > 0 && digit.add >= 0);
            let is_box = form.terms.len() == 1 || limit.as_integer() == Some(1);
            let mut is_known = is_sum && is_box;
            for (step, digit) in form.terms.iter().filter(|(_, digit)| digit.index == index) {
                let count = match limit.as_integer() {
                    Some(limit) if is_sum => Some(limit.saturating_add(step - 1).div_euclid(*step).into()),
                    _ => Some(limit.clone()).filter(|_| is_sum && *step == 1),
                };
                let Some(count) = count.filter(|_| digit.modulus.is_none()) else {
                    is_known = false;
                    continue;
                };
                let own = count.mul(&digit.divisor.into())?.plus(-digit.add)?;
                if always(&extent.number, &own)? {
                    extent.number = own;
                    is_known &= always(&extent.number, &1.into())?;
                } else {
                    is_known &= always(&own, &extent.number)?;
                }
            }
            extent.is_exact &= is_known;
        }
        Ok(extent)
    }
}

impl Seen<'_> {
    pub fn verb(&self) -> &'static str {
        if self.is_written { "written" } else { "read" }
    }
}

/// The smallest value of a form and one more than the largest, where each index takes as many values.
pub fn range(
    scope: &mut Scope,
    form: &Form,
    extent: impl Fn(Index) -> Result<Number, Error>,
) -> Result<(Number, Number), Error> {
    let mut low = Number::integer(form.constant);
    let mut high = low.clone();
    for (step, digit) in &form.terms {
        let last = extent(digit.index)?.plus(digit.add - 1)?;
        let quotient = scope.floor_div(&last, &digit.divisor.into())?;
        let last = match (digit.modulus, quotient.as_integer()) {
            (Some(modulus), Some(quotient)) => Number::integer(quotient.min(modulus - 1)),
            (Some(modulus), None) => Number::integer(modulus - 1),
            (None, _) => quotient,
        };
        let amount = last.mul(&(*step).into())?;
        match *step < 0 {
            true => low = low.add(&amount)?,
            false => high = high.add(&amount)?,
        }
    }
    Ok((low, high.plus(1)?))
}

/// Whether it is so at all sizes.
pub fn always(verdict: Result<Verdict, tilework::Error>) -> Result<bool, Error> {
    Ok(matches!(verdict?, Verdict::Always))
}

/// Whether a number is known to be as large as another one at all sizes.
pub fn is_at_least(scope: &Scope, high: &Number, low: &Number) -> bool {
    matches!(scope.is_at_least(high, low), Ok(Verdict::Always))
}
