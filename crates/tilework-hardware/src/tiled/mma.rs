//! Matrix atoms over tiles.

use tilework::{Error, HTuple, Layout, Leaf, Pattern, PatternLeaf, Tiler};

use super::partition::Partition;
use crate::atom::MmaAtom;

/// Atoms side by side, repeated over a tensor: CuTe's `TiledMMA`.
///
/// The threads of the atoms are numbered by `tiled_product` of the atom's threads with the layout of atoms `(M,N,K)`. A
/// permutation is a tiler `<M,N,K>` by which tensors are divided first: a hole `_` keeps the tile of the atoms, and a
/// layout can give a thread elements that are adjacent in the tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TiledMma {
    atom: MmaAtom,
    atoms: Layout,
    permutation: Tiler,
    /// Threads of the atom, atoms in M, in N, in K.
    threads: Layout,
    /// The tile by which each of M, N and K is divided first.
    tiles: [Layout; 3],
}

impl TiledMma {
    /// The atom repeated by `atoms`, a layout of `(M,N,K)` or of fewer modes; `permutation` is a tiler of at most three
    /// modes.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::{Atom, find};
    /// use tilework_hardware::tiled::TiledMma;
    /// let Some(Atom::Mma(avx512)) = find("AVX512_1x16x1_F32F32F32F32") else { unreachable!() };
    /// // A register tile of 14x32: 14 rows, two registers of 16 lanes.
    /// let tile = TiledMma::new(avx512, &layout!((1,1,1):(0,0,0)), &tiler!(<14,32,_>))?;
    /// assert_eq!((tile.threads(), tile.tile()), (16, [14, 32, 1]));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for more than three modes; those of [`Layout::tiled_product`].
    pub const fn new(atom: MmaAtom, atoms: &Layout, permutation: &Tiler) -> Result<TiledMma, Error> {
        if atoms.rank() > 3 || permutation.rank() > 3 {
            let found = if atoms.rank() > 3 { atoms.rank() } else { permutation.rank() };
            return Err(Error::Rank { operation: "a tiled MMA", expected: 3, found });
        }
        let atoms = tri!(atoms.pad_to_rank(3));
        let threads = tri!(atom.threads.tiled_product(&atoms.as_tiler()));
        let threads = tri!(tri!(threads.pad_to_rank(4)).take(0, 4));
        let mut tiles = [atoms; 3];
        let mut i = 0;
        while i < 3 {
            let permuted = if i < permutation.rank() && permutation.is_by_mode() {
                tri!(tri!(permutation.mode(i)).layout())
            } else {
                None
            };
            tiles[i] = match permuted {
                Some(layout) => layout,
                None => {
                    let (left, right) = (atom.shape[i], tri!(atoms.mode(i)).size());
                    match left.checked_mul(right) {
                        Some(extent) => tri!(line(extent, 1)),
                        None => return Err(Error::Overflow { left, operator: '*', right }),
                    }
                }
            };
            i += 1;
        }
        Ok(TiledMma { atom, atoms, permutation: *permutation, threads, tiles })
    }

    /// The tiled MMA whose threads are `(V,M,N,K) -> thread`, as CuTe prints them.
    ///
    /// ```
    /// use tilework::{Tiler, layout};
    /// use tilework_hardware::atom::nvidia::SM70_8x8x4_F32F16F16F32_TN as ATOM;
    /// use tilework_hardware::tiled::TiledMma;
    /// let threads = layout!(((4,2),2,2,1):((1,16),8,4,0));
    /// let mma = TiledMma::of_threads(ATOM, &threads, &Tiler::HOLE)?;
    /// assert_eq!((*mma.atoms(), *mma.thread_layout()), (layout!((2,2,1):(2,1,0)), threads));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the threads are not those of atoms side by side; those of [`new`](Self::new), of
    /// complements and of inverses.
    pub fn of_threads(atom: MmaAtom, threads: &Layout, permutation: &Tiler) -> Result<TiledMma, Error> {
        let grid = threads.take(1, threads.rank())?;
        // A product places the atoms at `complement(V) o atoms`.
        let places = atom.threads.complement_within(threads.cosize()?)?;
        let mma = TiledMma::new(atom, &places.left_inverse()?.composition(&grid)?, permutation)?;
        if mma.threads.coalesce() != threads.coalesce() {
            let expected = "threads of atoms side by side";
            return Err(Error::Argument { operation: "a tiled MMA", expected, found: threads.size() });
        }
        Ok(mma)
    }

    /// The atom.
    #[must_use]
    pub const fn atom(&self) -> &MmaAtom {
        &self.atom
    }

    /// The layout of atoms, `(M,N,K)`.
    #[must_use]
    pub const fn atoms(&self) -> &Layout {
        &self.atoms
    }

    /// The tiler by which tensors are divided first.
    #[must_use]
    pub const fn permutation(&self) -> &Tiler {
        &self.permutation
    }

    /// `(V,M,N,K) -> thread`: threads of the atom, atoms in each direction.
    #[must_use]
    pub const fn thread_layout(&self) -> &Layout {
        &self.threads
    }

    /// How many threads there are.
    #[must_use]
    pub const fn threads(&self) -> i64 {
        self.threads.size()
    }

    /// `[M,N,K]` of the tile of all atoms, permuted.
    #[must_use]
    pub const fn tile(&self) -> [i64; 3] {
        [self.tiles[0].size(), self.tiles[1].size(), self.tiles[2].size()]
    }

    /// `A` of `(M,K,...)` by threads and values: `((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))`.
    ///
    /// # Errors
    /// Those of [`Layout::zipped_divide`] and [`Layout::composition`].
    pub const fn thrfrg_a(&self, a: &Layout) -> Result<Layout, Error> {
        self.thrfrg(a, [0, 2], &self.atom.a)
    }

    /// `B` of `(N,K,...)` by threads and values: `((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))`.
    ///
    /// # Errors
    /// As for [`thrfrg_a`](Self::thrfrg_a).
    pub const fn thrfrg_b(&self, b: &Layout) -> Result<Layout, Error> {
        self.thrfrg(b, [1, 2], &self.atom.b)
    }

    /// `C` of `(M,N,...)` by threads and values: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))`.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::nvidia::SM80_8x8x4_F64F64F64F64_TN;
    /// use tilework_hardware::tiled::TiledMma;
    /// let mma = TiledMma::new(SM80_8x8x4_F64F64F64F64_TN, &layout!((2,1,1):(1,2,2)), &tiler!(<_,_,_>))?;
    /// let c = mma.thrfrg_c(&layout!((16,8):(1,16)))?;
    /// assert_eq!(c, layout!((((4,8),(2,1)),(2,(1,1))):(((32,1),(8,0)),(16,(0,0)))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`thrfrg_a`](Self::thrfrg_a).
    pub const fn thrfrg_c(&self, c: &Layout) -> Result<Layout, Error> {
        self.thrfrg(c, [0, 1], &self.atom.c)
    }

    const fn thrfrg(&self, operand: &Layout, directions: [usize; 2], atom: &Layout) -> Result<Layout, Error> {
        let [rows, columns] = directions;
        if operand.rank() < 2 {
            return Err(Error::Rank {
                operation: "an operand of a tiled MMA",
                expected: 2,
                found: operand.rank(),
            });
        }
        let tiles = tri!(Tiler::by_mode(&[self.tiles[rows].as_tiler(), self.tiles[columns].as_tiler()]));
        let shape = tri!(tile(self.atom.shape[rows], self.atom.shape[columns]));
        let divided = tri!(tri!(operand.logical_divide(&tiles)).zipped_divide(&shape));
        // ((ThrV,FrgV),(RestM,RestN,...))
        let values = tri!(tri!(divided.mode(0)).composition(atom));
        let threads =
            tri!(tile(tri!(self.threads.mode(rows + 1)).size(), tri!(self.threads.mode(columns + 1)).size()));
        // ((ThrM,ThrN),(RestM,RestN,...))
        let rest = tri!(tri!(divided.mode(1)).zipped_divide(&threads));
        let thread = tri!(Layout::concatenate(&[tri!(values.mode(0)), tri!(rest.mode(0))]));
        let value = tri!(Layout::concatenate(&[tri!(values.mode(1)), tri!(rest.mode(1))]));
        Layout::concatenate(&[thread, value])
    }

    /// `(thread,value) -> m + M k` of one tile of `A`.
    ///
    /// # Errors
    /// As for [`thrfrg_a`](Self::thrfrg_a), and those of [`Layout::right_inverse`] for the layout of threads.
    pub const fn layout_a_tv(&self) -> Result<Layout, Error> {
        self.layout_a_tv_of(&tri!(self.reference(0, 2)))
    }

    /// The same of all tiles of an `A` of `(M,K,...)`: `(thread,(value,(RestM,RestK,...)))`, to the offsets of `A`.
    ///
    /// # Errors
    /// As for [`layout_a_tv`](Self::layout_a_tv).
    pub const fn layout_a_tv_of(&self, a: &Layout) -> Result<Layout, Error> {
        self.layout_tv(tri!(self.thrfrg_a(a)), 2)
    }

    /// `(thread,value) -> n + N k` of one tile of `B`.
    ///
    /// # Errors
    /// As for [`layout_a_tv`](Self::layout_a_tv).
    pub const fn layout_b_tv(&self) -> Result<Layout, Error> {
        self.layout_b_tv_of(&tri!(self.reference(1, 2)))
    }

    /// The same of all tiles of a `B` of `(N,K,...)`: `(thread,(value,(RestN,RestK,...)))`, to the offsets of `B`.
    ///
    /// # Errors
    /// As for [`layout_a_tv`](Self::layout_a_tv).
    pub const fn layout_b_tv_of(&self, b: &Layout) -> Result<Layout, Error> {
        self.layout_tv(tri!(self.thrfrg_b(b)), 1)
    }

    /// `(thread,value) -> m + M n` of one tile of `C`.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::nvidia::SM80_8x8x4_F64F64F64F64_TN;
    /// use tilework_hardware::tiled::TiledMma;
    /// let mma = TiledMma::new(SM80_8x8x4_F64F64F64F64_TN, &layout!((1,2,1):(1,1,2)), &tiler!(<_,_,_>))?;
    /// assert_eq!(mma.layout_c_tv()?, layout!(((4,8,2),(2,(1,1))):((16,1,64),(8,(0,0)))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`layout_a_tv`](Self::layout_a_tv).
    pub const fn layout_c_tv(&self) -> Result<Layout, Error> {
        self.layout_c_tv_of(&tri!(self.reference(0, 1)))
    }

    /// The same of all tiles of a `C` of `(M,N,...)`: `(thread,(value,(RestM,RestN,...)))`, to the offsets of `C`.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// use tilework_hardware::atom::nvidia::SM80_8x8x4_F64F64F64F64_TN;
    /// use tilework_hardware::tiled::TiledMma;
    /// let mma = TiledMma::new(SM80_8x8x4_F64F64F64F64_TN, &layout!((1,1,1):(0,0,0)), &tiler!(<_,_,_>))?;
    /// // Two tiles of 8x8, one below the other.
    /// let c = mma.layout_c_tv_of(&layout!((16,8):(8,1)))?;
    /// assert_eq!(c, layout!((32,(2,(2,1))):(2,(1,(64,0)))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`layout_a_tv`](Self::layout_a_tv).
    pub const fn layout_c_tv_of(&self, c: &Layout) -> Result<Layout, Error> {
        let c = tri!(self.thrfrg_c(c));
        let depth = tri!(self.threads.mode(3)).size();
        let thread = tri!(c.mode(0));
        // Atoms along K add to the same elements.
        let all =
            if depth == 1 { thread } else { tri!(Layout::concatenate(&[thread, tri!(line(depth, 0))])) };
        c.replace(0, &tri!(all.composition(&tri!(self.threads.right_inverse()))))
    }

    /// Atoms along the dimension that the operand lacks share its elements: they have stride 0.
    const fn layout_tv(&self, operand: Layout, missing: usize) -> Result<Layout, Error> {
        let thread = tri!(operand.mode(0));
        let same = tri!(line(tri!(self.threads.mode(missing)).size(), 0));
        let (first, depth) = (tri!(thread.get(&[1, 0])), tri!(thread.get(&[1, 1])));
        let pair = tri!(if missing == 2 {
            Layout::concatenate(&[first, same])
        } else {
            Layout::concatenate(&[same, first])
        });
        let all =
            tri!(Layout::concatenate(&[tri!(thread.mode(0)), tri!(Layout::concatenate(&[pair, depth]))]));
        operand.replace(0, &tri!(all.composition(&tri!(self.threads.right_inverse()))))
    }

    /// The indices of a tile.
    const fn reference(&self, rows: usize, columns: usize) -> Result<Layout, Error> {
        let (m, n) = (self.tile()[rows], self.tile()[columns]);
        Layout::concatenate(&[tri!(line(m, 1)), tri!(line(n, m))])
    }

    /// One thread.
    ///
    /// # Errors
    /// [`Error::Argument`] for an index that the layout of threads does not have; those of [`Layout::left_inverse`].
    pub const fn thread(&self, index: i64) -> Result<ThreadMma, Error> {
        let coordinate = tri!(tri!(self.threads.left_inverse()).const_try_at(index));
        if coordinate < 0
            || coordinate >= self.threads.size()
            || tri!(self.threads.const_try_at(coordinate)) != index
        {
            let expected = "an index that the layout of threads has";
            return Err(Error::Argument { operation: "a thread of a tiled MMA", expected, found: index });
        }
        let (mut digits, mut rest, mut i) = ([0; 4], coordinate, 0);
        while i < 4 {
            let size = tri!(self.threads.mode(i)).size();
            digits[i] = if i < 3 { rest % size } else { rest };
            rest /= size;
            i += 1;
        }
        Ok(ThreadMma { mma: *self, coordinate: digits })
    }
}

/// `n:stride`.
pub(super) const fn line(extent: i64, stride: i64) -> Result<Layout, Error> {
    Layout::new(HTuple::leaf(Leaf::new(extent, if extent == 1 { 0 } else { stride })))
}

/// `<m:1,n:1>`.
pub(super) const fn tile(m: i64, n: i64) -> Result<Tiler, Error> {
    Tiler::by_mode(&[tri!(line(m, 1)).as_tiler(), tri!(line(n, 1)).as_tiler()])
}

/// One thread of a [`TiledMma`]: CuTe's `ThrMMA`.
#[derive(Clone, Copy, Debug)]
pub struct ThreadMma {
    mma: TiledMma,
    /// `(V,M,N,K)`.
    coordinate: [i64; 4],
}

impl ThreadMma {
    /// The thread's elements of `A`, a layout or a tensor of `(M,K,...)`: `(FrgV,RestM,RestK,...)`.
    ///
    /// # Errors
    /// Those of [`TiledMma::thrfrg_a`] and of slices.
    pub fn partition_a<P: Partition>(&self, a: P) -> Result<P::Part, Error> {
        a.part(|layout| unpacked(self.mma.thrfrg_a(layout)?), self.at(1, 3)?)
    }

    /// The thread's elements of `B`, of `(N,K,...)`: `(FrgV,RestN,RestK,...)`.
    ///
    /// # Errors
    /// Those of [`TiledMma::thrfrg_b`] and of slices.
    pub fn partition_b<P: Partition>(&self, b: P) -> Result<P::Part, Error> {
        b.part(|layout| unpacked(self.mma.thrfrg_b(layout)?), self.at(2, 3)?)
    }

    /// The thread's elements of `C`, of `(M,N,...)`: `(FrgV,RestM,RestN,...)`.
    ///
    /// # Errors
    /// Those of [`TiledMma::thrfrg_c`] and of slices.
    pub fn partition_c<P: Partition>(&self, c: P) -> Result<P::Part, Error> {
        c.part(|layout| unpacked(self.mma.thrfrg_c(layout)?), self.at(1, 2)?)
    }

    /// `(v,(m,n))`.
    fn at(&self, rows: usize, columns: usize) -> Result<Pattern, Error> {
        let digit = |index: usize| HTuple::leaf(PatternLeaf::At(self.coordinate[index]));
        HTuple::tuple(&[digit(0), HTuple::tuple(&[digit(rows), digit(columns)])?])
    }
}

/// `(Thr,(Frg,(Rest...)))` as `(Thr,Frg,Rest...)`.
pub(super) fn unpacked(layout: Layout) -> Result<Layout, Error> {
    let mut flat = Layout::concatenate(&[layout.mode(0)?, layout.get(&[1, 0])?])?;
    let rest = layout.get(&[1, 1])?;
    for index in 0..rest.rank() {
        flat = flat.append(&rest.mode(index)?)?;
    }
    Ok(flat)
}
