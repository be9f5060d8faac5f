//! From values to text. What is printed parses back to the same value.

use super::{Atom, Text};
use crate::layout::{Layout, View};
use crate::stride::{Rational, Stride};
use crate::swizzle::{AnyLayout, Composed, Swizzle};
use crate::tiler::Tiler;
use crate::tuple::{HTuple, PatternLeaf, Profile};
use core::fmt;

/// A token between the leaves of a tuple.
pub(crate) enum Token {
    Open,
    Leaf,
    Comma,
    Close,
}

/// The tokens of a profile from left to right.
pub(crate) struct Tokens<'a> {
    profile: &'a Profile,
    /// The next node.
    pub node: usize,
    /// The remaining children of each open level.
    open: [u8; crate::tuple::MAX_NODES],
    level: usize,
    comma: bool,
}

impl<'a> Tokens<'a> {
    pub const fn new(profile: &'a Profile) -> Self {
        Tokens { profile, node: 0, open: [0; crate::tuple::MAX_NODES], level: 0, comma: false }
    }

    pub const fn next(&mut self) -> Option<Token> {
        if self.level > 0 && self.open[self.level - 1] == 0 {
            self.level -= 1;
            self.comma = true;
            return Some(Token::Close);
        }
        if self.node == self.profile.len() {
            return None;
        }
        if self.comma {
            self.comma = false;
            return Some(Token::Comma);
        }
        let node = self.node;
        self.node += 1;
        if self.level > 0 {
            self.open[self.level - 1] -= 1;
        }
        if self.profile.is_leaf(node) {
            self.comma = true;
            return Some(Token::Leaf);
        }
        self.open[self.level] = self.profile.rank(node) as u8;
        self.level += 1;
        Some(Token::Open)
    }
}

/// Writes the tuple of a profile: `$leaf` is run for each leaf with its number in `$index`.
macro_rules! write_tuple {
    ($text:expr, $profile:expr, |$index:ident| $leaf:expr) => {{
        let mut tokens = Tokens::new($profile);
        let mut $index = 0;
        while let Some(token) = tokens.next() {
            match token {
                Token::Open => {
                    $text.push_ascii(b'(');
                }
                Token::Comma => {
                    $text.push_ascii(b',');
                }
                Token::Close => {
                    $text.push_ascii(b')');
                }
                Token::Leaf => {
                    $leaf;
                    $index += 1;
                }
            }
        }
    }};
}

impl<const N: usize> Text<N> {
    /// Appends a rational number: `3`, `-1/2`.
    pub const fn push_rational(&mut self, value: Rational) -> &mut Self {
        self.push_int(value.numerator());
        if !value.is_integer() {
            self.push_ascii(b'/').push_int(value.denominator());
        }
        self
    }

    /// Appends a stride: `8`, `1/2`, `2@1`, `1@0@1`, `(2@0+3@1)`, `^9`.
    pub const fn push_stride(&mut self, stride: Stride) -> &mut Self {
        if stride.unit().is_xor() {
            return self.push_ascii(b'^').push_int(stride.numerator());
        }
        if stride.is_sum() {
            return self.push_sum(stride);
        }
        self.push_rational(stride.count());
        let mut level = stride.unit().depth();
        while level > 0 {
            level -= 1;
            self.push_ascii(b'@').push_int(stride.unit().index(level) as i64);
        }
        self
    }

    const fn push_sum(&mut self, sum: Stride) -> &mut Self {
        self.push_ascii(b'(');
        let mut k = 0;
        while let Some(term) = sum.term(k) {
            if k > 0 && term.numerator() > 0 {
                self.push_ascii(b'+');
            }
            self.push_stride(term);
            k += 1;
        }
        self.push_ascii(b')')
    }

    /// Appends a layout.
    pub const fn push_layout(&mut self, layout: &Layout) -> &mut Self {
        let leaves = layout.leaves();
        write_tuple!(self, layout.profile(), |i| self.push_int(leaves[i].extent));
        self.push_ascii(b':');
        write_tuple!(self, layout.profile(), |i| self.push_stride(leaves[i].stride));
        self
    }

    /// Appends a swizzle: `Sw<3,4,3>`.
    pub const fn push_swizzle(&mut self, swizzle: Swizzle) -> &mut Self {
        self.push("Sw<").push_int(swizzle.bits() as i64).push_ascii(b',').push_int(swizzle.base() as i64);
        self.push_ascii(b',').push_int(swizzle.shift() as i64).push_ascii(b'>')
    }

    /// Appends a tiler: `<4:1,8:2>`.
    pub const fn push_tiler(&mut self, tiler: &Tiler) -> &mut Self {
        self.push_tile(tiler, 0, 0)
    }

    const fn push_tile(&mut self, tiler: &Tiler, node: usize, leaf: usize) -> &mut Self {
        if !tiler.is_by_mode_at(node) {
            return match tiler.layout_at(node, leaf) {
                Ok(Some(layout)) => self.push_layout(&layout),
                _ => self.push_ascii(b'_'),
            };
        }
        self.push_ascii(b'<');
        let (mut child, mut first, mut i) = (node + 1, leaf, 0);
        while i < tiler.as_tuple().profile().rank(node) {
            if i > 0 {
                self.push_ascii(b',');
            }
            self.push_tile(tiler, child, first);
            let span = tiler.as_tuple().profile().span(child);
            child += span.nodes;
            first += span.leaves;
            i += 1;
        }
        self.push_ascii(b'>')
    }
}

/// `to_text` of each type, with an example of it, and how it is displayed.
macro_rules! notations {
    ($($type:ty, $example:literal: |$value:ident, $text:ident| $write:expr;)*) => {$(
        impl $type {
            #[doc = concat!("The notation, for `const` as well: `", $example, "`.")]
            #[inline(always)]
            #[must_use]
            pub const fn to_text(&self) -> Text {
                let mut text = Text::new();
                self.write_to(&mut text);
                text
            }

            const fn write_to<const N: usize>(&self, $text: &mut Text<N>) {
                let $value = self;
                $write;
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut text = Text::short();
                self.write_to(&mut text);
                if text.is_cut() { f.pad(self.to_text().as_str()) } else { f.pad(text.as_str()) }
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_fmt(format_args!("{self}"))
            }
        }
    )*};
}

notations! {
    HTuple<i64>, "((4,8),2)": |tuple, text| {
        write_tuple!(text, tuple.profile(), |i| text.push_int(tuple.leaves()[i]))
    };
    HTuple<Rational>, "(1,1/2)": |tuple, text| {
        write_tuple!(text, tuple.profile(), |i| text.push_rational(tuple.leaves()[i]))
    };
    HTuple<Stride>, "(1@0,8@1)": |tuple, text| {
        write_tuple!(text, tuple.profile(), |i| text.push_stride(tuple.leaves()[i]))
    };
    HTuple<PatternLeaf>, "(2,(_,0))": |tuple, text| {
        write_tuple!(text, tuple.profile(), |i| match tuple.leaves()[i] {
            PatternLeaf::All => text.push_ascii(b'_'),
            PatternLeaf::At(index) => text.push_int(index),
        })
    };
    HTuple<Atom>, "(2,(_,1@0))": |tuple, text| {
        write_tuple!(text, tuple.profile(), |i| match tuple.leaves()[i] {
            Atom::Integer(value) => text.push_int(value),
            Atom::Stride(stride) => text.push_stride(stride),
            Atom::All => text.push_ascii(b'_'),
        })
    };
    Layout, "((4,8),2):((16,1),8)": |layout, text| text.push_layout(layout);
    Tiler, "<4:1,8:2>": |tiler, text| text.push_tiler(tiler);
    View, "{8} o (3,2):(15,100)": |view, text| {
        text.push("{");
        view.offset().write_to(text);
        text.push("} o ").push_layout(view.layout())
    };
    Composed, "Sw<3,4,3> o 0 o (8,64):(64,1)": |composed, text| {
        text.push_swizzle(composed.swizzle()).push(" o ").push_int(composed.offset());
        text.push(" o ").push_layout(composed.layout())
    };
}

impl AnyLayout {
    /// The layout in the notation, also in `const`.
    #[inline(always)]
    #[must_use]
    pub const fn to_text(&self) -> Text {
        match self {
            AnyLayout::Plain(layout) => layout.to_text(),
            AnyLayout::Swizzled(composed) => composed.to_text(),
        }
    }
}

impl fmt::Display for AnyLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyLayout::Plain(layout) => fmt::Display::fmt(layout, f),
            AnyLayout::Swizzled(composed) => fmt::Display::fmt(composed, f),
        }
    }
}

impl fmt::Debug for AnyLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{self}"))
    }
}

impl fmt::Display for Stride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::short().push_stride(*self).as_str())
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::short().push_rational(*self).as_str())
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::short().push_swizzle(*self).as_str())
    }
}
