//! Whether every element of a result is written, and once, and whether one thread has each element of an `update` tensor.

use super::report::{Certainty, Report, unless};
use super::site::{Extent, Site, always, is_at_least};
use crate::form::{Digit, Index};
use crate::prelude::*;
use crate::program::{Program, Space, View};
use alloc::collections::BTreeMap;
use tilework_symbolic::{Number, Scope, SymbolicLayout, SymbolicLeaf, Tuple, Verdict};

/// What a proof ends with.
pub enum Outcome {
    Proved(Vec<String>),
    Wrong(usize, String),
    Open(usize, String),
}

/// What proves it.
pub type Proof = fn(&Program, &[Member<'_>]) -> Result<Outcome, Error>;

/// A view of the tensor, in its statement.
pub type Member<'a> = (&'a Site<'a>, &'a View);

/// Checks a tensor that is written by a proof, of what it says.
pub fn check<'a>(
    program: &'a Program,
    tensor: usize,
    sites: &'a [Site<'a>],
    (outcome, what): (Proof, &str),
    report: &mut Report,
) -> Result<(), Error> {
    let members = |site: &'a Site<'a>| site.views.iter().map(move |seen| (site, seen.view));
    let members: Vec<Member<'a>> =
        sites.iter().flat_map(members).filter(|own| own.1.tensor == tensor).collect();
    let name = &program.tensors[tensor].name;
    let Some((first, _)) = members.first() else {
        report.push(None, Certainty::Wrong, format!("{name} is never written"));
        return Ok(());
    };
    match outcome(program, &members).map_err(|error| error.at(first.line))? {
        Outcome::Proved(sentences) => {
            sentences.into_iter().for_each(|text| report.push(Some(first.line), Certainty::Proved, text));
        }
        Outcome::Wrong(line, text) => report.push(Some(line), Certainty::Wrong, text),
        Outcome::Open(line, reason) => {
            let text = format!("{name}: it is not proved that {what}: {reason}");
            report.push(Some(line), Certainty::Tried, text);
        }
    }
    Ok(())
}

/// The coordinates along a mode: those of threads and values, in ascending order, and what blocks and loops add.
pub type Mode = (Vec<i64>, Vec<SymbolicLeaf>);

/// Statements that move alike are one map from blocks, loops, threads and values; several such maps are disjoint along one mode, and
/// each has all of the others.
pub fn outcome(program: &Program, members: &[Member<'_>]) -> Result<Outcome, Error> {
    let (mut scope, (first, view)) = (program.scope.clone(), members[0]);
    let tensor = program.tensor(view);
    let groups = alike(members, |one, two| {
        moving(program, one.1) == moving(program, two.1) && one.0.loops == two.0.loops
    });
    let mut maps = Vec::new();
    for group in &groups {
        match map(program, &mut scope, group)? {
            Ok((own, _)) => maps.push(own),
            Err(Outcome::Wrong(..)) if groups.len() > 1 => break,
            Err(outcome) => return Ok(outcome),
        }
    }
    if groups.len() == 1 {
        return once(&mut scope, members[0], maps.remove(0));
    }
    let lines = format!("lines {} and {}", first.line, groups[1][0].0.line);
    let (mut parted, mut are_whole) = (Vec::new(), maps.len() == groups.len());
    for mode in 0..tensor.rank() {
        let extent = tensor.extent(&scope, mode)?;
        let own: Vec<&Mode> = maps.iter().map(|map| &map[mode]).collect();
        if !are_all(&mut scope, &own, &extent, 1)? {
            parted.push(mode);
            let steps = own.iter().flat_map(|own| &own.1).filter_map(|leaf| leaf.stride.as_integer());
            let last = own.iter().filter_map(|own| own.0.last()).max().copied().unwrap_or(0);
            let periods: Vec<i64> = steps.chain([last.saturating_add(1)]).filter(|step| *step > 1).collect();
            let mut is_parted = are_intervals(&mut scope, &own, &extent)?;
            for period in periods {
                is_parted = is_parted || are_all(&mut scope, &own, &extent, period)?;
            }
            are_whole &= is_parted;
        }
    }
    Ok(match (are_whole, &parted[..]) {
        (true, [mode]) => {
            let text = format!("{} mode {mode}: {lines} write disjoint parts, and all: once", tensor.name);
            Outcome::Proved(vec![text])
        }
        _ => Outcome::Open(first.line, format!("{lines} move differently")),
    })
}

/// What is alike together, in the order of the first ones.
pub fn alike<T: Copy>(all: &[T], is_alike: impl Fn(T, T) -> bool) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|own| is_alike(own[0], *one)) {
            Some(own) => own.push(*one),
            None => groups.push(vec![*one]),
        }
    }
    groups
}

/// Whether modes have different remainders by a period, all of them together, and each all coordinates with its own; by 1 each has all.
fn are_all(scope: &mut Scope, modes: &[&Mode], extent: &Number, period: i64) -> Result<bool, Error> {
    let count = scope.ceil_div(extent, &period.into())?;
    let mut remainders = Vec::new();
    for (offsets, moving) in modes {
        let own = offsets.partition_point(|offset| *offset < period);
        let repeated = offsets.chunks(own.max(1)).enumerate().all(|(i, chunk)| {
            chunk.iter().map(|offset| offset - period * i as i64).eq(offsets[..own].iter().copied())
        });
        let steps: Option<Vec<i64>> = moving.iter().map(|leaf| leaf.stride.as_integer()).collect();
        let Some(steps) =
            steps.filter(|steps| own > 0 && repeated && steps.iter().all(|step| step % period == 0))
        else {
            return Ok(false);
        };
        let mut leaves = vec![SymbolicLeaf::new((offsets.len() / own) as i64, 1)];
        let moving = moving.iter().zip(&steps);
        leaves.extend(moving.map(|(leaf, step)| SymbolicLeaf::new(leaf.extent.clone(), step / period)));
        let reached = inside(scope, &leaves, &count)?;
        let size = scope.size(&reached)?;
        if !always(scope.is_compact(&reached))? || !is_at_least(scope, &size, &count) {
            return Ok(false);
        }
        remainders.extend_from_slice(&offsets[..own]);
    }
    remainders.sort_unstable();
    let is_one = period == 1 && remainders.iter().all(|own| *own == 0);
    Ok(is_one || remainders.into_iter().eq(0..period))
}

/// Whether modes are intervals, each from the end of the last one on, up to the extent or beyond.
fn are_intervals(scope: &mut Scope, modes: &[&Mode], extent: &Number) -> Result<bool, Error> {
    let (mut modes, mut end) = (modes.to_vec(), Number::integer(0));
    tilework::__private::sort_by_key(&mut modes, |own| own.0[0]);
    for (offsets, moving) in modes {
        let start = offsets[0];
        let Some(mut all) = leaves(&offsets.iter().map(|own| own - start).collect::<Vec<_>>()) else {
            return Ok(false);
        };
        all.extend(moving.iter().cloned());
        all.push(SymbolicLeaf::new(1, 0));
        let whole = layout(scope, &all)?;
        if end.as_integer() != Some(start) || !always(scope.is_compact(&whole))? {
            return Ok(false);
        }
        end = scope.size(&whole)?.plus(start)?;
    }
    Ok(is_at_least(scope, &end, extent))
}

/// The map is a product of one for each mode if no digit occurs in two modes; threads and values are enumerated, and the tile that they
/// fill has to be such a product. Whether blocks and steps are all that the statements have comes with it.
pub fn map(
    program: &Program,
    scope: &mut Scope,
    members: &[Member<'_>],
) -> Result<Result<(Vec<Mode>, bool), Outcome>, Error> {
    let (first, view) = members[0];
    let tensor = program.tensor(view);
    let (name, is_update) = (&tensor.name, tensor.space == Space::Update);
    let open = |line: usize, reason: String| Ok(Err(Outcome::Open(line, reason)));
    if let Some((other, _)) = members.iter().find(|(_, own)| own.gathers().next().is_some()) {
        return open(other.line, "a coordinate is read".into());
    }
    let (terms, mut extents, mut are_exact) = (moving(program, view), BTreeMap::new(), true);
    let blocks = (0..program.grid.len()).map(Index::Block);
    for index in blocks.chain(first.loops.iter().map(|(name, _)| Index::Loop(*name))) {
        let text = program.index_text(index);
        let digits: Vec<Digit> =
            terms.iter().flatten().map(|term| term.1).filter(|own| own.index == index).collect();
        let is_block = matches!(index, Index::Block(_));
        if is_update && digits.is_empty() && !is_block {
            continue;
        }
        // As many values as in any of the statements.
        let Extent { mut number, mut is_exact } = first.extent(index)?;
        for (other, _) in &members[1..] {
            let own = other.extent(index)?;
            is_exact &= own.is_exact && own.number == number;
            if !is_at_least(scope, &number, &own.number) {
                if !is_at_least(scope, &own.number, &number) {
                    return open(other.line, format!("{text} has other values on line {}", first.line));
                }
                number = own.number;
            }
        }
        if !is_update && !is_exact {
            return open(first.line, format!("a condition on {text} is no bound of it"));
        }
        are_exact &= is_exact;
        if (is_block || !is_update) && is_at_least(scope, &0.into(), &number) {
            let text = format!("{name} is never written: {text} has no values at any size");
            let wrong = Outcome::Wrong(first.line, text);
            return Ok(Err(if is_update { Outcome::Proved(Vec::new()) } else { wrong }));
        }
        if digits.is_empty() && !always(scope.is_at_least(&1.into(), &number))? {
            let what = match is_update {
                true => "several blocks have each element".into(),
                false => format!("elements are written {} times", scope.number_text(&number)),
            };
            let text = format!("{text} does not occur in the coordinates of {name}: {what}");
            let wrong = Outcome::Wrong(first.line, text.clone());
            return Ok(Err(if is_exact { wrong } else { Outcome::Open(first.line, text) }));
        }
        if !digits.is_empty() || !is_update {
            match digit_extents(scope, digits, &number)? {
                Some(own) => extents.extend(own),
                None => return open(first.line, format!("the digits of {text} are not each used once")),
            }
        }
    }
    let tile = match tile(program, members, is_update) {
        Ok(Some(tile)) => tile,
        Ok(None) => return open(first.line, "threads and values fill no box".into()),
        Err((line, text)) => return Ok(Err(Outcome::Wrong(line, text))),
    };
    let leaf = |(step, digit): &(i64, Digit)| {
        SymbolicLeaf::new(extents.get(digit).cloned().unwrap_or(Number::integer(1)), *step)
    };
    let modes = tile.into_iter().zip(&terms).map(|(own, terms)| (own, terms.iter().map(leaf).collect()));
    Ok(Ok((modes.collect(), are_exact)))
}

/// Whether one map has each element once.
fn once(scope: &mut Scope, (first, _): Member<'_>, modes: Vec<Mode>) -> Result<Outcome, Error> {
    let (seen, mut sentences) = (&first.views[0], Vec::new());
    let name = &seen.tensor.name;
    for (mode, (offsets, moving)) in modes.into_iter().enumerate() {
        let open = |reason: String| Ok(Outcome::Open(first.line, reason));
        let Some(mut leaves) = leaves(&offsets) else {
            return open("threads and values fill no box".into());
        };
        leaves.extend(moving);
        if leaves.is_empty() {
            leaves.push(SymbolicLeaf::new(1, 0));
        }
        let extent = seen.tensor.extent(scope, mode)?;
        let reached = inside(scope, &leaves, &extent)?;
        let size = scope.size(&reached)?;
        let (compact, whole) = (scope.is_compact(&reached)?, scope.is_at_least(&size, &extent)?);
        let head = format!("{name} mode {mode}: {}", layout(scope, &leaves)?);
        let (what, verdict) = match (&compact, &whole) {
            (Verdict::Always, Verdict::Always) => {
                let bound = &seen.bounds[mode];
                let predicate = match bound.verdict {
                    Verdict::Always => String::new(),
                    _ => format!("; predicate c{mode} < {}", bound.extent),
                };
                let size = scope.number_text(&size);
                sentences.push(format!("{head} onto [0,{size}): once{predicate}"));
                continue;
            }
            (Verdict::Open, _) | (Verdict::Always, Verdict::Open) => {
                return open(format!("{head} is not decided"));
            }
            (Verdict::Always, _) => ("never written", &whole),
            _ => ("written twice, or never", &compact),
        };
        let text = format!("{head}: elements are {what}{}", unless(scope, verdict));
        return Ok(Outcome::Wrong(first.line, text));
    }
    Ok(Outcome::Proved(sentences))
}

/// The layout of the steps that begin inside of an extent: what the others reach is written nowhere.
pub fn inside(scope: &mut Scope, leaves: &[SymbolicLeaf], extent: &Number) -> Result<SymbolicLayout, Error> {
    let mut reached = leaves.to_vec();
    for leaf in reached.iter_mut().filter(|leaf| leaf.stride.as_integer().is_some_and(|stride| stride > 0)) {
        let count = scope.ceil_div(extent, &leaf.stride)?;
        let is_at_most = |most: &Number| is_at_least(scope, most, &count);
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
    tilework::__private::sort_by_key(&mut digits, |digit| digit.divisor);
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
            None if always(scope.is_multiple(whole, &digit.divisor.into()))? => {
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
pub fn moving(program: &Program, view: &View) -> Vec<Vec<(i64, Digit)>> {
    let is_moving = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_) | Index::Loop(_));
    program.forms(view).into_iter().map(|form| form.terms.into_iter().filter(is_moving).collect()).collect()
}

/// The coordinates that threads and values reach, by mode, if they are all combinations; a thread may reach its own
/// again if it `has` them. What is wrong comes with its line.
fn tile(
    program: &Program,
    members: &[Member<'_>],
    has: bool,
) -> Result<Option<Vec<Vec<i64>>>, (usize, String)> {
    let mut known: BTreeMap<Vec<i64>, (&Site<'_>, i64)> = BTreeMap::new();
    for (own, view) in members {
        let access = own.access(view);
        let constants: Vec<i64> = program.forms(view).iter().map(|form| form.constant).collect();
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
    let mut modes = vec![Vec::new(); program.tensor(members[0].1).rank()];
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
    let (scope, tensor) = (&program.scope, program.tensor(view));
    at.iter().zip(moving(program, view)).enumerate().any(|(mode, (at, moved))| {
        moved.iter().all(|(step, digit)| *step > 0 && digit.add >= 0)
            && tensor.extent(scope, mode).is_ok_and(|own| is_at_least(scope, &(*at).into(), &own))
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
