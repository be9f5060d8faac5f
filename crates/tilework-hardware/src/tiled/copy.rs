//! Copy atoms over tiles.

use tilework::{Error, HTuple, Layout, Pattern, PatternLeaf, Shape, Tiler};

use super::mma::{TiledMma, line, tile, unpacked};
use super::partition::Partition;
use crate::atom::{CopyAtom, Side};

/// A copy atom repeated by threads and values over a tile, and the tile over a tensor: CuTe's `TiledCopy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TiledCopy {
    atom: CopyAtom,
    bits: i64,
    /// `(thread,value) -> index of the tile`, in the order of the atom's reference.
    threads_values: Layout,
    /// The tile by which tensors are divided.
    tiler: Tiler,
    /// Its extents, one for each mode.
    extents: Shape,
    /// The atom's layouts in elements: of the source, the destination, the reference.
    source: Layout,
    destination: Layout,
    reference: Layout,
}

impl TiledCopy {
    /// The atom for elements of `bits` bits, with a layout of threads and values of a tile.
    ///
    /// # Errors
    /// [`Error::Argument`] if the threads and values of the tile are not multiples of those of the atom; those of
    /// [`CopyAtom::elements`].
    pub const fn new(
        atom: &CopyAtom,
        bits: i64,
        threads_values: &Layout,
        tiler: &Tiler,
    ) -> Result<TiledCopy, Error> {
        let [source, destination] = tri!(atom.elements(bits));
        let copy = TiledCopy {
            atom: *atom,
            bits,
            threads_values: *threads_values,
            tiler: *tiler,
            extents: tri!(extents_of(tiler)),
            source,
            destination,
            reference: match atom.reference {
                Side::Source => source,
                Side::Destination => destination,
            },
        };
        if threads_values.rank() != 2 {
            return Err(Error::Rank {
                operation: "threads and values",
                expected: 2,
                found: threads_values.rank(),
            });
        }
        let operation = "a tiled copy";
        let threads = tri!(copy.reference.mode(0)).size();
        if copy.threads() % threads != 0 {
            let expected = "a multiple of the threads of the atom";
            return Err(Error::Argument { operation, expected, found: copy.threads() });
        }
        let values = tri!(threads_values.mode(1)).size();
        if values % tri!(copy.reference.mode(1)).size() != 0 {
            return Err(Error::Argument {
                operation,
                expected: "a multiple of the values of the atom",
                found: values,
            });
        }
        Ok(copy)
    }

    /// The atom with its threads laid out as `threads`, each with the values `values` of a tile: CuTe's
    /// `make_tiled_copy`.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_hardware::atom::{Atom, find};
    /// use tilework_hardware::tiled::TiledCopy;
    /// let Some(Atom::Copy(atom)) = find("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>") else { unreachable!() };
    /// // 16x8 threads, each copies 8 adjacent columns of 16 bits.
    /// let copy = TiledCopy::of(&atom, 16, &layout!((16,8):(8,1)), &layout!((1,8):(0,1)))?;
    /// let matrix = Tensor::new(Counting, layout!((64,64):(64,1)))?;
    /// let mine = copy.thread(9)?.partition_s(matrix)?;
    /// assert_eq!(format!("{mine:?}"), "{72} o ((8,1),4,1):((1,0),1024,0)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout_tv`] and [`new`](Self::new).
    pub const fn of(
        atom: &CopyAtom,
        bits: i64,
        threads: &Layout,
        values: &Layout,
    ) -> Result<TiledCopy, Error> {
        let (tiler, threads_values) = tri!(layout_tv(threads, values));
        TiledCopy::new(atom, bits, &threads_values, &tiler)
    }

    /// The copy that gives the threads of a tiled MMA their elements of `A`: CuTe's `make_tiled_copy_A`.
    ///
    /// # Errors
    /// Those of [`TiledMma::layout_a_tv`] and [`new`](Self::new).
    pub const fn of_a(atom: &CopyAtom, bits: i64, mma: &TiledMma) -> Result<TiledCopy, Error> {
        TiledCopy::new(atom, bits, &tri!(mma.layout_a_tv()), &tri!(tile(mma.tile()[0], mma.tile()[2])))
    }

    /// The copy that gives the threads of a tiled MMA their elements of `B`: CuTe's `make_tiled_copy_B`.
    ///
    /// # Errors
    /// Those of [`TiledMma::layout_b_tv`] and [`new`](Self::new).
    pub const fn of_b(atom: &CopyAtom, bits: i64, mma: &TiledMma) -> Result<TiledCopy, Error> {
        TiledCopy::new(atom, bits, &tri!(mma.layout_b_tv()), &tri!(tile(mma.tile()[1], mma.tile()[2])))
    }

    /// The copy of the elements of `C` that the threads of a tiled MMA have: CuTe's `make_tiled_copy_C`.
    ///
    /// # Errors
    /// Those of [`TiledMma::layout_c_tv`] and [`new`](Self::new).
    pub const fn of_c(atom: &CopyAtom, bits: i64, mma: &TiledMma) -> Result<TiledCopy, Error> {
        TiledCopy::new(atom, bits, &tri!(mma.layout_c_tv()), &tri!(tile(mma.tile()[0], mma.tile()[1])))
    }

    /// The atom.
    #[must_use]
    pub const fn atom(&self) -> &CopyAtom {
        &self.atom
    }

    /// The bits of an element.
    #[must_use]
    pub const fn bits(&self) -> i64 {
        self.bits
    }

    /// `(thread,value) -> index of the tile`, in the order of the atom's reference: CuTe's `TiledLayout_TV`.
    #[must_use]
    pub const fn threads_values(&self) -> &Layout {
        &self.threads_values
    }

    /// How many threads there are.
    #[must_use]
    pub const fn threads(&self) -> i64 {
        match self.threads_values.mode(0) {
            Ok(threads) => threads.size(),
            Err(_) => 1,
        }
    }

    /// The tile by which tensors are divided.
    #[must_use]
    pub const fn tiler(&self) -> &Tiler {
        &self.tiler
    }

    /// The extents of the tile, one for each mode.
    #[must_use]
    pub const fn extents(&self) -> &Shape {
        &self.extents
    }

    /// `(thread,value) -> index of the tile`, in the source's order.
    ///
    /// # Errors
    /// Those of composition.
    pub const fn layout_s_tv(&self) -> Result<Layout, Error> {
        self.thread_value_to_tile(&self.source)
    }

    /// `(thread,value) -> index of the tile`, in the destination's order.
    ///
    /// # Errors
    /// Those of composition.
    pub const fn layout_d_tv(&self) -> Result<Layout, Error> {
        self.thread_value_to_tile(&self.destination)
    }

    /// A source by threads and values: `(Thr,(FrgV,(Rest...)))`.
    ///
    /// # Errors
    /// Those of [`Layout::zipped_divide`] and [`Layout::composition`].
    pub const fn tidfrg_s(&self, source: &Layout) -> Result<Layout, Error> {
        self.tidfrg(source, &self.source)
    }

    /// A destination by threads and values: `(Thr,(FrgV,(Rest...)))`.
    ///
    /// # Errors
    /// As for [`tidfrg_s`](Self::tidfrg_s).
    pub const fn tidfrg_d(&self, destination: &Layout) -> Result<Layout, Error> {
        self.tidfrg(destination, &self.destination)
    }

    const fn tidfrg(&self, data: &Layout, side: &Layout) -> Result<Layout, Error> {
        let tiles = tri!(data.zipped_divide(&self.tiler));
        let own = tri!(tri!(tiles.mode(0)).composition(&tri!(self.thread_value_to_tile(side))));
        let value = tri!(Layout::concatenate(&[tri!(own.mode(1)), tri!(tiles.mode(1))]));
        Layout::concatenate(&[tri!(own.mode(0)), value])
    }

    /// `(thread,value) -> index of the tile` in the order of one side: `((thread,rest),(value,rest))`, the first of each from the atom.
    const fn thread_value_to_tile(&self, side: &Layout) -> Result<Layout, Error> {
        let (threads, values) = (tri!(self.reference.mode(0)).size(), tri!(self.reference.mode(1)).size());
        // ((atom thread, atom value), (rest thread, rest value))
        let atoms = tri!(self.threads_values.zipped_divide(&tri!(tile(threads, values))));
        let target = tri!(tri!(self.reference.right_inverse()).composition(side));
        let own = tri!(tri!(atoms.mode(0)).composition(&target));
        let rest = tri!(atoms.mode(1));
        let thread = tri!(Layout::concatenate(&[tri!(own.mode(0)), tri!(rest.mode(0))])).coalesce();
        let value = [tri!(own.mode(1)).coalesce(), tri!(rest.mode(1)).coalesce()];
        Layout::concatenate(&[thread, tri!(Layout::concatenate(&value))])
    }

    /// The elements of a thread of another partition of the same tile, `(V,RestM,RestN,...)`, in this copy's order of
    /// values: CuTe's `retile`. With it a copy writes the registers of an MMA.
    ///
    /// # Errors
    /// Those of [`Layout::right_inverse`], [`Layout::upcast`], [`Layout::logical_product`] and [`Layout::zipped_divide`].
    pub const fn retile(&self, fragment: &Layout) -> Result<Layout, Error> {
        let values = tri!(fragment.mode(0)).size();
        // From the tile to threads and values, then without the threads: (m,n) -> value.
        let tile_shape = tri!(Layout::const_column_major(&self.extents));
        let inverse = tri!(tri!(self.threads_values.right_inverse()).composition(&tile_shape));
        let (left, right) = (self.threads(), values);
        let Some(all) = left.checked_mul(right) else {
            return Err(Error::Overflow { left, operator: '*', right });
        };
        let to_value = tri!(inverse.upcast(all));
        // value -> (v,m,n), with v the values of an atom.
        let order = tri!(tri!(line(values, 1)).logical_product(&tri!(to_value.right_inverse()).as_tiler()));
        let atom = tri!(line(tri!(self.reference.mode(1)).size(), 1));
        let order = tri!(order.logical_divide(&atom.as_tiler()));
        let mut tiles = [Tiler::HOLE; 8];
        tiles[0] = tri!(line(values, 1)).as_tiler();
        let rank = to_value.rank();
        if rank + 1 > tiles.len() {
            return Err(Error::Rank { operation: "retile", expected: tiles.len() - 1, found: rank });
        }
        let mut i = 0;
        while i < rank {
            tiles[i + 1] = tri!(line(tri!(to_value.mode(i)).size(), 1)).as_tiler();
            i += 1;
        }
        let tiled = tri!(fragment.zipped_divide(&tri!(Tiler::by_mode(tiles.split_at(rank + 1).0))));
        let own = tri!(tri!(tiled.mode(0)).composition(&order));
        // The order has all values, so only the repetitions of the tile remain of mode 1.
        let rest = tri!(tiled.mode(1));
        let mut all = tri!(Layout::concatenate(&[own]));
        let mut i = 1;
        while i < rest.rank() {
            all = tri!(all.append(&tri!(rest.mode(i))));
            i += 1;
        }
        Ok(all)
    }

    /// One thread.
    ///
    /// # Errors
    /// [`Error::Argument`] for an index below 0 or not below the number of threads.
    pub const fn thread(&self, index: i64) -> Result<ThreadCopy, Error> {
        if index < 0 || index >= self.threads() {
            let expected = "an index below the number of threads";
            return Err(Error::Argument { operation: "a thread of a tiled copy", expected, found: index });
        }
        Ok(ThreadCopy { copy: *self, index })
    }
}

/// The sizes of the tiles, one for each mode.
const fn extents_of(tiler: &Tiler) -> Result<Shape, Error> {
    let mut sizes = [HTuple::leaf(1); 8];
    let rank = tiler.rank();
    if rank > sizes.len() || rank == 0 {
        return Err(Error::Rank { operation: "the tile of a copy", expected: sizes.len(), found: rank });
    }
    let mut i = 0;
    while i < rank {
        sizes[i] = match tri!(tri!(tiler.mode(i)).layout()) {
            Some(tile) => HTuple::leaf(tile.size()),
            None => {
                return Err(Error::Argument {
                    operation: "a tiled copy",
                    expected: "tiles without holes",
                    found: i as i64,
                });
            }
        };
        i += 1;
    }
    HTuple::tuple(sizes.split_at(rank).0)
}

/// The tile of threads and their values, and its layout from `(thread,value)`: CuTe's `make_layout_tv`. Neighbouring
/// threads are a block of values apart.
///
/// ```
/// use tilework::{layout, tiler};
/// use tilework_hardware::tiled::layout_tv;
/// let (tiler, threads_values) = layout_tv(&layout!((4,8):(8,1)), &layout!((2,4):(4,1)))?;
/// assert_eq!(tiler, tiler!(<8,32>));
/// assert_eq!(threads_values, layout!(((8,4),(4,2)):((32,2),(8,1))));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Layout::raked_product`] and [`Layout::right_inverse`].
pub const fn layout_tv(threads: &Layout, values: &Layout) -> Result<(Tiler, Layout), Error> {
    let tile = tri!(threads.raked_product(values));
    let sizes = tri!(Layout::concatenate(&[
        tri!(line(threads.size(), 1)),
        tri!(line(values.size(), threads.size()))
    ]));
    let threads_values = tri!(tri!(tile.right_inverse()).composition(&sizes));
    Ok((tri!(Tiler::const_of_shape(&tri!(tile.shape().mode_sizes()))), threads_values))
}

/// One thread of a [`TiledCopy`]: CuTe's `ThrCopy`.
#[derive(Clone, Copy, Debug)]
pub struct ThreadCopy {
    copy: TiledCopy,
    index: i64,
}

impl ThreadCopy {
    /// The part of a layout or a tensor that the thread reads: `(FrgV,Rest...)`.
    ///
    /// # Errors
    /// Those of [`TiledCopy::tidfrg_s`] and of slices.
    pub fn partition_s<P: Partition>(&self, source: P) -> Result<P::Part, Error> {
        source.part(|layout| unpacked(self.copy.tidfrg_s(layout)?), self.at())
    }

    /// The part of a layout or a tensor that the thread writes: `(FrgV,Rest...)`.
    ///
    /// # Errors
    /// Those of [`TiledCopy::tidfrg_d`] and of slices.
    pub fn partition_d<P: Partition>(&self, destination: P) -> Result<P::Part, Error> {
        destination.part(|layout| unpacked(self.copy.tidfrg_d(layout)?), self.at())
    }

    fn at(&self) -> Pattern {
        HTuple::leaf(PatternLeaf::At(self.index))
    }
}
