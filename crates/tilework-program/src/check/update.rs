//! Whether one thread has each element of an `update` tensor, which it reads and writes in its order.

use super::cover::{Member, Outcome, alike, inside, layout, leaves, map, moving};
use super::report::unless;
use super::site::is_at_least;
use crate::form::Index;
use crate::prelude::*;
use crate::program::Program;
use alloc::collections::BTreeSet;
use tilework::__private::gcd;
use tilework_symbolic::{SymbolicLeaf, Verdict};

/// Views that move alike are one map; those that move differently have to be disjoint.
pub fn outcome(program: &Program, members: &[Member<'_>]) -> Result<Outcome, Error> {
    let groups = alike(members, |one, two| moving(program, one.1) == moving(program, two.1));
    for (place, group) in groups.iter().enumerate() {
        for (one, other) in
            group.iter().flat_map(|one| groups[..place].iter().flatten().map(move |own| (one, own)))
        {
            if !are_disjoint(program, *one, *other)? {
                let (line, other) = (one.0.line, other.0.line);
                return Ok(Outcome::Open(line, format!("lines {other} and {line} move differently")));
            }
        }
    }
    for group in &groups {
        if let Some(found) = parted(program, group)? {
            return Ok(found);
        }
    }
    let text = format!("{}: one thread has each element", program.tensor(members[0].1).name);
    Ok(Outcome::Proved(vec![text]))
}

/// Whether along a mode two views have other remainders by what blocks and loops add, or one ends before the other begins.
fn are_disjoint(program: &Program, one: Member<'_>, other: Member<'_>) -> Result<bool, Error> {
    for mode in 0..program.tensor(one.1).rank() {
        let mut scope = program.scope.clone();
        let [own, others] = [one, other].map(|(site, view)| {
            let form = program.form(view, mode);
            (site.range(&mut scope, &form), form)
        });
        let ((low, reach), (other_low, other_reach)) = (own.0?, others.0?);
        let period = [&own.1, &others.1].into_iter().flat_map(|form| &form.terms);
        let period = period.filter(|(_, digit)| !matches!(digit.index, Index::Thread | Index::Value));
        let period = period.fold(0, |all, (step, _)| gcd(all, step.unsigned_abs())) as i64;
        let [own, others] = [one, other].map(|(site, view)| -> BTreeSet<i64> {
            let access = site.access(view);
            let start: Vec<i64> = program.forms(view).iter().map(|form| form.constant).collect();
            let at = |element| access.coordinate(&start, element as usize).nth(mode).unwrap_or(0);
            let all = (0..site.active * site.values).map(at);
            all.map(|at| if period == 0 { at } else { at.rem_euclid(period) }).collect()
        });
        let is_behind = is_at_least(&scope, &low, &other_reach) || is_at_least(&scope, &other_low, &reach);
        if own.is_disjoint(&others) || is_behind {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The map from blocks, loops, threads and values to coordinates has to be one-to-one but for the values of a thread; what it ends with
/// else.
fn parted(program: &Program, members: &[Member<'_>]) -> Result<Option<Outcome>, Error> {
    let (mut scope, (site, first)) = (program.scope.clone(), members[0]);
    let (tensor, terms) = (program.tensor(first), moving(program, first));
    let open = |reason: &str| Ok(Some(Outcome::Open(site.line, reason.into())));
    let (modes, are_exact) = match map(program, &mut scope, members)? {
        Ok(own) => own,
        Err(Outcome::Proved(_)) => return Ok(None),
        Err(outcome) => return Ok(Some(outcome)),
    };
    for (mode, (offsets, moving)) in modes.into_iter().enumerate() {
        let shifted: Vec<i64> = offsets.iter().map(|offset| offset - offsets[0]).collect();
        let Some(mut all) = leaves(&shifted) else { return open("threads and values fill no box") };
        all.extend(moving);
        all.push(SymbolicLeaf::new(1, 0));
        let layout = layout(&scope, &all)?;
        let extent = tensor.extent(&scope, mode)?;
        let reached = inside(&mut scope, &all, &extent)?;
        let unless = match scope.is_injective(&reached)? {
            Verdict::Always => continue,
            Verdict::Open => return open(&format!("mode {mode} is not decided")),
            _ if !are_exact => return open("a condition on blocks or steps is no bound of them"),
            // It may be the same thread.
            _ if terms[mode].iter().any(|(_, digit)| matches!(digit.index, Index::Loop(_))) => {
                return open(&format!("along mode {mode} several steps of a loop have one element"));
            }
            verdict => unless(&scope, &verdict),
        };
        let layout = scope.coalesce(&layout).map_or(layout.to_string(), |own| own.to_string());
        let text = format!("{} mode {mode}: {layout}: several threads have one element{unless}", tensor.name);
        return Ok(Some(Outcome::Wrong(site.line, text)));
    }
    Ok(None)
}
