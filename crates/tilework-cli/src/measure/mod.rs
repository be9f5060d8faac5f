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
//! | `stray_writes.rs` | elements that must not be written |
//! | `copy.rs`, `gemm.rs`, `contract.rs` | the commands |

pub mod contract;
pub mod copy;
mod elements;
pub mod gemm;
mod labels;
mod memory;
mod operand;
mod outcome;
mod product;
mod stray_writes;
mod timing;

use crate::answer::Refusal;
use clap::Args;
use outcome::{Check, Outcome};
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use tilework_kernels::dynamic::Dtype;
use tilework_kernels::{Error, Execution};

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

/// Adds the plan to the outcome. Returns the threads to run it with, unless only the plan was requested.
fn planned(job: &dyn Job, common: &Common, outcome: &mut Outcome) -> Result<Option<Threads>, Refusal> {
    outcome.plan(common.threads, &job.explain())?;
    if common.plan { Ok(None) } else { Threads::new(common.threads).map(Some) }
}

/// Runs a plan once and compares the result. Returns whether it is correct.
fn checked(job: &mut dyn Job, execution: &Execution, outcome: &mut Outcome) -> Result<bool, Refusal> {
    job.prepare()?;
    job.run(execution)?;
    Ok(outcome.check(job.check()?))
}

/// The threads of a command: its own pool with the requested number.
struct Threads {
    pool: Option<ThreadPool>,
}

impl Threads {
    fn new(count: u16) -> Result<Threads, Refusal> {
        if count == 1 {
            return Ok(Threads { pool: None });
        }
        match ThreadPoolBuilder::new().num_threads(count.into()).build() {
            Ok(pool) => Ok(Threads { pool: Some(pool) }),
            Err(error) => {
                Err(Refusal::Condition("threads", format!("{count} threads cannot be started: {error}")))
            }
        }
    }

    fn execution(&self) -> Execution<'_> {
        self.pool.as_ref().map_or(Execution::default(), Execution::on)
    }
}
