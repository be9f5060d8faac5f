//! `map`, `zip_map`, `axpby` and reductions.

use super::number::Number;
use super::place::{Form, Mode, Place, Places, Random, Strides, smaller_places, with_layout};
use super::{Case, Guarded, check_random};
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::{axpby, map, reduce, sum, zip_map};
use std::ops::{Add, Mul};
use tilework::Tensor;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kernel {
    Map,
    /// To elements of another width.
    Widen,
    Zip,
    Axpby(i8, i8),
    Sum,
    Largest,
    Smallest,
    /// Modulo 2^16, which a `f32` holds.
    Product,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Type {
    I8,
    I16,
    F32,
    I64,
    I128,
}

#[derive(Clone)]
struct Call {
    kernel: Kernel,
    of: Type,
    x: Place,
    /// The second operand, of `zip_map` only.
    y: Place,
    to: Place,
    threads: usize,
}

/// Elements with the operators that kernels are called with.
trait Arithmetic: Number + Default + PartialEq + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
    const SMALLEST: Self;
    const LARGEST: Self;
}

macro_rules! arithmetic {
    ($($type:ty)*) => {$(
        impl Arithmetic for $type {
            const SMALLEST: Self = <$type>::MIN;
            const LARGEST: Self = <$type>::MAX;
        }
    )*};
}
arithmetic!(i8 i16 f32 i64 i128);

impl Call {
    fn typed<T: Arithmetic>(&self) -> Result<(), String> {
        let Call { kernel, x, y, to, .. } = self;
        let is_reduction =
            matches!(kernel, Kernel::Sum | Kernel::Largest | Kernel::Smallest | Kernel::Product);
        // Sums of many small numbers have to fit.
        let limit = if *kernel == Kernel::Sum && size_of::<T>() == 1 { 1 } else { 9 };
        let mut random = Random::new(x.size() as u64);
        let mut numbers =
            |len: usize| -> Vec<T> { (0..len).map(|_| T::of(random.range(-4, 4) % limit)).collect() };
        let (xs, ys) = (numbers(x.room()), numbers(y.room()));
        let before = Guarded::new(to.room(), 256, |i| T::of(i as i64 * 7 % 11 - 5));
        let mut written = before.clone();
        let mut expected = before.clone();
        let execution = Execution::threads(self.threads);
        let result = with_layout!(x, |of_x| with_layout!(to, |of_to| {
            let from = Tensor::with_offset(&xs[..], x.start, of_x).unwrap();
            let target = written.inner();
            if *kernel == Kernel::Widen {
                return self.widen(&xs, Tensor::with_offset(&xs[..], x.start, of_x).unwrap());
            }
            let mut target = Tensor::with_offset(target, to.start, of_to).unwrap();
            match *kernel {
                Kernel::Map | Kernel::Widen => {
                    map(&from, &mut target, |x| x * T::of(3) + T::of(1), &execution)
                }
                Kernel::Zip => {
                    let of_y: tilework::Layout = y.layout().parse().unwrap();
                    let second = Tensor::with_offset(&ys[..], y.start, of_y).unwrap();
                    zip_map(&from, &second, &mut target, |x, y| x * T::of(5) + y, &execution)
                }
                Kernel::Axpby(alpha, beta) => {
                    axpby(T::of(alpha.into()), &from, T::of(beta.into()), &mut target, &execution)
                }
                Kernel::Sum => sum(&from, &mut target, &execution),
                Kernel::Largest => reduce(&from, &mut target, T::SMALLEST, larger, &execution),
                Kernel::Smallest => reduce(&from, &mut target, T::LARGEST, smaller, &execution),
                Kernel::Product => reduce(&from, &mut target, T::of(1), product, &execution),
            }
        }));
        let refused_rightly = if is_reduction { !kept_apart(to) } else { !to.is_apart() };
        match result {
            Err(Error::Aliasing { .. }) if refused_rightly => return Ok(()),
            Ok(()) if !is_reduction && refused_rightly => {
                return Err("a destination in which two coordinates meet is accepted".into());
            }
            result => result.map_err(|error| error.to_string())?,
        }
        let (reads, seconds) = (x.offsets(), y.offsets());
        for (i, &at) in to.offsets().iter().enumerate() {
            let (x, now) = (xs[reads[i]], expected.get(at));
            expected.set(
                at,
                match *kernel {
                    Kernel::Map | Kernel::Widen => T::of(x.value() * 3 + 1),
                    Kernel::Zip => T::of(x.value() * 5 + ys[seconds[i]].value()),
                    Kernel::Axpby(alpha, beta) => {
                        T::of(x.value() * i64::from(alpha) + now.value() * i64::from(beta))
                    }
                    Kernel::Sum => T::of(x.value() + now.value()),
                    Kernel::Largest => {
                        if x > now {
                            x
                        } else {
                            now
                        }
                    }
                    Kernel::Smallest => {
                        if x < now {
                            x
                        } else {
                            now
                        }
                    }
                    Kernel::Product => product(now, x),
                },
            );
        }
        written.compare(&expected)
    }

    /// A map to elements of 8 bytes.
    fn widen<T: Arithmetic, L: tilework::HasLayout>(
        &self,
        xs: &[T],
        from: Tensor<&[T], L>,
    ) -> Result<(), String> {
        let before = Guarded::new(self.to.room(), 256, |i| f64::noise(i as u64));
        let (mut written, mut expected) = (before.clone(), before);
        let result = with_layout!(self.to, |of_to| {
            let mut target = Tensor::with_offset(written.inner(), self.to.start, of_to).unwrap();
            map(&from, &mut target, |x| x.value() as f64 / 2.0, &Execution::threads(self.threads))
        });
        match result {
            Err(Error::Aliasing { .. }) if !self.to.is_apart() => return Ok(()),
            result => result.map_err(|error| error.to_string())?,
        }
        for (&at, &read) in self.to.offsets().iter().zip(&self.x.offsets()) {
            expected.set(at, xs[read].value() as f64 / 2.0);
        }
        written.compare(&expected)
    }
}

fn larger<T: Arithmetic>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

fn smaller<T: Arithmetic>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// Of odd numbers modulo a power of two, so that it does not end at 0.
fn product<T: Arithmetic>(a: T, b: T) -> T {
    let modulus = if size_of::<T>() == 1 { 64 } else { 1 << 12 };
    T::of(((a.value() | 1) * (b.value() | 1)).rem_euclid(modulus))
}

/// Whether no two coordinates have one offset, those aside that differ in modes of stride 0 only.
fn kept_apart(place: &Place) -> bool {
    let mut kept = place.clone();
    if kept.form == Form::Sum {
        fn keep(mode: &mut Mode) {
            match mode {
                Mode::Leaf(extent, stride) if *stride == 0 => *extent = 1,
                Mode::Leaf(..) => {}
                Mode::Tuple(modes) => modes.iter_mut().for_each(keep),
            }
        }
        kept.modes.iter_mut().for_each(keep);
    }
    kept.is_apart()
}

impl Case for Call {
    fn run(&self) -> Result<(), String> {
        match self.of {
            Type::I8 => self.typed::<i8>(),
            Type::I16 => self.typed::<i16>(),
            Type::F32 => self.typed::<f32>(),
            Type::I64 => self.typed::<i64>(),
            Type::I128 => self.typed::<i128>(),
        }
    }

    fn smaller(&self) -> Vec<Call> {
        let mut all = Vec::new();
        if self.threads > 1 {
            all.push(Call { threads: 1, ..self.clone() });
        }
        for small in smaller_places(&[&self.x, &self.y, &self.to], &[]) {
            let [x, y, to] = small.try_into().unwrap();
            all.push(Call { x, y, to, ..self.clone() });
        }
        all.retain(|call| call.x.size() == call.to.size() && call.y.size() == call.to.size());
        all.retain(|call| !matches!(call.y.form, Form::Swizzled(..)));
        all
    }

    fn show(&self, isa: Isa) -> String {
        let Call { kernel, of, x, y, to, threads } = self;
        let y = if *kernel == Kernel::Zip { format!("let y = {};\n", y.tensor()) } else { String::new() };
        format!(
            "// TILEWORK_ISA={}, elements of {of:?}\nlet x = {};\n{y}let to = {};\n// {kernel:?} of x to `to`, Execution::threads({threads})",
            isa.name(),
            x.tensor(),
            to.tensor()
        )
    }
}

fn call(random: &mut Random, kernel: Kernel) -> Call {
    let most = random.choose(&[4, 12, 40, 40]);
    let mut sizes: Vec<i64> = (0..random.range(1, 4)).map(|_| random.range(1, most)).collect();
    if random.once_in(3) {
        sizes.iter_mut().for_each(|size| *size = (*size as u64).next_power_of_two() as i64);
    }
    if random.once_in(16) {
        sizes = vec![random.choose(&[1000, 1024, 2049, 9001]), random.choose(&[1, 2, 3, 17])];
        random.shuffle(&mut sizes);
    }
    while sizes.iter().product::<i64>() > 40_000 {
        sizes.pop();
    }
    let reduces = matches!(kernel, Kernel::Sum | Kernel::Largest | Kernel::Smallest | Kernel::Product);
    let mut to = random.place(&sizes, if reduces { Strides::Free } else { Strides::Apart });
    if reduces && to.form == Form::Sum {
        // Some modes have stride 0, or all.
        let all = random.once_in(4);
        for mode in &mut to.modes {
            if all || random.once_in(3) {
                *mode = Mode::Leaf(mode.size(), 0);
            }
        }
        to.settle();
    }
    // At times shapes that have nothing but the size in common.
    let other = if random.once_in(5) { vec![sizes.iter().product()] } else { sizes.clone() };
    let x = random.place(&other, Strides::Free);
    let y = random.sums(&sizes, Strides::Free);
    let of = random.choose(&[Type::I8, Type::I16, Type::F32, Type::I64, Type::I128]);
    Call { kernel, of, x, y, to, threads: random.choose(&[1, 1, 1, 2, 5]) }
}

#[test]
#[cfg_attr(miri, ignore)]
fn maps() {
    check_random("map", 5000, |random| {
        let kernel = random.choose(&[Kernel::Map, Kernel::Map, Kernel::Widen]);
        call(random, kernel)
    });
    check_random("zip_map", 5000, |random| call(random, Kernel::Zip));
    check_random("axpby", 5000, |random| {
        let kernel = Kernel::Axpby(random.range(-2, 3) as i8, random.range(-2, 3) as i8);
        call(random, kernel)
    });
}

#[test]
#[cfg_attr(miri, ignore)]
fn reductions() {
    check_random("sum", 5000, |random| call(random, Kernel::Sum));
    check_random("reduce", 15_000, |random| {
        let kernel = random.choose(&[Kernel::Largest, Kernel::Smallest, Kernel::Product]);
        call(random, kernel)
    });
}
