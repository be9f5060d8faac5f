//! What a program declares before its statements: its grid, tensors, scalar arguments and facts.

use crate::element::Element;
use crate::form::{Form, Index};
use crate::prelude::*;
use crate::program::{Program, Scalar, Space, Storage, Tensor};
use tilework::AnyLayout;
use tilework_symbolic::{Number, Scope};

/// The most axes of a grid.
const MAX_AXES: usize = 3;

/// Words that begin or end something in the text of a program.
const WORDS: [&str; 9] = ["for", "when", "barrier", "commit", "wait", "else", "by", "coordinate", "inf"];

impl Program {
    pub(crate) fn new(name: impl Into<String>, threads: i64) -> Program {
        Program {
            name: name.into(),
            threads,
            grid: Vec::new(),
            scope: Scope::new(),
            tensors: Vec::new(),
            scalars: Vec::new(),
            facts: Vec::new(),
            loops: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A tensor, by the text of its layout.
    pub(crate) fn declare(
        &mut self,
        name: &str,
        space: Space,
        element: Element,
        text: &str,
        line: usize,
    ) -> Result<(), Error> {
        self.check_name(name)?;
        let wrong = |error| error!("the layout of {name}: {error}");
        let storage = match space.is_global() {
            true => Storage::Global(self.scope.layout(text).map_err(wrong)?),
            false if text.starts_with('S') => {
                Storage::Local(Box::new(AnyLayout::Swizzled(text.parse().map_err(wrong)?)))
            }
            false => Storage::Local(Box::new(AnyLayout::Plain(text.parse().map_err(wrong)?))),
        };
        self.tensors.push(Tensor { name: name.to_string(), space, element, storage, line });
        Ok(())
    }

    pub(crate) fn add_scalar(&mut self, name: &str, element: Element) -> Result<(), Error> {
        self.check_name(name)?;
        self.scalars.push(Scalar { name: name.to_string(), element });
        Ok(())
    }

    pub(crate) fn assume(&mut self, facts: &str) -> Result<(), Error> {
        self.scope.assume(facts).map_err(|error| error!("assume {facts}: {error}"))?;
        self.facts.push(facts.to_string());
        Ok(())
    }

    /// An axis of the grid, in the names of the tensors.
    pub(crate) fn add_axis(&mut self, count: &str) -> Result<(), Error> {
        if self.grid.len() == MAX_AXES {
            return Err(error!("a grid has at most {MAX_AXES} axes"));
        }
        let count = self.number(count)?;
        self.grid.push(count);
        Ok(())
    }

    /// A number in the names of the tensors.
    pub(crate) fn number(&mut self, text: &str) -> Result<Number, Error> {
        self.scope.number(text).map_err(|error| {
            let what = if text.trim().is_empty() {
                "a number is missing".into()
            } else {
                format!("{text}: {error}")
            };
            let names = self.scope.names().collect::<Vec<_>>().join(", ");
            let names = if names.is_empty() {
                "no tensor has a name".into()
            } else {
                format!("the names of the tensors are {names}")
            };
            error!("{what}; {names}")
        })
    }

    /// The most steps of a loop that ends at a sum of the block's digits.
    pub(crate) fn most(&self, blocks: &Form) -> Result<Number, Error> {
        if blocks.constant < 0 {
            return Err(error!("{} may be below 0, and a loop has 0 steps or more", self.form_text(blocks)));
        }
        let mut most = Number::integer(blocks.constant);
        for (step, digit) in &blocks.terms {
            let name = self.index_text(digit.index);
            let Index::Block(axis) = digit.index else {
                return Err(error!(
                    "{name} differs between threads or steps, and a loop has as many steps in all of them, by sizes or blocks: \
                     mask the others by select(coordinate(.., ..) < .., .., ..)"
                ));
            };
            let axes = self.grid.len();
            let count = self.grid.get(axis);
            let count = count.ok_or_else(|| error!("there is no {name}: the grid has {axes} axes"))?;
            let last = digit.modulus.map_or_else(|| count.plus(digit.add - 1), |own| Ok((own - 1).into()))?;
            most = most.add(&last.mul(&(*step).into())?)?;
        }
        Ok(most)
    }

    /// Refuses what is no name, and the name of something else.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), Error> {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name {
            return Err(error!("`{name}` is no name: a letter, then letters, digits and `_`"));
        }
        if WORDS.contains(&name) || Index::fixed(name).is_some() {
            return Err(error!("the name {name} has a meaning in every program"));
        }
        let is_taken = self.tensors.iter().any(|tensor| tensor.name == name)
            || self.scalars.iter().any(|scalar| scalar.name == name);
        match is_taken {
            true => Err(error!("the name {name} is taken")),
            false => Ok(()),
        }
    }
}
