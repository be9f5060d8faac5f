//! `tilework gemm A B C`.

use super::labels::Labels;
use super::memory;
use super::operand::Operand;
use super::outcome::{self, Outcome};
use super::product::{self, Terms};
use super::{Common, ProductTypes, help};
use crate::answer::Refusal;
use std::io;
use tilework_expr::Session;
use tilework_kernels::Einsum;
use tilework_kernels::dynamic::{Plan, Types};

/// What `gemm` is asked.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Arguments {
    /// The layout of A, of (M,K) or (M,K,L)
    #[arg(value_name = "A", allow_negative_numbers = true)]
    a: String,
    /// The layout of B, of (N,K) or (N,K,L)
    #[arg(value_name = "B", allow_negative_numbers = true)]
    b: String,
    /// The layout of C, of (M,N) or (M,N,L)
    #[arg(value_name = "C", allow_negative_numbers = true)]
    c: String,
    #[command(flatten)]
    types: ProductTypes,
    #[command(flatten)]
    common: Common,
}

const HELP: &str = help!(
    "\
A, B and C are expressions, as `eval` takes them: C(m,n) = sum over k of A(m,k) B(n,k). A shape alone is compact, the
first mode fastest. Each mode may be nested, and L is a batch.

With --json one object is printed, with `isa`, `correct`, `checked`, `plan`, `median_s`, `gflops`, `ceiling` (what the widest
multiply-adds reach on as many threads, in GFLOP/s, measured in the same run: those of f64 for f64, and those of f32 for
all other types) and `ratio`; or {\"error\":{\"code\",\"message\"}}."
);

/// Runs the command; returns whether the result is correct.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    outcome::print(outcome(arguments), arguments.common.json)
}

fn outcome(arguments: &Arguments) -> Result<Outcome, Refusal> {
    let Arguments { types, common, .. } = arguments;
    let (dtype, output) = types.pair();
    let mut session = Session::new();
    let mut evaluate = |name, text| Operand::evaluate(&mut session, name, text);
    let operands = vec![evaluate("A", &arguments.a)?, evaluate("B", &arguments.b)?];
    let c = evaluate("C", &arguments.c)?;
    memory::check(&product::needs(&operands, &c, (dtype, output), tables, common), common.plan)?;
    let types = Types::new(dtype, output)?;
    let [a, b] = [&operands[0], &operands[1]];
    let plan = Plan::gemm(types, &a.tensor, &b.tensor, &c.tensor)?;

    let mut outcome = Outcome::default();
    outcome.for_programs("command", "gemm");
    outcome.text("a", "A", &a.to_string());
    outcome.text("b", "B", &b.to_string());
    outcome.text("c", "C", &c.to_string());
    let batch = if a.extent(2) > 1 { format!(", L {}", a.extent(2)) } else { String::new() };
    let (m, n, k) = (a.extent(0), b.extent(0), a.extent(1));
    outcome.elements(format!("{dtype}, C of {output}; M {m}, N {n}, K {k}{batch}"), dtype, output);
    // The plan has refused other ranks.
    let spec = if a.layout().rank() == 3 { "mkl,nkl->mnl" } else { "mk,nk->mn" };
    let labels = Labels::new(Einsum::parse(spec)?, &[*a.layout(), *b.layout()], Some(c.layout()))?;
    product::run(plan, types, Terms { labels, operands, output: c }, None, common, outcome)
}

/// The bytes that the plan takes for an operand.
fn tables(operand: &Operand) -> u128 {
    if operand.is_evaluated() { 16 * operand.size() as u128 } else { 12 * operand.extents() }
}
