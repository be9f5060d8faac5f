//! The plan of a product: every decision about it, made once. What runs it and what `explain` prints are read from this
//! value.

pub(crate) mod blocks;
pub(crate) mod matrix;
pub(crate) mod small;

use crate::cpu::cache::Caches;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::Format;
use crate::matmul::tile::packing::Packing;
use crate::tuning::matmul::{
    FEW_PANELS, FEW_ROWS, FEW_STEPS, FILLED_LINES_AHEAD, MAX_PREFETCH_LINES, NEAR_STEPS, PREFETCHING_STEPS,
    PREFETCHING_STEPS_OF_C,
};
use blocks::Blocks;
use matrix::Matrix;
use small::Small;
use std::fmt;

/// How a product is computed.
#[derive(Clone, Debug)]
pub(crate) struct ProductPlan {
    pub format: Format,
    /// Rows, columns and steps.
    pub size: [usize; 3],
    /// Whether `A` is the second operand of the caller, and `C` its transpose.
    pub swapped: bool,
    pub blocks: Blocks,
    /// How blocks get `A` and `B`.
    pub reads: [Reading; 2],
    /// Whether sums of blocks are collected on a stage until all steps are added.
    pub staged: bool,
    /// How packing reads `A` and `B`, where it does.
    pub packing: [Packing; 2],
    /// How sums are written to the rows of `C`, where kernels do not write it.
    pub writing: Packing,
    pub ahead: Ahead,
    /// On as many threads as there are products, or fewer.
    pub strategy: Strategy,
}

/// The way through a product.
#[derive(Clone, Debug)]
pub(crate) enum Strategy {
    /// Tiles that read both operands in place.
    Small(Small),
    /// A matrix by a vector: only the vector is packed. The matrix has its vectors along its rows, or along its steps.
    Vector { along_rows: bool },
    /// Blocks that fit the caches.
    Blocks,
}

/// How blocks get an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Panels are packed first.
    Packed,
    /// Kernels read it in place, with these strides of rows and steps.
    InPlace([isize; 2]),
    /// The kernels of the first panel of `B` read it in place, and pack it for the others.
    Filled([isize; 2]),
}

impl Reading {
    /// The strides of what kernels read in place.
    pub(crate) fn in_place(self) -> Option<[isize; 2]> {
        match self {
            Reading::Packed => None,
            Reading::InPlace(strides) | Reading::Filled(strides) => Some(strides),
        }
    }
}

/// What is prefetched while kernels run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ahead {
    /// The lines of the next block of `A` and of `B`, or of panels of a `B` that is read in place, at a time.
    pub lines: [usize; 2],
    /// Whether the next packed panel of `B` is.
    pub panel: bool,
    /// Whether the lines of a tile of `C` are, before it is computed.
    pub tile: bool,
}

impl fmt::Display for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let of = |name, lines| (lines > 0).then(|| format!("{name} by at most {lines} lines"));
        let [a, b] = self.lines;
        let all = [
            of("the next of A", a),
            of("the next of B", b),
            self.panel.then(|| "the next panel of B".to_owned()),
            self.tile.then(|| "each tile of C".to_owned()),
        ];
        let all: Vec<String> = all.into_iter().flatten().collect();
        write!(f, "prefetched: {}", if all.is_empty() { "nothing".to_owned() } else { all.join(", ") })
    }
}

/// The tables of an operand, its rows and its columns, if it is memory with two tables.
pub(crate) type Tables<'a> = Option<[&'a Axis; 2]>;

impl ProductPlan {
    /// The plan for matrices in memory.
    pub(crate) fn for_matrices(
        format: Format,
        caches: Caches,
        [a, b, c]: [&Matrix; 3],
        swapped: bool,
    ) -> ProductPlan {
        let size = [a.rows.len(), b.rows.len(), a.cols.len()];
        let [_, n, k] = size;
        let blocks = Blocks::new(caches, &format, size);
        let small = if format.same_type { Small::new(&format, caches, a, b, c) } else { None };
        let blocks = match small {
            Some(_) => blocks.in_one_step(k),
            None => blocks.for_few_columns(caches, &format, [&a.rows, &a.cols], n),
        };
        let [of_a, of_b] = [a, b].map(|of| [&of.rows, &of.cols]);
        let plan = ProductPlan::by_blocks(format, size, [Some(of_a), Some(of_b)], &c.rows, swapped, blocks);
        let strategy = match small {
            Some(small) => Strategy::Small(small),
            None if n == 1 => Strategy::Vector { along_rows: runs_along(&a.rows, &a.cols) },
            None if size[0] == 1 => Strategy::Vector { along_rows: runs_along(&b.rows, &b.cols) },
            None => Strategy::Blocks,
        };
        ProductPlan { strategy, ..plan }
    }

    /// The plan by blocks of these sizes, for operands that may yield panels only.
    pub(crate) fn by_blocks(
        format: Format,
        size: [usize; 3],
        [a, b]: [Tables; 2],
        rows_of_c: &Axis,
        swapped: bool,
        mut blocks: Blocks,
    ) -> ProductPlan {
        let [m, n, k] = size;
        let first = a.and_then(|a| rows_in_place(&format, &blocks, a, n));
        // Few rows of a product of many are not a reason: the kernels that pack `A` read packed panels.
        let second = b.filter(|_| !blocks.filled).and_then(|b| columns_in_place(&format, b, m));
        let reads = [
            match first {
                Some(strides) if blocks.filled => Reading::Filled(strides),
                Some(strides) => Reading::InPlace(strides),
                None => Reading::Packed,
            },
            second.map_or(Reading::Packed, Reading::InPlace),
        ];
        // The order of the sums does not depend on the threads.
        let one_panel = a.is_some() && m <= format.mr;
        let steps = if second.is_some() && one_panel { blocks.long } else { blocks.k };
        blocks.k = steps.next_multiple_of(format.step);
        let vectors = rows_of_c.part(0..m).in_vectors(format.lanes);
        let staged = !format.same_type || k > blocks.k && !vectors;
        let steps = blocks.k.min(k).div_ceil(format.step);
        let [tall, wide] = [
            if blocks.short { blocks.m } else { m }.div_ceil(format.mr),
            n.min(blocks.n).div_ceil(format.nr),
        ];
        let keeps_b = wide * format.nr * steps * format.sum_bytes <= blocks.first / 2;
        // An operand that meets many panels has long arrived.
        let few = |tables: Tables, panels: usize| tables.is_some() && panels <= FEW_PANELS;
        let lines = [
            if few(a, wide) {
                if blocks.filled { FILLED_LINES_AHEAD } else { MAX_PREFETCH_LINES }
            } else {
                0
            },
            if second.map_or(few(b, tall), |_| !keeps_b) { MAX_PREFETCH_LINES } else { 0 },
        ];
        let ahead = Ahead {
            lines: if steps >= PREFETCHING_STEPS { lines } else { [0; 2] },
            panel: second.is_none() && !keeps_b && !blocks.filled,
            tile: steps >= PREFETCHING_STEPS_OF_C,
        };
        let packing =
            |tables: Tables, width| tables.map_or(Packing::Panels, |tables| format.packing(tables, width));
        let packing = [packing(a, format.mr), packing(b, format.nr)];
        let writing = format.writing(rows_of_c);
        let strategy = Strategy::Blocks;
        ProductPlan { format, size, swapped, blocks, reads, packing, writing, ahead, staged, strategy }
    }

    /// Every way to compute the same product of matrices that are in place in memory.
    #[cfg(feature = "candidates")]
    pub(crate) fn candidates(
        &self,
        caches: Caches,
        [a, b, c]: [&Matrix; 3],
    ) -> Vec<(&'static str, ProductPlan)> {
        let ProductPlan { format, size, swapped, .. } = self.clone();
        let blocks = Blocks::new(caches, &format, size);
        let tables = [Some([&a.rows, &a.cols]), Some([&b.rows, &b.cols])];
        let plan = ProductPlan::by_blocks(format, size, tables, &c.rows, swapped, blocks);
        let in_place = |strides: Option<[isize; 2]>| strides.map(Reading::InPlace);
        let of_a = in_place(a.cols.stride.filter(|_| a.rows.is_run(0, size[0])).map(|step| [1, step]));
        let of_b = in_place(b.rows.stride.zip(b.cols.stride.filter(|&step| step == 1)).map(Into::into));
        let reads = |reads: [Reading; 2]| {
            let ahead = Ahead { panel: plan.ahead.panel && reads[1] == Reading::Packed, ..plan.ahead };
            ProductPlan { reads, ahead, ..plan.clone() }
        };
        let packed = Reading::Packed;
        let by_blocks = [
            ("packed", Some([packed, packed])),
            ("A in place", of_a.map(|a| [a, packed])),
            ("B in place", of_b.map(|b| [packed, b])),
            ("both in place, by blocks", of_a.zip(of_b).map(|(a, b)| [a, b])),
        ];
        let mut plans: Vec<_> =
            by_blocks.into_iter().filter_map(|(name, of)| Some((name, reads(of?)))).collect();
        if let Some(small) = Small::of(&format, a, b, c) {
            plans.push(("small", ProductPlan { strategy: Strategy::Small(small), ..plan }));
        }
        plans
    }

    /// How these threads compute a batch of such products. A single one that is worth dividing is computed by blocks.
    pub(crate) fn strategy(&self, threads: usize, batch: usize) -> &Strategy {
        match &self.strategy {
            Strategy::Small(small) if small.divisible && threads > batch => &Strategy::Blocks,
            strategy => strategy,
        }
    }

    /// The product in place, if few threads compute it so.
    pub(crate) fn small(&self) -> Option<&Small> {
        match &self.strategy {
            Strategy::Small(small) => Some(small),
            _ => None,
        }
    }

    /// The method, one decision a line: `names` are those of `A` and `B`.
    pub(crate) fn explain(&self, names: [&str; 2]) -> Vec<String> {
        let Format { isa, mr, nr, .. } = self.format;
        let mut lines = vec![format!("{isa} kernel, {mr} by {nr} elements of C at a time")];
        match &self.strategy {
            Strategy::Small(small) => {
                lines.push(match small.divisible {
                    true => "in the second cache: not in blocks, unless more threads divide it".to_owned(),
                    false => "small: not in blocks, one thread for each of them".to_owned(),
                });
                lines.push(match small.packing {
                    Some(packing) => format!("{}: {packing}", names[0]),
                    None => format!("{}: read in place, since its rows are contiguous", names[0]),
                });
                lines.push(format!("{}: read in place, since it has one stride along each axis", names[1]));
                lines.extend(small.writing.map(|writing| format!("C: {writing}")));
            }
            Strategy::Vector { .. } => {
                lines.push("a matrix by a vector: nothing but the vector is packed".to_owned());
            }
            Strategy::Blocks => {
                let Blocks { m, n, k, .. } = self.blocks;
                lines.push(format!("blocks of {m} by {n} by {k}"));
                let users = ["few columns", "few rows"];
                for (i, name) in names.into_iter().enumerate() {
                    lines.push(match self.reads[i] {
                        Reading::Packed => format!("{name}: {}", self.packing[i]),
                        Reading::InPlace(_) => format!("{name}: read in place, since {} use it", users[i]),
                        Reading::Filled(_) => {
                            format!(
                                "{name}: packed by the kernels that read it first, since few columns use it"
                            )
                        }
                    });
                }
                if self.staged {
                    lines.push(format!("C: when all steps are added, {}", self.writing));
                }
                lines.push(self.ahead.to_string());
            }
        }
        lines
    }
}

/// The strides of the rows and steps of `B`, if it is read in place: its steps are contiguous, and so few rows of `A`
/// use it that packing costs more than it saves.
pub(crate) fn columns_in_place(format: &Format, b: [&Axis; 2], rows: usize) -> Option<[isize; 2]> {
    let few = format.is_sum && rows <= FEW_ROWS;
    Some([b[0].stride?, b[1].stride.filter(|&stride| few && stride == 1)?])
}

/// The strides of `A`, if it is read in place: its rows are contiguous, its steps near each other or few at a time, and few
/// columns of `B` use it.
fn rows_in_place(format: &Format, blocks: &Blocks, a: [&Axis; 2], cols: usize) -> Option<[isize; 2]> {
    let few = format.is_sum && cols <= FEW_PANELS * format.nr;
    let near = |&stride: &isize| {
        stride.unsigned_abs() <= NEAR_STEPS || a[1].len() <= FEW_STEPS || blocks.short || blocks.filled
    };
    let step = a[1].stride.filter(near)?;
    (few && a[0].is_run(0, a[0].len())).then_some([1, step])
}

/// Whether vectors along the rows of a matrix by a vector are faster: runs are longer there, or neighbours closer.
fn runs_along(rows: &Axis, steps: &Axis) -> bool {
    let distance =
        |axis: &Axis| axis.offsets.get(1).map_or(isize::MAX, |second| second - axis.offsets[0]).abs();
    match rows.longest().cmp(&steps.longest()) {
        std::cmp::Ordering::Equal => distance(rows) <= distance(steps),
        order => order.is_gt(),
    }
}
