//! A tiler applied to the modes: composition by mode, divide and product, and their arrangements.
//!
//! `A / B = A o (B, complement(B, |A|))`, and `A * B = (A, complement(A) o B)`. The arrangements only move leaves: they are those of
//! a static layout of the same nesting, whose leaf `i` has the stride `i + 1`.

use crate::answer::{Answer, Extent, Kind, Lifted, Operation, Refusal, or_refuse};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::scope::Scope;
use crate::tiler::SymbolicTiler;
use crate::values::Values;
use tilework::__private::Part;
use tilework::Codomain;
use tilework::Error;
use tilework::HTuple;
use tilework::{Layout, Leaf};
use tilework::{MAX_BASIS_DEPTH, Unit};

/// How the modes of a divided layout or of a product are arranged.
#[derive(Clone, Copy)]
enum Arrangement {
    Zipped,
    Tiled,
    Flat,
}

/// An operation in its three arrangements.
macro_rules! arranged {
    ($($name:ident: $logical:ident, $arrangement:ident, $modes:literal, $layout:literal by $tiler:literal is $result:literal;)*) => {$(
        #[doc = concat!("[`", stringify!($logical), "`](Self::", stringify!($logical), ") as `", $modes, "`.")]
        ///
        /// ```
        /// use tilework_symbolic::Scope;
        /// let mut scope = Scope::new();
        #[doc = concat!("let (layout, tiler) = (scope.layout(\"", $layout, "\")?, scope.tiler(\"", $tiler, "\")?);")]
        #[doc = concat!("let answer = scope.", stringify!($name), "(&layout, &tiler).unwrap();")]
        #[doc = concat!("assert_eq!(scope.answer_text(&answer).as_str(), \"", $result, "\");")]
        /// # Ok::<(), tilework::Error>(())
        /// ```
        ///
        /// # Errors
        #[doc = concat!("Those of [`", stringify!($logical), "`](Self::", stringify!($logical), ").")]
        pub const fn $name(&mut self, layout: &SymbolicLayout, tiler: &SymbolicTiler) -> Result<Answer, Refusal> {
            let answer = self.$logical(layout, tiler);
            self.arrange(answer, tiler, Arrangement::$arrangement)
        }
    )*};
}

impl Scope {
    /// Composition by mode: each tile is composed with one mode. A hole keeps its mode; further modes are dropped.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tiler) = (scope.layout("(M,K):(1,ld)")?, scope.tiler("<128,_>")?);
    /// let answer = scope.composition_by_mode(&matrix, &tiler).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(128,K):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a tiler of more tiles than the layout has modes; those of [`composition`](Self::composition).
    pub const fn composition_by_mode(
        &mut self,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
    ) -> Result<Answer, Refusal> {
        self.apply(Kind::Compose, layout, tiler)
    }

    /// The tile and the rest: `A o (B, complement(B, |A|))`; by mode for a tuple of tilers. A tile that does not divide `A` extends
    /// its last mode: the result is larger, and the caller has to predicate accesses out of bounds.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tiler) = (scope.layout("(M,K):(1,ld)")?, scope.tiler("<128,32>")?);
    /// let answer = scope.logical_divide(&matrix, &tiler).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "((128,ceil(M/128)),(32,ceil(K/32))):((1,128),(ld,32*ld))");
    /// // As one mode it has to be divided evenly.
    /// let tile = scope.tiler("128")?;
    /// let answer = scope.logical_divide(&matrix, &tile).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] for gaps of the tile that cannot be filled completely at the witness; [`Error::Index`] and
    /// [`Error::Coordinate`] for tiles whose coordinates address no mode; those of
    /// [`complement_within`](Self::complement_within) and [`composition`](Self::composition).
    pub const fn logical_divide(
        &mut self,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
    ) -> Result<Answer, Refusal> {
        self.apply(Kind::Divide, layout, tiler)
    }

    /// The block and the grid of its repetitions: `(A, complement(A) o B)`; by mode for a tuple of tilers.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (block, grid) = (scope.layout("(M,K):(1,M)")?, scope.tiler("4")?);
    /// let answer = scope.logical_product(&block, &grid).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "((M,K),4):((1,M),M*K)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement) for the block and of [`composition`](Self::composition); [`Error::Rank`].
    pub const fn logical_product(
        &mut self,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
    ) -> Result<Answer, Refusal> {
        self.apply(Kind::Multiply, layout, tiler)
    }

    arranged! {
        zipped_divide: logical_divide, Zipped, "((TileM,TileN),(RestM,RestN,L,...))",
            "(M,K):(1,ld)" by "<128,32>" is "((128,32),(ceil(M/128),ceil(K/32))):((1,ld),(128,32*ld))";
        tiled_divide: logical_divide, Tiled, "((TileM,TileN),RestM,RestN,L,...)",
            "(M,K):(1,ld)" by "<128,32>" is "((128,32),ceil(M/128),ceil(K/32)):((1,ld),128,32*ld)";
        flat_divide: logical_divide, Flat, "(TileM,TileN,RestM,RestN,L,...)",
            "(M,K):(1,ld)" by "<128,32>" is "(128,32,ceil(M/128),ceil(K/32)):(1,ld,128,32*ld)";
        zipped_product: logical_product, Zipped, "((BlockM,BlockN),(GridM,GridN,L,...))",
            "(M,K):(1,M)" by "4" is "((M,K),4):((1,M),M*K)";
        tiled_product: logical_product, Tiled, "((BlockM,BlockN),GridM,GridN,L,...)",
            "(M,K):(1,M)" by "(2,4)" is "((M,K),2,4):((1,M),M*K,2*M*K)";
        flat_product: logical_product, Flat, "(BlockM,BlockN,GridM,GridN,L,...)",
            "(M,K):(1,M)" by "(2,4)" is "(M,K,2,4):(1,M,M*K,2*M*K)";
    }

    /// The block repeated over the grid, mode by mode: mode `i` is `(block_i, grid_i)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (block, grid) = (scope.layout("(M,K):(1,M)")?, scope.layout("(2,N):(1,2)")?);
    /// let answer = scope.blocked_product(&block, &grid).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "((M,2),(K,N)):((1,M*K),(M,2*M*K))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn blocked_product(
        &mut self,
        block: &SymbolicLayout,
        grid: &SymbolicLayout,
    ) -> Result<Answer, Refusal> {
        self.zip_with_grid(block, grid, false)
    }

    /// The block spread over the grid: mode `i` is `(grid_i, block_i)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (block, grid) = (scope.layout("(M,K):(1,M)")?, scope.layout("(2,N):(1,2)")?);
    /// let answer = scope.raked_product(&block, &grid).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "((2,M),(N,K)):((M*K,1),(2*M*K,M))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn raked_product(
        &mut self,
        block: &SymbolicLayout,
        grid: &SymbolicLayout,
    ) -> Result<Answer, Refusal> {
        self.zip_with_grid(block, grid, true)
    }

    const fn zip_with_grid(
        &mut self,
        block: &SymbolicLayout,
        grid: &SymbolicLayout,
        raked: bool,
    ) -> Result<Answer, Refusal> {
        or_refuse!(self.check(block));
        or_refuse!(self.check(grid));
        if let (Some(block), Some(grid)) = (self.as_constant(block), self.as_constant(grid)) {
            return self.constant_answer(if raked {
                block.raked_product(&grid)
            } else {
                block.blocked_product(&grid)
            });
        }
        let (block, grid) =
            (or_refuse!(self.as_modes(block, grid.rank())), or_refuse!(self.as_modes(grid, block.rank())));
        let mut answer = match self.logical_product(&block, &grid.as_tiler()) {
            Ok(answer) => answer,
            refusal => return refusal,
        };
        let (blocks, grids) =
            (or_refuse!(answer.layout.as_tuple().mode(0)), or_refuse!(answer.layout.as_tuple().mode(1)));
        let mut out = HTuple::builder(SymbolicLeaf::UNUSED);
        or_refuse!(out.open(block.rank()));
        let mut i = 0;
        while i < block.rank() {
            or_refuse!(out.open(2));
            or_refuse!(out.push_mode(if raked { &grids } else { &blocks }, i));
            or_refuse!(out.push_mode(if raked { &blocks } else { &grids }, i));
            i += 1;
        }
        answer.layout = self.own(out);
        Ok(answer)
    }

    /// A tuple of `rank` modes or more.
    const fn as_modes(&mut self, layout: &SymbolicLayout, rank: usize) -> Result<SymbolicLayout, Error> {
        let mut tuple = if layout.depth() == 0 { tri!(layout.as_tuple().wrap()) } else { *layout.as_tuple() };
        while tuple.rank() < rank {
            tuple = tri!(tuple.append(&HTuple::leaf(tri!(self.unit_leaf()))));
        }
        Ok(self.own(tuple))
    }

    const fn apply(
        &mut self,
        kind: Kind,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
    ) -> Result<Answer, Refusal> {
        or_refuse!(self.check(layout));
        or_refuse!(self.check(tiler.layout()));
        if let (Some(layout), Some(tiler)) = (self.as_constant(layout), self.as_constant_tiler(tiler)) {
            return self.constant_answer(match kind {
                Kind::Compose => layout.composition_by_mode(&tiler),
                Kind::Divide => layout.logical_divide(&tiler),
                Kind::Multiply => layout.logical_product(&tiler),
            });
        }
        self.answer(Operation::ByMode(kind, layout, tiler))
    }

    pub(crate) const fn lift_by_mode(
        &mut self,
        kind: Kind,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
        values: &mut Values,
    ) -> Result<Lifted, Refusal> {
        let mut lifted = Lifted::new();
        let (whole, tile) = (Part::whole(layout.as_tuple()), Part::whole(tiler.layout().as_tuple()));
        match self.apply_into(kind, whole, tiler, tile, values, &mut lifted) {
            Ok(()) => Ok(lifted),
            Err(refusal) => Err(refusal),
        }
    }

    /// Appends the operation applied where the tiler has a layout; the recursion depth is that of the tiler.
    const fn apply_into(
        &mut self,
        kind: Kind,
        a: Part<'_, SymbolicLeaf>,
        tiler: &SymbolicTiler,
        tile: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        if tiler.is_hole_at(tile) {
            or_refuse!(lifted.tuple.push_part(a));
            return Ok(());
        }
        if !tiler.is_by_mode_at(tile.node) {
            return match kind {
                Kind::Compose => self.compose_into(a, &[tile], true, values, lifted),
                Kind::Divide => self.divide_into(a, tile, values, lifted),
                Kind::Multiply => self.multiply_into(a, tile, values, lifted),
            };
        }
        if tile.rank() > a.rank() {
            let operation = match kind {
                Kind::Compose => "composition by mode",
                Kind::Divide => "divide",
                Kind::Multiply => "logical_product",
            };
            return Err(Refusal::Error(Error::Rank { operation, expected: a.rank(), found: tile.rank() }));
        }
        let rank = if matches!(kind, Kind::Compose) { tile.rank() } else { a.rank() };
        or_refuse!(lifted.tuple.open(rank));
        let mut i = 0;
        while i < rank {
            let mode = or_refuse!(a.mode(i));
            if i < tile.rank() {
                let own = or_refuse!(tile.mode(i));
                if let Err(refusal) = self.apply_into(kind, mode, tiler, own, values, lifted) {
                    return Err(refusal);
                }
            } else {
                or_refuse!(lifted.tuple.push_part(mode));
            }
            i += 1;
        }
        Ok(())
    }

    /// Appends `A o (B, complement(B, |A|))`.
    const fn divide_into(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        tile: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let size = or_refuse!(self.size_of(a.leaves()));
        let size = or_refuse!(self.intern(&size));
        let mut rest = Lifted { tuple: HTuple::builder(SymbolicLeaf::UNUSED), guard: lifted.guard };
        let complemented = if self.is_integral(tile.leaves()) {
            self.complement_into(tile.leaves(), Extent::Exactly(size), values, &mut rest)
        } else {
            self.complement_along(a, &mut [0; MAX_BASIS_DEPTH], 0, tile.leaves(), values, &mut rest)
        };
        if let Err(refusal) = complemented {
            return Err(refusal);
        }
        let certain = rest.guard.len() == lifted.guard.len();
        lifted.guard = rest.guard;
        or_refuse!(lifted.tuple.open(2));
        self.compose_into(a, &[tile, Part::whole(&rest.tuple)], certain, values, lifted)
    }

    /// Appends the complement of the leaves of a tile that address a part of `A`, or parts of it, within the extents of
    /// that part. A mode that the tile does not address belongs to the rest.
    const fn complement_along(
        &mut self,
        part: Part<'_, SymbolicLeaf>,
        path: &mut [usize; MAX_BASIS_DEPTH],
        depth: usize,
        leaves: &[SymbolicLeaf],
        values: &mut Values,
        rest: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (unit, mut own) = (or_refuse!(unit_of(path, depth)), HTuple::builder(SymbolicLeaf::UNUSED));
        let (mut addressed, mut i) = (0, 0);
        while i < leaves.len() {
            let leaf = leaves[i];
            i += 1;
            // A mode of extent 1 has offset 0, whatever it addresses.
            let still = self.polynomial(leaf.stride).is_zero()
                || matches!(self.is_zero(&or_refuse!(self.polynomial(leaf.extent).plus(-1))), Some(true));
            if !still && leaf.unit.same(unit) {
                or_refuse!(own.push_value(SymbolicLeaf { unit: Unit::ONE, ..leaf }));
            } else if !still && is_within(leaf.unit, path, depth) {
                let index = leaf.unit.index(depth);
                addressed = if index < addressed { addressed } else { index + 1 };
            }
        }
        if addressed == 0 {
            let size = or_refuse!(self.size_of(part.leaves()));
            let (size, first) = (or_refuse!(self.intern(&size)), rest.tuple.leaves().len());
            if let Err(refusal) = self.complement_into(own.leaves(), Extent::Exactly(size), values, rest) {
                return Err(refusal);
            }
            i = first;
            while i < rest.tuple.leaves().len() {
                rest.tuple.leaves_mut()[i].unit = unit;
                i += 1;
            }
            return Ok(());
        }
        if part.is_leaf() {
            let what = "a basis element addresses a mode within an extent";
            return Err(Refusal::Error(Error::Coordinate { what }));
        }
        let rank = part.rank();
        if addressed > rank || depth == MAX_BASIS_DEPTH {
            return Err(Refusal::Error(Error::Index { index: addressed - 1, rank }));
        }
        or_refuse!(rest.tuple.open(rank));
        i = 0;
        while i < rank {
            path[depth] = i;
            let mode = or_refuse!(part.mode(i));
            if let Err(refusal) = self.complement_along(mode, path, depth + 1, leaves, values, rest) {
                return Err(refusal);
            }
            i += 1;
        }
        Ok(())
    }

    /// Appends the block and the grid of its repetitions.
    const fn multiply_into(
        &mut self,
        block: Part<'_, SymbolicLeaf>,
        grid: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        if !self.is_integral(block.leaves()) || !self.is_integral(grid.leaves()) {
            let found = Codomain::Coordinate;
            return Err(Refusal::Error(Error::Codomain { operation: "product of symbolic layouts", found }));
        }
        let mut rest = Lifted { tuple: HTuple::builder(SymbolicLeaf::UNUSED), guard: lifted.guard };
        if let Err(refusal) = self.complement_into(block.leaves(), Extent::Open, values, &mut rest) {
            return Err(refusal);
        }
        let certain = rest.guard.len() == lifted.guard.len();
        lifted.guard = rest.guard;
        or_refuse!(lifted.tuple.open(2));
        or_refuse!(lifted.tuple.push_part(block));
        self.compose_into(Part::whole(&rest.tuple), &[grid], certain, values, lifted)
    }

    /// `((T0,R0),(T1,R1),L,...)` in another arrangement.
    const fn arrange(
        &mut self,
        answer: Result<Answer, Refusal>,
        tiler: &SymbolicTiler,
        arrangement: Arrangement,
    ) -> Result<Answer, Refusal> {
        let mut answer = match answer {
            Ok(answer) => answer,
            refusal => return refusal,
        };
        let (flat, unpacked) =
            (matches!(arrangement, Arrangement::Flat), !matches!(arrangement, Arrangement::Zipped));
        answer.layout = or_refuse!(self.arranged(&answer.layout, &tiler.form(), flat, unpacked));
        Ok(answer)
    }

    const fn arranged(
        &mut self,
        layout: &SymbolicLayout,
        tiler: &tilework::Tiler,
        unpack_tile: bool,
        unpack_rest: bool,
    ) -> Result<SymbolicLayout, Error> {
        let unit = tri!(self.unit_leaf());
        let mut places = HTuple::builder_of(layout.profile(), Leaf::UNUSED);
        let mut i = 0;
        while i < layout.leaves().len() {
            tri!(places.push_value(Leaf::new(1, i as i64 + 1)));
            i += 1;
        }
        let places = tri!(tri!(Layout::new(places)).arrange(tiler, unpack_tile, unpack_rest));
        let mut out = HTuple::builder_of(places.profile(), SymbolicLeaf::UNUSED);
        i = 0;
        while i < places.leaves().len() {
            let place = places.leaves()[i].stride.count().numerator();
            tri!(out.push_value(if place == 0 { unit } else { layout.leaves()[place as usize - 1] }));
            i += 1;
        }
        Ok(self.own(out))
    }
}

/// The unit at the end of a path; 1 for none.
const fn unit_of(path: &[usize; MAX_BASIS_DEPTH], depth: usize) -> Result<Unit, Error> {
    if depth == 0 { Ok(Unit::ONE) } else { Unit::basis(path.split_at(depth).0) }
}

/// Whether a unit addresses a mode within the one at the end of a path.
const fn is_within(unit: Unit, path: &[usize; MAX_BASIS_DEPTH], depth: usize) -> bool {
    let (mut within, mut level) = (!unit.is_xor() && unit.depth() > depth, 0);
    while within && level < depth {
        within = unit.index(level) == path[level];
        level += 1;
    }
    within
}
