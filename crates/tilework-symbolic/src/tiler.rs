//! Symbolic tilers: layouts that are applied mode by mode.

use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::{Part, Tuple};
use crate::values::Values;
use core::fmt;
use tilework::__private::Reader;
use tilework::{Error, HTuple, Leaf, MAX_NODES, Tiler};

/// The largest nesting of tilers in text.
const MAX_DEPTH: usize = 32;

/// A layout, or a tuple of tilers that apply to the modes of another layout one by one: `<128,bK:1>`, `_` for a mode
/// that is kept.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let tiler = scope.tiler("<128,_,bN:2>")?;
/// assert_eq!((tiler.rank(), tiler.to_string().as_str()), (3, "<128:1,_,bN:2>"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SymbolicTiler {
    layout: SymbolicLayout,
    /// Bit `n`: node `n` is a tuple of tilers, not of modes.
    by_mode: u64,
    /// Bit `i`: leaf `i` is a hole.
    holes: u32,
}

impl SymbolicTiler {
    /// The number of tiles; 1 for a layout and for a hole.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("<128,_,4>")?;
    /// assert_eq!((tiler.rank(), scope.tiler("_")?.rank()), (3, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        if self.is_by_mode_at(0) { self.layout.rank() } else { 1 }
    }

    /// The leaves of all its layouts, from left to right; a hole is a leaf too.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// assert_eq!(Scope::new().tiler("<(M,4),_>")?.leaves().len(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn leaves(&self) -> &[SymbolicLeaf] {
        self.layout.leaves()
    }

    /// Whether it has a tile for each mode.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// assert!(scope.tiler("<M>")?.is_by_mode() && !scope.tiler("M:1")?.is_by_mode());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn is_by_mode(&self) -> bool {
        self.is_by_mode_at(0)
    }

    pub(crate) fn is_by_mode_at(&self, node: usize) -> bool {
        self.by_mode >> node & 1 == 1
    }

    pub(crate) fn is_hole_at(&self, tile: Part<'_, SymbolicLeaf>) -> bool {
        tile.is_leaf() && self.holes >> tile.leaf & 1 == 1
    }

    pub(crate) fn layout(&self) -> &SymbolicLayout {
        &self.layout
    }

    /// The same tiling of other leaves.
    pub(crate) fn with_layout(&self, layout: SymbolicLayout) -> SymbolicTiler {
        SymbolicTiler { layout, by_mode: self.by_mode, holes: self.holes }
    }

    /// A static tiler of the same nesting.
    pub(crate) fn form(&self) -> Tiler {
        let mut tuple = HTuple::builder_of(self.layout.profile(), Leaf::new(1, 0));
        for index in 0..self.layout.leaves().len() {
            // This cannot fail: there are as many leaves as before.
            let _ = tuple.push_value(Leaf::new((self.holes >> index & 1 == 0) as i64, 0));
        }
        Tiler::of_form(tuple, self.by_mode)
    }

    /// The static tiler, if it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("<128,_>")?;
    /// assert_eq!(tiler.as_constant(), Some(tilework::tiler!(<128:1,_>)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_constant(&self) -> Option<Tiler> {
        if !self.layout.numbers().all(Number::is_constant) {
            return None;
        }
        let mut tuple = HTuple::builder_of(self.layout.profile(), Leaf::new(1, 0));
        for leaf in self.layout.leaves() {
            tuple.push_value(self.layout.declared().leaf_at(leaf, &mut { Values::NONE }).ok()?).ok()?;
        }
        Some(Tiler::of_form(tuple, self.by_mode))
    }

    fn write_tile(&self, tile: Part<'_, SymbolicLeaf>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_hole_at(tile) {
            return f.write_str("_");
        }
        if !self.is_by_mode_at(tile.node) {
            return self.layout.declared().write_layout(tile, f);
        }
        f.write_str("<")?;
        for (index, mode) in tile.modes().enumerate() {
            f.write_str(if index > 0 { "," } else { "" })?;
            self.write_tile(mode, f)?;
        }
        f.write_str(">")
    }
}

impl fmt::Display for SymbolicTiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tile(self.layout.as_tuple().part(), f)
    }
}

impl fmt::Debug for SymbolicTiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl SymbolicLayout {
    /// The layout as a tiler, applied to the whole.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (tile, tiler) = (scope.layout("bM:2")?, scope.tiler("bM:2")?);
    /// assert_eq!(tile.as_tiler(), tiler);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_tiler(&self) -> SymbolicTiler {
        SymbolicTiler { layout: self.clone(), by_mode: 0, holes: 0 }
    }
}

impl Scope {
    /// A tiler of numbers as a symbolic one.
    ///
    /// ```
    /// use tilework::tiler;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.constant_tiler(&tiler!(<128, _>))?;
    /// assert_eq!(tiler.to_string(), "<128:1,_>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a fraction of more than 64 bits.
    pub fn constant_tiler(&self, tiler: &Tiler) -> Result<SymbolicTiler, Error> {
        let (tuple, by_mode) = tiler.to_form();
        let holes = tuple.leaves().iter().rev().fold(0, |holes, leaf| holes << 1 | (leaf.extent == 0) as u32);
        let leaves = tuple.leaves().iter().map(|leaf| SymbolicLeaf::constant(leaf.extent, leaf.stride));
        let tuple = Tuple::with_profile(tuple.profile(), leaves.collect::<Result<_, _>>()?)?;
        Ok(SymbolicTiler { layout: self.own(tuple), by_mode, holes })
    }

    /// A tuple of tilers that apply to the modes one by one; nothing is a hole.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tile = scope.tiler("bM:2")?;
    /// assert_eq!(scope.tiler_of(&[Some(tile), None])?.to_string(), "<bM:2,_>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] for more leaves than a tuple has.
    pub fn tiler_of(&self, tiles: &[Option<SymbolicTiler>]) -> Result<SymbolicTiler, Error> {
        let (mut tuple, mut by_mode, mut holes) = (Tuple::builder(), 1, 0);
        tuple.open(tiles.len())?;
        for tile in tiles {
            let (node, leaf) = (tuple.profile().len(), tuple.leaves().len());
            match tile {
                Some(tile) => {
                    tuple.push_part(tile.layout.as_tuple().part())?;
                    by_mode |= tile.by_mode << node;
                    holes |= ((tile.holes as u64) << leaf) as u32;
                }
                None => {
                    tuple.push(SymbolicLeaf::new(0, 0))?;
                    holes |= 1 << leaf;
                }
            }
        }
        Ok(SymbolicTiler { layout: self.own(tuple), by_mode, holes })
    }

    /// A tiler in the text notation: a layout, an extent, `_`, or `<...>` of tilers. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("<<2, 2:4>, (M,K):(1,ld), 8>")?;
    /// assert_eq!(tiler.to_string(), "<<2:1,2:4>,(M,K):(1,ld),8:1>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    pub fn tiler(&mut self, text: &str) -> Result<SymbolicTiler, Error> {
        let (mut reader, mut tuple) = (Reader::new(text), Tuple::builder());
        let mut marks = (0, 0);
        self.read_tiles(&mut reader, &mut marks, &mut tuple, 0)?;
        reader.expect_end()?;
        Ok(SymbolicTiler { layout: self.own(tuple), by_mode: marks.0, holes: marks.1 })
    }

    /// Reads tiles, and marks the nodes that are tuples of tilers and the leaves that are holes.
    fn read_tiles(
        &mut self,
        reader: &mut Reader<'_>,
        marks: &mut (u64, u32),
        tuple: &mut Tuple<SymbolicLeaf>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of tilers", limit: MAX_DEPTH });
        }
        if reader.eat_word("_") {
            tuple.push(SymbolicLeaf::new(0, 0))?;
            marks.1 |= 1 << (tuple.leaves().len() - 1);
            return Ok(());
        }
        if !reader.eat(b'<') {
            return tuple.push_part(self.read_layout(reader)?.as_tuple().part());
        }
        let node = tuple.profile().len();
        tuple.open(0)?;
        let mut rank = 0;
        while !reader.eat(b'>') {
            if rank > 0 {
                reader.expect(b',', "`,` or `>`")?;
            }
            if rank == MAX_NODES {
                return Err(Error::Capacity { what: "tiles", limit: MAX_NODES });
            }
            self.read_tiles(reader, marks, tuple, depth + 1)?;
            rank += 1;
        }
        tuple.set_rank(node, rank);
        marks.0 |= 1 << node;
        Ok(())
    }
}
