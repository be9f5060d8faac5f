//! Which accesses are inside of their tensors for all sizes, and which need a predicate.

use super::report::{Certainty, Report};
use super::site::{Site, sites};
use crate::error::Error;
use crate::program::{Program, Space, Storage, View};
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
    /// Whether the coordinates end at the extent or behind it.
    pub covers: Verdict,
}

/// Whether a mode of a view needs a predicate.
pub fn is_needed(view: &View, mode: usize, bound: &Bound) -> bool {
    !matches!(bound.verdict, Verdict::Always) || view.gathers().any(|(_, own)| own == mode)
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
        let covers = scope.is_at_least(&reach, &extent)?;
        let [extent, reach] = [extent, reach].map(|number| scope.number_text(&number));
        Ok(Bound { extent, reach, verdict, covers })
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
    site.accessed().try_for_each(|(verb, view)| check_view(program, site, view, verb, report))
}

fn check_view(
    program: &Program,
    site: &Site<'_>,
    view: &View,
    verb: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let tensor = program.tensor(view);
    let bounds = bounds(program, site, view)?;
    let outside = |(mode, bound): &(usize, &Bound)| is_needed(view, *mode, bound);
    let name = &tensor.name;
    if !tensor.space.is_global() || verb == "read" && view.outside.is_none() {
        if let Some((mode, bound)) = bounds.iter().enumerate().find(outside) {
            let Bound { extent, reach, verdict, .. } = bound;
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

/// Says of which tensors the last elements of a mode are never read.
pub fn check_unread(program: &Program, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    for (place, tensor) in program.tensors.iter().enumerate() {
        if tensor.space != Space::Read {
            continue;
        }
        let mut all = Vec::new();
        for site in sites {
            for (_, view) in site.accessed().filter(|(_, view)| view.tensor == place) {
                all.push((view, bounds(program, site, view)?));
            }
        }
        for mode in 0..tensor.rank() {
            let gathered = |view: &View| view.gathers().any(|(_, own)| own == mode);
            let Some(Bound { extent, reach, .. }) = all.first().map(|(_, own)| &own[mode]) else { continue };
            let is_short = |(view, own): &(&View, Vec<Bound>)| {
                let ends = matches!(own[mode].covers, Verdict::When(_) | Verdict::Never);
                ends && own[mode].reach == *reach && !gathered(view)
            };
            if all.iter().all(is_short) {
                let text = format!("{} mode {mode}: only [0,{reach}) of [0,{extent}) is read", tensor.name);
                report.push(None, Certainty::Proved, text);
            }
        }
    }
    Ok(())
}

/// Which modes of each view need a predicate, by the line and the text of the view.
pub fn needed(program: &Program) -> Result<BTreeMap<(usize, String), Vec<bool>>, Error> {
    let mut all = BTreeMap::new();
    for site in sites(program) {
        for (_, view) in site.accessed().filter(|(_, view)| program.tensor(view).space.is_global()) {
            let bounds = bounds(program, &site, view)?;
            let needed = (0..).zip(&bounds).map(|(mode, own)| is_needed(view, mode, own)).collect();
            all.insert((site.line, program.view_text(view)), needed);
        }
    }
    Ok(all)
}
