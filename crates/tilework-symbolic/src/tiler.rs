//! Symbolic tilers: layouts that are applied mode by mode.

use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use tilework::__private::Part;
use tilework::__private::Reader;
use tilework::Error;
use tilework::Leaf;
use tilework::Text;
use tilework::Tiler;
use tilework::Unit;
use tilework::{HTuple, MAX_NODES};

/// The largest nesting of tilers in text.
const MAX_DEPTH: usize = 32;

/// A layout, or a tuple of tilers that apply to the modes of another layout one by one: `<128,bK:1>`, `_` for a mode
/// that is kept.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let tiler = scope.tiler("<128,_,bN:2>")?;
/// assert_eq!((tiler.rank(), scope.tiler_text(&tiler).as_str()), (3, "<128:1,_,bN:2>"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
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
    pub const fn rank(&self) -> usize {
        if self.is_by_mode_at(0) { self.layout.rank() } else { 1 }
    }

    pub(crate) const fn is_by_mode_at(&self, node: usize) -> bool {
        self.by_mode >> node & 1 == 1
    }

    pub(crate) const fn is_hole_at(&self, tile: Part<'_, SymbolicLeaf>) -> bool {
        tile.is_leaf() && self.holes >> tile.leaf & 1 == 1
    }

    pub(crate) const fn layout(&self) -> &SymbolicLayout {
        &self.layout
    }

    /// A static tiler of the same nesting.
    pub(crate) const fn form(&self) -> Tiler {
        let mut tuple = HTuple::builder_of(self.layout.profile(), Leaf::UNUSED);
        let mut i = 0;
        while i < self.layout.leaves().len() {
            let hole = self.holes >> i & 1 == 1;
            // This cannot fail: there are as many leaves as before.
            let _ = tuple.push_value(Leaf::new(!hole as i64, 0));
            i += 1;
        }
        Tiler::of_form(tuple, self.by_mode)
    }
}

impl core::fmt::Debug for SymbolicTiler {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.layout.fmt(f)
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
    pub const fn as_tiler(&self) -> SymbolicTiler {
        SymbolicTiler { layout: *self, by_mode: 0, holes: 0 }
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
    /// assert_eq!(scope.tiler_text(&tiler).as_str(), "<128:1,_>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if the scope is full, [`Error::SeveralComponents`] for a stride that is a sum.
    pub const fn constant_tiler(&mut self, tiler: &Tiler) -> Result<SymbolicTiler, Error> {
        let (tuple, by_mode) = tiler.to_form();
        let (mut out, mut holes, mut i) = (HTuple::builder_of(tuple.profile(), SymbolicLeaf::UNUSED), 0, 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            holes |= ((extent == 0) as u32) << i;
            let count = tri!(stride.one_count("a tiler with names", i));
            let extent = tri!(self.integer(extent));
            let number = tri!(Polynomial::integer(count.numerator()).scale(1, count.denominator()));
            let number = tri!(self.intern(&number));
            tri!(out.push_value(SymbolicLeaf { extent, stride: number, unit: stride.unit() }));
            i += 1;
        }
        Ok(SymbolicTiler { layout: self.own(out), by_mode, holes })
    }

    /// The static tiler, if it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("<128,_>")?;
    /// assert_eq!(scope.as_constant_tiler(&tiler), Some(tilework::tiler!(<128:1,_>)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_constant_tiler(&self, tiler: &SymbolicTiler) -> Option<Tiler> {
        let (leaves, mut i) = (tiler.layout.leaves(), 0);
        let mut tuple = HTuple::builder_of(tiler.layout.profile(), Leaf::UNUSED);
        while i < leaves.len() {
            let SymbolicLeaf { extent, stride, unit } = leaves[i];
            let (Some((extent, 1)), Some((numerator, denominator))) =
                (self.polynomial(extent).constant(), self.polynomial(stride).constant())
            else {
                return None;
            };
            let Ok(count) = tilework::Rational::new(numerator, denominator) else { return None };
            let Ok(stride) = tilework::Stride::new(count, unit) else { return None };
            let _ = tuple.push_value(Leaf { extent, stride });
            i += 1;
        }
        Some(Tiler::of_form(tuple, tiler.by_mode))
    }

    /// A tiler in the text notation: a layout, an extent, `_`, or `<...>` of tilers. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("<<2, 2:4>, (M,K):(1,ld), 8>")?;
    /// assert_eq!(scope.tiler_text(&tiler).as_str(), "<<2:1,2:4>,(M,K):(1,ld),8:1>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout).
    pub const fn tiler(&mut self, text: &str) -> Result<SymbolicTiler, Error> {
        let mut reader = Reader::new(text);
        let mut tiler =
            SymbolicTiler { layout: self.own(HTuple::builder(SymbolicLeaf::UNUSED)), by_mode: 0, holes: 0 };
        let mut tuple = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.read_tiles(&mut reader, &mut tiler, &mut tuple, 0));
        tri!(reader.expect_end());
        tiler.layout = self.own(tuple);
        Ok(tiler)
    }

    const fn read_tiles(
        &mut self,
        reader: &mut Reader<'_>,
        tiler: &mut SymbolicTiler,
        tuple: &mut HTuple<SymbolicLeaf>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of tilers", limit: MAX_DEPTH });
        }
        if reader.eat_word("_") {
            tiler.holes |= 1 << tuple.leaves().len();
            return tuple.push(SymbolicLeaf::UNUSED);
        }
        if !reader.eat(b'<') {
            let layout = tri!(self.read_layout(reader));
            return tuple.push_subtree(layout.as_tuple(), 0, 0);
        }
        let node = tuple.profile().len();
        tri!(tuple.open(0));
        let mut rank = 0;
        while !reader.eat(b'>') {
            if rank > 0 {
                tri!(reader.expect(b',', "`,` or `>`"));
            }
            if rank == MAX_NODES {
                return Err(Error::Capacity { what: "tiles", limit: MAX_NODES });
            }
            tri!(self.read_tiles(reader, tiler, tuple, depth + 1));
            rank += 1;
        }
        tuple.profile_mut().set_rank(node, rank);
        tiler.by_mode |= 1 << node;
        Ok(())
    }

    /// A tiler as text.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiler = scope.tiler("_")?;
    /// assert_eq!(scope.tiler_text(&tiler).as_str(), "_");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn tiler_text(&self, tiler: &SymbolicTiler) -> Text {
        let mut text = Text::new();
        self.push_tile(tiler, Part::whole(tiler.layout.as_tuple()), &mut text);
        text
    }

    const fn push_tile(&self, tiler: &SymbolicTiler, tile: Part<'_, SymbolicLeaf>, text: &mut Text) {
        if tiler.is_hole_at(tile) {
            text.push_ascii(b'_');
            return;
        }
        if !tiler.is_by_mode_at(tile.node) {
            return self.push_layout_part(tile, text);
        }
        text.push_ascii(b'<');
        let mut i = 0;
        while i < tile.rank() {
            if i > 0 {
                text.push_ascii(b',');
            }
            if let Ok(mode) = tile.mode(i) {
                self.push_tile(tiler, mode, text);
            }
            i += 1;
        }
        text.push_ascii(b'>');
    }

    /// The layout `1:0`.
    pub(crate) const fn unit_leaf(&mut self) -> Result<SymbolicLeaf, Error> {
        let (extent, stride): (Number, Number) = (tri!(self.integer(1)), tri!(self.integer(0)));
        Ok(SymbolicLeaf { extent, stride, unit: Unit::ONE })
    }
}
