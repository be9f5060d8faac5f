//! What emitted text computes in unsigned integers of 32 bits: sums and products may wrap on the way to a number that fits,
//! but not what is compared or divided.

use super::interval::{Integers, reach};
use super::site::statements;
use crate::form::Form;
use crate::prelude::*;
use crate::program::{Expr, Function, Program, Storage};
use crate::verify::{Type, type_of};
use tilework_symbolic::Number;

/// A number that has to be below 2^32.
pub struct Narrow {
    pub number: Number,
    /// Whether it may be below 0.
    pub is_signed: bool,
    /// The line of the statement that computes it; none where several do.
    pub line: Option<usize>,
}

impl Program {
    /// The numbers that have to be below 2^32, each once.
    pub(crate) fn narrow(&self) -> Result<Vec<Narrow>, Error> {
        // Largest coordinates, what is compared, and strides, of which only what is divided matters.
        let (mut all, mut strides) = (Vec::new(), Vec::new());
        for mut site in statements(self) {
            let (line, mut reached, mut compared) = (site.line, Vec::new(), Vec::new());
            let mut see = || -> Result<(), Error> {
                compared.extend(site.loops.iter().map(|(_, count)| (*count).clone()));
                let mut views = vec![site.to];
                site.value.visit(&mut |view, _| views.push(view));
                for view in views {
                    let Storage::Global(layout) = &self.tensor(view).storage else { continue };
                    for (mode, form) in self.forms(view).iter().enumerate() {
                        let (low, reach) = reach(&site, form, &mut reached)?;
                        let extent = self.tensor(view).extent(&self.scope, mode)?;
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
                sums_within(self, site.value, false, &mut sums)?;
                let scope = &mut self.scope.clone();
                let mut integers = Integers { site: &site, scope, divided: Some(&mut reached) };
                for sum in sums {
                    let [_, most] = integers.of(sum)?;
                    compared.extend(most);
                }
                // A condition is asked before it holds, inside of those around it.
                while let Some((form, below)) = site.whens.pop() {
                    let (low, reach) = reach(&site, form, &mut reached)?;
                    // The end of a loop is compared with its index, and has no sign either.
                    let is_end = form.terms.iter().any(|(step, _)| *step < 0);
                    compared.extend([below.clone(), if is_end { below.sub(&low)? } else { low }]);
                    reached.push(reach.plus(-1)?);
                }
                Ok(())
            };
            see().map_err(|error| error.at(line))?;
            let own = |is_signed| move |number| Narrow { number, is_signed, line: Some(line) };
            all.extend(compared.into_iter().map(own(false)));
            all.extend(reached.into_iter().map(own(true)));
        }
        let compared = all.iter().filter(|own| !own.is_signed).map(|own| &own.number);
        let divided = self.scope.divided(compared.chain(&strides));
        all.extend(divided.into_iter().map(|number| Narrow { number, is_signed: false, line: None }));
        // What has no sign first, as it asks for more.
        all.sort_by_key(|own| own.is_signed);
        let mut once: Vec<Narrow> = Vec::new();
        for own in all {
            let is_narrow = own.number.as_integer().is_some_and(|own| u32::try_from(own).is_ok());
            if !is_narrow && !once.iter().any(|other| other.number == own.number) {
                once.push(own);
            }
        }
        Ok(once)
    }
}

/// The sums and products of integers in what is compared or divided, and in what integers are divided by.
fn sums_within<'a>(
    program: &Program,
    expr: &'a Expr,
    is_within: bool,
    found: &mut Vec<&'a Expr>,
) -> Result<(), Error> {
    use Function::{Add, Div, Equal, Less, LessEqual, Mul, Rem};
    let Expr::Call(function, arguments) = expr else { return Ok(()) };
    let is_float = matches!(type_of(program, expr)?, Some(Type::Element(own)) if own.is_float());
    if is_within && !is_float && matches!(function, Add | Mul) {
        found.push(expr);
    }
    let is_within = is_within || matches!(function, Less | LessEqual | Equal | Div | Rem);
    arguments.iter().try_for_each(|own| sums_within(program, own, is_within, found))
}
