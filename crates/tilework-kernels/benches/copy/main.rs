//! Copies beside memcpy and the plain loop, which take turns: `cargo bench -p tilework-kernels --bench copy -- [WORD...]`, for
//! instance `large f32` or `square`. A figure is the median of the ratios to memcpy of as many bytes, on one thread; by which
//! instructions, says `TILEWORK_ISA`. Memory begins at a page and is in huge pages; with the word `allocated` it is as the C
//! library's allocator returns large memory: 16 bytes behind a page, in small pages.
//!
//! Bytes are what is read and written once: those that a gather or scatter skips, and a broadcast reads again, are not counted.

#[cfg(target_arch = "x86_64")]
mod plain;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;
use tilework::Layout;
use tilework_kernels::{CopyPlan, Execution, Isa};

const ROUNDS: usize = 7;
/// Seconds of a turn, at least.
const TURN: f64 = 0.004;

/// Permutations: mode `i` of the destination is mode `order[i]` of the source; both are compact.
const PERMUTATIONS: [(&[usize], &[i64]); 13] = [
    (&[1, 0], &[4096, 4096]),
    (&[0, 2, 1], &[368, 208, 208]),
    (&[2, 1, 0], &[232, 296, 232]),
    (&[1, 0, 2], &[256, 256, 240]),
    (&[0, 3, 2, 1], &[80, 48, 75, 55]),
    (&[2, 1, 3, 0], &[64, 75, 64, 50]),
    (&[3, 2, 1, 0], &[64, 60, 64, 64]),
    (&[0, 4, 2, 1, 3], &[32, 24, 28, 28, 24]),
    (&[4, 3, 2, 1, 0], &[32, 28, 24, 24, 32]),
    (&[2, 0, 4, 1, 3], &[48, 16, 48, 20, 20]),
    (&[0, 3, 2, 5, 4, 1], &[16, 32, 15, 16, 11, 11]),
    (&[3, 2, 0, 5, 1, 4], &[32, 11, 15, 32, 11, 8]),
    (&[5, 4, 3, 2, 1, 0], &[16, 15, 16, 16, 15, 16]),
];
/// Rows and columns of transposes. Rows of odd sizes begin anywhere in a line.
const SQUARES: [[i64; 2]; 5] = [[4096; 2], [4080; 2], [4112; 2], [2048; 2], [4099, 4101]];
/// Those of most types are in the caches.
const IN_CACHES: [[i64; 2]; 6] = [[1000; 2], [512; 2], [256; 2], [1000, 1003], [1003, 1000], [300, 384]];
const COUNT: i64 = 1 << 23;
const HUGE_PAGE: usize = 2 << 20;
/// What `madvise` is told.
#[cfg(target_os = "linux")]
const HUGE_PAGES: i32 = 14;
#[cfg(target_os = "linux")]
const NO_HUGE_PAGES: i32 = 15;
/// Elements of the side with gaps where both are in the second-level cache.
const CACHED: i64 = 1 << 16;

struct Case {
    group: &'static str,
    name: String,
    layouts: [Layout; 2],
    plain: Plain,
}

/// What the plain loop does.
#[derive(Clone, Copy)]
enum Plain {
    Nothing,
    /// Transposes a matrix of these rows and columns, without gaps.
    Transpose([usize; 2]),
    /// Moves the lines of a gather, and nothing more.
    Gather(usize),
    /// The same of a scatter.
    Scatter(usize),
    /// Moves the lines of structures of so many fields to arrays.
    Split(usize),
    /// The inverse.
    Interleave(usize),
}

fn compact(extents: impl Iterator<Item = i64>) -> Vec<(i64, i64)> {
    let with_stride = |stride: &mut i64, extent| {
        *stride *= extent;
        Some((extent, *stride / extent))
    };
    extents.scan(1, with_stride).collect()
}

fn layout(modes: impl IntoIterator<Item = (i64, i64)>) -> Layout {
    let modes = modes.into_iter().map(|(extent, stride)| Layout::of(extent, stride).unwrap());
    Layout::concatenate(&modes.collect::<Vec<_>>()).unwrap()
}

fn permutation(group: &'static str, order: &[usize], extents: &[i64]) -> Case {
    let source = compact(extents.iter().copied());
    let destination = compact(order.iter().map(|&mode| extents[mode]));
    Case {
        group,
        name: format!("{order:?} of {extents:?}"),
        layouts: [layout(order.iter().map(|&mode| source[mode])), layout(destination)],
        plain: match order {
            [1, 0] => Plain::Transpose([extents[0] as usize, extents[1] as usize]),
            _ => Plain::Nothing,
        },
    }
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> =
        PERMUTATIONS.iter().map(|(order, extents)| permutation("large", order, extents)).collect();
    cases.extend(SQUARES.iter().map(|extents| permutation("square", &[1, 0], extents)));
    cases.extend(IN_CACHES.iter().map(|extents| permutation("cached", &[1, 0], extents)));
    for step in [2, 3, 4, 5, 6, 7, 8, 17] {
        for (size, count) in [("", COUNT), ("cached ", CACHED / step)] {
            let strided = |step| layout([(count, step)]);
            let mut add = |group, what, plain, layouts| {
                cases.push(Case { group, name: format!("{size}{what} by {step}"), layouts, plain });
            };
            add("gather", "gather", Plain::Gather(step as usize), [strided(step), strided(1)]);
            add("scatter", "scatter", Plain::Scatter(step as usize), [strided(1), strided(step)]);
        }
    }
    let mut other = |group, name: String, plain, from: &[(i64, i64)], to: &[(i64, i64)]| {
        let layouts = [layout(from.iter().copied()), layout(to.iter().copied())];
        cases.push(Case { group, name, layouts, plain });
    };
    for fields in 2..=8 {
        for (size, count) in [("", COUNT), ("cached ", CACHED / fields)] {
            let (arrays, structures) = ([(count, 1), (fields, count)], [(count, fields), (fields, 1)]);
            let (split, interleave) = (Plain::Split(fields as usize), Plain::Interleave(fields as usize));
            other("fields", format!("{size}structures of {fields} to arrays"), split, &structures, &arrays);
            other("fields", format!("{size}{fields} arrays to structures"), interleave, &arrays, &structures);
        }
    }
    let side = 4096;
    for (what, [down, across]) in
        [("a column", [1, 0]), ("a row", [0, 1]), ("one element", [0, 0]), ("a submatrix", [1, 5000])]
    {
        other(
            "broadcast",
            what.into(),
            Plain::Nothing,
            &[(side, down), (side, across)],
            &[(side, 1), (side, side)],
        );
    }
    cases
}

/// Memory in huge pages, where there are such, or 16 bytes behind the beginning of a small page.
struct Arena {
    memory: *mut u8,
    shape: std::alloc::Layout,
    behind: usize,
}

impl Arena {
    fn new(bytes: usize, allocated: bool) -> Arena {
        #[cfg(target_os = "linux")]
        unsafe extern "C" {
            fn madvise(at: *mut u8, bytes: usize, advice: i32) -> i32;
        }
        let behind = if allocated { 16 } else { 0 };
        let size = (bytes + behind).next_multiple_of(HUGE_PAGE);
        let shape = std::alloc::Layout::from_size_align(size, HUGE_PAGE).unwrap();
        // SAFETY: there are bytes, and what is allocated is written before it is used.
        unsafe {
            let memory = std::alloc::alloc(shape);
            assert!(!memory.is_null(), "not enough memory for {bytes} bytes");
            #[cfg(target_os = "linux")]
            madvise(memory, size, if allocated { NO_HUGE_PAGES } else { HUGE_PAGES });
            memory.write_bytes(1, size);
            Arena { memory, shape, behind }
        }
    }

    fn at(&self) -> *mut u8 {
        self.memory.wrapping_add(self.behind)
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: that is how it was allocated.
        unsafe { std::alloc::dealloc(self.memory, self.shape) };
    }
}

/// What takes turns: memcpy, the plan, the plain loop with stores through and past the caches.
const PEERS: [&str; 4] = ["memcpy", "tilework", "plain", "plain streamed"];

fn measure<T: Copy + Send + Sync>(
    case: &Case,
    (isa, allocated): (Isa, bool),
    means: &mut BTreeMap<&'static str, Vec<f64>>,
    name: &str,
) {
    let [from, to] = &case.layouts;
    let make = || CopyPlan::<T>::new(black_box(from), black_box(to)).unwrap();
    let planning = median((0..99).map(|_| timed(make).1));
    let plan = make();
    let bytes = from.size() as usize * size_of::<T>();
    let spans = [from, to].map(|layout| layout.cosize().unwrap() as usize * size_of::<T>());
    let arenas = spans.map(|span| Arena::new(span.max(bytes), allocated));
    let [source, destination] = [arenas[0].at(), arenas[1].at()];
    let run = |peer: usize| -> bool {
        // SAFETY: both places have the bytes of the layouts, and are apart.
        unsafe {
            match (peer, case.plain) {
                (0, _) => black_box(source).copy_to_nonoverlapping(black_box(destination), bytes),
                (1, _) => plan.run_raw(source.cast(), destination.cast(), &Execution::default()).unwrap(),
                #[cfg(target_arch = "x86_64")]
                (_, Plain::Transpose(sizes)) => {
                    return plain::transpose(
                        size_of::<T>(),
                        isa == Isa::Avx512,
                        peer == 3,
                        source,
                        destination,
                        sizes,
                    );
                }
                #[cfg(target_arch = "x86_64")]
                (_, Plain::Gather(step) | Plain::Scatter(step)) => {
                    let scatters = matches!(case.plain, Plain::Scatter(_));
                    return plain::lines(scatters, peer == 3, source, destination, bytes / 64, step);
                }
                #[cfg(target_arch = "x86_64")]
                (_, Plain::Split(count) | Plain::Interleave(count)) => {
                    let splits = matches!(case.plain, Plain::Split(_));
                    return plain::fields(splits, peer == 3, source, destination, [count, bytes / count]);
                }
                _ => return false,
            }
        }
        true
    };
    // What the plain loop writes is compared with what the plan writes, if it is all that is to be written.
    let written = |peer: usize| {
        // SAFETY: both places have the bytes of their layouts, and each was written.
        unsafe {
            (0..spans[0]).for_each(|i| *source.add(i) = (i.wrapping_mul(0x9e37_79b9) >> 13) as u8);
            run(peer).then(|| std::slice::from_raw_parts(destination, spans[1]).to_vec())
        }
    };
    let expected = written(1);
    let able: Vec<usize> = (0..PEERS.len())
        .filter(|&peer| match written(peer) {
            Some(bytes) => {
                let all = matches!(case.plain, Plain::Transpose(_));
                assert!(
                    peer < 2 || !all || Some(bytes) == expected,
                    "{} is wrong: {}",
                    PEERS[peer],
                    case.name
                );
                true
            }
            None => false,
        })
        .collect();
    let times = (TURN * 1e10 / (2 * bytes) as f64).ceil() as usize;
    let mut seconds = [const { Vec::new() }; PEERS.len()];
    for round in 0..ROUNDS {
        for i in 0..able.len() {
            let peer = able[(round + i) % able.len()];
            let ((), turn) = timed(|| (0..times).for_each(|_| _ = run(peer)));
            seconds[peer].push(turn / times as f64);
        }
    }
    let share = |peer: usize| median(seconds[0].iter().zip(&seconds[peer]).map(|(memcpy, own)| memcpy / own));
    let speed = 2e-9 * bytes as f64 / median(seconds[0].iter().copied());
    print!("{name:4} {:44} {speed:6.1}", case.name);
    for peer in 1..PEERS.len() {
        if able.contains(&peer) { print!(" {:8.2}", share(peer)) } else { print!("        -") }
    }
    println!(" {:8.1}", planning * 1e6);
    means.entry(case.group).or_default().push(share(1));
}

/// What a call returns, and its seconds.
fn timed<R>(mut call: impl FnMut() -> R) -> (R, f64) {
    let start = Instant::now();
    let result = call();
    (result, start.elapsed().as_secs_f64())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let isa = Isa::current().unwrap();
    let allocated = words.iter().any(|word| word == "allocated");
    println!("{isa}: GB/s of memcpy; of memcpy: {}; us of planning", PEERS[1..].join(", "));
    type Measure = fn(&Case, (Isa, bool), &mut BTreeMap<&'static str, Vec<f64>>, &str);
    let elements: [(&str, Measure); 4] =
        [("f32", measure::<f32>), ("f64", measure::<f64>), ("u16", measure::<u16>), ("u8", measure::<u8>)];
    let groups = cases();
    let asked = |names: &[&str], name: &str| {
        words.iter().any(|word| word == name) || !words.iter().any(|word| names.contains(&word.as_str()))
    };
    let names: Vec<&str> = groups.iter().map(|case| case.group).collect();
    for (name, measure) in elements {
        if !asked(&["f32", "f64", "u16", "u8"], name) {
            continue;
        }
        let mut means = BTreeMap::new();
        groups
            .iter()
            .filter(|case| asked(&names, case.group))
            .for_each(|case| measure(case, (isa, allocated), &mut means, name));
        for (group, shares) in means {
            let mean = (shares.iter().map(|share| share.ln()).sum::<f64>() / shares.len() as f64).exp();
            println!("{name:4} {group}: geometric mean {mean:.2}");
        }
    }
}
