//! What is known of a program before it runs: for all sizes where it is proved, and else what was tried.

mod along;
mod banks;
mod bounds;
mod cases;
mod cover;
mod interval;
mod masks;
mod narrow;
mod operands;
mod outside;
mod races;
mod report;
mod sampled;
mod shifts;
mod site;
mod touched;
mod update;
mod value;
mod widths;

pub(crate) use narrow::Narrow;
pub use report::{Certainty, Finding, Report};
pub(crate) use site::{Seen, Site, place_of};
pub use touched::{Touch, Touched};
pub(crate) use widths::{Refusal, refusal, sites};

use crate::prelude::*;
use crate::program::{Program, Space, Storage, Tensor};
use crate::sizes::MAX_BLOCKS;
use tilework_symbolic::{Guard, Number, SymbolicLeaf, Verdict};

/// What is proved of what is written, and of what is updated.
const ONCE: (cover::Proof, &str) = (cover::outcome, "each element is written once");
const PARTED: (cover::Proof, &str) = (update::outcome, "one thread has each element");

/// A stride that is larger than others.
const LARGE: i64 = 1 << 40;

impl Program {
    /// Checks the program for all sizes: that each element of a result is written once, which accesses need a predicate,
    /// that shared memory and registers are accessed inside, and that no two threads race and no value is read before it
    /// is written.
    ///
    /// # Errors
    /// Where the numbers of the program are too large to compute with.
    pub fn check(&self) -> Result<Report, Error> {
        let conditions = self.conditions()?;
        let mut report = Report::new(self.condition_text(&conditions));
        // A bound of a name that a launch needs is a fact.
        let mut program = self.clone();
        let mut own = Guard::ALWAYS;
        self.need_blocks(&mut own)?;
        self.tensors.iter().try_for_each(|tensor| self.need_places(tensor, &mut own))?;
        for clause in self.scope.reduced(&own)?.each() {
            if self.scope.names_in(clause.numbers()).count() == 1 && clause.clauses()[0].len() == 1 {
                // One that the facts cannot be given is only a condition.
                let _ = program.scope.assume_guard(&clause);
            }
        }
        let program = &program;
        let sites = sites(program)?;
        for site in &sites {
            bounds::check(site, &mut report);
            banks::check(site, &mut report)
                .and_then(|()| shifts::check(site, site.value, &mut report))
                .map_err(|error| error.at(site.line))?;
        }
        bounds::check_unread(program, &sites, &mut report);
        for (place, tensor) in program.tensors.iter().enumerate() {
            match (tensor.space, &tensor.storage) {
                (Space::Write, _) => cover::check(program, place, &sites, ONCE, &mut report)?,
                (Space::Update, _) => cover::check(program, place, &sites, PARTED, &mut report)?,
                (_, Storage::Local(layout)) => check_places(tensor, layout, &mut report)?,
                _ => {}
            }
        }
        let is_proved = report.is_proved();
        if !is_proved {
            sampled::check(program, &mut report);
        }
        outside::check(program, &sites, &mut report)?;
        operands::check(program, &sites, &mut report)?;
        races::check(program, &sites, &conditions, &mut report)?;
        if is_proved && report.is_right() && !report.is_proved() {
            sampled::check(program, &mut report);
        }
        report.findings.sort_by_key(|finding| finding.line.unwrap_or(usize::MAX));
        report.findings.dedup();
        Ok(report)
    }

    /// The condition under which the program may be launched: that no two elements of what it writes are at one place, that
    /// all addresses, and all else that a kernel compares or divides, fit 32 bits, and that no axis of the grid has more blocks
    /// than a device.
    ///
    /// ```
    /// use tilework_program::Program;
    /// let text = "kernel k 32 threads, grid (1)\nwrite B f32 (M,N):(1,ldb)\nassume M <= 64, N <= 64, ldb <= 99\n";
    /// let program: Program = text.parse()?;
    /// assert_eq!(program.scope().guard_text(&program.conditions()?), "ldb >= M or N <= 1");
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where a layout can never be launched, or the sign of a stride is unknown.
    pub fn conditions(&self) -> Result<Guard, Error> {
        let mut guard = Guard::ALWAYS;
        self.need_blocks(&mut guard)?;
        for tensor in &self.tensors {
            self.need_places(tensor, &mut guard)?;
            self.need_addresses(tensor, &mut guard).map_err(|error| error.at(tensor.line))?;
        }
        let (numbers, most, mut scope) = (self.narrow()?, i64::from(u32::MAX).into(), self.scope.clone());
        // A size is one of these integers; one that is equal to others has their bounds.
        for name in self.scope.names_in(numbers.iter().map(|own| &own.number)) {
            let _ = scope.assume_at_least(&most, &scope.find(name).unwrap_or(0.into()));
        }
        for Narrow { number, is_signed, line } in &numbers {
            let text = format!("{}, which the kernel computes,", self.scope.number_text(number));
            let below = if *is_signed { Verdict::Always } else { scope.is_at_least(number, &0.into())? };
            let fits = scope.is_at_least(&most, number)?;
            let done = self.need(&mut guard, fits, &text, "does not fit 32 bits");
            let done = done.and_then(|()| {
                self.need(&mut guard, below, &text, "is below 0, and its numbers have no sign")
            });
            done.map_err(|error| error.at(*line))?;
        }
        Ok(self.scope.reduced(&guard)?)
    }

    /// Adds the condition that a global tensor has no elements before its first one, and that its addresses fit 32 bits.
    fn need_addresses(&self, tensor: &Tensor, guard: &mut Guard) -> Result<(), Error> {
        let (name, mut scope) = (&tensor.name, self.scope.clone());
        let Storage::Global(layout) = &tensor.storage else { return Ok(()) };
        for (stride, _) in layout.leaves().iter().flat_map(SymbolicLeaf::terms) {
            let below = self.scope.is_at_least(stride, &0.into())?;
            if let Verdict::When(own) = &below {
                let _ = scope.assume_guard(own);
            }
            self.need(guard, below, name, "has elements before its first one: a stride is below 0")?;
        }
        let fits = scope.fits(layout, 32).map_err(|error| named(tensor, error))?;
        self.need(guard, fits, name, "has addresses that do not fit 32 bits")
    }

    /// Adds the condition that a device has the blocks of each axis.
    fn need_blocks(&self, guard: &mut Guard) -> Result<(), Error> {
        for (axis, blocks) in self.grid.iter().enumerate() {
            let (name, scope) = (format!("axis {axis} of the grid"), &self.scope);
            self.need(guard, scope.is_at_least(blocks, &0.into())?, &name, "has fewer than 0 blocks")?;
            let what = format!("has more than {MAX_BLOCKS} blocks: take larger tiles, or another axis");
            self.need(guard, scope.is_at_least(&MAX_BLOCKS.into(), blocks)?, &name, &what)?;
        }
        Ok(())
    }

    /// Adds the condition that no two elements of a tensor that is written are at one place.
    fn need_places(&self, tensor: &Tensor, guard: &mut Guard) -> Result<(), Error> {
        let (Storage::Global(layout), false) = (&tensor.storage, tensor.space == Space::Read) else {
            return Ok(());
        };
        let mut verdict = self.scope.is_injective(layout).map_err(|error| named(tensor, error))?;
        // Of two unknown strides of what is updated, either may be the larger one.
        let strides = layout.leaves().iter().map(|leaf| &leaf.stride);
        let open: Vec<&Number> = strides.filter(|own| own.as_integer().is_none()).collect();
        let is_either = tensor.space == Space::Update && open.len() == 2;
        for name in self.scope.names_in(open.into_iter().filter(|_| is_either)) {
            let mut scope = self.scope.clone();
            scope.hint(name, Some(LARGE))?;
            if let (Verdict::When(own), Ok(Verdict::When(other))) = (&verdict, scope.is_injective(layout))
                && *own != other
            {
                verdict = Verdict::When(own.or(&other));
            }
        }
        let done = self.need(guard, verdict, &tensor.name, "has two elements at one place");
        done.map_err(|error| error.at(tensor.line))
    }

    /// Adds what a launch needs so that a tensor is not what the sentence says.
    fn need(&self, guard: &mut Guard, verdict: Verdict, name: &str, what: &str) -> Result<(), Error> {
        match verdict {
            Verdict::Always => {}
            Verdict::When(own) if self.scope.reduced(&own).is_ok() => guard.push_all(&own),
            // What the facts refute is so at no sizes.
            Verdict::When(_) | Verdict::Never => return Err(error!("{name} {what}")),
            Verdict::Open => return Err(error!("it is not decided whether {name} {what}")),
        }
        Ok(())
    }

    /// The facts, and the conditions of a launch.
    pub(crate) fn condition_text(&self, conditions: &Guard) -> String {
        let mut text = self.facts.clone();
        if !conditions.is_always() {
            text.push(self.scope.guard_text(conditions));
        }
        if text.is_empty() { "sizes are 1 or more".into() } else { text.join(" and ") }
    }
}

/// What is wrong with the layout of a tensor.
fn named(tensor: &Tensor, error: tilework::Error) -> Error {
    error!("{}: {error}; `assume` what is known of its strides", tensor.name).at(tensor.line)
}

/// Whether the elements of a shared tensor or of registers are at different places.
fn check_places(tensor: &Tensor, layout: &tilework::AnyLayout, report: &mut Report) -> Result<(), Error> {
    let addresses = crate::sizes::Addresses::new(layout)?;
    let mut known = vec![false; addresses.span as usize];
    for at in crate::access::coordinates(&addresses.extents) {
        let place = addresses.of(at.iter().copied());
        if place.is_some_and(|place| core::mem::replace(&mut known[place], true)) {
            let mut all = crate::access::coordinates(&addresses.extents);
            let other = all.find(|other| addresses.of(other.iter().copied()) == place).unwrap_or_default();
            let name = &tensor.name;
            let text = format!("{name}: {layout} has the elements {other:?} and {at:?} at one place");
            report.push(Some(tensor.line), Certainty::Wrong, text);
            return Ok(());
        }
    }
    Ok(())
}
