//! Building a program in Rust: a kernel records its statements, and `finish` gives the program that their text would.
//!
//! ```
//! use tilework_program::Error;
//! use tilework_program::kernel::Kernel;
//! // B = A with other strides: tiles of 32x32 through shared memory without bank conflicts.
//! let mut k = Kernel::new("transpose", 256);
//! let a = k.read::<f32>("A", "(M,N):(lda,1)");
//! let b = k.write::<f32>("B", "(M,N):(1,ldb)");
//! let s = k.shared::<f32>("s", "Sw<5,0,5> o 0 o (32,32):(32,1)");
//! let at = k.grid(["ceil(M/32)", "ceil(N/32)"]);
//! let rows = "((32,8),4):((1@1,1@0),8@0)"; // (thread,value) to the coordinate of the tile
//! let columns = "((32,8),4):((1@0,1@1),8@1)";
//! k.copy(a.tile([32, 32], at).partition(rows), s.partition(rows));
//! k.barrier();
//! k.copy(s.partition(columns), b.tile([32, 32], at).partition(columns));
//! let transpose = k.finish()?;
//! assert!(transpose.check()?.is_proved());
//! // Values are of a type, and everything else is checked by `finish`, with the line of the statement.
//! let mut k = Kernel::new("copy", 32);
//! let (a, b) = (k.read::<f32>("A", "M:1"), k.write::<f32>("B", "M:1"));
//! let [i] = k.grid(["ceil(M/32)"]);
//! k.copy(a.tile([32], [i]).threads("32:1@1"), b.tile([32], [i]).threads("32:1@0"));
//! let error = k.finish().unwrap_err();
//! assert_eq!(error.message(), "A: t 32:1@1: there is no mode 1: the tensor has 1");
//! assert!(error.line().is_some());
//! # Ok::<(), Error>(())
//! ```

mod expr;
mod index;
mod tiled;
mod view;

pub use expr::{Argument, Coordinate, Expr, Operand, Size, Sources};
pub use index::Index;
pub use tiled::{TiledCopy, TiledMma};
pub use view::{Tensor, View};

use crate::element::ElementType;
use crate::form::{self, Form};
use crate::prelude::*;
use crate::program::{self, Function, Kind, Program, Space, Statement, Until};
use crate::verify::verify;
use core::fmt::Display;
use core::marker::PhantomData;
use core::panic::Location;
use tilework_symbolic::Number;

/// An operation that folds many values into one, with its neutral element.
///
/// ```
/// use tilework_program::kernel::{Fold, Kernel};
/// let mut k = Kernel::new("column", 32);
/// let (a, y) = (k.read::<f32>("A", "(M,K):(lda,1)"), k.write::<f32>("y", "M:1"));
/// let high = k.registers::<f32>("high", "1:1");
/// let [m] = k.grid(["ceil(M/32)"]);
/// k.fill(high, f64::NEG_INFINITY as f32);
/// k.repeat("K", |k, step| {
///     k.fold(Fold::MAX, a.tile([32, 1], [m, step]).threads("32:1@0"), high);
/// });
/// k.copy(high, y.tile([32], [m]).threads("32:1@0"));
/// let program = k.finish()?;
/// assert!(program.to_string().contains("high = max(high, A[b0 32@0, k 1@1, t 32:1@0] else -inf)"));
/// assert!(program.check()?.is_proved());
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    function: Function,
    neutral: f64,
}

impl Fold {
    /// The sum.
    pub const SUM: Fold = Fold { function: Function::Add, neutral: 0.0 };
    /// The product.
    pub const PRODUCT: Fold = Fold { function: Function::Mul, neutral: 1.0 };
    /// The largest, of floating-point numbers.
    pub const MAX: Fold = Fold { function: Function::Max, neutral: f64::NEG_INFINITY };
    /// The smallest, of floating-point numbers.
    pub const MIN: Fold = Fold { function: Function::Min, neutral: f64::INFINITY };

    /// What changes nothing.
    #[must_use]
    pub fn neutral(self) -> f64 {
        self.neutral
    }
}

/// A kernel that is being written: declarations and statements in the order of the calls.
#[derive(Debug)]
pub struct Kernel {
    program: Program,
    /// The statements of the innermost braces.
    body: Vec<Statement>,
    /// The loops around, by the places of their names.
    open: Vec<usize>,
    wrong: Option<Error>,
}

impl Kernel {
    /// A kernel without statements, of a number of threads a block.
    #[must_use]
    pub fn new(name: &str, threads: i64) -> Kernel {
        let program = Program::new(name, threads);
        let wrong = program.check_name(name).err();
        Kernel { program, body: Vec::new(), open: Vec::new(), wrong }
    }

    #[track_caller]
    fn record(&mut self, done: Result<(), Error>) {
        let line = Location::caller().line() as usize;
        self.wrong = self.wrong.take().or(done.err().map(|error| error.at(line)));
    }

    #[track_caller]
    fn declare<T: ElementType>(&mut self, name: &str, space: Space, layout: impl Display) -> Tensor<T> {
        let line = Location::caller().line() as usize;
        let done = self.program.declare(name, space, T::ELEMENT, &layout.to_string(), line);
        self.record(done);
        Tensor::new(self.program.tensors.len().saturating_sub(1))
    }

    /// A global tensor that is only read.
    #[track_caller]
    pub fn read<T: ElementType>(&mut self, name: &str, layout: impl Display) -> Tensor<T> {
        self.declare(name, Space::Read, layout)
    }

    /// A global tensor each element of which is written once.
    #[track_caller]
    pub fn write<T: ElementType>(&mut self, name: &str, layout: impl Display) -> Tensor<T> {
        self.declare(name, Space::Write, layout)
    }

    /// A global tensor each element of which one thread reads and writes.
    #[track_caller]
    pub fn update<T: ElementType>(&mut self, name: &str, layout: impl Display) -> Tensor<T> {
        self.declare(name, Space::Update, layout)
    }

    /// A tensor in the block's memory.
    #[track_caller]
    pub fn shared<T: ElementType>(&mut self, name: &str, layout: impl Display) -> Tensor<T> {
        self.declare(name, Space::Shared, layout)
    }

    /// A thread's own.
    #[track_caller]
    pub fn registers<T: ElementType>(&mut self, name: &str, layout: impl Display) -> Tensor<T> {
        self.declare(name, Space::Registers, layout)
    }

    /// A scalar argument.
    #[track_caller]
    pub fn scalar<T: ElementType>(&mut self, name: &str) -> Argument<T> {
        let done = self.program.add_scalar(name, T::ELEMENT);
        self.record(done);
        Argument { place: self.program.scalars.len().saturating_sub(1), of: PhantomData }
    }

    /// A size, for expressions.
    #[track_caller]
    pub fn size(&mut self, name: &str) -> Size {
        let known = self.program.scope.find(name).map(|_| ());
        self.record(known.ok_or_else(|| error!("{name} is no size of a tensor")));
        Size(name.into())
    }

    /// Facts of the sizes, such as `K % 4 == 0, K <= 1024`.
    #[track_caller]
    pub fn assume(&mut self, facts: &str) {
        let done = self.program.assume(facts);
        self.record(done);
    }

    /// The numbers of blocks along each axis, in the names of the tensors, and the coordinates of a block.
    #[track_caller]
    pub fn grid<const N: usize>(&mut self, counts: [&str; N]) -> [Index; N] {
        self.axes(&counts.map(ToString::to_string));
        core::array::from_fn(|axis| Index::of(form::Index::Block(axis)))
    }

    /// The same of some axes.
    #[track_caller]
    pub(crate) fn axes(&mut self, counts: &[String]) -> Vec<Index> {
        let done = counts.iter().try_for_each(|count| self.program.add_axis(count));
        self.record(done);
        (0..counts.len()).map(|axis| Index::of(form::Index::Block(axis))).collect()
    }

    #[track_caller]
    fn push(&mut self, kind: Result<Kind, Error>) {
        let line = Location::caller().line() as usize;
        match kind {
            Ok(kind) => self.body.push(Statement { line, kind }),
            Err(wrong) => self.record(Err(wrong)),
        }
    }

    /// `to = value(..)` for each value of each thread.
    #[track_caller]
    pub fn map<S: Sources, T: ElementType>(
        &mut self,
        from: S,
        to: impl Into<View<T>>,
        value: impl FnOnce(S::Values) -> Expr<T>,
    ) {
        let expr = from.trace(&self.program).map(|values| value(values).node());
        let to = to.into().place_in(&self.program, false);
        let kind = expr.and_then(|value| Ok(Kind::Each { to: to?, value, by: None }));
        self.push(kind);
    }

    /// `to = from`.
    #[track_caller]
    pub fn copy<T: ElementType>(&mut self, from: impl Into<View<T>>, to: impl Into<View<T>>) {
        self.map(from.into(), to, |value| value);
    }

    /// `to = number`.
    #[track_caller]
    pub fn fill<T: ElementType>(&mut self, to: impl Into<View<T>>, number: T) {
        self.fill_with(to.into(), number.value());
    }

    /// `to` is what changes nothing in a fold.
    #[track_caller]
    pub fn fill_neutral<T: ElementType>(&mut self, to: impl Into<View<T>>, fold: Fold) {
        self.fill_with(to.into(), fold.neutral);
    }

    #[track_caller]
    fn fill_with<T: ElementType>(&mut self, to: View<T>, number: f64) {
        let to = to.place_in(&self.program, false);
        self.push(to.map(|to| Kind::Each { to, value: program::Expr::Literal(number), by: None }));
    }

    /// `into = fold(into, from)`, where an element outside is the neutral one.
    #[track_caller]
    pub fn fold<T: ElementType>(&mut self, fold: Fold, from: impl Into<View<T>>, into: impl Into<View<T>>) {
        let (from, into) = (from.into().outside_or(fold.neutral), into.into());
        self.map((&into, &from), into.clone(), |(old, value)| old.call(fold.function, [value.node()]));
    }

    /// `for index in count { body }`.
    #[track_caller]
    pub fn repeat(&mut self, count: &str, body: impl FnOnce(&mut Kernel, Index)) {
        let steps = self.program.number(count).map(|count| (count, Form::default()));
        self.repeated(steps, body);
    }

    /// `for index in until { body }`, where the number of steps differs between blocks.
    ///
    /// ```
    /// use tilework_program::kernel::Kernel;
    /// let mut k = Kernel::new("sums", 32);
    /// let (a, y) = (k.read::<f32>("A", "M:1"), k.write::<f32>("y", "M:1"));
    /// let sum = k.registers::<f32>("sum", "1:1");
    /// let [row] = k.grid(["M"]);
    /// k.fill(sum, 0.0);
    /// k.repeat_until(row + 1, |k, step| k.map((sum, a.at(0, step)), sum, |(sum, x)| sum + x));
    /// k.copy(sum, y.at(0, row).threads("1:0"));
    /// let program = k.finish()?;
    /// assert!(program.to_string().contains("for k in (b0+1) {"), "{program}");
    /// assert!(program.check()?.is_proved());
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    #[track_caller]
    pub fn repeat_until(&mut self, until: impl Into<Index>, body: impl FnOnce(&mut Kernel, Index)) {
        let blocks = form(until, "the end of a loop");
        let steps = blocks.and_then(|blocks| Ok((self.program.most(&blocks)?, blocks)));
        self.repeated(steps, body);
    }

    #[track_caller]
    fn repeated(&mut self, steps: Result<(Number, Form), Error>, body: impl FnOnce(&mut Kernel, Index)) {
        let index = self.unused_loop();
        self.open.push(index);
        let body = self.braces(|k| body(k, Index::of(form::Index::Loop(index))));
        self.open.pop();
        let until = |own: Form| (!own.terms.is_empty()).then(|| Box::new(Until::new(index, own)));
        self.push(steps.map(|(count, blocks)| Kind::For { index, count, until: until(blocks), body }));
    }

    /// `when index < below { body }`.
    #[track_caller]
    pub fn when(&mut self, index: impl Into<Index>, below: &str, body: impl FnOnce(&mut Kernel)) {
        let below = self.program.number(below);
        let body = self.braces(body);
        let form = form(index, "the left side of `when`");
        self.push(form.and_then(|form| Ok(Kind::When { form, below: below?, body })));
    }

    /// The place of a name that no size, tensor or loop around has: `k`, `k1`, ..
    fn unused_loop(&mut self) -> usize {
        let mut name = "k".to_string();
        let mut count = 0;
        loop {
            let place = self.program.loops.iter().position(|own| *own == name);
            let is_open = place.is_some_and(|place| self.open.contains(&place));
            let is_tensor = self.program.tensors.iter().any(|tensor| tensor.name == name);
            if !is_open && !is_tensor && self.program.scope.find(&name).is_none() {
                return place.unwrap_or_else(|| {
                    self.program.loops.push(name);
                    self.program.loops.len() - 1
                });
            }
            count += 1;
            name = format!("k{count}");
        }
    }

    fn braces(&mut self, body: impl FnOnce(&mut Kernel)) -> Vec<Statement> {
        let outer = core::mem::take(&mut self.body);
        body(self);
        core::mem::replace(&mut self.body, outer)
    }

    /// All threads of the block arrive before one goes on.
    #[track_caller]
    pub fn barrier(&mut self) {
        self.push(Ok(Kind::Barrier));
    }

    /// Ends a group of asynchronous copies.
    #[track_caller]
    pub fn commit(&mut self) {
        self.push(Ok(Kind::Commit));
    }

    /// Waits until all groups but the last ones, of this number, are complete.
    #[track_caller]
    pub fn wait(&mut self, groups: usize) {
        self.push(Ok(Kind::Wait(groups)));
    }

    /// The program; without a grid it is one block.
    ///
    /// # Errors
    /// Of the first statement that is none: with its line in the source, the mode and the numbers.
    pub fn finish(self) -> Result<Program, Error> {
        let Kernel { mut program, body, wrong, .. } = self;
        wrong.map_or(Ok(()), Err)?;
        let is_taken =
            |name: &&String| program.check_name(name).is_err() || program.scope.find(name).is_some();
        if let Some(name) = program.loops.iter().find(is_taken) {
            return Err(error!("the name {name} is that of a loop's index: choose another one"));
        }
        program.body = body;
        if program.grid.is_empty() {
            program.add_axis("1")?;
        }
        verify(&program)?;
        Ok(program)
    }
}

/// A sum of an index of the builder.
fn form(index: impl Into<Index>, what: &str) -> Result<Form, Error> {
    let parts = index.into().parts().ok_or_else(|| error!("{what} is no digit of a loop or block"));
    parts.map(|(digit, constant)| Form { constant, terms: digit.map(|own| (1, own)).into_iter().collect() })
}
