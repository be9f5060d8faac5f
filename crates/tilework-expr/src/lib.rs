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

#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod access;
mod arithmetic;
mod error;
mod explain;
mod export;
mod fields;
mod functions;
mod instance;
mod instruction;
mod observer;
mod operation;
mod parse;
#[cfg(feature = "pictures")]
mod picture;
mod pointer;
mod program;
mod scan;
mod session;
mod steps;
mod suggest;
mod symbolic;
mod symbolic_steps;
mod tensor;
mod trace;
mod value;
mod width;

pub use access::Accesses;
pub use error::{ExprError, Failure};
pub use explain::{Section, Table};
pub use export::{Export, Form};
pub use fields::FIELDS;
pub use functions::{FUNCTIONS, Family, Function, Indices, LayoutOperation, find, search};
pub use instance::Instance;
pub use instruction::{Instruction, nearest_atoms};
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
