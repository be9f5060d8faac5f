//! COPY.

use super::place::{Form, Mode, Place, Places, Random, Strides, smaller_places, with_layout};
use super::{Case, cases, check, check_random};
use crate::copy::{CopyPlan, Way};
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::offset_layout::OffsetLayout;
use crate::tuning::copy::{MAX_PIECE_BYTES, STEPPED_BYTES};

/// The bytes of elements, those that the program copies.
const WIDTHS: [usize; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
/// Bytes of a cache line, and before and behind a destination.
const LINE: usize = 64;
const MARGIN: usize = 4 * LINE;

#[derive(Clone)]
struct Copy {
    source: Place,
    destination: Place,
    width: usize,
    /// How many bytes behind the beginning of a line the places of offset 0 are.
    shifts: [usize; 2],
    /// Whether it goes past the caches.
    streams: bool,
    threads: usize,
}

impl Copy {
    fn of(source: Place, destination: Place, width: usize) -> Copy {
        Copy { source, destination, width, shifts: [0, 0], streams: false, threads: 1 }
    }

    fn copy<const N: usize>(&self) -> Result<(), String> {
        let Copy { source, destination, shifts, .. } = self;
        let (reads, writes) = (source.offsets(), destination.offsets());
        let bytes = |offsets: &[usize]| offsets.iter().max().map_or(1, |max| max + 1) * N;
        let (from_bytes, to_bytes) = (bytes(&reads), bytes(&writes));
        // The source ends with its last byte, so that a sanitizer sees what is read behind it.
        let mut from: Vec<u8> = Vec::with_capacity(LINE + shifts[0] + from_bytes);
        let first = from.as_ptr().align_offset(LINE) + shifts[0];
        from.extend((0..first + from_bytes).map(|i| noise(i, 1)));
        let before: Vec<u8> = (0..2 * MARGIN + LINE + shifts[1] + to_bytes).map(|i| noise(i, 2)).collect();
        let mut to = before.clone();
        let begin = MARGIN + to[MARGIN..].as_ptr().align_offset(LINE) + shifts[1];
        let mut expected = before.clone();
        for (&read, &written) in reads.iter().zip(&writes) {
            let (read, written) = (first + read * N, begin + written * N);
            expected[written..written + N].copy_from_slice(&from[read..read + N]);
        }
        let is_apart = destination.is_apart();
        for caches in [Caches::SMALL, Caches::SERVER] {
            let Some(plan) = caches.pretend(|| self.plan::<N>(&reads, is_apart))? else { continue };
            to.copy_from_slice(&before);
            let read = from[first..].as_chunks::<N>().0;
            let written = to[begin..begin + to_bytes].as_chunks_mut::<N>().0;
            let execution = Execution::threads(self.threads);
            caches.pretend(|| plan.run(read, written, &execution)).map_err(|error| error.to_string())?;
            if to != expected {
                let at = (0..to.len()).find(|&at| to[at] != expected[at]).expect("one of them differs");
                let (at, byte) = ((at as i64 - begin as i64).div_euclid(N as i64), at as i64 - begin as i64);
                return Err(format!(
                    "byte {byte} of the destination, at offset {at}, is not as it has to be\n{}",
                    plan.explain()
                ));
            }
        }
        Ok(())
    }

    /// For the caches that this thread pretends to have; none where coordinates of the destination meet, which is refused.
    fn plan<const N: usize>(
        &self,
        reads: &[usize],
        is_apart: bool,
    ) -> Result<Option<CopyPlan<[u8; N]>>, String> {
        let Copy { source, destination, .. } = self;
        let way = if self.streams { Way::Past } else { Way::Cheapest };
        let plan = CopyPlan::with(
            placed("the source", source)?,
            placed("the destination", destination)?,
            Isa::current().map_err(|error| error.to_string())?,
            way,
        );
        match plan {
            Err(Error::Aliasing { .. }) if !is_apart => Ok(None),
            Ok(_) if !is_apart && !destination.repeats_only(reads) => {
                Err("a destination in which two coordinates meet is accepted".into())
            }
            plan => plan.map(Some).map_err(|error| error.to_string()),
        }
    }
}

fn placed(operand: &'static str, place: &Place) -> Result<OffsetLayout, String> {
    let placed = with_layout!(place, |layout| OffsetLayout::new(operand, &layout, place.start));
    placed.map_err(|error| error.to_string())
}

/// A byte that says where it is from.
fn noise(at: usize, salt: usize) -> u8 {
    (((at * 2 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 56) as u8
}

impl Case for Copy {
    fn run(&self) -> Result<(), String> {
        match self.width {
            1 => self.copy::<1>(),
            2 => self.copy::<2>(),
            3 => self.copy::<3>(),
            4 => self.copy::<4>(),
            6 => self.copy::<6>(),
            8 => self.copy::<8>(),
            12 => self.copy::<12>(),
            16 => self.copy::<16>(),
            24 => self.copy::<24>(),
            32 => self.copy::<32>(),
            48 => self.copy::<48>(),
            _ => self.copy::<64>(),
        }
    }

    fn smaller(&self) -> Vec<Copy> {
        let mut all = vec![
            Copy { threads: 1, ..self.clone() },
            Copy { streams: false, ..self.clone() },
            Copy { shifts: [0, 0], ..self.clone() },
            Copy { width: if self.width > 4 { 4 } else { 1 }, ..self.clone() },
        ];
        let now = (self.threads, self.streams, self.shifts, self.width);
        all.retain(|copy| {
            (copy.threads, copy.streams, copy.shifts, copy.width) != now && copy.width <= self.width
        });
        for small in smaller_places(&[&self.source, &self.destination], &[]) {
            let [source, destination] = small.try_into().unwrap();
            all.push(Copy { source, destination, ..self.clone() });
        }
        all.retain(|copy| copy.source.size() == copy.destination.size());
        all
    }

    fn show(&self, isa: Isa) -> String {
        let Copy { source, destination, width, shifts, streams, threads } = self;
        let how = if *streams { "past" } else { "through" };
        format!(
            "TILEWORK_ISA={} tilework copy '{}' '{}' --dtype {width} --threads {threads}\n\
             ({how} the caches; the places of offset 0 are {} and {} bytes behind the beginning of a line)",
            isa.name(),
            source.text(),
            destination.text(),
            shifts[0],
            shifts[1]
        )
    }
}

/// Modes of both, by extent, stride in the source and in the destination.
fn pair(modes: &[(i64, i64, i64)]) -> [Place; 2] {
    let of = |by: fn(&(i64, i64, i64)) -> i64| {
        Place::new(modes.iter().map(|mode| Mode::Leaf(mode.0, by(mode))).collect())
    };
    [of(|mode| mode.1), of(|mode| mode.2)]
}

fn random_copy(random: &mut Random) -> Copy {
    let sign = |random: &mut Random| if random.once_in(8) { -1 } else { 1 };
    let [source, destination] = match random.range(0, 9) {
        // Pieces with gaps, in two or three directions.
        0 | 1 => {
            let piece = if random.once_in(2) { random.range(1, 40) } else { random.choose(&[1, 2, 4, 8]) };
            let count = random.choose(&[2, 3, 4, 5, 8, 17, 33, 100]);
            // Whole pieces apart, or a little more or less, or any distance.
            let step = |random: &mut Random| match random.range(0, 2) {
                0 => piece * random.range(1, 4),
                1 => (piece * random.range(1, 5) + random.range(-1, 2)).max(piece),
                _ => random.range(piece, 3 * piece),
            };
            let (from, to) = (step(random), step(random));
            let planes = random.choose(&[1, 1, 2, 3]);
            let (next_from, next_to) = (from * count + random.range(0, 9), to * count + random.range(0, 9));
            let mut modes = vec![
                (piece, 1, 1),
                (count, from * sign(random), to * sign(random)),
                (planes, next_from * sign(random), next_to * sign(random)),
            ];
            if random.once_in(3) {
                random.shuffle(&mut modes);
            }
            pair(&modes)
        }
        // Transposes.
        2 | 3 => {
            let most = random.choose(&[20, 70, 70, 150]);
            let (m, n) = (random.range(1, most), random.range(1, most));
            let (m, n) = if random.once_in(3) { (m / 16 * 16 + 16, n / 16 * 16 + 16) } else { (m, n) };
            let (gap_m, gap_n) = (random.choose(&[0, 0, 1, 3, 16]), random.choose(&[0, 0, 1, 3, 16]));
            let planes = random.choose(&[1, 1, 1, 2, 3]);
            let (plane_from, plane_to) = ((m + gap_m) * n, (n + gap_n) * m);
            pair(&[
                (m, sign(random), (n + gap_n) * sign(random)),
                (n, (m + gap_m) * sign(random), sign(random)),
                (planes, plane_from, plane_to + random.choose(&[0, 1, 64])),
            ])
        }
        // Structures and arrays.
        4 => {
            let (fields, count) = (random.range(1, 9), random.range(1, 400));
            let structure = fields + random.choose(&[0, 0, 1, 3]);
            let array = count + random.choose(&[0, 0, 1, 7]);
            let mut modes = vec![(fields, array, 1), (count, 1, structure)];
            if random.once_in(2) {
                modes.iter_mut().for_each(|mode| (mode.1, mode.2) = (mode.2, mode.1));
            }
            pair(&modes)
        }
        // A source in which modes have stride 0.
        5 => {
            let sizes = [random.range(1, 40), random.range(1, 40), random.range(1, 4)];
            let [mut source, destination] =
                [random.sums(&sizes, Strides::Free), random.sums(&sizes, Strides::Apart)];
            let still = random.range(0, 2) as usize;
            source.modes[still] = Mode::Leaf(sizes[still], 0);
            source.settle();
            [source, destination]
        }
        // Modes that both have, of any form.
        6 | 7 => {
            let most = random.choose(&[3, 9, 33]);
            let sizes: Vec<i64> = (0..random.range(1, 4)).map(|_| random.range(1, most)).collect();
            let mut sizes = sizes;
            while sizes.iter().product::<i64>() > 20_000 {
                sizes.pop();
            }
            [random.place(&sizes, Strides::Free), random.place(&sizes, Strides::Apart)]
        }
        // Powers of two, so that there are swizzles and XOR strides.
        8 => {
            let bits: Vec<u32> = (0..random.range(1, 3)).map(|_| random.range(0, 4) as u32).collect();
            let sizes: Vec<i64> = bits.iter().map(|&bits| 1 << bits).collect();
            [random.place(&sizes, Strides::Free), random.place(&sizes, Strides::Apart)]
        }
        // Shapes that have nothing but their size in common.
        _ => {
            let size =
                random.choose(&[1, 2, 7, 12, 24, 36, 64, 97, 120, 144, 210, 256, 400, 1024, 1155, 4096]);
            [random.place(&[size], Strides::Free), random.place(&[size], Strides::Apart)]
        }
    };
    let width = random.choose(&WIDTHS);
    let shift = |random: &mut Random| if random.once_in(2) { 0 } else { random.range(0, 63) as usize };
    // Half of the time as allocations are.
    let shifts = if random.once_in(2) {
        [shift(random), shift(random)]
    } else {
        let own = if width.is_power_of_two() { width.min(16) } else { 1 };
        [shift(random) / own * own, shift(random) / own * own]
    };
    let threads = random.choose(&[1, 1, 1, 2, 3]);
    Copy { source, destination, width, shifts, streams: random.once_in(2), threads }
}

#[test]
#[cfg_attr(miri, ignore)]
fn copies() {
    check_random("copy", 20_000, random_copy);
}

/// More than a block of rows and columns, which is hundreds of KiB.
#[test]
#[cfg_attr(miri, ignore)]
fn large_copies() {
    check_random("large copy", 200, |random| {
        let width = random.choose(&WIDTHS);
        let elements = random.choose(&[100_000, 300_000, 1 << 20]) / width as i64;
        let first = random.choose(&[1, 2, 3, 5, 17, 64, 300, 1000, 1023, 1025, 2049, 5000]).min(elements);
        let second = random.choose(&[1, 2, 3, 31, 128]).min(elements / first).max(1);
        let sizes = [first, elements / first / second, second];
        let (source, destination) = (random.sums(&sizes, Strides::Free), random.sums(&sizes, Strides::Apart));
        let shifts = [random.range(0, 63) as usize, random.range(0, 63) as usize];
        let threads = random.choose(&[1, 2, 3]);
        Copy { source, destination, width, shifts, streams: random.once_in(2), threads }
    });
}

/// Every piece of up to 6 elements, some times, with every step from 1 element to 4 pieces and one more, in the source and
/// in the destination, for every width.
#[test]
#[cfg_attr(miri, ignore)]
fn pieces_with_every_gap() {
    let every = 1000 / cases(1000).clamp(1, 1000);
    check("copy of pieces", || {
        let steps = (1..=6).flat_map(|piece: i64| {
            let from = 1..=4 * piece + 1;
            from.flat_map(move |from| (piece..=4 * piece + 1).map(move |to| (piece, from, to)))
        });
        let counts = steps.flat_map(|piece| [2, 3, 19].map(|count| (piece, count)));
        let all = counts.flat_map(|piece| WIDTHS.map(|width| (piece, width))).enumerate();
        all.step_by(every).map(|(i, (((piece, from, to), count), width))| {
            let [source, destination] = pair(&[(piece, 1, 1), (count, from, to)]);
            let copy = Copy::of(source, destination, width);
            Copy { streams: i % 2 == 1, shifts: [0, i % 3 * 7], ..copy }
        })
    });
}

/// Every matrix of up to 36 rows and columns, transposed, compact and with a gap, for every width up to 8 bytes; up to 9 for
/// those above.
#[test]
#[cfg_attr(miri, ignore)]
fn transposes_of_every_size() {
    let every = 1000 / cases(1000).clamp(1, 1000);
    check("transposing copy", || {
        let sizes = (1..=36i64).flat_map(|m| (1..=36i64).map(move |n| (m, n)));
        let gaps = sizes.flat_map(|size| [[0, 0], [1, 0], [0, 1], [5, 64]].map(|gaps| (size, gaps)));
        let all = gaps.flat_map(|matrix| WIDTHS.map(|width| (matrix, width)));
        // Wide elements are not transposed in registers.
        let all = all.filter(|(((m, n), _), width)| *width <= 8 || m.max(n) <= &9).enumerate();
        all.step_by(every).map(|(i, (((m, n), [gap_m, gap_n]), width))| {
            let [source, destination] = pair(&[(m, 1, n + gap_n), (n, m + gap_m, 1)]);
            let copy = Copy::of(source, destination, width);
            Copy { streams: i / 12 % 2 == 1, shifts: [0, if i / 24 % 2 == 1 { width } else { 0 }], ..copy }
        })
    });
}

/// Matrices of about one to three lines in each direction, compact, with gaps, and with columns that meet in the sets of caches.
#[test]
#[cfg_attr(miri, ignore)]
fn transposes_around_whole_lines() {
    let every = 200 / cases(200).clamp(1, 200);
    check("transposing copy of lines", || {
        let widths = [1, 2, 4, 8].into_iter().flat_map(|width: i64| {
            let line = LINE as i64 / width;
            let around = move |lines: i64| (-1..=1).map(move |more| lines * line + more);
            let sizes = (1..=3).flat_map(around).chain([line / 2 + 1, 3 * line / 2]);
            sizes.clone().flat_map(move |m| sizes.clone().map(move |n| (width, m, n)))
        });
        let pitches = widths.flat_map(|matrix| [0, 5, 64, -1].map(|gap| (matrix, gap)));
        let all =
            pitches.flat_map(|matrix| [[false, false], [true, false], [true, true]].map(|how| (matrix, how)));
        all.enumerate().step_by(every).map(|(i, (((width, m, n), gap), [streams, shifted]))| {
            // Without a gap of elements, the columns are 8 KiB apart.
            let pitch = if gap < 0 { 8192 / width } else { m + gap };
            let sign = if i % 5 == 0 { -1 } else { 1 };
            let [source, destination] = pair(&[(m, 1, sign * (n + gap.max(0))), (n, sign * pitch, 1)]);
            let shifts = [i % 7, if shifted { 1 + i % 63 } else { 0 }];
            Copy { streams, shifts, ..Copy::of(source, destination, width as usize) }
        })
    });
}

/// Rows that are contiguous in groups, of every number that the stages divide and that they do not; and rows of several
/// blocks that end within a line. Past the caches, so that they are put together on the way.
#[test]
#[cfg_attr(miri, ignore)]
fn rows_in_groups_and_blocks() {
    check("copy of rows in groups", || {
        let groups = [2, 3, 12, 24, 40, 63, 65, 100]
            .into_iter()
            .flat_map(|rows: i64| [2, 7].map(|groups| (rows, groups)));
        let columns = groups.flat_map(|rows| [1, 3, 16, 17, 100].map(|columns| (rows, columns)));
        let gaps = columns.flat_map(|size| [1, 13].map(|gap| (size, gap)));
        let grouped = gaps.flat_map(|size| [1, 2, 4, 8, 12].map(|width| (size, width)));
        let grouped = grouped.map(|((((rows, groups), columns), gap), width)| {
            let modes =
                [(rows, 1, columns), (groups, rows, columns * rows + gap), (columns, rows * groups, 1)];
            (modes.to_vec(), width)
        });
        let columns = [5, 100, 256, 261, 300]
            .into_iter()
            .flat_map(|first: i64| [1, 2, 3].map(|second| (first, second)));
        // Without a gap, with one element, and with one that makes rows whole lines.
        let gaps = columns.flat_map(|columns| [Some(0), Some(1), None].map(|gap| (columns, gap)));
        let blocks = gaps.flat_map(|columns| [1, 2, 4, 8].map(|width| (columns, width)));
        let blocks = blocks.map(|(((first, second), gap), width)| {
            let (rows, from) = (2048 / width as i64, 2048 / width as i64 + 3);
            let in_lines = (first * second) as usize * width;
            let gap = gap.unwrap_or((in_lines.next_multiple_of(LINE) - in_lines) as i64 / width as i64);
            let pitch = first * second + gap;
            let plane = (2, from * first * (second + 1), rows * pitch + second - 1);
            let modes = [(rows, 1, pitch), (first, from, 1), (second, from * first + 5, first), plane];
            (modes.to_vec(), width)
        });
        let every = 100 / cases(100).clamp(1, 100);
        grouped.chain(blocks).step_by(every).enumerate().map(|(i, (modes, width))| {
            let [source, destination] = pair(&modes);
            let shifts = [0, i % 3 * (i % 11) * width];
            Copy { streams: true, shifts, threads: 1 + i % 2, ..Copy::of(source, destination, width) }
        })
    });
}

/// Every step of 1 to 70 elements from every place in a line: gathered, scattered, and by steps on both sides, for lengths around
/// vectors, lines and blocks, in one row and in three with gaps.
#[test]
#[cfg_attr(miri, ignore)]
fn steps_from_every_place() {
    check("copy by steps", || {
        let places = (1..=70).flat_map(|step: i64| (0..LINE).map(move |shift| (step, shift)));
        let widths = places.flat_map(|place| [1, 2, 3, 4, 8, 16].map(|width| (place, width)));
        let all = widths.flat_map(|copy| [0, 1, 2].map(|side| (copy, side))).enumerate();
        let every = 97 / cases(97).clamp(1, 97);
        all.step_by(every).map(|(i, (((step, shift), width), side))| {
            let line = LINE.div_ceil(width) as i64;
            let lines = [1, 2, 3, 4, 5, 8, 16, 17][i / 3 % 8] * line;
            let few = [1, 2, 3, line / 2, lines - 1, lines, lines + 1][i % 7].max(1);
            // Now and then as many as a block of one step has.
            let block = STEPPED_BYTES as i64 / (step * width as i64);
            let count = if i % 61 == 0 { block + [-1, 0, 1][i / 61 % 3] } else { few.min(block / 4 + 1) };
            let [from, to] = [[step, 1], [1, step], [1 + i as i64 % 5, step]][side];
            let rows = [1, 3][i / 5 % 2];
            let gap = [0, 1, line][i / 7 % 3];
            let [source, destination] =
                pair(&[(count, from, to), (rows, from * count + gap, to * (count - 1) + 1 + gap)]);
            let shifts = [shift, if i % 4 == 0 { 0 } else { i * 5 % LINE }];
            let threads = if i % 11 == 0 { 2 } else { 1 };
            Copy { streams: i / 2 % 2 == 1, shifts, threads, ..Copy::of(source, destination, width) }
        })
    });
}

/// Steps of 2 to 17 elements, gathered and scattered, for every length up to 200, from places that differ from one case to the
/// next.
#[test]
#[cfg_attr(miri, ignore)]
fn steps_of_every_length() {
    check("copy by steps of every length", || {
        let sizes = (2..=17).flat_map(|step: i64| (1..=200).map(move |count| (step, count)));
        let widths = sizes.flat_map(|size| [1, 2, 4, 8].map(|width| (size, width)));
        let all = widths.flat_map(|copy| [false, true].map(|scatters| (copy, scatters))).enumerate();
        let every = 97 / cases(97).clamp(1, 97);
        all.step_by(every).map(|(i, (((step, count), width), scatters))| {
            let [source, destination] = pair(&[if scatters { (count, 1, step) } else { (count, step, 1) }]);
            let shifts = [i * 7 % LINE, i / 2 * width % LINE];
            Copy { streams: i / 3 % 2 == 1, shifts, ..Copy::of(source, destination, width) }
        })
    });
}

/// Arrays to structures of 2 to 9 fields, and back, of every length up to 200, with every gap between arrays up to 2 elements,
/// from places that differ from one case to the next.
#[test]
#[cfg_attr(miri, ignore)]
fn fields_of_every_length() {
    check("copy of fields of every length", || {
        let sizes = (2..=9).flat_map(|fields: i64| (1..=200).map(move |count| (fields, count)));
        let widths = sizes.flat_map(|size| [1, 2, 4, 8].map(|width| (size, width)));
        let gaps = widths.flat_map(|copy| [0, 1, 2].map(|gap| (copy, gap)));
        let all = gaps.flat_map(|copy| [false, true].map(|splits| (copy, splits))).enumerate();
        let every = 97 / cases(97).clamp(1, 97);
        all.step_by(every).map(|(i, ((((fields, count), width), gap), splits))| {
            let modes = [(fields, count + gap, 1), (count, 1, fields)];
            let modes = if splits { modes.map(|(extent, from, to)| (extent, to, from)) } else { modes };
            let [source, destination] = pair(&modes);
            let shifts = [i * 7 % LINE, i / 2 * width % LINE];
            Copy { streams: i / 3 % 2 == 1, shifts, ..Copy::of(source, destination, width) }
        })
    });
}

/// Arrays to structures of 1 to 9 fields, and back, from every place in a line, for lengths around vectors, lines and blocks,
/// compact and with gaps between arrays and structures, in one group and in two.
#[test]
#[cfg_attr(miri, ignore)]
fn fields_from_every_place() {
    check("copy of fields", || {
        let places = (1..=9).flat_map(|fields: i64| (0..LINE).map(move |shift| (fields, shift)));
        let widths = places.flat_map(|place| [1, 2, 3, 4, 8, 16].map(|width| (place, width)));
        let all = widths.flat_map(|copy| [0, 1, 2, 3].map(|turn| (copy, turn))).enumerate();
        let every = 97 / cases(97).clamp(1, 97);
        all.step_by(every).map(|(i, (((fields, shift), width), turn))| {
            let line = LINE.div_ceil(width) as i64;
            let lines = [1, 2, 3, 4, 5, 8, 9][i / 3 % 7] * line;
            let few = [1, line / 2, lines - 1, lines, lines + 1][i % 5].max(1);
            let block = (STEPPED_BYTES / width) as i64 / fields;
            let count = if i % 61 == 0 { block + [-1, 0, 1][i / 61 % 3] } else { few };
            let groups = [1, 2][i / 11 % 2];
            let pitch = count + [0, 0, 1, line][i / 13 % 4];
            let structure = fields + [0, 0, 0, 1][i / 17 % 4];
            let arrays = [1, pitch, fields * pitch + 3];
            let structures = [structure, 1, structure * count + [0, 2][i / 19 % 2]];
            let [from, to] = if turn % 2 == 0 { [arrays, structures] } else { [structures, arrays] };
            let extents = [count, fields, groups];
            let modes: Vec<_> = (0..3).map(|mode| (extents[mode], from[mode], to[mode])).collect();
            let [source, destination] = pair(&modes);
            let shifts = [i * 5 % LINE, if i % 4 == 0 { 0 } else { shift }];
            let threads = if i % 11 == 0 { 2 } else { 1 };
            Copy { streams: turn / 2 == 1, shifts, threads, ..Copy::of(source, destination, width) }
        })
    });
}

/// Runs of about one and two of the longest pieces, of elements and of one element repeated, in one row and in three.
#[test]
#[cfg_attr(miri, ignore)]
fn long_runs() {
    check("copy of long runs", || {
        let lengths = [1, 2].into_iter().flat_map(|pieces| [-1, 0, 1, 7].map(|more| (pieces, more)));
        let sources = lengths.flat_map(|length| [0, 1].map(|from| (length, from)));
        let rows = sources.flat_map(|source| [1, 3].map(|rows| (source, rows)));
        let all = rows.flat_map(|run| WIDTHS.map(|width| (run, width))).enumerate();
        let every = 40 / cases(40).clamp(1, 40);
        all.step_by(every).map(|(i, ((((pieces, more), from), rows), width))| {
            let run = (pieces * MAX_PIECE_BYTES / width) as i64 + more;
            let [source, destination] = pair(&[(run, from, 1), (rows, run + 3, run + i as i64 % 3)]);
            let streams = i / WIDTHS.len() % 2 == 1;
            Copy { streams, shifts: [0, i % 3 * width], ..Copy::of(source, destination, width) }
        })
    });
}

/// The smallest copies that were wrong.
/// Every swizzle of up to three bits, of the source, the destination and both, over matrices by rows and by columns, some of them
/// longer than what is copied in all parts at a time.
#[test]
#[cfg_attr(miri, ignore)]
fn swizzles() {
    let every = 300 / cases(300).clamp(1, 300);
    check("swizzled copy", || {
        let swizzles = (1..=3i32).flat_map(|bits| {
            let shifts = (bits..=bits + 2).flat_map(|shift| [shift, -shift]);
            shifts.flat_map(move |shift| (0..=3).map(move |base| Form::Swizzled(bits as u32, base, shift)))
        });
        let sizes = [(8, 8), (16, 32), (12, 40), (64, 10), (3, 128), (256, 72)];
        let matrices = swizzles.flat_map(move |form| sizes.map(|size| (form, size)));
        let orders = [[true, true], [true, false], [false, true], [false, false]];
        let all = matrices.flat_map(move |matrix| orders.map(|by_rows| (matrix, by_rows)));
        let all =
            all.flat_map(|matrix| [[true, false], [false, true], [true, true]].map(|which| (matrix, which)));
        all.enumerate().step_by(every).map(|(i, (((form, (m, n)), by_rows), which))| {
            let place = |operand: usize| {
                let strides = if by_rows[operand] { [n, 1] } else { [1, m] };
                let place = Place::new(vec![Mode::Leaf(m, strides[0]), Mode::Leaf(n, strides[1])]);
                let start = (i % 5 * 3) as i64;
                if which[operand] { Place { form, start, ..place } } else { place }
            };
            let width = WIDTHS[i % WIDTHS.len()];
            let copy = Copy::of(place(0), place(1), width);
            Copy { streams: i % 2 == 1, shifts: [i % 7, i % 3 * width], threads: 1 + i % 2, ..copy }
        })
    });
}

#[test]
fn found() {
    check("copy", || {
        // Steps of 2 pieces to steps of 1 piece and a gap.
        let [source, destination] = pair(&[(2, 1, 1), (2, 4, 3)]);
        let every = if cfg!(miri) { 2 } else { 1 };
        WIDTHS
            .into_iter()
            .step_by(every)
            .map(move |width| Copy::of(source.clone(), destination.clone(), width))
    });
}

/// The same of two streamed runs of an element more than the longest piece, which were taken for pieces of one length.
#[test]
#[cfg_attr(miri, ignore)]
fn found_in_long_runs() {
    check("copy", || {
        let run = MAX_PIECE_BYTES as i64 / 4 + 1;
        let [source, destination] = pair(&[(run, 1, 1), (2, 0, run)]);
        std::iter::once(Copy { streams: true, ..Copy::of(source, destination, 4) })
    });
}
