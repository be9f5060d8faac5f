//! Repetitions, alternating with those of the ceiling.

use crate::answer::Refusal;
use std::time::Instant;
use tilework_kernels::machine_limits::{Memcpy, Precision, multiply_add};
use tilework_kernels::{Error, Execution};

/// The default duration of all repetitions, and their least and greatest number.
const SECONDS: f64 = 0.5;
const MIN_REPEATS: usize = 5;
const MAX_REPEATS: usize = 10_000;

/// The shortest time that is measured; faster work is repeated, so that the state of the caches is that after the work,
/// not after the ceiling.
const MIN_WINDOW: f64 = 2e-3;
/// A ceiling is measured for at most this long each time, but at least once.
const MAX_WINDOW: f64 = 10e-3;

/// The most bytes of the buffers for measuring `memcpy`.
const MAX_MEMCPY: usize = 1 << 30;

/// Measures work and ceilings in turns: the median of the seconds that the work took, the number of measurements, and the medians of the
/// ceilings' rates. A ceiling returns its rate, measured for about the given seconds.
pub fn measure(
    repeat: Option<u32>,
    work: &mut dyn FnMut() -> Result<(), Error>,
    mut ceilings: [&mut dyn FnMut(f64) -> f64; 2],
) -> Result<(f64, usize, [f64; 2]), Refusal> {
    let mut sample = |times: usize| {
        let start = Instant::now();
        for _ in 0..times {
            work()?;
        }
        Ok::<_, Error>(start.elapsed().as_secs_f64())
    };
    let mut times = 1usize;
    let mut once = sample(1)?;
    while once < MIN_WINDOW {
        times = times.saturating_mul((2.0 * MIN_WINDOW / once.max(1e-9)).ceil().clamp(2.0, 16.0) as usize);
        once = sample(times)?;
    }
    let window = once.clamp(MIN_WINDOW, MAX_WINDOW);
    let (mut seconds, mut rates, mut total) = (Vec::new(), [const { Vec::new() }; 2], 0.0);
    let enough = |count: usize, total: f64| match repeat {
        Some(repeat) => count >= repeat as usize,
        None => count >= MIN_REPEATS && total >= SECONDS || count >= MAX_REPEATS,
    };
    while !enough(seconds.len(), total) {
        let taken = sample(times)?;
        total += taken;
        seconds.push(taken / times as f64);
        for (rates, ceiling) in rates.iter_mut().zip(&mut ceilings) {
            rates.push(ceiling(window));
        }
    }
    Ok((median(&mut seconds), seconds.len(), rates.map(|mut rates| median(&mut rates))))
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

/// `memcpy` of as many bytes as the work moves, for a rate in bytes a second, read and written.
pub struct Copying<'a> {
    memcpy: Memcpy,
    execution: Execution<'a>,
}

impl<'a> Copying<'a> {
    /// The bytes that it needs.
    pub fn need(bytes: u128) -> (String, u128) {
        ("memcpy".to_string(), 2 * bytes.min(MAX_MEMCPY as u128))
    }

    /// For `bytes` bytes, or fewer if that is enough.
    pub fn new(bytes: u128, execution: Execution<'a>) -> Result<Self, Refusal> {
        let memcpy = Memcpy::new(bytes.min(MAX_MEMCPY as u128) as usize)?;
        Ok(Copying { memcpy, execution })
    }

    /// Measures for about `seconds`.
    pub fn rate(&mut self, window: f64) -> f64 {
        let bytes = self.memcpy.bytes().max(1);
        let times = (1 << 16) / bytes + 1;
        let (start, mut done) = (Instant::now(), 0);
        loop {
            (0..times).for_each(|_| self.memcpy.run(&self.execution));
            done += times;
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= window {
                return 2.0 * (bytes * done) as f64 / elapsed;
            }
        }
    }
}

/// The multiply-adds that the machine can do, in operations a second, measured for about `seconds`.
pub fn peak(precision: Precision, seconds: f64, execution: &Execution) -> f64 {
    multiply_add(precision, seconds.max(200e-6), execution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!((median(&mut [3.0, 1.0, 2.0]), median(&mut [4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
    }

    #[test]
    fn as_many_repetitions_as_asked_for() {
        let mut asked = 0;
        let mut ceiling = |_: f64| {
            asked += 1;
            2.0
        };
        let (_, repeat, ceilings) = measure(Some(7), &mut || Ok(()), [&mut ceiling, &mut |_| 3.0]).unwrap();
        assert_eq!((repeat, ceilings, asked), (7, [2.0, 3.0], 7));
        let refused = measure(None, &mut || Err(Error::Overlap), [&mut |_| 2.0, &mut |_| 3.0]);
        assert!(matches!(refused, Err(Refusal::Condition("overlap", _))));
    }
}
