//! The expression language of tilework: the expressions that the program `tilework` evaluates and explains.
//!
//! An expression consists of the literals of the text notation, calls of CuTe's functions, applications of layouts to
//! coordinates, and infix signs:
//!
//! ```text
//! composition((8,8):(8,1), ((4,8),2):((16,1),8))     a call
//! (8,8):(8,1) o ((4,8),2):((16,1),8)                 the same with a sign; `/` divides, `*` multiplies
//! ((4,8):(8,1))(2,5)                                 an offset
//! ((4,8):(8,1))(_,5)                                 a slice
//! size<1,0>((3,((2,3),4)):(1,((3,6),20)))            a question about a part
//! let T = <4:1,8:2>; (8,16):(20,1) / T               names
//! atom(SM80_16x8x16_F32F16F16F32_TN).c               an instruction, and the layout of its threads and values
//! let M = 128; (M*2, 64):(64, 1)                     arithmetic: + - * / % << >> ^, floor(a/b), ceil(a/b)
//! smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)    what CuTe prints, here a tensor
//! assume ld >= M; (M,K):(1,ld) o 128:1               names that are known only at launch, and the condition of the answer
//! make_layout(make_shape(Int<8>{}, _4{}), LayoutRight{})       what kernels are written with
//! ```
//!
//! A [`Session`] evaluates texts and keeps their names; [`FUNCTIONS`] is the table of everything that can be called,
//! from which completion, help and corrections are derived; an [`ExprError`] points into the text; an [`Explanation`]
//! has the rule of the algebra that leads to a result or forbids one, and a [`Trace`] has all operations of a text;
//! [`scan`] finds the layouts in any text; [`Session::picture`] (feature `pictures`) draws expressions; [`Export`]
//! writes a layout in the syntax of CuTe C++, Triton or NumPy.
//!
//! The language has no input or output, bounded recursion, and bounded work for any text.
//!
//! # How text flows
//!
//! ```text
//! text --> text::Reader --> HTuple<Atom> --> Layout, Tiler, Shape, Pattern, Composed, ...   (tilework, const)
//!               |
//!               +--> tilework-expr: the same atoms, and names, calls, operators --> Program --> stack machine
//! ```
//!
//! `FUNCTIONS` is the only list of functions. A row has the name and its aliases, the parameters, the forms, the Rust functions that evaluate,
//! explain and draw a call, the definition, CuTe's names, the errors, and examples, which a test runs and explains. Operators, help,
//! corrections, completion, and the explorer's list and facts are read from it; no other code refers to a function by its name.
//!
//! There is one lexer, `text::Reader`, for the notation and for expressions, so a number, a fraction, `1@0@1`, `^9` or `_4` means the same
//! everywhere. An *atom* is a leaf that the parser has not yet classified as an extent, a stride, a coordinate or `_`. The printed
//! form of a value parses back to that value. Parse errors carry the byte position.
//!
//! The same parser reads the output of CuTe and the source text of kernels: the lexer reads other spellings of literals; in `parse/`, `cute.rs`
//! reads tensors and types, `words.rs` constructors and keywords, `arrays.rs` JSON and arrays, `blocked.rs` Triton's blocked layouts, `tirx.rs` and `tilelang.rs` the layouts of these two.
//! The texts of the tests, with their offsets, were printed by `tests/cute/print.cpp`. `scan` tries the parser wherever a layout may begin; the work of its attempts is counted, and paid
//! for by the length of the text.
//!
//! An expression is compiled to a list of steps of a stack machine, which runs them in order. No function recurses on the input, and the number
//! of steps is bounded. The last step is the outermost operation, with its operands on the stack, and `explain` explains that step. A value
//! with names owns its numbers and its guard (`symbolic/`); each operation adopts it in a copy of the session's scope (`functions/over_names/`).
//!
//! An instruction is a value: its name is a literal, `atom(NAME)` looks the name up, and a word after a dot is a field (`fields.rs`).
//!
//! `/` and `*` of two numbers are arithmetic; the operation is chosen at run time, when the kinds of the operands are known. `a/b` without white
//! space around the operator binds more closely than `:`, like all arithmetic written without white space: `4:1/2` is a layout with the stride
//! 1/2, and `24:1 / 2` divides.

#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod access;
mod arithmetic;
mod axes;
mod emit;
mod error;
mod explain;
mod export;
mod fields;
mod functions;
mod instance;
mod instruction;
mod memory;
mod named;
mod names;
mod operation;
mod parse;
#[cfg(feature = "pictures")]
mod picture;
mod pointer;
mod program;
mod scan;
mod session;
mod steps;
mod symbolic;
mod tensor;
mod trace;
mod value;
mod width;

pub use access::Accesses;
pub use axes::Axes;
pub use error::{ExprError, Failure};
pub use explain::{Section, Table};
pub use export::{Export, Form};
pub use fields::FIELDS;
pub use functions::{
    Answered, CoordinateOperation, FUNCTIONS, Family, Function, Indices, LayoutOperation, ViewOperation,
    einfold_refused, find, search,
};
pub use instance::Instance;
pub use instruction::{Instruction, nearest_atoms};
pub use memory::{Free, Legal, Operand, Unconflicted, check_operand, operands, swizzled};
pub use operation::{Explanation, Operation};
#[cfg(feature = "pictures")]
pub use picture::{Aspect, Look};
pub use pointer::{Memory, Pointer};
pub use scan::{Found, is_blank, scan};
pub use session::{Outcome, Session};
pub use symbolic::{Symbolic, SymbolicKind};
#[cfg(feature = "pictures")]
pub use tilework_draw::Banks;
pub use trace::Trace;
pub use value::Value;
pub use width::width;
