//! Whether every element of a result is written, and once.

use super::report::{Certainty, Report, unless};
use super::site::{Site, extent};
use crate::access::Access;
use crate::error::Error;
use crate::form::{Digit, Index};
use crate::program::{Program, View};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tilework_symbolic::{Number, Scope, SymbolicLayout, SymbolicLeaf, Tuple, Verdict};

/// What the proof ends with.
enum Outcome {
    Proved(Vec<String>),
    Wrong(usize, String),
    Open(String),
}

/// Checks a `write` tensor.
pub fn check(program: &Program, tensor: usize, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let name = &program.tensors[tensor].name;
    let writers: Vec<&Site<'_>> = sites.iter().filter(|site| site.to.tensor == tensor).collect();
    let Some(first) = writers.first() else {
        report.push(None, Certainty::Wrong, format!("{name} is never written"));
        return Ok(());
    };
    match outcome(program, &writers)? {
        Outcome::Proved(sentences) => {
            sentences.into_iter().for_each(|text| report.push(Some(first.line), Certainty::Proved, text));
        }
        Outcome::Wrong(line, text) => report.push(Some(line), Certainty::Wrong, text),
        Outcome::Open(reason) => {
            let text = format!("{name}: it is not proved that each element is written once: {reason}");
            report.push(Some(first.line), Certainty::Tried, text);
        }
    }
    Ok(())
}

/// The map from blocks, loops, threads and values to coordinates is a product of one map for each mode if no digit occurs
/// in two modes; threads and values are enumerated, and the tile that they fill has to be such a product.
fn outcome(program: &Program, writers: &[&Site<'_>]) -> Result<Outcome, Error> {
    let mut scope = program.scope.clone();
    let first = writers[0];
    let tensor = program.tensor(first.to);
    let (name, rank) = (&tensor.name, tensor.rank());
    let terms = moving(first.to, rank);
    let differs = |site: &&&Site<'_>| moving(site.to, rank) != terms || site.loops != first.loops;
    if let Some(other) = writers.iter().find(differs) {
        return Ok(Outcome::Open(format!("lines {} and {} move differently", first.line, other.line)));
    }
    let mut indices: Vec<Index> = (0..program.grid.len()).map(Index::Block).collect();
    indices.extend(first.loops.iter().map(|(name, _)| Index::Loop(*name)));
    let mut extents = BTreeMap::new();
    for index in indices {
        let text = program.index_text(index);
        let mut whole = None;
        for site in writers {
            let extent = site.extent(program, index)?;
            if !extent.is_exact || whole.as_ref().is_some_and(|whole| *whole != extent.number) {
                return Ok(Outcome::Open(format!("a condition on {text} is no bound of it")));
            }
            whole = Some(extent.number);
        }
        let whole = whole.unwrap_or(Number::integer(1));
        if matches!(scope.is_at_least(&0.into(), &whole)?, Verdict::Always) {
            let text = format!("{name} is never written: {text} has no values at any size");
            return Ok(Outcome::Wrong(first.line, text));
        }
        let digits: Vec<Digit> =
            terms.iter().flatten().map(|term| term.1).filter(|own| own.index == index).collect();
        if digits.is_empty() && !matches!(scope.is_at_least(&1.into(), &whole)?, Verdict::Always) {
            let times = scope.number_text(&whole);
            let text = format!(
                "{text} does not occur in the coordinates of {name}: elements are written {times} times"
            );
            return Ok(Outcome::Wrong(first.line, text));
        }
        match digit_extents(&mut scope, digits, &whole)? {
            Some(own) => extents.extend(own),
            None => return Ok(Outcome::Open(format!("the digits of {text} are not each used once"))),
        }
    }
    let members: Vec<_> = writers.iter().map(|site| (*site, site.to)).collect();
    let tile = match tile(program, &members, rank, false) {
        Ok(tile) => tile,
        Err((line, text)) => return Ok(Outcome::Wrong(line, text)),
    };
    let tile: Option<Vec<_>> = tile.and_then(|modes| modes.iter().map(|mode| leaves(mode)).collect());
    let Some(tile) = tile else { return Ok(Outcome::Open("threads and values fill no box".into())) };
    let mut sentences = Vec::new();
    for (mode, (own, terms)) in tile.into_iter().zip(&terms).enumerate() {
        let mut leaves: Vec<SymbolicLeaf> = own;
        for (step, digit) in terms {
            let extent = extents.get(digit).cloned().unwrap_or(Number::integer(1));
            leaves.push(SymbolicLeaf::new(extent, *step));
        }
        if leaves.is_empty() {
            leaves.push(SymbolicLeaf::new(1, 0));
        }
        let extent = extent(&mut scope, &tensor.storage, mode)?;
        let reached = inside(&mut scope, &leaves, &extent)?;
        let size = scope.size(&reached)?;
        let (compact, whole) = (scope.is_compact(&reached)?, scope.is_at_least(&size, &extent)?);
        let head = format!("{name} mode {mode}: {}", layout(&scope, &leaves)?);
        match (&compact, &whole) {
            (Verdict::Always, Verdict::Always) => {
                let bound = &first.views[0].bounds[mode];
                let predicate = match bound.verdict {
                    Verdict::Always => String::new(),
                    _ => format!("; predicate c{mode} < {}", bound.extent),
                };
                let size = scope.number_text(&size);
                sentences.push(format!("{head} onto [0,{size}): once{predicate}"));
            }
            (Verdict::Open, _) | (Verdict::Always, Verdict::Open) => {
                return Ok(Outcome::Open(format!("{head} is not decided")));
            }
            (Verdict::Always, _) => {
                let text = format!("{head}: elements are never written{}", unless(&scope, &whole));
                return Ok(Outcome::Wrong(first.line, text));
            }
            _ => {
                let text =
                    format!("{head}: elements are written twice, or never{}", unless(&scope, &compact));
                return Ok(Outcome::Wrong(first.line, text));
            }
        }
    }
    Ok(Outcome::Proved(sentences))
}

/// The layout of the steps that begin inside of an extent: what the others reach is written nowhere.
pub fn inside(scope: &mut Scope, leaves: &[SymbolicLeaf], extent: &Number) -> Result<SymbolicLayout, Error> {
    let mut reached = leaves.to_vec();
    for leaf in reached.iter_mut().filter(|leaf| leaf.stride.as_integer().is_some_and(|stride| stride > 0)) {
        let count = scope.ceil_div(extent, &leaf.stride)?;
        let is_at_most = |most: &Number| matches!(scope.is_at_least(most, &count), Ok(Verdict::Always));
        if is_at_most(&leaf.extent) {
            leaf.extent = if is_at_most(&1.into()) { 1.into() } else { count.clone() };
        }
    }
    layout(scope, &reached)
}

/// The extent of each digit of an index, if the digits are all of its digits, each once.
pub fn digit_extents(
    scope: &mut Scope,
    mut digits: Vec<Digit>,
    whole: &Number,
) -> Result<Option<Vec<(Digit, Number)>>, Error> {
    digits.sort_by_key(|digit| digit.divisor);
    let mut extents = Vec::new();
    for (i, digit) in digits.iter().enumerate() {
        let next = digits.get(i + 1).map(|next| next.divisor);
        let begins = i > 0 || digit.divisor == 1;
        let ends = match (digit.modulus, next) {
            (Some(modulus), Some(next)) => digit.divisor.checked_mul(modulus) == Some(next),
            (modulus, None) => modulus.is_none(),
            (None, Some(_)) => false,
        };
        if !begins || !ends || digit.add != 0 {
            return Ok(None);
        }
        let extent = match digit.modulus {
            Some(modulus) => Number::integer(modulus),
            None if matches!(scope.is_multiple(whole, &digit.divisor.into())?, Verdict::Always) => {
                scope.floor_div(whole, &digit.divisor.into())?
            }
            None => return Ok(None),
        };
        extents.push((*digit, extent));
    }
    Ok(Some(extents))
}

pub fn layout(scope: &Scope, leaves: &[SymbolicLeaf]) -> Result<SymbolicLayout, Error> {
    let leaves: Vec<Tuple<SymbolicLeaf>> = leaves.iter().cloned().map(Tuple::leaf).collect();
    Ok(scope.layout_of(if let [leaf] = &leaves[..] { leaf.clone() } else { Tuple::of(&leaves)? })?)
}

/// The digits of blocks and loops, by mode.
pub fn moving(view: &View, rank: usize) -> Vec<Vec<(i64, Digit)>> {
    let is_moving = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_) | Index::Loop(_));
    view.forms(rank).into_iter().map(|form| form.terms.into_iter().filter(is_moving).collect()).collect()
}

/// The coordinates that threads and values reach, by mode, if they are all combinations; a thread may reach its own
/// again if it `has` them. What is wrong comes with its line.
pub fn tile(
    program: &Program,
    members: &[(&Site<'_>, &View)],
    rank: usize,
    has: bool,
) -> Result<Option<Vec<Vec<i64>>>, (usize, String)> {
    let mut known: BTreeMap<Vec<i64>, (&Site<'_>, i64)> = BTreeMap::new();
    for (own, view) in members {
        let access = Access::new(program, view, own.active, own.values);
        let constants: Vec<i64> = view.forms(rank).iter().map(|form| form.constant).collect();
        for element in 0..own.active * own.values {
            let at: Vec<i64> = access.coordinate(&constants, element as usize).collect();
            let Some((other, before)) = known.insert(at.clone(), (own, element)) else { continue };
            let is_own = has && before / other.values == element / own.values;
            if is_own || is_outside(program, view, &at) {
                continue;
            }
            let who = |own: &Site<'_>, element: i64| {
                format!("thread {} as value {}", element / own.values, element % own.values)
            };
            let (one, two) = (who(other, before), who(own, element));
            let place =
                if other.line == own.line { String::new() } else { format!(" on line {}", other.line) };
            let (name, what) = (&program.tensor(view).name, if has { "accessed" } else { "written twice:" });
            let text = format!("{name}{at:?} of the tile is {what} by {one}{place} and by {two}");
            return Err((own.line, text));
        }
    }
    let mut modes = vec![Vec::new(); rank];
    for at in known.keys() {
        modes.iter_mut().zip(at).for_each(|(mode, index)| mode.push(*index));
    }
    let mut size = 1usize;
    for mode in &mut modes {
        mode.sort_unstable();
        mode.dedup();
        size = size.saturating_mul(mode.len());
    }
    Ok((size == known.len()).then_some(modes))
}

/// Whether what blocks and loops add to the coordinates of a tile leaves them outside of the tensor at all sizes.
fn is_outside(program: &Program, view: &View, at: &[i64]) -> bool {
    let mut scope = program.scope.clone();
    let moved = moving(view, at.len());
    at.iter().zip(moved).enumerate().any(|(mode, (at, moved))| {
        let extent = extent(&mut scope, &program.tensor(view).storage, mode);
        moved.iter().all(|(step, digit)| *step > 0 && digit.add >= 0)
            && extent.is_ok_and(|own| matches!(scope.is_at_least(&(*at).into(), &own), Ok(Verdict::Always)))
    })
}

/// Ascending numbers from 0 as the offsets of a layout, if they are such.
pub fn leaves(offsets: &[i64]) -> Option<Vec<SymbolicLeaf>> {
    if offsets.first() != Some(&0) {
        return None;
    }
    let (mut leaves, mut size) = (Vec::new(), 1);
    while size < offsets.len() {
        // The next leaf repeats what is known at its stride.
        let stride = offsets[size];
        let repeats = |count: usize| {
            let piece = offsets.get(count * size..(count + 1) * size);
            let shift = stride.saturating_mul(count as i64);
            piece.is_some_and(|piece| {
                piece.iter().zip(offsets).all(|(own, base)| *own == base.saturating_add(shift))
            })
        };
        let count = (1..).take_while(|count| repeats(*count)).count() + 1;
        if count == 1 {
            return None;
        }
        leaves.push(SymbolicLeaf::new(count as i64, stride));
        size *= count;
    }
    (size == offsets.len()).then_some(leaves)
}
