//! `tilework contract SPEC SHAPES`.

use super::labels::Labels;
use super::memory;
use super::operand::Operand;
use super::outcome::{self, Outcome};
use super::product::{self, Terms};
use super::timing::Copying;
use super::{Common, ProductTypes, help};
use crate::answer::Refusal;
use std::io;
use tilework::Layout;
use tilework_expr::Session;
use tilework_kernels::Einsum;
use tilework_kernels::dynamic::{Located, Plan, Types};

/// What `contract` is asked.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Arguments {
    /// Labels for the modes of each operand and of the output, as in numpy.einsum
    #[arg(value_name = "SPEC")]
    spec: String,
    /// A layout for each operand, and one for the output unless it is compact
    #[arg(value_name = "SHAPES", required = true, allow_negative_numbers = true)]
    shapes: Vec<String>,
    #[command(flatten)]
    types: ProductTypes,
    #[command(flatten)]
    common: Common,
}

const HELP: &str = help!(
    "\
SHAPES are expressions, as `eval` takes them, one for each operand, in arguments of their own or in one with commas
between them. A shape alone is compact, the first mode fastest. So is the output, in the order of its labels, if no
layout is given for it. A label that the output does not have is summed over.

GFLOP/s counts two operations for each multiply-add of the pairs that are contracted, GB/s every element of operands and
output once. With --json one object is printed, with `isa`, `correct`, `checked`, `plan`, `median_s`, `gflops`, `ceiling` (what
the widest multiply-adds reach on as many threads, in GFLOP/s, measured in the same run: those of f64 for f64, and those
of f32 for all other types), `ratio` (of these two), `gbps` and `memcpy_gbps`; or {\"error\":{\"code\",\"message\"}}."
);

/// Runs the command; returns whether the result is correct.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    outcome::print(outcome(arguments), arguments.common.json)
}

/// Operands and output, as they are given.
fn read(arguments: &Arguments) -> Result<Terms, Refusal> {
    let einsum = Einsum::parse(&arguments.spec)?;
    let texts: Vec<&str> = arguments.shapes.iter().flat_map(|text| at_commas(text)).collect();
    let has_output = texts.len() == einsum.operands().len() + 1;
    let mut session = Session::new();
    let mut operands = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let is_output = has_output && i + 1 == texts.len();
        let name = if is_output { "the output" } else { format!("operand {}", i + 1).leak() };
        operands.push(Operand::evaluate(&mut session, name, text)?);
    }
    let output = if has_output { operands.pop() } else { None };
    let layouts: Vec<Layout> = operands.iter().map(|operand| *operand.layout()).collect();
    let labels = Labels::new(einsum, &layouts, output.as_ref().map(Operand::layout))?;
    let output = match output {
        Some(output) => output,
        None => Operand::of_layout("the output", labels.compact())?,
    };
    Ok(Terms { labels, operands, output })
}

/// The parts of a text between commas outside parentheses.
fn at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, found) in text.char_indices() {
        match found {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' | '>' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(if start == 0 { text } else { text[start..].trim() });
    parts
}

fn outcome(arguments: &Arguments) -> Result<Outcome, Refusal> {
    let Arguments { types, common, .. } = arguments;
    let (dtype, output_dtype) = types.pair();
    let terms = read(arguments)?;
    let Terms { operands, output, .. } = &terms;
    // All elements, each once.
    let size = |operand: &Operand, element| operand.size() as u128 * element as u128;
    let read: u128 = operands.iter().map(|operand| size(operand, dtype.bytes())).sum();
    let bytes = read + size(output, output_dtype.bytes());
    let mut needs = product::needs(operands, output, (dtype, output_dtype), |own| 8 * own.extents(), common);
    if !common.plan {
        needs.push(Copying::need(bytes / 2));
    }
    memory::check(&needs, common.plan)?;
    let mut outcome = Outcome::default();
    outcome.for_programs("command", "contract");
    outcome.text("spec", "spec", &arguments.spec);
    let texts: Vec<String> = operands.iter().map(Operand::to_string).collect();
    outcome.add("operands", "operands", texts.join("\n"), texts.clone());
    outcome.text("output", "output", &output.to_string());
    let types = Types::new(dtype, output_dtype)?;
    let located: Vec<&dyn Located> = operands.iter().map(|operand| &operand.tensor as _).collect();
    let plan = Plan::contract(types, &arguments.spec, &located, &output.tensor)?;
    let elements = format!("{dtype}, the output of {output_dtype}; {} multiply-adds", plan.flops() / 2);
    outcome.elements(elements, dtype, output_dtype);
    product::run(plan, types, terms, Some(bytes), common, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_between_commas() {
        assert_eq!(at_commas("(4,8):(1,4)"), ["(4,8):(1,4)"]);
        assert_eq!(at_commas("(4,8), 8:1 ,Sw<1,0,1> o 0 o 2:1"), ["(4,8)", "8:1", "Sw<1,0,1> o 0 o 2:1"]);
        assert_eq!(at_commas("4,"), ["4", ""]);
    }
}
