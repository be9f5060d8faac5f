//! Linear layouts in the notations of Triton and of Gluon.

use super::{Input, LinearLayout, MAX_RANK, extent_beyond, powers_of_two};
use crate::error::{Error, tri};
use crate::list::List;
use crate::text::{Reader, Text};
use crate::tuple::HTuple;
use core::fmt;
use core::str::FromStr;

const INPUTS: [Input; 4] = [Input::Register, Input::Lane, Input::Warp, Input::Block];

/// The name of an index in Triton, and in Gluon.
const fn names(input: Input) -> (&'static str, &'static str) {
    match input {
        Input::Register => ("register", "reg_bases"),
        Input::Lane => ("lane", "lane_bases"),
        Input::Warp => ("warp", "warp_bases"),
        Input::Block => ("block", "block_bases"),
    }
}

impl LinearLayout {
    /// The attribute of Triton's MLIR, which `Display` prints as well.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// assert_eq!(
    ///     LinearLayout::of(&layout!((4,2):(1,4)).into(), 32)?.to_triton().as_str(),
    ///     "#ttg.linear<{register = [[4]], lane = [[1], [2]], warp = [], block = []}>"
    /// );
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn to_triton(&self) -> Text {
        let mut text = Text::new();
        text.push("#ttg.linear<{");
        self.push_inputs(&mut text, false);
        text.push("}>");
        text
    }

    /// The layout of Gluon, in Python.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// assert_eq!(
    ///     LinearLayout::of(&layout!((4,2):(1,4)).into(), 32)?.to_gluon().as_str(),
    ///     "gl.DistributedLinearLayout(reg_bases=[[4]], lane_bases=[[1], [2]], warp_bases=[], block_bases=[], shape=[8])"
    /// );
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn to_gluon(&self) -> Text {
        let mut text = Text::new();
        text.push("gl.DistributedLinearLayout(");
        self.push_inputs(&mut text, true);
        text.push(", shape=[");
        let mut i = 0;
        while i < self.shape.leaves().len() {
            text.push(if i > 0 { ", " } else { "" }).push_int(self.shape.leaves()[i]);
            i += 1;
        }
        text.push("])");
        text
    }

    const fn push_inputs(&self, text: &mut Text, is_gluon: bool) {
        let mut i = 0;
        while i < INPUTS.len() {
            let (triton, gluon) = names(INPUTS[i]);
            text.push(if i > 0 { ", " } else { "" });
            if is_gluon {
                text.push(gluon).push("=");
            } else {
                text.push(triton).push(" = ");
            }
            self.push_bases(text, INPUTS[i]);
            i += 1;
        }
    }

    const fn push_bases(&self, text: &mut Text, input: Input) {
        text.push("[");
        let (bases, mut i) = (self.bases(input), 0);
        while i < bases.len() {
            text.push(if i > 0 { ", [" } else { "[" });
            let (mut rest, mut dimension) = (bases[i], 0);
            while dimension < self.shape.leaves().len() {
                let extent = self.shape.leaves()[dimension];
                text.push(if dimension > 0 { ", " } else { "" }).push_int(rest % extent);
                rest /= extent;
                dimension += 1;
            }
            text.push("]");
            i += 1;
        }
        text.push("]");
    }

    /// Reads the notation of Triton or Gluon, also in `const`. Triton does not write the extents of the tensor: they
    /// are the smallest for the bases.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// let gluon = "gl.DistributedLinearLayout(reg_bases=[], lane_bases=[[0, 1], [1, 0]], warp_bases=[], block_bases=[], shape=[2, 2])";
    /// assert_eq!(LinearLayout::parse(gluon)?.layout()?, layout!(((2,2),1):((2,1),0)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`] with the position, also for a basis with another number of coordinates than the others, or
    /// outside the tensor; [`Error::NotPowerOfTwo`] for an extent; [`Error::Capacity`], [`Error::Overflow`].
    pub const fn parse(text: &str) -> Result<LinearLayout, Error> {
        let mut reader = Reader::new(text);
        let linear = tri!(reader.linear_layout());
        tri!(reader.expect_end());
        Ok(linear)
    }
}

impl fmt::Display for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_triton().as_str())
    }
}

impl fmt::Debug for LinearLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_gluon().as_str())
    }
}

impl FromStr for LinearLayout {
    type Err = Error;
    fn from_str(text: &str) -> Result<LinearLayout, Error> {
        LinearLayout::parse(text)
    }
}

/// Bases as coordinates.
#[derive(Clone, Copy)]
struct Bases {
    of: [List<[i64; MAX_RANK], { super::MAX_BITS }>; 4],
    /// The rank of each, once known.
    rank: Option<usize>,
}

impl Reader<'_> {
    /// A linear layout, in either notation.
    ///
    /// # Errors
    /// Those of [`LinearLayout::parse`].
    pub const fn linear_layout(&mut self) -> Result<LinearLayout, Error> {
        let mut bases = Bases { of: [List::new([0; MAX_RANK]); 4], rank: None };
        if self.eat_word("#ttg.linear<") {
            tri!(self.expect(b'{', "`{`"));
            while !self.eat(b'}') {
                let Some(input) = self.input(false) else {
                    return Err(self.error("`register`, `lane`, `warp` or `block`"));
                };
                tri!(self.expect(b'=', "`=`"));
                tri!(self.bases_into(&mut bases, input));
                if !self.eat(b',') {
                    tri!(self.expect(b'}', "`,` or `}`"));
                    break;
                }
            }
            tri!(self.expect(b'>', "`>`"));
            return bases.finish(None, self);
        }
        if !self.eat_distributed() {
            return Err(self.error("`#ttg.linear<` or `gl.DistributedLinearLayout(`"));
        }
        tri!(self.expect(b'(', "`(`"));
        let mut shape = None;
        while !self.eat(b')') {
            if let Some(input) = self.input(true) {
                tri!(self.expect(b'=', "`=`"));
                tri!(self.bases_into(&mut bases, input));
            } else if self.eat_word("shape") {
                tri!(self.expect(b'=', "`=`"));
                shape = Some(tri!(self.row()));
            } else {
                return Err(self.error("`reg_bases`, `lane_bases`, `warp_bases`, `block_bases` or `shape`"));
            }
            if !self.eat(b',') {
                tri!(self.expect(b')', "`,` or `)`"));
                break;
            }
        }
        bases.finish(shape, self)
    }

    /// Whether a linear layout begins here.
    #[must_use]
    pub const fn at_linear_layout(&self) -> bool {
        let mut reader = *self;
        reader.eat_word("#ttg.linear<") || reader.eat_distributed()
    }

    /// Skips the name of Gluon's layout, if it follows.
    const fn eat_distributed(&mut self) -> bool {
        // The names under which the module is usually imported.
        let _ = self.eat_word("gl.") || self.eat_word("ttgl.") || self.eat_word("gluon.");
        self.eat_word("DistributedLinearLayout")
    }

    const fn input(&mut self, gluon: bool) -> Option<Input> {
        let mut i = 0;
        while i < INPUTS.len() {
            let (triton_name, gluon_name) = names(INPUTS[i]);
            if self.eat_word(if gluon { gluon_name } else { triton_name }) {
                return Some(INPUTS[i]);
            }
            i += 1;
        }
        None
    }

    /// `[[0, 1], [8, 0]]`, which replaces the previous bases.
    const fn bases_into(&mut self, bases: &mut Bases, input: Input) -> Result<(), Error> {
        let own = &mut bases.of[input as usize];
        own.truncate(0);
        tri!(self.expect(b'[', "`[`"));
        while !self.eat(b']') {
            self.skip_space();
            let start = *self;
            let (row, rank) = tri!(self.row());
            match bases.rank {
                Some(other) if other != rank => {
                    return Err(start.error("a basis of as many coordinates as the others"));
                }
                _ => bases.rank = Some(rank),
            }
            tri!(own.push(row, "bits of an index"));
            if !self.eat(b',') {
                tri!(self.expect(b']', "`,` or `]`"));
                break;
            }
        }
        Ok(())
    }

    /// `[8, 0]`: non-negative numbers, and how many.
    const fn row(&mut self) -> Result<([i64; MAX_RANK], usize), Error> {
        let (mut row, mut rank) = ([0; MAX_RANK], 0);
        tri!(self.expect(b'[', "`[`"));
        while !self.eat(b']') {
            if rank == MAX_RANK {
                return Err(Error::Capacity { what: "dimensions of a linear layout", limit: MAX_RANK });
            }
            self.skip_space();
            let start = *self;
            row[rank] = tri!(self.integer("an integer"));
            if row[rank] < 0 {
                return Err(start.error("an integer from 0"));
            }
            rank += 1;
            if !self.eat(b',') {
                tri!(self.expect(b']', "`,` or `]`"));
                break;
            }
        }
        Ok((row, rank))
    }
}

impl Bases {
    /// The linear layout onto a tensor of this shape, or of the smallest one; `reader` is at the end of the text.
    const fn finish(
        &self,
        shape: Option<([i64; MAX_RANK], usize)>,
        reader: &Reader<'_>,
    ) -> Result<LinearLayout, Error> {
        let (extents, rank) = match shape {
            Some(shape) => shape,
            None => tri!(self.smallest()),
        };
        if matches!(self.rank, Some(other) if other != rank) {
            return Err(reader.error("as many extents as the bases have coordinates"));
        }
        tri!(powers_of_two("the tensor", extents.split_at(rank).0));
        let mut tuple = HTuple::builder(1);
        tri!(tuple.open(rank));
        let mut dimension = 0;
        while dimension < rank {
            tri!(tuple.push(extents[dimension]));
            dimension += 1;
        }
        // Checks that all elements have a number.
        tri!(tuple.size());
        let mut linear = tri!(LinearLayout::empty(&tuple));
        let mut input = 0;
        while input < INPUTS.len() {
            let (own, mut i) = (self.of[input].as_slice(), 0);
            while i < own.len() {
                let (mut number, mut dimension) = (0, rank);
                while dimension > 0 {
                    dimension -= 1;
                    if own[i][dimension] >= extents[dimension] {
                        return Err(reader.error("bases within the tensor before"));
                    }
                    number = number * extents[dimension] + own[i][dimension];
                }
                tri!(linear.bases[input].push(number, "bits of an index"));
                i += 1;
            }
            input += 1;
        }
        Ok(linear)
    }

    /// The extents that the bases need.
    const fn smallest(&self) -> Result<([i64; MAX_RANK], usize), Error> {
        let rank = match self.rank {
            Some(rank) => rank,
            None => 1,
        };
        let (mut reach, mut input) = ([0; MAX_RANK], 0);
        while input < INPUTS.len() {
            let (own, mut i) = (self.of[input].as_slice(), 0);
            while i < own.len() {
                let mut dimension = 0;
                while dimension < rank {
                    reach[dimension] |= own[i][dimension];
                    dimension += 1;
                }
                i += 1;
            }
            input += 1;
        }
        let (mut extents, mut dimension) = ([1; MAX_RANK], 0);
        while dimension < rank {
            extents[dimension] = tri!(extent_beyond(reach[dimension]));
            dimension += 1;
        }
        Ok((extents, rank))
    }
}
