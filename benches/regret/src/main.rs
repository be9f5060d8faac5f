//! What each plan loses to the best of its candidates: `cargo run --release [words of rows]` prints, for each instruction set of the
//! processor, the time of the fastest candidate divided by that of the plan that is chosen; with `--all` also the times of all,
//! with `--quick` by a third of the rounds.
//!
//! All candidates of a row take turns on the same memory, as the allocator gives it, on one thread. A time is processor time, the
//! least of all rounds: other programs make a run longer, never shorter.

mod rows;

use rows::{Candidates, Row};
use tilework_kernels::Isa;

/// Rounds of each row, and the seconds of a run in one, and of the calls before it.
const ROUNDS: usize = 15;
const WARM: f64 = 0.01;
const SECONDS: f64 = 0.002;

fn main() {
    let (flags, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let [all, quick] = ["--all", "--quick"].map(|name| flags.iter().any(|flag| flag == name));
    let rounds = if quick { ROUNDS / 3 } else { ROUNDS };
    let sets: Vec<Isa> =
        Isa::available().into_iter().filter(|&isa| isa == isa.registers() && isa != Isa::Portable).collect();
    println!("| row | {} |", sets.iter().map(|isa| format!("{isa} | best")).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---|---|".repeat(sets.len()));
    let mut shares = vec![Vec::new(); sets.len()];
    for Row { name, candidates } in rows::all() {
        if !words.iter().all(|word| name.contains(word.as_str())) {
            continue;
        }
        let cells = sets.iter().zip(&mut shares).map(|(isa, shares)| {
            let made = isa.force(&candidates).expect("the processor has the set");
            let (share, best, times) = regret(made, rounds);
            if all {
                times.iter().for_each(|(name, time)| println!("    {isa} {name}: {:.3} us", time * 1e6));
            }
            shares.push(share);
            format!("{share:.2} | {best}")
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    for (isa, shares) in sets.iter().zip(&shares) {
        let mean = (shares.iter().map(|share| share.ln()).sum::<f64>() / shares.len() as f64).exp();
        let lowest = shares.iter().copied().fold(1.0, f64::min);
        println!("\n{isa}: geometric mean {mean:.3}, lowest {lowest:.2}, of {} rows", shares.len());
    }
}

/// The least time of all candidates, of which the first is chosen, as a part of that of the first; and which has it.
fn regret(mut candidates: Candidates, rounds: usize) -> (f64, String, Vec<(String, f64)>) {
    let mut least = vec![f64::INFINITY; candidates.len()];
    let mut times = vec![1; candidates.len()];
    for (times, (_, run)) in times.iter_mut().zip(&mut candidates) {
        run();
        while seconds(*times, run) < SECONDS {
            *times *= 2;
        }
    }
    for round in 0..rounds {
        for i in 0..candidates.len() {
            // Another one is first in each round.
            let at = (i + round) % candidates.len();
            // The caches hold what it leaves in them, not what the one before left: lines move to a large third-level cache
            // only as others evict them.
            let start = processor_time();
            candidates[at].1();
            while processor_time() - start < WARM {
                candidates[at].1();
            }
            least[at] = least[at].min(seconds(times[at], &mut candidates[at].1) / times[at] as f64);
        }
    }
    let best = (0..least.len()).min_by(|&i, &j| least[i].total_cmp(&least[j])).unwrap_or(0);
    let times = candidates.iter().map(|(name, _)| name.clone()).zip(least.iter().copied()).collect();
    (least[best] / least[0], candidates[best].0.clone(), times)
}

/// The processor time of some calls, in seconds.
fn seconds(times: usize, run: &mut Box<dyn FnMut()>) -> f64 {
    let start = processor_time();
    (0..times).for_each(|_| run());
    processor_time() - start
}

fn processor_time() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const PROCESS: i32 = 2;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: Linux has the clock, and writes a time of two words of 64 bits.
    assert_eq!(unsafe { clock_gettime(PROCESS, &mut time) }, 0);
    time.seconds as f64 + time.nanoseconds as f64 * 1e-9
}
