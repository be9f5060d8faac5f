//! Copies defined by the offsets of their elements: the tile consists of the coordinates that threads and values reach.

use tilework::{Error, HTuple, Layout, Shape, Tiler};

use super::copy::TiledCopy;
use super::mma::{TiledMma, line};
use crate::atom::{CopyAtom, nvidia::LANE};

impl TiledCopy {
    /// The copy of as many values of `C` as the atom has, instead of all values of a thread of the tiled MMA: CuTe's
    /// `make_tiled_copy_C_atom`.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::nvidia::{SM80_16x8x16_F32F16F16F32_TN, SM90_U32x2_STSM_N};
    /// use tilework_hardware::tiled::{TiledCopy, TiledMma};
    /// let atoms = layout!((2,2,1):(1,2,4));
    /// let mma = TiledMma::new(SM80_16x8x16_F32F16F16F32_TN, &atoms, &tiler!(<_,32,_>))?;
    /// assert_eq!(TiledCopy::of_c(&SM90_U32x2_STSM_N, 16, &mma)?.tiler(), &tiler!(<32,32>));
    /// // One store of 16x8 a warp: columns 0 to 15 of the 32.
    /// let copy = TiledCopy::of_c_atom(&SM90_U32x2_STSM_N, 16, &mma)?;
    /// assert_eq!(copy.tiler(), &tiler!(<(8,2,2):(1,16,8),(8,2):(2,1)>));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the atom has more values than a thread; those of [`of_c`](Self::of_c).
    pub const fn of_c_atom(atom: &CopyAtom, bits: i64, mma: &TiledMma) -> Result<TiledCopy, Error> {
        let all = tri!(mma.layout_c_tv());
        let (threads, held) = (tri!(all.mode(0)).size(), tri!(all.mode(1)).size());
        let values = tri!(tri!(atom.src.upcast(bits)).mode(1)).size();
        if values > held {
            let expected = "an atom of no more values than a thread has";
            return Err(Error::Argument { operation: "a copy of a part of C", expected, found: values });
        }
        let first = tri!(Layout::concatenate(&[tri!(line(threads, 1)), tri!(line(values, threads))]));
        let [m, n, _] = mma.tile();
        let sizes = tri!(HTuple::tuple(&[HTuple::leaf(m), HTuple::leaf(n)]));
        let (tiler, threads_values) = tri!(reached(&sizes, &tri!(all.composition(&first))));
        TiledCopy::new(atom, bits, &threads_values, &tiler)
    }

    /// The copy whose threads and values have these offsets of the data: CuTe's `make_cotiled_copy`.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::{Atom, find};
    /// use tilework_hardware::tiled::TiledCopy;
    /// let Some(Atom::Copy(atom)) = find("UniversalCopy<uint128_t>") else { unreachable!() };
    /// // 32 threads, 4 words each, contiguous in memory, whatever the coordinates are.
    /// let copy = TiledCopy::of_offsets(&atom, 32, &layout!((32,4):(4,1)), &layout!((8,32):(32,1)))?;
    /// assert_eq!(copy.tiler(), &tiler!(<4:1,(8,4):(4,1)>));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the values of a thread are at offsets that the data lacks; those of
    /// [`Layout::left_inverse`] and [`Layout::composition`].
    pub const fn of_offsets(
        atom: &CopyAtom,
        bits: i64,
        threads_values: &Layout,
        data: &Layout,
    ) -> Result<TiledCopy, Error> {
        // Beyond all offsets of the data, coordinates are 0.
        let one = tri!(line(1, 0));
        let coordinates = tri!(Layout::concatenate(&[tri!(data.left_inverse()), one]));
        let reach = tri!(coordinates.composition(threads_values));
        let own = tri!(Layout::concatenate(&[*data, one]));
        let values = tri!(own.composition(&tri!(reach.mode(1))));
        let wanted = tri!(threads_values.mode(1));
        if !values.equivalent(&wanted) {
            let mut i = 0;
            while i < wanted.size() && tri!(values.const_try_at(i)) == tri!(wanted.const_try_at(i)) {
                i += 1;
            }
            let expected = "values at offsets that the data has";
            return Err(Error::Argument {
                operation: "a copy by offsets",
                expected,
                found: tri!(wanted.const_try_at(i)),
            });
        }
        let (tiler, threads_values) = tri!(reached(&tri!(data.shape().mode_sizes()), &reach));
        TiledCopy::new(atom, bits, &threads_values, &tiler)
    }

    /// The copy between tensor memory and the registers of four warps, each of which reaches 32 lanes: CuTe's `make_tmem_copy`.
    /// `data` maps to elements of tensor memory; a lane has 2^21 bits.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::nvidia::{TmemAccess, TmemShape, tcgen05_ld};
    /// use tilework_hardware::tiled::TiledCopy;
    /// let access = TmemAccess { shape: TmemShape::Lanes32Bits32, repeat: 4, packed: false };
    /// // 128 lanes, 16 columns of floats: four times four columns.
    /// let accumulator = layout!((128,16):(65536,1));
    /// let copy = TiledCopy::of_tensor_memory(&tcgen05_ld(access).unwrap(), 32, &accumulator)?;
    /// // The warps first, then the lanes of each.
    /// assert_eq!((copy.threads(), copy.tiler()), (128, &tiler!(<(4,32):(32,1),4:1>)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for an atom that does not access tensor memory; those of [`of_offsets`](Self::of_offsets).
    pub const fn of_tensor_memory(atom: &CopyAtom, bits: i64, data: &Layout) -> Result<TiledCopy, Error> {
        let Some(memory) = &atom.memory else {
            let expected = "an atom that reads or writes tensor memory";
            return Err(Error::Argument { operation: "a copy of tensor memory", expected, found: bits });
        };
        let warps = tri!(Layout::concatenate(&[tri!(line(32, 0)), tri!(line(4, 32 * LANE / bits))]));
        let values = tri!(memory.upcast(bits)).coalesce();
        TiledCopy::of_offsets(atom, bits, &tri!(Layout::concatenate(&[warps, values])), data)
    }
}

/// The coordinates of a shape that threads and values reach, as a tiler, and the layout from threads and values to the tile.
const fn reached(sizes: &Shape, threads_values: &Layout) -> Result<(Tiler, Layout), Error> {
    let mut tiles = [Tiler::HOLE; 8];
    let rank = sizes.rank();
    if rank == 0 || rank > tiles.len() {
        return Err(Error::Rank { operation: "the tile of a copy", expected: tiles.len(), found: rank });
    }
    let mut i = 0;
    while i < rank {
        // One component of the coordinate.
        let mut component = [HTuple::leaf(tilework::Leaf::new(1, 0)); 8];
        let mut mode = 0;
        while mode < rank {
            component[mode] = HTuple::leaf(tilework::Leaf::new(sizes.leaves()[mode], (mode == i) as i64));
            mode += 1;
        }
        let component = tri!(Layout::new(tri!(HTuple::tuple(component.split_at(rank).0))));
        tiles[i] = tri!(component.composition(threads_values)).filter().as_tiler();
        i += 1;
    }
    let tiler = tri!(Tiler::by_mode(tiles.split_at(rank).0));
    let tile = tri!(tri!(Layout::const_column_major(sizes)).composition_by_mode(&tiler));
    Ok((tiler, tri!(tri!(tile.left_inverse()).composition(threads_values))))
}
