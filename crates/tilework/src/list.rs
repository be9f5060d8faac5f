//! A vector of fixed capacity that can be filled in `const`.

use crate::Error;

/// Up to `N` values, stored inline.
///
/// The published fixed vectors cannot push in `const`; this one has only what the core needs.
#[derive(Clone, Copy)]
pub(crate) struct List<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// An empty list; `filler` fills the unused places.
    #[inline(always)]
    pub const fn new(filler: T) -> Self {
        List { items: [filler; N], len: 0 }
    }

    /// Appends `item`; an error names `what`.
    #[inline]
    pub const fn push(&mut self, item: T, what: &'static str) -> Result<(), Error> {
        if self.len == N {
            return Err(Error::Capacity { what, limit: N });
        }
        self.items[self.len] = item;
        self.len += 1;
        Ok(())
    }

    /// Drops all but the first `len` items.
    pub const fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
        }
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub const fn as_slice(&self) -> &[T] {
        self.items.split_at(self.len).0
    }

    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.items.split_at_mut(self.len).0
    }
}

/// Sorts a slice in `const`, stably; by insertion, because there are few modes.
macro_rules! sort_by {
    ($items:expr, |$left:ident, $right:ident| $before:expr) => {{
        let items: &mut [_] = $items;
        let mut i = 1;
        while i < items.len() {
            let mut j = i;
            while j > 0 {
                let ($left, $right) = (&items[j], &items[j - 1]);
                if !$before {
                    break;
                }
                items.swap(j, j - 1);
                j -= 1;
            }
            i += 1;
        }
    }};
}
pub(crate) use sort_by;

/// The same by a key, where it need not be `const`. `slice::sort` is made for long lists, with 8 KB of instructions for each type and key.
pub fn sort_by_key<T, K: PartialOrd>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by!(items, |left, right| key(left).lt(&key(right)));
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    #[test]
    fn by_a_key_as_the_standard_library() {
        let mut random = testkit::Random::new(5);
        for length in 0..40 {
            let list: Vec<(u64, usize)> = (0..length).map(|place| (random.below(8), place)).collect();
            let (mut own, mut expected) = (list.clone(), list);
            super::sort_by_key(&mut own, |pair| pair.0);
            expected.sort_by_key(|pair| pair.0);
            assert_eq!(own, expected);
        }
    }
}
