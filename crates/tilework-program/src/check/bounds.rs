//! Which accesses are inside of their tensors for all sizes, and which need a predicate.

use super::report::{Certainty, Report};
use super::site::{Site, sites};
use crate::error::Error;
use crate::program::{Program, Storage, View};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tilework_symbolic::{Number, Scope, Verdict};

/// The coordinate of a view along one mode, against the extent there.
pub struct Bound {
    /// The extent of the mode.
    pub extent: String,
    /// One more than the largest coordinate.
    pub reach: String,
    /// Whether every coordinate is inside, or under which condition.
    pub verdict: Verdict,
}

/// The bounds of a view by mode.
pub fn bounds(program: &Program, site: &Site<'_>, view: &View) -> Result<Vec<Bound>, Error> {
    // The quotients that are asked about are not those of the program.
    let mut scope = program.scope.clone();
    let tensor = program.tensor(view);
    let forms = view.forms(tensor.rank());
    let bound = |(mode, form): (usize, &crate::form::Form)| -> Result<Bound, Error> {
        let extent = extent(&mut scope, &tensor.storage, mode)?;
        let (low, reach) = site.range(program, &mut scope, form)?;
        let below = scope.is_at_least(&extent, &reach)?;
        let verdict = match scope.is_at_least(&low, &0.into())? {
            Verdict::Always => below,
            _ => Verdict::Open,
        };
        let [extent, reach] = [extent, reach].map(|number| scope.number_text(&number));
        Ok(Bound { extent, reach, verdict })
    };
    forms.iter().enumerate().map(bound).collect()
}

/// The extent of a mode.
pub fn extent(scope: &mut Scope, storage: &Storage, mode: usize) -> Result<Number, Error> {
    Ok(match storage {
        Storage::Global(layout) => {
            let mode = scope.layout_of(layout.as_tuple().mode(mode)?)?;
            scope.size(&mode)?
        }
        Storage::Local(layout) => layout.layout().mode(mode)?.size().into(),
    })
}

/// Checks each view of a statement.
pub fn check(program: &Program, site: &Site<'_>, report: &mut Report) -> Result<(), Error> {
    check_view(program, site, site.to, true, report)?;
    let mut views = Vec::new();
    site.value.visit(&mut |view, is_read| {
        if is_read {
            views.push(view);
        }
    });
    views.into_iter().try_for_each(|view| check_view(program, site, view, false, report))
}

fn check_view(
    program: &Program,
    site: &Site<'_>,
    view: &View,
    is_written: bool,
    report: &mut Report,
) -> Result<(), Error> {
    let tensor = program.tensor(view);
    let bounds = bounds(program, site, view)?;
    let gathered = |mode: usize| view.gathers().any(|(_, own)| own == mode);
    let outside =
        |(mode, bound): &(usize, &Bound)| !matches!(bound.verdict, Verdict::Always) || gathered(*mode);
    let name = &tensor.name;
    if !tensor.space.is_global() || !is_written && view.outside.is_none() {
        if let Some((mode, bound)) = bounds.iter().enumerate().find(outside) {
            let Bound { extent, reach, verdict } = bound;
            let unless = match verdict {
                Verdict::When(guard) => format!(" unless {}", program.scope.guard_text(guard)),
                _ => String::new(),
            };
            let mend = if tensor.space.is_global() { "; write `else`" } else { "" };
            let text = format!(
                "{name} mode {mode}: coordinates of [0,{reach}) are not all in [0,{extent}){unless}{mend}"
            );
            report.push(Some(site.line), Certainty::Wrong, text);
        }
        return Ok(());
    }
    let verb = if is_written { "written" } else { "read" };
    let parts: Vec<String> = bounds
        .iter()
        .enumerate()
        .map(|(mode, bound)| {
            let Bound { extent, reach, .. } = bound;
            match outside(&(mode, bound)) {
                true => format!("predicate c{mode} < {extent}"),
                false => format!("no predicate of c{mode}, as {reach} <= {extent}"),
            }
        })
        .collect();
    report.push(Some(site.line), Certainty::Proved, format!("{name} {verb}: {}", parts.join(", ")));
    Ok(())
}

/// Which modes of each view need a predicate, by the line and the text of the view.
pub fn needed(program: &Program) -> Result<BTreeMap<(usize, String), Vec<bool>>, Error> {
    let mut all = BTreeMap::new();
    for site in sites(program) {
        let mut views = alloc::vec![site.to];
        site.value.visit(&mut |view, is_read| views.extend(is_read.then_some(view)));
        for view in views.into_iter().filter(|view| program.tensor(view).space.is_global()) {
            let gathered = |mode: usize| view.gathers().any(|(_, own)| own == mode);
            let bounds = bounds(program, &site, view)?.into_iter().enumerate();
            let needed =
                bounds.map(|(mode, own)| gathered(mode) || !matches!(own.verdict, Verdict::Always)).collect();
            all.insert((site.line, program.view_text(view)), needed);
        }
    }
    Ok(all)
}
