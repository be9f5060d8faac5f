//! Everything that can be called, and what the calls do.
//!
//! [`FUNCTIONS`] is the one table: a name, the forms in which it is written, what it answers, and the function that
//! answers. The files beside it hold those functions, a family each.

mod algebra;
mod coordinates;
mod parts;
mod questions;
mod table;

pub(crate) use algebra::compose;
pub(crate) use coordinates::slice;
pub(crate) use parts::{concatenate, part};
pub(crate) use questions::MAX_IMAGE;
pub use table::FUNCTIONS;

use crate::error::Failure;
use crate::value::Value;
use std::sync::OnceLock;
use tilework::{Coord, Layout, Pattern, Shape, Tiler};

/// What a function is about; help is grouped by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Sizes, offsets and the like.
    Questions,
    /// Layouts from shapes.
    Construction,
    /// Coordinates, offsets and slices.
    Coordinates,
    /// Taking apart and putting together.
    Parts,
    /// Simplification.
    Simplification,
    /// Composition, inverses and complements.
    Algebra,
    /// Divides.
    Divides,
    /// Products.
    Products,
    /// Element sizes and what two layouts share.
    Vectors,
    /// Questions with a yes or no.
    Predicates,
}

impl Family {
    /// The heading in help.
    pub const fn title(self) -> &'static str {
        match self {
            Family::Questions => "Questions about a layout",
            Family::Construction => "Layouts from shapes",
            Family::Coordinates => "Coordinates and slices",
            Family::Parts => "Parts and groups of modes",
            Family::Simplification => "Simplification",
            Family::Algebra => "Composition, inverses, complements",
            Family::Divides => "Divides",
            Family::Products => "Products",
            Family::Vectors => "Element sizes and common parts",
            Family::Predicates => "Yes or no",
        }
    }
}

/// What the indices of `name<0,1>(...)` mean to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices {
    /// It takes none.
    None,
    /// The path of the part of the first argument that the question is about.
    Path,
    /// So many numbers of its own, at least and at most.
    Own(usize, usize),
}

/// A function of the language.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub forms: &'static [&'static str],
    /// The fewest arguments.
    pub least: usize,
    /// The most arguments.
    pub most: usize,
    /// What its indices mean.
    pub indices: Indices,
    /// What it is about.
    pub family: Family,
    /// What it answers, in one line.
    pub summary: &'static str,
    /// What answers.
    pub run: fn(&Call<'_>) -> Result<Value, Failure>,
}

impl Function {
    /// Why the function does not take this number of arguments and indices, if it does not.
    pub(crate) fn refuses(&self, arguments: usize, indices: usize) -> Option<String> {
        if arguments < self.least || arguments > self.most {
            let takes = match (self.least, self.most) {
                (1, 1) => String::from("1 argument"),
                (least, most) if least == most => format!("{least} arguments"),
                (least, usize::MAX) => format!("{least} arguments or more"),
                (least, most) => format!("{least} to {most} arguments"),
            };
            return Some(format!("{} takes {takes}, found {arguments}", self.name));
        }
        let fits = match self.indices {
            Indices::None => indices == 0,
            Indices::Path => true,
            Indices::Own(least, most) => indices == 0 || (least..=most).contains(&indices),
        };
        (!fits).then(|| format!("{} does not take {indices} indices in `<...>`", self.name))
    }
}

/// The function of this name; case and CuTe's longer names are understood.
pub fn find(name: &str) -> Option<&'static Function> {
    static SORTED: OnceLock<Vec<&'static Function>> = OnceLock::new();
    let sorted = SORTED.get_or_init(|| {
        let mut sorted: Vec<&Function> = FUNCTIONS.iter().collect();
        sorted.sort_by_key(|function| function.name);
        sorted
    });
    let position = |name: &str| sorted.binary_search_by_key(&name, |function| function.name).ok();
    match position(name) {
        Some(index) => Some(sorted[index]),
        None => table::ALIASES
            .iter()
            .find(|(alias, _)| *alias == name)
            .and_then(|(_, name)| position(name))
            .map(|index| sorted[index]),
    }
}

/// All names, for completion and corrections.
pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
    FUNCTIONS.iter().map(|function| function.name)
}

/// The forms of a function in a sentence.
pub(crate) fn forms(function: &Function) -> String {
    function.forms.join(" or ")
}

/// A call: a name, arguments, and the indices in `<...>`.
pub struct Call<'a> {
    /// The function's name.
    pub name: &'static str,
    /// The arguments.
    pub arguments: &'a [Value],
    /// The indices.
    pub indices: &'a [usize],
}

impl Call<'_> {
    /// How many arguments there are.
    pub fn count(&self) -> usize {
        self.arguments.len()
    }

    /// The refusal of an argument of the wrong kind.
    pub(crate) fn wrong(&self, index: usize, wanted: &str) -> Failure {
        let kind = self.arguments[index].kind();
        let message = format!("argument {} of {} is {kind} where {wanted} is wanted", index + 1, self.name);
        Failure::Argument { index, message, help: None }
    }

    /// An argument as a layout.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn layout(&self, index: usize) -> Result<Layout, Failure> {
        match self.arguments[index].as_layout() {
            Some(layout) => Ok(layout?),
            None => Err(self.wrong(index, "a layout")),
        }
    }

    /// The layout whose coordinates an argument takes.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn domain(&self, index: usize) -> Result<Layout, Failure> {
        match self.arguments[index].domain() {
            Some(layout) => Ok(*layout),
            None => self.layout(index),
        }
    }

    /// An argument as a tiler.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn tiler(&self, index: usize) -> Result<Tiler, Failure> {
        match self.arguments[index].as_tiler() {
            Some(tiler) => Ok(tiler?),
            None => Err(self.wrong(index, "a tiler (a layout, an extent, or `<...>`)")),
        }
    }

    /// An argument as a shape.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn shape(&self, index: usize) -> Result<Shape, Failure> {
        self.arguments[index].as_shape().ok_or_else(|| self.wrong(index, "a shape"))
    }

    /// An argument as a coordinate.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn coord(&self, index: usize) -> Result<Coord, Failure> {
        self.arguments[index].as_coord().ok_or_else(|| self.wrong(index, "a coordinate"))
    }

    /// An argument as a coordinate with `_`.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn pattern(&self, index: usize) -> Result<Pattern, Failure> {
        self.arguments[index].as_pattern().ok_or_else(|| self.wrong(index, "a coordinate with `_`"))
    }

    /// An argument as an integer.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn integer(&self, index: usize) -> Result<i64, Failure> {
        self.arguments[index].as_integer().ok_or_else(|| self.wrong(index, "an integer"))
    }

    /// An argument as the index of a mode.
    ///
    /// # Errors
    /// [`Failure`] for another kind.
    pub fn index(&self, index: usize) -> Result<usize, Failure> {
        usize::try_from(self.integer(index)?).map_err(|_| self.wrong(index, "an index of 0 or more"))
    }

    /// The indices of the function: those in `<...>`, or else the integers from argument `first` on, which may also be
    /// one tuple.
    ///
    /// # Errors
    /// [`Failure`] for other kinds.
    pub(crate) fn own_indices(&self, first: usize) -> Result<Vec<usize>, Failure> {
        if !self.indices.is_empty() {
            return Ok(self.indices.to_vec());
        }
        let mut indices = Vec::new();
        for argument in first..self.count() {
            let tuple = self.coord(argument)?;
            for &index in tuple.leaves() {
                let index =
                    usize::try_from(index).map_err(|_| self.wrong(argument, "an index of 0 or more"))?;
                indices.push(index);
            }
        }
        Ok(indices)
    }

    /// The refusal of a call whose arguments do not fit together.
    pub(crate) fn refuse(&self, message: impl Into<String>) -> Failure {
        Failure::Other { code: "arguments", message: message.into() }
    }
}
