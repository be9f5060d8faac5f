//! A view of one statement, ready for all its threads and values.

use crate::form::{Form, Index, Indices};
use crate::program::{Program, View};
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
}
