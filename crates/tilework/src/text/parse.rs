//! From text to values.

use super::reader::{Atom, Reader};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, View};
use crate::shape::Shape;
use crate::stride::{Rational, Stride, Strides};
use crate::swizzle::{Composed, Swizzle};
use crate::tiler::Tiler;
use crate::tuple::{HTuple, MAX_LEAVES, Pattern, PatternLeaf, map_leaves};
use core::str::FromStr;

impl HTuple<Atom> {
    /// The atoms as extents or coordinates; `at` is their position.
    ///
    /// # Errors
    /// [`Error::Syntax`] if one is not an integer.
    pub const fn integers(&self, at: usize) -> Result<HTuple<i64>, Error> {
        Ok(map_leaves!(self => 0, |atom| match atom {
            Atom::Integer(value) => value,
            _ => return Err(Error::Syntax { at, expected: "a tuple of integers" }),
        }))
    }

    /// The atoms as strides; `at` is their position.
    ///
    /// # Errors
    /// [`Error::Syntax`] for a `_`.
    pub const fn strides(&self, at: usize) -> Result<Strides, Error> {
        Ok(map_leaves!(self => Stride::ZERO, |atom| match atom {
            Atom::Integer(value) => Stride::integer(value),
            Atom::Stride(stride) => stride,
            Atom::All => return Err(Error::Syntax { at, expected: "a tuple of strides" }),
        }))
    }

    /// The atoms as a pattern; `at` is their position.
    ///
    /// # Errors
    /// [`Error::Syntax`] for a stride that is not an integer.
    pub const fn pattern(&self, at: usize) -> Result<Pattern, Error> {
        Ok(map_leaves!(self => PatternLeaf::All, |atom| match atom {
            Atom::Integer(value) => PatternLeaf::At(value),
            Atom::All => PatternLeaf::All,
            Atom::Stride(_) => return Err(Error::Syntax { at, expected: "a tuple of integers and `_`" }),
        }))
    }

    /// `self:strides` as a layout; `at` is the position of the shape.
    ///
    /// # Errors
    /// Those of [`Layout::of`], [`Error::Syntax`].
    pub const fn layout_with(&self, strides: &HTuple<Atom>, at: usize) -> Result<Layout, Error> {
        if !self.congruent(strides) {
            return Err(self.profile().not_congruent(strides.profile()));
        }
        let extents = map_leaves!(self => 1, |atom| match atom {
            Atom::Integer(extent) => extent,
            _ => return Err(Error::Syntax { at, expected: "a tuple of extents" }),
        });
        Layout::const_of(&extents, &tri!(strides.strides(at)))
    }
}

impl Reader<'_> {
    /// A layout.
    ///
    /// # Errors
    /// [`Error::Syntax`], and those of [`Layout::new`].
    pub const fn layout(&mut self) -> Result<Layout, Error> {
        self.layout_within(0)
    }

    const fn layout_within(&mut self, depth: usize) -> Result<Layout, Error> {
        if depth > MAX_LEAVES {
            return Err(Error::Capacity { what: "levels of layouts", limit: MAX_LEAVES });
        }
        self.skip_space();
        let mark = *self;
        self.skip_namespace();
        if self.eat_word("Layout") || self.eat_word("make_layout") {
            let close = if self.eat(b'<') { b'>' } else { b')' };
            if close == b')' {
                tri!(self.expect(b'(', "`(` and a shape"));
            }
            self.skip_space();
            let at = self.position();
            let shape = tri!(self.atoms("an extent"));
            let layout = if self.eat(b',') {
                tri!(shape.layout_with(&tri!(self.atoms("a stride")), at))
            } else {
                tri!(Layout::const_column_major(&tri!(shape.integers(at))))
            };
            tri!(self.expect(close, if close == b'>' { "`>`" } else { "`)`" }));
            if close == b'>' {
                self.skip_braces();
            }
            return Ok(layout);
        }
        *self = mark;
        if self.eat_word("!cute.layout<") {
            tri!(self.expect(b'"', "a layout in quotation marks"));
            let layout = tri!(self.layout_within(depth + 1));
            tri!(self.expect(b'"', "`\"`"));
            tri!(self.expect(b'>', "`>`"));
            return Ok(layout);
        }
        self.skip_space();
        let at = self.position();
        match self.atoms("an extent") {
            Ok(shape) => {
                if self.eat(b':') {
                    let strides = tri!(self.atoms("a stride"));
                    return shape.layout_with(&strides, at);
                }
                Layout::const_column_major(&tri!(shape.integers(at)))
            }
            // A `:` or a word within the parentheses: a tuple of layouts, not of extents.
            Err(Error::Syntax { .. })
                if self.bytes_at(at) == b'(' && matches!(self.peek(), b':' | b'L' | b'!' | b'm' | b'c') =>
            {
                self.concatenation(at, depth)
            }
            Err(error) => Err(error),
        }
    }

    const fn bytes_at(&self, at: usize) -> u8 {
        let mut reader = *self;
        reader.seek(at);
        reader.peek()
    }

    /// `(layout,layout,...)` from position `at`.
    const fn concatenation(&mut self, at: usize, depth: usize) -> Result<Layout, Error> {
        self.seek(at + 1);
        let mut tuple = HTuple::builder(Leaf::UNUSED);
        tri!(tuple.open(0));
        let mut rank = 0;
        loop {
            // A number beside layouts is a tile, not a layout: the whole would be a tiler.
            let mut extents = *self;
            if extents.atoms("an extent").is_ok() && !extents.eat(b':') {
                return Err(extents.error("`:` and a stride (a tiler of layouts and extents is <4,8:2>)"));
            }
            let mode = tri!(self.layout_within(depth + 1));
            tri!(tuple.push_subtree(mode.as_tuple(), 0, 0));
            rank += 1;
            if self.eat(b')') {
                if rank == 1 {
                    return Ok(mode);
                }
                tuple.profile_mut().set_rank(0, rank);
                return Layout::new(tuple);
            }
            tri!(self.expect(b',', "`,` or `)`"));
        }
    }

    /// A tiler: a layout, `<...>`, an extent, or `_`.
    ///
    /// # Errors
    /// [`Error::Syntax`], and those of [`Layout::new`].
    pub const fn tiler(&mut self) -> Result<Tiler, Error> {
        self.tiler_within(0)
    }

    const fn tiler_within(&mut self, depth: usize) -> Result<Tiler, Error> {
        if depth > MAX_LEAVES {
            return Err(Error::Capacity { what: "levels of tilers", limit: MAX_LEAVES });
        }
        self.skip_space();
        if self.peek() == b'_' && !self.is_static() {
            self.seek(self.position() + 1);
            return Ok(Tiler::HOLE);
        }
        if self.eat(b'<') || self.eat_word("⟨") {
            return self.tiles(b'>', depth);
        }
        let mark = *self;
        let error = match self.layout() {
            Ok(layout) => return Ok(layout.as_tiler()),
            Err(error) => error,
        };
        // A tuple of layouts and extents, as CuTe prints a tiler.
        let end = *self;
        *self = mark;
        if self.eat(b'(')
            && let Ok(tiler) = self.tiles(b')', depth)
        {
            return Ok(tiler);
        }
        *self = end;
        Err(error)
    }

    /// The tiles up to `close`. Within `<...>` a tuple of extents is a compact layout; within CuTe's parentheses it
    /// applies by mode.
    const fn tiles(&mut self, close: u8, depth: usize) -> Result<Tiler, Error> {
        let angle = close == b'>';
        let mut tiler = Tiler::EMPTY;
        if self.eat(close) || (angle && self.eat_word("⟩")) {
            return Ok(tiler);
        }
        loop {
            let mut extents = *self;
            let tile = match extents.atoms("an extent") {
                Ok(atoms) if !angle && atoms.integers(0).is_ok() && !extents.eat(b':') => {
                    *self = extents;
                    tri!(Tiler::const_of_shape(&tri!(atoms.integers(0))))
                }
                _ => tri!(self.tiler_within(depth + 1)),
            };
            tri!(tiler.push(&tile));
            if self.eat(close) || (angle && self.eat_word("⟩")) {
                return Ok(tiler);
            }
            tri!(self.expect(b',', if angle { "`,` or `>`" } else { "`,` or `)`" }));
        }
    }

    /// A swizzle: `Sw<3,4,3>`, `S<3,4,3>` or `Swizzle<3,4,3>{}`.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::Swizzle`].
    pub const fn swizzle(&mut self) -> Result<Swizzle, Error> {
        if !self.eat_word("Sw<") && !self.eat_word("S<") && !self.eat_word("Swizzle<") {
            return Err(self.error("`Sw<`"));
        }
        let bits = tri!(self.integer("the number of bits"));
        tri!(self.expect(b',', "`,`"));
        let base = tri!(self.integer("the base"));
        tri!(self.expect(b',', "`,`"));
        let shift = tri!(self.integer("the shift"));
        tri!(self.expect(b'>', "`>`"));
        self.skip_braces();
        Swizzle::new(bits, base, shift)
    }

    /// The sign of composition, `o` or `∘`.
    pub const fn eat_circle(&mut self) -> bool {
        self.eat_word("o") || self.eat_word("∘")
    }

    /// A swizzled layout.
    ///
    /// # Errors
    /// [`Error::Syntax`], and those of [`Composed::new`].
    pub const fn composed(&mut self) -> Result<Composed, Error> {
        let swizzle = tri!(self.swizzle());
        if !self.eat_circle() {
            return Err(self.error("`o`"));
        }
        let mark = *self;
        if let Ok(offset) = self.integer("an offset")
            && self.eat_circle()
        {
            return Composed::new(swizzle, offset, tri!(self.layout()));
        }
        *self = mark;
        Composed::new(swizzle, 0, tri!(self.layout()))
    }

    const fn view(&mut self) -> Result<View, Error> {
        tri!(self.expect(b'{', "`{`"));
        let at = self.position();
        let strides = tri!(tri!(self.atoms("an offset")).strides(at));
        tri!(self.expect(b'}', "`}`"));
        if !self.eat_circle() {
            return Err(self.error("`o`"));
        }
        let offset = map_leaves!(strides => Rational::ZERO, |stride| {
            if !stride.unit().is_one() {
                return Err(Error::Syntax { at, expected: "a number or a coordinate" });
            }
            stride.count()
        });
        View::new(offset, tri!(self.layout()))
    }

    const fn shape(&mut self) -> Result<Shape, Error> {
        self.skip_space();
        let at = self.position();
        tri!(self.atoms("an integer")).integers(at)
    }

    const fn strides(&mut self) -> Result<Strides, Error> {
        self.skip_space();
        let at = self.position();
        tri!(self.atoms("a stride")).strides(at)
    }

    const fn pattern(&mut self) -> Result<Pattern, Error> {
        self.skip_space();
        let at = self.position();
        tri!(self.atoms("an integer or `_`")).pattern(at)
    }
}

macro_rules! parse {
    ($($type:ty: $rule:ident, $what:literal;)*) => {$(
        impl $type {
            #[doc = concat!("Reads ", $what, " in the text notation, in `const` as well.")]
            ///
            /// # Errors
            /// [`Error::Syntax`] with the position, and the errors of the value's constructor.
            pub const fn parse(text: &str) -> Result<Self, Error> {
                let mut reader = Reader::new(text);
                let value = tri!(reader.$rule());
                tri!(reader.expect_end());
                Ok(value)
            }
        }
        impl FromStr for $type {
            type Err = Error;
            fn from_str(text: &str) -> Result<Self, Error> {
                <$type>::parse(text)
            }
        }
    )*};
}
parse! {
    HTuple<i64>: shape, "a tuple of integers";
    HTuple<Stride>: strides, "a tuple of strides";
    HTuple<PatternLeaf>: pattern, "a coordinate with `_`";
    Layout: layout, "a layout";
    Tiler: tiler, "a tiler";
    Swizzle: swizzle, "a swizzle";
    Composed: composed, "a swizzled layout";
    View: view, "a layout with an offset";
}
