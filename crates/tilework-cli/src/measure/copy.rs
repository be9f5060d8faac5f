//! `tilework copy SRC DST`.

use super::compared::{self, Check, compare};
use super::elements::{Width, element};
use super::memory;
use super::operand::Operand;
use super::outcome::{self, Outcome};
use super::timing::Copying;
use super::{Common, Job, Work, help, measured};
use crate::answer::Refusal;
use std::io;
use tilework_expr::Session;
use tilework_kernels::{CopyPlan, Error, Execution};

/// The most elements that are all compared.
const MAX_CHECKED: i64 = 1 << 30;
/// The number of elements that are compared otherwise.
const SAMPLE: i64 = 1 << 16;
/// The most elements that are copied by evaluating the layouts for each.
const MAX_EVALUATED: i64 = 1 << 32;

/// What `copy` is asked.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Arguments {
    /// The layout of the source
    #[arg(value_name = "SRC", allow_negative_numbers = true)]
    source: String,
    /// The layout of the destination, of the same size
    #[arg(value_name = "DST", allow_negative_numbers = true)]
    destination: String,
    /// The type of the elements, or their bytes
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = Width::parse)]
    dtype: Width,
    #[command(flatten)]
    common: Common,
}

const HELP: &str = help!(
    "\
SRC and DST are expressions, as `eval` takes them. The element of coordinate i goes from SRC(i) to DST(i).
A shape alone is compact, the first mode fastest.

TYPE is u8, u16, u32, u64, f16, bf16, f32, f64, c32 (8 bytes), c64 (16 bytes), or a number of bytes (3, 6, 12, 24, 32, 48, 64).

GB/s counts what is read and what is written. With --json one object is printed, with `isa`, `correct`, `checked`, `plan`,
`median_s`, `gbps`, `ceiling` (memcpy of as many bytes on as many threads, in GB/s, measured in the same run) and
`ratio`; or {\"error\":{\"code\",\"message\"}}."
);

/// Runs the command; returns whether the result is correct.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    outcome::print(outcome(arguments), arguments.common.json)
}

fn outcome(arguments: &Arguments) -> Result<Outcome, Refusal> {
    let Arguments { dtype, common, .. } = arguments;
    let mut session = Session::new();
    let source = Operand::evaluate(&mut session, "the source", &arguments.source)?;
    let destination = Operand::evaluate(&mut session, "the destination", &arguments.destination)?;
    let size = source.size();
    let bytes = size as u128 * dtype.bytes as u128;
    if size == destination.size() {
        if !common.plan {
            let needs = [
                source.need(dtype.bytes),
                destination.need(dtype.bytes),
                Copying::need(bytes),
                compared::need(destination.len),
            ];
            memory::check(&needs, false)?;
        }
        if size > MAX_EVALUATED && (source.is_evaluated() || destination.is_evaluated()) {
            let message = format!(
                "each of {size} elements would have to be evaluated, for which {MAX_EVALUATED} are the limit"
            );
            return Err(Refusal::Condition("limit", message));
        }
    }
    let mut outcome = Outcome::default();
    outcome.for_programs("command", "copy");
    outcome.text("source", "source", &source.to_string());
    outcome.text("destination", "destination", &destination.to_string());
    let elements = format!("{size} of {dtype}, {}", memory::in_words(bytes));
    outcome.add("dtype", "elements", elements, dtype.name.as_str());
    let copy = job(dtype.bytes, source, destination)?;
    measured(copy, common, outcome, Work { flops: None, bytes: Some(2 * bytes) })
}

/// A copy of elements of some bytes.
struct Copy<const N: usize> {
    plan: CopyPlan<[u8; N]>,
    source: Operand,
    destination: Operand,
    from: Vec<[u8; N]>,
    to: Vec<[u8; N]>,
}

/// The copy of elements of this many bytes.
fn job(bytes: usize, source: Operand, destination: Operand) -> Result<Box<dyn Job>, Refusal> {
    fn of<const N: usize>(source: Operand, destination: Operand) -> Result<Box<dyn Job>, Refusal> {
        let plan = CopyPlan::for_tensors(&source.tensor, &destination.tensor)?;
        Ok(Box::new(Copy::<N> { plan, source, destination, from: Vec::new(), to: Vec::new() }))
    }
    macro_rules! of_width {
        ($($width:literal)*) => {
            match bytes {
                $($width => of::<$width>(source, destination),)*
                bytes => unreachable!("no type has {bytes} bytes"),
            }
        };
    }
    of_width!(1 2 3 4 6 8 12 16 24 32 48 64)
}

impl<const N: usize> Job for Copy<N> {
    fn explain(&self) -> String {
        self.plan.explain()
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        self.from = memory::filled(self.source.len as usize, element)?;
        self.to = memory::filled(self.destination.len as usize, before)?;
        Ok(())
    }

    fn run(&mut self, execution: &Execution) -> Result<(), Error> {
        self.plan.run(&self.from, &mut self.to, execution)
    }

    fn check(&self) -> Result<Check, Refusal> {
        check(&self.source, &self.from, &self.destination, &self.to)
    }
}

/// The initial content of the destination.
fn before<const N: usize>(place: usize) -> [u8; N] {
    element(!place)
}

/// Compares the destination with the source by evaluating both layouts.
fn check<const N: usize>(
    source: &Operand,
    from: &[[u8; N]],
    destination: &Operand,
    to: &[[u8; N]],
) -> Result<Check, Refusal> {
    let size = source.size();
    let count = if size <= MAX_CHECKED { size } else { SAMPLE };
    compare(destination, to, count, |index| from[source.at(index)], before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_found() {
        let mut session = Session::new();
        let mut operand = |name, text| Operand::evaluate(&mut session, name, text).unwrap();
        let (source, destination) =
            (operand("the source", "(2,3):(1,2)"), operand("the destination", "(2,3):(-8,1)"));
        let start = destination.start() as usize;
        let from: Vec<[u8; 2]> = (0..6).map(element).collect();
        let mut to: Vec<[u8; 2]> = (0..destination.len as usize).map(before).collect();
        let wrong = |to: &[[u8; 2]]| check(&source, &from, &destination, to).unwrap().wrong;
        assert!(wrong(&to).unwrap().starts_with("the destination at 0, which is (0,0): "));
        for i in 0..6 {
            to[start - i % 2 * 8 + i / 2] = from[i];
        }
        assert_eq!(wrong(&to), None);
        let gap = start - 1;
        to[gap][0] ^= 1;
        let expected =
            format!("element {gap} of the destination was overwritten, but its layout does not contain it");
        assert_eq!(wrong(&to), Some(expected));
        to[start - 8 + 2][0] ^= 1;
        assert!(wrong(&to).unwrap().starts_with("the destination at 5, which is (1,2): "));
    }
}
