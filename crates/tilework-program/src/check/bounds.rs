//! Which accesses are inside of their tensors for all sizes, which need a predicate, and how many values one access has.

use super::report::{Certainty, Report, unless};
use super::site::{Bound, Seen, Site, Width};
use crate::prelude::*;
use crate::program::{Program, Space};
use tilework_symbolic::Verdict;

/// Adds sentences for each view of a statement.
pub fn check(site: &Site<'_>, report: &mut Report) {
    site.views.iter().for_each(|seen| check_view(site, seen, report));
    for seen in site.views.iter().filter(|seen| seen.tensor.space.is_global()) {
        let text = match &seen.width {
            Width { values: 1, missing: None } => continue,
            Width { values, missing: None } => format!("{values} values in one access"),
            Width { values, missing: Some((more, facts)) } => {
                format!("{values} of a thread in one access, and {more} under `assume {facts}`")
            }
        };
        let text = format!("{} {}: {text}", seen.tensor.name, seen.verb());
        report.push(Some(site.line), Certainty::Proved, text);
    }
}

fn check_view(site: &Site<'_>, seen: &Seen<'_>, report: &mut Report) {
    let Seen { view, tensor, bounds, is_written, .. } = seen;
    let name = &tensor.name;
    if !tensor.space.is_global() || !is_written && view.outside.is_none() {
        if let Some((mode, bound)) = bounds.iter().enumerate().find(|(_, bound)| bound.is_needed) {
            let Bound { extent, reach, verdict, .. } = bound;
            let unless = unless(&site.program.scope, verdict);
            let mend = if tensor.space.is_global() { "; write `else`" } else { "" };
            let text = format!(
                "{name} mode {mode}: coordinates of [0,{reach}) are not all in [0,{extent}){unless}{mend}"
            );
            report.push(Some(site.line), Certainty::Wrong, text);
        }
        return;
    }
    let part = |(mode, Bound { extent, reach, is_needed, .. }): (usize, &Bound)| match is_needed {
        true => format!("predicate c{mode} < {extent}"),
        false => format!("no predicate of c{mode}, as {reach} <= {extent}"),
    };
    let parts: Vec<String> = bounds.iter().enumerate().map(part).collect();
    let text = format!("{name} {}: {}", seen.verb(), parts.join(", "));
    report.push(Some(site.line), Certainty::Proved, text);
}

/// Says which tensors are never read, and of which the last elements of a mode are not.
pub fn check_unread(program: &Program, sites: &[Site<'_>], report: &mut Report) {
    for (place, tensor) in program.tensors.iter().enumerate() {
        let views = sites.iter().flat_map(|site| &site.views);
        let all: Vec<&Seen<'_>> = views.filter(|seen| seen.view.tensor == place).collect();
        if tensor.space != Space::Write && all.iter().all(|seen| seen.is_written) {
            report.push(Some(tensor.line), Certainty::Proved, format!("{} is never read", tensor.name));
        }
        let Some(first) = all.first().filter(|_| tensor.space == Space::Read) else { continue };
        for (mode, Bound { extent, reach, .. }) in first.bounds.iter().enumerate() {
            let is_short = |seen: &&Seen<'_>| {
                let own = &seen.bounds[mode];
                let is_gathered = seen.view.gathers().any(|(_, own)| own == mode);
                matches!(own.covers, Verdict::When(_) | Verdict::Never) && own.reach == *reach && !is_gathered
            };
            if all.iter().all(is_short) {
                let text = format!("{} mode {mode}: only [0,{reach}) of [0,{extent}) is read", tensor.name);
                report.push(None, Certainty::Proved, text);
            }
        }
    }
}
