//! A view of one statement, ready for all its threads and values.

use crate::form::{Digit, Form, Index, Indices};
use crate::prelude::*;
use crate::program::{Program, View};
use tilework::__private::gcd;

/// The coordinates of a view: sums of a part of the thread, one of the value, and one of the block and the loops.
pub(crate) struct Access<'a> {
    pub view: &'a View,
    values: usize,
    /// By mode, of each thread.
    threads: Vec<i64>,
    /// By mode, of each value.
    of_values: Vec<i64>,
    /// By mode.
    moving: Vec<Form>,
}

impl<'a> Access<'a> {
    /// The view for the first `active` threads and all `values` of each.
    pub fn new(program: &Program, view: &'a View, active: i64, values: i64) -> Access<'a> {
        let mut moving = program.forms(view);
        let mut part = |index: Index| -> Vec<Form> {
            let is_own = |(_, digit): &mut (i64, Digit)| digit.index == index;
            let own = moving.iter_mut().map(|form| form.terms.extract_if(.., is_own).collect());
            own.map(|terms| Form { constant: 0, terms }).collect()
        };
        let (of_thread, of_value) = (part(Index::Thread), part(Index::Value));
        let at = |forms: &[Form], own| -> Vec<i64> { forms.iter().map(|form| form.at(&own)).collect() };
        let of = |thread, value| Indices { thread, value, ..Indices::default() };
        let threads = (0..active).flat_map(|thread| at(&of_thread, of(thread, 0))).collect();
        let of_values = (0..values).flat_map(|value| at(&of_value, of(0, value))).collect();
        Access { view, values: values as usize, threads, of_values, moving }
    }

    pub fn rank(&self) -> usize {
        self.moving.len()
    }

    /// The part of the block and the loops, where they are now.
    pub fn start(&self, indices: &Indices) -> Vec<i64> {
        self.moving.iter().map(|form| form.at(indices)).collect()
    }

    /// The coordinate of an element, counted by value and then by thread.
    pub fn coordinate(&self, start: &[i64], element: usize) -> impl Iterator<Item = i64> + Clone {
        let (thread, value) = (element / self.values, element % self.values);
        let own = self.threads[thread * self.rank()..].iter().zip(&self.of_values[value * self.rank()..]);
        let all = start.iter().zip(own);
        all.map(|(start, (thread, value))| start.saturating_add(thread.saturating_add(*value)))
    }

    /// `, k = 3`: the step of the first loop on which it depends.
    pub fn step_text(&self, program: &Program, indices: &Indices) -> String {
        let mut digits = self.moving.iter().flat_map(|form| &form.terms).map(|(_, digit)| digit.index);
        digits
            .find_map(|index| match index {
                Index::Loop(name) => Some(format!(", {} = {}", program.loops[name], indices.loops[name])),
                _ => None,
            })
            .unwrap_or_default()
    }

    /// All starts that there are, if they repeat soon and for every block.
    pub fn starts(&self, program: &Program) -> Option<impl Iterator<Item = Vec<i64>>> {
        let digits = || self.moving.iter().flat_map(|form| &form.terms).map(|(_, digit)| digit);
        let steps = |name: usize| -> Option<i64> {
            let mut own = digits().filter(|digit| digit.index == Index::Loop(name));
            own.try_fold(1i64, |all, digit| {
                let period = digit.divisor.checked_mul(digit.modulus?)?;
                (all / gcd(all as u64, period as u64) as i64).checked_mul(period)
            })
        };
        let extents: Vec<i64> = (0..program.loops.len()).map(steps).collect::<Option<_>>()?;
        let repeats = extents.iter().try_fold(1i64, |product, own| product.checked_mul(*own))? <= 64;
        let is_known = repeats && !digits().any(|digit| matches!(digit.index, Index::Block(_)));
        let start = |loops| self.start(&Indices { loops, ..Indices::default() });
        is_known.then(|| coordinates(extents).map(start))
    }
}

/// `3,4`.
pub(crate) fn list(values: impl Iterator<Item = i64>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}

/// All coordinates of a shape, the first mode fastest.
pub(crate) fn coordinates(extents: impl AsRef<[i64]>) -> impl Iterator<Item = Vec<i64>> {
    let mut next = Some(vec![0; extents.as_ref().len()]);
    core::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for (index, extent) in following.iter_mut().zip(extents.as_ref()) {
            *index += 1;
            if *index < *extent {
                next = Some(following);
                break;
            }
            *index = 0;
        }
        Some(current)
    })
}
