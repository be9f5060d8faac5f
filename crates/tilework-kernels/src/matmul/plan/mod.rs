//! The plan of a product: every decision about it, made once. What runs it and what `explain` prints are read from this
//! value.

pub(crate) mod blocks;
pub(crate) mod matrix;
pub(crate) mod small;

use crate::cost::{self, Panels};
use crate::cpu::cache::Caches;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::Format;
use crate::matmul::tile::packing::Packing;
use crate::tuning::matmul::{
    FEW_PANELS, MAX_PREFETCH_LINES, PREFETCHING_STEPS, PREFETCHING_STEPS_OF_C, SMALL, SMALL_BY_VECTOR,
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
    pub strategy: Strategy,
    pub costs: Costs,
}

/// What the ways through a product cost, in lines from the third-level cache (`cost.rs`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// `A` and `B` in blocks, packed and in place: infinite if kernels cannot read it so.
    reads: [[f64; 2]; 2],
    /// All in blocks.
    by_blocks: f64,
    /// All without blocks; infinite if `B` has not one stride along each axis.
    tiles: f64,
}

impl Costs {
    /// One line; `names` are those of `A` and `B`.
    fn explain(&self, names: [&str; 2]) -> String {
        let way = |name: &str, cost: f64| cost.is_finite().then(|| format!("{cost:.0} {name}"));
        let of = |(name, [packed, in_place]): (&str, [f64; 2])| {
            let ways: Vec<String> =
                [way("packed", packed), way("in place", in_place)].into_iter().flatten().collect();
            format!("{name} {}", ways.join(" or "))
        };
        let [a, b] = [(names[0], self.reads[0]), (names[1], self.reads[1])].map(of);
        let tiles = way("without blocks", self.tiles).map_or(String::new(), |tiles| format!(", {tiles}"));
        format!(
            "costs, in lines from the third-level cache: {a}, {b}, all by blocks {:.0}{tiles}",
            self.by_blocks
        )
    }
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
    /// The cheapest plan for matrices in memory.
    pub(crate) fn for_matrices(
        format: Format,
        caches: Caches,
        [a, b, c]: [&Matrix; 3],
        swapped: bool,
    ) -> ProductPlan {
        let size = [a.rows.len(), b.rows.len(), a.cols.len()];
        let [m, n, _] = size;
        let tables = [a, b].map(Matrix::tables);
        let mut plan = ProductPlan::by_blocks(format, caches, size, tables.map(Some), &c.rows, swapped);
        plan.costs.tiles = plan.cost_of_tiles(caches, tables);
        let pays = match m == 1 || n == 1 {
            true => format.is_sum && plan.multiplications() <= SMALL_BY_VECTOR,
            false => plan.costs.tiles < plan.costs.by_blocks,
        };
        let small = if format.same_type && pays { Small::of(&format, a, b, c) } else { None };
        plan.strategy = match small {
            Some(small) => Strategy::Small(small),
            None if n == 1 => Strategy::Vector { along_rows: runs_along(&a.rows, &a.cols) },
            None if m == 1 => Strategy::Vector { along_rows: runs_along(&b.rows, &b.cols) },
            None => Strategy::Blocks,
        };
        plan
    }

    /// The plan by blocks, for operands that may yield panels only.
    pub(crate) fn by_blocks(
        format: Format,
        caches: Caches,
        size: [usize; 3],
        [a, b]: [Tables; 2],
        rows_of_c: &Axis,
        swapped: bool,
    ) -> ProductPlan {
        let [m, n, k] = size;
        let mut blocks = Blocks::new(caches, &format, size);
        let strides =
            [a.and_then(|a| rows_in_place(&format, a)), b.and_then(|b| columns_in_place(&format, b))];
        // A block of `A` is in the second-level cache. While its packed panels pass, a panel of `B` stays in the first-level cache; those
        // in place, which are as far apart as their steps, evict it.
        let cost = |i: usize, readers, bytes| {
            let panels = Panels { readers, ..format.panels(size, i, strides[i].unwrap_or_default()) };
            let in_place = strides[i].map(|_| panels.in_place(caches, blocks.k.min(k), bytes));
            [panels.packed(caches, i == 1), in_place.unwrap_or(f64::INFINITY)]
        };
        let [of_a, beside_packed, beside] = [
            cost(0, n.div_ceil(format.nr), 0),
            cost(1, m.div_ceil(blocks.m), format.bytes_of([n, k])),
            cost(1, m.div_ceil(format.mr), format.bytes_of([n, k])),
        ];
        let least = |[packed, in_place]: [f64; 2]| packed.min(in_place);
        let [by_packed, by_in_place] = [of_a[0] + least(beside_packed), of_a[1] + least(beside)];
        let of_b = if by_in_place < by_packed { beside } else { beside_packed };
        let is_in_place = [by_in_place < by_packed, of_b[1] < of_b[0]];
        let reads = [0, 1].map(|i| match strides[i] {
            Some(strides) if is_in_place[i] => Reading::InPlace(strides),
            _ => Reading::Packed,
        });
        let second = reads[1] != Reading::Packed;
        // The order of the sums does not depend on the threads.
        let one_panel = a.is_some() && m <= format.mr;
        let steps = if second && one_panel { blocks.long } else { blocks.k };
        blocks.k = steps.next_multiple_of(format.step);
        let vectors = rows_of_c.part(0..m).in_vectors(format.lanes);
        let staged = !format.same_type || k > blocks.k && !vectors;
        let steps = blocks.k.min(k).div_ceil(format.step);
        let [tall, wide] = [m.div_ceil(format.mr), n.min(blocks.n).div_ceil(format.nr)];
        let keeps_b = wide * format.nr * steps * format.sum_bytes <= blocks.first / 2;
        // An operand that meets many panels has long arrived.
        let few = |tables: Tables, panels: usize| tables.is_some() && panels <= FEW_PANELS;
        let arrives = [!few(a, wide), if second { keeps_b } else { !few(b, tall) }];
        let ahead = Ahead {
            lines: arrives
                .map(|arrives| if arrives || steps < PREFETCHING_STEPS { 0 } else { MAX_PREFETCH_LINES }),
            panel: !second && !keeps_b,
            tile: steps >= PREFETCHING_STEPS_OF_C,
        };
        let packing =
            |tables: Tables, width| tables.map_or(Packing::Panels, |tables| format.packing(tables, width));
        let bytes_of_c = m.saturating_mul(n).saturating_mul(format.sum_bytes);
        ProductPlan {
            size,
            swapped,
            blocks,
            reads,
            packing: [packing(a, format.mr), packing(b, format.nr)],
            writing: format.writing(rows_of_c),
            ahead,
            staged,
            strategy: Strategy::Blocks,
            costs: Costs {
                reads: [of_a, of_b],
                by_blocks: by_packed.min(by_in_place)
                    + cost::of_blocks(caches, bytes_of_c, k.div_ceil(blocks.k)),
                tiles: f64::INFINITY,
            },
            format,
        }
    }

    /// What tiles cost that read the operands in place, or pack a panel of `A` after the other.
    fn cost_of_tiles(&self, caches: Caches, [a, b]: [[&Axis; 2]; 2]) -> f64 {
        let ProductPlan { format, size, .. } = self;
        let [_, n, k] = *size;
        let (true, Some(rows), Some(steps)) = (format.is_sum, b[0].stride, b[1].stride) else {
            return f64::INFINITY;
        };
        let in_place = rows_in_place(format, a);
        let of_a = format.panels(*size, 0, in_place.unwrap_or([1, format.mr as isize]));
        let panel = of_a.panel_bytes();
        let cost_of_a = match in_place {
            Some(_) => of_a.in_place(caches, k, panel),
            None => of_a.packed(caches, false),
        };
        // Each panel of `A` meets all of `B`.
        let bytes = format.bytes_of([n, k]).saturating_add(panel);
        cost_of_a + format.panels(*size, 1, [rows, steps]).in_place(caches, k, bytes)
    }

    fn multiplications(&self) -> usize {
        self.size.into_iter().fold(1, usize::saturating_mul)
    }

    /// Every way to compute the same product of matrices that are in place in memory.
    #[cfg(feature = "candidates")]
    pub(crate) fn candidates(
        &self,
        caches: Caches,
        [a, b, c]: [&Matrix; 3],
    ) -> Vec<(&'static str, ProductPlan)> {
        let ProductPlan { format, size, swapped, costs, .. } = *self;
        let tables = [a, b].map(Matrix::tables);
        let plan = ProductPlan::by_blocks(format, caches, size, tables.map(Some), &c.rows, swapped);
        let plan = ProductPlan { costs, ..plan };
        let [of_a, of_b] = [rows_in_place(&format, tables[0]), columns_in_place(&format, tables[1])]
            .map(|strides| strides.map(Reading::InPlace));
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

    /// The product in place, if it is computed so.
    pub(crate) fn small(&self) -> Option<&Small> {
        match &self.strategy {
            Strategy::Small(small) => Some(small),
            _ => None,
        }
    }

    /// The same if it is too small to be divided among threads.
    pub(crate) fn at_once(&self) -> Option<&Small> {
        self.small().filter(|_| self.multiplications() <= SMALL)
    }

    /// The method, one decision a line: `names` are those of `A` and `B`.
    pub(crate) fn explain(&self, names: [&str; 2]) -> Vec<String> {
        let Format { isa, mr, nr, .. } = self.format;
        let mut lines = vec![format!("{isa} kernel, {mr} by {nr} elements of C at a time")];
        match &self.strategy {
            Strategy::Small(small) => {
                lines.push(match self.at_once() {
                    Some(_) => "small: not in blocks, one thread for each of them".to_owned(),
                    None => "not in blocks".to_owned(),
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
                for (i, name) in names.into_iter().enumerate() {
                    lines.push(match self.reads[i] {
                        Reading::Packed => format!("{name}: {}", self.packing[i]),
                        Reading::InPlace(_) => format!("{name}: read in place"),
                    });
                }
                if self.staged {
                    lines.push(format!("C: when all steps are added, {}", self.writing));
                }
                lines.push(self.ahead.to_string());
            }
        }
        if !matches!(self.strategy, Strategy::Vector { .. }) {
            lines.push(self.costs.explain(names));
        }
        lines
    }
}

impl Format {
    /// Operand `i` of a product, as kernels read it: rows and steps have these strides.
    fn panels(&self, [m, n, k]: [usize; 3], i: usize, strides: [isize; 2]) -> Panels {
        let (rows, heights) = ([m, n], [self.mr, self.nr]);
        Panels {
            size: [rows[i], k],
            strides: strides.map(|stride| stride.unsigned_abs().saturating_mul(self.bytes)),
            height: heights[i],
            bytes: self.packed_bytes,
            readers: rows[1 - i].div_ceil(heights[1 - i]),
        }
    }

    /// The bytes of a matrix.
    fn bytes_of(&self, [rows, steps]: [usize; 2]) -> usize {
        rows.saturating_mul(steps).saturating_mul(self.bytes)
    }
}

/// The strides of the rows and steps of `B`, if kernels can read it in place by blocks: its steps are contiguous.
pub(crate) fn columns_in_place(format: &Format, b: [&Axis; 2]) -> Option<[isize; 2]> {
    Some([b[0].stride?, b[1].stride.filter(|&stride| format.is_sum && stride == 1)?])
}

/// Those of `A`, if they can: its rows are contiguous.
fn rows_in_place(format: &Format, a: [&Axis; 2]) -> Option<[isize; 2]> {
    let step = a[1].stride?;
    (format.is_sum && a[0].is_run(0, a[0].len())).then_some([1, step])
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
