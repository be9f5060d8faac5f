//! `tilework gemm A B C`.

use super::elements::{Number, Written, integer, precision, range};
use super::memory;
use super::operand::{Operand, sample};
use super::outcome::{self, Check, Outcome};
use super::stray_writes::StrayWrites;
use super::timing::{measure, peak};
use super::{Common, Job, MAX_CHECKED, MAX_STEPS, ProductTypes, Refusal, SAMPLE, checked, help, planned};
use std::io;
use tilework_expr::Session;
use tilework_kernels::dynamic::{Plan, Types};
use tilework_kernels::{__with_types as with_types, Error, Execution};

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

Examples:
  tilework gemm '(1024,1024)' '(1024,1024)' '(1024,1024)'
  tilework gemm '(512,256):(256,1)' '(128,256):(256,1)' '(512,128):(128,1)' --dtype bf16 --threads 2

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
    let (a, b, c) =
        (evaluate("A", &arguments.a)?, evaluate("B", &arguments.b)?, evaluate("C", &arguments.c)?);
    let sizes = Sizes::of(&a, &b);
    let mut needs = vec![("the plan".to_string(), [&a, &b, &c].into_iter().map(tables).sum())];
    if !common.plan {
        needs.extend([
            a.need(dtype.bytes()),
            b.need(dtype.bytes()),
            c.need(output.bytes()),
            StrayWrites::need(c.len),
        ]);
        if sizes.products() <= MAX_CHECKED {
            needs.push(("the reference".to_string(), 2 * (a.size() as u128 + b.size() as u128)));
        }
    }
    memory::check(&needs, common.plan)?;
    let types = Types::new(dtype, output)?;
    let mut product = with_types!(types, job(types, [a, b, c]))?;

    let mut outcome = Outcome::default();
    outcome.for_programs("command", "gemm");
    outcome.text("a", "A", &a.to_string());
    outcome.text("b", "B", &b.to_string());
    outcome.text("c", "C", &c.to_string());
    let Sizes { m, n, k, l } = sizes;
    let batch = if l > 1 { format!(", L {l}") } else { String::new() };
    let elements = format!("{dtype}, C of {output}; M {m}, N {n}, K {k}{batch}");
    outcome.elements(elements, dtype, output);
    let Some(threads) = planned(&*product, common, &mut outcome)? else { return Ok(outcome) };
    let execution = threads.execution();
    if !checked(&mut *product, &execution, &mut outcome)? {
        return Ok(outcome);
    }
    let timing =
        measure(common.repeat, &mut || product.run(&execution), [&mut peak(precision(dtype), execution)])?;
    let ([peak], rate) = (timing.ceilings, 2.0 * sizes.products() as f64 / timing.median);
    outcome.time(timing.median, timing.repeat, common.threads);
    outcome.rate("gflops", "GFLOP/s", rate, peak, "multiply-add");
    Ok(outcome)
}

/// A product of elements of some types.
struct Product<T: Number, C: Written<T::Sum>> {
    plan: Plan,
    operands: [Operand; 3],
    a: Vec<T>,
    b: Vec<T>,
    c: Vec<C>,
}

fn job<T: Number, C: Written<T::Sum>>(types: Types, operands: [Operand; 3]) -> Result<Box<dyn Job>, Refusal> {
    let [a, b, c] = &operands;
    let plan = Plan::gemm(types, &a.tensor, &b.tensor, &c.tensor)?;
    Ok(Box::new(Product::<T, C> { plan, operands, a: Vec::new(), b: Vec::new(), c: Vec::new() }))
}

impl<T: Number, C: Written<T::Sum>> Job for Product<T, C> {
    fn explain(&self) -> String {
        self.plan.explain()
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        let [a, b, c] = &self.operands;
        let range = range::<T, C>(2, Sizes::of(a, b).k as u128);
        self.a = memory::filled(a.len as usize, |i| T::of(integer(0, i, range)))?;
        self.b = memory::filled(b.len as usize, |i| T::of(integer(1, i, range)))?;
        self.c = memory::filled(c.len as usize, C::before)?;
        Ok(())
    }

    fn run(&mut self, execution: &Execution) -> Result<(), Error> {
        self.plan.run(1.0, &[&self.a, &self.b], 0.0, &mut self.c, execution)
    }

    fn check(&self) -> Result<Check, Refusal> {
        let [a, b, c] = &self.operands;
        let sizes = Sizes::of(a, b);
        check(&sizes, sizes.products() <= MAX_CHECKED, (a, &self.a), (b, &self.b), (c, &self.c))
    }
}

/// The sizes of the product of a plan.
struct Sizes {
    m: i64,
    n: i64,
    k: i64,
    l: i64,
}

impl Sizes {
    /// The sizes of the operands; the plan refuses those that do not agree.
    fn of(a: &Operand, b: &Operand) -> Sizes {
        let mode = |operand: &Operand, mode| operand.layout().mode(mode).map_or(1, |mode| mode.size());
        Sizes { m: mode(a, 0), n: mode(b, 0), k: mode(a, 1), l: mode(a, 2) }
    }

    /// The number of multiply-adds.
    fn products(&self) -> u128 {
        [self.m, self.n, self.k, self.l]
            .into_iter()
            .fold(1, |product, size| product.saturating_mul(size as u128))
    }
}

/// The bytes that the plan takes for an operand.
fn tables(operand: &Operand) -> u128 {
    let layout = operand.layout();
    if operand.is_evaluated() {
        return 16 * operand.size() as u128;
    }
    let modes = (0..layout.rank().min(3)).map(|mode| layout.mode(mode).map_or(1, |mode| mode.size()) as u128);
    12 * modes.sum::<u128>()
}

/// Compares all or part of C with sums of products computed by evaluating the layouts.
fn check<T: Number, C: Written<T::Sum>>(
    sizes: &Sizes,
    all: bool,
    (a, data_a): (&Operand, &[T]),
    (b, data_b): (&Operand, &[T]),
    (c, data_c): (&Operand, &[C]),
) -> Result<Check, Refusal> {
    let &Sizes { m, n, k, l } = sizes;
    let wrong = |index: i64, place: usize, expected: C| {
        let (found, expected): (f64, f64) = (data_c[place].into(), expected.into());
        Some(format!("C at {}: {found}, and the reference has {expected}", c.coordinate(index)))
    };
    let mut marks = StrayWrites::new(data_c.len())?;
    let (checked, wrong) = if all {
        let rows_a = gather(a, data_a, [m, k, l])?;
        let rows_b = gather(b, data_b, [n, k, l])?;
        let row = |row: i64| (row * k) as usize..((row + 1) * k) as usize;
        let mut found = None;
        for (index, place) in (0..).zip(c.places()) {
            marks.mark(place);
            let (i, j, l) = (index % m, index / m % n, index / (m * n));
            let expected = C::of(dot(&rows_a[row(i + m * l)], &rows_b[row(j + n * l)]));
            if data_c[place] != expected {
                found = wrong(index, place, expected);
                break;
            }
        }
        (format!("all {} elements, and that nothing else is written", c.size()), found)
    } else {
        c.places().for_each(|place| marks.mark(place));
        let count = SAMPLE.min(MAX_STEPS / k).max(16);
        let mut found = None;
        let mut compared = 0;
        for index in sample(c.size(), count) {
            let (i, j, l) = (index % m, index / m % n, index / (m * n));
            let product = |step: i64| {
                let a = data_a[a.at(i + m * (step + k * l))].value();
                let b = data_b[b.at(j + n * (step + k * l))].value();
                i64::from(a) * i64::from(b)
            };
            let (place, expected) = (c.at(index), C::of((0..k).map(product).sum()));
            compared += 1;
            if data_c[place] != expected {
                found = wrong(index, place, expected);
                break;
            }
        }
        (format!("{compared} of {} elements, and that nothing else is written", c.size()), found)
    };
    let other = || marks.find_other(data_c.len(), |place| data_c[place] == C::before(place));
    let wrong = wrong.or_else(|| {
        Some(format!("element {} of C was overwritten, but the layout of C does not contain it", other()?))
    });
    Ok(Check { checked, wrong })
}

/// The rows of the matrices of an operand, in order.
fn gather<T: Number>(
    operand: &Operand,
    data: &[T],
    [rows, steps, batch]: [i64; 3],
) -> Result<Vec<i16>, Refusal> {
    let mut gathered = memory::filled((rows * steps * batch) as usize, |_| 0)?;
    for (index, place) in (0..).zip(operand.places()) {
        let (row, step, l) = (index % rows, index / rows % steps, index / (rows * steps));
        gathered[((row + rows * l) * steps + step) as usize] = data[place].value();
    }
    Ok(gathered)
}

/// The sum of the products.
fn dot(a: &[i16], b: &[i16]) -> i64 {
    // Products are below 2^20, and the sum of 2^10 of them fits 31 bits.
    let part = |(a, b): (&[i16], &[i16])| -> i32 {
        a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
    };
    a.chunks(1024).zip(b.chunks(1024)).map(|parts| i64::from(part(parts))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_found() {
        let mut session = Session::new();
        let mut operand = |text: &str| Operand::evaluate(&mut session, "an operand", text).unwrap();
        let (a, b, c) = (operand("(3,5)"), operand("(2,5):(1,-2)"), operand("(3,2):(2,10)"));
        for all in [true, false] {
            let data = |operand: &Operand, number| -> Vec<i8> {
                (0..operand.len as usize).map(|i| integer(number, i, 100) as i8).collect()
            };
            let (data_a, data_b) = (data(&a, 0), data(&b, 1));
            let mut product: Vec<i32> = (0..c.len as usize).map(<i32 as Written<i32>>::before).collect();
            for (i, j) in (0..6).map(|index| (index % 3, index / 3)) {
                let term = |step: usize| {
                    i32::from(data_a[i + 3 * step]) * i32::from(data_b[b.start() as usize + j - 2 * step])
                };
                product[2 * i + 10 * j] = (0..5).map(term).sum();
            }
            let sizes = Sizes::of(&a, &b);
            let check =
                |product: &[i32]| check(&sizes, all, (&a, &data_a), (&b, &data_b), (&c, product)).unwrap();
            assert_eq!(check(&product).wrong, None);
            assert!(check(&product).checked.starts_with(if all { "all 6" } else { "6 of 6" }));
            product[3] += 1;
            assert_eq!(
                check(&product).wrong.unwrap(),
                "element 3 of C was overwritten, but the layout of C does not contain it"
            );
            product[14] += 1;
            assert!(check(&product).wrong.unwrap().starts_with("C at 5, which is (2,1): "));
        }
    }
}
