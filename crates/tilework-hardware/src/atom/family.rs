//! Families of atoms: rows of a table, and rows made by a rule.

use super::copy::CopyAtom;
use super::mma::MmaAtom;
use super::name::Name;

/// An instruction of either kind.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// It multiplies matrices.
    Mma(MmaAtom),
    /// It moves data.
    Copy(CopyAtom),
}

impl Atom {
    /// The instruction in the manual of its architecture, as `mma.sync`.
    #[must_use]
    pub const fn instruction(&self) -> &'static str {
        match self {
            Atom::Mma(atom) => atom.instruction,
            Atom::Copy(atom) => atom.instruction,
        }
    }

    /// The name of the instruction.
    #[must_use]
    pub const fn name(&self) -> &Name {
        match self {
            Atom::Mma(atom) => &atom.name,
            Atom::Copy(atom) => &atom.name,
        }
    }
}

/// Atoms that are made by one rule, or written in one table, by index.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The names of its instructions, for lists.
    pub title: &'static str,
    /// A name begins with one of these, without namespaces.
    pub prefixes: &'static [&'static str],
    pub count: usize,
    /// None if the arguments of this index belong to no instruction.
    pub name: fn(usize) -> Option<Name>,
    pub atom: fn(usize) -> Option<Atom>,
}

/// A constant for each row, and `TABLE`, the family of them all: `NAME = rule(arguments);`, where the rule is a `const fn` that takes
/// the name first.
macro_rules! table {
    ($table:ident: $kind:ident($atom:ty), $title:literal; $($name:ident = $rule:ident($($argument:expr),* $(,)?);)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`.")]
            pub const $name: $atom = $rule(Name::new(stringify!($name)), $($argument),*);
        )*

        pub(super) const $table: Family = {
            const ROWS: &[(&str, fn() -> Atom)] =
                &[$((stringify!($name), || Atom::$kind($rule(Name::new(stringify!($name)), $($argument),*)))),*];
            Family { title: $title, prefixes: &[""], count: ROWS.len(), name: |index| Some(Name::new(ROWS[index].0)), atom: |index| Some((ROWS[index].1)()) }
        };
    };
}

pub(super) use table;
