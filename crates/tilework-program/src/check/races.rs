//! Races, and reads of what is not written or in flight: the accesses of one block, by the meaning of statements.
//!
//! Nothing is masked in shared memory, so that a block's accesses depend on the sizes by the outcomes of conditions and the
//! numbers of steps alone. A digit of a loop's index is periodic, and a condition compares the index with a bound, so that
//! after as many steps as the largest constant the accesses repeat with the least common multiple of the periods. Where the
//! shadow of the memory repeats too, more steps show nothing new. Elements that all statements access together have one
//! shadow.

use super::report::{Certainty, Report};
use super::site::{Seen, Site, place_of, range};
use super::widths::{is_alone, refusal};
use crate::access::{Access, list};
use crate::error::Error;
use crate::form::{Digit, Form, Index, Indices};
use crate::instruction::Instruction;
use crate::machine::{Fault, Shadow};
use crate::matrix::{Multiply, Rows};
use crate::program::{Kind, Program, Space, Statement, Storage, Tensor, View};
use crate::sizes::Addresses;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use tilework::__private::gcd;
use tilework_symbolic::{Number, Verdict};

/// The most accesses that are followed, and steps of a loop.
const MAX_ACCESSES: usize = 1 << 25;
const MAX_STEPS: i64 = 1 << 12;

/// The most elements that have one shadow.
const MAX_UNIT: i64 = 16;

/// A number that a loop or a condition asks for, and that the sizes or the block determine.
struct Unknown {
    /// The number, less what the block adds to the other side.
    number: Number,
    blocks: Vec<(i64, Digit)>,
    text: String,
    /// Not above any of its values that matters.
    low: i64,
}

/// An unknown and an addend, or a constant.
#[derive(Clone, Copy)]
struct Bound {
    unknown: Option<usize>,
    add: i64,
}

impl Bound {
    fn at(self, case: &[i64]) -> i64 {
        self.unknown.map_or(0, |unknown| case[unknown]).saturating_add(self.add)
    }
}

/// A view of shared memory, or of registers: the same in every thread.
enum Local<'a> {
    Shared(Access<'a>),
    Registers {
        view: &'a View,
        /// By value; each is the first of some registers.
        first: Vec<Option<usize>>,
        size: usize,
    },
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
    For { index: usize, place: usize, count: Bound, body: Vec<Step<'a>> },
    When { form: Form, below: Bound, body: Vec<Step<'a>> },
    Barrier,
    Commit,
    Wait(usize),
}

/// The memory of a block: by tensor, the shadow of a shared one, and of each register how many threads wrote it.
#[derive(Clone, PartialEq)]
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
    sites: &'a [Site<'a>],
    addresses: Vec<Addresses>,
    /// The elements that have one shadow.
    unit: usize,
    unknowns: Vec<Unknown>,
    /// The period of all loops, and the number of steps after which conditions no longer change.
    period: i64,
    constant: i64,
    /// Why there is no proof, and why there is none unless the numbers of steps are bounded.
    open: Option<String>,
    aperiodic: Option<String>,
    /// The number of loops, and by name whether the number of its steps is the same at all sizes.
    loops: usize,
    fixed: Vec<bool>,
    left: usize,
    indices: Indices,
    /// In a long run, for each loop the step from which its states repeat.
    repeats: Vec<Option<i64>>,
}

/// Follows one block for every outcome of conditions and every number of steps that differs from the others.
pub fn check<'a>(program: &'a Program, sites: &'a [Site<'a>], report: &mut Report) -> Result<(), Error> {
    if program.tensors.iter().all(|tensor| tensor.space.is_global()) {
        return Ok(());
    }
    let mut races = Races::new(program, sites)?;
    let steps = races.compiled(&program.body)?;
    match races.follow(&steps) {
        Ok(sentence) => {
            let certainty = if races.open.is_none() { Certainty::Proved } else { Certainty::Tried };
            report.push(None, certainty, sentence);
        }
        Err((line, text)) => report.push(Some(line), Certainty::Wrong, text),
    }
    Ok(())
}

/// As many contiguous elements of shared memory, from each multiple of it on, are accessed together by all statements.
fn unit(program: &Program, sites: &[Site<'_>]) -> Result<usize, Error> {
    let mut unit = MAX_UNIT;
    for site in sites {
        for Seen { view, is_written, .. } in &site.views {
            if program.tensor(view).space != Space::Shared {
                continue;
            }
            let rows = site.by.and_then(|by| Rows::of(by, program.tensor(site.to).element));
            if let (Some(rows), false) = (rows, is_written) {
                unit = unit.min(rows.width as i64);
                continue;
            }
            let is_whole = |unit: i64| -> Result<bool, Error> {
                let is_divided = site.values % unit == 0 && is_alone(site.to, site.value, view);
                Ok(is_divided && refusal(program, view, site.active, site.values, &[], unit)?.is_none())
            };
            while unit > 1 && !is_whole(unit)? {
                unit /= 2;
            }
        }
    }
    Ok(unit as usize)
}

impl<'a> Races<'a> {
    fn new(program: &'a Program, sites: &'a [Site<'a>]) -> Result<Races<'a>, Error> {
        let addresses = program.tensors.iter().map(|tensor| match &tensor.storage {
            Storage::Global(_) => Addresses::new(&tilework::layout!(1:0).into()),
            Storage::Local(layout) => Addresses::new(layout),
        });
        Ok(Races {
            program,
            addresses: addresses.collect::<Result<_, _>>()?,
            unit: unit(program, sites)?,
            sites,
            unknowns: Vec::new(),
            period: 1,
            constant: 0,
            open: None,
            aperiodic: None,
            loops: 0,
            fixed: vec![false; program.loops.len()],
            left: MAX_ACCESSES,
            indices: Indices { loops: vec![0; program.loops.len()], ..Indices::default() },
            repeats: Vec::new(),
        })
    }

    fn compiled(&mut self, body: &'a [Statement]) -> Result<Vec<Step<'a>>, Error> {
        body.iter().map(|statement| self.step(statement)).collect()
    }

    fn step(&mut self, statement: &'a Statement) -> Result<Step<'a>, Error> {
        Ok(match &statement.kind {
            Kind::Each { to, .. } => {
                let place = place_of(self.sites, to).ok_or_else(|| Error::new("no statement"))?;
                Step::Each(self.each(&self.sites[place])?)
            }
            Kind::For { index, count, body } => {
                let place = self.loops;
                self.loops += 1;
                let count = self.bound(count, Vec::new())?;
                self.fixed[*index] = count.unknown.is_none();
                if count.unknown.is_some() {
                    self.constant = self.constant.max(count.add.saturating_abs());
                }
                Step::For { index: *index, place, count, body: self.compiled(body)? }
            }
            Kind::When { form, below, body } => {
                let is_block = |(_, digit): &(i64, Digit)| matches!(digit.index, Index::Block(_));
                let (blocks, terms): (Vec<_>, Vec<_>) = form.terms.iter().copied().partition(is_block);
                let below = self.bound(below, blocks)?;
                let mut reach = form.constant.saturating_add(below.add.saturating_abs());
                for (_, digit) in &terms {
                    self.see(digit);
                    reach = reach.saturating_mul(digit.divisor);
                }
                self.constant = self.constant.max(reach);
                let form = Form { constant: form.constant, terms };
                Step::When { form, below, body: self.compiled(body)? }
            }
            Kind::Barrier => Step::Barrier,
            Kind::Commit => Step::Commit,
            Kind::Wait(groups) => Step::Wait(*groups),
        })
    }

    /// Takes a digit of a loop's index into account.
    fn see(&mut self, digit: &Digit) {
        self.constant = self.constant.max(digit.add);
        if let Some(modulus) = digit.modulus {
            let own = digit.divisor.saturating_mul(modulus);
            let common = own / gcd(self.period.unsigned_abs(), own.unsigned_abs()) as i64;
            self.period = self.period.saturating_mul(common).min(2 * MAX_STEPS);
        }
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
                for (_, digit) in view.forms(tensor.rank()).iter().flat_map(|form| &form.terms) {
                    match digit.index {
                        Index::Block(_) => self.open = Some("shared memory is indexed by the block".into()),
                        Index::Loop(name) if self.fixed[name] => {}
                        Index::Loop(_) if digit.modulus.is_none() => {
                            self.aperiodic = Some("shared memory is indexed by all steps of a loop".into());
                        }
                        Index::Loop(_) => self.see(digit),
                        Index::Thread | Index::Value => {}
                    }
                }
                Ok(Some(Local::Shared(Access::new(self.program, view, site.active, site.values))))
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

    /// A number as one of the unknowns and an addend.
    fn bound(&mut self, number: &Number, blocks: Vec<(i64, Digit)>) -> Result<Bound, Error> {
        if let (Some(add), true) = (number.as_integer(), blocks.is_empty()) {
            return Ok(Bound { unknown: None, add });
        }
        for (place, known) in self.unknowns.iter().enumerate() {
            if known.blocks == blocks
                && let Some(add) = number.sub(&known.number)?.as_integer()
            {
                return Ok(Bound { unknown: Some(place), add });
            }
        }
        let mut scope = self.program.scope.clone();
        let (mut low, mut text) = (1, scope.number_text(number));
        if blocks.is_empty() {
            while !matches!(scope.is_at_least(number, &low.into())?, Verdict::Always) && low > -MAX_STEPS {
                low = (low - 1) * 2;
            }
        } else {
            let form = Form { constant: 0, terms: blocks.clone() };
            text = format!("{text} - ({})", self.program.form_text(&form));
            let (_, reach) = range(&mut scope, &form, |index| match index {
                Index::Block(axis) => Ok(self.program.grid[axis].clone()),
                _ => Ok(1.into()),
            })?;
            low = i64::from(matches!(scope.is_at_least(number, &reach)?, Verdict::Always));
        }
        self.unknowns.push(Unknown { number: number.clone(), blocks, text, low });
        Ok(Bound { unknown: Some(self.unknowns.len() - 1), add: 0 })
    }

    /// For each unknown its largest value that the facts admit, or `last`; and whether the facts bound all of them.
    fn highs(&self, last: i64) -> Result<(Vec<i64>, bool), Error> {
        let (mut highs, mut are_bounded) = (Vec::new(), true);
        for Unknown { number, blocks, low, .. } in &self.unknowns {
            let mut high = *low;
            let is_bound = |high: i64| self.program.scope.is_at_least(&high.into(), number);
            while high < last && (!blocks.is_empty() || !matches!(is_bound(high)?, Verdict::Always)) {
                high += 1;
            }
            are_bounded &= blocks.is_empty() && matches!(is_bound(high)?, Verdict::Always);
            highs.push(high);
        }
        Ok((highs, are_bounded))
    }

    /// A sentence on what was followed, or the line where it went wrong.
    fn follow(&mut self, steps: &[Step<'a>]) -> Result<String, (usize, String)> {
        let mut last = self.constant.saturating_mul(2).saturating_add(3 * self.period + 2);
        if last > MAX_STEPS {
            self.aperiodic = Some(format!("loops have a period of {} steps", self.period));
            last = MAX_STEPS;
        }
        let failed = |error: Error| (0, error.message().to_string());
        // From which step on do the states repeat, where all loops are long?
        self.repeats = vec![Some(0); self.loops];
        let (case, are_bounded) = self.highs(last).map_err(failed)?;
        let long = self.run(steps, &case);
        match self.repeats.iter().copied().try_fold(0, |most, own| own.map(|own| most.max(own))) {
            Some(repeats) if long.is_ok() => last = last.min(repeats + self.period + self.constant),
            _ => self.aperiodic = Some("the states of a loop do not repeat".into()),
        }
        self.repeats.clear();
        if let (Some(reason), false) = (&self.aperiodic, are_bounded) {
            self.open = self.open.take().or(Some(reason.clone()));
        }
        let highs = self.highs(last).map_err(failed)?.0;
        let lows: Vec<i64> = self.unknowns.iter().map(|unknown| unknown.low).collect();
        let mut case = lows.clone();
        loop {
            // The shortest case of what is wrong comes first.
            self.run(steps, &case)?;
            let next = (0..case.len()).find(|place| case[*place] < highs[*place]);
            let Some(next) = next.filter(|_| self.left > 0) else { break };
            case[next] += 1;
            case[..next].copy_from_slice(&lows[..next]);
        }
        long?;
        let what = "no race, and nothing is read before it is written";
        let names: Vec<&str> = self.unknowns.iter().map(|unknown| &*unknown.text).collect();
        let followed = format!("{} up to {last}", names.join(", "));
        Ok(match &self.open {
            Some(reason) => format!("{what}, at {followed}: {reason}"),
            None if names.is_empty() || are_bounded => format!("{what}, at all sizes"),
            None => format!("{what}, at all sizes: followed at {followed}, and then the states repeat"),
        })
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
                self.open = Some(format!("more than {MAX_ACCESSES} accesses"));
                Ok(())
            }
            Err(End::Wrong(line, text)) => {
                let values = self.unknowns.iter().zip(case);
                let values: Vec<String> =
                    values.map(|(own, value)| format!("{} = {value}", own.text)).collect();
                let at = if values.is_empty() { "" } else { ", where " };
                Err((line, format!("{text}{at}{}", values.join(", "))))
            }
        }
    }

    fn body(&mut self, steps: &[Step<'a>], case: &[i64], memory: &mut Memory) -> Result<(), End> {
        for step in steps {
            self.spend(1)?;
            match step {
                Step::Each(each) => self.accesses(each, memory)?,
                Step::For { index, place, count, body } => {
                    let is_long = !self.repeats.is_empty() && count.unknown.is_some();
                    let mut states = Vec::new();
                    for k in 0..count.at(case) {
                        if is_long {
                            states.push(memory.clone());
                        }
                        self.indices.loops[*index] = k;
                        self.body(body, case, memory)?;
                    }
                    if is_long {
                        let period = self.period as usize;
                        let mut starts = self.constant as usize..states.len().saturating_sub(period);
                        let first = starts.find(|start| states[*start] == states[start + period]);
                        self.repeats[*place] =
                            self.repeats[*place].zip(first).map(|(own, first)| own.max(first as i64));
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
