//! The types that can be partitioned: layouts and tensors.

use tilework::{Accessor, Error, HTuple, HasLayout, Layout, Pattern, PatternLeaf, Tensor, View};

/// A layout or a tensor that is partitioned among threads.
///
/// The part of a layout is a [`View`]: the offset at which the thread begins, and the layout of its elements. The part
/// of a tensor is a tensor.
pub trait Partition: Sized {
    /// The part of a thread.
    type Part;

    /// Changes the layout, and takes the part at a coordinate of its mode 0.
    ///
    /// # Errors
    /// Those of the change, and those of slices.
    fn part(
        self,
        change: impl FnOnce(&Layout) -> Result<Layout, Error>,
        coordinate: Pattern,
    ) -> Result<Self::Part, Error>;
}

impl Partition for &Layout {
    type Part = View;

    fn part(
        self,
        change: impl FnOnce(&Layout) -> Result<Layout, Error>,
        coordinate: Pattern,
    ) -> Result<View, Error> {
        let changed = change(self)?;
        changed.slice(&at(coordinate, changed.rank())?)
    }
}

impl<A: Accessor, L: HasLayout> Partition for Tensor<A, L> {
    type Part = Tensor<A, L::Value>;

    fn part(
        self,
        change: impl FnOnce(&Layout) -> Result<Layout, Error>,
        coordinate: Pattern,
    ) -> Result<Self::Part, Error> {
        let changed = self.map_layout(change)?;
        let rank = changed.rank();
        changed.slice(at(coordinate, rank)?)
    }
}

/// A coordinate of mode 0, and all of the other modes.
fn at(coordinate: Pattern, rank: usize) -> Result<Pattern, Error> {
    let mut pattern = coordinate.wrap()?;
    while pattern.rank() < rank {
        pattern = pattern.append(&HTuple::leaf(PatternLeaf::All))?;
    }
    Ok(pattern)
}
