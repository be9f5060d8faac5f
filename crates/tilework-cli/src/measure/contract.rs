//! `tilework contract SPEC SHAPES`.

use super::elements::{Number, Written, integer, precision, range};
use super::labels::{Labels, Sums};
use super::memory;
use super::operand::{Operand, sample};
use super::outcome::{self, Check, Outcome, rate_in_words};
use super::stray_writes::StrayWrites;
use super::timing::{Copying, measure, peak};
use super::{Common, Job, MAX_CHECKED, MAX_STEPS, ProductTypes, Refusal, SAMPLE, checked, help, planned};
use std::io;
use tilework::Layout;
use tilework_expr::Session;
use tilework_kernels::Einsum;
use tilework_kernels::dynamic::{Dtype, Located, Plan, Types};
use tilework_kernels::{__with_types as with_types, Error, Execution};

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

Examples:
  tilework contract 'mk,nk->mn' '(512,512)' '(512,512)'
  tilework contract 'stupr,qtru->stqp' '(16,16,8,16,8)' '(16,16,8,8)' --threads 2
  tilework contract 'ab,bc,cd->ad' '(64,64),(64,64),(64,64)' --plan

GFLOP/s counts two operations for each multiply-add of the pairs that are contracted, GB/s every element of operands and
output once. With --json one object is printed, with `isa`, `correct`, `checked`, `plan`, `median_s`, `gflops`, `ceiling` (what
the widest multiply-adds reach on as many threads, in GFLOP/s, measured in the same run: those of f64 for f64, and those
of f32 for all other types), `ratio` (of these two), `gbps` and `memcpy_gbps`; or {\"error\":{\"code\",\"message\"}}."
);

/// Runs the command; returns whether the result is correct.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    outcome::print(outcome(arguments), arguments.common.json)
}

/// The operands, as errors name them.
const NAMES: [&str; 8] = [
    "operand 1",
    "operand 2",
    "operand 3",
    "operand 4",
    "operand 5",
    "operand 6",
    "operand 7",
    "an operand beyond the seventh",
];

/// Operands and output, with their layouts.
struct Terms {
    labels: Labels,
    operands: Vec<Operand>,
    output: Operand,
}

impl Terms {
    fn read(arguments: &Arguments) -> Result<Terms, Refusal> {
        let einsum = Einsum::parse(&arguments.spec)?;
        let texts: Vec<&str> = arguments.shapes.iter().flat_map(|text| at_commas(text)).collect();
        let has_output = texts.len() == einsum.operands().len() + 1;
        let mut session = Session::new();
        let mut operands = Vec::new();
        for (i, text) in texts.iter().enumerate() {
            let is_output = has_output && i + 1 == texts.len();
            let name = if is_output { "the output" } else { NAMES[i.min(NAMES.len() - 1)] };
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

    /// The bytes of all elements, each once.
    fn bytes(&self, dtype: Dtype, output: Dtype) -> u128 {
        let size = |operand: &Operand, element| operand.size() as u128 * element as u128;
        let read: u128 = self.operands.iter().map(|operand| size(operand, dtype.bytes())).sum();
        read + size(&self.output, output.bytes())
    }

    /// Whether all elements are compared.
    fn is_small(&self) -> bool {
        (self.labels.terms().saturating_add(4)).saturating_mul(self.output.size() as u128) <= MAX_CHECKED
    }
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
    let terms = Terms::read(arguments)?;
    let Terms { operands, output, .. } = &terms;
    let bytes = terms.bytes(dtype, output_dtype);
    let mut needs = vec![("the plan".to_string(), operands.iter().chain([output]).map(tables).sum())];
    if !common.plan {
        needs.extend(operands.iter().map(|operand| operand.need(dtype.bytes())));
        needs.extend([
            output.need(output_dtype.bytes()),
            StrayWrites::need(output.len),
            Copying::need(bytes / 2),
        ]);
    }
    memory::check(&needs, common.plan)?;
    let mut outcome = Outcome::default();
    outcome.for_programs("command", "contract");
    outcome.text("spec", "spec", &arguments.spec);
    let texts: Vec<String> = operands.iter().map(Operand::to_string).collect();
    outcome.add("operands", "operands", texts.join("\n"), texts.clone());
    outcome.text("output", "output", &output.to_string());
    let types = Types::new(dtype, output_dtype)?;
    let (mut contraction, flops) = with_types!(types, job(types, &arguments.spec, terms))?;
    let elements = format!("{dtype}, the output of {output_dtype}; {} multiply-adds", flops / 2);
    outcome.elements(elements, dtype, output_dtype);
    let Some(threads) = planned(&*contraction, common, &mut outcome)? else { return Ok(outcome) };
    let execution = threads.execution();
    let mut copying = Copying::new(bytes / 2, execution)?;
    if !checked(&mut *contraction, &execution, &mut outcome)? {
        return Ok(outcome);
    }
    let timing = measure(
        common.repeat,
        &mut || contraction.run(&execution),
        [&mut peak(precision(dtype), execution), &mut |window| copying.rate(window)],
    )?;
    let ([peak, memcpy], median) = (timing.ceilings, timing.median);
    let (flops, moved) = (flops as f64 / median, bytes as f64 / median);
    outcome.time(median, timing.repeat, common.threads);
    outcome.rate("gflops", "GFLOP/s", flops, peak, "multiply-add");
    outcome.add("gbps", "", rate_in_words(moved, "GB/s", memcpy, "memcpy"), moved / 1e9);
    outcome.for_programs("memcpy_gbps", memcpy / 1e9);
    Ok(outcome)
}

/// The bytes that the plan takes for an operand.
fn tables(operand: &Operand) -> u128 {
    let layout = operand.layout();
    let modes = (0..layout.rank()).map(|mode| layout.mode(mode).map_or(1, |mode| mode.size()) as u128);
    8 * modes.sum::<u128>()
}

/// A contraction of elements of some types.
struct Contraction<T: Number, C: Written<T::Sum>> {
    plan: Plan,
    terms: Terms,
    from: Vec<Vec<T>>,
    to: Vec<C>,
}

/// The contraction, and its number of operations.
fn job<T: Number, C: Written<T::Sum>>(
    types: Types,
    spec: &str,
    terms: Terms,
) -> Result<(Box<dyn Job>, u128), Refusal> {
    let operands: Vec<&dyn Located> = terms.operands.iter().map(|operand| &operand.tensor as _).collect();
    let plan = Plan::contract(types, spec, &operands, &terms.output.tensor)?;
    let flops = plan.flops();
    Ok((Box::new(Contraction::<T, C> { plan, terms, from: Vec::new(), to: Vec::new() }), flops))
}

impl<T: Number, C: Written<T::Sum>> Job for Contraction<T, C> {
    fn explain(&self) -> String {
        self.plan.explain()
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        let Terms { labels, operands, output, .. } = &self.terms;
        let range = range::<T, C>(operands.len(), labels.terms());
        for (number, operand) in operands.iter().enumerate() {
            self.from.push(memory::filled(operand.len as usize, |i| T::of(integer(number, i, range)))?);
        }
        self.to = memory::filled(output.len as usize, C::before)?;
        Ok(())
    }

    fn run(&mut self, execution: &Execution) -> Result<(), Error> {
        let from: Vec<&[T]> = self.from.iter().map(Vec::as_slice).collect();
        self.plan.run(1.0, &from, 0.0, &mut self.to, execution)
    }

    fn check(&self) -> Result<Check, Refusal> {
        check(&self.terms, &self.from, &self.to)
    }
}

/// Compares the output with sums of products computed by evaluating the layouts.
fn check<T: Number, C: Written<T::Sum>>(terms: &Terms, data: &[Vec<T>], to: &[C]) -> Result<Check, Refusal> {
    let Terms { labels, operands, output, .. } = terms;
    let sums: Sums = labels.sums(operands)?;
    let mut marks = StrayWrites::new(to.len())?;
    output.places().for_each(|place| marks.mark(place));
    let size = output.size();
    let count = if terms.is_small() { size } else { SAMPLE.min(MAX_STEPS / labels.terms() as i64).max(16) };
    let (mut compared, mut wrong) = (0, None);
    for index in sample(size, count) {
        let expected = C::of(sums.at(index, |operand, place| data[operand][place].value().into()));
        let place = output.at(index);
        compared += 1;
        if to[place] != expected {
            let (found, expected): (f64, f64) = (to[place].into(), expected.into());
            let at = output.coordinate(index);
            wrong = Some(format!("the output at {at}: {found}, and the reference has {expected}"));
            break;
        }
    }
    let other = || marks.find_other(to.len(), |place| to[place] == C::before(place));
    let wrong = wrong.or_else(|| {
        Some(format!(
            "element {} of the output was overwritten, but its layout does not contain it",
            other()?
        ))
    });
    let checked = if compared == size { format!("all {size}") } else { format!("{compared} of {size}") };
    Ok(Check { checked: format!("{checked} elements, and that nothing else is written"), wrong })
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

    #[test]
    fn what_is_wrong_is_found() {
        let layouts: Vec<Layout> = ["(3,4):(1,3)", "4:-1", "3:2"].map(|text| text.parse().unwrap()).to_vec();
        let einsum = Einsum::parse("ab,b->a").unwrap();
        let labels = Labels::new(einsum, &layouts[..2], Some(&layouts[2])).unwrap();
        let operand = |layout: &Layout| Operand::of_layout("an operand", *layout).unwrap();
        let operands: Vec<Operand> = layouts[..2].iter().map(operand).collect();
        let output = operand(&layouts[2]);
        let terms = Terms { labels, operands, output };
        let data: Vec<Vec<f64>> = [12usize, terms.operands[1].len as usize]
            .map(|len| (0..len).map(|i| i as f64).collect())
            .to_vec();
        let mut to: Vec<f64> = (0..5).map(<f64 as Written<f64>>::before).collect();
        let place = terms.operands[1].start() as usize;
        for i in 0..3 {
            to[2 * i] = (0..4).map(|k| ((i + 3 * k) * (place - k)) as f64).sum();
        }
        assert_eq!(check(&terms, &data, &to).unwrap().wrong, None);
        to[1] += 1.0;
        let wrong = check(&terms, &data, &to).unwrap().wrong;
        assert_eq!(
            wrong.unwrap(),
            "element 1 of the output was overwritten, but its layout does not contain it"
        );
        to[4] += 1.0;
        assert!(check(&terms, &data, &to).unwrap().wrong.unwrap().starts_with("the output at 2: "));
    }
}
