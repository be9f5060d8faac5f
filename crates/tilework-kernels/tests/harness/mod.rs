#![doc = include_str!("README.md")]

mod contract;
mod conv;
mod copy;
mod elementwise;
mod gemm;
mod number;
mod place;

use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use number::Number;
use place::{Place, Random};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A call of a kernel that can be made, compared, and made smaller.
trait Case: Clone {
    /// Calls the kernel and compares with plain loops; what is wrong.
    fn run(&self) -> Result<(), String>;
    /// Whether the set is worth a run: its kernels are others than those of its registers.
    fn is_for(&self, isa: Isa) -> bool {
        isa == isa.registers()
    }
    /// Cases that are a little smaller.
    fn smaller(&self) -> Vec<Self>;
    /// A command or lines of Rust that do the same.
    fn show(&self, isa: Isa) -> String;
}

/// How many cases to run where `count` are due in release.
fn cases(count: usize) -> usize {
    testkit::scaled(count, 0.01)
}

/// Runs random cases with every set of instructions that the processor has.
fn check_random<C: Case>(kernel: &str, count: usize, generate: impl Fn(&mut Random) -> C) {
    check(kernel, || {
        let mut random = Random::named(kernel);
        let generate = &generate;
        (0..cases(count).max(1)).map(move |_| generate(&mut Random::new(random.next())))
    });
}

/// Runs the same cases with every set of instructions that the processor has.
fn check<C: Case, I: Iterator<Item = C>>(kernel: &str, all: impl Fn() -> I) {
    for isa in Isa::available() {
        for (number, case) in all().enumerate().filter(|(_, case)| case.is_for(isa)) {
            if let Err(message) = run(isa, &case) {
                let (small, why) = shrink(isa, case.clone(), message);
                panic!(
                    "{kernel} with {isa} is wrong, found by case {}: {why}\nsmallest:\n{}\nfirst:\n{}\n",
                    number + 1,
                    small.show(isa),
                    case.show(isa)
                );
            }
        }
    }
}

/// Runs a case with a set of instructions; a panic is a failure as any other.
fn run<C: Case>(isa: Isa, case: &C) -> Result<(), String> {
    let caught = catch_unwind(AssertUnwindSafe(|| isa.force(|| case.run())));
    match caught {
        Ok(result) => result.map_err(|error| error.to_string())?,
        Err(cause) => {
            let text = cause.downcast_ref::<String>().cloned();
            Err(text.or_else(|| cause.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
        }
    }
}

fn shrink<C: Case>(isa: Isa, mut case: C, mut message: String) -> (C, String) {
    for _ in 0..300 {
        let next = case.smaller().into_iter().find_map(|small| Some((run(isa, &small).err()?, small)));
        let Some((text, small)) = next else { break };
        (case, message) = (small, text);
    }
    (case, message)
}

/// What kernels that sum products are asked for besides the operands.
#[derive(Clone, Copy, PartialEq)]
struct Factors {
    alpha: i64,
    beta: i64,
    threads: usize,
    /// Whether the plan is for caches so small that there are several blocks.
    small: bool,
}

impl Factors {
    fn random(random: &mut Random) -> Factors {
        Factors {
            alpha: random.choose(&[1, 1, 2, -1, 3, 0]),
            beta: random.choose(&[0, 0, 1, -1, 2]),
            threads: random.choose(&[1, 1, 1, 2, 3]),
            small: random.once_in(2),
        }
    }

    /// Whether the operands are read.
    fn reads(&self) -> bool {
        self.alpha != 0
    }

    fn plan<R>(&self, plan: impl FnOnce() -> R) -> R {
        if self.small { Caches::SMALL.pretend(plan) } else { plan() }
    }

    /// The case with each of the smaller factors.
    fn smaller<C>(self, with: impl Fn(Factors) -> C) -> Vec<C> {
        let all = [
            Factors { threads: 1, ..self },
            Factors { small: false, ..self },
            Factors { alpha: 1, ..self },
            Factors { beta: 0, ..self },
        ];
        all.into_iter().filter(|factors| *factors != self).map(with).collect()
    }

    fn show(&self, isa: Isa) -> String {
        let Factors { alpha, beta, threads, small } = self;
        let caches = if *small { ", for `Caches::SMALL`" } else { "" };
        format!("// TILEWORK_ISA={}, alpha {alpha}, beta {beta}, {threads} threads{caches}", isa.name())
    }
}

/// The elements of an operand: small numbers where the layout has offsets, and any bits elsewhere. Any bits everywhere,
/// where they are not to be read.
fn operand<T: Number>(place: &Place, is_read: bool, salt: u64) -> Vec<T> {
    let mut elements: Vec<T> = (0..place.room() as u64).map(T::noise).collect();
    let mut random = Random::new(salt);
    // Two of the smallest i8 come next to each other at times.
    let high = if size_of::<T>() == 1 { 127 } else { 4 };
    for at in if is_read { place.offsets() } else { Vec::new() } {
        let number = random.range(-high - i64::from(high > 4), high);
        elements[at] = T::of(if high > 4 && random.once_in(8) { -128 } else { number });
    }
    elements
}

impl<C: Number> Guarded<C> {
    /// `alpha sum + beta C` for one element.
    fn update(&mut self, at: usize, sum: i64, factors: &Factors) {
        let before = if factors.beta == 0 { 0 } else { factors.beta * self.get(at).value() };
        self.set(at, C::of(factors.alpha * sum + before));
    }
}

/// Elements that are written, with others before, between and after them that must not be.
#[derive(Clone)]
struct Guarded<T> {
    elements: Vec<T>,
    margin: usize,
}

impl<T: Copy> Guarded<T> {
    /// `len` elements, with at least `margin` bytes before and behind.
    fn new(len: usize, margin: usize, element: impl FnMut(usize) -> T) -> Guarded<T> {
        let margin = margin.div_ceil(size_of::<T>());
        Guarded { elements: (0..len + 2 * margin).map(element).collect(), margin }
    }

    fn get(&self, at: usize) -> T {
        self.elements[self.margin + at]
    }

    fn set(&mut self, at: usize, element: T) {
        self.elements[self.margin + at] = element;
    }

    /// What a kernel is given.
    fn inner(&mut self) -> &mut [T] {
        let end = self.elements.len() - self.margin;
        &mut self.elements[self.margin..end]
    }

    /// Compares byte for byte; 0 may have either sign.
    fn compare(&self, expected: &Guarded<T>) -> Result<(), String>
    where
        T: std::fmt::Debug + PartialEq,
    {
        let differs =
            |&i: &usize| self.bytes(i) != expected.bytes(i) && self.elements[i] != expected.elements[i];
        let Some(at) = (0..self.elements.len()).find(differs) else { return Ok(()) };
        let (found, right) = (self.elements[at], expected.elements[at]);
        Err(format!("offset {} is {found:?} and has to be {right:?}", at as i64 - self.margin as i64))
    }

    fn bytes(&self, at: usize) -> &[u8] {
        // SAFETY: elements are numbers and arrays of them, without padding.
        unsafe { std::slice::from_raw_parts((&raw const self.elements[at]).cast(), size_of::<T>()) }
    }
}
