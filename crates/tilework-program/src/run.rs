//! Execution on the host at sizes, by the meaning of the statements: block by block, and in a block statement by statement,
//! all threads in lockstep. What no order of threads would excuse is refused: races, elements read before they are
//! written, elements of the result written twice or never.

use crate::access::{Access, coordinates, list};
use crate::arithmetic::apply;
use crate::buffers::Buffers;
use crate::check::{Site, place_of, sites};
use crate::element::Element;
use crate::form::{Form, Indices};
use crate::instruction::Instruction;
use crate::machine::Shadow;
use crate::matrix::{Multiply, Rows};
use crate::prelude::*;
use crate::program::{Expr, Function, Kind, Program, Space, Statement, View};
use crate::sizes::{Addresses, Sizes};
use crate::verify::{Type, typed};
use core::cell::Cell;
use core::fmt;

/// The most elements that one run computes.
const MAX_WORK: u64 = 1 << 32;

/// What a run did.
///
/// ```
/// use tilework_program::{Buffers, Program};
/// let text = "kernel copy 32 threads, grid (ceil(M/32))\nread A f32 M:1\nwrite B f32 M:1\n\
///             B[b0 32@0, t 32:1@0] = A[b0 32@0, t 32:1@0] else 0\n";
/// let program: Program = text.parse()?;
/// let sizes = program.sizes(&[("M", 70)])?;
/// let mut buffers = Buffers::new(&program, &sizes)?;
/// buffers.fill("A", |at| at[0] as f64)?;
/// let counts = program.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("B", &[69]), Some(69.0));
/// assert_eq!((counts.blocks, counts.global_reads, counts.filled, counts.masked), (3, 70, 26, 26));
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The blocks.
    pub blocks: u64,
    /// The elements that were computed, by all statements.
    pub elements: u64,
    /// The elements of global tensors that were read.
    pub global_reads: u64,
    /// The elements of global tensors that were written.
    pub global_writes: u64,
    /// The elements outside of a tensor that were read as the value of `else`.
    pub filled: u64,
    /// The elements outside of a tensor that were not written.
    pub masked: u64,
    /// The elements of shared tensors that were read.
    pub shared_reads: u64,
    /// The elements of shared tensors that were written.
    pub shared_writes: u64,
    /// The barriers of all blocks.
    pub barriers: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            global_reads, filled, global_writes, masked, shared_reads, shared_writes, barriers, ..
        } = self;
        writeln!(
            f,
            "global: {global_reads} read, {filled} outside and filled; {global_writes} written, {masked} outside and masked"
        )?;
        write!(f, "shared: {shared_reads} read, {shared_writes} written; {barriers} barriers")
    }
}

impl Program {
    /// Executes the program.
    ///
    /// # Errors
    /// With the line, the element, the thread and the block: of a race, a value that was never written, an element of a
    /// `write` tensor that is written twice or never, an element outside of its tensor without `else`. Of sizes at which a number that
    /// the kernel computes has no 32 bits.
    pub fn run(&self, sizes: &Sizes, buffers: &mut Buffers) -> Result<Counts, Error> {
        self.check_narrow(sizes, &self.narrow()?)?;
        let counts = self.run_within(sizes, buffers, MAX_WORK)?;
        counts.ok_or_else(|| error!("more than {MAX_WORK} elements to compute: run smaller sizes"))
    }

    /// The same, or none where more elements than `limit` are computed.
    ///
    /// # Errors
    /// Those of [`Program::run`] that have a line.
    pub fn run_within(
        &self,
        sizes: &Sizes,
        buffers: &mut Buffers,
        limit: u64,
    ) -> Result<Option<Counts>, Error> {
        let grid = (0..self.grid.len()).map(|axis| self.axis(axis, sizes)).collect::<Result<Vec<_>, _>>()?;
        let mut run = Run::new(self, sizes, buffers)?;
        run.limit = limit;
        let body = run.compiled(&self.body)?;
        for block in coordinates(&grid).filter(|_| grid.iter().all(|axis| *axis > 0)) {
            block.iter().enumerate().for_each(|(axis, index)| run.indices.blocks[axis] = *index);
            run.counts.blocks += 1;
            run.counts.elements += 1;
            run.begin_block();
            if run.counts.elements > limit || !run.body(&body)? {
                return Ok(None);
            }
        }
        run.check_written()?;
        Ok(Some(run.counts))
    }
}

/// The memory of a tensor: that of a global one is in the buffers, and has who wrote each element; a register has none where nothing
/// was written.
enum Memory {
    Global { owners: Vec<u64> },
    Shared { elements: Vec<f64>, shadow: Shadow },
    Registers { elements: Vec<Option<f64>> },
}

struct Run<'a> {
    program: &'a Program,
    sizes: &'a Sizes,
    buffers: &'a mut Buffers,
    addresses: Vec<Addresses>,
    memories: Vec<Memory>,
    indices: Indices,
    counts: Counts,
    /// The most elements to compute.
    limit: u64,
    /// What is known of the statements: how many values of a view emitted text has in one access.
    sites: Vec<Site<'a>>,
}

/// What is computed, over the places of views in a statement.
enum Node {
    Read(usize),
    Coordinate(usize, usize),
    Value(f64),
    Call(Function, Type, Vec<Node>),
}

/// An `each` at sizes. The destination is the first view.
struct Each<'a> {
    views: Vec<Access<'a>>,
    /// The views that are read for the coordinates of each view, with the modes.
    gathers: Vec<Vec<(usize, usize)>>,
    /// The values of each view that one access has.
    widths: Vec<usize>,
    value: Node,
    element: Element,
    active: i64,
    values: i64,
    in_flight: bool,
    /// How lanes share what they read.
    rows: Option<Rows>,
}

/// Where an `each` is: what the block and the loops add to its views, and the element.
struct Now<'a> {
    each: &'a Each<'a>,
    starts: Vec<Vec<i64>>,
    element: usize,
    /// The address of the first element of the access of each view, if it is inside.
    firsts: Vec<Cell<Option<usize>>>,
}

impl Now<'_> {
    fn coordinate(&self, view: usize) -> impl Iterator<Item = i64> + Clone {
        self.each.views[view].coordinate(&self.starts[view], self.element)
    }
}

enum Step<'a> {
    Each(Each<'a>),
    Multiply(Multiply<'a>),
    For { index: usize, count: i64, body: Vec<(usize, Step<'a>)> },
    When { form: &'a Form, below: i64, body: Vec<(usize, Step<'a>)> },
    Barrier,
    Commit,
    Wait(usize),
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, sizes: &'a Sizes, buffers: &'a mut Buffers) -> Result<Run<'a>, Error> {
        let addresses: Vec<Addresses> =
            program.tensors.iter().map(|own| program.addresses(own, sizes)).collect::<Result<_, _>>()?;
        let memory = |(tensor, addresses): (&crate::program::Tensor, &Addresses)| match tensor.space {
            Space::Read | Space::Write | Space::Update => {
                Memory::Global { owners: vec![0; addresses.span as usize] }
            }
            Space::Shared => Memory::Shared {
                elements: vec![0.0; addresses.span as usize],
                shadow: Shadow::new(addresses.span as usize),
            },
            Space::Registers => {
                Memory::Registers { elements: vec![None; (addresses.span * program.threads) as usize] }
            }
        };
        let memories = program.tensors.iter().zip(&addresses).map(memory).collect();
        let indices = Indices { loops: vec![0; program.loops.len()], ..Indices::default() };
        let (counts, sites) = (Counts::default(), sites(program)?);
        Ok(Run { program, sizes, buffers, addresses, memories, indices, counts, limit: 0, sites })
    }

    fn compiled(&self, body: &'a [Statement]) -> Result<Vec<(usize, Step<'a>)>, Error> {
        let step = |statement: &'a Statement| -> Result<_, Error> {
            let step = match &statement.kind {
                Kind::Each { to, value, by: Some(Instruction::Multiply(atom)) } => {
                    Step::Multiply(Multiply::new(self.program, atom, to, value)?)
                }
                Kind::Each { to, value, by } => Step::Each(self.compiled_each(to, value, by.as_ref())?),
                Kind::For { index, count, until, body } => {
                    let (mut body, count) = (self.compiled(body)?, self.program.count(count, self.sizes)?);
                    if let Some(own) = until {
                        let step = Step::When { form: &own.left, below: own.blocks.constant, body };
                        body = vec![(statement.line, step)];
                    }
                    Step::For { index: *index, count, body }
                }
                Kind::When { form, below, body } => {
                    let below = self.program.count(below, self.sizes)?;
                    Step::When { form, below, body: self.compiled(body)? }
                }
                Kind::Barrier => Step::Barrier,
                Kind::Commit => Step::Commit,
                Kind::Wait(groups) => Step::Wait(*groups),
            };
            Ok((statement.line, step))
        };
        body.iter().map(|own| step(own).map_err(|error| error.at(own.line))).collect()
    }

    fn compiled_each(
        &self,
        to: &'a View,
        value: &'a Expr,
        by: Option<&Instruction>,
    ) -> Result<Each<'a>, Error> {
        let element = self.program.tensor(to).element;
        let mut each = Each {
            views: Vec::new(),
            gathers: Vec::new(),
            widths: Vec::new(),
            value: Node::Value(0.0),
            element,
            active: self.program.active(to, value),
            values: self.program.values(to, value),
            in_flight: by.is_some_and(Instruction::is_async),
            rows: by.and_then(|by| Rows::of(by, element)),
        };
        self.add_view(&mut each, to);
        each.value = self.node(&mut each, value, Some(Type::Element(element)))?;
        let site = place_of(&self.sites, to).map(|place| &self.sites[place]);
        let width = |own: &Access<'_>| {
            let seen = site.and_then(|site| site.seen(own.view));
            seen.map_or(1, |seen| seen.width.values as usize)
        };
        each.widths = each.views.iter().map(width).collect();
        Ok(each)
    }

    fn add_view(&self, each: &mut Each<'a>, view: &'a View) -> usize {
        let place = each.views.len();
        each.views.push(Access::new(self.program, view, each.active, each.values));
        each.gathers.push(Vec::new());
        for (inner, mode) in view.gathers() {
            let inner = self.add_view(each, inner);
            each.gathers[place].push((inner, mode));
        }
        place
    }

    fn node(&self, each: &mut Each<'a>, expr: &'a Expr, around: Option<Type>) -> Result<Node, Error> {
        Ok(match expr {
            Expr::View(view) => Node::Read(self.add_view(each, view)),
            Expr::Coordinate(view, mode) => Node::Coordinate(self.add_view(each, view), *mode),
            Expr::Literal(value) => Node::Value(*value),
            Expr::Size(name) => Node::Value(self.sizes.get(name).unwrap_or(0) as f64),
            Expr::Scalar(scalar) => Node::Value(self.buffers.scalars[*scalar]),
            Expr::Call(function, arguments) => {
                let (of, arguments) = typed(self.program, *function, arguments, around)?;
                let nodes = arguments.map(|(argument, around)| self.node(each, argument, around));
                Node::Call(*function, of, nodes.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Shared memory and registers as a block finds them.
    fn begin_block(&mut self) {
        for memory in &mut self.memories {
            match memory {
                Memory::Global { .. } => {}
                Memory::Shared { elements, shadow } => *shadow = Shadow::new(elements.len()),
                Memory::Registers { elements } => elements.fill(None),
            }
        }
    }

    /// Whether it came to the end within the limit.
    fn body(&mut self, body: &[(usize, Step<'a>)]) -> Result<bool, Error> {
        for (line, step) in body {
            let mut is_within = self.counts.elements < self.limit;
            self.counts.elements += 1;
            match step {
                Step::Each(each) if is_within => self.each(each).map_err(|error| error.at(*line))?,
                Step::Multiply(multiply) if is_within => {
                    self.multiply(multiply).map_err(|error| error.at(*line))?;
                }
                Step::Each(_) | Step::Multiply(_) => {}
                Step::For { index, count, body } => {
                    for k in 0..*count {
                        self.indices.loops[*index] = k;
                        is_within = is_within && self.body(body)?;
                        if !is_within {
                            break;
                        }
                    }
                }
                Step::When { form, below, body } => {
                    if form.at(&self.indices) < *below {
                        is_within = is_within && self.body(body)?;
                    }
                }
                Step::Barrier => {
                    self.counts.barriers += 1;
                    self.shadows().for_each(Shadow::barrier);
                }
                Step::Commit => self.shadows().for_each(Shadow::commit),
                Step::Wait(groups) => self.shadows().for_each(|shadow| shadow.wait(*groups)),
            }
            if !is_within {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn shadows(&mut self) -> impl Iterator<Item = &mut Shadow> {
        self.memories.iter_mut().filter_map(|memory| match memory {
            Memory::Shared { shadow, .. } => Some(shadow),
            _ => None,
        })
    }

    fn each(&mut self, each: &Each<'_>) -> Result<(), Error> {
        self.counts.elements += (each.active * each.values) as u64;
        let starts = each.views.iter().map(|view| view.start(&self.indices)).collect();
        let mut now = Now { each, starts, element: 0, firsts: vec![Cell::new(None); each.views.len()] };
        for thread in 0..each.active {
            self.indices.thread = thread;
            for _ in 0..each.values {
                let value = self.eval(&now, &each.value)?;
                self.write(&now, each.element.round(value))?;
                now.element += 1;
            }
        }
        Ok(())
    }

    /// The products of a warp are added to C exactly, and rounded once.
    fn multiply(&mut self, multiply: &Multiply<'_>) -> Result<(), Error> {
        let Multiply { atom, operands } = multiply;
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let warps = self.program.threads as usize / atom.threads.size() as usize;
        let element = self.program.tensors[operands[2].tensor].element;
        self.counts.elements +=
            self.program.threads as u64 * (operands[2].first.len() * operands[2].size) as u64;
        let mut matrices = [m * k, n * k, m * n].map(|size| vec![0.0; size]);
        for warp in 0..warps {
            for value in 0..operands[2].first.len() {
                for (own, matrix) in operands.iter().zip(&mut matrices) {
                    for (thread, at, place) in own.registers(warp, value) {
                        matrix[place] = self.register(own.tensor, thread, at)?;
                    }
                }
                let [a, b, c] = &mut matrices;
                for (place, sum) in c.iter_mut().enumerate() {
                    let (row, column) = (place % m, place / m);
                    let products = (0..k).map(|k| a[row + m * k] * b[column + n * k]);
                    *sum = element.round(*sum + products.sum::<f64>());
                }
                let target = operands[2].tensor;
                let span = self.addresses[target].span as usize;
                let Memory::Registers { elements } = &mut self.memories[target] else { continue };
                for (thread, at, place) in operands[2].registers(warp, value) {
                    elements[thread * span + at] = Some(matrices[2][place]);
                }
            }
        }
        Ok(())
    }

    fn register(&self, tensor: usize, thread: usize, at: usize) -> Result<f64, Error> {
        let Memory::Registers { elements } = &self.memories[tensor] else { return Ok(0.0) };
        let element = elements.get(thread * self.addresses[tensor].span as usize + at).copied().flatten();
        element.ok_or_else(|| {
            let name = &self.program.tensors[tensor].name;
            error!("{name}: register {at} of thread {thread} is read before anything was written to it")
        })
    }

    fn eval(&mut self, now: &Now<'_>, node: &Node) -> Result<f64, Error> {
        match node {
            Node::Read(view) => self.read(now, *view),
            Node::Coordinate(view, mode) => {
                Ok(now.coordinate(*view).nth(*mode).map_or(0.0, |at| f64::from(at as u32)))
            }
            Node::Value(value) => Ok(*value),
            Node::Call(function, of, arguments) => {
                let mut operands = [0.0; 3];
                for (operand, argument) in operands.iter_mut().zip(arguments) {
                    *operand = self.eval(now, argument)?;
                }
                let operands = &operands[..arguments.len()];
                apply(*function, *of, operands)
                    .ok_or_else(|| error!("{function:?} of {operands:?} has no value"))
            }
        }
    }

    /// The address of an element, or none outside of its tensor.
    fn address(&mut self, now: &Now<'_>, view: usize) -> Result<Option<usize>, Error> {
        let tensor = now.each.views[view].view.tensor;
        let gathers = &now.each.gathers[view];
        if !gathers.is_empty() {
            let mut coordinate: Vec<i64> = now.coordinate(view).collect();
            for (inner, mode) in gathers {
                coordinate[*mode] = coordinate[*mode].saturating_add(self.read(now, *inner)? as i64);
            }
            let address = self.addresses[tensor].of(coordinate);
            self.check_access(now, view, address)?;
            return Ok(address);
        }
        let address = self.addresses[tensor].of(now.coordinate(view));
        if address.is_none() && !self.program.tensors[tensor].space.is_global() {
            return Err(self.wrong(now, view, "is outside of its tensor"));
        }
        self.check_access(now, view, address)?;
        Ok(address)
    }

    /// Refuses an element that is not where the access of which it is a part has it.
    fn check_access(&self, now: &Now<'_>, view: usize, address: Option<usize>) -> Result<(), Error> {
        let (width, first) = (now.each.widths[view], &now.firsts[view]);
        let place = now.element % width;
        if place == 0 {
            first.set(address);
        }
        let is_aligned = first.get().is_none_or(|at| at % width == 0);
        match is_aligned && address == first.get().map(|at| at + place) {
            true => Ok(()),
            false => {
                let fault = format!("is not {place} elements behind a multiple of {width}, in one access");
                Err(self.wrong(now, view, &fault))
            }
        }
    }

    fn read(&mut self, now: &Now<'_>, view: usize) -> Result<f64, Error> {
        let own = now.each.views[view].view;
        let Some(at) = self.address(now, view)? else {
            self.counts.filled += 1;
            let missing = || self.wrong(now, view, "is outside of its tensor, and has no `else`");
            return own.outside.ok_or_else(missing);
        };
        let (thread, owner, me) = (self.indices.thread, self.owner(), own.tensor);
        let found = match &mut self.memories[me] {
            Memory::Global { owners } => {
                self.counts.global_reads += 1;
                let value = self.buffers.tensors[me].as_ref().map_or(0.0, |buffer| buffer.elements[at]);
                if self.program.tensors[me].space != Space::Update {
                    Ok(value)
                } else if [0, owner].contains(&owners[at]) {
                    owners[at] = owner;
                    Ok(value)
                } else {
                    Err("is read, and another thread has it".to_string())
                }
            }
            Memory::Shared { elements, shadow } => {
                self.counts.shared_reads += 1;
                let reader = now
                    .each
                    .rows
                    .as_ref()
                    .map_or(thread as usize, |rows| rows.reader(now.element, now.each.values as usize).0);
                shadow.read(at, reader as u16).map(|()| elements[at]).map_err(|fault| fault.to_string())
            }
            Memory::Registers { elements } => {
                let span = self.addresses[me].span;
                let element = elements[(thread * span) as usize + at];
                element.ok_or_else(|| "is read before anything was written to it".to_string())
            }
        };
        found.map_err(|fault| self.wrong(now, view, &fault))
    }

    /// Writes an element of the destination.
    fn write(&mut self, now: &Now<'_>, value: f64) -> Result<(), Error> {
        let Some(at) = self.address(now, 0)? else {
            self.counts.masked += 1;
            return Ok(());
        };
        let (thread, owner, me) = (self.indices.thread, self.owner(), now.each.views[0].view.tensor);
        let done = match &mut self.memories[me] {
            Memory::Global { owners } => {
                self.counts.global_writes += 1;
                let known = core::mem::replace(&mut owners[at], owner);
                if let Some(buffer) = &mut self.buffers.tensors[me] {
                    buffer.elements[at] = value;
                }
                if known == 0 || self.program.tensors[me].space == Space::Update && known == owner {
                    Ok(())
                } else {
                    let (block, thread) = ((known - 1) / self.threads(), (known - 1) % self.threads());
                    let (own, addresses) = (now.coordinate(0).collect::<Vec<_>>(), &self.addresses[me]);
                    let other = coordinates(&addresses.extents)
                        .find(|other| *other != own && addresses.of(other.iter().copied()) == Some(at));
                    Err(match other {
                        None => format!("is written twice: thread {thread} of block {block} has it"),
                        Some(other) => {
                            let other = list(other.into_iter());
                            let name = &self.program.tensors[me].name;
                            format!(
                                "is written to the place that {name}({other}) has too, by thread {thread} of block {block}"
                            )
                        }
                    })
                }
            }
            Memory::Shared { elements, shadow } => {
                self.counts.shared_writes += 1;
                elements[at] = value;
                let thread = thread as u16;
                let done =
                    if now.each.in_flight { shadow.copy(at, thread) } else { shadow.write(at, thread) };
                done.map_err(|fault| fault.to_string())
            }
            Memory::Registers { elements } => {
                elements[(thread * self.addresses[me].span) as usize + at] = Some(value);
                Ok(())
            }
        };
        done.map_err(|fault| self.wrong(now, 0, &fault))
    }

    fn threads(&self) -> u64 {
        self.program.threads as u64
    }

    /// This thread among those of all blocks, from 1.
    fn owner(&self) -> u64 {
        (self.counts.blocks - 1) * self.threads() + self.indices.thread as u64 + 1
    }

    /// What is wrong with an element here.
    fn wrong(&self, now: &Now<'_>, view: usize, fault: &str) -> Error {
        let access = &now.each.views[view];
        let (text, name) = (self.program.view_text(access.view), &self.program.tensor(access.view).name);
        let coordinate = list(now.coordinate(view));
        let block = list(self.indices.blocks[..self.program.grid.len()].iter().copied());
        let thread = self.indices.thread;
        let step = access.step_text(self.program, &self.indices);
        error!("{text}: {name}({coordinate}) {fault}; thread {thread} of block ({block}){step}")
    }

    /// Refuses an element of a result that was never written.
    fn check_written(&self) -> Result<(), Error> {
        for (tensor, (memory, addresses)) in
            self.program.tensors.iter().zip(self.memories.iter().zip(&self.addresses))
        {
            let (Space::Write, Memory::Global { owners }) = (tensor.space, memory) else { continue };
            let missing = coordinates(&addresses.extents)
                .find(|at| addresses.of(at.iter().copied()).is_some_and(|at| owners[at] == 0));
            if let Some(missing) = missing {
                let missing = list(missing.into_iter());
                return Err(error!("{}({missing}) is never written", tensor.name));
            }
        }
        Ok(())
    }
}
