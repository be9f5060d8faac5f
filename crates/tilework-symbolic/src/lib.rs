//! Symbolic extents and strides: layouts whose numbers are known only at launch, in the same algebra.
//!
//! A [`Scope`] has the names and the facts about them; a [`SymbolicLayout`] is a value whose leaves are numbers in these
//! names. An operation is a function of the scope. Its result holds for all values of
//! the names, or comes with a [`Guard`]: the condition under which it is correct.
//!
//! ```
//! use tilework_symbolic::{Scope, Verdict};
//! let mut scope = Scope::new();
//! // Names in a layout are declared by it: integers of 1 or more.
//! let batches = scope.layout("(M,K,L):(1,ld,bs)")?;
//! let line = scope.layout("M*K*L:1")?;
//! // Are the batches one contiguous mode?
//! let Verdict::When(guard) = scope.equivalent(&batches, &line)? else { panic!() };
//! assert_eq!(scope.guard_text(&guard).as_str(), "(ld == M or K*L <= 1) and (bs == K*ld or L <= 1)");
//! // What is known beforehand is not asked.
//! scope.assume("ld == M, bs == M*K")?;
//! assert!(matches!(scope.equivalent(&batches, &line)?, Verdict::Always));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # How a front end uses it
//!
//! One scope for a session: [`Scope::layout`] reads literals and declares the names in them, [`Scope::number`] and
//! [`Scope::assume`] take declared names only. A clone of a scope is a cheap snapshot, which undoes what a failed line
//! declared. [`Scope::constant`] converts layouts of numbers, [`SymbolicLayout::as_constant`] converts layouts without
//! names back; [`SymbolicLayout::instance`] returns the layout at [`Values`]. Layouts, tilers and answers are printed by
//! `Display`, because they keep their names; a [`Number`] and a [`Guard`] by the [`Declarations`] of a scope or a layout.
//! [`Scope::assume_guard`] moves a guard into the facts. Questions have a [`Verdict`]: [`Scope::is_multiple`] tells
//! whether all tiles are full, [`Scope::fits`] whether offsets fit 31 bits. A value that was made under other facts, or
//! in another scope, is brought into the form of this one by [`Scope::adopt`].
//!
//! # What is here
//!
//! Coalesce, equivalence, composition (also of coordinates, and by mode), complement, divides and products in their
//! arrangements, inverses, common layouts, recast, on hierarchical layouts; whether they are injective, surjective, compact or increasing; bounds, offsets of coordinates, slices, access widths; pieces
//! ([`Scope::cases`]); layouts behind a start offset and a swizzle ([`Placed`]). Operations that only move leaves are those of the tuple:
//! `scope.layout_of(layout.as_tuple().moved(|places| places.group(0, 2))?)`. XOR strides and operations that enumerate or search
//! are for numbers only. The module is new, and its public items may change.
//!
//! Results can be written as source text: [`Scope::index_function`], [`Scope::predicate`] and [`Scope::checks`] in the
//! languages of [`Language`] and [`Host`].
//!
//! An answer is that of one witness, by default large values that tiles divide; [`Scope::hint`] chooses another one. A
//! [`Refusal`] at the witness implies nothing for other values unless it is [`Refusal::Never`].
//!
//! ```
//! use tilework_symbolic::Scope;
//! let mut scope = Scope::new();
//! let matrix = scope.layout("(M,K):(1,ld)")?;
//! scope.assume("ld >= M")?;
//! let tile = scope.layout("128:1")?;
//! let answer = scope.composition(&matrix, &tile).unwrap();
//! assert_eq!(answer.to_string(), "128:1 if ld == M or M >= 128");
//! // Of matrices with fewer rows:
//! scope.hint("M", Some(64))?;
//! let answer = scope.composition(&matrix, &tile).unwrap();
//! assert_eq!(answer.to_string(), "(M,floor(128/M)):(1,ld) if 128 % M == 0");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Numbers are polynomials with rational coefficients in names and named quotients `floor(p/q)`, and own their terms; a
//! scope has the names, the facts and the quotients. There are as many of each as a problem has.

#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::should_implement_trait)]
#![warn(clippy::must_use_candidate)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod adopt;
mod analysis;
mod answer;
mod bounds;
mod by_mode;
mod cases;
mod coalesce;
mod complement;
mod composition;
mod declarations;
mod emit;
mod facts;
mod guard;
mod inverse;
mod layout;
mod number;
mod parse;
mod placed;
mod print;
mod question;
mod quotient;
mod recast;
mod scope;
mod small;
mod sums;
mod tiler;
mod tuple;
mod values;

pub use adopt::Adopt;
pub use answer::{Answer, Refusal};
pub use declarations::Declarations;
pub use emit::{Emitted, Host, Language, Source, index_expression, index_function};
pub use guard::{Condition, Guard, Verdict};
pub use layout::{SymbolicLayout, SymbolicLeaf};
pub use number::Number;
pub use placed::Placed;
pub use scope::{Scope, is_element};
pub use tiler::SymbolicTiler;
pub use tuple::Tuple;
pub use values::Values;
