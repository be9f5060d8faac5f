//! `copy`, `gemm` and `contract`: plan, run on generated data, check against plain loops, and compare the speed with
//! the limits of the machine.
//!
//! | file | |
//! |---|---|
//! | `operand.rs` | from the text of an expression to a layout in memory |
//! | `elements.rs` | the types of elements, and the data that is generated for them |
//! | `memory.rs` | whether data fits the memory |
//! | `timing.rs` | repetitions, alternating with those of the ceiling |
//! | `outcome.rs` | the output, for people and as JSON |
//! | `labels.rs` | the labels of a contraction, and its sums |
//! | `product.rs` | what `gemm` and `contract` share |
//! | `compared.rs` | the comparison of an output with the reference |
//! | `copy.rs`, `gemm.rs`, `contract.rs` | the commands |

mod compared;
pub mod contract;
pub mod copy;
mod elements;
pub mod gemm;
mod labels;
mod memory;
mod operand;
mod outcome;
mod product;
mod timing;

use crate::answer::Refusal;
use clap::Args;
use compared::Check;
use outcome::{Outcome, rate_in_words};
use rayon_core::ThreadPoolBuilder;
use tilework_kernels::dynamic::Dtype;
use tilework_kernels::machine_limits::Precision;
use tilework_kernels::{Error, Execution};
use timing::{Copying, measure, peak};

/// The options of all commands.
#[derive(Args)]
pub struct Common {
    /// How many threads work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// How many times to measure; without it, as often as fits in half a second, and at least 5 times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Print the plan and run nothing
    #[arg(long)]
    plan: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The types of a product.
#[derive(Args)]
struct ProductTypes {
    /// The type of the operands
    #[arg(long, value_name = "TYPE", value_parser = elements::factor(), default_value_t = Dtype::F32)]
    dtype: Dtype,
    /// The type of the output; by default that of the sums
    #[arg(long, value_name = "TYPE", value_parser = elements::output())]
    output_dtype: Option<Dtype>,
}

impl ProductTypes {
    fn pair(&self) -> (Dtype, Dtype) {
        (self.dtype, self.output_dtype.unwrap_or(self.dtype.sum()))
    }
}

/// The help of a command, with the part that all commands share.
macro_rules! help {
    ($own:literal) => {
        concat!(
            $own,
            "\n\n\
TILEWORK_ISA=portable, avx2, avx512 or neon in the environment chooses the instructions; without it they are the widest that are
fast on the processor. avx2-vnni, avx512-vnni, avx512-bf16, neon-dot and neon-mmla have products of i8 or bf16 as well."
        )
    };
}
use help;

/// A plan with its data, of elements of any type.
trait Job {
    /// The explanation of the plan.
    fn explain(&self) -> String;
    /// Allocates and fills the memory.
    fn prepare(&mut self) -> Result<(), Refusal>;
    /// Runs the plan once.
    fn run(&mut self, execution: &Execution) -> Result<(), Error>;
    /// Compares the result with the reference.
    fn check(&self) -> Result<Check, Refusal>;
}

/// What a run does, by which its speed is measured.
struct Work {
    /// Operations, and the precision of the multiply-adds that they are compared with.
    flops: Option<(f64, Precision)>,
    /// Bytes that are read and written.
    bytes: Option<u128>,
}

/// Adds the plan to the outcome; unless only that is requested, runs it once, compares the result, and adds the speed.
fn measured(
    mut job: Box<dyn Job>,
    common: &Common,
    mut outcome: Outcome,
    work: Work,
) -> Result<Outcome, Refusal> {
    outcome.plan(common.threads, &job.explain())?;
    if common.plan {
        return Ok(outcome);
    }
    let execution = execution(common.threads)?;
    let Work { flops, bytes } = work;
    let mut copying = bytes.map(|bytes| Copying::new(bytes / 2, execution)).transpose()?;
    job.prepare()?;
    job.run(&execution)?;
    if !outcome.check(job.check()?) {
        return Ok(outcome);
    }
    let mut peak = |window| flops.map_or(0.0, |(_, precision)| peak(precision, window, &execution));
    let mut memcpy = |window| copying.as_mut().map_or(0.0, |copying| copying.rate(window));
    let (median, repeat, [peak, memcpy]) =
        measure(common.repeat, &mut || job.run(&execution), [&mut peak, &mut memcpy])?;
    outcome.time(median, repeat, common.threads);
    if let Some((flops, _)) = flops {
        outcome.rate("gflops", "GFLOP/s", flops / median, peak, "multiply-add");
    }
    let rate = bytes.map(|bytes| bytes as f64 / median);
    match (rate, flops) {
        (Some(rate), None) => outcome.rate("gbps", "GB/s", rate, memcpy, "memcpy"),
        (Some(rate), Some(_)) => {
            outcome.add("gbps", "", rate_in_words(rate, "GB/s", memcpy, "memcpy"), rate / 1e9);
            outcome.for_programs("memcpy_gbps", memcpy / 1e9);
        }
        (None, _) => {}
    }
    Ok(outcome)
}

/// On as many threads, which are started.
fn execution(threads: u16) -> Result<Execution<'static>, Refusal> {
    if threads > 1 {
        let started = ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        let refuse = |error| format!("{threads} threads cannot be started: {error}");
        started.map_err(|error| Refusal::Condition("threads", refuse(error)))?;
    }
    Ok(Execution::threads(threads.into()))
}
