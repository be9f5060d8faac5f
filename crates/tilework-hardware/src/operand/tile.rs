//! Whether a tile is a legal operand: the comparison with the offsets that a descriptor gives.

use super::descriptor::{FIELD, Operand};
use super::illegal::Illegal;
use super::matrix::{Major, Matrix, Side, piece};
use super::mode::Mode;
use super::places::Places;
use alloc::vec::Vec;
use core::ops::Range;
use tilework::{Composed, Error, HasLayout, Layout, Swizzle};

impl Matrix {
    /// Whether the instruction can read a tile from shared memory, for `A` by several instructions along M: 64 rows are
    /// those of one. Along K it has a multiple of the 256 bits that one instruction takes.
    ///
    /// # Errors
    /// [`Illegal`]: the condition, with the coordinate if there is one.
    pub fn operand(self, tile: &impl HasLayout, bits: u32) -> Result<Operand, Illegal> {
        self.part(tile, bits, 0..tile.as_layout().mode(0)?.size())
    }

    /// Whether the instruction can read a range of a tile's coordinates along M or N, as the warp groups of a block do.
    ///
    /// ```
    /// use tilework_hardware::operand::{Illegal, Matrix, Mode};
    /// // 192 columns in panels of 64 are legal, and halves of 96 columns are not.
    /// let b = Matrix::find("wgmma.b.mn").unwrap();
    /// let tile = b.nearest(192, 64, 16)?;
    /// assert!(b.operand(&tile, 16).is_ok());
    /// let error = b.part(&tile, 16, 96..192).unwrap_err();
    /// assert_eq!(error, Illegal::Panel { mode: Mode::B128, first: 96, end: 192, panel: 64 });
    /// # Ok::<(), Illegal>(())
    /// ```
    ///
    /// # Errors
    /// As [`operand`](Self::operand), and [`Illegal::Part`] for coordinates outside the tile.
    pub fn part(self, tile: &impl HasLayout, bits: u32, part: Range<i64>) -> Result<Operand, Illegal> {
        let layout = tile.as_layout();
        if layout.rank() != 2 || layout.depth() == 0 {
            return Err(
                Error::Rank { operation: "a shared operand", expected: 2, found: layout.rank() }.into()
            );
        }
        let (mn, k) = (layout.mode(0)?.size(), layout.mode(1)?.size());
        if part.start < 0 || part.is_empty() || part.end > mn {
            return Err(Illegal::Part { first: part.start, end: part.end, extent: mn });
        }
        self.check(part.end - part.start, k, bits)?;
        Tile::new(tile, self, bits, [part, 0..k])?.legal(Mode::of(tile, bits), self.modes(bits))
    }

    /// A legal layout for a tile, with the widest swizzling mode that its extents allow.
    ///
    /// ```
    /// use tilework_hardware::operand::{Illegal, Matrix};
    /// // 96 columns are not a whole number of panels of 64, but of 32.
    /// let b = Matrix::find("wgmma.b.mn").unwrap();
    /// let layout = b.nearest(96, 64, 16)?;
    /// assert_eq!(layout.to_string(), "Sw<2,3,3> o 0 o ((32,3),(8,8)):((1,256),(32,768))");
    /// assert!(b.operand(&layout, 16).is_ok());
    /// # Ok::<(), Illegal>(())
    /// ```
    ///
    /// # Errors
    /// As [`operand`](Self::operand) if no layout of these extents is legal.
    pub fn nearest(self, mn: i64, k: i64, bits: u32) -> Result<Composed, Illegal> {
        self.check(mn, k, bits)?;
        let contiguous = if self.major == Major::K { k } else { mn };
        let row = |mode: Mode| mode.bytes() / 16 * piece(bits);
        let modes = self.modes(bits);
        let Some(&mode) = modes.iter().rev().find(|mode| contiguous % row(**mode) == 0) else {
            return Err(Illegal::Panel { mode: modes[0], first: 0, end: mn, panel: row(modes[0]) });
        };
        let (row, rows) = (row(mode), mode.rows());
        let layout = match self.major {
            Major::K => Layout::of(((8, mn / 8), (row, k / row)), ((row, 8 * row), (1, mn * row))),
            Major::MN => Layout::of(((row, mn / row), (rows, k / rows)), ((1, rows * row), (row, rows * mn))),
        };
        let layout = Composed::new(mode.swizzle(bits)?, 0, layout?)?;
        self.operand(&layout, bits).map(|_| layout)
    }
}

/// A tile of legal extents, and the question about it.
struct Tile {
    places: Places,
    matrix: Matrix,
    bits: u32,
    /// The first coordinate along M or N, and how many there are.
    first: i64,
    mn: i64,
    k: i64,
    /// The number of elements in 16 bytes.
    piece: i64,
}

/// The pattern of a swizzling mode, in elements.
struct Pattern {
    mode: Mode,
    swizzle: Swizzle,
    /// The elements of a row, and the rows after which the pattern repeats.
    row: i64,
    rows: i64,
    /// The columns of one descriptor.
    block: i64,
}

impl Tile {
    fn new(tile: &impl HasLayout, matrix: Matrix, bits: u32, part: [Range<i64>; 2]) -> Result<Tile, Illegal> {
        let (first, mn, k) = (part[0].start, part[0].end - part[0].start, part[1].end);
        Ok(Tile { places: Places::new(tile, &part)?, matrix, bits, first, mn, k, piece: piece(bits) })
    }

    /// The first of the modes whose descriptor gives the offsets of all elements. The error is that of the mode that the
    /// layout is swizzled for; if there is none, that of the mode that agrees for most elements.
    fn legal(&self, meant: Option<Mode>, modes: &'static [Mode]) -> Result<Operand, Illegal> {
        let own = meant.unwrap_or(Mode::None);
        let other = Illegal::Mode { operand: self.matrix.name(), bits: self.bits, mode: own, taken: modes };
        let mut reason = (if meant.is_some() && !modes.contains(&own) { i64::MAX } else { i64::MIN }, other);
        for &mode in modes {
            match self.operand(mode) {
                Ok(operand) => return Ok(operand),
                Err((_, illegal)) if meant == Some(mode) => reason = (i64::MAX, illegal),
                Err((agreed, _)) if agreed <= reason.0 => {}
                Err(found) => reason = found,
            }
        }
        Err(reason.1)
    }

    /// The operand for this mode; otherwise the number of elements that agree, and the error at the first that does
    /// not.
    fn operand(&self, mode: Mode) -> Result<Operand, (i64, Illegal)> {
        let Tile { mn, k, first, matrix: Matrix { instruction, side, major }, bits, .. } = *self;
        let pattern = self.pattern(mode).map_err(|error| (-1, error.into()))?;
        let Pattern { swizzle, row, rows, block, .. } = pattern;
        if major == Major::MN && (mn % row != 0 || mode != Mode::None && first % row != 0) {
            return Err((0, Illegal::Panel { mode, first, end: first + mn, panel: row }));
        }
        let (steps, starts) = self.offsets(&pattern).map_err(|error| (-1, error.into()))?;
        // Within a row of the pattern, any piece; otherwise the start of the pattern.
        let is_within = |start: i64| {
            start % self.piece == 0 && (mode == Mode::None || start.rem_euclid(row * rows) < row)
        };
        let outside = starts.iter().position(|&start| !is_within(start));
        let outside = outside.map(|i| ((i + 1) as i64 * block * mn, i));
        let expected = self.expected(&pattern, steps, &starts);
        let misplaced = self.places.misplaced(swizzle, &expected).map_err(|error| (-1, error.into()))?;
        if let Some(found) = misplaced
            && outside.is_none_or(|(index, _)| found.index < index)
        {
            let (row, column) = (first + found.coord[0] as i64, found.coord[1] as i64);
            let (index, expected, found) = (found.index, found.expected, found.found);
            return Err((index, Illegal::Place { mode, row, column, expected, found }));
        }
        if let Some((index, i)) = outside {
            let (column, offset, multiple) = (i as i64 * block, starts[i], row * rows);
            return Err((index, Illegal::Start { column, offset, multiple }));
        }
        let starts = starts.iter().map(|&start| self.field("the start", start)).collect::<Result<_, _>>();
        let fields = || Ok((self.field("LBO", steps[0])?, self.field("SBO", steps[1])?, starts?));
        let (leading, stride, starts) = fields().map_err(|illegal| (mn * k, illegal))?;
        let floats_only = bits == 8 && side == Side::B && mn > 32 && mn % 16 != 0;
        Ok(Operand { instruction, mode, leading, stride, starts, floats_only })
    }

    fn pattern(&self, mode: Mode) -> Result<Pattern, Error> {
        let (row, rows) = (mode.bytes() / 16 * self.piece, mode.rows());
        Ok(Pattern { mode, swizzle: mode.swizzle(self.bits)?, row, rows, block: (2 * self.piece).max(rows) })
    }

    /// The strides of the repetitions along the leading dimension and along the other, in elements, 0 if there are none;
    /// and the starts of the blocks.
    fn offsets(&self, pattern: &Pattern) -> Result<([i64; 2], Vec<i64>), Error> {
        let &Pattern { mode, swizzle, row, rows, block } = pattern;
        let at = |row: i64, column: i64| self.places.at(swizzle, &[row as usize, column as usize]);
        let start = at(0, 0)?;
        let step = |row: i64, column: i64| match row < self.mn && column < block {
            true => Ok(at(row, column)? - start),
            false => Ok::<i64, Error>(0),
        };
        let steps = match (self.matrix.major, mode) {
            (Major::K, Mode::None) => [step(0, self.piece)?, step(8, 0)?],
            (Major::K, _) => [self.piece, step(8, 0)?],
            (Major::MN, Mode::None) => [step(0, 8)?, step(self.piece, 0)?],
            (Major::MN, _) => [step(row, 0)?, step(0, rows)?],
        };
        let starts = (0..self.k).step_by(block as usize).map(|column| at(0, column));
        Ok((steps, starts.collect::<Result<_, _>>()?))
    }

    /// The offsets before the swizzle that the descriptor gives to rows and columns.
    fn expected(&self, pattern: &Pattern, steps: [i64; 2], starts: &[i64]) -> [Vec<i128>; 2] {
        let &Pattern { mode, row, rows, block, .. } = pattern;
        let [leading, stride] = steps.map(i128::from);
        // `extent` coordinates `inner` apart, and groups of them `outer` apart.
        let of = |i: i64, extent: i64, inner: i64, outer: i128| {
            i128::from(i % extent * inner) + i128::from(i / extent) * outer
        };
        let down = |r: i64| match (self.matrix.major, mode) {
            (Major::K, _) => of(r, 8, row, stride),
            (Major::MN, Mode::None) => of(r, self.piece, 1, stride),
            (Major::MN, _) => of(r, row, 1, leading),
        };
        let along = |c: i64| match (self.matrix.major, mode) {
            (Major::K, _) => of(c, self.piece, 1, leading),
            (Major::MN, Mode::None) => of(c, 8, row, leading),
            (Major::MN, _) => of(c, rows, row, stride),
        };
        let first = i128::from(starts[0]);
        let start = |c: i64| i128::from(starts[(c / block) as usize]) - first;
        [
            (0..self.mn).map(|r| first + down(r)).collect(),
            (0..self.k).map(|c| start(c) + along(c % block)).collect(),
        ]
    }

    /// A number of elements in units of 16 bytes, which has to fit the field of a descriptor.
    fn field(&self, name: &'static str, elements: i64) -> Result<u32, Illegal> {
        let offset = elements.div_euclid(self.piece);
        if elements % self.piece != 0 || !(0..=FIELD).contains(&offset) {
            return Err(Illegal::Field { name, offset });
        }
        Ok(offset as u32)
    }
}
