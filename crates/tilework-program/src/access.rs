//! A view of one statement, ready for all its threads and values.

use crate::form::{Form, Index, Indices};
use crate::program::{Program, View};
use alloc::vec;
use alloc::vec::Vec;

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
        let (mut moving, mut own) = (view.forms(program.tensor(view).rank()), Indices::default());
        let mut part = |index: Index| -> Vec<Form> {
            let taken = |form: &mut Form| Form {
                constant: 0,
                terms: form.terms.extract_if(.., |(_, digit)| digit.index == index).collect(),
            };
            moving.iter_mut().map(taken).collect()
        };
        let (of_thread, of_value) = (part(Index::Thread), part(Index::Value));
        let (mut threads, mut of_values) = (Vec::new(), Vec::new());
        for thread in 0..active {
            own.thread = thread;
            threads.extend(of_thread.iter().map(|form| form.at(&own)));
        }
        for value in 0..values {
            own.value = value;
            of_values.extend(of_value.iter().map(|form| form.at(&own)));
        }
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
        start
            .iter()
            .zip(own)
            .map(|(start, (thread, value))| start.saturating_add(thread.saturating_add(*value)))
    }

    /// The loops on which it depends.
    pub fn loops(&self) -> impl Iterator<Item = usize> {
        self.moving.iter().flat_map(|form| &form.terms).filter_map(|(_, digit)| match digit.index {
            Index::Loop(place) => Some(place),
            _ => None,
        })
    }

    /// The steps of each loop after which the coordinates repeat, if they do so soon and for every block.
    pub fn steps(&self, program: &Program) -> Option<Vec<i64>> {
        let digits = || self.moving.iter().flat_map(|form| &form.terms).map(|(_, digit)| digit);
        let steps = |name: usize| -> Option<i64> {
            let mut own = digits().filter(|digit| digit.index == Index::Loop(name));
            own.try_fold(1i64, |most, digit| Some(most.max(digit.divisor.checked_mul(digit.modulus?)?)))
        };
        let extents: Vec<i64> = (0..program.loops.len()).map(steps).collect::<Option<_>>()?;
        let repeats = extents.iter().try_fold(1i64, |product, own| product.checked_mul(*own))? <= 64;
        (repeats && !digits().any(|digit| matches!(digit.index, Index::Block(_)))).then_some(extents)
    }
}

/// All coordinates of a shape, the first mode fastest.
pub(crate) fn coordinates(extents: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    let mut next = Some(vec![0; extents.len()]);
    core::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for (index, extent) in following.iter_mut().zip(extents) {
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
