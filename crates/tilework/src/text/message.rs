//! The sentence of each error.

use super::Text;
use crate::error::Error;
use core::fmt;

/// Appends words, `[words]` of a variable, and numbers.
macro_rules! sentence {
    ($text:ident;) => {};
    ($text:ident; $words:literal $($rest:tt)*) => { sentence!($text; [$words] $($rest)*) };
    ($text:ident; [$words:expr] $($rest:tt)*) => {{
        $text.push($words);
        sentence!($text; $($rest)*);
    }};
    ($text:ident; $number:tt $($rest:tt)*) => {{
        $text.push_int($number as i64);
        sentence!($text; $($rest)*);
    }};
}

impl Error {
    /// The sentence, also in `const`: `panic!("{}", error.message().as_str())`.
    #[must_use]
    pub const fn message(&self) -> Text {
        let mut text = Text::new();
        match *self {
            Error::Overflow { left, operator, right } => {
                let operator = match operator {
                    '+' => " + ",
                    '-' => " - ",
                    '^' => " * (carry-less) ",
                    _ => " * ",
                };
                sentence!(text; left [operator] right " does not fit in 64 bits");
            }
            Error::TooLarge { what } => sentence!(text; [what] " does not fit in 64 bits"),
            Error::Capacity { what, limit } => sentence!(text; "more than " limit " " [what]),
            Error::Syntax { at, expected } => sentence!(text; "expected " [expected] " at byte " at),
            Error::Extent { leaf, extent } => {
                sentence!(text; "leaf " leaf " has extent " extent "; an extent is 1 or more");
            }
            Error::Incongruent { what } => sentence!(text; [what] " have different profiles"),
            Error::Profiles { leaf, shape, stride } => {
                entries(&mut text, leaf, "the shape", shape);
                entries(&mut text, None, ", the stride", stride);
            }
            Error::Entries { leaf, coordinate, shape } => {
                entries(&mut text, leaf, "the coordinate", coordinate);
                entries(&mut text, None, ", the shape", shape);
            }
            Error::Coordinate { what } => sentence!(text; [what]),
            Error::Index { index, rank } => sentence!(text; "there is no mode " index "; the rank is " rank),
            Error::Rank { operation, expected, found } => {
                sentence!(text; [operation] " takes rank " expected " here, found rank " found);
            }
            Error::Size { operation, expected, found } => {
                sentence!(text; [operation] " needs size " expected ", found " found);
            }
            Error::MixedCodomain { left, right } => {
                sentence!(text; "the strides of one layout share one codomain; here are " [left.name()] " and "
                    [right.name()] " strides");
            }
            Error::Codomain { operation, found } => {
                sentence!(text; [operation] " is not defined for " [found.name()] " strides");
            }
            Error::NestedBasis => sentence!(text;
                "one basis element addresses a mode and another a mode within it; address leaves of one profile"),
            Error::NotIntegral { operation, numerator, denominator } => {
                sentence!(text; [operation] " needs an integer, found " numerator "/" denominator);
            }
            Error::ShapeDivisibility { leaf, extent, stride, steps } => {
                sentence!(text; "at leaf " leaf ", " extent ":" stride ", the left layout changes its step: "
                    steps ":" stride " fits and " (steps + 1) ":" stride " does not; a multiple of "
                    steps " may fit as well");
            }
            Error::Carry { boundary, first, last } => {
                if first == last {
                    sentence!(text; "leaf " first " of the right layout steps past ");
                } else {
                    let joint = if first + 1 == last { " and " } else { " to " };
                    sentence!(text; "leaves " first [joint] last " of the right layout together step past ");
                }
                sentence!(text; boundary ", where the left stride changes; stay below " boundary
                    " or make the strides multiples of it");
            }
            Error::NotBasis { leaf } => sentence!(text; "the components of the stride for leaf " leaf
                " do not fit; a stride has up to 5, and several are integers of 32, 21, 16 or 12 bits for 2, 3, 4 or 5"),
            Error::SeveralComponents { operation, leaf } => sentence!(text; [operation]
                " takes one component a stride here, and the stride of leaf " leaf " has several"),
            Error::Undecided { operation } => {
                sentence!(text; [operation] ": the exact answer was not found within the work budget");
            }
            Error::NegativeStride { operation, stride } => {
                sentence!(text; [operation] " takes no negative stride, found " stride);
            }
            Error::Overlap { extent, stride, next } => {
                sentence!(text; "the mode " extent ":" stride " and the one of stride " next
                    " interleave; the next stride has to be " extent "*" stride " or more");
            }
            Error::Gap { extent, stride, next } => {
                sentence!(text; "the gap between the tile's mode " extent ":" stride " and the one of stride " next
                    " cannot be filled whole, and elements would be left out; make " next " a multiple of "
                    extent "*" stride);
            }
            Error::Skew { leaf, component, at } => {
                sentence!(text; "leaf " leaf " of the tile moves forward along several components, and no tile has the coordinate that is "
                    at " in component " component " and 0 elsewhere; let it move forward along one component");
            }
            Error::NotInjective { first, second } => {
                sentence!(text; "no layout is this inverse: the indices " first " and " second " have the same offset");
            }
            Error::NotSurjective { offset, component: None } => {
                sentence!(text; "no layout is this inverse: no coordinate has the offset " offset);
            }
            Error::NotSurjective { offset, component: Some(component) } => {
                sentence!(text; "no layout is this inverse: no coordinate has the offset that is " offset " in component "
                    component " and 0 elsewhere");
            }
            Error::NoInverse { reason } => sentence!(text; "no layout is this inverse: " [reason]),
            Error::CarrylessScale { extent, stride } => {
                sentence!(text; "the multiples of ^" stride " below " extent
                    " carry, so that integer and XOR scaling differ; split the mode into modes of extent 2");
            }
            Error::NotXorLinear { reason } => sentence!(text; "not linear over F2: " [reason]),
            Error::NotFlat { mode } => {
                sentence!(text; "mode " mode " has several strides, and this form needs one stride per mode")
            }
            Error::NotPowerOfTwo { what, leaf, extent } => {
                sentence!(text; "leaf " leaf " of " [what] " has extent " extent ", which is not a power of two");
            }
            Error::Divisibility { operation, value, divisor } => {
                sentence!(text; [operation] ": " divisor " does not divide " value);
            }
            Error::Swizzle { reason } => sentence!(text; "no such swizzle: " [reason]),
            Error::OutOfBounds { leaf, index, size } => {
                sentence!(text; "leaf " leaf " of the coordinate is " index ", but its mode has the coordinates 0 to " (size - 1));
            }
            Error::Pattern { at, what, found, beside, expected } => {
                sentence!(text; "at byte " at " of the pattern, " [what] found [beside] expected);
            }
            Error::Image { min, max, start, end } => {
                sentence!(text; "the offsets go from " min " to " max);
                if start < end {
                    sentence!(text; ", but the accessor has those from " start " to " (end - 1));
                } else {
                    sentence!(text; ", but the accessor has none");
                }
                sentence!(text; "; use more elements, another start offset or a smaller layout");
            }
            Error::Memory { elements } => sentence!(text; "not enough memory for " elements " elements"),
            Error::Fact { reason } => sentence!(text; [reason]),
            Error::Argument { operation, expected, found } => {
                sentence!(text; [operation] " takes " [expected] ", found " found);
            }
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Error {}

/// What a node of a profile is: a tuple of so many entries, or an integer.
const fn entries(text: &mut Text, leaf: Option<usize>, what: &str, rank: Option<usize>) {
    if let Some(leaf) = leaf {
        sentence!(text; "at leaf " leaf " ");
    }
    match rank {
        Some(1) => sentence!(text; [what] " has 1 entry"),
        Some(rank) => sentence!(text; [what] " has " rank " entries"),
        None => sentence!(text; [what] " is an integer"),
    }
}
