//! Measures the parameters of the machine that the plan of a copy uses.
//!
//! | what | how |
//! |---|---|
//! | the speed of `memcpy` in each cache and in memory | two buffers that fill half of the cache; in memory, of at most 64 MiB |
//! | how deep and how many streams | a transpose past the caches with each candidate, in turn |
//! | whether columns that are a power of two apart evict each other | the same for 2048 by 2048, with either order |
//! | from which size on destinations are written past the caches | transposes of many sizes, with either store |
//!
//! A parameter keeps its default unless another value is clearly faster for squares and oblongs alike: the best value
//! for one shape may be much slower for another.

use crate::copy::CopyPlan;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::machine::{CopyParameters, Machine};
use crate::machine_limits;
use crate::offset_layout::OffsetLayout;
use std::time::Instant;
use tilework::Layout;

/// How often each plan runs.
const ROUNDS: usize = 5;
/// How much faster than the default another value has to be, for each shape.
const CLEARLY: f64 = 1.1;
/// The ratio of the columns of each shape to those of a square with as many elements.
const OBLONG: [f64; 3] = [1.0, 8.0, 0.125];
/// The bytes of transposes past the caches: many times the second cache, and a few milliseconds.
const LARGE: usize = if cfg!(debug_assertions) { 1 << 20 } else { 16 << 20 };
const ROW_BYTES: [usize; 5] = [2 << 10, 1 << 10, 4 << 10, 8 << 10, 16 << 10];
const LINES: [usize; 3] = [4, 2, 1];

/// Measures this machine, on one thread, in some seconds.
///
/// ```no_run
/// let machine = tilework_kernels::tune()?;
/// println!("memcpy beyond the caches: {:.1} GB/s", 1e-9 * machine.memcpy[3]);
/// machine.save()?;
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Memory`] where there is not enough for some buffers as large as the third cache.
pub fn tune() -> Result<Machine, Error> {
    let Caches { first, second, third, .. } = Caches::get();
    let alone = Execution::default();
    let mut memcpy =
        [first / 4, second / 4, third / 4, (2 * third).max(LARGE)].map(|bytes| bytes.min(4 * LARGE) as f64);
    for speed in &mut memcpy {
        *speed = (2.0 * *speed / machine_limits::memcpy(*speed as usize, &alone)?).round();
    }
    let sets = Isa::available().into_iter().filter(|isa| *isa == isa.registers() && *isa != Isa::Portable);
    let copies =
        sets.map(|isa| Ok((isa.name().to_string(), of_copies(isa)?))).collect::<Result<_, Error>>()?;
    Ok(Machine { memcpy, copies })
}

/// The parameters of copies for an instruction set.
fn of_copies(isa: Isa) -> Result<CopyParameters, Error> {
    let usual = CopyParameters::default();
    let mut buffers = Buffers::new(2 * LARGE)?;
    let streamed = CopyParameters { stream_bytes: 0, ..usual };
    // Rows of 4080 elements, for 16 MiB, begin in different sets of a cache.
    let side = |bytes: usize| ((bytes / 4) as f64).sqrt() as usize / 16 * 16;
    let apart = side(LARGE) - 16;
    let shapes: Vec<CopyParameters> = ROW_BYTES
        .iter()
        .flat_map(|&row_bytes| LINES.map(|lines| CopyParameters { row_bytes, lines, ..streamed }))
        .collect();
    let CopyParameters { row_bytes, lines, .. } = buffers.fastest(isa, apart, &shapes)?;
    let best = CopyParameters { row_bytes, lines, ..streamed };
    let orders = [true, false].map(|aliasing| CopyParameters { aliasing, ..best });
    let CopyParameters { aliasing, .. } = buffers.fastest(isa, side(LARGE), &orders)?;
    let best = CopyParameters { aliasing, stream_bytes: usual.stream_bytes, ..best };
    // From the largest size down, as long as writing past the caches is faster.
    let (mut pays, mut does_not) = (usize::MAX, 0);
    for halved in 0..7 {
        let side = side((2 * LARGE) >> halved) - 16;
        let bytes = 4 * side * side;
        let usually = bytes >= usual.stream_bytes;
        let stores = [usually, !usually]
            .map(|past| CopyParameters { stream_bytes: if past { 0 } else { usize::MAX }, ..best });
        if buffers.fastest(isa, side, &stores)?.stream_bytes > 0 {
            does_not = bytes;
            break;
        }
        pays = bytes;
    }
    let stream_bytes = match pays {
        _ if does_not < usual.stream_bytes && usual.stream_bytes <= pays => usual.stream_bytes,
        usize::MAX => 2 * does_not,
        _ => pays,
    };
    Ok(CopyParameters { stream_bytes, ..best })
}

/// The buffers that transposes read and write.
struct Buffers {
    source: Vec<u32>,
    destination: Vec<u32>,
}

impl Buffers {
    fn new(bytes: usize) -> Result<Buffers, Error> {
        let buffer = |value: u32| {
            let mut buffer = Vec::new();
            buffer.try_reserve_exact(bytes / 4).map_err(|_| Error::Memory { bytes: 2 * bytes as u128 })?;
            buffer.resize(bytes / 4, value);
            Ok::<_, Error>(buffer)
        };
        Ok(Buffers { source: buffer(1)?, destination: buffer(2)? })
    }

    /// Those of `candidates` that are fastest for transposes of as many elements as `side` by `side`; the first, unless
    /// others are clearly faster for each shape.
    fn fastest(
        &mut self,
        isa: Isa,
        side: usize,
        candidates: &[CopyParameters],
    ) -> Result<CopyParameters, Error> {
        // The largest ratio over all shapes to the time of the first candidate.
        let mut worst = vec![0.0f64; candidates.len()];
        for oblong in OBLONG {
            let seconds = self.seconds(isa, [side as f64 * oblong, side as f64 / oblong], candidates)?;
            for (worst, of_one) in worst.iter_mut().zip(&seconds) {
                *worst = worst.max(of_one / seconds[0]);
            }
        }
        let best = (0..worst.len()).min_by(|&a, &b| worst[a].total_cmp(&worst[b])).unwrap_or(0);
        Ok(candidates[if worst[best] * CLEARLY < 1.0 { best } else { 0 }])
    }

    /// How long a transpose of these extents takes with each of `candidates`.
    fn seconds(
        &mut self,
        isa: Isa,
        extents: [f64; 2],
        candidates: &[CopyParameters],
    ) -> Result<Vec<f64>, Error> {
        let (rows, columns) = (extents[0] as i64, extents[1] as i64);
        let layout = |strides: (i64, i64)| {
            let layout = Layout::of((rows, columns), strides)?;
            OffsetLayout::new("a matrix", &layout, 0)
        };
        let plan =
            |&parameters| CopyPlan::<u32>::with(layout((1, rows))?, layout((columns, 1))?, isa, parameters);
        let plans = candidates.iter().map(plan).collect::<Result<Vec<_>, Error>>()?;
        let mut seconds = vec![f64::INFINITY; plans.len()];
        // The minimum of all rounds is what the machine can do; the first round warms the caches.
        for round in 0..=ROUNDS {
            for (seconds, plan) in seconds.iter_mut().zip(&plans) {
                let start = Instant::now();
                plan.run(&self.source, &mut self.destination, &Execution::default())?;
                if round > 0 {
                    *seconds = seconds.min(start.elapsed().as_secs_f64());
                }
            }
        }
        Ok(seconds)
    }
}
