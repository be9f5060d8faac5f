//! Whether one thread has each element of an `update` tensor, which it reads and writes in its order.

use super::cover::{alike, digit_extents, inside, layout, leaves, moving, tile};
use super::report::{Certainty, Report, unless};
use super::site::{Extent, Site, extent};
use crate::access::Access;
use crate::error::Error;
use crate::form::{Digit, Index};
use crate::program::{Program, View};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tilework::__private::gcd;
use tilework_symbolic::{Number, SymbolicLeaf, Verdict};

/// Checks an `update` tensor.
pub fn check(program: &Program, tensor: usize, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let name = &program.tensors[tensor].name;
    let mut members = Vec::new();
    for site in sites {
        let own = site.views.iter().map(|seen| seen.view).filter(|view| view.tensor == tensor);
        members.extend(own.map(|view| (site, view)));
    }
    let (certainty, line, text) = match members.first() {
        None => (Certainty::Wrong, None, format!("{name} is never written")),
        Some((first, _)) => match parted(program, &members)? {
            Ok(()) => (Certainty::Proved, Some(first.line), format!("{name}: one thread has each element")),
            Err((certainty, line, text)) => (certainty, Some(line), text),
        },
    };
    report.push(line, certainty, text);
    Ok(())
}

type Outcome = Result<(), (Certainty, usize, String)>;

/// Views that move alike are one map; those that move differently have to be disjoint.
fn parted<'a>(program: &Program, members: &[(&'a Site<'a>, &'a View)]) -> Result<Outcome, Error> {
    let rank = program.tensor(members[0].1).rank();
    let groups = alike(members, |one, two| moving(one.1, rank) == moving(two.1, rank));
    for (place, group) in groups.iter().enumerate() {
        for (one, other) in
            group.iter().flat_map(|one| groups[..place].iter().flatten().map(move |own| (one, own)))
        {
            if !are_disjoint(program, *one, *other)? {
                let (name, line, other) = (&program.tensor(one.1).name, one.0.line, other.0.line);
                let text = format!(
                    "{name}: it is not proved that one thread has each element: lines {other} and {line} move differently"
                );
                return Ok(Err((Certainty::Tried, line, text)));
            }
        }
    }
    for group in &groups {
        if let Err(found) = outcome(program, group)? {
            return Ok(Err(found));
        }
    }
    Ok(Ok(()))
}

/// Whether along a mode two views have other remainders by what blocks and loops add, or one ends before the other begins.
fn are_disjoint(
    program: &Program,
    one: (&Site<'_>, &View),
    other: (&Site<'_>, &View),
) -> Result<bool, Error> {
    let rank = program.tensor(one.1).rank();
    for mode in 0..rank {
        let mut scope = program.scope.clone();
        let [own, others] = [one, other].map(|(site, view)| {
            let form = view.forms(rank).swap_remove(mode);
            (site.range(program, &mut scope, &form), form)
        });
        let ((low, reach), (other_low, other_reach)) = (own.0?, others.0?);
        let period = [&own.1, &others.1].into_iter().flat_map(|form| &form.terms);
        let period = period.filter(|(_, digit)| !matches!(digit.index, Index::Thread | Index::Value));
        let period = period.fold(0, |all, (step, _)| gcd(all, step.unsigned_abs())) as i64;
        let [own, others] = [one, other].map(|(site, view)| -> BTreeSet<i64> {
            let access = Access::new(program, view, site.active, site.values);
            let start: Vec<i64> = view.forms(rank).iter().map(|form| form.constant).collect();
            let at = |element| access.coordinate(&start, element as usize).nth(mode).unwrap_or(0);
            let all = (0..site.active * site.values).map(at);
            all.map(|at| if period == 0 { at } else { at.rem_euclid(period) }).collect()
        });
        let ends = [scope.is_at_least(&low, &other_reach)?, scope.is_at_least(&other_low, &reach)?];
        if own.is_disjoint(&others) || ends.iter().any(|end| matches!(end, Verdict::Always)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The map from blocks, loops, threads and values to coordinates has to be one-to-one but for the values of a thread.
fn outcome(program: &Program, members: &[(&Site<'_>, &View)]) -> Result<Outcome, Error> {
    let mut scope = program.scope.clone();
    let (site, first) = members[0];
    let tensor = program.tensor(first);
    let (name, rank) = (&tensor.name, tensor.rank());
    let open = |line: usize, reason: &str| {
        let text = format!("{name}: it is not proved that one thread has each element: {reason}");
        Ok(Err((Certainty::Tried, line, text)))
    };
    let terms = moving(first, rank);
    if let Some((other, _)) = members.iter().find(|(_, own)| own.gathers().next().is_some()) {
        return open(other.line, "a coordinate is read");
    }
    let mut extents: Vec<(Digit, Number)> = Vec::new();
    let mut are_exact = true;
    let blocks = (0..program.grid.len()).map(Index::Block);
    for index in blocks.chain(site.loops.iter().map(|(name, _)| Index::Loop(*name))) {
        let text = program.index_text(index);
        let digits: Vec<Digit> =
            terms.iter().flatten().map(|term| term.1).filter(|own| own.index == index).collect();
        let is_block = matches!(index, Index::Block(_));
        if digits.is_empty() && !is_block {
            continue;
        }
        // As many values as in any of the statements.
        let Extent { mut number, mut is_exact } = site.extent(program, index)?;
        for (other, _) in &members[1..] {
            let own = other.extent(program, index)?;
            is_exact &= own.is_exact && own.number == number;
            if !matches!(scope.is_at_least(&number, &own.number)?, Verdict::Always) {
                match scope.is_at_least(&own.number, &number)? {
                    Verdict::Always => number = own.number,
                    _ => return open(other.line, &format!("{text} has other values on line {}", site.line)),
                }
            }
        }
        are_exact &= is_exact;
        if is_block && matches!(scope.is_at_least(&0.into(), &number)?, Verdict::Always) {
            return Ok(Ok(()));
        }
        if digits.is_empty() && !matches!(scope.is_at_least(&1.into(), &number)?, Verdict::Always) {
            let text = format!(
                "{text} does not occur in the coordinates of {name}: several blocks have each element"
            );
            let certainty = if is_exact { Certainty::Wrong } else { Certainty::Tried };
            return Ok(Err((certainty, site.line, text)));
        }
        if digits.is_empty() {
            continue;
        }
        match digit_extents(&mut scope, digits, &number)? {
            Some(own) => extents.extend(own),
            None => return open(site.line, &format!("the digits of {text} are not each used once")),
        }
    }
    let modes = match tile(program, members, rank, true) {
        Ok(modes) => modes,
        Err((line, text)) => return Ok(Err((Certainty::Wrong, line, text))),
    };
    let Some(modes) = modes else { return open(site.line, "threads and values fill no box") };
    for (mode, (offsets, terms)) in modes.into_iter().zip(&terms).enumerate() {
        let shifted: Vec<i64> = offsets.iter().map(|offset| offset - offsets[0]).collect();
        let Some(mut all) = leaves(&shifted) else {
            return open(site.line, "threads and values fill no box");
        };
        for (step, digit) in terms {
            let extent = extents.iter().find(|(own, _)| own == digit).map(|(_, extent)| extent.clone());
            all.push(SymbolicLeaf::new(extent.unwrap_or(Number::integer(1)), *step));
        }
        all.push(SymbolicLeaf::new(1, 0));
        let layout = layout(&scope, &all)?;
        let extent = extent(&mut scope, &tensor.storage, mode)?;
        let reached = inside(&mut scope, &all, &extent)?;
        let unless = match scope.is_injective(&reached)? {
            Verdict::Always => continue,
            Verdict::Open => return open(site.line, &format!("mode {mode} is not decided")),
            _ if !are_exact => return open(site.line, "a condition on blocks or steps is no bound of them"),
            // It may be the same thread.
            _ if terms.iter().any(|(_, digit)| matches!(digit.index, Index::Loop(_))) => {
                return open(
                    site.line,
                    &format!("along mode {mode} several steps of a loop have one element"),
                );
            }
            verdict => unless(&scope, &verdict),
        };
        let layout = scope.coalesce(&layout).map_or(layout.to_string(), |own| own.to_string());
        let text = format!("{name} mode {mode}: {layout}: several threads have one element{unless}");
        return Ok(Err((Certainty::Wrong, site.line, text)));
    }
    Ok(Ok(()))
}
