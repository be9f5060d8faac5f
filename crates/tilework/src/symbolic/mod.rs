//! Symbolic extents and strides: layouts whose numbers are known only at launch, in the same algebra.
//!
//! A [`Scope`] has the names, the facts about them and the numbers made of them; a [`SymbolicLayout`] is one plain value
//! whose leaves are numbers of its scope. An operation is a function of the scope. It gives what is true for all values of
//! the names, or a [`Guard`]: the condition under which it is right.
//!
//! ```
//! use tilework::symbolic::{Scope, Verdict};
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
//! [`Scope::assume`] take declared names only. A scope is `Copy`, so that a snapshot undoes what a failed line declared.
//! [`Scope::constant`] takes layouts of numbers in, [`Scope::as_constant`] gives those back in which no name is left;
//! [`Scope::instance`] gives the layout at [`Values`]. Everything printed comes from the scope: [`Scope::layout_text`],
//! [`Scope::number_text`], [`Scope::guard_text`]; [`Guard::conditions`] lists the conditions one by one.
//!
//! # What is here
//!
//! Numbers, facts, guards, coalesce, equivalence, composition and the notation. The module is new, and its public items may change.
//!
//! Numbers are polynomials with rational coefficients in names and named quotients `floor(p/q)`. All of it is `const fn`, in
//! fixed capacities ([`MAX_NAMES`], [`MAX_QUOTIENTS`], [`MAX_NUMBERS`], [`MAX_CONDITIONS`]), with
//! [`Error::Capacity`](crate::Error::Capacity) behind them.

mod answer;
mod coalesce;
mod composition;
mod guard;
mod layout;
mod parse;
mod polynomial;
mod pool;
mod print;
mod question;
mod quotient;
mod scope;
mod values;

pub use answer::{Answer, Refusal};
pub use guard::{Condition, Guard, MAX_CONDITIONS, Verdict};
pub use layout::{SymbolicLayout, SymbolicLeaf};
pub use polynomial::{MAX_NAMES, MAX_QUOTIENTS};
pub use pool::{MAX_NUMBERS, Number};
pub use scope::{MAX_NAME_LENGTH, Scope};
pub use values::Values;
