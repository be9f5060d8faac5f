//! Races, and reads of what is not written or in flight: the accesses of one block, by the meaning of statements.
//!
//! Nothing is masked in shared memory, so that a block's accesses depend on the sizes by the outcomes of conditions and the
//! numbers of steps alone: by the [cases](super::cases). Elements that all statements access together have one shadow.

use super::cases::{Bound, Cases, Witness};
use super::report::{Certainty, Report};
use super::site::{Seen, Site, place_of};
use super::widths::{is_alone, refusal};
use crate::access::{Access, list};
use crate::form::{Form, Index, Indices};
use crate::instruction::Instruction;
use crate::machine::{Fault, Shadow};
use crate::matrix::{Multiply, Rows};
use crate::prelude::*;
use crate::program::{Kind, Program, Space, Statement, Tensor, View};
use crate::sizes::Addresses;
use tilework_symbolic::Guard;

/// The most accesses and steps that are followed.
const MAX_ACCESSES: usize = 1 << 23;

/// What it takes, in accesses, to ask whether a case occurs.
const QUESTION: usize = 1 << 15;

/// The most elements that have one shadow.
const MAX_UNIT: i64 = 16;

/// A view of shared memory, or of registers, the same in every thread: by value the first of `size` registers.
enum Local<'a> {
    Shared(Access<'a>),
    Registers { view: &'a View, first: Vec<Option<usize>>, size: usize },
}

struct Each<'a> {
    site: &'a Site<'a>,
    reads: Vec<Local<'a>>,
    write: Option<Local<'a>>,
    in_flight: bool,
    /// The elements whose shadow is followed, counted by value and then by thread, with the threads that have their address.
    followed: Vec<(usize, u16)>,
}

enum Step<'a> {
    Each(Each<'a>),
    For { index: usize, count: Bound, body: Vec<Step<'a>> },
    When { form: Form, below: Bound, body: Vec<Step<'a>> },
    Barrier,
    Commit,
    Wait(usize),
}

/// The memory of a block: by tensor, the shadow of a shared one, and of each register how many threads wrote it.
struct Memory {
    shadows: Vec<Shadow>,
    written: Vec<Vec<i64>>,
}

/// What ends a run.
enum End {
    Wrong(usize, String),
    TooLong,
}

struct Races<'a> {
    program: &'a Program,
    conditions: &'a Guard,
    sites: &'a [Site<'a>],
    addresses: Vec<Addresses>,
    /// The elements that have one shadow.
    unit: usize,
    cases: Cases,
    /// Whether shared memory is accessed, and whether asynchronously.
    is_shared: bool,
    is_async: bool,
    /// The most groups of copies that a `wait` leaves, and whether steps of a loop end groups and others do not.
    groups: usize,
    is_sparse: bool,
    /// Why there is no proof.
    open: Option<String>,
    left: usize,
    indices: Indices,
}

/// Follows one block for every case.
pub fn check<'a>(
    program: &'a Program,
    sites: &'a [Site<'a>],
    conditions: &'a Guard,
    report: &mut Report,
) -> Result<(), Error> {
    if program.tensors.iter().all(|tensor| tensor.space.is_global()) {
        return Ok(());
    }
    let mut races = Races::new(program, sites, conditions)?;
    let steps = races.compiled(&program.body)?;
    let groups = if races.is_async { (races.groups as i64).saturating_add(1) } else { 0 };
    races.cases.close(program, groups, races.is_sparse)?;
    let (line, certainty, sentence) = races.follow(&steps)?;
    report.push(line, certainty, sentence);
    Ok(())
}

/// As many contiguous elements of shared memory, from each multiple of it on, are accessed together by all statements.
fn unit(sites: &[Site<'_>]) -> Result<usize, Error> {
    let mut unit = MAX_UNIT;
    for site in sites {
        for seen in site.views.iter().filter(|seen| seen.tensor.space == Space::Shared) {
            let Seen { view, is_written, .. } = seen;
            let rows = site.by.and_then(|by| Rows::of(by, site.views[0].tensor.element));
            if let (Some(rows), false) = (rows, is_written) {
                unit = unit.min(rows.width as i64);
                continue;
            }
            let is_whole = |unit: i64| -> Result<bool, Error> {
                let is_divided = site.values % unit == 0 && is_alone(site.to, site.value, view);
                Ok(is_divided && refusal(site, view, &[], unit)?.is_none())
            };
            while unit > 1 && !is_whole(unit)? {
                unit /= 2;
            }
        }
    }
    Ok(unit as usize)
}

/// Whether a group of copies is ended, in a loop or not.
fn ends_groups(steps: &[Step<'_>]) -> bool {
    steps.iter().any(|step| match step {
        Step::Commit => true,
        Step::For { body, .. } | Step::When { body, .. } => ends_groups(body),
        _ => false,
    })
}

impl<'a> Races<'a> {
    fn new(program: &'a Program, sites: &'a [Site<'a>], conditions: &'a Guard) -> Result<Races<'a>, Error> {
        let none = Addresses::new(&tilework::layout!(1:0).into())?;
        let addresses = program.local_addresses()?.into_iter();
        Ok(Races {
            program,
            conditions,
            addresses: addresses.map(|own| own.unwrap_or(none.clone())).collect(),
            unit: unit(sites)?,
            sites,
            cases: Cases::new(program),
            is_shared: sites
                .iter()
                .flat_map(|site| &site.views)
                .any(|seen| seen.tensor.space == Space::Shared),
            is_async: sites.iter().any(|site| site.by.is_some_and(Instruction::is_async)),
            groups: 0,
            is_sparse: false,
            open: None,
            left: MAX_ACCESSES,
            indices: Indices { loops: vec![0; program.loops.len()], ..Indices::default() },
        })
    }

    fn compiled(&mut self, body: &'a [Statement]) -> Result<Vec<Step<'a>>, Error> {
        let steps = body.iter().map(|statement| self.step(statement).transpose());
        steps.flatten().collect()
    }

    /// A statement, or none where it does nothing to shared memory and registers.
    fn step(&mut self, statement: &'a Statement) -> Result<Option<Step<'a>>, Error> {
        Ok(match &statement.kind {
            Kind::Each { to, .. } => {
                let place = place_of(self.sites, to).ok_or_else(|| Error::new("no statement"))?;
                let each = self.each(&self.sites[place])?;
                (each.write.is_some() || !each.reads.is_empty()).then_some(Step::Each(each))
            }
            Kind::For { index, count, until, body } => {
                let outer = self.cases.enter(*index, count);
                let mut body = self.compiled(body)?;
                if let Some(own) = until.as_ref().filter(|_| !body.is_empty()) {
                    let (form, below) = self.cases.condition(self.program, &own.left, &own.below)?;
                    body = vec![Step::When { form, below, body }];
                }
                self.is_sparse |= ends_groups(&body) && !body.iter().any(|step| matches!(step, Step::Commit));
                let count = Some(count).filter(|_| !body.is_empty());
                let count = self.cases.leave(self.program, *index, outer, count)?;
                count.map(|count| Step::For { index: *index, count, body })
            }
            Kind::When { form, below, body } => {
                let body = self.compiled(body)?;
                if body.is_empty() {
                    return Ok(None);
                }
                let (form, below) = self.cases.condition(self.program, form, below)?;
                Some(Step::When { form, below, body })
            }
            Kind::Barrier => self.is_shared.then_some(Step::Barrier),
            Kind::Commit => self.is_async.then_some(Step::Commit),
            Kind::Wait(groups) => {
                self.groups = self.groups.max(*groups);
                self.is_async.then_some(Step::Wait(*groups))
            }
        })
    }

    fn each(&mut self, site: &'a Site<'a>) -> Result<Each<'a>, Error> {
        let (to, values) = (site.to, site.values as usize);
        let reads = site.views[1..].iter().filter_map(|seen| self.local(seen.view, site).transpose());
        let reads = reads.collect::<Result<_, _>>()?;
        let rows = site.by.and_then(|by| Rows::of(by, self.program.tensor(to).element));
        let followed = (0..site.active as usize * values).filter_map(|element| {
            let own = (element / values, element % values);
            let (thread, i) = rows.as_ref().map_or(own, |rows| rows.reader(element, values));
            (i % self.unit == 0).then_some((element, thread as u16))
        });
        let followed = followed.collect();
        let in_flight = site.by.is_some_and(Instruction::is_async);
        let mut each = Each { site, reads, write: self.local(to, site)?, in_flight, followed };
        if let Some(Instruction::Multiply(atom)) = site.by {
            let multiply = Multiply::new(self.program, atom, to, site.value)?;
            for local in each.reads.iter_mut().chain(&mut each.write) {
                let Local::Registers { view, size, .. } = local else { continue };
                let own = multiply.operands.iter().find(|own| own.tensor == view.tensor);
                *size = own.map_or(1, |own| own.size);
            }
        }
        Ok(each)
    }

    fn local(&mut self, view: &'a View, site: &Site<'_>) -> Result<Option<Local<'a>>, Error> {
        let tensor = self.program.tensor(view);
        match tensor.space {
            Space::Shared => {
                for (_, digit) in self.program.forms(view).iter().flat_map(|form| &form.terms) {
                    match digit.index {
                        Index::Block(_) => self.open = Some("shared memory is indexed by the block".into()),
                        Index::Loop(_) if self.cases.is_endless(digit) => {
                            self.cases.aperiodic =
                                Some("shared memory is indexed by all steps of a loop".into());
                        }
                        Index::Loop(_) => self.cases.see(digit),
                        Index::Thread | Index::Value => {}
                    }
                }
                Ok(Some(Local::Shared(site.access(view))))
            }
            Space::Registers => {
                let access = Access::new(self.program, view, 1, site.values);
                let start = access.start(&self.indices);
                let of = |value| self.addresses[view.tensor].of(access.coordinate(&start, value));
                let first = (0..site.values as usize).map(of).collect();
                Ok(Some(Local::Registers { view, first, size: 1 }))
            }
            _ => Ok(None),
        }
    }

    /// A sentence on what was followed, or on what went wrong, with its line.
    fn follow(&mut self, steps: &[Step<'a>]) -> Result<(Option<usize>, Certainty, String), Error> {
        if let (Some(reason), false) = (&self.cases.aperiodic, self.cases.are_bounded()) {
            self.open = self.open.take().or(Some(reason.clone()));
        }
        let (lows, highs): (Vec<i64>, Vec<i64>) =
            self.cases.unknowns.iter().map(|own| (own.low, own.high)).unzip();
        let (mut witnesses, mut fault, mut doubtful) = (None, None, None);
        let (mut case, mut followed) = (lows.clone(), 0usize);
        loop {
            if let Err((line, text)) = self.run(steps, &case) {
                if witnesses.is_none() {
                    witnesses = Some(self.cases.witnesses(self.program, self.conditions)?);
                }
                let witness = witnesses.iter().flatten().find(|own| own.case == case);
                if let Some(witness) = witness {
                    fault = Some((line, text, witness.text.clone()));
                    break;
                }
                self.left = self.left.saturating_sub(QUESTION);
                if doubtful.is_none() && !self.cases.is_excluded(self.program, &case)? {
                    doubtful = Some((line, format!("{text}, where {}", self.listed(&case, " = "))));
                }
            }
            followed += usize::from(self.left > 0);
            let Some(next) = (0..case.len()).find(|place| case[*place] < highs[*place]) else { break };
            if self.left == 0 {
                self.open = Some(format!("there are more than {MAX_ACCESSES} accesses and steps"));
                break;
            }
            case[next] += 1;
            case[..next].copy_from_slice(&lows[..next]);
        }
        let is_cut = self.left == 0;
        if fault.is_some() || doubtful.is_some() || is_cut {
            // The smallest sizes at which it is wrong.
            self.left = MAX_ACCESSES;
            let known = match witnesses {
                Some(known) => known,
                None => self.cases.witnesses(self.program, self.conditions)?,
            };
            for Witness { text: at, case, .. } in known {
                if let Err((line, text)) = self.run(steps, &case) {
                    fault = Some((line, text, at));
                    break;
                }
            }
        }
        if is_cut && fault.is_none() && doubtful.is_none() {
            // What races late does so in the longest case.
            self.left = MAX_ACCESSES;
            if let Err((line, text)) = self.run(steps, &highs) {
                match self.cases.smallest(self.program, self.conditions, &highs) {
                    Some(at) => fault = Some((line, text, at)),
                    None => doubtful = Some((line, format!("{text}, where {}", self.listed(&highs, " = ")))),
                }
            }
        }
        if let Some((line, text, at)) = fault {
            let at = if at.is_empty() { at } else { format!(", where {at}") };
            return Ok((Some(line), Certainty::Wrong, format!("{text}{at}")));
        }
        if let Some((line, text)) = doubtful {
            let text = format!("{text}: no sizes and no block were found for that, and none are excluded");
            return Ok((Some(line), Certainty::Tried, text));
        }
        let what = "no race, and nothing is read before it is written";
        let at = match self.cases.unknowns.is_empty() {
            true => "as far as was followed".into(),
            false if is_cut => {
                format!("in the first {followed} cases up to {}", self.listed(&highs, " = "))
            }
            false => format!("at {}", self.listed(&highs, " up to ")),
        };
        Ok(match &self.open {
            Some(reason) => (None, Certainty::Tried, format!("{what}, {at}: {reason}")),
            None if self.cases.are_bounded() => (None, Certainty::Proved, format!("{what}, at all sizes")),
            None => {
                let text = format!("{what}, at all sizes: followed {at}, and then the states repeat");
                (None, Certainty::Proved, text)
            }
        })
    }

    /// `ceil(K/4) = 3`, of each unknown.
    fn listed(&self, case: &[i64], between: &str) -> String {
        let values = self.cases.unknowns.iter().zip(case);
        values.map(|(own, value)| format!("{}{between}{value}", own.text)).collect::<Vec<_>>().join(", ")
    }

    /// Follows one case; one that is too long leaves the question open.
    fn run(&mut self, steps: &[Step<'a>], case: &[i64]) -> Result<(), (usize, String)> {
        let shadow = |(tensor, addresses): (&Tensor, &Addresses)| {
            let span = if tensor.space == Space::Shared { addresses.span as usize } else { 0 };
            Shadow::new(span.div_ceil(self.unit))
        };
        let mut memory = Memory {
            shadows: self.program.tensors.iter().zip(&self.addresses).map(shadow).collect(),
            written: self.addresses.iter().map(|at| vec![0; at.span as usize]).collect(),
        };
        match self.body(steps, case, &mut memory) {
            Ok(()) => Ok(()),
            Err(End::TooLong) => {
                self.open = Some(format!("there are more than {MAX_ACCESSES} accesses and steps"));
                Ok(())
            }
            Err(End::Wrong(line, text)) => Err((line, text)),
        }
    }

    fn body(&mut self, steps: &[Step<'a>], case: &[i64], memory: &mut Memory) -> Result<(), End> {
        for step in steps {
            self.spend(1)?;
            match step {
                Step::Each(each) => self.accesses(each, memory)?,
                Step::For { index, count, body } => {
                    for k in 0..count.at(case) {
                        self.indices.loops[*index] = k;
                        self.body(body, case, memory)?;
                    }
                }
                Step::When { form, below, body } => {
                    if form.at(&self.indices) < below.at(case) {
                        self.body(body, case, memory)?;
                    }
                }
                Step::Barrier => memory.shadows.iter_mut().for_each(Shadow::barrier),
                Step::Commit => memory.shadows.iter_mut().for_each(Shadow::commit),
                Step::Wait(groups) => memory.shadows.iter_mut().for_each(|shadow| shadow.wait(*groups)),
            }
        }
        Ok(())
    }

    fn spend(&mut self, accesses: usize) -> Result<(), End> {
        self.left = self.left.saturating_sub(accesses);
        if self.left == 0 { Err(End::TooLong) } else { Ok(()) }
    }

    fn accesses(&mut self, each: &Each<'a>, memory: &mut Memory) -> Result<(), End> {
        let Each { site: Site { line, active, values, .. }, reads, write, in_flight, followed } = each;
        for value in 0..*values as usize {
            for read in reads {
                if let Local::Registers { view, first, size } = read
                    && let Some(at) = first[value]
                    && memory.written[view.tensor][at..][..*size].iter().any(|own| own < active)
                {
                    let text = self.program.view_text(view);
                    let text = format!("{text}: value {value} {} by all threads", Fault::Unwritten);
                    return Err(End::Wrong(*line, text));
                }
            }
            if let Some(Local::Registers { view, first, size }) = write
                && let Some(at) = first[value]
            {
                let known = &mut memory.written[view.tensor][at..][..*size];
                known.iter_mut().for_each(|known| *known = (*known).max(*active));
            }
        }
        let start = |local: &Local<'a>| match local {
            Local::Shared(access) => access.start(&self.indices),
            Local::Registers { .. } => Vec::new(),
        };
        let starts: Vec<Vec<i64>> = reads.iter().chain(write).map(start).collect();
        let shared = reads.iter().chain(write).filter(|local| matches!(local, Local::Shared(_))).count();
        if shared == 0 {
            return Ok(());
        }
        self.spend((active * values) as usize * shared)?;
        for (element, thread) in followed.iter().copied() {
            for (place, local) in reads.iter().chain(write).enumerate() {
                let Local::Shared(access) = local else { continue };
                let tensor = access.view.tensor;
                let at = self.addresses[tensor].of(access.coordinate(&starts[place], element));
                // What is outside is refused elsewhere.
                let Some(at) = at.map(|at| at / self.unit) else { continue };
                let shadow = &mut memory.shadows[tensor];
                let done = match (place == reads.len(), in_flight) {
                    (false, _) => shadow.read(at, thread),
                    (true, false) => shadow.write(at, thread),
                    (true, true) => shadow.copy(at, thread),
                };
                if let Err(fault) = done {
                    let thread = element as i64 / values;
                    let coordinate = list(access.coordinate(&starts[place], element));
                    let (text, name) =
                        (self.program.view_text(access.view), &self.program.tensors[tensor].name);
                    let step = access.step_text(self.program, &self.indices);
                    let text = format!("{text}: {name}({coordinate}) {fault}; thread {thread}{step}");
                    return Err(End::Wrong(*line, text));
                }
            }
        }
        Ok(())
    }
}
