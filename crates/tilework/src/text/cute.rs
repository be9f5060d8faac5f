//! Layouts in the syntax of CuTe C++, the CuTe DSL, and the DSL's MLIR.

use super::Text;
use super::print::{Token, Tokens};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::Layout;
use crate::stride::Stride;
use crate::swizzle::{AnyLayout, Composed};
use crate::tuple::MAX_NODES;

impl AnyLayout {
    /// The layout as a type of CuTe C++, all of it static: `Layout<Shape<_4,_8>,Stride<_8,_1>>`.
    ///
    /// ```
    /// use tilework::{AnyLayout, layout};
    /// let text = |layout| AnyLayout::from(layout).to_cpp_type().unwrap().to_string();
    /// assert_eq!(text(layout!((4,(2,300)):(8,(1,64)))), "Layout<Shape<_4,Shape<_2,Int<300>>>,Stride<_8,Stride<_1,_64>>>");
    /// assert_eq!(text(layout!((4,8):(1@0,2@1))), "Layout<Shape<_4,_8>,Stride<E<0>,ScaledBasis<_2,1>>>");
    /// assert_eq!(
    ///     text(layout!((4,4):(^1,^5))),
    ///     "ComposedLayout<Swizzle<2,0,2>,_0,Layout<Shape<_4,_4>,Stride<_1,_4>>>"
    /// );
    /// ```
    ///
    /// # Errors
    /// CuTe has neither rational nor XOR strides: [`Error::NotIntegral`] for `4:1/2`, and if no swizzle is equivalent
    /// to the XOR strides, [`Error::Swizzle`] (`(2,2):(^1,^1)`) or [`Error::NotXorLinear`] (`Sw<1,0,1> o 1 o 4:^1`).
    pub const fn to_cpp_type(&self) -> Result<Text, Error> {
        CPP_TYPE.write(&tri!(self.in_cute()))
    }

    /// The layout as an expression of CuTe C++, all of it static.
    ///
    /// ```
    /// use tilework::{AnyLayout, layout};
    /// let text = AnyLayout::from(layout!((4,8):(8,1))).to_cpp()?;
    /// assert_eq!(text.as_str(), "make_layout(make_shape(Int<4>{}, Int<8>{}), make_stride(Int<8>{}, Int<1>{}))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_cpp_type`](Self::to_cpp_type).
    pub const fn to_cpp(&self) -> Result<Text, Error> {
        CPP.write(&tri!(self.in_cute()))
    }

    /// The layout as an expression of the CuTe DSL, in Python.
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((8,64):(64,1));
    /// assert_eq!(AnyLayout::from(rows).to_dsl()?.as_str(), "cute.make_layout((8, 64), stride=(64, 1))");
    /// assert_eq!(
    ///     AnyLayout::from(Composed::new(Swizzle::new(3, 4, 3)?, 0, rows)?).to_dsl()?.as_str(),
    ///     "cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))"
    /// );
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_cpp_type`](Self::to_cpp_type).
    pub const fn to_dsl(&self) -> Result<Text, Error> {
        DSL.write(&tri!(self.in_cute()))
    }

    /// The layout in the DSL's MLIR: `!cute.layout<"(4,8):(8,1)">`.
    ///
    /// ```
    /// use tilework::{AnyLayout, layout};
    /// assert_eq!(AnyLayout::from(layout!((4,8):(8,1))).to_mlir()?.as_str(), "!cute.layout<\"(4,8):(8,1)\">");
    /// assert_eq!(
    ///     AnyLayout::from(layout!((4,4):(^1,^5))).to_mlir()?.as_str(),
    ///     "!cute.composed_layout<\"S<2,0,2> o 0 o (4,4):(1,4)\">"
    /// );
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_cpp_type`](Self::to_cpp_type).
    pub const fn to_mlir(&self) -> Result<Text, Error> {
        MLIR.write(&tri!(self.in_cute()))
    }

    /// The same function with strides that CuTe has: integers and coordinates.
    const fn in_cute(&self) -> Result<AnyLayout, Error> {
        tri!(in_one_integer(self.layout()));
        if !self.layout().codomain().same(Codomain::Xor) {
            return Ok(*self);
        }
        let xor = match self {
            AnyLayout::Plain(layout) => *layout,
            AnyLayout::Swizzled(composed) => tri!(composed.to_xor()),
        };
        let composed = tri!(xor.to_swizzle());
        Ok(if composed.swizzle().bits() == 0 {
            AnyLayout::Plain(*composed.layout())
        } else {
            AnyLayout::Swizzled(composed)
        })
    }
}

/// Refuses the first stride that is a proper fraction or a sum.
const fn in_one_integer(layout: &Layout) -> Result<(), Error> {
    let mut i = 0;
    while i < layout.leaves().len() {
        let count = tri!(layout.leaves()[i].stride.one_count("the notation of CuTe", i));
        if !count.is_integer() {
            let (numerator, denominator) = (count.numerator(), count.denominator());
            return Err(Error::NotIntegral { operation: "a stride of CuTe", numerator, denominator });
        }
        i += 1;
    }
    Ok(())
}

/// The syntax of layouts in a language.
struct Language {
    /// The text before the shape, between shape and stride, and after the stride.
    layout: [&'static str; 3],
    /// The text before the swizzle, between its numbers, before the offset, before the layout, and after it.
    composed: [&'static str; 5],
    /// The text before the elements of a shape, and of a stride; between them; after them; and after a single one.
    tuple: [&'static str; 5],
    number: Number,
}

#[derive(Clone, Copy)]
enum Number {
    /// `_4`, `Int<300>`, `E<0>`.
    Type,
    /// `Int<4>{}`, `E<0>{}`.
    Value,
    /// `4`, `cute.E(0)`.
    Python,
    /// `4`, `1@0`.
    Notation,
}

const CPP_TYPE: Language = Language {
    layout: ["Layout<", ",", ">"],
    composed: ["ComposedLayout<Swizzle<", ",", ">,", ",", ">"],
    tuple: ["Shape<", "Stride<", ",", ">", ">"],
    number: Number::Type,
};

const CPP: Language = Language {
    layout: ["make_layout(", ", ", ")"],
    composed: ["make_composed_layout(Swizzle<", ",", ">{}, ", ", ", ")"],
    tuple: ["make_shape(", "make_stride(", ", ", ")", ")"],
    number: Number::Value,
};

const DSL: Language = Language {
    layout: ["cute.make_layout(", ", stride=", ")"],
    composed: ["cute.make_composed_layout(cute.make_swizzle(", ", ", "), ", ", ", ")"],
    tuple: ["(", "(", ", ", ")", ",)"],
    number: Number::Python,
};

const MLIR: Language = Language {
    layout: ["!cute.layout<\"", ":", "\">"],
    composed: ["!cute.composed_layout<\"S<", ",", "> o ", " o ", "\">"],
    tuple: ["(", "(", ",", ")", ")"],
    number: Number::Notation,
};

impl Language {
    const fn write(&self, layout: &AnyLayout) -> Result<Text, Error> {
        let mut text = Text::new();
        match layout {
            AnyLayout::Plain(layout) => self.push_layout(&mut text, layout),
            AnyLayout::Swizzled(composed) => self.push_composed(&mut text, composed),
        }
        Ok(text)
    }

    const fn push_composed(&self, text: &mut Text, composed: &Composed) {
        let [open, comma, offset, layout, close] = self.composed;
        let swizzle = composed.swizzle();
        text.push(open).push_int(swizzle.bits() as i64).push(comma).push_int(swizzle.base() as i64);
        text.push(comma).push_int(swizzle.shift() as i64).push(offset);
        self.number.push_int(text, composed.offset());
        text.push(layout);
        match self.number {
            // One type is written around both.
            Number::Notation => {
                text.push_layout(composed.layout());
            }
            _ => self.push_layout(text, composed.layout()),
        }
        text.push(close);
    }

    const fn push_layout(&self, text: &mut Text, layout: &Layout) {
        text.push(self.layout[0]);
        self.push_tuple(text, layout, false);
        text.push(self.layout[1]);
        self.push_tuple(text, layout, true);
        text.push(self.layout[2]);
    }

    const fn push_tuple(&self, text: &mut Text, layout: &Layout, strides: bool) {
        let [shape, stride, comma, close, close_one] = self.tuple;
        let mut tokens = Tokens::new(layout.profile());
        let (mut leaf, mut level, mut closing) = (0, 0, [close; MAX_NODES]);
        while let Some(token) = tokens.next() {
            match token {
                Token::Open => {
                    closing[level] =
                        if layout.profile().rank(tokens.node - 1) == 1 { close_one } else { close };
                    level += 1;
                    text.push(if strides { stride } else { shape });
                }
                Token::Comma => {
                    text.push(comma);
                }
                Token::Close => {
                    level -= 1;
                    text.push(closing[level]);
                }
                Token::Leaf => {
                    let here = layout.leaves()[leaf];
                    if strides {
                        self.number.push_stride(text, here.stride);
                    } else {
                        self.number.push_int(text, here.extent);
                    }
                    leaf += 1;
                }
            }
        }
    }
}

impl Number {
    const fn push_int(self, text: &mut Text, value: i64) {
        match self {
            Number::Type if has_short_name(value) => {
                text.push(if value < 0 { "_m" } else { "_" }).push_int(value.abs());
            }
            Number::Type => {
                text.push("Int<").push_int(value).push(">");
            }
            Number::Value => {
                text.push("Int<").push_int(value).push(">{}");
            }
            Number::Python | Number::Notation => {
                text.push_int(value);
            }
        }
    }

    const fn push_stride(self, text: &mut Text, stride: Stride) {
        let depth = stride.unit().depth();
        let count = stride.numerator();
        if depth == 0 || count == 0 {
            return self.push_int(text, count);
        }
        match self {
            Number::Type if count == 1 => {
                text.push("E<");
            }
            Number::Type => {
                text.push("ScaledBasis<");
                self.push_int(text, count);
                text.push(",");
            }
            Number::Value if count == 1 => {
                text.push("E<");
            }
            Number::Value => {
                self.push_int(text, count);
                text.push(" * E<");
            }
            Number::Python => {
                if count != 1 {
                    self.push_int(text, count);
                    text.push(" * ");
                }
                text.push(if depth == 1 { "cute.E(" } else { "cute.E([" });
            }
            Number::Notation => {
                text.push_stride(stride);
                return;
            }
        }
        let mut level = 0;
        while level < depth {
            if level > 0 {
                text.push(if matches!(self, Number::Python) { ", " } else { "," });
            }
            text.push_int(stride.unit().index(level) as i64);
            level += 1;
        }
        text.push(match self {
            Number::Type => ">",
            Number::Value => ">{}",
            _ if depth == 1 => ")",
            _ => "])",
        });
    }
}

/// Whether `cute/numeric/integral_constant.hpp` has the name `_4` for this integer.
const fn has_short_name(value: i64) -> bool {
    match value {
        -10..=10 | 12 | 384 | 512 | 768 | -32 | -24 | -16 | -12 => true,
        16..=256 => value % 8 == 0,
        1024..=524_288 => value.count_ones() == 1,
        _ => false,
    }
}
