//! What emitted text computes in unsigned integers of 32 bits: sums and products may wrap on the way to a number that fits,
//! but not what is compared or divided.

use super::shifts::most;
use super::site::{Site, extent, range, statements};
use crate::error::Error;
use crate::form::{Digit, Form, Index};
use crate::program::{Expr, Function, Program, Storage};
use crate::sizes::MAX_BLOCKS;
use alloc::vec::Vec;
use tilework_symbolic::Number;

impl Program {
    /// The numbers that have to be below 2^32, each once, and whether they may be below 0.
    pub(crate) fn narrow(&self) -> Result<Vec<(Number, bool)>, Error> {
        // Largest coordinates, what is compared, and strides, of which only what is divided matters.
        let (mut reached, mut compared, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        for mut site in statements(self) {
            let line = site.line;
            let mut see = || -> Result<(), Error> {
                compared.extend(site.loops.iter().map(|(_, count)| (*count).clone()));
                let mut views = alloc::vec![site.to];
                site.value.visit(&mut |view, _| views.push(view));
                for view in views {
                    let Storage::Global(layout) = &self.tensor(view).storage else { continue };
                    for (mode, form) in view.forms(layout.rank()).iter().enumerate() {
                        let (low, reach) = reach(self, &site, form, &mut reached)?;
                        let extent = extent(&mut self.scope.clone(), &self.tensor(view).storage, mode)?;
                        // A coordinate below 0 wraps to one that is outside. One that is read is below 2^31 where another is added.
                        let is_sum = view.gathers().any(|(_, own)| own == mode) && *form != Form::default();
                        let times = Number::integer(1 + i64::from(is_sum));
                        reached.extend([times.mul(&extent.sub(&low)?)?, times.mul(&reach)?.plus(-1)?]);
                    }
                    strides.extend(
                        layout.leaves().iter().flat_map(|leaf| [leaf.extent.clone(), leaf.stride.clone()]),
                    );
                }
                let mut sums = Vec::new();
                compared_sums(site.value, &mut sums);
                for sum in sums {
                    compared.extend(most(self, &site, &mut self.scope.clone(), sum)?);
                }
                // A condition is asked before it holds, inside of those around it.
                while let Some((form, below)) = site.whens.pop() {
                    let (low, reach) = reach(self, &site, form, &mut reached)?;
                    compared.extend([below.clone(), low]);
                    reached.push(reach.plus(-1)?);
                }
                Ok(())
            };
            see().map_err(|error| error.at(line))?;
        }
        compared.extend(self.scope.divided(compared.iter().chain(&strides)));
        let all =
            compared.into_iter().map(|own| (own, false)).chain(reached.into_iter().map(|own| (own, true)));
        let mut once: Vec<(Number, bool)> = Vec::new();
        for (number, is_signed) in all {
            let is_narrow = number.as_integer().is_some_and(|own| u32::try_from(own).is_ok());
            if !is_narrow && !once.iter().any(|(own, _)| *own == number) {
                once.push((number, is_signed));
            }
        }
        Ok(once)
    }
}

/// The sums that a value compares.
fn compared_sums<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    let Expr::Call(function, arguments) = expr else { return };
    if matches!(function, Function::Less | Function::LessEqual | Function::Equal) {
        found.extend(arguments.iter().filter(|own| matches!(own, Expr::Call(Function::Add, _))));
    }
    arguments.iter().for_each(|own| compared_sums(own, found));
}

/// The smallest value of a form in a statement and one more than the largest, without quotients of its own; with what is
/// divided in its digits.
fn reach(
    program: &Program,
    site: &Site<'_>,
    form: &Form,
    divided: &mut Vec<Number>,
) -> Result<(Number, Number), Error> {
    let extent = |index: Index| -> Result<Number, Error> {
        let own = site.extent(program, index)?.number;
        let is_many = matches!(index, Index::Block(_)) && own.as_integer().is_none_or(|own| own > MAX_BLOCKS);
        Ok(if is_many { MAX_BLOCKS.into() } else { own })
    };
    let mut form = form.clone();
    for (_, digit) in &mut form.terms {
        let own = extent(digit.index)?;
        if own.as_integer().is_none() {
            divided.push(own.plus(digit.add - 1)?);
            if digit.modulus.is_none() {
                *digit = Digit { divisor: 1, ..*digit };
            }
        }
    }
    range(&mut program.scope.clone(), &form, extent)
}
