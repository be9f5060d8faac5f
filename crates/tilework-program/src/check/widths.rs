//! How many values of a thread one access to memory has. They are contiguous, the first one is aligned, and one predicate is
//! right for all of them: for all blocks, threads and steps, and for all sizes that the facts admit.

use super::bounds::{self, is_needed};
use super::report::{Certainty, Report};
use super::site::{Site, sites};
use crate::access::{Access, coordinates};
use crate::error::Error;
use crate::form::{Index, Indices};
use crate::instruction::{Instruction, copied_bytes};
use crate::program::{Program, Space, Storage, View};
use crate::sizes::Addresses;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tilework_symbolic::{Number, SymbolicLayout, Verdict};

/// The bytes of accesses that have several elements, the widest first.
const BYTES: [i64; 3] = [16, 8, 4];

/// The values of an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// A power of 2; with 1 it is an ordinary access.
    pub values: i64,
    /// The values that it would have under more facts, and these.
    pub missing: Option<(i64, String)>,
}

/// Why some values are not in one access.
pub enum Refusal {
    /// Under these facts they would be.
    Facts(Vec<String>),
    /// They never are.
    Layout(&'static str),
}

impl Width {
    const ONE: Width = Width { values: 1, missing: None };
}

/// Adds a sentence for each view of global memory that has several values in one access, or would have them under facts.
pub fn check(program: &Program, site: &Site<'_>, report: &mut Report) -> Result<(), Error> {
    for (verb, view) in site.accessed().filter(|(_, view)| program.tensor(view).space.is_global()) {
        let text = match width(program, site, view)? {
            Width { values: 1, missing: None } => continue,
            Width { values, missing: None } => format!("{values} values in one access"),
            Width { values, missing: Some((more, facts)) } => {
                format!("{values} of a thread in one access, and {more} under `assume {facts}`")
            }
        };
        let text = format!("{} {verb}: {text}", program.tensor(view).name);
        report.push(Some(site.line), Certainty::Proved, text);
    }
    Ok(())
}

/// The widths of all views of ordinary statements, by the line and the text of the view.
pub fn widths(program: &Program) -> Result<BTreeMap<(usize, String), i64>, Error> {
    let mut all = BTreeMap::new();
    for site in sites(program) {
        for (_, view) in site.accessed() {
            let width = width(program, &site, view)?.values;
            if width > 1 {
                all.insert((site.line, program.view_text(view)), width);
            }
        }
    }
    Ok(all)
}

/// The width of a view of a statement.
pub fn width(program: &Program, site: &Site<'_>, view: &View) -> Result<Width, Error> {
    let tensor = program.tensor(view);
    let (element, is_global) = (tensor.element, tensor.space.is_global());
    let is_plain = matches!(site.by, None | Some(Instruction::Multiply(_)));
    if !is_plain || tensor.space == Space::Registers || !is_alone(site, view) {
        return Ok(Width::ONE);
    }
    let counts = BYTES.into_iter().map(|bytes| bytes / element.bytes());
    let mut counts = counts.filter(|count| *count > 1 && site.values % count == 0).peekable();
    if counts.peek().is_none() {
        return Ok(Width::ONE);
    }
    let needed = if is_global { bounds::bounds(program, site, view)? } else { Vec::new() };
    let needed: Vec<bool> = (0..).zip(&needed).map(|(mode, own)| is_needed(view, mode, own)).collect();
    let mut missing = None;
    for values in counts {
        match refusal(program, view, site.active, site.values, &needed, values)? {
            None => return Ok(Width { values, missing }),
            Some(Refusal::Facts(facts)) => missing = missing.or(Some((values, facts.join(", ")))),
            Some(Refusal::Layout(_)) => {}
        }
    }
    Ok(Width { values: 1, missing })
}

/// Whether a value of the statement reads nothing of the tensor that another one writes, and the view is no coordinate of
/// another one.
fn is_alone(site: &Site<'_>, view: &View) -> bool {
    let mut is_alone = true;
    site.value.visit(&mut |read, is_read| {
        let is_other = read.tensor == site.to.tensor && read.places != site.to.places;
        is_alone &= !(is_read && is_other && view.tensor == read.tensor);
        is_alone &= !read.gathers().any(|(inner, _)| inner == view);
    });
    is_alone
}

/// Why `width` values from each multiple of `width` on are not in one access, if they are not. `needed` has the modes with a
/// predicate.
pub fn refusal(
    program: &Program,
    view: &View,
    active: i64,
    values: i64,
    needed: &[bool],
    width: i64,
) -> Result<Option<Refusal>, Error> {
    match &program.tensor(view).storage {
        Storage::Global(layout) => global(program, layout, view, values, needed, width),
        Storage::Local(layout) => {
            local(program, &Addresses::new(layout)?, view, active, values, width as usize)
        }
    }
}

/// By digits: one mode of stride 1 advances by 1 with the value, and all that is added to it is a multiple of the width.
fn global(
    program: &Program,
    layout: &SymbolicLayout,
    view: &View,
    values: i64,
    needed: &[bool],
    width: i64,
) -> Result<Option<Refusal>, Error> {
    let refused = |what| Ok(Some(Refusal::Layout(what)));
    let (mut along, mut multiples): (usize, Vec<Number>) = (0, Vec::new());
    for (mode, form) in view.forms(layout.rank()).iter().enumerate() {
        let own = layout.as_tuple().mode(mode)?;
        let leaves = own.leaves();
        let gathered = view.gathers().find(|(_, own)| *own == mode).map(|(inner, _)| inner);
        let step = |v: i64| form.of_value(v) - form.of_value(v - v % width);
        let is_along = leaves[0].stride.as_integer() == Some(1) && (0..values).all(|v| step(v) == v % width);
        let moves = |inner: &View| {
            let forms = inner.forms(program.tensor(inner).rank());
            (0..values).any(|v| forms.iter().any(|own| own.of_value(v) != own.of_value(v - v % width)))
        };
        if gathered.is_some_and(moves) || !is_along && (0..values).any(|v| step(v) != 0) {
            return refused("is not contiguous");
        }
        along += usize::from(is_along);
        let mut others = form.terms.iter().filter(|(_, digit)| digit.index != Index::Value);
        let begins = gathered.is_none()
            && others.all(|(step, _)| step % width == 0)
            && (0..values).step_by(width as usize).all(|v| form.of_value(v) % width == 0);
        if is_along && !begins {
            return refused("is not aligned");
        }
        // What is added in a mode of one stride is a multiple by its steps, or by the stride.
        let strides = leaves.iter().skip(usize::from(is_along)).filter(|_| leaves.len() > 1 || !begins);
        multiples.extend(strides.map(|leaf| leaf.stride.clone()));
        if is_along && (leaves.len() > 1 || needed.get(mode) == Some(&true)) {
            multiples.push(leaves[0].extent.clone());
        }
    }
    if along != 1 {
        return refused("is not contiguous");
    }
    let mut facts = Vec::new();
    for number in &multiples {
        match program.scope.is_multiple(number, &width.into())? {
            Verdict::Always => {}
            Verdict::Never => return refused("is not aligned"),
            _ => facts.push(format!("{} % {width} == 0", program.scope.number_text(number))),
        }
    }
    facts.dedup();
    Ok((!facts.is_empty()).then_some(Refusal::Facts(facts)))
}

/// By all elements of a block, at all steps.
fn local(
    program: &Program,
    addresses: &Addresses,
    view: &View,
    active: i64,
    values: i64,
    width: usize,
) -> Result<Option<Refusal>, Error> {
    let access = Access::new(program, view, active, values);
    let Some(steps) = access.steps(program) else {
        return Ok(Some(Refusal::Layout("is not the same for all blocks")));
    };
    for loops in coordinates(&steps) {
        let start = access.start(&Indices { loops, ..Indices::default() });
        let of = |element: usize| addresses.of_sum(&start, access.fixed(element)).unwrap_or(0);
        for first in (0..(active * values) as usize).step_by(width) {
            let at = of(first);
            if at % width != 0 || (1..width).any(|next| of(first + next) != at + next) {
                return Ok(Some(Refusal::Layout("is not contiguous and aligned")));
            }
        }
    }
    Ok(None)
}

/// The bytes that the address of each buffer is a multiple of.
pub fn alignment(program: &Program) -> Result<i64, Error> {
    let global = program.tensors.iter().filter(|tensor| tensor.space.is_global());
    let mut most = global.map(|tensor| tensor.element.bytes()).max().unwrap_or(1);
    for site in sites(program) {
        for (_, view) in site.accessed().filter(|(_, view)| program.tensor(view).space.is_global()) {
            most = most.max(match site.by {
                Some(Instruction::AsyncCopy(atom)) => copied_bytes(atom),
                _ => width(program, &site, view)?.values * program.tensor(view).element.bytes(),
            });
        }
    }
    Ok(most)
}
