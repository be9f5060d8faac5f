//! The text of a kernel.

use super::address::{self, Change, plus};
use super::dialect::{self, Target, identifier};
use super::names::Names;
use crate::access::Access;
use crate::check::{Refusal, Seen, Site, place_of, refusal, sites};
use crate::element::Element;
use crate::form::{Digit, Form, Index};
use crate::instruction::{Instruction, copied_bytes};
use crate::matrix::{Multiply, Rows, packing};
use crate::prelude::*;
use crate::program::{Expr, Kind, Program, Space, Statement, Storage, Tensor, View};
use crate::sizes::Addresses;
use crate::verify::{Type, typed};
use alloc::collections::BTreeMap;
use tilework_hardware::atom::{CopyAtom, MmaAtom};
use tilework_symbolic::{Number, SymbolicLeaf};

/// The most bytes of shared memory that a CUDA kernel may declare.
const MAX_SHARED: i64 = 49_152;

/// The spaces of global memory.
const GLOBAL: &[Space] = &[Space::Read, Space::Write, Space::Update];

pub struct Writer<'a> {
    program: &'a Program,
    target: Target,
    names: Names,
    /// The loops around this place, with the names of their indices.
    loops: Vec<(usize, String)>,
    /// What is known of the statements, and which one is written.
    sites: Vec<Site<'a>>,
    site: usize,
    /// How the addresses of each view in shared memory change with the value, by its text.
    changes: BTreeMap<String, Option<Vec<Change>>>,
    /// How many elements are in one register, by tensor.
    packing: Vec<usize>,
    /// By the text of a view of this statement: the name of the elements that were read, and the first of their values.
    vectors: BTreeMap<String, (String, i64)>,
}

/// A view at this place: an address, a pointer to it, and the condition under which it is inside.
struct Place {
    address: String,
    pointer: String,
    inside: Option<String>,
}

/// An address of the block: what is known at a depth, what a loop adds to it at another one, and a constant.
struct Local {
    base: (usize, String),
    stage: (usize, String),
    add: i64,
}

/// In brackets if it is an operation.
fn operand(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_string() }
}

impl<'a> Writer<'a> {
    pub fn new(program: &'a Program, target: Target) -> Result<Writer<'a>, Error> {
        let taken = program.tensors.iter().map(|tensor| identifier(&tensor.name));
        let taken = taken.chain(program.loops.iter().map(|name| identifier(name))).collect();
        let declarations = match target {
            Target::Wgsl => ["let", "let", "var"],
            Target::Cuda => ["const unsigned", "const bool", "unsigned"],
        };
        let names = Names::new(declarations, taken);
        let packing = match target {
            Target::Wgsl => vec![1; program.tensors.len()],
            Target::Cuda => packing(program),
        };
        let (sites, loops, changes, vectors) =
            (sites(program)?, Vec::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Writer { program, target, names, loops, sites, site: 0, changes, packing, vectors })
    }

    /// The whole text.
    pub fn kernel(mut self) -> Result<String, Error> {
        self.body(&self.program.body)?;
        let head = match self.target {
            Target::Wgsl => self.wgsl_head()?,
            Target::Cuda => self.cuda_head()?,
        };
        Ok(format!("{}{head}{}}}\n", self.comment()?, self.names.finish()))
    }

    /// What the launch has to know.
    fn comment(&self) -> Result<String, Error> {
        let program = self.program;
        let axes: Vec<String> = program.grid.iter().map(|axis| program.scope.number_text(axis)).collect();
        let (name, axes) = (&program.name, axes.join(", "));
        let conditions = program.condition_text(&program.conditions()?);
        let needs = program.needs()?;
        Ok(format!("// {name}: blocks ({axes}). Launch if {conditions}.\n// {needs}.\n"))
    }

    /// The members of `sizes`: names and scalars, with their types.
    fn sizes(&self) -> Result<Vec<(String, &'static str)>, Error> {
        let members = self.program.members().into_iter();
        members.map(|own| Ok((own.name, self.target.type_name(own.element)?))).collect()
    }

    /// The tensors of a space or of several: their names, types, and elements where they are not global.
    fn declared(&self, spaces: &[Space]) -> Result<Vec<(&'a Tensor, String, &'static str, i64)>, Error> {
        let own = self.program.tensors.iter().filter(|tensor| spaces.contains(&tensor.space));
        let declared = |tensor: &'a Tensor| {
            let span = tensor.local_addresses()?.map_or(0, |own| own.span);
            Ok((tensor, identifier(&tensor.name), self.target.type_name(tensor.element)?, span))
        };
        own.map(declared).collect()
    }

    /// The block's place in the grid, and the registers, as variables.
    fn variables(&self, block: &str) -> Result<String, Error> {
        let number = if self.target == Target::Wgsl { "let" } else { "const unsigned" };
        let axes = (0..self.program.grid.len()).zip(["x", "y", "z"]);
        let mut text: String =
            axes.map(|(axis, component)| format!("    {number} b{axis} = {block}.{component};\n")).collect();
        let packing = self.program.tensors.iter().zip(&self.packing);
        let packing =
            packing.filter(|(tensor, _)| tensor.space == Space::Registers).map(|(_, packed)| *packed);
        for ((_, name, of, span), packed) in self.declared(&[Space::Registers])?.into_iter().zip(packing) {
            let of = if packed > 1 { "unsigned" } else { of };
            let all: Vec<String> =
                (0..(span as usize).div_ceil(packed)).map(|at| format!("{name}_{at}")).collect();
            match self.target {
                Target::Cuda => text += &format!("    {of} {};\n", all.join(", ")),
                Target::Wgsl => text.extend(all.iter().map(|own| format!("    var {own}: {of};\n"))),
            }
        }
        Ok(text)
    }

    fn wgsl_head(&self) -> Result<String, Error> {
        let program = self.program;
        let mut head = String::new();
        if program.has(Element::F16, &self.sites) {
            head += "enable f16;\n";
        }
        let sizes = self.sizes()?;
        if !sizes.is_empty() {
            head += "\nstruct Sizes {\n";
            sizes.iter().for_each(|(name, of)| head += &format!("    {name}: {of},\n"));
            head += "}\n\n@group(0) @binding(0) var<uniform> sizes: Sizes;\n";
        }
        let mut binding = 1;
        for (tensor, name, of, span) in self.declared(&[GLOBAL, &[Space::Shared]].concat())? {
            if tensor.space == Space::Shared {
                head += &format!("var<workgroup> {name}: array<{of}, {span}>;\n");
                continue;
            }
            let access = if tensor.space == Space::Read { "read" } else { "read_write" };
            head += &format!("@group(0) @binding({binding}) var<storage, {access}> {name}: array<{of}>;\n");
            binding += 1;
        }
        head +=
            &format!("\n@compute @workgroup_size({})\nfn {}(\n", program.threads, identifier(&program.name));
        head += "    @builtin(workgroup_id) block: vec3<u32>,\n    @builtin(local_invocation_index) t: u32,\n) {\n";
        Ok(head + &self.variables("block")?)
    }

    fn cuda_head(&self) -> Result<String, Error> {
        let program = self.program;
        let bytes = program.needs()?.shared_bytes;
        if bytes > MAX_SHARED {
            return Err(error!(
                "{bytes} bytes of shared memory, and a CUDA kernel declares at most {MAX_SHARED}: take smaller tiles"
            ));
        }
        let mut head = String::new();
        for (element, header) in [(Element::F16, "cuda_fp16.h"), (Element::Bf16, "cuda_bf16.h")] {
            if program.has(element, &self.sites) {
                head += &format!("#include <{header}>\n");
            }
        }
        let (name, sizes) = (identifier(&program.name), self.sizes()?);
        let mut parameters = Vec::new();
        for (tensor, name, of, _) in self.declared(GLOBAL)? {
            let constant = if tensor.space == Space::Read { "const " } else { "" };
            parameters.push(format!("{constant}{of}* __restrict__ {name}"));
        }
        if !sizes.is_empty() {
            head += &format!("\nstruct {name}_sizes {{\n");
            sizes.iter().for_each(|(name, of)| head += &format!("    {of} {name};\n"));
            head += "};\n";
            parameters.push(format!("const {name}_sizes sizes"));
        }
        // Products of matrices are worth the registers of few blocks: with one block asked for, what is named before the loop
        // is kept, and not computed again in each step. Other programs wait for memory, and need many blocks.
        let is_product = self.packing.iter().any(|packed| *packed > 1);
        let bounds = format!("{}{}", program.threads, if is_product { ", 1" } else { "" });
        head += &format!("\nextern \"C\" __global__ void __launch_bounds__({bounds})\n");
        head += &format!("{name}({})\n{{\n", parameters.join(", "));
        for (_, name, of, span) in self.declared(&[Space::Shared])? {
            head += &format!("    __shared__ __align__(1024) {of} {name}[{span}];\n");
        }
        head += "    const unsigned t = threadIdx.x;\n";
        Ok(head + &self.variables("blockIdx")?)
    }

    fn body(&mut self, body: &'a [Statement]) -> Result<(), Error> {
        body.iter()
            .try_for_each(|statement| self.statement(statement).map_err(|error| error.at(statement.line)))
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), Error> {
        match &statement.kind {
            Kind::Each { to, value, by } => {
                self.site = place_of(&self.sites, to).unwrap_or(self.site);
                let text = self.program.statement_text(&statement.kind);
                self.names.line(&format!("// {text}"));
                let active = self.program.active(to, value);
                if active < self.program.threads {
                    self.names.open(&format!("if (t < {active}u) {{"));
                }
                match (by, value, self.target) {
                    (Some(Instruction::AsyncCopy(atom)), Expr::View(from), Target::Cuda) => {
                        self.async_copy(to, from, atom)?;
                    }
                    (Some(Instruction::LoadMatrix(atom)), Expr::View(from), Target::Cuda) => {
                        self.load_matrix(to, from, atom)?;
                    }
                    (Some(Instruction::Multiply(atom)), ..) if atom.instruction == "mma.sync" => {
                        self.multiply(to, value, atom)?;
                    }
                    _ => self.each(to, value)?,
                }
                if active < self.program.threads {
                    self.names.close();
                }
            }
            Kind::For { index, count, until, body } => {
                let name = identifier(&self.program.loops[*index]);
                let count = match until {
                    None => self.number(count)?,
                    Some(own) => {
                        let (_, base) = address::base(self.program, &mut self.names, &[], &own.blocks);
                        plus(&base, own.blocks.constant)
                    }
                };
                let count = self.names.number(0, count);
                let variable = if self.target == Target::Wgsl { "var" } else { "unsigned" };
                let text = format!("for ({variable} {name} = 0u; {name} < {count}; {name}++) {{");
                self.names.open_loop();
                self.loops.push((*index, name));
                self.body(body)?;
                self.loops.pop();
                let target = self.target;
                self.names.close_loop(&text, |ring, last| match target {
                    Target::Wgsl => format!("select({ring} + 1u, 0u, {ring} == {last}u)"),
                    Target::Cuda => format!("{ring} == {last}u ? 0u : {ring} + 1u"),
                });
            }
            Kind::When { form, below, body } => {
                let (_, base) = address::base(self.program, &mut self.names, &self.loops, form);
                let (left, right) = (plus(&base, form.constant), self.number(below)?);
                let right = self.names.number(0, right);
                self.names.open(&format!("if ({left} < {right}) {{"));
                self.body(body)?;
                self.names.close();
            }
            Kind::Barrier => self.names.line(match self.target {
                Target::Wgsl => "workgroupBarrier();",
                Target::Cuda => "__syncthreads();",
            }),
            // A copy that is complete at once is complete in time.
            Kind::Commit | Kind::Wait(_) if self.target == Target::Wgsl => {}
            Kind::Commit => self.names.line("asm volatile(\"cp.async.commit_group;\" ::: \"memory\");"),
            Kind::Wait(groups) => {
                self.names.line(&format!("asm volatile(\"cp.async.wait_group {groups};\" ::: \"memory\");"));
            }
        }
        Ok(())
    }

    /// A number of the program, whose names are members of `sizes`.
    fn number(&self, number: &Number) -> Result<String, Error> {
        match number.as_integer() {
            Some(value) => Ok(format!("{value}u")),
            None => Ok(self.program.scope.number_expression(number, self.target.language(), "sizes.")?),
        }
    }

    /// The same as a factor.
    fn factor(&self, number: &Number) -> Result<String, Error> {
        let text = self.number(number)?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        Ok(if text.chars().all(is_word) { text } else { format!("({text})") })
    }

    fn each(&mut self, to: &View, value: &Expr) -> Result<(), Error> {
        let element = self.program.tensor(to).element;
        let (width, mut texts) = (self.width(to), Vec::new());
        self.vectors.clear();
        for v in 0..self.program.values(to, value) {
            let first = v - v % width;
            // What is copied as it is needs no names for the elements.
            let copied = match value {
                Expr::View(from) if width > 1 && self.width(from) == width => Some(from),
                _ => None,
            };
            if copied.is_none() {
                texts.push(match value {
                    // An element is written as it is.
                    Expr::View(from) => self.read(from, v, |_, _, text| text)?,
                    _ => {
                        let text = self.expression(value, v, Some(Type::Element(element)))?;
                        self.target.stored(element, text)
                    }
                });
            }
            if v + 1 < first + width {
                continue;
            }
            let text = match (copied, &texts[..]) {
                (Some(from), _) => self.vector(from, first)?,
                (None, [one]) => one.clone(),
                (None, all) => dialect::vector(element, all),
            };
            texts.clear();
            let Place { address, inside, .. } = self.place(to, first)?;
            let line = match width {
                1 => self.assignment(to, &address, &text),
                _ => format!(
                    "*({}*)&{} = {text};",
                    dialect::vector_type(element, width),
                    self.element(to, &address)
                ),
            };
            self.names.line(&match (inside, self.target) {
                (None, _) => line,
                (Some(inside), Target::Cuda) => format!("if ({inside}) {line}"),
                (Some(inside), Target::Wgsl) => format!("if ({inside}) {{ {line} }}"),
            });
        }
        Ok(())
    }

    /// What is known of a view of this statement.
    fn seen(&self, view: &View) -> Option<&Seen<'a>> {
        self.sites.get(self.site)?.seen(view)
    }

    /// The values of a view of this statement that one access has.
    fn width(&self, view: &View) -> i64 {
        match self.target {
            // There is no access to several elements of an array of numbers.
            Target::Wgsl => 1,
            Target::Cuda => self.seen(view).map_or(1, |seen| seen.width.values),
        }
    }

    /// The elements of a view from a value on that one access has.
    fn vector(&mut self, view: &View, first: i64) -> Result<String, Error> {
        let (element, width) = (self.program.tensor(view).element, self.width(view));
        let Place { address, inside, .. } = self.place(view, first)?;
        let (of, name) = (dialect::vector_type(element, width), self.element(view, &address));
        let text = format!("*(const {of}*)&{name}");
        Ok(inside.map_or(text.clone(), |inside| {
            let fill = dialect::filled(element, view.outside.unwrap_or(0.0), width);
            format!("({inside} ? {text} : {fill})")
        }))
    }

    /// An element of a tensor: registers are variables, and several small elements are in one.
    fn element(&self, view: &View, address: &str) -> String {
        let tensor = self.program.tensor(view);
        let name = identifier(&tensor.name);
        match (tensor.space, self.word(view, address)) {
            (_, Some((word, shift))) => self.target.part(tensor.element, &word, shift),
            (Space::Registers, None) => format!("{name}_{address}"),
            _ => format!("{name}[{address}]"),
        }
    }

    fn assignment(&self, to: &View, address: &str, text: &str) -> String {
        let Some((word, shift)) = self.word(to, address) else {
            return format!("{} = {text};", self.element(to, address));
        };
        let element = self.program.tensor(to).element;
        let mask = !(((1u32 << (8 * element.bytes())) - 1) << shift);
        format!("{word} = ({word} & {mask}u) | ({} << {shift}u);", self.target.bits(element, text))
    }

    /// The variable that an element of a packed tensor is a part of, and its lowest bit there.
    fn word(&self, view: &View, address: &str) -> Option<(String, usize)> {
        let (packed, at) = (self.packing[view.tensor], address.parse::<usize>().ok()?);
        let bits = 32 / packed;
        (packed > 1).then(|| (self.register(view.tensor, at), at % packed * bits))
    }

    /// The variable of a register.
    fn register(&self, tensor: usize, at: usize) -> String {
        format!("{}_{}", identifier(&self.program.tensors[tensor].name), at / self.packing[tensor])
    }

    /// The address of an element of a shared tensor in bytes, for instructions.
    fn shared(&mut self, view: &View, v: i64) -> Result<String, Error> {
        let tensor = self.program.tensor(view);
        let start = format!("(unsigned)__cvta_generic_to_shared({})", identifier(&tensor.name));
        let start = self.names.number(0, start);
        let bytes = tensor.element.bytes();
        let Local { base: (depth, base), stage: (step, stage), add } = self.local(view, v)?;
        // What does not change with the step is named before the loop.
        let base = match &*base {
            "0u" => start,
            _ => self.names.number(depth, format!("{start} + {bytes}u * {}", operand(&base))),
        };
        let whole = match &*stage {
            "0u" => base,
            _ => self.names.number(depth.max(step), format!("{base} + {bytes}u * {stage}")),
        };
        Ok(plus(&whole, add * bytes))
    }

    /// An expression at a value of the thread, with the type that literals in it have; in brackets if it is an operation.
    fn expression(&mut self, expr: &Expr, v: i64, of: Option<Type>) -> Result<String, Error> {
        let literal = |value: f64| match of {
            Some(Type::Element(element)) => self.target.literal(value, element),
            _ => format!("{value}"),
        };
        Ok(match expr {
            Expr::View(view) => self.read(view, v, Target::loaded)?,
            Expr::Coordinate(view, mode) => {
                let form = self.program.form(view, *mode);
                let (_, base) = address::base(self.program, &mut self.names, &self.loops, &form);
                let text = plus(&base, form.of_value(v));
                if text == base { text } else { format!("({text})") }
            }
            Expr::Literal(value) => literal(*value),
            Expr::Size(name) => format!("sizes.{name}"),
            Expr::Scalar(scalar) => {
                let scalar = &self.program.scalars[*scalar];
                self.target.loaded(scalar.element, format!("sizes.{}", scalar.name))
            }
            Expr::Call(function, arguments) => {
                let (own, arguments) = typed(self.program, *function, arguments, of)?;
                let mut texts = Vec::new();
                for (argument, around) in arguments {
                    let text = self.expression(argument, v, around)?;
                    let is_infix = matches!(argument, Expr::Call(inner, _)
                        if matches!(inner.written(), crate::program::Written::Infix(..)));
                    texts.push(if is_infix { format!("({text})") } else { text });
                }
                self.target.call(*function, own, &texts)?
            }
        })
    }

    /// An element, with what is done to one that is inside.
    fn read(
        &mut self,
        view: &View,
        v: i64,
        loaded: impl Fn(Target, Element, String) -> String,
    ) -> Result<String, Error> {
        let tensor = self.program.tensor(view);
        let width = self.width(view);
        if width > 1 {
            let (text, first) = (self.program.view_text(view), v - v % width);
            let name = match self.vectors.get(&text) {
                Some((name, own)) if *own == first => name.clone(),
                _ => {
                    let (elements, name) = (self.vector(view, first)?, self.names.vector());
                    let of = dialect::vector_type(tensor.element, width);
                    self.names.line(&format!("const {of} {name} = {elements};"));
                    self.vectors.insert(text, (name.clone(), first));
                    name
                }
            };
            let part = self.target.of_vector(tensor.element, &name, width, v % width);
            return Ok(loaded(self.target, tensor.element, part));
        }
        let Place { address, inside, .. } = self.place(view, v)?;
        let text = loaded(self.target, tensor.element, self.element(view, &address));
        let fill = self.target.literal(view.outside.unwrap_or(0.0), tensor.element);
        Ok(match (inside, self.target) {
            (None, _) => text,
            (Some(inside), Target::Cuda) => format!("({inside} ? {text} : {fill})"),
            (Some(inside), Target::Wgsl) => format!("select({fill}, {text}, {inside})"),
        })
    }

    /// Where a view is at a value of the thread.
    fn place(&mut self, view: &View, v: i64) -> Result<Place, Error> {
        let program = self.program;
        let tensor = program.tensor(view);
        let Storage::Global(layout) = &tensor.storage else {
            let address = self.element_number(view, v)?;
            return Ok(Place { pointer: String::new(), address, inside: None });
        };
        let (mut address, mut more, mut conditions, mut depth) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut is_forward = true;
        for (mode, form) in program.forms(view).iter().enumerate() {
            let (mut level, mut base) = address::base(program, &mut self.names, &self.loops, form);
            let mut add = form.of_value(v);
            is_forward &= add >= 0 && form.terms.iter().all(|(step, digit)| *step >= 0 && digit.add >= 0);
            if let Some((inner, _)) = view.gathers().find(|(_, own)| *own == mode) {
                let read = self.read(inner, v, Target::loaded)?;
                level = self.names.depth();
                // The launch conditions leave as much to what is added.
                if *form != Form::default() {
                    conditions.push(self.names.condition(level, format!("{read} < 2147483648u")));
                }
                base = self.names.number(level, format!("{} + {read}", plus(&base, add)));
                add = 0;
            }
            depth = depth.max(level);
            let leaves = layout.as_tuple().mode(mode)?;
            let leaves = leaves.leaves();
            let known = plus(&base, add);
            if self.seen(view).is_some_and(|seen| seen.bounds[mode].is_needed) {
                let extent = self.number(&tensor.extent(&program.scope, mode)?)?;
                conditions.push(self.names.condition(level, format!("{known} < {extent}")));
            }
            if let [SymbolicLeaf { stride, .. }] = leaves {
                let stride = self.factor(stride)?;
                let scaled = |text: &str, stride: &str| match (text, stride) {
                    ("0u", _) | (_, "0u") => None,
                    (_, "1u") => Some(text.to_string()),
                    ("1u", _) => Some(stride.to_string()),
                    _ => Some(format!("{text} * {stride}")),
                };
                address.extend(scaled(&base, &stride));
                more.extend(scaled(&plus("0u", add.max(0)), &stride).map(|text| (false, text)));
                more.extend(scaled(&plus("0u", (-add).max(0)), &stride).map(|text| (true, text)));
            } else {
                let factors =
                    leaves.iter().map(|leaf| Ok((self.factor(&leaf.extent)?, self.factor(&leaf.stride)?)));
                let factors = factors.collect::<Result<Vec<_>, Error>>()?;
                address.extend(self.decoded(level, known, &factors));
            }
        }
        let base = if address.is_empty() { "0u".to_string() } else { address.join(" + ") };
        let base = self.names.number(depth, base);
        let (name, mut text) = (identifier(&tensor.name), base.clone());
        let mut pointer = format!("&{name}[{base}]");
        for (negative, add) in more {
            pointer += &format!(" + {add}");
            text = match text == "0u" && !negative {
                true => add,
                false => format!("{text} {} {add}", if negative { "-" } else { "+" }),
            };
        }
        let inside = match &conditions[..] {
            [] => None,
            [one] => Some(one.clone()),
            all => Some(self.names.condition(depth, all.join(" && "))),
        };
        // Where nothing is subtracted no part of an address inside wraps, and a pointer advances by parts.
        let pointer = if is_forward { pointer } else { format!("&{name}[{text}]") };
        Ok(Place { address: text, pointer, inside })
    }

    /// The parts of an address that the digits of a coordinate add, by extents and strides.
    fn decoded(&mut self, depth: usize, coordinate: String, leaves: &[(String, String)]) -> Vec<String> {
        let (mut parts, mut rest) = (Vec::new(), self.names.number(depth, coordinate));
        for (place, (extent, stride)) in leaves.iter().enumerate() {
            let is_last = place + 1 == leaves.len();
            let digit = if is_last { rest.clone() } else { format!("({rest} % {extent})") };
            parts.push(format!("{digit} * {stride}"));
            rest = self.names.number(depth, format!("{rest} / {extent}"));
        }
        parts
    }

    /// The number of an element in shared memory, or of a register.
    fn element_number(&mut self, view: &View, v: i64) -> Result<String, Error> {
        let Local { base: (depth, base), stage: (step, stage), add } = self.local(view, v)?;
        let base = if stage != "0u" || add != 0 { operand(&base) } else { base };
        let whole = match &*stage {
            "0u" => base,
            _ => self.names.number(depth.max(step), format!("{base} + {stage}")),
        };
        Ok(plus(&whole, add))
    }

    /// The parts of the address in shared memory, or the number of a register.
    fn local(&mut self, view: &View, v: i64) -> Result<Local, Error> {
        let alone = |depth, base| Local { base: (depth, base), stage: (0, "0u".to_string()), add: 0 };
        let program = self.program;
        let tensor = program.tensor(view);
        let Storage::Local(layout) = &tensor.storage else { return Err(Error::new("no local tensor")) };
        let addresses = Addresses::new(layout)?;
        let forms = program.forms(view);
        if tensor.space == Space::Registers {
            let at = addresses.of(forms.iter().map(|form| form.of_value(v)));
            return Ok(alone(0, at.unwrap_or(0).to_string()));
        }
        // Each mode with one leaf adds its digits; another one is decoded.
        let (mut terms, mut is_sum) = (Vec::new(), true);
        for (form, leaves) in forms.iter().zip(&addresses.modes) {
            let [(_, stride)] = leaves[..] else {
                is_sum = false;
                continue;
            };
            terms.extend(form.terms.iter().map(|(step, digit)| (step * stride, *digit)));
        }
        if is_sum && let Some(change) = self.change(view, &addresses, v) {
            // What is a multiple of the swizzle's period is added behind it.
            let is_behind = |(step, digit): &(i64, Digit)| {
                step % addresses.period() == 0 && matches!(digit.index, Index::Loop(_))
            };
            let is_swizzled = matches!(**layout, tilework::AnyLayout::Swizzled(_));
            let (behind, own) = terms.into_iter().partition(|term| is_swizzled && is_behind(term));
            let mut part =
                |terms| address::base(program, &mut self.names, &self.loops, &Form { constant: 0, terms });
            let ((depth, base), stage) = (part(own), part(behind));
            let base = self.names.number(depth, address::swizzled(layout, &base));
            let base = match change.flipped {
                0 => base,
                bits => format!("{base} ^ {bits}u"),
            };
            return Ok(Local { base: (depth, base), stage, add: change.add });
        }
        let (mut parts, mut depth) = (Vec::new(), 0);
        for (form, leaves) in forms.iter().zip(&addresses.modes) {
            let (level, base) = address::base(program, &mut self.names, &self.loops, form);
            depth = depth.max(level);
            let leaves = leaves.iter().map(|(extent, stride)| (format!("{extent}u"), format!("{stride}u")));
            parts.extend(self.decoded(level, plus(&base, form.of_value(v)), &leaves.collect::<Vec<_>>()));
        }
        let text = self.names.number(depth, parts.join(" + "));
        Ok(alone(depth, self.names.number(depth, address::swizzled(layout, &text))))
    }

    /// How the address of a value differs from that of the first one, where it does so in all threads alike.
    fn change(&mut self, view: &View, addresses: &Addresses, v: i64) -> Option<Change> {
        let program = self.program;
        let changes = self.changes.entry(program.view_text(view)).or_insert_with(|| {
            let active = view.split(Index::Thread).unwrap_or(program.threads);
            let values = view.split(Index::Value).unwrap_or(1);
            let access = Access::new(program, view, active, values);
            address::changes(program, addresses, &access, active, values)
        });
        // A view without values is the same for all of them.
        changes.as_ref()?.get(v as usize).or(changes.as_ref()?.first()).copied()
    }

    /// Matrices from shared memory to registers.
    fn load_matrix(&mut self, to: &View, from: &View, atom: &CopyAtom) -> Result<(), Error> {
        let program = self.program;
        let rows = Rows::new(atom, program.tensor(from).element.bytes())?;
        let lines = rows.addresses(program, from)?;
        let packed = self.packing[to.tensor];
        let words = rows.values / packed;
        let transposed = if atom.name.ends_with("_T") { ".trans" } else { "" };
        let outputs: Vec<String> = (0..words).map(|i| format!("%{i}")).collect();
        let outputs = outputs.join(", ");
        for group in 0..from.split(Index::Value).unwrap_or(1) / rows.values as i64 {
            let mut registers = Vec::new();
            for v in (group * rows.values as i64..).take(rows.values).step_by(packed) {
                let at = self.element_number(to, v)?.parse().unwrap_or(0);
                registers.push(format!("\"=r\"({})", self.register(to.tensor, at)));
            }
            let (address, registers) = (self.shared(&lines, group)?, registers.join(", "));
            self.names.line(&format!(
                "asm volatile(\"ldmatrix.sync.aligned.m8n8.x{words}{transposed}.shared.b16 {{{outputs}}}, [%{words}];\" : \
                 {registers} : \"r\"({address}) : \"memory\");"
            ));
        }
        Ok(())
    }

    /// Products of matrices in registers.
    fn multiply(&mut self, to: &View, value: &Expr, atom: &MmaAtom) -> Result<(), Error> {
        if self.target == Target::Wgsl {
            let name = &atom.name;
            return Err(error!("WGSL has no matrix instructions, and {name} is one: emit CUDA"));
        }
        let Multiply { operands, .. } = Multiply::new(self.program, atom, to, value)?;
        let [m, n, k] = atom.shape;
        let types = atom.elements.map(|own| own.name().to_lowercase()).join(".");
        let accumulated = if self.program.tensor(to).element == Element::F32 { "f" } else { "r" };
        for v in 0..operands[2].first.len() {
            let mut registers = operands.iter().map(|own| -> Vec<String> {
                let (first, packed) = (own.first[v].unwrap_or(0), self.packing[own.tensor]);
                (first..first + own.size).step_by(packed).map(|at| self.register(own.tensor, at)).collect()
            });
            let [a, b, c] = core::array::from_fn(|_| registers.next().unwrap_or_default());
            let mut place = 0;
            let mut list = |count: usize| -> String {
                let all: Vec<String> = (place..place + count).map(|i| format!("%{i}")).collect();
                place += count;
                format!("{{{}}}", all.join(", "))
            };
            let (to, left, right) = (list(c.len()), list(a.len()), list(b.len()));
            let constrained = |kind: &str, all: &[String]| -> String {
                all.iter().map(|own| format!("\"{kind}\"({own})")).collect::<Vec<_>>().join(", ")
            };
            let outputs = constrained(&format!("+{accumulated}"), &c);
            let inputs = constrained("r", &[a, b].concat());
            self.names.line(&format!(
                "asm volatile(\"mma.sync.aligned.m{m}n{n}k{k}.row.col.{types} {to}, {left}, {right}, {to};\" : {outputs} : \
                 {inputs});"
            ));
        }
        Ok(())
    }

    /// Asynchronous copies.
    fn async_copy(&mut self, to: &View, from: &View, atom: &CopyAtom) -> Result<(), Error> {
        let program = self.program;
        let (tensor, bytes) = (program.tensor(from), copied_bytes(atom));
        let width = bytes / tensor.element.bytes();
        self.check_contiguous([to, from], width)?;
        let values = to.split(Index::Value).unwrap_or(1);
        let copy = format!("{} [%0], [%1], {bytes}", atom.instruction);
        for v in (0..values).step_by(width as usize) {
            let (to, Place { pointer, inside, .. }) = (self.shared(to, v)?, self.place(from, v)?);
            // From outside nothing is read and zeros are written. That is a predicate, which needs no number of bytes.
            let (text, condition) = match inside {
                None => (format!("{copy};"), String::new()),
                Some(inside) => (
                    format!("{{ .reg .pred outside; setp.eq.u32 outside, %2, 0; {copy}, outside; }}"),
                    format!(", \"r\"((unsigned){inside})"),
                ),
            };
            self.names.line(&format!(
                "asm volatile(\"{text}\" :: \"r\"({to}), \"l\"({pointer}){condition} : \"memory\");"
            ));
        }
        Ok(())
    }

    /// Refuses a vector whose elements are not contiguous on both sides, or not aligned.
    fn check_contiguous(&self, views: [&View; 2], width: i64) -> Result<(), Error> {
        for view in views {
            let bounds = self.seen(view).map_or(&[][..], |seen| &seen.bounds);
            let needed: Vec<bool> = bounds.iter().map(|own| own.is_needed).collect();
            let what = match refusal(&self.sites[self.site], view, &needed, width)? {
                None => continue,
                Some(Refusal::Layout(what)) => what.to_string(),
                Some(Refusal::Facts(facts)) => format!("is not aligned: assume {}", facts.join(", ")),
            };
            let view = self.program.view_text(view);
            return Err(error!("a copy of {width} elements at once: {view} {what}"));
        }
        Ok(())
    }
}
