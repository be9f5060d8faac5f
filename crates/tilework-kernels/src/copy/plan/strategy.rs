//! How the blocks of a copy are filled and written: every decision below its loops, made once. What runs them and what `explain`
//! prints are read from this value.

use super::loops::{CopyLoops, Method};
use crate::cpu::isa::Isa;
use crate::error::count;
#[cfg(target_arch = "x86_64")]
use crate::simd::strided::x86;
use crate::simd::strided::{ByLines, Gather, Interleave, Scatter, Split, scattered_step_of, step_of};
use crate::tuning::LINE;
use crate::tuning::copy::{
    LONG_ROW_BYTES, PREFETCH_BYTES, PREFETCH_LINES, STAGE_BYTES, STAGED_BYTES, STREAMED_PIECE, STRIP_LINES,
};

pub(crate) use super::loops::Order;

/// Where in a line of the cache a destination begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Line,
    /// Whole elements behind the beginning of a line.
    Element,
    Anywhere,
}

impl Place {
    pub(crate) const ALL: [Place; 3] = [Place::Line, Place::Element, Place::Anywhere];

    /// A heading for what is done only there.
    pub(crate) fn explain(self) -> &'static str {
        match self {
            Place::Line => "",
            Place::Element => "where the destination begins within a line:\n",
            Place::Anywhere => "where the destination begins within an element of a line:\n",
        }
    }

    /// That of an address, for elements of `unit` bytes.
    pub(crate) fn of(to: *const u8, unit: usize) -> Place {
        match to as usize % LINE {
            0 => Place::Line,
            behind if behind.is_multiple_of(unit) => Place::Element,
            _ => Place::Anywhere,
        }
    }
}

/// How the blocks of a copy are filled and written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strategy {
    /// The instructions.
    pub isa: Isa,
    pub tile: Kind,
    pub rows: Writing,
}

/// The kind of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Pieces that are contiguous in both, or have a constant step.
    Pieces(Walk),
    /// Long ones or whole lines, past the caches, one by one; while a short one is copied, the next column is prefetched.
    Streamed { short: bool },
    /// Pieces that repeat one element.
    Repeated,
    /// Squares of elements, transposed in registers.
    Transposed(Transposition),
    /// Arrays that become the fields of structures, by this function unless there are 2, 4 or 8.
    Interleaved(Option<Interleave>),
    /// Structures whose fields become arrays, by this function unless there are 2, 4 or 8.
    Split(Option<Split>),
}

/// The order in which pieces are copied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Walk {
    /// Along the columns of each row.
    Columns(Along),
    /// Along the rows of each column.
    Rows(Along),
    /// By the tables of both.
    Tables,
}

/// Pieces with a constant step, in the source and in the destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along {
    pub step: [isize; 2],
    pub moves: Moves,
}

/// How pieces with a constant step are moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moves {
    OneByOne,
    /// By lines of the destination.
    Gathered(Gather),
    /// By lines of the source.
    Scattered(Scatter),
}

/// How squares are transposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transposition {
    pub squares: Squares,
    /// The lines of each row that are transposed side by side.
    pub lines: usize,
    /// The contiguous lines of each of the next columns that are prefetched together; 0 if the processor does it.
    pub prefetched: usize,
}

/// The order of the squares of a tile; from the first row to the last, unless they are cached.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Squares {
    /// One by one, past the caches.
    Single,
    /// One by one, through the caches.
    Cached(Cached),
    /// Strips, past the caches (`strips.rs`).
    Strips,
    /// Strips whose incomplete lines are carried over (`carried.rs`), or shifted in registers.
    Carried { in_registers: bool },
}

/// How squares go through the caches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cached {
    pub order: Order,
    /// The bytes between columns, if squares are transposed by lanes of them.
    pub lanes: Option<isize>,
    /// Whether squares from the second one on may begin at lines of the source, and of the destination.
    pub at_lines: [bool; 2],
}

/// How the rows of blocks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Writing {
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
    pub(crate) fn new(loops: &CopyLoops, place: Place, isa: Isa) -> Strategy {
        let rows = Writing::new(loops, place);
        let (unit, streams) = (loops.unit, rows == Writing::InPlace { streams: true });
        let vectors = by_lines(isa);
        let tile = match loops.method {
            Method::Pieces if !loops.gathers && (streams || rows == Writing::Carried) => {
                Kind::Streamed { short: loops.piece < PREFETCH_BYTES }
            }
            Method::Pieces => Kind::Pieces(Walk::new(loops, rows, isa)),
            Method::Splat => Kind::Repeated,
            Method::Transpose => Kind::Transposed(Transposition::new(loops, rows, isa)),
            Method::Interleave => {
                let fields = loops.columns.len();
                let by = vectors.filter(|_| !fields.is_power_of_two());
                Kind::Interleaved(by.map(|by| (by.interleaves)(fields, unit)))
            }
            Method::Split => {
                let fields = loops.rows.len();
                let by = vectors.filter(|_| !fields.is_power_of_two());
                Kind::Split(by.map(|by| (by.splits)(fields, unit)))
            }
            Method::Scatter => {
                let step = loops.columns.step.unwrap_or_default();
                Kind::Pieces(Walk::Columns(Along::new(loops.piece, step, isa)))
            }
        };
        let is_shuffled = match tile {
            Kind::Interleaved(_) | Kind::Split(_) => true,
            Kind::Pieces(walk) => walk.gathers(),
            _ => false,
        };
        let isa = vectors.filter(|_| is_shuffled).map_or(isa, |vectors| vectors.isa);
        Strategy { isa, tile, rows }
    }

    /// Whether lines are put together before they are written past the caches, or are those of several arrays in turn; none if they
    /// are written through them.
    pub(crate) fn stages(&self) -> Option<bool> {
        match self.rows {
            Writing::InPlace { streams: false } => None,
            Writing::InPlace { streams: true } => Some(matches!(self.tile, Kind::Split(_))),
            Writing::Shifted | Writing::Carried | Writing::Staged(_) => Some(true),
        }
    }

    /// How tiles are filled with elements of `element` bytes.
    pub(crate) fn tile(&self, loops: &CopyLoops, element: usize) -> String {
        let by_vectors = |how| format!("{how} in registers ({}), {} bytes at a time", self.isa, loops.unit);
        match self.tile {
            Kind::Pieces(walk) if walk.gathers() => by_vectors("gathered"),
            Kind::Pieces(Walk::Columns(Along { moves: Moves::Scattered(_), .. })) => by_vectors("scattered"),
            Kind::Pieces(_) if loops.method == Method::Scatter => {
                "one by one: no two neighbours in the destination".to_string()
            }
            Kind::Pieces(_) if loops.piece == element => "one by one: no two neighbours in both".to_string(),
            Kind::Pieces(_) | Kind::Streamed { .. } => {
                format!("pieces of {} bytes, contiguous in both", loops.piece)
            }
            Kind::Repeated => format!("pieces of {} bytes, each one element repeated", loops.piece),
            Kind::Transposed(_) => by_vectors("transposed"),
            Kind::Interleaved(_) => by_vectors("interleaved"),
            Kind::Split(_) => by_vectors("fields split"),
        }
    }

    /// In which order tiles are filled, a decision a line, and how they are written.
    pub(crate) fn details(&self, loops: &CopyLoops) -> String {
        let order = match self.tile {
            Kind::Transposed(by) => by.explain(),
            Kind::Pieces(_) if loops.method == Method::Scatter => String::new(),
            Kind::Pieces(Walk::Columns(_)) => "order: along the columns of each row\n".to_string(),
            Kind::Pieces(Walk::Rows(_)) => "order: along the rows of each column\n".to_string(),
            Kind::Streamed { short: true } => "the next column is prefetched\n".to_string(),
            _ => String::new(),
        };
        let written = match self.rows {
            Writing::InPlace { streams: false } => "through the caches".to_string(),
            Writing::InPlace { streams: true } => match self.tile {
                Kind::Interleaved(_) | Kind::Split(_) => {
                    "past the caches, where all begin at lines".to_string()
                }
                Kind::Pieces(walk) if walk.gathers() => {
                    "past the caches, where elements fill lines".to_string()
                }
                _ => "past the caches, in whole lines".to_string(),
            },
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
            (Some([step, _]), _) => Walk::Columns(Along::new(*piece, [step, *piece as isize], isa)),
            (None, Some(step)) => Walk::Rows(Along::new(*piece, step, isa)),
            (None, None) => Walk::Tables,
        }
    }
}

impl Along {
    /// For pieces of `piece` bytes.
    fn new(piece: usize, step: [isize; 2], isa: Isa) -> Along {
        let [from, to] = step;
        let own = piece as isize;
        let moves = match by_lines(isa) {
            Some(by)
                if to == own
                    && let Some(step) = step_of(piece, from) =>
            {
                Moves::Gathered((by.gathers)(step))
            }
            Some(by)
                if isa.is_wide()
                    && from == own
                    && let Some(step) = scattered_step_of(piece, to) =>
            {
                Moves::Scattered((by.scatters)(piece, step))
            }
            _ => Moves::OneByOne,
        };
        Along { step, moves }
    }
}

impl Transposition {
    fn new(loops: &CopyLoops, rows: Writing, isa: Isa) -> Transposition {
        let CopyLoops { unit, order, .. } = *loops;
        let [column, row] = [loops.columns.step.map(|[step, _]| step), loops.rows.step.map(|[_, step]| step)];
        let lines = match rows {
            Writing::InPlace { streams: false } => 1,
            // The line that a strip leaves incomplete is stored and read again.
            Writing::Carried => STRIP_LINES,
            // Where memory begins within a line, a line of the source is read by two squares: it is still in the first-level cache
            // if few columns are read side by side. Smaller elements gain more from lines that are written together.
            Writing::Shifted if unit >= 4 => STRIP_LINES / 2,
            _ if unit == 8 => STRIP_LINES / 2,
            _ => STRIP_LINES,
        };
        let wide = isa.is_wide();
        let squares = match rows {
            Writing::Carried => {
                // Squares of 8 lines are shifted in the registers of AVX-512, in fewer instructions than by way of the stage.
                Squares::Carried { in_registers: unit == 8 && wide }
            }
            // Whole squares of bytes do not fit in the registers of AVX-512.
            Writing::InPlace { streams: false } => Squares::Cached(Cached {
                order,
                lanes: column.filter(|_| unit == 1 && wide),
                at_lines: [column, row].map(|step| step.is_some_and(|step| step % (LINE / 2) as isize == 0)),
            }),
            Writing::InPlace { streams: true } | Writing::Shifted if lines == STRIP_LINES => Squares::Strips,
            _ => Squares::Single,
        };
        let prefetched = if matches!(squares, Squares::Cached(_)) { 0 } else { unit.max(PREFETCH_LINES) };
        Transposition { squares, lines, prefetched }
    }

    fn explain(&self) -> String {
        let order = match self.squares {
            Squares::Cached(by) => match by.order {
                Order::Rows => "the next columns, then the next rows; the destination is prefetched",
                Order::Columns => "the next rows, then the next columns",
            },
            _ => "and the next rows",
        };
        let squares = match self.squares {
            Squares::Cached(Cached { lanes: Some(_), .. }) => ", by lanes",
            Squares::Single | Squares::Cached(_) => "",
            Squares::Strips | Squares::Carried { in_registers: false } => ", by strips",
            Squares::Carried { in_registers: true } => ", shifted in registers",
        };
        let prefetched = match self.prefetched {
            0 => String::new(),
            lines => format!("\nprefetched: {} of each of the next columns", count(lines, "line")),
        };
        format!("order: {}{squares} of each row, {order}{prefetched}\n", count(self.lines, "line"))
    }
}

/// The functions for the vectors of a set, if it has any.
pub(crate) fn by_lines(isa: Isa) -> Option<&'static ByLines> {
    match isa.registers() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 | Isa::Avx512 => Some(&x86::BY_LINES),
        _ => None,
    }
}
