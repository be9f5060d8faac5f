//! How many values of a thread one access to memory has. They are contiguous, the first one is aligned, and one predicate is
//! right for all of them: for all blocks, threads and steps, and for all sizes that the facts admit.

use super::site::{Seen, Site, Width, statements};
use crate::form::Index;
use crate::instruction::Instruction;
use crate::prelude::*;
use crate::program::{Expr, Program, Space, Storage, View};
use crate::sizes::Addresses;
use tilework_symbolic::{Number, SymbolicLayout, Verdict};

/// The bytes of accesses that have several elements, the widest first.
const BYTES: [i64; 3] = [16, 8, 4];

/// Why some values are not in one access.
pub enum Refusal {
    /// Under these facts they would be.
    Facts(Vec<String>),
    /// They never are.
    Layout(&'static str),
}

/// All statements that compute, in their order.
pub fn sites(program: &Program) -> Result<Vec<Site<'_>>, Error> {
    let mut found = statements(program);
    for site in &mut found {
        see(site).map_err(|error| error.at(site.line))?;
    }
    Ok(found)
}

/// Finds what is known of its views.
fn see(site: &mut Site<'_>) -> Result<(), Error> {
    let mut views = vec![(true, site.to)];
    site.value.visit(&mut |view, is_read| views.extend(is_read.then_some((false, view))));
    for (is_written, view) in views {
        let bounds = site.bounds(view)?;
        let needed: Vec<bool> = bounds.iter().map(|own| own.is_needed).collect();
        let width = width(site, view, &needed)?;
        site.views.push(Seen { view, tensor: site.program.tensor(view), is_written, bounds, width });
    }
    Ok(())
}

/// The width of a view of a statement. `needed` has the modes with a predicate.
pub fn width(site: &Site<'_>, view: &View, needed: &[bool]) -> Result<Width, Error> {
    let tensor = site.program.tensor(view);
    let is_plain = matches!(site.by, None | Some(Instruction::Multiply(_)));
    let mut width = Width { values: 1, missing: None };
    if !is_plain || tensor.space == Space::Registers || !is_alone(site.to, site.value, view) {
        return Ok(width);
    }
    let counts = BYTES.into_iter().map(|bytes| bytes / tensor.element.bytes());
    for values in counts.filter(|count| *count > 1 && site.values % count == 0) {
        match refusal(site, view, needed, values)? {
            None => return Ok(Width { values, ..width }),
            Some(Refusal::Facts(facts)) => {
                width.missing = width.missing.or(Some((values, facts.join(", "))));
            }
            Some(Refusal::Layout(_)) => {}
        }
    }
    Ok(width)
}

/// Whether a value of the statement reads nothing of the tensor that another one writes, and the view is no coordinate of
/// another one.
pub fn is_alone(to: &View, value: &Expr, view: &View) -> bool {
    let mut is_alone = true;
    value.visit(&mut |read, is_read| {
        let is_other = read.tensor == to.tensor && read.places != to.places;
        is_alone &= !(is_read && is_other && view.tensor == read.tensor);
        is_alone &= !read.gathers().any(|(inner, _)| inner == view);
    });
    is_alone
}

/// Why `width` values from each multiple of `width` on are not in one access, if they are not. `needed` has the modes with a
/// predicate.
pub fn refusal(site: &Site<'_>, view: &View, needed: &[bool], width: i64) -> Result<Option<Refusal>, Error> {
    match &site.program.tensor(view).storage {
        Storage::Global(layout) => global(site, layout, view, needed, width),
        Storage::Local(layout) => local(site, &Addresses::new(layout)?, view, width as usize),
    }
}

/// By digits: one mode of stride 1 advances by 1 with the value, and all that is added to it is a multiple of the width.
fn global(
    site: &Site<'_>,
    layout: &SymbolicLayout,
    view: &View,
    needed: &[bool],
    width: i64,
) -> Result<Option<Refusal>, Error> {
    let (program, values) = (site.program, site.values);
    let refused = |what| Ok(Some(Refusal::Layout(what)));
    let (mut along, mut multiples): (usize, Vec<Number>) = (0, Vec::new());
    for (mode, form) in program.forms(view).iter().enumerate() {
        let own = layout.as_tuple().mode(mode)?;
        let leaves = own.leaves();
        let gathered = view.gathers().find(|(_, own)| *own == mode).map(|(inner, _)| inner);
        let step = |v: i64| form.of_value(v) - form.of_value(v - v % width);
        let is_along = leaves[0].stride.as_integer() == Some(1) && (0..values).all(|v| step(v) == v % width);
        let moves = |inner: &View| {
            let forms = program.forms(inner);
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
    site: &Site<'_>,
    addresses: &Addresses,
    view: &View,
    width: usize,
) -> Result<Option<Refusal>, Error> {
    let access = site.access(view);
    let Some(starts) = access.starts(site.program) else {
        return Ok(Some(Refusal::Layout("is not the same for all blocks")));
    };
    for start in starts {
        let of = |element: usize| addresses.of(access.coordinate(&start, element)).unwrap_or(0);
        for first in (0..(site.active * site.values) as usize).step_by(width) {
            let at = of(first);
            if at % width != 0 || (1..width).any(|next| of(first + next) != at + next) {
                return Ok(Some(Refusal::Layout("is not contiguous and aligned")));
            }
        }
    }
    Ok(None)
}
