//! A view of one statement, ready for all its threads and values.

use crate::form::{Form, Index, Indices};
use crate::program::{Program, View};
use alloc::vec;
use alloc::vec::Vec;

/// The coordinates of a view, as a part that the thread and the value determine and one that the block and loops do.
pub(crate) struct Access<'a> {
    pub view: &'a View,
    /// By mode, of each value of each thread.
    fixed: Vec<i64>,
    /// By mode.
    moving: Vec<Form>,
}

impl<'a> Access<'a> {
    /// The view for the first `active` threads and all `values` of each.
    pub fn new(program: &Program, view: &'a View, active: i64, values: i64) -> Access<'a> {
        let forms = view.forms(program.tensor(view).rank());
        let part = |is_fixed: bool| -> Vec<Form> {
            let own = |form: &Form| Form {
                constant: if is_fixed { 0 } else { form.constant },
                terms: form
                    .terms
                    .iter()
                    .copied()
                    .filter(|(_, digit)| matches!(digit.index, Index::Thread | Index::Value) == is_fixed)
                    .collect(),
            };
            forms.iter().map(own).collect()
        };
        let still = part(true);
        let mut fixed = Vec::with_capacity((active * values) as usize * still.len());
        let mut indices = Indices::default();
        for thread in 0..active {
            indices.thread = thread;
            for value in 0..values {
                indices.value = value;
                fixed.extend(still.iter().map(|form| form.at(&indices)));
            }
        }
        Access { view, fixed, moving: part(false) }
    }

    pub fn rank(&self) -> usize {
        self.moving.len()
    }

    /// The part of the block and the loops, where they are now.
    pub fn start(&self, indices: &Indices) -> Vec<i64> {
        self.moving.iter().map(|form| form.at(indices)).collect()
    }

    /// The part of the thread and the value.
    pub fn fixed(&self, element: usize) -> &[i64] {
        &self.fixed[element * self.rank()..(element + 1) * self.rank()]
    }

    /// The coordinate of an element, counted by value and then by thread.
    pub fn coordinate(&self, start: &[i64], element: usize) -> impl Iterator<Item = i64> + Clone {
        start.iter().zip(self.fixed(element)).map(|(start, own)| start.saturating_add(*own))
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
