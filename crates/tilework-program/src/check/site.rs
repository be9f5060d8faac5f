//! A statement that computes, with the loops and conditions around it.

use crate::error::Error;
use crate::form::{Digit, Form, Index};
use crate::instruction::Instruction;
use crate::program::{Expr, Kind, Program, Statement, View};
use alloc::vec::Vec;
use tilework_symbolic::{Number, Scope, Verdict};

#[derive(Clone)]
pub struct Site<'a> {
    pub line: usize,
    pub to: &'a View,
    pub value: &'a Expr,
    pub active: i64,
    pub values: i64,
    pub by: Option<&'a Instruction>,
    /// The loops around it, by the place of their names and the number of their steps.
    pub loops: Vec<(usize, &'a Number)>,
    whens: Vec<(&'a Form, &'a Number)>,
}

/// The number of values of an index, or a bound of it.
pub struct Extent {
    pub number: Number,
    pub is_exact: bool,
}

/// All statements that compute, in their order.
pub fn sites(program: &Program) -> Vec<Site<'_>> {
    let mut found = Vec::new();
    walk(program, &program.body, &mut Vec::new(), &mut Vec::new(), &mut found);
    found
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
                line: statement.line,
                to,
                value,
                active: program.active(to, value),
                values: program.values(to, value),
                by: by.as_ref(),
                loops: loops.clone(),
                whens: whens.clone(),
            }),
            Kind::For { index, count, body } => {
                loops.push((*index, count));
                walk(program, body, loops, whens, found);
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

impl<'a> Site<'a> {
    /// The views whose elements it accesses, the destination first.
    pub fn accessed(&self) -> impl Iterator<Item = (&'static str, &'a View)> {
        let mut views = alloc::vec![("written", self.to)];
        self.value.visit(&mut |view, is_read| views.extend(is_read.then_some(("read", view))));
        views.into_iter()
    }

    /// How many values an index takes here: conditions on it alone restrict it.
    pub fn extent(&self, program: &Program, index: Index) -> Result<Extent, Error> {
        let scope = &program.scope;
        let number = match index {
            Index::Thread => Number::integer(self.active),
            Index::Value => Number::integer(self.values),
            Index::Block(axis) => program.grid[axis].clone(),
            Index::Loop(name) => {
                let own = self.loops.iter().find(|(own, _)| *own == name);
                own.map_or(Number::integer(1), |(_, count)| (*count).clone())
            }
        };
        let mut extent = Extent { number, is_exact: true };
        for (form, below) in &self.whens {
            if !form.has(index) && !form.terms.is_empty() {
                continue;
            }
            if form.terms[..] != [(1, Digit::of(index))] {
                extent.is_exact = false;
                continue;
            }
            let limit = below.plus(-form.constant)?;
            let is_shorter = scope.is_at_least(&extent.number, &limit)?;
            let is_idle = scope.is_at_least(&limit, &extent.number)?;
            match (is_shorter, is_idle) {
                (_, Verdict::Always) => {}
                (Verdict::Always, _) => {
                    extent.number = limit;
                    extent.is_exact &=
                        matches!(scope.is_at_least(&extent.number, &1.into())?, Verdict::Always);
                }
                _ => extent.is_exact = false,
            }
        }
        Ok(extent)
    }

    /// The smallest value of a form here and one more than the largest.
    pub fn range(
        &self,
        program: &Program,
        scope: &mut Scope,
        form: &Form,
    ) -> Result<(Number, Number), Error> {
        let mut low = Number::integer(form.constant);
        let mut high = low.clone();
        for (step, digit) in &form.terms {
            let last = self.extent(program, digit.index)?.number.plus(digit.add - 1)?;
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
}
