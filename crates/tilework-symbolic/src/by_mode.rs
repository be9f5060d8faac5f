//! A tiler applied to the modes: composition by mode, divide and product, and their arrangements.
//!
//! `A / B = A o (B, complement(B, |A|))`, and `A * B = (A, complement(A) o B)`. The arrangements only move leaves: they are those of
//! a static layout of the same nesting, whose leaf `i` has the stride `i + 1`.

use crate::answer::{Answer, Kind, Lifted, Operation, Refusal};
use crate::coalesce::modes_into;
use crate::guard::Guard;
use crate::layout::{SymbolicLayout, SymbolicLeaf, is_integral, moving_units, size_of};
use crate::number::Number;
use crate::scope::Scope;
use crate::tiler::SymbolicTiler;
use crate::tuple::{Part, Tuple};
use crate::values::Values;
use alloc::vec::Vec;
use tilework::{Error, HTuple, Layout, Leaf, MAX_BASIS_DEPTH, Pattern, Unit};

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
        #[doc = concat!("assert_eq!(answer.to_string(), \"", $result, "\");")]
        /// # Ok::<(), tilework::Error>(())
        /// ```
        ///
        /// # Errors
        #[doc = concat!("Those of [`", stringify!($logical), "`](Self::", stringify!($logical), ").")]
        pub fn $name(&mut self, layout: &SymbolicLayout, tiler: &SymbolicTiler) -> Result<Answer, Refusal> {
            let answer = self.$logical(layout, tiler)?;
            self.arranged(answer, tiler, Arrangement::$arrangement)
        }
    )*};
}

impl Scope {
    /// An operation on each mode that a pattern marks: a tuple in it applies to the modes of that mode, and modes beyond it are
    /// kept.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,(4,2)):(1,(2*M,M))")?;
    /// let inverses = scope.by_mode(&layout, &"(_,_)".parse()?, Scope::left_inverse).unwrap();
    /// assert_eq!(inverses.to_string(), "(M,(M,2,4)):(1,(0,4,1))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a pattern with more modes than the layout; those of the operation.
    pub fn by_mode(
        &mut self,
        layout: &SymbolicLayout,
        pattern: &Pattern,
        operation: impl Fn(&mut Scope, &SymbolicLayout) -> Result<Answer, Refusal>,
    ) -> Result<Answer, Refusal> {
        let (mut out, mut guard) = (Tuple::builder(), Guard::ALWAYS);
        modes_into(layout.as_tuple().part(), pattern, &mut out, &mut |part, out| {
            let mut mode = Tuple::builder();
            mode.push_part(part)?;
            let answer = operation(self, &self.own(mode))?;
            guard.push_all(&answer.guard);
            Ok::<_, Refusal>(out.push_part(answer.layout.as_tuple().part())?)
        })?;
        Ok(Answer { layout: self.own(out), guard })
    }

    /// Composition by mode: each tile is composed with one mode. A hole keeps its mode; further modes are dropped.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tiler) = (scope.layout("(M,K):(1,ld)")?, scope.tiler("<128,_>")?);
    /// let answer = scope.composition_by_mode(&matrix, &tiler).unwrap();
    /// assert_eq!(answer.to_string(), "(128,K):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a tiler of more tiles than the layout has modes; those of [`composition`](Self::composition).
    pub fn composition_by_mode(
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
    /// assert_eq!(answer.to_string(), "((128,ceil(M/128)),(32,ceil(K/32))):((1,128),(ld,32*ld))");
    /// // As one mode it has to be divided evenly.
    /// let tile = scope.tiler("128")?;
    /// let answer = scope.logical_divide(&matrix, &tile).unwrap();
    /// assert_eq!(answer.to_string(), "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0");
    /// // Tiles along anti-diagonals shear the rest.
    /// let tile = scope.tiler("4:(1@1-1@0)")?;
    /// let answer = scope.logical_divide(&matrix, &tile).unwrap();
    /// assert_eq!(answer.to_string(), "(4,(M+3,ceil(K/4))):(ld-1,(1,4*ld)) if K >= 2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] for gaps of the tile that cannot be filled completely at the witness; [`Error::Index`] and
    /// [`Error::Coordinate`] for tiles whose coordinates address no mode; those of
    /// [`complement_within`](Self::complement_within) and [`composition`](Self::composition).
    pub fn logical_divide(
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
    /// assert_eq!(answer.to_string(), "((M,K),4):((1,M),M*K)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement) for the block and of [`composition`](Self::composition); [`Error::Rank`].
    pub fn logical_product(
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
    /// assert_eq!(answer.to_string(), "((M,2),(K,N)):((1,M*K),(M,2*M*K))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn blocked_product(
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
    /// assert_eq!(answer.to_string(), "((2,M),(N,K)):((M*K,1),(2*M*K,M))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub fn raked_product(
        &mut self,
        block: &SymbolicLayout,
        grid: &SymbolicLayout,
    ) -> Result<Answer, Refusal> {
        self.zip_with_grid(block, grid, true)
    }

    fn zip_with_grid(
        &mut self,
        block: &SymbolicLayout,
        grid: &SymbolicLayout,
        raked: bool,
    ) -> Result<Answer, Refusal> {
        self.check(block)?;
        self.check(grid)?;
        if let (Some(block), Some(grid)) = (block.as_constant(), grid.as_constant()) {
            return self.constant_answer(match raked {
                true => block.raked_product(&grid),
                false => block.blocked_product(&grid),
            });
        }
        let (block, grid) = (self.as_modes(block, grid.rank())?, self.as_modes(grid, block.rank())?);
        let mut answer = self.logical_product(&block, &grid.as_tiler())?;
        let product = answer.layout.as_tuple().part();
        let (blocks, grids) = (product.mode(0)?, product.mode(1)?);
        let [first, second] = if raked { [grids, blocks] } else { [blocks, grids] };
        let mut out = Tuple::builder();
        out.open(block.rank())?;
        for index in 0..block.rank() {
            out.open(2)?;
            out.push_part(first.mode(index)?)?;
            out.push_part(second.mode(index)?)?;
        }
        answer.layout = self.own(out);
        Ok(answer)
    }

    /// A tuple of `rank` modes or more.
    fn as_modes(&self, layout: &SymbolicLayout, rank: usize) -> Result<SymbolicLayout, Error> {
        let (tuple, mut modes) = (layout.as_tuple(), Vec::new());
        match tuple.is_leaf() {
            true => modes.push(tuple.clone()),
            false => {
                (0..tuple.rank()).try_for_each(|index| tuple.mode(index).map(|mode| modes.push(mode)))?
            }
        }
        while modes.len() < rank {
            modes.push(Tuple::leaf(SymbolicLeaf::new(1, 0)));
        }
        Ok(self.own(Tuple::of(&modes)?))
    }

    fn apply(
        &mut self,
        kind: Kind,
        layout: &SymbolicLayout,
        tiler: &SymbolicTiler,
    ) -> Result<Answer, Refusal> {
        self.check(layout)?;
        self.check(tiler.layout())?;
        if let (Some(layout), Some(tiler)) = (layout.as_constant(), tiler.as_constant()) {
            return self.constant_answer(match kind {
                Kind::Compose => layout.composition_by_mode(&tiler),
                Kind::Divide => layout.logical_divide(&tiler),
                Kind::Multiply => layout.logical_product(&tiler),
            });
        }
        self.answer(Operation::ByMode(kind, layout, tiler))
    }

    /// Appends the operation applied where the tiler has a layout; the recursion depth is that of the tiler.
    pub(crate) fn apply_into(
        &mut self,
        kind: Kind,
        a: Part<'_, SymbolicLeaf>,
        tiler: &SymbolicTiler,
        tile: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        if tiler.is_hole_at(tile) {
            return Ok(lifted.tuple.push_part(a)?);
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
            return Err(Error::Rank { operation, expected: a.rank(), found: tile.rank() }.into());
        }
        let rank = if matches!(kind, Kind::Compose) { tile.rank() } else { a.rank() };
        lifted.tuple.open(rank)?;
        for (index, mode) in a.modes().take(rank).enumerate() {
            match index < tile.rank() {
                true => self.apply_into(kind, mode, tiler, tile.mode(index)?, values, lifted)?,
                false => lifted.tuple.push_part(mode)?,
            }
        }
        Ok(())
    }

    /// Appends `A o (B, complement(B, |A|))`.
    fn divide_into(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        tile: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (mut rest, mut domain) = (Lifted::new(lifted.guard.clone()), Tuple::builder());
        // A mode of extent 1 has offset 0, whatever it addresses.
        let mut moving = tile.leaves().to_vec();
        moving.retain(|leaf| leaf.extent.plus(-1).map(|less| self.is_zero(&less)) != Ok(Some(true)));
        domain_of_tile(a, &mut Vec::new(), &moving_units(&moving, "a divide with names")?, &mut domain)?;
        self.complement_by_component(&moving, Some(&domain), true, values, &mut rest)?;
        let certain = rest.guard == lifted.guard;
        lifted.guard = rest.guard;
        lifted.tuple.open(2)?;
        self.compose_into(a, &[tile, rest.tuple.part()], certain, values, lifted)
    }

    /// Appends the block and the grid of its repetitions.
    fn multiply_into(
        &mut self,
        block: Part<'_, SymbolicLeaf>,
        grid: Part<'_, SymbolicLeaf>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let deepest = |leaves: &[SymbolicLeaf]| {
            leaves.iter().flat_map(SymbolicLeaf::terms).map(|(_, unit)| unit.depth()).max()
        };
        if !is_integral(grid.leaves()) && deepest(grid.leaves()) > deepest(block.leaves()) {
            let what = "a basis element addresses a mode of a complement, and which modes it has depends on the names";
            return Err(Error::Coordinate { what }.into());
        }
        let mut rest = Lifted::new(lifted.guard.clone());
        self.complement_by_component(block.leaves(), None, is_integral(grid.leaves()), values, &mut rest)?;
        let certain = rest.guard == lifted.guard;
        lifted.guard = rest.guard;
        lifted.tuple.open(2)?;
        lifted.tuple.push_part(block)?;
        self.compose_into(rest.tuple.part(), &[grid], certain, values, lifted)
    }

    /// `((T0,R0),(T1,R1),L,...)` in another arrangement: that of a static layout whose strides are places.
    fn arranged(
        &self,
        answer: Answer,
        tiler: &SymbolicTiler,
        arrangement: Arrangement,
    ) -> Result<Answer, Refusal> {
        let (flat, unpacked) =
            (matches!(arrangement, Arrangement::Flat), !matches!(arrangement, Arrangement::Zipped));
        let own = answer.layout.leaves();
        let mut places = HTuple::builder_of(answer.layout.profile(), Leaf::new(1, 0));
        (1..=own.len()).try_for_each(|place| places.push_value(Leaf::new(1, place as i64)))?;
        let places = Layout::new(places)?.arrange(&tiler.form(), flat, unpacked)?;
        let leaf = |place: &Leaf| match place.stride.count().numerator() as usize {
            0 => SymbolicLeaf::new(1, 0),
            place => own[place - 1].clone(),
        };
        let leaves = places.leaves().iter().map(leaf).collect();
        let layout = self.own(Tuple::with_profile(places.profile(), leaves)?);
        Ok(Answer { layout, guard: answer.guard })
    }
}

/// Appends the sizes of the modes that a tile with these units addresses. A mode that it does not address belongs to the rest.
fn domain_of_tile(
    part: Part<'_, SymbolicLeaf>,
    path: &mut Vec<usize>,
    units: &[Unit],
    out: &mut Tuple<Number>,
) -> Result<(), Error> {
    let within = units.iter().filter(|unit| is_within(**unit, path));
    let Some(last) = within.map(|unit| unit.index(path.len())).max() else {
        return out.push(size_of(part.leaves())?);
    };
    if part.is_leaf() {
        return Err(Error::Coordinate { what: "a basis element addresses a mode within an extent" });
    }
    let rank = part.rank();
    if last >= rank || path.len() == MAX_BASIS_DEPTH {
        return Err(Error::Index { index: last, rank });
    }
    out.open(rank)?;
    part.modes().enumerate().try_for_each(|(index, mode)| {
        path.push(index);
        domain_of_tile(mode, path, units, out)?;
        path.truncate(path.len() - 1);
        Ok(())
    })
}

/// Whether a unit addresses a mode within the one at the end of a path.
fn is_within(unit: Unit, path: &[usize]) -> bool {
    !unit.is_xor()
        && unit.depth() > path.len()
        && path.iter().enumerate().all(|(level, index)| unit.index(level) == *index)
}
