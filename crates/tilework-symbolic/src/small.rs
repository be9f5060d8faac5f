//! A vector whose first values are stored inline, because most numbers have few terms, and most terms few names.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut};

/// Up to `N` values inline, more on the heap.
#[derive(Clone)]
pub(crate) enum Small<T, const N: usize> {
    Inline(u8, [T; N]),
    Heap(Vec<T>),
}

impl<T: Default, const N: usize> Small<T, N> {
    #[inline]
    pub fn new() -> Self {
        Small::Inline(0, core::array::from_fn(|_| T::default()))
    }

    #[inline]
    pub fn push(&mut self, item: T) {
        match self {
            Small::Inline(len, items) if (*len as usize) < N => {
                items[*len as usize] = item;
                *len += 1;
            }
            Small::Inline(_, items) => {
                let mut all = Vec::with_capacity(2 * N + 2);
                all.extend(items.iter_mut().map(core::mem::take));
                all.push(item);
                *self = Small::Heap(all);
            }
            Small::Heap(items) => items.push(item),
        }
    }

    pub fn insert(&mut self, at: usize, item: T) {
        self.push(item);
        self[at..].rotate_right(1);
    }

    pub fn remove(&mut self, at: usize) {
        self[at..].rotate_left(1);
        match self {
            Small::Inline(len, _) => *len -= 1,
            Small::Heap(items) => drop(items.pop()),
        }
    }
}

impl<T, const N: usize> Deref for Small<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Small::Inline(len, items) => &items[..*len as usize],
            Small::Heap(items) => items,
        }
    }
}

impl<T, const N: usize> DerefMut for Small<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Small::Inline(len, items) => &mut items[..*len as usize],
            Small::Heap(items) => items,
        }
    }
}

impl<T: Default, const N: usize> FromIterator<T> for Small<T, N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut all = Small::new();
        items.into_iter().for_each(|item| all.push(item));
        all
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Small<T, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for Small<T, N> {}

impl<T: Hash, const N: usize> Hash for Small<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl<T: core::fmt::Debug, const N: usize> core::fmt::Debug for Small<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self[..].fmt(f)
    }
}
