//! How the blocks of a copy are filled and written: every decision below its loops, made once. What runs them and what `explain`
//! prints are read from this value.

use super::loops::{CopyLoops, Method, Order};
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::count;
#[cfg(target_arch = "x86_64")]
use crate::simd::strided::x86;
use crate::simd::strided::{ByLines, Gather, Interleave, Split, scattered_step_of, step_of};
use crate::tuning::copy::{
    FOLLOWED_BYTES, LONG_ROW_BYTES, PREFETCH_BYTES, PREFETCH_LINES, STAGE_BYTES, STAGED_BYTES,
    STREAMED_PIECE, STRIP_LINES,
};
use crate::tuning::{LARGE_CACHE, LINE};

/// Where in a line of the cache a destination begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Line,
    /// Whole elements behind the beginning of a line.
    Element,
    Anywhere,
}

impl Place {
    pub(super) const ALL: [Place; 3] = [Place::Line, Place::Element, Place::Anywhere];

    /// That of an address, for elements of `unit` bytes.
    pub(super) fn of(to: *const u8, unit: usize) -> Place {
        match to as usize % LINE {
            0 => Place::Line,
            behind if behind.is_multiple_of(unit) => Place::Element,
            _ => Place::Anywhere,
        }
    }
}

/// How the blocks of a copy are filled and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strategy {
    /// The instructions.
    pub isa: Isa,
    pub tile: Kind,
    pub rows: Writing,
}

/// The kind of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Pieces that are contiguous in both.
    Pieces(Walk),
    /// Long ones or whole lines, past the caches, one by one; while a short one is copied, the next column is prefetched.
    Streamed { short: bool },
    /// Pieces that repeat one element.
    Splat,
    /// Squares of elements, transposed in registers.
    Transposed(Transposition),
    /// Arrays that become the fields of structures, by this function unless there are 2, 4 or 8.
    Interleaved(Option<Interleave>),
    /// Structures whose fields become arrays, by this function unless there are 2, 4 or 8. Lines are collected on a stage, if all
    /// arrays begin at lines, and if not.
    Split { by: Option<Split>, staged: [bool; 2] },
    /// Pieces that are not contiguous in the destination.
    Scattered(Along),
}

/// The order in which pieces are copied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    /// Along the columns of each row.
    Columns(Along),
    /// Along the rows of each column.
    Rows(Along),
    /// By the tables of both.
    Tables,
}

/// Pieces with a constant step, in the source and in the destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along {
    pub step: [isize; 2],
    pub moves: Moves,
}

/// How pieces with a constant step are moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moves {
    OneByOne,
    /// One by one, while the next lines of the destination are prefetched.
    Prefetched,
    /// By lines of the destination.
    Gathered(Gather),
    /// By lines of the source, with a step of this many elements.
    Scattered(usize),
}

/// How squares are transposed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transposition {
    pub squares: Squares,
    pub order: Order,
    /// The lines of each row that are transposed side by side.
    pub lines: usize,
    /// The contiguous lines of each of the next columns that are prefetched together; 0 if the processor does it.
    pub prefetched: usize,
    /// Whether squares from the second one on may begin at lines of the source, and of the destination.
    pub at_lines: [bool; 2],
}

/// The order of the squares of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) enum Squares {
    /// One by one (`transpose.rs`).
    Single,
    /// The next line of each row is in the second-level cache (`cached.rs`); by lanes of columns that are this many bytes apart.
    Cached { lanes: Option<isize> },
    /// Strips, past the caches (`streamed.rs`).
    Strips,
    /// Strips whose incomplete lines are carried over (`carried.rs`), by lanes of columns that are this many bytes apart, or in
    /// registers.
    Carried { lanes: Option<isize>, in_registers: bool },
}

/// How the rows of blocks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Writing {
    /// Where they belong; past the caches or not.
    InPlace { streams: bool },
    /// Past the caches where they belong, by blocks that are shifted so that they begin at a line.
    Shifted,
    /// Past the caches, wherever in a line they begin.
    Carried,
    /// Past the caches, this many together through a stage.
    Staged(usize),
}

impl Strategy {
    /// The strategy for loops whose destination begins at this place.
    pub(super) fn new(loops: &CopyLoops, place: Place, isa: Isa) -> Strategy {
        let rows = Writing::new(loops, place);
        let (unit, streams) = (loops.unit, rows == Writing::InPlace { streams: true });
        let vectors = by_lines(isa);
        let tile = match loops.method {
            Method::Pieces if !loops.gathers && (streams || rows == Writing::Carried) => {
                Kind::Streamed { short: loops.piece < PREFETCH_BYTES }
            }
            Method::Pieces => Kind::Pieces(Walk::new(loops, rows, isa)),
            Method::Splat => Kind::Splat,
            Method::Transpose => Kind::Transposed(Transposition::new(loops, rows, isa)),
            Method::Interleave => {
                let fields = loops.columns.len();
                let by = vectors.filter(|_| !fields.is_power_of_two());
                Kind::Interleaved(by.map(|by| (by.interleaves)(fields, unit)))
            }
            Method::Split => {
                let fields = loops.rows.len();
                let by = vectors.filter(|_| !fields.is_power_of_two());
                // Shuffled lines of several registers are not written at once.
                let at_once = isa.is_wide() || by.is_none();
                let staged = [streams && !at_once, streams || Caches::get().second >= LARGE_CACHE];
                Kind::Split { by: by.map(|by| (by.splits)(fields, unit)), staged }
            }
            Method::Scatter => {
                let step = loops.columns.step.unwrap_or_default();
                Kind::Scattered(Along::new(loops.piece, step, loops.columns.len(), isa))
            }
        };
        let by_lines = match tile {
            Kind::Interleaved(by) => by.is_some(),
            Kind::Split { by, .. } => by.is_some(),
            Kind::Pieces(walk) => walk.gathers(),
            _ => false,
        };
        let isa = vectors.filter(|_| by_lines).map_or(isa, |vectors| vectors.isa);
        Strategy { isa, tile, rows }
    }

    /// How tiles are filled with elements of `element` bytes.
    pub(super) fn tile(&self, loops: &CopyLoops, element: usize) -> String {
        let by_vectors = |how| format!("{how} in registers ({}), {} bytes at a time", self.isa, loops.unit);
        match self.tile {
            Kind::Pieces(walk) if walk.gathers() => by_vectors("gathered"),
            Kind::Pieces(_) if loops.piece == element => "one by one: no two neighbours in both".to_string(),
            Kind::Pieces(_) | Kind::Streamed { .. } => {
                format!("pieces of {} bytes, contiguous in both", loops.piece)
            }
            Kind::Splat => format!("pieces of {} bytes, each one element repeated", loops.piece),
            Kind::Transposed(_) => by_vectors("transposed"),
            Kind::Interleaved(_) => by_vectors("interleaved"),
            Kind::Split { .. } => by_vectors("fields split"),
            Kind::Scattered(Along { moves: Moves::Scattered(_), .. }) => by_vectors("scattered"),
            Kind::Scattered(_) => "one by one: no two neighbours in the destination".to_string(),
        }
    }

    /// In which order tiles are filled, a decision a line, and how they are written.
    pub(super) fn details(&self, loops: &CopyLoops) -> String {
        let along = |along: Along| match along.moves {
            Moves::Prefetched => "; the next lines of the destination are prefetched",
            _ => "",
        };
        let order = match self.tile {
            Kind::Transposed(by) => by.explain(loops.unit),
            Kind::Pieces(Walk::Columns(by)) => format!("order: along the columns of each row{}\n", along(by)),
            Kind::Pieces(Walk::Rows(by)) => format!("order: along the rows of each column{}\n", along(by)),
            Kind::Scattered(by) if !along(by).is_empty() => {
                format!("order: that of the source{}\n", along(by))
            }
            Kind::Streamed { short: true } => "the next column is prefetched\n".to_string(),
            Kind::Split { staged: [at_lines, within], .. } if at_lines || within => {
                let where_from = if at_lines { "" } else { " where arrays begin within a line" };
                format!("lines are collected on a stage{where_from}\n")
            }
            _ => String::new(),
        };
        let written = match self.rows {
            Writing::InPlace { streams: false } => "through the caches".to_string(),
            Writing::InPlace { streams: true } => "past the caches, in whole lines".to_string(),
            Writing::Shifted => "past the caches, in whole lines, by blocks that begin at lines".to_string(),
            Writing::Carried => {
                "past the caches, in whole lines; incomplete ones are carried to the next block".to_string()
            }
            Writing::Staged(rows) => {
                format!("past the caches, in whole lines, by a stage of {}", count(rows, "row"))
            }
        };
        format!("{order}written {written}\n")
    }
}

impl Writing {
    fn new(loops: &CopyLoops, place: Place) -> Writing {
        let CopyLoops { method, unit, piece, .. } = *loops;
        let long = loops.row_bytes() * loops.sweep_blocks() >= LONG_ROW_BYTES;
        let lines = piece.is_multiple_of(LINE);
        let begins = loops.aligned && place == Place::Line;
        let in_place = match method {
            Method::Pieces => {
                let gathers = loops.gathers && loops.row_bytes() >= STREAMED_PIECE;
                begins && lines || piece >= STREAMED_PIECE || gathers
            }
            Method::Transpose => begins,
            Method::Interleave => true,
            Method::Split => loops.row_bytes() >= STREAMED_PIECE,
            Method::Splat | Method::Scatter => false,
        };
        // The stage is emptied while long pieces are still in the first-level cache.
        let staged = if piece >= LINE { STAGE_BYTES / loops.row_bytes() } else { STAGED_BYTES / unit };
        match method {
            _ if !loops.streaming || in_place => Writing::InPlace { streams: loops.streaming },
            Method::Transpose if loops.aligned && long && place == Place::Element => Writing::Shifted,
            Method::Transpose if loops.merged == 1 => Writing::Carried,
            Method::Pieces if lines && long => Writing::Carried,
            _ => Writing::Staged(staged.clamp(1, loops.rows.len())),
        }
    }
}

impl Walk {
    fn gathers(self) -> bool {
        matches!(self, Walk::Columns(by) | Walk::Rows(by) if matches!(by.moves, Moves::Gathered(_)))
    }

    fn new(loops: &CopyLoops, rows: Writing, isa: Isa) -> Walk {
        let CopyLoops { piece, columns, merged, .. } = loops;
        // Other pieces are not registers.
        if !matches!(piece, 1 | 2 | 4 | 8 | 16 | 32 | 64) {
            return Walk::Tables;
        }
        let (several, row_step) = match (rows, loops.rows.step) {
            (Writing::Staged(several), Some([step, _])) => {
                // Rows that are one on the stage.
                let one = merged.is_multiple_of(several) || *merged == loops.rows.len();
                (several, one.then_some([step, loops.row_bytes() as isize]))
            }
            (_, step) => (loops.rows.len(), step),
        };
        let streams = rows == Writing::InPlace { streams: true };
        let long = streams || columns.len() >= several || columns.len() > columns.offsets[0].len();
        match (columns.step.filter(|_| long), row_step) {
            (Some([step, _]), _) => {
                Walk::Columns(Along::new(*piece, [step, *piece as isize], columns.len(), isa))
            }
            (None, Some(step)) => Walk::Rows(Along::new(*piece, step, several, isa)),
            (None, None) => Walk::Tables,
        }
    }
}

impl Along {
    /// For `count` pieces of `piece` bytes.
    fn new(piece: usize, step: [isize; 2], count: usize, isa: Isa) -> Along {
        let [from, to] = step;
        let own = piece as isize;
        let apart = (piece + 1..PREFETCH_BYTES).contains(&to.unsigned_abs());
        let moves = if let Some(vectors) = by_lines(isa)
            && to == own
            && let Some(step) = step_of(piece, from, isa.is_wide())
        {
            Moves::Gathered((vectors.gathers)(step))
        } else if isa.is_wide()
            && from == own
            && let Some(step) = scattered_step_of(piece, to)
        {
            Moves::Scattered(step)
        } else if piece <= 8 && from == own && apart && count * to.unsigned_abs() > PREFETCH_BYTES {
            Moves::Prefetched
        } else {
            Moves::OneByOne
        };
        Along { step, moves }
    }
}

impl Transposition {
    fn new(loops: &CopyLoops, rows: Writing, isa: Isa) -> Transposition {
        let CopyLoops { unit, order, .. } = *loops;
        let across = matches!(order, Order::Across | Order::Rows | Order::Columns);
        let [column, row] = [loops.columns.step.map(|[step, _]| step), loops.rows.step.map(|[_, step]| step)];
        let lines = match rows {
            // Where memory begins within a line, a line of the source is read by two squares: it is still in the first-level cache
            // if few columns are read side by side. Smaller elements gain more from lines that are written together.
            Writing::Shifted if unit >= 4 => loops.lines.min(STRIP_LINES / 2),
            // The line that a strip leaves incomplete is stored and read again.
            Writing::Carried => loops.carried_lines(),
            _ => loops.lines,
        };
        let wide = isa.is_wide();
        let squares = match rows {
            Writing::Carried => {
                // Squares of 8 lines are shifted in the registers of AVX-512, in fewer instructions than by way of the stage.
                Squares::Carried { lanes: column, in_registers: unit == 8 && wide }
            }
            Writing::InPlace { streams: false } if matches!(order, Order::Rows | Order::Columns) => {
                // Whole squares of bytes do not fit in the registers of AVX-512. By AVX2, lanes are faster only where rows begin
                // within lines.
                let within = row.is_some_and(|step| step % LINE as isize != 0);
                let by_lanes = if wide { unit == 1 } else { unit <= 4 && within };
                Squares::Cached { lanes: column.filter(|_| by_lanes) }
            }
            // Squares of small elements do not fit in the registers of AVX2.
            Writing::InPlace { streams: true } | Writing::Shifted
                if unit <= 4 && lines >= STRIP_LINES || unit <= 2 && !wide =>
            {
                Squares::Strips
            }
            _ => Squares::Single,
        };
        let rows_of_tile = if let Writing::Staged(rows) = rows { rows } else { loops.rows.len() };
        let prefetched = match order {
            _ if across => 0,
            Order::DownAliased if unit <= 2 => 2 * PREFETCH_LINES,
            // The processor follows long columns of large elements by itself, few of which are read side by side.
            Order::Down if unit == 8 && rows_of_tile * unit >= FOLLOWED_BYTES => {
                usize::from(rows == Writing::Carried)
            }
            _ => unit.max(PREFETCH_LINES),
        };
        let at_line =
            |step: Option<isize>| across && step.is_some_and(|step| step % (LINE / 2) as isize == 0);
        Transposition { squares, order, lines, prefetched, at_lines: [at_line(column), at_line(row)] }
    }

    fn explain(&self, unit: usize) -> String {
        let order = match self.order {
            Order::Across if unit == 1 => "of each column, the next columns, then the next rows",
            Order::Across => "of each row and column, the next columns, then the next rows",
            Order::Rows => "of each row, the next columns, then the next rows; the destination is prefetched",
            Order::Columns => "of each row, the next rows, then the next columns",
            Order::Down => "of each row, and the next rows",
            Order::DownAliased => "of each row; columns alias, so that blocks have many rows and few columns",
        };
        let squares = match self.squares {
            Squares::Single | Squares::Cached { lanes: None } => "",
            Squares::Cached { lanes: Some(_) } => ", by lanes",
            Squares::Strips | Squares::Carried { in_registers: false, .. } => ", by strips",
            Squares::Carried { in_registers: true, .. } => ", shifted in registers",
        };
        let prefetched = match self.prefetched {
            0 => String::new(),
            lines => format!("\nprefetched: {} of each of the next columns", count(lines, "line")),
        };
        format!("order: {}{squares} {order}{prefetched}\n", count(self.lines, "line"))
    }
}

/// The functions for a processor that has the instructions of a set; none if it has no vectors for them.
pub(super) fn by_lines(isa: Isa) -> Option<&'static ByLines> {
    match isa.registers() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if is_x86_feature_detected!("avx512vbmi") => Some(&x86::AVX512),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 => Some(&x86::AVX2),
        _ => None,
    }
}
