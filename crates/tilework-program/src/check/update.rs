//! Whether one thread has each element of an `update` tensor, which it reads and writes in its order.

use super::cover::{digit_extents, inside, layout, leaves, moving, tile};
use super::report::{Certainty, Report, unless};
use super::site::{Extent, Site, extent};
use crate::error::Error;
use crate::form::{Digit, Index};
use crate::program::{Program, View};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
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
        Some((first, _)) => match outcome(program, &members)? {
            Ok(()) => (Certainty::Proved, Some(first.line), format!("{name}: one thread has each element")),
            Err((certainty, line, text)) => (certainty, Some(line), text),
        },
    };
    report.push(line, certainty, text);
    Ok(())
}

/// The map from blocks, loops, threads and values to coordinates has to be one-to-one but for the values of a thread.
fn outcome(
    program: &Program,
    members: &[(&Site<'_>, &View)],
) -> Result<Result<(), (Certainty, usize, String)>, Error> {
    let mut scope = program.scope.clone();
    let (site, first) = members[0];
    let tensor = program.tensor(first);
    let (name, rank) = (&tensor.name, tensor.rank());
    let open = |line: usize, reason: &str| {
        let text = format!("{name}: it is not proved that one thread has each element: {reason}");
        Ok(Err((Certainty::Tried, line, text)))
    };
    let terms = moving(first, rank);
    if let Some((other, _)) = members.iter().find(|(_, own)| moving(own, rank) != terms) {
        return open(other.line, &format!("lines {} and {} move differently", site.line, other.line));
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
            verdict => unless(&scope, &verdict),
        };
        let layout = scope.coalesce(&layout).map_or(layout.to_string(), |own| own.to_string());
        let text = format!("{name} mode {mode}: {layout}: several threads have one element{unless}");
        return Ok(Err((Certainty::Wrong, site.line, text)));
    }
    Ok(Ok(()))
}
