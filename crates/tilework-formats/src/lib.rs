//! The packed storage formats of machine-learning software by name: quantised weights, factors of block-scaled values,
//! operands in the order of a kernel, caches of keys and values, images, matrices of numerical libraries.
//!
//! A [`Format`] is a record of a text table, `formats.txt`: data, not code. [`Format::named`] finds one, [`Format::parse`]
//! reads a private one in the same notation, and [`Format::at`] gives it sizes: a [`Packed`] array, which tells the offset
//! of each element, the element at each offset, and the size of the storage. A size that the format does not admit is
//! refused with the rule.
//!
//! ```
//! use tilework_formats::Format;
//! let weight = Format::named("marlin_4")?.at(&[("K", 4096), ("N", 4096)])?;
//! assert_eq!((weight.offset(&[0, 8])?, weight.coordinate(2)?), (Some(2), Some(vec![0, 8])));
//! let error = Format::named("marlin_4")?.at(&[("K", 100), ("N", 64)]).unwrap_err();
//! assert_eq!(error.to_string(), "K must be a multiple of 16: marlin_4 packs 16 rows; 100 given");
//! # Ok::<(), tilework_formats::Error>(())
//! ```
//!
//! # The notation of a record
//!
//! A line for each key; `#` begins a comment, an empty line ends a record.
//!
//! | key | value |
//! |---|---|
//! | `name` | the name, `NAME.PIECE` for a part of a block |
//! | `block` | the block of bytes of which it is a piece, with all other records of that block |
//! | `like` | the record that has the keys that this one does not have |
//! | `aliases` | other names of the same function |
//! | `for` | what it is for |
//! | `axes` | the sizes, each a name and a noun: `K rows, N columns` |
//! | `bits` | bits of an element |
//! | `sizes` | what sizes are admitted: `M to 128` is padded to a multiple, `K by 16` has to be one; `I in 2 4 8`, `C divides 16`, `L from 0`, `R at most H` |
//! | `shape` | the extents of the logical array, by default all sizes |
//! | `layout` | the offset of a coordinate, in elements; several lines are tried in order |
//! | `storage` | the number of elements, by default the size of the layout |
//! | `fill` | what the padding contains: `zero`, `repeat` (the last row), or `any` |
//! | `encoding` | what the bits of an element mean |
//! | `container` | the type and shape in which software stores it |
//! | `sources` | keys of `source` lines, or a text |
//! | `pitfall` | a known error, one a line |
//!
//! A `layout` is a layout whose numbers may have the names of sizes, and whose modes are the axes of the shape; offsets
//! count elements from the start of the buffer, the lowest bits of a byte first. Before it may be an offset, a swizzle, or
//! another layout that takes its result, `Sw<3,3,3> o {8*K} o (M,K):(K,1)`; instead of it, a polynomial in the
//! coordinates `i`, `j`, `k`, ... Behind `where` stand conditions on them: elements for which no line has its conditions
//! fulfilled are not stored. `2,8,..b` is a progression of `b` numbers, `2^b` a power.
//!
//! The feature `bytes`, on by default, has what reads and writes arrays, [`Packed::check`] and [`Repack`], by the plans of `tilework-kernels`.

#![forbid(unsafe_code)]

#[cfg(feature = "bytes")]
mod check;
mod emit;
mod error;
mod facts;
mod format;
mod identify;
mod notation;
mod packed;
mod place;
mod proof;
mod regions;
#[cfg(feature = "bytes")]
mod repack;
mod rule;
mod sizes;
mod table;

pub use error::Error;
pub use facts::{Content, Facts, Stored};
pub use format::{Axis, Format};
pub use identify::{Identified, identify};
pub use packed::{MAX_ELEMENTS, Packed, coordinate_text, type_of};
pub use proof::{Comparison, Difference, Holds, Proof};
#[cfg(feature = "bytes")]
pub use repack::{Conversion, Fill, Repack};
pub use rule::{Kind, Rule};
pub use table::{absent, bundle, formats, search};
pub use tilework_symbolic::Language;
